"""Latent attention: absorbing the matrices changes no score, and a token leaves what DeepSeek's papers say it leaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.caches import LatentAttention
from engine.caches.latent import rotated


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 9), st.integers(0, 99))
def test_absorbed_and_expanded_give_the_same_scores_weights_and_contexts(n_head, n_new, n_past, seed):
    layer = LatentAttention.random(n_head=n_head, seed=seed)
    x, positions = np.random.default_rng(seed).normal(size=(n_past + n_new, 32)), np.arange(n_past + n_new)
    latents, rotary = layer.compress(x, positions)
    new = x[n_past:], positions[n_past:], latents, rotary
    a, b = layer.absorbed(*new), layer.expanded(*new)
    for part in ("scores", "weights", "context"):
        np.testing.assert_allclose(getattr(a, part), getattr(b, part), rtol=0, atol=1e-12)
    assert a.k.shape == (1, n_past + n_new, 16) and b.k.shape == (n_head, n_past + n_new, 12)


def test_scores_are_those_of_the_papers_equation_written_out():
    """DeepSeek-V2 (arXiv 2405.04434), equations 9 to 18: two products, divided by the root of both widths together."""
    layer = LatentAttention.random(seed=3)
    x = np.random.default_rng(1).normal(size=(4, 32))
    run = layer.absorbed(x, np.arange(4), *layer.compress(x, np.arange(4)))
    c = x @ layer.down
    for h in range(4):
        q_r, k_r = rotated(x @ layer.q_rope[h], np.arange(4)), rotated(x @ layer.k_rope, np.arange(4))
        scores = ((x @ layer.q_nope[h]) @ (c @ layer.up_k[h]).T + q_r @ k_r.T) / np.sqrt(8 + 4)
        np.testing.assert_allclose(run.scores[h], scores, rtol=0, atol=1e-12)


def test_the_rotary_part_depends_on_distance_only():
    x = np.random.default_rng(0).normal(size=(2, 8))
    products = [float(rotated(x[:1], np.array([at + 3]))[0] @ rotated(x[1:], np.array([at]))[0]) for at in (0, 5, 90)]
    assert products == pytest.approx([products[0]] * 3)
    assert rotated(x, np.array([0, 0])) == pytest.approx(x)


def test_a_token_of_deepseek_v3_leaves_576_numbers_a_layer():
    """kv_lora_rank 512 and qk_rope_head_dim 64: 70.272 kB in 61 layers of 2 bytes (arXiv 2505.09343, Table 1)."""
    layer = LatentAttention.random(n_head=128, d_model=2, d_latent=512, d_nope=128, d_rope=64, d_v=128)
    assert layer.floats_per_token == 576 and 576 * 61 * 2 == 70_272
