"""How far one token's value is from making another word win.

Every logit of the last row is a straight line in that value (its slope is in engine.toy.projection), because no weight moves with
it. The winner is the highest line; it changes where two lines cross. So the distances are exact, not searched for.
"""

from dataclasses import dataclass

import numpy as np

from engine.sampling import greedy


@dataclass(frozen=True)
class Flip:
    """Beyond `value`, going away from where the token is now, `word` (an index) wins."""

    value: float
    word: int


@dataclass(frozen=True)
class Winners:
    """Who wins along one token's value: `now` at its present one, then one Flip after another outwards.

    Below a flip in `down` and above one in `up` the flip's word wins, until the next. Empty: no value ever changes the winner.
    """

    now: int
    down: tuple[Flip, ...]
    up: tuple[Flip, ...]

    @property
    def bands(self) -> tuple[tuple[float, float, int], ...]:
        """The whole line cut into stretches with one winner: (from, to, word), the outer ends infinite."""
        cuts = [-np.inf, *(f.value for f in reversed(self.down)), *(f.value for f in self.up), np.inf]
        words = [*(f.word for f in reversed(self.down)), self.now, *(f.word for f in self.up)]
        return tuple((a, b, w) for a, b, w in zip(cuts[:-1], cuts[1:], words, strict=True))


def winners(logits: np.ndarray, slope: np.ndarray, value: float, most: float = np.inf) -> Winners:
    """Who wins as one value moves. logits, slope: (n_vocab,), at the present `value` and for each unit of it. most: how large in size
    a value may be.

    >>> w = winners(np.array([15.3, 14.2, 8.15]), np.array([0.15, 0.275, 0.525]), value=10)
    >>> [(round(f.value, 4), f.word) for f in w.up], w.down
    ([(18.8, 1), (34.2, 2)], ())
    """
    up = _outwards(logits, slope, value)
    down = tuple(Flip(2 * value - f.value, f.word) for f in _outwards(logits, -slope, value))
    return Winners(greedy(logits), tuple(f for f in down if f.value > -most), tuple(f for f in up if f.value < most))


def entry_needed(logits: np.ndarray, context: float, entry: float, word: int) -> float | None:
    """The entry of W at which `word` draws level with the best other word, all else as it is.

    Only one head's entry changes, by δ, and only the logit of `word` moves, by context · δ. None when the context is 0 or not
    a number (no entry of that head changes anything) or there is no other word.
    """
    others = np.delete(logits, word)
    if not others.size or not np.isfinite(context) or context == 0:
        return None
    return float(entry + (others.max() - logits[word]) / context)


def _outwards(logits: np.ndarray, slope: np.ndarray, value: float) -> tuple[Flip, ...]:
    """The crossings above `value`: from the winner, the line that is steeper and meets it first, and so on to the steepest."""
    flips, at, now = [], 0.0, greedy(logits)  # `at` counts from the present value
    same = 1e-12 * (1 + np.abs(slope).max())  # lines as steep as each other to rounding never cross
    near = 1e-9 * (1 + np.abs(logits).max())  # and those that are level to rounding cross here (sampling.likeliest)
    while (steeper := np.flatnonzero(slope > slope[now] + same)).size:
        ahead = logits[now] - logits[steeper]
        meets = np.where(ahead <= near, 0, ahead) / (slope[steeper] - slope[now])
        first = max(at, float(meets.min()))
        # Of several that meet at one point, to rounding, the steepest wins beyond it; rounding must not lead backwards.
        there = logits + slope * first
        level = steeper[there[steeper] >= there[now] - 1e-9 * (1 + np.abs(there).max())]
        at, now = first, int(level[np.argmax(slope[level])])
        flips.append(Flip(value + at, now))
    return tuple(flips)
