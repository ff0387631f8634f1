"""Prefill: the whole prompt in one causal pass. It fills the cache, and its last row already chooses the first new token."""

from collections.abc import Sequence

from engine.cache import Cache, KVCache
from engine.model import ForwardPass, Model


def prefill(model: Model, token_ids: Sequence[int], cache: Cache | None = None) -> ForwardPass:
    """Run the prompt in one pass and keep its keys and values in `cache`.

    Law: row i of any result is that of a prefill over the first i + 1 tokens alone, because no row sees a later token.
    """
    return model.forward(token_ids, cache)


def chunked_prefill(model: Model, token_ids: Sequence[int], cache: Cache, n_chunk: int) -> tuple[ForwardPass, ...]:
    """The same prompt in passes of at most `n_chunk` tokens, as servers do to keep others waiting less.

    Law: the logits and the cache are those of one pass, for every chunk length. Raises ValueError for n_chunk < 1.
    """
    if n_chunk < 1:
        raise ValueError(f"n_chunk: expected at least 1, got {n_chunk}")
    starts = range(0, len(token_ids), n_chunk)
    return tuple(model.forward(token_ids[start : start + n_chunk], cache) for start in starts)


def filled_cache(model: Model, token_ids: Sequence[int]) -> KVCache:
    """A cache with room for these tokens and nothing more, after their prefill."""
    cache = KVCache.for_model(model, len(token_ids))
    prefill(model, token_ids, cache)
    return cache
