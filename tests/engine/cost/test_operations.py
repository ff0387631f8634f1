"""FLOPs and bytes of one pass, against LLM-Viewer's table, closed forms and brute force."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.attention import attention, causal_mask
from engine.config_json.block_style import Experts, Layer
from engine.cost import DEVICES, MODELS, ModelShape, bound, decode_flops, dense_pairs, operations, prefill_flops, visible_pairs
from engine.cost.operations import Operation
from engine.cost.pairs import keys_seen
from engine.cost.shapes.blocks import experts_visited
from engine.counts import prefill_counts

LLAMA = MODELS["Llama-2-7B"]
NAMES = ("q", "k", "v", "scores", "softmax", "context", "output", "mlp", "head")
sizes = st.integers(1, 40)


def by_name(ops):
    return {op.name: op for op in ops}


# LLM-Viewer (arXiv 2402.16363, github.com/hahnyuan/LLM-Viewer), Llama-2-7B on an A6000, 2,048 tokens, one layer: operations,
# bytes moved, operations a byte, what it waits for. Attention unfused and over the dense square, as its table has it.
LLM_VIEWER = [
    ("prefill", "q", 68.72e9, 67.11e6, 1024, "compute"),
    ("prefill", "k", 68.72e9, 67.11e6, 1024, "compute"),
    ("prefill", "output", 68.72e9, 67.11e6, 1024, "compute"),
    ("prefill", "scores", 34.36e9, 302.0e6, 114, "memory"),
    ("prefill", "softmax", 671.1e6, 536.9e6, 1.25, "memory"),
    ("prefill", "context", 34.36e9, 302.0e6, 114, "memory"),
    ("prefill", "mlp", 3 * 184.68e9, 3 * 152.0e6, 1215, "compute"),
    ("decode", "q", 33.55e6, 33.57e6, 1.00, "memory"),
    ("decode", "scores", 16.78e6, 16.92e6, 0.99, "memory"),
    ("decode", "softmax", 327.7e3, 262.1e3, 1.25, "memory"),
    ("decode", "mlp", 3 * 90.18e6, 3 * 90.21e6, 1.00, "memory"),
]


@pytest.mark.parametrize(("phase", "name", "flops", "n_bytes", "intensity", "waits_for"), LLM_VIEWER)
def test_llm_viewers_table(phase, name, flops, n_bytes, intensity, waits_for):
    n_new, n_past = (2048, 0) if phase == "prefill" else (1, 2047)
    op = by_name(operations(LLAMA, n_new, n_past, pairs=dense_pairs))[name]
    assert op.flops / LLAMA.n_layer == pytest.approx(flops, rel=2e-4)
    assert op.unfused_bytes / LLAMA.n_layer == pytest.approx(n_bytes, rel=5e-4)
    assert op.flops / op.unfused_bytes == pytest.approx(intensity, rel=6e-3)
    assert bound(op.flops / op.unfused_bytes, DEVICES["A6000"]) == waits_for


def test_operations_come_in_the_order_of_a_layer():
    assert tuple(op.name for op in operations(LLAMA, 4)) == NAMES


@given(sizes, st.integers(0, 40), st.integers(0, 12))
def test_pairs_and_keys_are_those_of_the_mask(n_new, n_past, window):
    mask = causal_mask(n_new, n_past)
    if window:
        mask &= np.arange(n_past + n_new) > np.arange(n_past, n_past + n_new)[:, None] - window
    assert visible_pairs(n_new, n_past, window) == mask.sum()
    assert keys_seen(n_new, n_past, window) == mask.any(axis=0).sum()
    assert dense_pairs(n_new, n_past, window) == n_new * mask.any(axis=0).sum()


@given(st.integers(1, 5000))
def test_pairs_of_a_prefill_are_the_engines_counted_scores(n):
    counts = prefill_counts(n)
    assert (visible_pairs(n), dense_pairs(n)) == (counts.scores, counts.scores_dense)
    assert dense_pairs(2, 3) == 2 * 5  # no window unless one is named


def test_cache_reads_of_decode_are_the_arrays_that_attention_reads():
    shape = ModelShape("tiny", n_layer=1, d_model=12, n_head=4, n_kv_head=2, d_head=3, d_ff=8, n_vocab=5)
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=size).astype(np.float32) for size in ((4, 1, 3), (2, 7, 3), (2, 7, 3)))
    run = attention(q, k, v, np.ones((1, 7), bool))
    ops = by_name(operations(shape, 1, 6, kv_bits=32))
    assert ops["scores"].cache_bytes == run.k.nbytes and ops["context"].cache_bytes == run.v.nbytes
    assert ops["scores"].flops == 2 * run.scores.size * 3 and ops["softmax"].flops == 5 * run.scores.size
    assert ops["scores"].score_bytes == run.scores.size * 2


@pytest.mark.parametrize("name", MODELS)
def test_a_token_costs_two_flops_for_each_parameter_it_multiplies(name):
    shape = MODELS[name]
    linear = sum(op.flops for op in operations(shape, 1) if op.name not in ("scores", "softmax", "context"))
    looked_up = shape.n_vocab * shape.d_model * (not shape.style.tied)
    # What is left are norms, biases and learned positions, which are added or scaled, not multiplied.
    assert 0.98 < linear / 2 / (shape.n_active_params - looked_up) <= 1


@pytest.mark.parametrize("name", MODELS)
def test_weights_read_for_one_token_are_the_parameters_it_multiplies(name):
    shape = MODELS[name]
    for weight_bits in (16, 4):
        ops = operations(shape, 1, weight_bits=weight_bits)
        assert sum(op.weight_bytes for op in ops) == pytest.approx(
            sum(op.flops for op in ops if op.weight_bytes) * weight_bits / 16
        )


@pytest.mark.parametrize("name", MODELS)
def test_decode_reads_what_the_cache_holds(name):
    # One new token behind n: its own row is written by k and v (or the latent), n + 1 rows are read, windows permitting.
    shape, n_past = MODELS[name], 9000
    ops = by_name(operations(shape, 1, n_past))
    written = sum(ops[name].cache_bytes for name in "qkv")
    assert written == shape.kv_bytes_per_token()
    assert ops["scores"].cache_bytes + ops["context"].cache_bytes == shape.kv_bytes(n_past + 1)


def test_prefill_grows_with_the_square_and_decode_with_the_length():
    # Doubling the prompt quadruples the pairs; in decode each cached token adds 2 · n_head · (d_head + d_v) + 5 a head and layer.
    scores = [by_name(operations(LLAMA, n))["scores"].flops for n in (1000, 2000)]
    assert scores[1] / scores[0] == pytest.approx(4, rel=1e-3)
    per_token = LLAMA.n_layer * LLAMA.n_head * (2 * 128 + 2 * 128 + 5)
    assert decode_flops(LLAMA, 3000) - decode_flops(LLAMA, 2000) == 1000 * per_token


def test_linear_work_equals_attention_at_six_widths():
    # MHA and a 4x MLP: 24 d² against 4 d n FLOPs a token and layer, equal at n = 6 d.
    d = 4096
    shape = ModelShape("round", n_layer=1, d_model=d, n_head=32, n_kv_head=32, d_head=128, d_ff=4 * d, n_vocab=1)
    shape = replace(shape, style=replace(shape.style, gated_mlp=False))
    ops = by_name(operations(shape, 1, 6 * d - 1))
    linear = sum(ops[name].flops for name in ("q", "k", "v", "output", "mlp"))
    assert linear == 24 * d * d == ops["scores"].flops + ops["context"].flops


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 5))
def test_one_pass_or_token_by_token_the_same_arithmetic(n_tokens, n_past, batch):
    shape = MODELS["Gemma-2-9B"]
    whole = operations(shape, n_tokens, n_past, batch)
    steps = [operations(shape, 1, n_past + i, batch) for i in range(n_tokens)]
    for i, op in enumerate(whole):
        if op.name != "head":  # logits are computed once a pass
            assert op.flops == pytest.approx(sum(step[i].flops for step in steps))


def test_the_latent_is_expanded_in_prefill_and_read_once_in_decode():
    shape = MODELS["DeepSeek-V3"]
    prefill, decode = by_name(operations(shape, 16)), by_name(operations(shape, 1, 15))
    pairs = 61 * 128
    assert prefill["scores"].flops == 2 * pairs * visible_pairs(16) * 192
    assert decode["scores"].flops == 2 * pairs * 16 * (512 + 64) and decode["context"].flops == 2 * pairs * 16 * 512
    assert decode["scores"].cache_bytes == shape.kv_bytes(16) and decode["context"].cache_bytes == 0
    # What is expanded lives for this pass only and has 16 bits, whatever the cache has.
    narrow = by_name(operations(shape, 16, kv_bits=8))
    assert narrow["scores"].cache_bytes == prefill["scores"].cache_bytes == 61 * 128 * 16 * 192 * 2
    assert narrow["k"].cache_bytes == prefill["k"].cache_bytes / 2
    assert prefill["v"].flops / 16 == decode["v"].flops  # up-projection or absorption: the same products


def test_a_batch_visits_more_experts_than_a_token_and_never_all_for_certain():
    shape = MODELS["Mixtral-8x7B"]
    read = [by_name(operations(shape, 1, 0, batch))["mlp"].weight_bytes for batch in (1, 2, 8, 64)]
    router, one = 32 * 4096 * 8 * 2, 32 * 3 * 4096 * 14336 * 2
    assert read[0] == 2 * one + router
    # The second token finds each of its two taken with chance 2/8.
    assert read[1] == pytest.approx((2 + 2 * 6 / 8) * one + router)
    assert read[0] < read[1] < read[2] < read[3] < 8 * one + router
    assert sum(op.weight_bytes for op in operations(shape, 1)) / 2 < shape.n_active_params


def test_quantising_halves_what_is_moved_and_nothing_that_is_computed():
    full, half = by_name(operations(LLAMA, 1, 100)), by_name(operations(LLAMA, 1, 100, weight_bits=8, kv_bits=8))
    for name in NAMES:
        assert half[name].flops == full[name].flops and half[name].activation_bytes == full[name].activation_bytes
        assert half[name].weight_bytes == full[name].weight_bytes / 2 and half[name].cache_bytes == full[name].cache_bytes / 2
    assert prefill_flops(LLAMA, 10) == sum(op.flops for op in operations(LLAMA, 10))


def test_only_the_last_token_of_each_sequence_gets_logits():
    assert by_name(operations(LLAMA, 100, batch=3))["head"].flops == 3 * 2 * LLAMA.d_model * LLAMA.n_vocab


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 50))
def test_expected_experts(a, b, n_tokens):
    experts = Experts(n_expert=max(a, b), n_active=min(a, b), d_ff=1)
    assert experts_visited(experts, 1) == experts.n_active
    assert experts.n_active <= experts_visited(experts, n_tokens) * (1 + 1e-12)
    assert experts_visited(experts, n_tokens) <= min(experts.n_expert, n_tokens * experts.n_active) * (1 + 1e-12)


def test_softmax_moves_nothing_when_fused():
    softmax = by_name(operations(LLAMA, 8))["softmax"]
    assert softmax.bytes == 0 and softmax.arithmetic_intensity == float("inf") and softmax.unfused_bytes > 0


@pytest.mark.parametrize(("n_new", "n_past", "batch"), [(0, 0, 1), (1, -1, 1), (1, 0, 0), (1.0, 0, 1)])
def test_impossible_passes_are_refused(n_new, n_past, batch):
    with pytest.raises(ValueError, match="expected a whole number"):
        operations(LLAMA, n_new, n_past, batch)


# A model small enough to count by hand: 4 layers of width 8, 4 query heads and 2 key/value heads of 3, and so on.
BY_HAND = ModelShape("by hand", n_layer=4, d_model=8, n_head=4, n_kv_head=2, d_head=3, d_ff=20, n_vocab=50)


def layered(layer, **other):
    """The model with one layer that is different."""
    return replace(BY_HAND, layers=(layer, *(Layer(),) * 3), **other)


@pytest.mark.parametrize(("n_mixer", "n_state"), [(100, 7), (100, 0), (0, 7)])
def test_a_state_is_made_read_and_written(n_mixer, n_state):
    """5 tokens of 2 sequences: 10 rows meet the mixer's numbers and each number of the state twice, 2 operations a time."""
    shape = layered(Layer(kind="state", n_mixer=n_mixer, n_state=n_state))
    ops = operations(shape, 5, batch=2)
    state = by_name(ops)["state"]
    assert [op.name for op in ops] == [*NAMES[:7], "state", *NAMES[7:]]
    through = 10 * (n_mixer / 8 + 2 * 8 * bool(n_mixer)) * 2  # a row of 8 in, one out, and at the matrices' other sides 100 / 8
    assert state == Operation("state", 2 * 10 * (n_mixer + 2 * n_state), n_mixer * 2, through, cache_bytes=2 * 2 * n_state * 4)
    assert by_name(ops)["q"].flops == 2 * 10 * 3 * 8 * 12  # a layer with a state alone asks nothing
    assert "state" not in by_name(operations(BY_HAND, 5))


@pytest.mark.parametrize("shared", [0, 7])
def test_what_moves_through_experts(shared):
    """One dense layer, three with 2 of 6 experts of 5: a row goes in once for each matrix, and comes out; the router's 6 scores."""
    experts = Experts(n_expert=6, n_active=2, d_ff=5, d_ff_shared=shared, dense_layers=(0,))
    op = by_name(operations(replace(BY_HAND, experts=experts), 1, 9))["mlp"]
    moved = 3 * (8 + 20) + 3 * (3 * (8 * (2 + (shared > 0)) + 2 * 5 + shared) + 8 + 6)
    weights = 3 * 8 * 20 + 3 * (3 * 8 * (2 * 5 + shared) + 8 * 6)
    assert (op.activation_bytes, op.flops, op.weight_bytes) == (2 * moved, 2 * weights, 2 * weights)


def test_numbers_that_the_blocks_do_not_explain_are_multiplied_once():
    more, less = (by_name(operations(replace(BY_HAND, n_extra=n), 5))["mlp"] for n in (1000, 0))
    assert more.flops - less.flops == 2 * 5 * 1000 and more.weight_bytes - less.weight_bytes == 2 * 1000


def test_layers_that_differ_are_added_up():
    """Two caches in a layer are two attentions; an index is one more product, and is kept; results go to no cache but k and v's."""
    usual, twice = (by_name(operations(shape, 5)) for shape in (BY_HAND, layered(Layer(n_cache=2))))
    for name in ("q", "k", "v", "output", "scores", "context"):
        assert twice[name].flops == usual[name].flops * 5 / 4, name
    indexed = by_name(operations(layered(Layer(d_index=6, n_index=3)), 5))
    assert (indexed["index"].flops, indexed["index"].cache_bytes) == (2 * 15 * 3 * 6, 5 * 6 * 2)  # 15 pairs in sight
    assert indexed["k"].flops - usual["k"].flops == 2 * 5 * 8 * 6
    assert indexed["k"].cache_bytes - usual["k"].cache_bytes == 5 * 6 * 2
    assert usual["output"].cache_bytes == 0 and usual["output"].activation_bytes == 5 * 4 * (12 + 8) * 2
    latent = MODELS["DeepSeek-V2-Lite"]
    latent = replace(latent, latent=replace(latent.latent, q_rank=99))
    windowed = replace(latent, windows=(0, 4) * (latent.n_layer // 2) + (0,) * (latent.n_layer % 2))
    assert by_name(operations(windowed, 3))["q"] == by_name(operations(latent, 3))["q"]


def test_an_eight_bit_cache_is_half_as_many_bytes():
    """Of a dense prefill and of latents behind a cache; latents that a first prefill expands stay 16-bit."""
    for shape, n_new, n_past, share in ((BY_HAND, 5, 0, 2), (MODELS["DeepSeek-V3"], 1, 5, 2), (MODELS["DeepSeek-V3"], 5, 0, 1)):
        wide, narrow = (by_name(operations(shape, n_new, n_past, kv_bits=bits))["scores"].cache_bytes for bits in (16, 8))
        assert wide == share * narrow > 0


def test_a_layer_that_borrows_keys_has_the_matrices_of_its_own():
    """As Gemma 3n's checkpoints have them, though nothing asks for their results."""
    assert layered(Layer(kind="borrowed")).n_params == BY_HAND.n_params > layered(Layer(kind="none")).n_params


def test_the_head_makes_the_last_tokens_logits_and_keeps_nothing():
    head = by_name(operations(BY_HAND, 5, batch=3, kv_bits=8))["head"]
    assert head == Operation("head", 2 * 3 * 8 * 50, 8 * 50 * 2, 3 * (8 + 50) * 2)


def test_pairs_and_keys_are_whole_numbers_and_need_no_window():
    assert all(type(n) is int for n in (visible_pairs(5), visible_pairs(5, 3), visible_pairs(5, 3, 4), dense_pairs(5, 3)))
    assert (keys_seen(2), keys_seen(2, 3)) == (2, 5)


@pytest.mark.parametrize("name", ["n_new", "n_past", "batch", "weight_bits", "kv_bits"])
def test_what_is_wrong_is_named(name):
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        operations(BY_HAND, **{"n_new": 1, name: -1})
