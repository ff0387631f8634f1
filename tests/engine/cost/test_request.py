"""One request in seconds, points under the roof, what others measured, and an answer with a clock in hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Scenario
from engine.cost import DEVICES, MODELS, decode_flops, operations, pass_s, prefill_flops, tpot_s, ttft_s
from engine.cost.published_times import TENSORRT_LLM
from engine.cost.requests import answer_flops, recomputed_flops, recomputed_s, request
from engine.cost.roofline_points import points, roof, whole
from engine.timing.one_answer import time_answer

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


@pytest.mark.parametrize(("n_prompt", "n_generated"), [(1, 1), (4, 2), (2048, 200), (7, 33)])
def test_the_mean_step_is_the_mean_of_the_steps(n_prompt, n_generated):
    r = request(SHAPE, n_prompt, n_generated, DEVICE, batch=3, kv_bits=8)
    steps = [tpot_s(SHAPE, n_prompt + i, DEVICE, 3, kv_bits=8) for i in range(n_generated - 1)]
    whole_answer = ttft_s(SHAPE, n_prompt, DEVICE, 3, kv_bits=8) + sum(steps)
    assert r.end_to_end_s == pytest.approx(whole_answer, rel=1e-4)
    if steps:
        assert (r.first_step_s, r.last_step_s) == (steps[0], steps[-1])
        assert r.first_step_s <= r.tpot_s <= r.last_step_s


@pytest.mark.parametrize(("n_prompt", "n_generated"), [(10, 5), (2048, 64), (2048, 65), (100, 3000)])
def test_sums_over_an_answer_are_those_of_its_passes(n_prompt, n_generated):
    lengths = range(n_prompt, n_prompt + n_generated)
    assert recomputed_s(SHAPE, n_prompt, n_generated, DEVICE) == pytest.approx(
        sum(ttft_s(SHAPE, n, DEVICE) for n in lengths), rel=1e-3
    )
    assert recomputed_flops(SHAPE, n_prompt, n_generated) == pytest.approx(
        sum(prefill_flops(SHAPE, n) for n in lengths), rel=1e-3
    )
    exact = prefill_flops(SHAPE, n_prompt) + sum(decode_flops(SHAPE, n) for n in lengths[:-1])
    assert answer_flops(SHAPE, n_prompt, n_generated) == pytest.approx(exact, rel=1e-9)


def test_the_first_token_costs_the_same_with_and_without_a_cache():
    assert recomputed_s(SHAPE, 500, 1, DEVICE) == request(SHAPE, 500, 1, DEVICE).end_to_end_s
    assert answer_flops(SHAPE, 500, 1) == recomputed_flops(SHAPE, 500, 1)


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(MODELS)), st.sampled_from(sorted(DEVICES)), st.integers(1, 5000), st.integers(0, 5000),
    st.integers(1, 64), st.integers(1, 8),
)  # fmt: skip
def test_points_lie_on_the_roof_and_none_is_above(model, device, n_new, n_past, batch, n_devices):
    on = DEVICES[device]
    ops = operations(MODELS[model], n_new, n_past, batch)
    for p in (*points(ops, on, n_devices), whole("pass", ops, on, n_devices)):
        if p.bytes:
            assert p.flops_per_s == pytest.approx(roof(p.arithmetic_intensity, on, n_devices))
            assert p.waits_for == ("compute" if p.arithmetic_intensity >= on.ridge else "memory")
    assert roof(on.ridge, on, n_devices) == pytest.approx(n_devices * on.flops_per_s)


def test_a_decode_step_stands_at_one_and_prefill_far_right_of_the_ridge():
    prefill = whole("prefill", operations(SHAPE, 2048), DEVICE)
    decode = whole("decode", operations(SHAPE, 1, 2048), DEVICE)
    assert prefill.waits_for == "compute" and prefill.arithmetic_intensity > 1000
    assert decode.waits_for == "memory" and decode.arithmetic_intensity == pytest.approx(1.05, abs=0.01)
    assert decode.seconds == pytest.approx(pass_s(SHAPE, 1, DEVICE, 2048), rel=0.07)  # which counts the embedding table as well


def test_published_measurements_lie_above_the_bound():
    # TensorRT-LLM 0.9.0, docs/source/performance.md.
    assert {(m.model, m.n_prompt): m.measured_s for m in TENSORRT_LLM}["Llama-2-7B", 128] == 0.0162
    assert all(0.25 * m.measured_s < m.bound_s < m.measured_s for m in TENSORRT_LLM)
    assert TENSORRT_LLM[0].bound_s * 1e3 == pytest.approx(6.51, abs=0.005)
    assert TENSORRT_LLM[1].bound_s * 1e3 == pytest.approx(88.6, abs=0.05)


def test_an_answer_is_timed_pass_by_pass():
    ticks = iter(range(10_000))
    scenario = Scenario.article()
    timed = time_answer(scenario.model(), scenario.prompt_ids, 4, runs=3, clock=lambda: next(ticks))
    assert (timed.n_prompt, timed.n_generated, timed.n_tokens, timed.kv_bytes) == (4, 4, 7, 7 * 520)
    # A clock that moves by 1 at each look, and it is looked at after every pass: four passes, with a cache and without.
    assert (timed.ttft_s, timed.tpot_s, timed.end_to_end_s, timed.recomputed_s) == (1, 1, 4, 4)
    assert timed.end_to_end_s == pytest.approx(timed.ttft_s + 3 * timed.tpot_s)
