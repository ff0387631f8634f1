"""What holds of every run: tokens once and in order, memory within its limit, nobody passed over, Little's law, and cost's times."""

import time

import numpy as np
import pytest
from one_second_steps import DEVICE, SHAPE, ticking, with_blocks

from engine.cost import Device, ModelShape, prefill_flops, tpot_s, ttft_s
from engine.serving import Request, Setup, poisson, simulate
from engine.serving.scheduler import steps
from engine.serving.scheduler.policies import POLICIES

LOAD = dict(n_prompt=(300, 200), n_answer=(90, 60), n_shared=64)
TIGHT = 120 * 16 * SHAPE.kv_bytes(1)  # bytes: some five requests at once
SETUPS = {
    "ample": Setup(SHAPE, DEVICE),
    "tight": Setup(SHAPE, DEVICE, memory_bytes=TIGHT, max_batch=48, max_batched_tokens=256),
    "several": Setup(SHAPE, DEVICE, memory_bytes=TIGHT, n_instances=3, n_prefill=2, n_decode=3, n_devices=2),
}


@pytest.fixture(scope="module", params=[(policy, setup) for policy in POLICIES for setup in SETUPS], ids="-".join)
def any_run(request):
    policy, setup = request.param
    return simulate(poisson(25.0, 300, seed=1, **LOAD), SETUPS[setup], policy), SETUPS[setup]


def n_first(run, setup):
    """Instances that compute prompts only."""
    return min(setup.n_prefill, len(run.requests)) if run.policy == "disaggregated" else 0


def retold(run, instance, n_prompt, n_answer):
    """Play an instance's stretches once more, and hold each against what its members have."""
    n_cached, n_made, first, moved = np.zeros(len(n_prompt), int), np.zeros(len(n_prompt), int), [], set()
    two_stages = run.policy == "disaggregated" and any(len(s.decoding) for s in run.stretches[instance])
    n_made += two_stages
    for stretch in run.stretches[instance]:
        for i, n_past, n_new in stretch.prompts:
            assert n_past == n_cached[i] or (n_past % 16 == 0 and n_past <= 64)  # goes on, or begins (again) behind shared blocks
            n_cached[i] = n_past + n_new
            assert n_cached[i] <= n_prompt[i] + n_made[i]
            first += [] if i in moved else [i]
            moved.add(i)
            n_made[i] += n_cached[i] == n_prompt[i] + n_made[i]
        for i in stretch.decoding.tolist():
            if two_stages and i not in moved:
                n_cached[i] = n_prompt[i]
                moved.add(i)
            assert n_cached[i] == n_prompt[i] + n_made[i] - 1 or run.policy == "static"
            n_cached[i] += stretch.n_steps
            n_made[i] += stretch.n_steps
    assert n_made.tolist() == n_answer.tolist()
    return first


def test_tokens_have_the_times_that_their_run_says(any_run):
    """As many as the answer has; the first after its TTFT, the last when all is done, and the longest gap is the run's."""
    run, _ = any_run
    for i in range(0, len(run.requests), 12):
        times = run.token_times_s(i)
        assert len(times) == run.requests[i].n_answer
        assert times[0] == pytest.approx(run.requests[i].arrival_s + run.ttft_s[i]) and times[-1] == run.finished_s[i]
        assert np.diff(times, prepend=times[0]).max() == pytest.approx(run.longest_gap_s[i])


def test_every_token_is_made_once_and_in_order_and_who_came_first_begins_first(any_run):
    run, setup = any_run
    n_prompt, n_answer = (np.array([getattr(r, name) for r in run.requests]) for name in ("n_prompt", "n_answer"))
    for k, ids in enumerate(run.ids):
        answers = np.ones(len(ids), int) if k < n_first(run, setup) else n_answer[ids]
        first = retold(run, k, n_prompt[ids], answers)
        assert first == sorted(first)
    served = np.concatenate(run.ids[: n_first(run, setup)] or run.ids)
    assert sorted(served) == list(range(len(run.requests)))  # everybody was


def test_memory_and_places_and_the_budget_are_never_more_than_there_are(any_run):
    run, setup = any_run
    assert run.steps.kv_bytes.max() <= setup.n_blocks * setup.block_bytes <= setup.cache_room
    assert run.steps.sequences.max() <= setup.max_batch and run.steps.waiting.min() >= 0
    if run.policy == "chunked":
        assert (run.steps.prefill_tokens + run.steps.decode_tokens).max() <= setup.max_batched_tokens


def test_steps_follow_one_another_and_a_token_comes_after_its_request(any_run):
    run, _ = any_run
    for k in range(len(run.ids)):
        of = run.steps.instance == k
        ends = (run.steps.start_s + run.steps.duration_s)[of]
        assert (run.steps.start_s[of][1:] >= ends[:-1] - 1e-9).all() and (run.steps.duration_s > 0).all()
    assert (run.ttft_s > 0).all() and not (run.tpot_s <= 0).any()
    assert (run.longest_gap_s >= np.nan_to_num(run.tpot_s) - 1e-9).all()


def test_littles_law(any_run):
    """∫ requests in the house dt = Σ their times in it, but for the rest of the step in which each came: it counts from the next
    one on. A cache on its way between two machines is in neither."""
    run, setup = any_run
    arrivals = np.array([r.arrival_s for r in run.requests])
    came, left, missed, inside = [arrivals], [run.finished_s], 0.0, 0.0
    if run.policy == "disaggregated":
        first = arrivals + run.ttft_s
        came, left = [arrivals, first + [setup.transfer_s(r.n_prompt) for r in run.requests]], [first, run.finished_s]
    for k, ids in enumerate(run.ids):
        stage = int(run.policy == "disaggregated" and k >= n_first(run, setup))
        starts = run.steps.start_s[run.steps.instance == k]
        inside += (left[stage][ids] - came[stage][ids]).sum()
        missed += (starts[np.searchsorted(starts, came[stage][ids] - 1e-9)] - came[stage][ids]).sum()
    counted = (run.steps.duration_s * (run.steps.waiting + run.steps.sequences - run.steps.padded)).sum()
    assert counted + missed == pytest.approx(inside) and -1e-6 < missed < inside


def test_the_same_seed_is_the_same_run_and_another_is_not():
    a, b, c = (simulate(poisson(12.0, 100, seed=seed, **LOAD), SETUPS["tight"], "chunked") for seed in (0, 0, 1))
    assert np.array_equal(a.finished_s, b.finished_s) and not np.array_equal(a.finished_s, c.finished_s)


@pytest.mark.parametrize("policy", POLICIES)
def test_steps_taken_together_are_those_taken_one_by_one(policy, monkeypatch):
    load = poisson(25.0, 120, seed=2, **LOAD)
    together = simulate(load, SETUPS["tight"], policy)
    monkeypatch.setattr(steps, "MOST_CELLS", 1)
    alone = simulate(load, SETUPS["tight"], policy)
    assert max(map(len, together.stretches)) < max(map(len, alone.stretches))
    assert policy == "static" or (together.n_preempted.sum() > 0 and together.n_hit.sum() > 0)  # all that can happen did
    for name in ("ttft_s", "finished_s", "longest_gap_s", "n_preempted"):
        assert np.array_equal(getattr(together, name), getattr(alone, name))
    for name in ("start_s", "duration_s", "kv_bytes", "waiting", "sequences"):
        assert np.array_equal(getattr(together.steps, name), getattr(alone.steps, name))


@pytest.mark.parametrize("policy", POLICIES)
def test_one_request_takes_what_cost_says(policy):
    setup = Setup(SHAPE, DEVICE, n_devices=2, weight_bits=8, kv_bits=8)
    more = dict(n_devices=2, weight_bits=8, kv_bits=8)
    run = simulate([Request(3.0, 700, 50)], setup, policy)
    steps_s = [tpot_s(SHAPE, 700 + j, DEVICE, **more) for j in range(49)]
    moved = setup.transfer_s(700) if policy == "disaggregated" else 0
    assert run.ttft_s == pytest.approx([ttft_s(SHAPE, 700, DEVICE, **more)])
    assert run.tpot_s == pytest.approx([(sum(steps_s) + moved) / 49])
    assert run.longest_gap_s == pytest.approx([max(steps_s[0] + moved, steps_s[-1])])


def one_at_a_time(prefill_s, n_tokens=512):
    """A device that computes a prompt of n_tokens in this time, and a setup in which prompts go one by one."""
    device = Device("as fast", 80 * 10**9, 1e18, prefill_flops(SHAPE, n_tokens) / prefill_s)
    return Setup(SHAPE, device, max_batched_tokens=n_tokens)


def md1_ttft_s(prefill_s, rate_per_s, n_stages=1, speed_up=1.0):
    """Mean time to first token of a device that computes one prompt after another: M/D/1, D + R D² / (2 (1 − R D)). n_stages: layers
    divided between so many devices; speed_up: layers divided within, which makes a prompt so much faster."""
    alone = prefill_s / speed_up
    stage = alone / n_stages
    busy = rate_per_s * stage
    return alone + rate_per_s * stage**2 / (2 * (1 - busy)) if busy < 1 else np.inf


def waits(gaps_s, service_s):
    """Lindley's recursion W′ = max(0, W + D − gap), for all at once: a running sum less its least value so far."""
    walk = np.concatenate([[0.0], np.cumsum(service_s - gaps_s[1:])])
    return walk - np.minimum.accumulate(walk)


@pytest.mark.parametrize(("rate", "mean"), [(1.0, 0.1056), (5.0, 0.150), (9.0, 0.550)])
def test_prompts_one_by_one_are_the_queue_of_the_textbook(rate, mean):
    """DistServe (arXiv 2401.09670), §3, with D = .1 s: the simulation is Lindley's recursion, and that is M/D/1 at length."""
    load = poisson(rate, 2000, (512, 0), (1, 0), seed=3)
    run = simulate(load, one_at_a_time(0.1), "continuous")
    gaps = np.diff([0.0, *(r.arrival_s for r in load)])
    assert run.ttft_s == pytest.approx(0.1 + waits(gaps, 0.1))
    assert md1_ttft_s(0.1, rate) == pytest.approx(mean, abs=5e-4)
    many = np.random.default_rng(4).exponential(1 / rate, 2_000_000)
    assert 0.1 + waits(many, 0.1).mean() == pytest.approx(md1_ttft_s(0.1, rate), rel=0.02)
    error = waits(many, 0.1).reshape(-1, 2000).mean(axis=1).std()  # of the mean of as many
    assert abs(run.ttft_s.mean() - md1_ttft_s(0.1, rate)) < 3 * error


def test_layers_divided_between_or_within_devices():
    """DistServe §3.1: D + R D² / (4 (2 − R D)) and D/K + R D² / (2K (K − R D)); below the crossing the second is shorter."""
    d, k = 0.1, 1.8
    for rate in (1.0, 5.0, 12.0, 17.0):
        assert md1_ttft_s(d, rate, n_stages=2) == pytest.approx(d + rate * d**2 / (4 * (2 - rate * d)))
        assert md1_ttft_s(d, rate, speed_up=k) == pytest.approx(d / k + rate * d**2 / (2 * k * (k - rate * d)))
    assert md1_ttft_s(d, 1.0, speed_up=k) < md1_ttft_s(d, 1.0, n_stages=2)
    assert md1_ttft_s(d, 17.0, speed_up=k) > md1_ttft_s(d, 17.0, n_stages=2)
    assert md1_ttft_s(d, 10.0) == md1_ttft_s(d, 20.0, n_stages=2) == np.inf


def test_the_cache_of_a_prompt_on_its_way():
    """DistServe §3.3: a prompt of 512 tokens of OPT-66B has 1.13 GB of cache; ten a second are 90 Gibit/s."""
    shape = ModelShape("OPT-66B", n_layer=64, d_model=9216, n_head=72, n_kv_head=72, d_head=128, d_ff=36864, n_vocab=50272)
    assert shape.kv_bytes(512) == 1_207_959_552
    assert 10 * shape.kv_bytes(512) * 8 == 90 * 2**30
    assert 10 * Setup(shape, DEVICE, n_devices=4, link_bytes_per_s=90 * 2**30 / 8).transfer_s(512) == 1


def test_two_thousand_requests_take_less_than_two_seconds():
    load = poisson(rate_per_s=4.0, n=2000, n_prompt=(512, 256), n_answer=(128, 64), seed=0)
    for policy in ("continuous", "chunked"):
        began = time.process_time()
        run = simulate(load, SETUPS["ample"], policy)
        assert time.process_time() - began < 2 and len(run.steps) > 2000


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (dict(max_batch=0), "max_batch"), (dict(max_batched_tokens=100), "max_batched_tokens"), (dict(n_instances=65), "n_instances"),
        (dict(memory_bytes=100), "block"), (dict(link_bytes_per_s=0), "link"), (dict(n_devices=1.5), "n_devices"),
    ],
)  # fmt: skip
def test_a_setup_that_cannot_be_is_refused(change, word):
    with pytest.raises(ValueError, match=word):
        Setup(SHAPE, DEVICE, **change)


def test_requests_that_cannot_be_are_refused():
    for wrong in (
        dict(arrival_s=-1),
        dict(arrival_s=float("nan")),
        dict(n_prompt=0),
        dict(n_answer=2**21),
        dict(block_keys=("a",) * 2),
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Request(**dict(arrival_s=0.0, n_prompt=16, n_answer=1) | wrong)
    for wrong in (dict(rate_per_s=0), dict(n=0), dict(n_prompt=(5, 6)), dict(n_answer=(0, 0)), dict(n_shared=-1)):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            poisson(**dict(rate_per_s=1.0, n=5, n_prompt=(5, 0), n_answer=(5, 0)) | wrong)
    for given, setup, policy, word in (
        ([Request(0, 65, 1)], with_blocks(4), "chunked", "64"), ([Request(0, 131_000, 100)], ticking(), "chunked", "131,072"),
        ([], ticking(), "chunked", "requests"), ([Request(0, 1, 1)], ticking(), "fair", "policy"),
        ([Request(0, 1, 2**20)] * 3, ticking(), "chunked", "answers"), ([3], ticking(), "chunked", "Request"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=word):
            simulate(given, setup, policy)


def test_lengths_have_the_mean_and_the_spread_that_are_asked_for():
    load = poisson(4.0, 20_000, (512, 256), (128, 0), seed=5)
    prompts = np.array([r.n_prompt for r in load])
    assert prompts.mean() == pytest.approx(512, rel=0.01) and prompts.std() == pytest.approx(256, rel=0.05)
    assert {r.n_answer for r in load} == {128} and load[-1].arrival_s == pytest.approx(5000, rel=0.03)
    assert [r.n_prompt for r in poisson(9.0, 20_000, (512, 256), (128, 0), seed=5)] == prompts.tolist()
