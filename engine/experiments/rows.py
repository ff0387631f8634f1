"""What several passes over one prompt gave, joined as if it had been one: rows first, to be drawn or compared row by row.

A row, one token's place in the sequence, is what a causal mask protects; so a comparison of two runs asks which rows moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.compare import gaps, largest_values
from engine.model import ForwardPass


def contexts(passes: Sequence[ForwardPass]) -> np.ndarray:
    """The last layer's contexts of all rows of the passes, one after another: (n, n_head · d_v)."""
    rows = [p.layers[-1].context.swapaxes(0, 1).reshape(p.n_new, -1) for p in passes]  # (n_new, n_head · d_v) each
    return np.concatenate(rows)


def logits(passes: Sequence[ForwardPass]) -> np.ndarray:
    """The logits of all rows of the passes, one after another: (n, n_vocab)."""
    return np.concatenate([p.logits for p in passes])


def pass_gaps(passes: Sequence[ForwardPass], whole: ForwardPass) -> np.ndarray:
    """How far each weight and context of rows that several passes made is from that of one pass over all of them, all in a row.

    A token that had not come yet has no weight, as a weight of 0; one that the mask hides has the weight that leaks to it.
    """
    one = whole.layers[0].weights
    parts = np.zeros_like(one)
    for p in passes:
        parts[:, p.n_past : p.n_past + p.n_new, : p.n_past + p.n_new] = p.layers[0].weights
    contexts = gaps(rows_so_far(passes).context, rows_so_far([whole]).context)
    return np.concatenate([gaps(np.nan_to_num(parts), np.nan_to_num(one)).ravel(), contexts.ravel()])


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of one layer as they were when they were computed, whichever pass that was.

    weights: (n_head, n, n), NaN for a key that did not exist yet or that the mask hides; hidden: (n_head, n, n), True for the
    latter only. context, empty: (n_head, n), for values of width 1; largest: (n_head, n), of the values that each context is made
    of, without their signs. logits: (n_vocab,) of the last row. n_new: how many rows the last pass computed.
    """

    weights: np.ndarray
    hidden: np.ndarray
    context: np.ndarray
    empty: np.ndarray
    largest: np.ndarray
    logits: np.ndarray
    n_new: int


def rows_so_far(passes: Sequence[ForwardPass], layer: int = 0) -> Rows:
    """Put the rows of consecutive passes beneath each other; none is computed again."""
    parts = [p.layers[layer] for p in passes]
    n_head, n = len(parts[0].weights), passes[-1].n_past + passes[-1].n_new
    weights, hidden = np.full((n_head, n, n), np.nan), np.zeros((n_head, n, n), bool)
    for p, part in zip(passes, parts, strict=True):
        rows, known = slice(p.n_past, p.n_past + p.n_new), part.weights.shape[2]
        weights[:, rows, :known] = np.where(part.mask, part.weights, np.nan)
        hidden[:, rows, :known] = ~part.mask
    context = np.concatenate([part.context[:, :, 0] for part in parts], axis=1)
    empty = np.concatenate([part.empty for part in parts], axis=1)
    largest = np.concatenate([largest_values(part) for part in parts], axis=1)
    return Rows(weights, hidden, context, empty, largest, passes[-1].logits[-1], passes[-1].n_new)
