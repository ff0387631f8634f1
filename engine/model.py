"""What a model is, and what one pass of it returns: the same for the toy and for a trained transformer.

Prefill and decode are the *same* call, `forward(token_ids, cache)`. Only how many tokens are new and how many are already
cached differs. Without a cache the pass starts at position 0 and keeps nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.attention import Attention, shape_of, visible
from engine.cache import Cache
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

    def __repr__(self) -> str:
        """Shapes, since the arrays are thousands of numbers."""
        made = f"layers=<{len(self.layers)}>, logits={shape_of(self.logits)}, counts={self.counts}"
        return f"ForwardPass(token_ids={self.token_ids.tolist()}, n_past={self.n_past}, {made})"

    @property
    def n_new(self) -> int:
        return len(self.token_ids)

    @property
    def n_past(self) -> int:
        """Tokens that went before it: the position of its first."""
        return int(self.positions[0])


class Model(Protocol):
    """What prefill, decode and the cache need to know of a model.

    d_v is the width of a value, d_head that of a key. n_vocab counts the words that have a logit, n_ids those that may come in;
    they differ only in the toy, whose prompt has words that it never says.
    """

    n_layer: int
    n_head: int
    n_kv_head: int
    d_head: int
    d_v: int
    n_vocab: int
    n_ids: int
    n_ctx: int
    dtype: np.dtype

    def forward(self, token_ids: Sequence[int], cache: Cache | None = None) -> ForwardPass:
        """Run `token_ids` through the model behind the tokens that `cache` holds, and append their keys and values to it."""
        ...

    def next_logits(self, run: ForwardPass) -> np.ndarray:
        """What the token behind each row of a pass of this model is chosen by, (n_new, n_vocab): its logits, of the toy those by hand."""
        ...


def begin_pass(model: Model, token_ids: Sequence[int], cache: Cache | None) -> tuple[np.ndarray, np.ndarray]:
    """What every forward does first: the ids as an array, and the positions that they take behind the cache; both (n_new,).

    Raises ValueError for an unknown id and where the model or the cache has no room, before anything is computed.
    """
    ids = check_token_ids(token_ids, model.n_ids)
    n_past = 0 if cache is None else cache.next_position
    n = n_past + len(ids)
    if n > model.n_ctx:
        raise ValueError(f"expected at most n_ctx = {model.n_ctx} tokens in all, got {n}")
    if cache is not None:
        cache.require_room(len(ids))
    return ids, np.arange(n_past, n)


def layer_mask(cache: Cache | None, layer: int, positions: np.ndarray, causal: bool, window: int | None = None) -> np.ndarray:
    """Which keys the tokens at `positions` may see in one layer, by the positions of both and by what the cache hides."""
    if cache is None:
        return visible(positions, positions, causal, window)
    keys = cache.key_positions(layer)
    mask = visible(positions, keys, causal, window)
    return mask if isinstance(keys, range) else cache.narrowed(mask, positions, keys)


def counts_of(n_new: int, mask: np.ndarray) -> Counts:
    """The work of a pass of `n_new` tokens for one head that sees its keys through `mask`: (n_new, n), or one for each head."""
    one = mask if mask.ndim == 2 else mask[0]
    return Counts(n_new, n_new, int(one.sum()), one.size)


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
