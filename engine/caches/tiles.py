"""Attention by tiles: a block of keys at a time, and never the whole matrix of scores (FlashAttention, Dao et al. 2022).

Softmax needs the largest score and the sum of all exponentials of a row, and a block knows only its own. So both are kept as
they are so far, and corrected whenever a later block brings a larger score: everything summed before is multiplied by
exp(old maximum − new maximum). After the last block the running sums are the true ones (online softmax, Milakov and
Gimelshein 2018). Memory grows with the length of the text and not with its square.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.attention import visible


@dataclass(frozen=True, eq=False)
class Tile:
    """The state after one block of keys, for the queries of one head: a row each.

    start, stop: which keys the block has. scores: (n_new, stop − start), −∞ where hidden. top, total: (n_new,), the largest score
    so far and the sum of exponentials below it. correction: (n_new,), what everything before this block was multiplied by.
    summed: (n_new, d_v), the weighted values so far, not yet divided by total.
    """

    start: int
    stop: int
    scores: np.ndarray
    top: np.ndarray
    total: np.ndarray
    correction: np.ndarray
    summed: np.ndarray

    @property
    def context(self) -> np.ndarray:
        """What attention over the keys so far gives, 0 for a row that has seen none: (n_new, d_v)."""
        return self.summed / np.where(self.total == 0, 1, self.total)[:, None]


def tiles(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, n_block: int, positions: np.ndarray | None = None, causal: bool = True
) -> Iterator[Tile]:
    """One head's attention block after block. q: (n_new, d_head), k: (n, d_head), v: (n, d_v).

    positions: of the queries, the last n_new of n where none are given; the keys stand at 0 … n − 1. ValueError for n_block < 1.
    """
    if n_block < 1:
        raise ValueError(f"n_block: expected at least 1, got {n_block}")
    (n_new, d_head), n = q.shape, len(k)
    positions = np.arange(n - n_new, n) if positions is None else positions
    q = q * q.dtype.type(d_head**-0.5)
    top, total = np.full(n_new, -np.inf, q.dtype), np.zeros(n_new, q.dtype)
    summed = np.zeros((n_new, v.shape[1]), np.result_type(q, v))
    for start in range(0, n, n_block):
        stop = min(start + n_block, n)
        mask = visible(positions, np.arange(start, stop), causal)
        scores = np.where(mask, q @ k[start:stop].T, -np.inf)
        new_top = np.maximum(top, scores.max(axis=1))
        base = np.where(np.isneginf(new_top), 0, new_top)  # a row that has seen no key yet has no largest score
        correction, shares = np.exp(top - base), np.exp(scores - base[:, None])
        total = total * correction + shares.sum(axis=1)
        summed = summed * correction[:, None] + shares @ v[start:stop]
        top = new_top
        yield Tile(start, stop, scores, top, total, correction, summed)


def map_tiles(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, n_block: int, n_query_block: int | None = None, causal: bool = True
) -> Iterator[tuple[slice, Tile]]:
    """One head's whole map, never there at once: for each block of queries (which rows, tile) of each block of keys.

    Shapes as in `tiles`; the last query stands at the last key. With causal, tiles that lie entirely in the future are left out.
    """
    n_new, n, size = len(q), len(k), n_query_block or n_block
    for start in range(0, n_new, size):
        rows = slice(start, min(start + size, n_new))
        positions = np.arange(n - n_new + rows.start, n - n_new + rows.stop)
        last = positions[-1] + 1 if causal else n  # no key behind the block's last query can be seen
        for tile in tiles(q[rows], k[:last], v[:last], n_block, positions, causal):
            yield rows, tile


def tiled_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, n_block: int, n_query_block: int | None = None, causal: bool = True
) -> np.ndarray:
    """The contexts of all heads, (n_head, n_new, d_v), from tiles of n_query_block × n_block scores; shapes as in `attention`.

    Law: they are those of `attention` within rounding. No array of n_new × n is ever made.
    """
    (n_head, n_new, _), (n_kv_head, _, d_v) = q.shape, v.shape
    out = np.zeros((n_head, n_new, d_v), np.result_type(q, v))
    for head in range(n_head):
        kv = head // (n_head // n_kv_head)
        for rows, tile in map_tiles(q[head], k[kv], v[kv], n_block, n_query_block, causal):
            out[head, rows] = tile.context  # of each block of rows the last tile's stays
    return out


def tile_floats(n_query_block: int, n_block: int, d_head: int, d_v: int) -> int:
    """Numbers that one tile needs at a time: its scores, its queries, keys and values, the running sums; the whole has n² scores.

    >>> tile_floats(128, 128, 64, 64)
    49408
    """
    return n_query_block * n_block + n_query_block * (d_head + d_v + 2) + n_block * (d_head + d_v)
