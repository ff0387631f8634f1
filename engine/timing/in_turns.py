"""Two calls timed in turns, several times: the median of each, and whether the difference stands out of the noise.

A machine that other people use is slow for a moment now and then. In turns such a moment meets both calls alike, a median
forgets it, and the spread of the differences says whether there were too many of them to believe the result.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

Turn = tuple[float, float]  # seconds of the first call and of the second
FEWEST = 3  # turns from which there is a spread


@dataclass(frozen=True)
class Compared:
    """Median seconds of both calls. clear: whether the second took longer by more than the turns differ among themselves."""

    first_s: float
    second_s: float
    clear: bool

    @property
    def times(self) -> float:
        """How many times as long the second took."""
        return self.second_s / self.first_s


def compared(turns: Sequence[Turn]) -> Compared:
    """What turns of (first, second) say together. The first is the one that does less work, so "faster" is always noise.

    The effect is the median difference, the spread its distance from the lower quartile: clear as long as three turns of four
    agree that the second took longer. A single slow moment is no argument; fewer than three turns have no spread.

    >>> compared([(1, 3), (1, 3), (9, 3), (1, 4), (1, 3)])
    Compared(first_s=1.0, second_s=3.0, clear=True)
    >>> compared([(1, 3), (9, 3), (9, 3), (1, 4)]).clear
    False
    """
    differences = [second - first for first, second in turns]
    firsts, seconds = zip(*turns, strict=True)
    first_s, second_s = float(median(firsts)), float(median(seconds))
    clear = len(turns) >= FEWEST and quantiles(differences, n=4, method="inclusive")[0] > 0 and first_s < second_s
    return Compared(first_s, second_s, clear)


def in_turns(
    first: Callable[[], object],
    second: Callable[[], object],
    budget_s: float,
    repeats: int,
    least: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    between: Callable[[], None] = lambda: None,
) -> list[Turn]:
    """Seconds of both calls in each of at most `repeats` turns; after `least` turns none begins once `budget_s` is over.

    between: called before each turn and not timed: whoever shares the machine may let others go on.
    """
    end, taken = clock() + budget_s, []
    while len(taken) < least or (len(taken) < repeats and clock() < end):
        between()
        start = clock()
        first()
        middle = clock()
        second()
        taken.append((middle - start, clock() - middle))
    return taken
