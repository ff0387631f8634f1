"""A lock that is given to whoever has waited longest.

Python's own lock goes to any thread that asks at the right moment: who holds it in a loop gets it again and again while others
wait for seconds. Here each release hands the lock to the next in the queue, and who waits can say so meanwhile or give up.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

LOOK_S = 0.25  # between two calls of `meanwhile`


class FairLock:
    """First come, first served. `with lock:` waits for as long as it takes; `acquire` can do otherwise."""

    def __init__(self):
        self._guard = threading.Lock()
        self._held = False
        self._queue: deque[threading.Lock] = deque()  # one for each thread that waits, held until it is its turn

    def acquire(self, timeout: float = float("inf"), meanwhile: Callable[[int], None] | None = None) -> bool:
        """Wait for the lock; False when it has not come within `timeout` seconds.

        meanwhile: called four times a second while waiting, with the number of threads that come first. What it raises ends the
        waiting.
        """
        with self._guard:
            if not self._held:
                self._held = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._queue.append(mine)
        try:
            if self._wait(mine, time.monotonic() + timeout, meanwhile):
                return True
        except BaseException:
            if not self._leave(mine):
                self.release()
            raise
        return not self._leave(mine)

    def release(self) -> None:
        """Hand the lock to the next in the queue."""
        with self._guard:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._held = False

    def __enter__(self) -> FairLock:
        self.acquire()
        return self

    def __exit__(self, *_) -> None:
        self.release()

    def _wait(self, mine: threading.Lock, end: float, meanwhile: Callable[[int], None] | None) -> bool:
        """Whether the lock was handed over before `end`."""
        while True:
            left = max(0.0, end - time.monotonic())
            look = min(left, LOOK_S if meanwhile else threading.TIMEOUT_MAX)
            if mine.acquire(timeout=look):
                return True
            if look == left:
                return False
            meanwhile(self._before(mine))

    def _before(self, mine: threading.Lock) -> int:
        """Threads that come before `mine`, the holder included."""
        with self._guard:
            return 1 + self._queue.index(mine) if mine in self._queue else 0

    def _leave(self, mine: threading.Lock) -> bool:
        """Leave the queue; False when the lock has been handed over in the meantime."""
        with self._guard:
            if mine in self._queue:
                self._queue.remove(mine)
                return True
            return False
