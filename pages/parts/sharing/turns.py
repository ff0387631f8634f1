"""One run of the page at a time, for a class that moves its sliders together.

Python runs one thread at a time anyhow. Runs that start together only slow one another: each takes as long as all of them, and
the thread that sends the answers waits between them. In turn, the first is answered while the second is computed. With fifty
visitors and a move every two seconds this takes a quarter off the slowest moves (tests/benchmarks/load.py).
"""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pages.parts.sharing.fair_lock import FairLock

SLICE_S = 0.001  # of long work at a time
REST_S = 0.0001  # between two slices of it
WAIT_S = 0.02  # that long work waits for whoever has the turn, at most
PATIENCE_S = 1.0  # who has waited that long runs beside the others: a slow run slows them but never stops them

_turn = FairLock()
_thread = threading.local()


@contextmanager
def in_turn(later: bool = False) -> Iterator[None]:
    """What is inside runs when no other visitor's does, or after PATIENCE_S. Inside another turn it is part of that.

    later: it follows a move, and lets everybody's moves go first.
    """
    if has_turn():
        yield
        return
    _thread.has_turn = _turn.acquire(PATIENCE_S, later=later)
    try:
        yield
    finally:
        end_turn()


@contextmanager
def out_of_turn() -> Iterator[None]:
    """What is inside takes long or waits: meanwhile the others go on, and what follows is in turn again."""
    had = has_turn()
    end_turn()
    yield
    if had:
        _thread.has_turn = _turn.acquire(PATIENCE_S)


def give_way() -> None:
    """Between small parts of long work out of turn: after each SLICE_S of it whoever has the turn, or waits for it, goes first.

    The rest lets the thread that sends the answers have the interpreter; the wait ends after WAIT_S, or a class that never rests
    would stop the work.
    """
    if has_turn() or time.perf_counter() - getattr(_thread, "since", 0.0) < SLICE_S:
        return
    if _turn.acquire(WAIT_S, later=True):
        _turn.release()
    time.sleep(REST_S)
    _thread.since = time.perf_counter()


@contextmanager
def nobody_waits() -> Iterator[None]:
    """What is inside gives way to nobody: before the server lets anybody in there is none, and a thousand rests only take time."""
    _thread.since = math.inf
    try:
        yield
    finally:
        _thread.since = 0.0


def has_turn() -> bool:
    """Whether this thread has the turn."""
    return getattr(_thread, "has_turn", False)


def end_turn() -> None:
    """Let the others go on: what follows takes long. Called outside a turn it does nothing."""
    if has_turn():
        _thread.has_turn = False
        _turn.release()
