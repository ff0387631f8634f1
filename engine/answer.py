"""An answer whose words are drawn, chosen by hand, or both: what a stepper goes through, one decode step at a time.

And the same tokens run twice, behind a cache and from scratch, so that the two can be compared at every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import KVCache
from engine.counts import Counts
from engine.decode import Generation, decode_step, recompute
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.sampling import probabilities, sample


def answer(
    model: Model,
    prompt_ids: Sequence[int],
    n_words: int,
    by_hand: Sequence[int] = (),
    temperature: float = 0.0,
    seed: int = 0,
) -> Generation:
    """`n_words` words of an answer, the first ones as chosen `by_hand`, the others drawn; temperature 0 is greedy.

    Like `generate` with a cache, except that it ends early where a logit is not a number, because then nothing can be drawn:
    the passes are always all that were run, and the last of them may have no word of its own.
    Raises ValueError for n_words < 1 or more tokens than the model can hold.
    """
    if n_words < 1:
        raise ValueError(f"n_words: expected at least 1, got {n_words}")
    if len(prompt_ids) + n_words - 1 > model.n_ctx:
        raise ValueError(f"expected at most n_ctx = {model.n_ctx} tokens, got {len(prompt_ids)} + {n_words} − 1")
    rng = np.random.default_rng(seed)
    cache = KVCache.for_model(model, len(prompt_ids) + n_words - 1)
    passes, ids = [prefill(model, prompt_ids, cache)], []
    while len(ids) < n_words:
        logits = passes[-1].logits[-1]
        if len(ids) < len(by_hand):
            ids.append(int(by_hand[len(ids)]))
        elif np.isfinite(logits).all():
            ids.append(sample(probabilities(logits, temperature), rng))
        else:
            break
        if len(ids) < n_words:
            passes.append(decode_step(model, ids[-1], cache))
    return Generation(tuple(ids), tuple(passes), sum((p.counts for p in passes), Counts()))


def twins(model: Model, prompt_ids: Sequence[int], answer_ids: Sequence[int]) -> list[tuple[ForwardPass, ForwardPass]]:
    """The prompt and then each id of `answer_ids`, run twice: (behind a cache, the whole sequence again) for every step."""
    cache = KVCache.for_model(model, len(prompt_ids) + len(answer_ids))
    pairs = [(prefill(model, prompt_ids, cache), recompute(model, prompt_ids))]
    for n, token_id in enumerate(answer_ids, 1):
        pairs.append((decode_step(model, token_id, cache), recompute(model, (*prompt_ids, *answer_ids[:n]))))
    return pairs


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of one layer as they were when they were computed, whichever pass that was.

    weights: (n_head, n, n), NaN for a key that did not exist yet or that the mask hides; hidden: (n_head, n, n), True for the
    latter only. context, empty: (n_head, n), for values of width 1. logits: (n_vocab,) of the last row. n_new: how many rows
    the last pass computed.
    """

    weights: np.ndarray
    hidden: np.ndarray
    context: np.ndarray
    empty: np.ndarray
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
    return Rows(weights, hidden, context, empty, passes[-1].logits[-1], passes[-1].n_new)
