"""What softmax leaks: next to nothing of each token that does not match, at scores of ±8. By hand it is nothing, and what is written
is what comes out by hand: it turns no half down and parts no two numbers.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, isfinite, log10

import numpy as np

from engine.attention import Attention
from engine.compare import ROUNDING, largest_values
from engine.model import ForwardPass
from engine.sampling import greedy
from engine.toy.rules import LITTLE
from engine.toy.scenario import Scenario
from pages.parts.text.format import number, round_step

LEAST_WEIGHT = 1 / 40  # of less than that a match is never given
MOST_RESIDUE = 1e-3  # LITTLE of the largest values that somebody types beside small ones
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


def nothing_below(values: np.ndarray) -> np.ndarray:
    """Below what a context is 0 by hand, of each of the largest of the values that it is made of; the same shape."""
    return np.clip(LITTLE * np.abs(values), 1e-12, MOST_RESIDUE)


def without_residue(run: ForwardPass, w_vocab: Sequence[Sequence[float]], compared: bool = False) -> ForwardPass:
    """A pass of the toy whose contexts are those by hand, without what softmax leaves to tokens that do not match, and its logits made
    of these: where a context is nothing but leaks, or words are level but for them, they would choose. Of words that are level the one
    that the engine takes is the likeliest here, too, by less than parts two logits, unless passes are to be compared. Not to be held
    against a pass with its leaks. w_vocab: (n_head, n_vocab)."""
    layer = run.layers[0]
    context = layer.context[:, :, 0]  # (n_head, n_new)
    without = _contexts_by_hand(layer)
    rows = (without != context).any(axis=0) & np.isfinite(context).all(axis=0)
    if not rows.any():
        return run
    logits = np.where(rows[:, None], np.nan_to_num(without).T @ np.array(w_vocab), run.logits)  # (n_new, n_vocab)
    apart = ROUNDING * (1 + np.abs(logits).max(axis=1, keepdims=True))
    level = logits >= logits.max(axis=1, keepdims=True) - apart  # (n_new, n_vocab)
    for row in np.flatnonzero(rows & (level.sum(axis=1) > 1)):
        logits[row, level[row]] = logits[row].max()
        if not compared and level[row, taken := greedy(run.logits[row])]:
            logits[row, taken] += min(2 * float(apart[row, 0]), residue(logits[row]) / 2)
    return replace(run, layers=(replace(layer, context=without[:, :, None]),), logits=logits)


def _contexts_by_hand(layer: Attention) -> np.ndarray:
    """The contexts of a layer whose values are one number each, with the weights of tokens that do not match shared out among those
    that do: (n_head, n_new)."""
    context, weights = layer.context[:, :, 0], layer.weights  # (n_head, n_new), (n_head, n_new, n)
    values = np.repeat(layer.v[:, :, 0], len(layer.q) // len(layer.v), axis=0)  # of each query head
    matched = np.where(weights > LITTLE, weights, 0.0)
    leaks = (weights > matched).any(axis=-1) & (matched > 0).any(axis=-1)
    share = np.divide(weights.sum(axis=-1), matched.sum(axis=-1), out=np.ones_like(context), where=leaks)
    without = np.where(leaks, np.einsum("hij,hj->hi", matched, values) * share, context)
    return np.where(np.abs(without) < nothing_below(largest_values(layer)), 0.0, without)


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


def level_but_for_residue(logits: np.ndarray, word: int) -> list[int]:
    """The other words whose logit is that of one, but for what softmax leaks of those of a row.

    >>> level_but_for_residue(np.array([14.4, 15.449998, 15.449991]), 1), level_but_for_residue(np.array([9.0, 9.0, 8.9]), 0)
    ([2], [1])
    """
    least = residue(logits)
    return [w for w in np.flatnonzero(np.abs(logits - logits[word]) <= least).tolist() if w != word]


def likeliest_by_hand(logits: np.ndarray) -> list[int]:
    """As `engine.sampling.likeliest`, the ids with the highest logit, where what softmax leaks parts no two.

    >>> likeliest_by_hand(np.array([5.600002, 5.600001, 5.5])), likeliest_by_hand(np.array([np.nan, 1.0]))
    ([0, 1], [])
    """
    return np.flatnonzero(logits >= logits.max() - max(residue(logits), 1e-9 * (1 + np.abs(logits).max()))).tolist()
