"""How many of a class said what: an option each, or numbers gathered into ranges. The computed answer has no part in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.text.format import number, round_step, with_unit

DIGITS = 4  # after the point
MOST_BARS = 8  # different numbers that stand each for itself; more are gathered into ranges
ENDS = (5, 95)  # percent of the answers between which the ranges are equally wide: one wild number does not flatten the rest
LEAST_WIDTH = 1e-4  # of a range: four digits after the point are what is written of a number
LEAST_PART = 1e-9  # of the larger end, the least width too: multiples of a smaller one are not different numbers any more


@dataclass(frozen=True)
class Bar:
    """label: an option, a number or a range; n: how many; low, high: what numbers are in it, both included in a single one."""

    label: str
    n: int
    low: float = 0.0
    high: float = 0.0


def of_options(options: Sequence[str], answers: Sequence[object]) -> list[Bar]:
    """A bar for each option, in their order.

    >>> [(bar.label, bar.n) for bar in of_options(("yes", "no"), ["no", "no"])]
    [('yes', 0), ('no', 2)]
    """
    n = Counter(answers)
    return [Bar(option, n[option]) for option in options]


def of_numbers(answers: Sequence[float], unit: str = "") -> list[Bar]:
    """A bar for each number, or for each of at most MOST_BARS ranges; the first and the last have no other end.

    >>> [(bar.label, bar.n) for bar in of_numbers([4, 2, 4])]
    [('2', 1), ('4', 2)]
    """
    n = Counter(_rounded(value) for value in answers)
    if len(n) <= MOST_BARS:
        return [Bar(with_unit(number(value, DIGITS), unit), n[value], value, value) for value in sorted(n)]
    values = np.array(sorted(n.elements()))
    low, high = np.percentile(values, ENDS)
    if low == high:
        low, high = values[0], values[-1]
    width = round_step(max((high - low) / (MOST_BARS - 3), LEAST_WIDTH, LEAST_PART * max(abs(low), abs(high))))
    first, last = np.ceil(low / width), np.floor(high / width)
    edges = width * np.arange(min(first, last), last + 1)  # at least one, also where all lie between two of them
    bounds = [-np.inf, *map(float, edges), np.inf]
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(bounds) - 1)
    return [Bar(with_unit(_range(a, b), unit), int(k), a, b) for a, b, k in zip(bounds, bounds[1:], counts, strict=False)]


def holds(bar: Bar, value: float, tolerance: float) -> bool:
    """Whether a number belongs to a bar: a single number within the tolerance, a range from its low end to below its high one."""
    value = _rounded(value)
    return abs(value - bar.low) <= tolerance if bar.low == bar.high else bar.low <= value < bar.high


def _rounded(value: float) -> float:
    """As it is written: what is written the same counts as the same."""
    return round(float(value), DIGITS)


def _range(low: float, high: float) -> str:
    if low == -np.inf:
        return f"less than {number(high, DIGITS)}"
    return f"at least {number(low, DIGITS)}" if high == np.inf else f"{number(low, DIGITS)} to less than {number(high, DIGITS)}"
