"""Attention over long inputs without its maps: blocks of rows, each through the same `attention`, and only the contexts kept.

The n × n maps of 1024 tokens are hundreds of megabytes, half of them hidden by the mask. A block of rows needs only the
keys up to its last row, and in a sliding window only those from its first row's window on; its scores stay in a core's own cache.
Nothing about the equation changes: row for row the results are those of one call, within rounding.
"""

from __future__ import annotations

import numpy as np

from engine.attention import attention

BLOCK_ROWS = 128


def visible(queries: range, keys: range, causal: bool = True, window: int | None = None) -> np.ndarray:
    """True where the query at one position may see the key at another: (n queries, n keys). A window counts the token itself.

    >>> visible(range(1, 4), range(4), window=2).astype(int).tolist()
    [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """
    i, j = np.array(queries)[:, None], np.array(keys)
    if not causal:
        return np.ones((len(i), len(j)), bool)
    return j <= i if window is None else (j <= i) & (j > i - window)


def blocked_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = True, window: int | None = None) -> np.ndarray:
    """The contexts of all heads side by side: (n_new, n_head · d_v). Shapes as in `attention`; the last query belongs to the last key.

    Law: it is the context of `attention` under the mask `visible`, for every length and window.
    """
    (n_head, n_new, _), (n_kv_head, n, d_v) = q.shape, v.shape
    group = n_head // n_kv_head
    out = np.empty((n_new, n_head, d_v), q.dtype)
    rows = max(1, BLOCK_ROWS // group)
    kv_heads = 1 if n_new > rows else n_kv_head  # a short input takes all its heads in one call
    for start in range(0, n_new, rows):
        end = min(start + rows, n_new)
        queries = range(n - n_new + start, n - n_new + end)
        keys = visible_keys(queries, n, causal, window)
        mask = visible(queries, keys, causal, window)
        for kv in range(0, n_kv_head, kv_heads):
            heads, some, seen = slice(kv * group, (kv + kv_heads) * group), slice(kv, kv + kv_heads), slice(keys.start, keys.stop)
            out[start:end, heads] = attention(q[heads, start:end], k[some, seen], v[some, seen], mask).context.swapaxes(0, 1)
    return out.reshape(n_new, n_head * d_v)


def visible_keys(queries: range, n: int, causal: bool, window: int | None) -> range:
    """The keys that at least one of the queries may see."""
    if not causal:
        return range(n)
    return range(0 if window is None else max(0, queries.start - window + 1), queries.stop)
