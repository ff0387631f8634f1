"""DeepSeek sparse attention: an index scores every past token, and the rows of the best 2,048 are read. What is kept, what is read
and what is computed, by hand.

The widths are those of deepseek-ai/DeepSeek-V3.2-Exp's config.json; what is read and scored is as its inference/model.py does it:
64 heads of width 128 score all cached index keys, and the 2,048 tokens with the highest scores are attended to.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config_json.block_style import Layer
from engine.cost import DEVICES, MODELS, ModelShape, even_context, operations, pass_s, tpot_s, ttft_s
from engine.cost.layer_caches import layer_kinds
from engine.cost.multiplication import kv_factors, product
from engine.cost.tensor_parallel import all_kv_bytes, all_kv_read_bytes
from engine.cost.times import pass_parts, prefill_flops

V32_EXP = json.loads((Path(__file__).parents[2] / "fixtures/deepseek_v32_exp_config.json").read_text("utf-8"))
SHAPE = ModelShape.from_config(V32_EXP)
DENSE = ModelShape.from_config({k: v for k, v in V32_EXP.items() if not k.startswith("index_")} | {"model_type": "deepseek_v3"})
LONG, BATCH, H200 = 131_072, 32, DEVICES["H200"]


def named(shape, *args):
    return {op.name: op for op in operations(shape, *args)}


def test_what_is_kept_has_the_index_key_beside_the_latent():
    assert SHAPE.kv_bytes_per_token() == 61 * (512 + 64 + 128) * 2 == 85_888
    first, *_ = factors = kv_factors(SHAPE, LONG)
    assert (first.value, first.what, first.terms) == (704, "latent + rotary key + index key", ((1, 512), (1, 64), (1, 128)))
    assert product(factors) == SHAPE.kv_bytes(LONG)
    assert [kind.kind for kind in layer_kinds(SHAPE, 10)] == ["latent and index key"]


def test_what_is_read_is_every_index_key_and_2048_rows():
    """All 704 numbers of every token were counted: 86.4 ms a step at 131,072 × 32 on eight H200, where 26 are possible."""
    by_hand = BATCH * 61 * (2048 * 576 + LONG * 128) * 2
    assert SHAPE.kv_read_bytes(LONG, BATCH) == by_hand == 70_103_597_056
    assert SHAPE.kv_read_bytes(2048, BATCH) == SHAPE.kv_bytes(2048, BATCH)  # so far nothing is left out
    assert all_kv_read_bytes(SHAPE, LONG, BATCH, 16, 8) == 8 * by_hand  # a latent is kept whole on each device
    (_, weights_s), (_, cache_s) = pass_parts(SHAPE, 1, H200, LONG, BATCH, weight_bits=SHAPE.stored_bits, n_devices=8)
    written = all_kv_bytes(SHAPE, 1, BATCH, 16, 8)
    assert cache_s == pytest.approx((8 * by_hand + written) / (8 * H200.bytes_per_s))
    step = tpot_s(SHAPE, LONG, H200, BATCH, weight_bits=SHAPE.stored_bits, n_devices=8)
    assert step == pytest.approx(weights_s + cache_s) == pytest.approx(0.026, abs=0.0005)
    unchosen = replace(SHAPE, layers=tuple(replace(layer, n_select=0) for layer in SHAPE.layers))
    assert tpot_s(unchosen, LONG, H200, BATCH, weight_bits=SHAPE.stored_bits, n_devices=8) == pytest.approx(0.0864, abs=0.0002)


def test_a_decode_step_scores_all_and_attends_to_2048():
    ops = named(SHAPE, 1, LONG)
    assert ops["index"].flops == 61 * 2 * 64 * 128 * (LONG + 1) and ops["index"].cache_bytes == 61 * (LONG + 1) * 128 * 2
    assert ops["scores"].flops == 61 * 2 * 128 * 2048 * 576 and ops["context"].flops == 61 * 2 * 128 * 2048 * 512
    assert ops["scores"].cache_bytes == 61 * 2048 * 576 * 2 and ops["softmax"].flops == 61 * 5 * 128 * 2048


def test_a_prefill_scores_every_pair_and_attends_to_2048_a_query():
    n = 100_000
    ops = named(SHAPE, n)
    pairs, chosen = n * (n + 1) // 2, 2048 * 2049 // 2 + (n - 2048) * 2048
    assert ops["index"].flops == 61 * 2 * 64 * 128 * pairs
    assert ops["scores"].flops == 61 * 2 * 128 * 192 * chosen and ops["context"].flops == 61 * 2 * 128 * 128 * chosen
    # The report has the index still growing with the square, at much less work than dense attention over all.
    assert named(DENSE, n)["scores"].flops == 61 * 2 * 128 * 192 * pairs > 2 * ops["index"].flops
    assert prefill_flops(SHAPE, n) < prefill_flops(DENSE, n) / 1.5
    assert ttft_s(SHAPE, n, H200, n_devices=8) < ttft_s(DENSE, n, H200, n_devices=8)


@pytest.mark.parametrize("n", [1, 7, 2047, 2048])
def test_up_to_2048_tokens_everything_is_read(n):
    mine, dense = named(SHAPE, 1, n - 1), named(DENSE, 1, n - 1)
    if n > 1:
        assert mine["scores"] == dense["scores"] and mine["context"] == dense["context"]
    assert SHAPE.kv_read_bytes(n) == SHAPE.kv_bytes(n) == DENSE.kv_bytes(n) + 61 * n * 128 * 2


@pytest.mark.parametrize("n", [10_000, 100_000, 1_000_000])
def test_reading_less_never_takes_longer_and_grows_by_the_index_alone(n):
    # Alone, at 10,000, reading the index’s weights costs more.
    assert pass_s(SHAPE, 1, H200, n, 32) < pass_s(DENSE, 1, H200, n, 32)
    assert SHAPE.kv_read_bytes(n + 1) - SHAPE.kv_read_bytes(n) == 61 * 128 * 2
    assert even_context(SHAPE) > even_context(DENSE)


def test_what_a_file_does_not_say_of_the_index_is_said():
    notes = " ".join(SHAPE.understood + SHAPE.assumed)
    assert "128 more numbers" in notes and "2,048 that score highest" in notes and "index has the bits" in notes
    unnamed = ModelShape.from_config({k: v for k, v in V32_EXP.items() if k != "index_topk"})
    assert unnamed.n_select == 2048 and "index_topk is not in the file: 2,048" in " ".join(unnamed.assumed)
    other = ModelShape.from_config({k: v for k, v in V32_EXP.items() if k != "index_topk"} | {"model_type": "brandnew"})
    assert other.n_select == 0 and "all keys and values are counted as read" in " ".join(other.understood)


def test_layers_that_share_an_index_choose_with_it_and_keep_none():
    shared = ModelShape.from_config(V32_EXP | {"indexer_types": ["full"] + ["shared"] * 60})
    assert shared.kv_read_bytes(LONG) == (61 * 2048 * 576 + LONG * 128) * 2
    assert named(shared, 1, LONG)["index"].flops == 2 * 64 * 128 * (LONG + 1)


@pytest.mark.parametrize("shape", MODELS.values(), ids=MODELS)
def test_a_model_without_an_index_reads_what_it_keeps(shape):
    for n, batch in ((0, 1), (1, 3), (5000, 2), (200_000, 1)):
        assert shape.kv_read_bytes(n, batch, 8) == shape.kv_bytes(n, batch, 8)
        assert all_kv_read_bytes(shape, n, batch, 8, 16) == all_kv_bytes(shape, n, batch, 8, 16)
    assert "index" not in named(shape, 3, 4) and Layer().n_select == shape.n_select == 0
