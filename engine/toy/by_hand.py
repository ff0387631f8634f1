"""Attention as one does it by hand: which tokens a head's rule lets it see, and the average of their values.

Softmax with scores far apart comes to the same: every match gets the same share, everything else almost nothing. What it leaks to
that chooses no word: of words that are level by hand it would take the one that leaks favour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.attention import Attention
from engine.compare import largest_values
from engine.model import ForwardPass
from engine.sampling import draws_level
from engine.toy.empty_row import without_empty_rows
from engine.toy.rules import LITTLE

ROUNDED = 1e-12  # of the largest value: a context that is less is what rounding leaves of values that cancel out
MOST_RESIDUE = 1e-3  # LITTLE of the largest values that somebody types beside small ones


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


def weights_by_hand(weights: np.ndarray) -> np.ndarray:
    """Weights of the toy without what softmax leaves to tokens that do not match, next to nothing beside what a match has: it is shared
    out among those that do. Rows along the last axis keep their sums.

    >>> weights_by_hand(np.array([[0.4999999, 0.4999999, 2e-7], [0.25, 0.25, 0.5]])).tolist()
    [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]
    """
    matches = weights > LITTLE * weights.max(axis=-1, keepdims=True)
    leaks = ((weights > 0) & ~matches).any(axis=-1, keepdims=True)
    if not leaks.any():
        return weights
    matched = np.where(matches, weights, 0.0)
    total, kept = (x.sum(axis=-1, keepdims=True) for x in (weights, matched))
    return np.where(leaks, matched * np.divide(total, kept, out=np.ones_like(total), where=leaks), weights)


def pass_by_hand(run: ForwardPass, w_vocab: Sequence[Sequence[float]] | np.ndarray) -> ForwardPass:
    """A pass of the toy whose contexts are those by hand, without what softmax leaves to tokens that do not match, and its logits made
    of these; the likeliest words of a row, where they draw level, have the same logit. w_vocab: (n_head, n_vocab).

    Not to be held against a pass with its leaks."""
    context, logits = _contexts_and_logits(run, w_vocab)
    return replace(run, layers=(replace(run.layers[0], context=context[:, :, None]),), logits=logits)


def logits_by_hand(run: ForwardPass, w_vocab: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
    """Those of `pass_by_hand`: (n_new, n_vocab)."""
    return _contexts_and_logits(run, w_vocab)[1]


def _contexts_and_logits(run: ForwardPass, w_vocab: Sequence[Sequence[float]] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Contexts (n_head, n_new) and logits (n_new, n_vocab). Thousands of passes are asked for it, and most of them leak nothing."""
    layer, logits = run.layers[0], run.logits
    context = without = layer.context[:, :, 0]
    weights = weights_by_hand(layer.weights)  # (n_head, n_new, n)
    if weights is not layer.weights:
        values = np.repeat(layer.v[:, :, 0], len(layer.q) // len(layer.v), axis=0)  # of each query head
        without = np.where((weights != layer.weights).any(axis=-1), np.einsum("hij,hj->hi", weights, values), context)
    if ((without != 0) & (np.abs(without) < ROUNDED * np.abs(layer.v).max())).any():
        without = np.where(np.abs(without) < ROUNDED * largest_values(layer), 0.0, without)
    if without is not context:
        rows = (without != context).any(axis=0) & np.isfinite(context).all(axis=0)
        logits = np.where(rows[:, None], np.nan_to_num(without).T @ np.asarray(w_vocab), logits)
    return without, np.where(draws_level(logits), logits.max(axis=-1, keepdims=True), logits)


def nothing_below(values: np.ndarray) -> np.ndarray:
    """Below what a context is 0 by hand, of each of the largest of the values that it is made of; the same shape."""
    return np.clip(LITTLE * np.abs(values), 1e-12, MOST_RESIDUE)
