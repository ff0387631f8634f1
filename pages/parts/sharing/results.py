"""Results that many visitors share: made once for equal inputs, the least used forgotten when they take too much memory.

All results that can be had again by computing share one store and one bound, RESULTS, under keys that begin with what they are.
(Small results of single functions have a cache beside them, bounded by its number of entries.)
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future

import numpy as np

from engine.model import ForwardPass
from pages.parts.sharing import turns


class ResultStore:
    """A store of at most `most_bytes`, and always of the newest result.

    A result that is there is returned at once, whatever else is being made. A class that asks for the same thing at the same
    moment waits for one computation and does not start thirty; whoever makes or waits lets the other visitors go on.
    """

    def __init__(self, most_bytes: int):
        self.most_bytes = most_bytes
        self.nbytes = 0  # memory of all that is kept
        self._results: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._making: dict[Hashable, Future] = {}
        self._guard = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], object], n_bytes: Callable[[object], int]) -> object:
        """The result kept under `key`, or that of `make()`, whose memory is n_bytes(result).

        An error that `make` raises is not kept; whoever waits for the same result gets it too. A run that is stopped while it
        makes the result (Streamlit stops runs by what is no Exception) leaves the making to one of those who wait.
        """
        while True:
            with self._guard:
                if key in self._results:
                    self._results.move_to_end(key)
                    return self._results[key][0]
                making = self._making.get(key)
                first = making is None
                if first:
                    making = self._making[key] = Future()
            with turns.out_of_turn():
                if first:
                    return self._make(key, make, n_bytes, making)
                if making.exception() is None or isinstance(making.exception(), Exception):
                    return making.result()

    def forget(self, result: object) -> None:
        """This very result is not kept any longer."""
        with self._guard:
            for key in [key for key, (kept, _) in self._results.items() if kept is result]:
                self.nbytes -= self._results.pop(key)[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._results.clear()
            self.nbytes = 0

    def _make(self, key: Hashable, make: Callable[[], object], n_bytes: Callable[[object], int], making: Future) -> object:
        try:
            result = make()
            self._keep(key, result, n_bytes(result))
        except BaseException as error:
            with self._guard:
                del self._making[key]
            making.set_exception(error)
            raise
        making.set_result(result)
        return result

    def _keep(self, key: Hashable, result: object, n_bytes: int) -> None:
        with self._guard:
            del self._making[key]
            self._results[key] = (result, n_bytes)
            self.nbytes += n_bytes
            while len(self._results) > 1 and self.nbytes > self.most_bytes:
                self.nbytes -= self._results.popitem(last=False)[1][1]

    def __len__(self) -> int:
        return len(self._results)


def pass_bytes(*passes: ForwardPass) -> int:
    """Memory of passes that are kept: their arrays, and as much as Python takes for the names of these."""
    parts = (part for one in passes for of in (one, *one.layers) for part in vars(of).values() if isinstance(part, np.ndarray))
    return sum(part.nbytes + 200 for part in parts)


RESULTS = ResultStore(40_000_000)
