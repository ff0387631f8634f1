"""What softmax leaks: next to nothing of each token that does not match, at scores of ±8. By hand it is nothing, and what is written
is what comes out by hand: it turns no half down and parts no two numbers.
"""

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

import numpy as np

from engine.compare import ROUNDING
from engine.toy.by_hand import MOST_RESIDUE
from engine.toy.rules import LITTLE
from engine.toy.scenario import Scenario
from pages.parts.text.format import number, round_step

LEAST_WEIGHT = 1 / 40  # of less than that a match is never given
MOST_TO_A_HALF = 5e-5  # a number that is further from a half is rounded as it is
RESIDUE = 0.005  # of the last digit written: so little is what softmax leaves to tokens that do not match


def half_by_hand(x: float, digits: int, leak: float) -> float:
    """The half that a number is by hand, where it is that but for what softmax leaks and would be rounded the other way for it.

    >>> half_by_hand(8.57499999, 2, 1e-6), half_by_hand(8.5751, 2, 1e-6), half_by_hand(-0.1249999, 2, 1e-6)
    (8.575, 8.5751, -0.125)
    """
    half = round(x, digits + 1) if isfinite(x) else x
    return half if 0 < abs(x - half) <= leak and number(x, digits) != number(half, digits) else x


def as_by_hand(x: float, leak: float) -> float:
    """The number of at most four digits that a number is by hand, but for what softmax leaks; the number itself where it is none.

    >>> as_by_hand(3.2999995, 1e-6), as_by_hand(1 / 3, 1e-6) == 1 / 3, as_by_hand(0.8125001, 1e-6)
    (3.3, True, 0.8125)
    """
    return next((r for r in (round(x, digits) for digits in range(5)) if abs(x - r) <= leak), x) if isfinite(x) else x


def by_hand(x: float, digits: int, others: Sequence[float] | np.ndarray | float = 0.0) -> str:
    """A number of the toy with so many digits, where what softmax leaks turns no half down. others: those beside it, or the largest.

    >>> by_hand(10.58749997, 3), by_hand(-370.8749999, 2), by_hand(23.7749998, 2), by_hand(10.58744, 3), by_hand(float("nan"), 2)
    ('10.588', '−370.88', '23.78', '10.587', 'NaN')
    """
    leak = min(MOST_TO_A_HALF, residue((x, np.abs(others).max(initial=0.0))))
    return number(half_by_hand(x, digits, leak), digits)


def residue(of: Sequence[float] | np.ndarray) -> float:
    """How much softmax leaks, at most, of such numbers."""
    return max(ROUNDING, min(MOST_RESIDUE, LITTLE * float(np.nan_to_num(np.abs(of)).max(initial=0.0))))


def least_change(s: Scenario) -> float:
    """By more than what a number of a row is another one: a weight, or a context of any of these values, moves by a leak alone by less."""
    return residue((1.0, *s.values, *s.word_values))


def hardly_changed(changed: np.ndarray, moves: np.ndarray, bounds: Sequence[float]) -> tuple[np.ndarray, float]:
    """Which of the changed rows move by less than the first of `bounds` that any of them does, (n,); and a round number that these
    move by less than and all others by more, 0 where there is none. changed: (n,); moves: (n,), by how much.

    >>> hardly_changed(np.array([True, True, False]), np.array([1.9, 0.3, 0.0]), [0.33])[1]
    0.5
    >>> hardly_changed(np.array([True, True, True]), np.array([1.9, 0.3, 0.457]), [0.33])[1]
    0.33
    """
    for bound in bounds:
        hardly = changed & (moves < bound)
        more = float(min(moves[changed & ~hardly], default=np.inf))
        least = next((x for x in _rounded_up(bound) if x < more), 0.0)
        if hardly.any() and least:
            return hardly, least
    return np.zeros(len(moves), bool), 0.0


def residue_bounds(s: Scenario, n: int, most: float) -> list[float]:
    """What a number of a row moves by less than, where n tokens that do not match come in or are others and a weight of 1 would move
    it by `most`: of softmax1's empty rows, and of all rows. Left out where so little is no longer told from a match."""
    weights = [np.exp(-s.sharpness)] * (s.empty_row == "softmax1") + [np.exp(-2 * s.sharpness)]
    return [float(weight * n * most) for weight in weights if 0 < weight * n < LEAST_WEIGHT and most]


def _rounded_up(x: float) -> list[float]:
    """The next of 1, 2, 5 and their tens, then the next numbers of two and of three digits.

    >>> _rounded_up(0.0332), _rounded_up(0.24), _rounded_up(7.0)
    ([0.05, 0.034, 0.0332], [0.5, 0.24, 0.24], [10.0, 7.0, 7.0])
    """
    ten = 10.0 ** floor(log10(x))
    return [float(f"{y:.3g}") for y in (round_step(x), *(ceil(x / unit - 1e-9) * unit for unit in (ten / 10, ten / 100)))]
