"""One cell of attention written out: every number on the way from a query and a key to a share of the context."""

from dataclasses import dataclass

import numpy as np

from engine.attention import Attention


@dataclass(frozen=True, eq=False)
class Derivation:
    """How head `head` at query row `query` came to look at key `key` (all counted from 0 within the pass).

    q, k: (d_head,); product = q · k; score = product / √d_head; visible: whether the mask lets the query look.
    scores, mask, weights, values: (n,), the whole row; context = weights · values; share = weights[key] · values[key].
    """

    q: np.ndarray
    k: np.ndarray
    product: float
    score: float
    visible: bool
    scores: np.ndarray
    mask: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    share: float
    context: float


def derive(layer: Attention, head: int, query: int, key: int) -> Derivation:
    """Write out one cell of a layer whose values are one number each (d_v = 1). IndexError for a cell that is not there."""
    kv_head = layer.kv_head(head)
    q, k = layer.q[head, query], layer.k[kv_head, key]
    weights, values = layer.weights[head, query], layer.v[kv_head, :, 0]
    return Derivation(
        q=q,
        k=k,
        product=float(q @ k),
        score=float(layer.scores[head, query, key]),
        visible=bool(layer.mask[head, query, key]),
        scores=layer.scores[head, query],
        mask=layer.mask[head, query],
        weights=weights,
        values=values,
        share=float(weights[key] * values[key]),
        context=float(layer.context[head, query, 0]),
    )
