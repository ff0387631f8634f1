"""Decode: one new token, one new attention row, and the whole loop that turns a prompt into text.

There are two independent ways to the same logits. `decode_step` runs one token behind a cache. `recompute` runs the whole
sequence again with no cache at all. Neither is a slice of the other's result; that they agree is what the lessons prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import KVCache
from engine.counts import Counts
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.sampling import probabilities, sample


@dataclass(frozen=True, eq=False)
class Generation:
    """What `generate` made: the G generated ids, passes[0] = prefill followed by G − 1 passes, and their work added up."""

    token_ids: tuple[int, ...]
    passes: tuple[ForwardPass, ...]
    counts: Counts


def decode_step(model: Model, token_id: int, cache: KVCache) -> ForwardPass:
    """One token behind the cache: its q, k and v are computed, every older key and value is read from `cache`."""
    return model.forward([token_id], cache)


def recompute(model: Model, token_ids: Sequence[int]) -> ForwardPass:
    """The uncached twin: the whole sequence in one pass that knows no cache. Its last row is what decode_step must equal."""
    return model.forward(token_ids)


def generate(
    model: Model,
    prompt_ids: Sequence[int],
    n_new_tokens: int,
    use_cache: bool = True,
    temperature: float = 0.0,
    seed: int = 0,
    **filters: float,
) -> Generation:
    """Generate `n_new_tokens` ids: prefill gives the first, each further one takes one pass (G tokens, G − 1 passes).

    With `use_cache` a pass is one row; without, it is the whole sequence again. temperature 0 is greedy; otherwise `seed` fixes
    the draws, and `filters` are top_k, top_p and min_p of engine.sampling.
    Raises ValueError for n_new_tokens < 1 or when prompt and answer exceed the model's n_ctx.
    """
    n_tokens = len(prompt_ids) + n_new_tokens - 1
    if len(prompt_ids) < 1:
        raise ValueError("prompt_ids: expected at least one token id, got none")
    if n_new_tokens < 1:
        raise ValueError(f"n_new_tokens: expected at least 1, got {n_new_tokens}")
    if n_tokens > model.n_ctx:
        raise ValueError(f"expected at most n_ctx = {model.n_ctx} tokens, got {len(prompt_ids)} + {n_new_tokens} − 1")
    rng = np.random.default_rng(seed)
    cache = KVCache.for_model(model, n_tokens) if use_cache else None
    passes, token_ids = [prefill(model, prompt_ids, cache)], []
    while True:
        token_ids.append(sample(probabilities(passes[-1].logits[-1], temperature, **filters), rng))
        if len(token_ids) == n_new_tokens:
            return Generation(tuple(token_ids), tuple(passes), sum((p.counts for p in passes), Counts()))
        passes.append(decode_step(model, token_ids[-1], cache) if use_cache else recompute(model, (*prompt_ids, *token_ids)))
