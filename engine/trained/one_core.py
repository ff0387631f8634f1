"""Matrix products on one core each: for a pass beside others, which is what a server with a class at it runs.

By default NumPy spreads a product over all cores through OpenBLAS, whose threads wait for one another: where another process keeps
a core busy, a pass over 200 tokens through a model of GPT-2's size took 5.5 s in place of 0.9 on two cores; where nothing else
runs it takes up to twice as long on one. Only OpenBLAS itself can be told. NumPy's own is asked through ctypes, in six lines:
threadpoolctl would find it too, at the price of a package that everybody installs, and the count of passes at once stays ours.
Where NumPy was built with another library nothing here does anything.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

_lock = threading.Lock()
_passes = [0, 1]  # how many keep products on one core, and the number of cores to go back to


@contextmanager
def one_core_a_product():
    """Matrix products inside use one core each, if that can be had.

    The setting is the whole process's: of several passes at once the first sets it and the last puts it back. A product
    of somebody else's gives the same numbers meanwhile, on one core.
    """
    if not _openblas():
        yield
        return
    get, put = _openblas()
    with _lock:
        if _passes[0] == 0:
            _passes[1] = get()
            put(1)
        _passes[0] += 1
    try:
        yield
    finally:
        with _lock:
            _passes[0] -= 1
            if _passes[0] == 0:
                put(_passes[1])


@lru_cache(maxsize=1)
def _openblas() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """How to ask NumPy's own OpenBLAS for its number of threads, and how to set it; None where it is another library."""
    try:
        library = ctypes.CDLL(np._core._multiarray_umath.__file__)
        return library.scipy_openblas_get_num_threads64_, library.scipy_openblas_set_num_threads64_
    except (AttributeError, OSError):
        return None
