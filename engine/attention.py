"""Attention, the one equation of this program: softmax(q kᵀ / √d_head) v, where a mask says which keys a query may see.

Every model here, the hand-made toy and the trained transformer, in prefill and in decode, calls `attention` below. Arrays are
head-first and have no batch axis. Several query heads may share one key/value head (grouped-query attention; with a single
key/value head it is multi-query attention): the queries of a group are stacked as rows of one matrix product, nothing is copied.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FEW_QUERIES = 8  # below so many rows OpenBLAS spends its time on rearranging the keys


def shape_of(array: np.ndarray) -> str:
    """ "4 × 10 float32"."""
    return f"{' × '.join(map(str, array.shape))} {array.dtype}"


@dataclass(frozen=True, eq=False)
class Attention:
    """One layer's attention in one pass, every step of it kept so that it can be shown.

    q: (n_head, n_new, d_head); k: (n_kv_head, n, d_head); v: (n_kv_head, n, d_v), where n = n_past + n_new.
    scores, mask, weights: (n_head, n_new, n); mask is True where the query may look. context: (n_head, n_new, d_v).
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    mask: np.ndarray
    weights: np.ndarray
    context: np.ndarray

    def __repr__(self) -> str:
        """Shapes, since the arrays are thousands of numbers."""
        return f"Attention({', '.join(f'{name}={shape_of(array)}' for name, array in vars(self).items())})"

    @property
    def masked(self) -> np.ndarray:
        """The scores that softmax sees: −∞ wherever the query may not look. (n_head, n_new, n)"""
        return np.where(self.mask, self.scores, -np.inf)

    @property
    def empty(self) -> np.ndarray:
        """True for a row that gave no weight to any key: its context is "none", stored as 0. (n_head, n_new)"""
        return ~self.weights.any(axis=-1)

    def kv_head(self, head: int) -> int:
        """The key/value head that query head `head` reads: neighbours share one."""
        return head // (len(self.q) // len(self.k))


def softmax(scores: np.ndarray) -> np.ndarray:
    """Exponentials along the last axis divided by their sum; a row of nothing but −∞ gets zeros.

    So does PyTorch's fused attention since 2.5; `torch.softmax` still gives NaN there. Subtracting the row's maximum first
    changes nothing (softmax is blind to a constant) and keeps `exp` from overflowing.

    >>> softmax(np.array([1000.0, 1000.0])).tolist()
    [0.5, 0.5]
    """
    return _softmax_in_place(scores.astype(np.result_type(scores, 0.0)))


def masked_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Softmax over the keys that `mask` allows; the others get exactly 0."""
    return _softmax_in_place(np.where(mask, scores, -np.inf))


def _softmax_in_place(scores: np.ndarray) -> np.ndarray:
    top = scores.max(axis=-1, keepdims=True)
    scores -= np.where(top == -np.inf, 0, top)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)
    scores /= np.where(total == 0, 1, total)
    return scores


def causal_mask(n_new: int, n_past: int = 0) -> np.ndarray:
    """True where a key is not later than its query: (n_new, n_past + n_new). A token sees itself and everything before it.

    >>> causal_mask(2, n_past=1).astype(int).tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    return np.arange(n_past + n_new) <= np.arange(n_past, n_past + n_new)[:, None]


def visible(queries: range | np.ndarray, keys: range | np.ndarray, causal: bool = True, window: int | None = None) -> np.ndarray:
    """True where the query at one position may see the key at another, in whatever order the keys lie: (n_new, n).

    A window counts the token itself. Keys of (n_kv_head, n), other ones for each head, give (n_kv_head, n_new, n).

    >>> visible(range(1, 4), range(4), window=2).astype(int).tolist()
    [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    >>> visible(range(3, 4), np.array([4, 0, 3])).tolist()
    [[False, True, True]]
    """
    if isinstance(keys, range):
        if not causal or (window is None and keys.stop <= queries[0] + 1):
            return np.ones((len(queries), len(keys)), bool)
        keys = np.arange(keys.start, keys.stop)
    i, j = np.asarray(queries)[:, None], keys[..., None, :]
    if not causal:
        return np.ones(np.broadcast_shapes(i.shape, j.shape), bool)
    return j <= i if window is None else (j <= i) & (j > i - window)


def attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    mask: np.ndarray | None = None,
    normalise: Callable[[np.ndarray, np.ndarray], np.ndarray] = masked_softmax,
) -> Attention:
    """Attention of n_new queries over n keys: `normalise(q kᵀ / √d_head, mask) @ v` (Vaswani et al. 2017, equation 1).

    q: (n_head, n_new, d_head); k: (n_kv_head, n, d_head); v: (n_kv_head, n, d_v); mask: (n_new, n), or one for
    each query head or each key/value head: (n_head, n_new, n), (n_kv_head, n_new, n); without one the queries are the newest
    tokens, and each sees itself and all before it.
    Query head h reads key/value head h // (n_head / n_kv_head). The result has the dtype of q.
    Raises ValueError when the shapes do not fit together.
    """
    n_head, n_new, d_head = q.shape
    n_kv_head, n, d_v = v.shape
    if k.shape != (n_kv_head, n, d_head):
        raise ValueError(f"k: expected (n_kv_head, n, d_head) = {(n_kv_head, n, d_head)} to fit q and v, got {k.shape}")
    if n_head % n_kv_head:
        raise ValueError(f"n_head must be a multiple of n_kv_head, got {n_head} query heads and {n_kv_head} key/value heads")
    if mask is None:
        if n_new > n:
            raise ValueError(f"k: expected at least the {n_new} keys of the queries themselves, or a mask, got {n}")
        mask = causal_mask(n_new, n - n_new)
    group = n_head // n_kv_head
    # One matrix product for each key/value head: the group's queries are its rows.
    # The scale is an array scalar of q's own dtype: a float64 scalar would promote every later array (NEP 50).
    scale = q.dtype.type(d_head**-0.5)
    scaled = (q * scale).reshape(n_kv_head, group * n_new, d_head)  # scaling the queries is less work than scaling the scores
    # With so few queries the same products the other way round are twice as fast; the rows stay contiguous, or their sums would
    # add in another order than those of a longer pass and the last bit of a weight would differ.
    if 1 < group * n_new < FEW_QUERIES:
        products = np.ascontiguousarray((k @ np.ascontiguousarray(scaled.swapaxes(1, 2))).swapaxes(1, 2))
    else:
        products = scaled @ k.swapaxes(1, 2)
    scores = products.reshape(n_head, n_new, n)
    if mask.ndim == 3 and len(mask) != n_head:
        mask = np.repeat(mask, group, axis=0)
    mask = np.broadcast_to(mask, scores.shape)
    weights = normalise(scores, mask)
    context = (weights.reshape(n_kv_head, group * n_new, n) @ v).reshape(n_head, n_new, d_v)
    return Attention(q, k, v, scores, mask, weights, context)
