"""One request in seconds, points under the roof, and what others measured."""

import pytest

from engine.cost import DEVICES, MODELS, Device, Operation, decode_flops, operations, pass_s, prefill_flops, tpot_s, ttft_s
from engine.cost.desk.published_times import TENSORRT_LLM
from engine.cost.requests import request
from engine.cost.roofline_points import points, roof, whole_pass

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


@pytest.mark.parametrize(("n_prompt", "n_generated"), [(1, 1), (4, 2), (2048, 200), (7, 33)])
def test_the_mean_step_is_the_mean_of_the_steps(n_prompt, n_generated):
    r = request(SHAPE, n_prompt, n_generated, DEVICE, batch=3, kv_bits=8)
    steps = [tpot_s(SHAPE, n_prompt + i, DEVICE, 3, kv_bits=8) for i in range(n_generated - 1)]
    whole_answer = ttft_s(SHAPE, n_prompt, DEVICE, 3, kv_bits=8) + sum(steps)
    assert r.end_to_end_s == pytest.approx(whole_answer, rel=1e-4)
    if steps:
        assert steps[0] <= r.tpot_s <= steps[-1]


def test_a_batch_counts_in_every_sum():
    """Mutants that forgot the batch of a prefill's FLOPs or of its time survived."""
    assert prefill_flops(SHAPE, 100, 3) == 3 * prefill_flops(SHAPE, 100) and decode_flops(SHAPE, 100, 3) == 3 * decode_flops(
        SHAPE, 100
    )
    assert ttft_s(SHAPE, 5000, DEVICE, 4) == pytest.approx(4 * ttft_s(SHAPE, 5000, DEVICE))  # all of it arithmetic
    r = request(SHAPE, 7, 3, DEVICE)
    assert (r.n_prompt, r.n_generated) == (7, 3)


# 1,000 FLOP/s on 16-bit numbers, 2,000 on 8-bit ones, 100 bytes a second: ridges at 10 and 20.
ROUND = Device("round", 10**9, 100.0, 1000.0, flops8_per_s=2000.0)


@pytest.mark.parametrize(
    ("flops", "n_bytes", "n_devices", "bits", "height", "seconds", "busy", "waits_for"),
    [
        (50, 10, 1, 16, 500, 0.1, 0.5, "memory"), (1000, 10, 1, 16, 1000, 1.0, 1, "compute"),
        (100, 10, 1, 16, 1000, 0.1, 1, "compute"), (150, 10, 1, 8, 1500, 0.1, 0.75, "memory"),
        (1000, 10, 1, 8, 2000, 0.5, 1, "compute"), (1000, 10, 4, 16, 4000, 0.25, 1, "compute"),
    ],
)  # fmt: skip
def test_a_point_stands_on_the_roof(flops, n_bytes, n_devices, bits, height, seconds, busy, waits_for):
    """By hand: min(peak, intensity · bandwidth), on every device."""
    (p,) = points((Operation("mlp", flops, weight_bytes=n_bytes, bits=bits),), ROUND, n_devices)
    assert (p.flops_per_s, p.seconds, p.busy, p.waits_for) == pytest.approx((height, seconds, busy, waits_for))
    assert roof(flops / n_bytes, ROUND, n_devices, bits) == height
    (attention,) = points((Operation("scores", flops, cache_bytes=n_bytes, bits=bits),), ROUND, n_devices)
    assert attention.seconds == seconds  # attention computes with the cache's numbers


def test_a_pass_of_both_kinds_of_numbers_computes_each_at_its_rate():
    ops = (Operation("mlp", 1000, weight_bytes=1, bits=8), Operation("scores", 1000, cache_bytes=1))
    assert whole_pass("pass", ops, ROUND).seconds == 1000 / 2000 + 1000 / 1000
    mixture = Operation("mlp", 1500, weight_bytes=1, expert_flops=1000, expert_bits=8.25)  # a router's FLOPs beside its experts'
    assert whole_pass("pass", (mixture,), ROUND).seconds == 1000 / 2000 + 500 / 1000


def test_a_decode_step_stands_at_one_and_prefill_far_right_of_the_ridge():
    prefill = whole_pass("prefill", operations(SHAPE, 2048), DEVICE)
    decode = whole_pass("decode", operations(SHAPE, 1, 2048), DEVICE)
    assert prefill.waits_for == "compute" and prefill.arithmetic_intensity > 1000
    assert decode.waits_for == "memory" and decode.arithmetic_intensity == pytest.approx(1.05, abs=0.01)
    assert decode.seconds == pytest.approx(pass_s(SHAPE, 1, DEVICE, 2048), rel=0.07)  # which counts the embedding table as well


def test_published_measurements_lie_above_the_bound():
    # TensorRT-LLM 0.9.0, docs/source/performance.md.
    assert {(m.model, m.n_new): m.measured_s for m in TENSORRT_LLM}["Llama-2-7B", 128] == 0.0162
    assert all(0.25 * m.measured_s < m.bound_s < m.measured_s for m in TENSORRT_LLM)
    assert TENSORRT_LLM[0].bound_s * 1e3 == pytest.approx(6.51, abs=0.005)
    assert TENSORRT_LLM[1].bound_s * 1e3 == pytest.approx(88.6, abs=0.05)
