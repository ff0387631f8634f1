"""Results that many visitors share: made once for equal inputs, the oldest forgotten when they take too much memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from pages.parts import turns


class Kept:
    """A store of at most `most_bytes`, and always of the newest result. One result is made at a time, so that a class that asks
    for the same thing at the same moment waits for one computation and does not start thirty."""

    def __init__(self, most_bytes: int):
        self.most_bytes = most_bytes
        self._results: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._one_at_a_time = threading.RLock()

    def get(self, key: Hashable, make: Callable[[], object], n_bytes: Callable[[object], int]) -> object:
        """The result kept under `key`, or that of `make()`, whose memory is n_bytes(result). What `make` raises is not kept."""
        if key not in self._results:
            turns.pass_on()
        with self._one_at_a_time:
            if key not in self._results:
                result = make()
                self._results[key] = (result, n_bytes(result))
            self._results.move_to_end(key)
            while len(self._results) > 1 and self.nbytes > self.most_bytes:
                self._results.popitem(last=False)
            return self._results[key][0]

    @property
    def nbytes(self) -> int:
        """Memory of all that is kept."""
        return sum(n for _, n in self._results.values())

    def __len__(self) -> int:
        return len(self._results)
