"""All cores for a long pass: its rows and heads shared among Python threads, each with matrix products that use one core.

By default NumPy's matrix products spread over the cores through OpenBLAS and everything between them, norms, exponentials,
activations, runs on one while the others wait. NumPy releases the interpreter while it computes, so threads can run the whole
pass on their own rows instead. A product then has to stay on one core, which only OpenBLAS itself can be told; where NumPy was
built with another library a pass is one share, and nothing here does anything.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise

import numpy as np

FEWEST_ROWS = 128  # a share of fewer rows costs more in waiting than it saves


def shares(n_rows: int) -> list[slice]:
    """The rows of a pass in as many equal parts as it is worth having: one for each core, one in all for a short pass."""
    n = min(_cores(), n_rows // FEWEST_ROWS) if n_rows >= 2 * FEWEST_ROWS else 1
    bounds = [n_rows * i // n for i in range(n + 1)]
    return [slice(a, b) for a, b in pairwise(bounds)]


def each(task: Callable, items: Sequence) -> None:
    """task(item) for every item, the first ones first; more than one at a time inside `one_core_a_product`."""
    if _holders[0] == 0 or len(items) == 1:
        for item in items:
            task(item)
    else:
        list(_pool(_cores()).map(task, items))


@contextmanager
def one_core_a_product(wanted: bool):
    """Matrix products inside use one core each, if that is wanted and can be had.

    The setting is the whole process's: of several passes at once the first sets it and the last puts it back. A product
    of somebody else's gives the same numbers meanwhile, on one core.
    """
    if not wanted or not _openblas():
        yield
        return
    get, put = _openblas()
    with _lock:
        if _holders[0] == 0:
            _holders[1] = get()
            put(1)
        _holders[0] += 1
    try:
        yield
    finally:
        with _lock:
            _holders[0] -= 1
            if _holders[0] == 0:
                put(_holders[1])


def _cores() -> int:
    """Cores that matrix products may use (OPENBLAS_NUM_THREADS limits them); 1 where the library cannot be asked."""
    if not _openblas():
        return 1
    with _lock:
        return _holders[1] if _holders[0] else _openblas()[0]()


_lock = threading.Lock()
_holders = [0, 1]  # how many passes keep products on one core, and the number to go back to


@lru_cache(maxsize=1)
def _openblas() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """How to ask NumPy's own OpenBLAS for its number of threads, and how to set it; None where it is another library."""
    try:
        library = ctypes.CDLL(np._core._multiarray_umath.__file__)
        return library.scipy_openblas_get_num_threads64_, library.scipy_openblas_set_num_threads64_
    except (AttributeError, OSError):
        return None


@lru_cache(maxsize=1)
def _pool(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, thread_name_prefix="engine")
