"""The KV cache: every key and value that has been computed, kept so that none is computed twice.

Every model runs behind anything that keeps the protocol `Cache`: the cache says at which position the next token stands, takes
its rows, and hands out the keys that attention is to read together with *their* positions. Rows are never taken for positions,
so a cache may drop rows, keep them in pages, or keep them rounded (engine/caches). The cache owns the position: no caller can
decode at a wrong one.

A pass first writes each layer's new rows (`write`), then makes them part of the cache (`advance`). A pass that fails half-way
leaves the cache as it was.

`KVCache` is the plain one: append-only and preallocated, it holds every token, and a new one's rows copy none of the old.
"""

from typing import Protocol

import numpy as np


def check_room(n_tokens: int, n_new: int, n_ctx: int) -> None:
    """Raises ValueError when `n_new` more tokens are negative, or more than n_ctx with those before them."""
    if n_new < 0:
        raise ValueError(f"n_new: expected 0 or more, because a cache only grows, got {n_new}")
    if n_tokens + n_new > n_ctx:
        raise ValueError(f"expected at most n_ctx = {n_ctx} tokens, got {n_tokens} and {n_new} more, which do not fit")


class Cache(Protocol):
    """What a model asks of a cache. `wants_weights`: whether it decides by attention weights what to keep, see `observe`."""

    wants_weights: bool = False
    n_tokens: int  # held

    @property
    def next_position(self) -> int:
        """The position that the next token takes, counted from 0: as many as are held, unless it says otherwise."""
        return self.n_tokens

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept, keys and values of all layers."""
        ...

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when `n_new` more tokens do not fit, before anything is computed."""
        ...

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Take one layer's new rows; returns what attention reads, old and new: (n_kv_head, n, d_head), (n_kv_head, n, d_v)."""
        ...

    def key_positions(self, layer: int) -> range | np.ndarray:
        """The positions of the keys that `write` has just returned for this layer, in the same order.

        range(n) says: every token, in order. Otherwise an array, (n,) or a row for each key/value head (n_kv_head, n).
        """
        ...

    def advance(self, n_new: int) -> None:
        """The rows that the pass wrote to every layer now belong to the cache."""
        ...

    def narrowed(self, mask: np.ndarray, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """`mask`, (…, n_new, n) by positions, without what the cache hides: nothing, unless it says otherwise."""
        return mask

    def observe(self, layer: int, weights: np.ndarray) -> None:
        """See the layer's attention weights (n_head, n_new, n) over the keys just handed out; only where `wants_weights`."""


class KVCache(Cache):
    """Keys and values of up to `n_ctx` tokens for every layer.

    Storage: k (n_layer, n_kv_head, n_ctx, d_head), v (n_layer, n_kv_head, n_ctx, d_v). What is handed out is read-only.
    """

    def __init__(self, n_layer: int, n_kv_head: int, n_ctx: int, d_head: int, d_v: int | None = None, dtype=np.float64):
        sizes = dict(n_layer=n_layer, n_kv_head=n_kv_head, n_ctx=n_ctx, d_head=d_head, d_v=d_head if d_v is None else d_v)
        for name, size in sizes.items():
            if size < 1:
                raise ValueError(f"{name}: expected at least 1, got {size}")
        self.n_ctx = n_ctx
        # Uninitialised memory is safe because rows beyond n_tokens are never handed out, not even to a mask: 0 · NaN is NaN.
        self._k = np.empty((n_layer, n_kv_head, n_ctx, d_head), dtype)
        self._v = np.empty((n_layer, n_kv_head, n_ctx, sizes["d_v"]), dtype)
        self._n_tokens = 0
        self._written = [0] * n_layer  # rows that each layer holds, the running pass included

    @classmethod
    def for_model(cls, model, n_ctx: int) -> "KVCache":
        """An empty cache of the model's shape and dtype, with room for `n_ctx` tokens."""
        return cls(model.n_layer, model.n_kv_head, n_ctx, model.d_head, model.d_v, model.dtype)

    @property
    def n_tokens(self) -> int:
        """Tokens held: the position of the next one."""
        return self._n_tokens

    @property
    def k(self) -> np.ndarray:
        """Cached keys, read-only: (n_layer, n_kv_head, n_tokens, d_head)."""
        return _read_only(self._k[:, :, : self._n_tokens])

    @property
    def v(self) -> np.ndarray:
        """Cached values, read-only: (n_layer, n_kv_head, n_tokens, d_v)."""
        return _read_only(self._v[:, :, : self._n_tokens])

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in use, keys and values of all layers."""
        return self.k.nbytes + self.v.nbytes

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when `n_new` more tokens do not fit or are negative, before anything is computed."""
        check_room(self._n_tokens, n_new, self.n_ctx)

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Write one layer's new rows behind the old ones; returns all its keys and values, old and new, without a copy.

        k: (n_kv_head, n_new, d_head), v: (n_kv_head, n_new, d_v) -> the same with n_past + n_new rows, read-only.
        """
        n_new = k.shape[1]
        self.require_room(n_new)
        for name, rows, store in (("k", k, self._k[layer]), ("v", v, self._v[layer])):
            expected = (store.shape[0], n_new, store.shape[2])
            if rows.shape != expected:
                raise ValueError(f"{name} of layer {layer}: expected shape {expected}, got {rows.shape}")
        end = self._n_tokens + n_new
        self._k[layer, :, self._n_tokens : end] = k
        self._v[layer, :, self._n_tokens : end] = v
        self._written[layer] = end
        return _read_only(self._k[layer, :, :end]), _read_only(self._v[layer, :, :end])

    def key_positions(self, layer: int) -> range:
        """All of them in order, up to the last row that the pass wrote."""
        return range(self._written[layer])

    def advance(self, n_new: int) -> None:
        """The rows that the pass wrote to every layer now belong to the cache. ValueError when a layer was left out."""
        self.require_room(n_new)
        if min(self._written) < self._n_tokens + n_new:
            written = [end - self._n_tokens for end in self._written]
            raise ValueError(f"advance: expected {n_new} new rows in every layer, got {written}")
        self._n_tokens += n_new

    def take_back(self, n_tokens: int) -> None:
        """The last rows are part of the cache no more: those of guesses that turned out wrong. The next token takes their place."""
        if not 0 <= n_tokens <= self._n_tokens:
            raise ValueError(f"n_tokens: expected 0 to the {self._n_tokens} that the cache holds, got {n_tokens}")
        self._n_tokens -= n_tokens
        self._written = [self._n_tokens] * len(self._written)


def floats_per_token(n_key_head: int, d_head: int, n_value_head: int, d_v: int, n_layer: int = 1) -> int:
    """Keys and values of one token in all layers.

    The article's toy: 65 with one key and one value for all heads, 257 with four keys and one value as in its listing, 260 with
    four of each.

    >>> [floats_per_token(k, 64, v, 1) for k, v in ((1, 1), (4, 1), (4, 4))]
    [65, 257, 260]
    """
    return n_layer * (n_key_head * d_head + n_value_head * d_v)


def _read_only(rows: np.ndarray) -> np.ndarray:
    """The same memory, through a view that refuses to be written."""
    rows.flags.writeable = False
    return rows
