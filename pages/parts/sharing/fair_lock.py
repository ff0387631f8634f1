"""A lock that is given to whoever has waited longest.

Python's own lock goes to any thread that asks at the right moment: who holds it in a loop gets it again and again while others
wait for seconds. Here each release hands the lock to the next in the queue, and who waits can say so meanwhile or give up.
"""

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
        self._later: deque[threading.Lock] = deque()  # of those who come after all others

    def acquire(self, timeout: float = float("inf"), meanwhile: Callable[[int], None] | None = None, later: bool = False) -> bool:
        """Wait for the lock; False when it has not come within `timeout` seconds.

        meanwhile: called four times a second while waiting, with the number of threads that come first. What it raises ends the
        waiting. later: let all others go first, those who come meanwhile too.
        """
        with self._guard:
            if not self._held:
                self._held = True
                return True
            mine = threading.Lock()
            mine.acquire()
            (self._later if later else self._queue).append(mine)
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
            if self._queue or self._later:
                (self._queue or self._later).popleft().release()
            else:
                self._held = False

    def __enter__(self) -> "FairLock":
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
            waiting = [*self._queue, *self._later]
            return 1 + waiting.index(mine) if mine in waiting else 0

    def _leave(self, mine: threading.Lock) -> bool:
        """Leave the queue; False when the lock has been handed over in the meantime."""
        with self._guard:
            for queue in (self._queue, self._later):
                if mine in queue:
                    queue.remove(mine)
                    return True
            return False
