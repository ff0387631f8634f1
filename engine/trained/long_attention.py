"""Attention over long inputs without its maps: blocks of rows, each through the same `attention`, and only the contexts kept.

The n × n maps of 1024 tokens are hundreds of megabytes, half of them hidden by the mask. A block of rows needs only the
keys up to its last row, and in a sliding window only those from its first row's window on; its scores stay in a core's own cache.
Nothing about the equation changes: row for row the results are those of one call, within rounding.
"""

from __future__ import annotations

import numpy as np

from engine.attention import attention, visible
from engine.trained.threads import each

# Rows and heads of one block, measured at 1024 tokens: alone, the scores should fit the core's cache; several threads should meet
# seldom, since each waits for the interpreter between two NumPy calls.
ALONE, SHARED = (128, 3), (256, 6)


def blocked_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = True, window: int | None = None, shared: bool = False
) -> np.ndarray:
    """The contexts of all heads side by side: (n_new, n_head · d_v). Shapes as in `attention`; the last query has the last key.

    shared: the blocks go to several threads, see engine.trained.threads.
    Law: it is the context of `attention` under the mask `visible`, for every length and window.
    """
    (n_head, n_new, _), (n_kv_head, n, d_v) = q.shape, v.shape
    group, out = n_head // n_kv_head, np.empty_like(q, shape=(n_new, n_head, d_v))
    n_rows, n_heads = SHARED if shared else ALONE
    if n_new <= n_rows // 2:
        n_heads = n_head  # a short input takes all its heads in one call
    n_kv = max(1, n_heads // group)

    def block(place: tuple[int, int]) -> None:
        start, kv = place
        end = min(start + n_rows, n_new)
        queries = range(n - n_new + start, n - n_new + end)
        keys = visible_keys(queries, n, causal, window)
        heads, some, seen = slice(kv * group, (kv + n_kv) * group), slice(kv, kv + n_kv), slice(keys.start, keys.stop)
        mask = visible(queries, keys, causal, window)
        softmax = all_seen_softmax if mask.all() else consuming_softmax
        found = attention(q[heads, start:end], k[some, seen], v[some, seen], mask, softmax)
        out[start:end, heads] = found.context.swapaxes(0, 1)

    # The last rows see most keys: they go first, so that no thread is left alone with a long block at the end.
    blocks = [(start, kv) for start in reversed(range(0, n_new, n_rows)) for kv in range(0, n_kv_head, n_kv)]
    if shared:
        each(block, blocks)
    else:
        for place in blocks:
            block(place)
    return out.reshape(n_new, n_head * d_v)


def consuming_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """masked_softmax where nobody will look at the scores and every row sees a key: the weights take the scores' place."""
    np.copyto(scores, -np.inf, where=~mask)
    return all_seen_softmax(scores, mask)


def all_seen_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """consuming_softmax where the mask hides nothing, as in every decode step."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def visible_keys(queries: range, n: int, causal: bool, window: int | None) -> range:
    """The keys that at least one of the queries may see."""
    if not causal:
        return range(n)
    return range(0 if window is None else max(0, queries.start - window + 1), queries.stop)
