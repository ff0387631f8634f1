"""How far two passes are apart. Two ways to the same result agree to the last digits at best: the order of a sum rounds.

ROUNDING is where "the same" ends on the pages: far above what float64 rounding leaves here, far below any real difference.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from engine.model import ForwardPass

ROUNDING = 1e-9
SOME_WEIGHT = 1e-3  # from which on a value counts as one that a context is made of
PARTS = ("k", "v", "scores", "weights", "context", "logits")


def gaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """|a − b| entry by entry: 0 where both are the same, "not a number" included; ∞ where only one of them is not a number.

    >>> gaps(np.array([1.0, np.nan, np.nan]), np.array([1.5, np.nan, 0.0])).tolist()
    [0.5, 0.0, inf]
    """
    with np.errstate(invalid="ignore"):
        distance = np.abs(a - b)
    distance = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, distance)
    return np.where(np.isnan(distance), np.inf, distance)


def largest_gap(a: np.ndarray, b: np.ndarray) -> float:
    """max |a − b|, 0 for empty arrays."""
    return float(gaps(a, b).max(initial=0.0))


def changes(before: ForwardPass, after: ForwardPass) -> np.ndarray:
    """How far each weight and context moved of the rows that both passes have: (n_rows, all of them).

    `after` begins at position 0, `before` anywhere. A weight that `after` gives to a token that `before` did not have counts as a
    change. A row of weights that were no numbers has none for such a token either.
    """
    first, n, rows = before.n_past, min(before.n_new, after.n_new - before.n_past), []
    for x, y in zip(before.layers, after.layers, strict=True):
        unknown = np.isnan(x.weights[:, :n]).all(axis=2, keepdims=True)
        old = np.repeat(np.where(unknown, np.nan, 0.0), y.weights.shape[2], axis=2)
        old[:, :, : x.weights.shape[2]] = x.weights[:, :n]
        rows += [gaps(old, y.weights[:, first : first + n]), gaps(x.context[:, :n], y.context[:, first : first + n])]
    return np.concatenate([part.swapaxes(0, 1).reshape(n, -1) for part in rows], axis=1)


def row_gaps(before: ForwardPass, after: ForwardPass) -> np.ndarray:
    """For each row that both passes have, counted from the first: the largest change of its weights and contexts. (n_rows,)"""
    return changes(before, after).max(axis=1)


def last_row_gaps(cached: ForwardPass, whole: ForwardPass) -> dict[str, float]:
    """Where a cached pass and a recomputed one part: max |Δ| of all keys and values, then of the last row's parts.

    The order is that of the computation, so the first entry that is not 0 names the place where an error enters.
    """
    largest = dict.fromkeys(PARTS, 0.0)
    for x, y in zip(cached.layers, whole.layers, strict=True):
        pairs = {"k": (x.k, y.k), "v": (x.v, y.v)}
        pairs |= {name: (getattr(x, name)[:, -1], getattr(y, name)[:, -1]) for name in ("scores", "weights", "context")}
        for name, (a, b) in pairs.items():
            largest[name] = max(largest[name], largest_gap(a, b))
    return largest | {"logits": largest_gap(cached.logits[-1], whole.logits[-1])}


def position_gaps(passes: Sequence[ForwardPass], whole: ForwardPass) -> tuple[list[str], np.ndarray]:
    """Position by position, how far a run in several passes behind a cache is from one pass over everything.

    Returns names of rows and their gaps (n_rows, n): for every layer what the cache holds (k, v) and what the rows made of it
    when they were computed (context); last the logits.
    """
    names, rows = [], []
    for layer, y in enumerate(whole.layers):
        x = passes[-1].layers[layer]
        context = np.concatenate([p.layers[layer].context for p in passes], axis=1)
        names += [f"layer {layer + 1} k, v", f"layer {layer + 1} contexts"]
        rows.append(np.maximum(gaps(x.k, y.k).max(axis=(0, 2)), gaps(x.v, y.v).max(axis=(0, 2))))
        rows.append(gaps(context, y.context).max(axis=(0, 2)))
    logits = np.concatenate([p.logits for p in passes])
    return [*names, "logits"], np.stack([*rows, gaps(logits, whole.logits).max(axis=1)])


def largest_values(layer: Attention) -> np.ndarray:
    """The largest of the values that each row's context is made of, without their signs: (n_head, n_new), for values of width 1.

    Of those with some weight, where they are not all 0: a large value that next to nothing is taken of does not make the others nothing.
    """
    values = np.repeat(np.abs(layer.v[:, :, 0]), len(layer.q) // len(layer.v), axis=0)  # of each query head
    weighty, any_weight = (np.where(layer.weights > least, values[:, None], 0).max(axis=2) for least in (SOME_WEIGHT, 0))
    return np.where(weighty > 0, weighty, any_weight)
