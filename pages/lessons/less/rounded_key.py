"""Of one token the key that is drawn on its levels: a token, and channels of it, that show what becomes of all keys."""

import numpy as np

from engine.caches.quantised import quantise
from engine.experiments.kept_less import GROUPINGS, KeptLess
from pages.lessons.less.figures.bit_errors import Grouped, Key

PER_CHANNEL, PER_TOKEN = "one low and high for each channel", "one low and high for each token"
CHANNELS = 8  # of a key that are drawn, at most
# How far the shares of two errors in their sum may be apart in the token that is drawn and in all, where that can be.
ALIKE = 0.01


def one_token(measured: KeptLess, bits: int) -> tuple[Key, list[Grouped]]:
    """Some channels of one token's key, and what becomes of them with either grouping: of a token in which the errors of these compare
    as those of all keys do, the one that has most to be seen of them."""
    group, errors = measured.group, np.array([measured.errors["keys", grouping, bits] for grouping in GROUPINGS])
    rows = np.array([quantise(group[None], bits, grouping).rows()[0] for grouping in GROUPINGS])

    def fits(token: int) -> tuple[float, float]:
        some = _drawn(group, token)
        moved = np.linalg.norm(rows[:, token, some] - group[token, some], axis=1)
        off = abs(moved[1] / max(moved.sum(), 1e-30) - errors[1] / max(errors.sum(), 1e-30))
        return max(float(off), ALIKE), -float(moved.sum())

    token = min(range(len(group)), key=fits)
    some, panels = _drawn(group, token), []
    for axis, (name, by) in enumerate(((PER_CHANNEL, "channel"), (PER_TOKEN, "token"))):
        low, high = (np.broadcast_to(edge(group, axis, keepdims=True), group.shape)[token, some] for edge in (np.min, np.max))
        panels.append(Grouped(name, by, low, high, rows[axis, token, some], float(errors[axis])))
    return Key(some, group[token, some], group.shape[1]), panels


def _drawn(group: np.ndarray, token: int) -> np.ndarray:
    """The channels that are drawn: the largest of all tokens, the lowest and the highest of this one, and between them evenly."""
    always = [*dict.fromkeys(int(k) for k in (np.abs(group).mean(axis=0).argmax(), group[token].argmin(), group[token].argmax()))]
    others = np.delete(np.arange(group.shape[1]), always)
    more = np.linspace(0, len(others) - 1, min(CHANNELS - len(always), len(others))).round().astype(int)
    return np.sort([*always, *others[more]]).astype(int)
