"""What a model is, and what one pass of it returns: the same for the toy and for a trained transformer.

Prefill and decode are the *same* call, `forward(token_ids, cache)`. Only how many tokens are new and how many are already
cached differs. Without a cache the pass starts at position 0 and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.attention import Attention
from engine.cache import KVCache
from engine.counts import Counts


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """Everything one pass computed.

    token_ids, positions: (n_new,), positions count from 0. layers: one Attention each. logits: (n_new, n_vocab); the last row
    chooses the next token. counts: the work of this pass, per layer and head. hidden: the residual stream before the first layer
    and after each, (n_layer + 1, n_new, d_model), where the model has one. A model that was told to keep nothing
    (Transformer.variant) leaves layers empty, hidden None, and gives the last row of logits alone.
    """

    token_ids: np.ndarray
    positions: np.ndarray
    layers: tuple[Attention, ...]
    logits: np.ndarray
    counts: Counts
    hidden: np.ndarray | None = None

    @property
    def n_new(self) -> int:
        """Tokens in this pass."""
        return len(self.token_ids)

    @property
    def n_past(self) -> int:
        """Tokens that were cached before it."""
        return int(self.positions[0])


class Model(Protocol):
    """What prefill, decode and the cache need to know of a model. d_v is the width of a value, d_head that of a key."""

    n_layer: int
    n_head: int
    n_kv_head: int
    d_head: int
    d_v: int
    n_vocab: int
    n_ctx: int
    dtype: np.dtype

    def forward(self, token_ids: Sequence[int], cache: KVCache | None = None) -> ForwardPass:
        """Run `token_ids` through the model behind the tokens that `cache` holds, and append their keys and values to it."""
        ...


def check_token_ids(token_ids: Sequence[int], n_ids: int) -> np.ndarray:
    """The ids as an array; raises ValueError when there is none, or one is not a whole number in 0 … n_ids − 1."""
    ids = np.asarray(token_ids)
    if ids.ndim != 1 or ids.size == 0:
        raise ValueError(f"token_ids: expected a list of at least one token id, got shape {ids.shape}")
    if ids.dtype.kind not in "iu":
        raise ValueError(f"token_ids: expected whole numbers, got {ids.dtype}")
    if ids.min() < 0 or ids.max() >= n_ids:
        raise ValueError(f"token_ids: expected ids from 0 to {n_ids - 1}, got {ids.min()} … {ids.max()}")
    return ids
