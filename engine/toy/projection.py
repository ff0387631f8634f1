"""From contexts to logits: the linear map W, taken apart by head, by token, and by what an average over the heads would lose.

logits = Σ_h context_h · W_h. The sum can be read by head (who spoke for which word), or, because each context is itself a sum of
values, by token. A model that really averaged its heads would keep one number of the n_head.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.attention import Attention
from engine.toy.scenario import MAX_VALUE, Scenario

SIZES = (2, 4, 8, 16, 32, 64, -2, -4, -8, -16, -32, -64)  # of a change that leaves the mean alone
SAME_MEAN = 1e-4  # two means this close count as one: values are rounded so that they can be read


def contributions(context: np.ndarray, w_vocab: np.ndarray) -> np.ndarray:
    """What each head adds to each logit: (n_head,) contexts and (n_head, n_vocab) -> (n_head, n_vocab); columns sum to logits.

    >>> contributions(np.array([12.5, 5.0]), np.array([[0.8, 0.6], [0.5, 0.4]])).tolist()
    [[10.0, 7.5], [2.5, 2.0]]
    """
    return context[:, None] * w_vocab


def without_heads(context: np.ndarray, w_vocab: np.ndarray, off: Sequence[int]) -> np.ndarray:
    """The logits when the heads in `off` say nothing: their contexts are put to 0. (n_vocab,)"""
    kept = context.copy()
    kept[list(off)] = 0
    return kept @ w_vocab


def slopes(layer: Attention, w_vocab: np.ndarray) -> np.ndarray:
    """How much each logit of the last row grows for each unit of a token's value: (n, n_vocab).

    Exact and constant, because weights come from queries and keys and never from values.
    """
    return layer.weights[:, -1].T @ w_vocab  # (n, n_head) @ (n_head, n_vocab)


def averaged(context: np.ndarray) -> np.ndarray:
    """Every head's context replaced by the mean of all: (n_head,) -> (n_head,)."""
    return np.full_like(context, context.mean())


def same_mean(s: Scenario, layer: Attention) -> Scenario | None:
    """Another prompt whose heads have the same mean context in the last row and other contexts; None where there is none.

    One token's value goes up and another's down, in the ratio that leaves the mean alone. Of all pairs and a few sizes the
    smallest change is taken that makes another word win, else the first that changes any context; one that makes all contexts the
    same, an average itself, where there is no other. Means agree to SAME_MEAN.
    """
    seen, context, w = layer.weights[:, -1], layer.context[:, -1, 0], np.array(s.w_vocab)  # (n_head, n), (n_head,), …
    if not np.isfinite(seen).all():
        return None
    total = seen.sum(axis=0)  # how much of each token's value all heads take in together
    n, now = len(total), np.array(s.values)
    pairs = [(a, b) for a in range(n) for b in range(n - 1, a, -1)]
    moves = np.zeros((len(pairs), n))
    for move, (a, b) in zip(moves, pairs, strict=True):
        move[a], move[b] = total[b], -total[a]
    values = (now + np.multiply.outer(SIZES, moves).round(4)).round(6).reshape(-1, n)  # the smallest size first
    shift = (values - now) @ seen.T  # of every context, (n_tried, n_head)
    fits = (np.abs(shift).max(axis=1) >= 1e-3) & (np.abs(shift.mean(axis=1)) <= SAME_MEAN)
    fits &= np.abs(values).max(axis=1) <= MAX_VALUE
    flips = fits & (((context + shift) @ w).argmax(axis=1) != (context @ w).argmax())
    heads_differ = np.ptp(context + shift, axis=1) >= 1e-3
    chosen = next((found for found in (flips & heads_differ, fits & heads_differ, flips) if found.any()), fits)
    return replace(s, values=tuple(values[chosen.argmax()].tolist())) if chosen.any() else None
