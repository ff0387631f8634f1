"""Attention as one does it by hand: which tokens a head's rule lets it see, and the average of their values.

Softmax with scores far apart comes to the same: every match gets the same share, everything else almost nothing.
"""

from dataclasses import dataclass

import numpy as np

from engine.attention import Attention
from engine.compare import largest_values
from engine.toy.empty_row import without_empty_rows


@dataclass(frozen=True, eq=False)
class RowByHand:
    """What one head makes of one row, by hand and as computed.

    seen: positions (from 0) that match the rule and that the mask allows; visible: all that the mask allows. values: (n,).
    average: the mean value of what is seen, NaN where nothing is. weights: (n,) and context: as attention computed them. largest: of
    the values that the context is made of, without its sign.
    """

    seen: tuple[int, ...]
    visible: tuple[int, ...]
    values: np.ndarray
    average: float
    weights: np.ndarray
    context: float
    largest: float


def rows_by_hand(layer: Attention, query: int) -> list[RowByHand]:
    """Every head's look at row `query` (from 0), of a layer whose values are one number each (d_v = 1)."""
    made, largest = [], largest_values(layer)[:, query]
    for head, (scores, mask) in enumerate(zip(layer.scores[:, query], layer.mask[:, query], strict=True)):
        seen, values = np.flatnonzero(mask & (scores > 0)), layer.v[layer.kv_head(head), :, 0]
        average = float(values[seen].mean()) if seen.size else float("nan")
        context = float(layer.context[head, query, 0])
        visible = tuple(np.flatnonzero(mask).tolist())
        weights = layer.weights[head, query]
        made.append(RowByHand(tuple(seen.tolist()), visible, values, average, weights, context, float(largest[head])))
    return made


def empty_rows(layer: Attention) -> np.ndarray:
    """True where a head's rule matches nothing it may see, whatever is made of that: (n_head, n_new)."""
    return ~without_empty_rows(layer.scores, layer.mask).any(axis=-1)
