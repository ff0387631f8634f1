"""Room in one piece and in pages, against numbers by hand and the vLLM paper's Table 1 (Kwon et al. 2023, arXiv 2309.06180)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.caches import PagePool
from engine.caches.reservations import MEASURED, in_one_piece, in_pages, mean_waste
from engine.cost import MODELS, ModelShape
from engine.experiments.random_model import StackModel
from engine.prefill import prefill

SHAPES = {  # layers and width of each OPT model: Zhang et al. 2022 (arXiv 2205.01068), Table 1
    "13B": (40, 5120, 40),
    "66B": (64, 9216, 72),
    "175B": (96, 12288, 96),
}


@pytest.mark.parametrize(("size", "gib", "slots"), [("13B", 12, 15_700), ("66B", 21, 9_700), ("175B", 264, 60_100)])
def test_table_1_counts_in_gib_and_is_met_within_2_percent(size, gib, slots):
    """ "Memory for KV cache" 12, 21, 264 GB and "max. # KV Cache slots" 15.7K, 9.7K, 60.1K: as 10⁹ bytes 5 to 9 % off."""
    n_layer, d_model, n_head = SHAPES[size]
    config = dict(model_type="opt", num_hidden_layers=n_layer, hidden_size=d_model, word_embed_proj_dim=d_model, vocab_size=50272,
                  num_attention_heads=n_head, ffn_dim=4 * d_model, max_position_embeddings=2048)  # fmt: skip
    per_token = ModelShape.from_config(config, f"OPT-{size}", "").kv_bytes_per_token(16)
    assert per_token == 2 * n_layer * d_model * 2
    assert gib * 2**30 / per_token == pytest.approx(slots, rel=0.02)
    assert gib * 1e9 / per_token != pytest.approx(slots, rel=0.05)
    if size == "13B":
        assert per_token == MODELS["OPT-13B"].kv_bytes_per_token(16)


def test_the_measured_shares_are_those_of_figure_2():
    assert MEASURED == {"earlier": (0.204, 0.382), "paged": 0.963}


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(1, 9))
def test_in_pages_is_what_a_pool_hands_out(lengths, size):
    model = StackModel(1, 5)
    pool = PagePool.for_model(model, sum(lengths), size)
    caches = [pool.new() for _ in lengths]
    for n, cache in zip(lengths, caches, strict=True):
        prefill(model, [1] * n, cache)
    assert in_pages(lengths, size) == (pool.n_blocks - pool.n_free) * size == sum(lengths) + sum(c.waste for c in caches)
    assert in_one_piece(lengths, 40) == 40 * len(lengths)


@pytest.mark.parametrize("size", [1, 2, 16, 64, 2048])
def test_half_a_block_is_empty_on_average(size):
    assert mean_waste(2048, size) == (size - 1) / 2
    assert mean_waste(10, 64) == 64 - 5.5  # sequences shorter than a block
