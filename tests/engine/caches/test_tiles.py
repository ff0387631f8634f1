"""Tiles: block by block the same attention, to rounding, with corrections that matter and without the matrix."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import attention, causal_mask
from engine.caches import tiled_attention, tiles


def rows(seed, n_head, n_kv_head, n_new, n):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_head, n_new, 8)) * 3, rng.normal(size=(n_kv_head, n, 8)) * 3, rng.normal(size=(n_kv_head, n, 5))


@given(st.integers(1, 3), st.integers(1, 2), st.integers(1, 20), st.integers(0, 9), st.integers(1, 25), st.integers(1, 9))
def test_tiles_of_any_size_give_the_whole(n_kv_head, group, n_new, n_past, n_block, n_query_block):
    seed = n_new + 31 * n_block
    q, k, v = rows(seed, n_kv_head * group, n_kv_head, n_new, n_past + n_new)
    whole = attention(q, k, v, causal_mask(n_new, n_past)).context
    np.testing.assert_allclose(tiled_attention(q, k, v, n_block, n_query_block), whole, rtol=0, atol=1e-12)
    free = attention(q, k, v, np.ones((n_new, n_past + n_new), bool)).context
    np.testing.assert_allclose(tiled_attention(q, k, v, n_block, n_query_block, causal=False), free, rtol=0, atol=1e-12)


@given(st.integers(1, 12), st.integers(0, 99))
def test_after_each_block_the_state_is_attention_over_the_keys_so_far(n_block, seed):
    q, k, v = rows(seed, 1, 1, 6, 10)
    for tile in tiles(q[0], k[0], v[0], n_block, causal=False):
        seen = attention(q, k[:, : tile.stop], v[:, : tile.stop], np.ones((6, tile.stop), bool))
        np.testing.assert_allclose(tile.context, seen.context[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(tile.top, seen.scores[0].max(axis=1), rtol=0, atol=1e-12)
        np.testing.assert_allclose(tile.total, np.exp(seen.scores[0] - tile.top[:, None]).sum(axis=1), rtol=1e-12)


def test_without_the_correction_the_sums_would_be_wrong():
    q, k, v = np.array([[1.0]]), np.array([[0.0], [3.0]]), np.array([[1.0], [2.0]])
    first, second = tiles(q, k, v, 1, causal=False)
    assert first.correction == 0 and second.correction == pytest.approx(np.exp(-3))
    wrong = (first.summed + np.exp(0) * 2) / (first.total + 1)
    assert second.context == pytest.approx((np.exp(-3) + 2) / (np.exp(-3) + 1)) and abs(wrong - second.context) > 0.4


def test_large_scores_overflow_nothing_and_a_row_without_a_key_is_zero():
    q, k, v = np.full((1, 2, 4), 1e3), np.full((1, 4, 4), 1e3), np.arange(4.0)[None, :, None]
    np.testing.assert_allclose(tiled_attention(q, k, v, 1), attention(q, k, v, causal_mask(2, 2)).context)
    last = [*tiles(q[0], k[0], v[0], 2, positions=np.array([-1, 0]))][-1]
    assert last.total[0] == 0 and last.context[0, 0] == 0 and last.context[1, 0] == 0


def test_the_matrix_is_never_held():
    """3,000 tokens: the matrix of scores alone would be 72 MB. The tiles and the output take a few hundred kB."""
    q, k, v = rows(0, 1, 1, 3000, 3000)
    tracemalloc.start()
    tiled_attention(q, k, v, 128)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3e6 < 3000**2 * 8


def test_a_block_has_keys():
    with pytest.raises(ValueError, match="n_block: expected at least 1, got 0"):
        list(tiles(np.ones((1, 2)), np.ones((1, 2)), np.ones((1, 2)), 0))
