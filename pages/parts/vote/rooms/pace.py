"""How often one visitor may do the same thing in a minute. What others do never counts against him.

It is kept in memory, by this process alone and for this minute: nothing of it is written, and what is refused costs no change of
the file. A bound that all share would be a stranger's to use up: whoever sends six hundred wrong codes a minute must not keep a phone
that has the right one out of its class.
"""

import threading
from collections import Counter
from collections.abc import Callable

from pages.parts.vote.rooms.rooms_file import Refused

A_MINUTE = {
    "open": 3,  # rooms opened
    "wrong": 10,  # codes tried that are no room's. A code is one of 33 million at least, and all that it opens is a vote
    "answer": 20,  # answers, changes of mind among them
}


class Pace:
    """What was done in this minute. clock: seconds."""

    def __init__(self, clock: Callable[[], float]):
        self.clock = clock
        self._minute, self._n, self._lock = 0, Counter(), threading.Lock()

    def check(self, what: str, who: str) -> None:
        """Refused where that visitor has done it as often as he may."""
        with self._lock:
            if self._this_minute()[what, who] >= A_MINUTE[what]:
                raise Refused("Too many tries. Wait a minute, then try again.")

    def count(self, what: str, who: str) -> None:
        """That visitor has done it. What was refused is not counted."""
        with self._lock:
            self._this_minute()[what, who] += 1

    def _this_minute(self) -> Counter:
        minute = int(self.clock() // 60)
        if minute != self._minute:
            self._minute, self._n = minute, Counter()
        return self._n
