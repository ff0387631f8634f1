"""One call that sizes a model on devices: its estimate against published times, and the laws between what it answers."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cost import DEVICES, MODELS, Demand, Efficiency, estimated_s, largest_batch, pass_s, sizing
from engine.cost.desk.published_times import GPT_FAST, PUBLISHED, furthest_off

CASES = st.tuples(
    st.sampled_from(["Llama-3.1-8B", "DeepSeek-V3", "Gemma-3-27B", "gpt-oss-20b", "Llama-3.1-70B"]), st.sampled_from([1, 2, 8]),
    st.integers(1, 20_000), st.integers(1, 2000), st.floats(0, 1), st.sampled_from([math.inf, 0.05, 0.005]),
)  # fmt: skip


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda m: f"{m.model}-{m.n_devices}-{m.n_new}")
def test_the_estimate_is_within_35_percent_of_what_was_published(case):
    assert case.bound_s < case.estimate_s() and abs(case.estimate_s() / case.measured_s - 1) < 0.35
    assert furthest_off() < 0.35


def test_published_steps_are_those_of_gpt_fasts_readme():
    """github.com/pytorch-labs/gpt-fast, README, "Tensor Parallelism": 104.9 tokens a second, 62.50 of the 70B on eight."""
    assert GPT_FAST[0].measured_s == pytest.approx(1 / 104.9) and GPT_FAST[-1].measured_s == pytest.approx(0.016)
    assert all(m.bound_s < m.measured_s for m in GPT_FAST)


def test_a_bound_is_what_an_estimate_becomes_where_everything_is_reached():
    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    all_of_it = Efficiency(1.0, 1.0)
    assert 1 < estimated_s(shape, 1, device, 2048, 8, all_of_it) / pass_s(shape, 1, device, 2048, 8) < 1.1  # one waits for memory
    two = [estimated_s(shape, 64, device, n_devices=2, efficiency=Efficiency(link_bytes_per_s=rate)) for rate in (1e12, 1e9)]
    sums = 2 * 32 * 64 * 4096 * 2  # two a layer, one row of 4,096 16-bit numbers for each of 64 tokens, 2 (n − 1) / n = 1
    assert two[1] - two[0] == pytest.approx(sums * (1e-9 - 1e-12))


@pytest.mark.parametrize("wrong", [dict(mfu=0), dict(mbu=1.1), dict(mfu=math.nan), dict(link_bytes_per_s=0), dict(message_s=-1)])
def test_rates_that_nothing_reaches_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))}.*: expected"):
        Efficiency(**wrong)


@pytest.mark.parametrize(
    "wrong", [dict(n_ctx=0), dict(n_prompt=0), dict(cached_share=2), dict(ttft_limit_s=0), dict(tpot_limit_s=math.nan)]
)
def test_a_demand_that_nobody_can_have_is_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))}: expected"):
        Demand(**wrong)


@settings(max_examples=40, deadline=None)
@given(CASES)
def test_what_is_answered_fits_together(case):
    name, n_devices, n_prompt, n_generated, share, limit = case
    shape, device = MODELS[name], DEVICES["H200"]
    demand = Demand(8192, n_prompt, n_generated, share, tpot_limit_s=limit)
    setup = dict(weight_bits=8, n_devices=n_devices)
    found = sizing(shape, device, demand, usable=0.9, **setup)
    assert found.n_full == largest_batch(shape, 8192, device, usable=0.9, **setup)
    assert 0 <= found.batch <= found.n_typed and found.stops == ("memory" if found.batch == found.n_typed else "tpot")
    for times in (found.ttft, found.tpot):
        assert 0 < times.bound_s <= times.estimate_s
    step = [estimated_s(shape, 1, device, demand.n_middle, b, **setup) for b in (max(found.batch, 1), found.batch + 1)]
    assert step[0] == found.tpot.estimate_s and (step[0] <= limit if found.batch and n_generated > 1 else True)
    assert (step[1] > limit and n_generated > 1) or found.stops == "memory"
    prices = found.prices(10.0)
    assert (prices is None) == (found.batch == 0)
    if prices:
        assert prices.cached <= prices.input  # what is found need not be computed
        found_and_computed = prices.input * (demand.n_prompt - demand.n_cached) + prices.cached * demand.n_cached
        total = found_and_computed + prices.output * n_generated
        assert prices.blended * (n_prompt + n_generated) == pytest.approx(total)


def test_a_limit_that_the_prompt_alone_exceeds_serves_nobody():
    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    found = sizing(shape, device, Demand(ttft_limit_s=0.01))
    assert (found.batch, found.stops, found.prices(1.0)) == (0, "ttft", None)
    half = sizing(shape, device, Demand(cached_share=0.99, ttft_limit_s=0.05))  # a cache makes it possible
    assert half.batch and half.ttft.estimate_s < 0.05


def test_a_batch_that_is_asked_for_runs_where_it_fits():
    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    most = sizing(shape, device, Demand()).batch
    asked = [sizing(shape, device, Demand(batch=n)) for n in (8, most, most + 1)]
    assert [(one.batch, one.stops) for one in asked] == [(8, ""), (most, ""), (most, "memory")]
    assert asked[0].energy_j(400) == pytest.approx(400 * asked[0].answer_s)
