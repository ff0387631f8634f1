"""Goodput and its knee: how many are served in time, up to which rate most are, and among how many instances a load is divided."""

import numpy as np
import pytest
from one_second_steps import DEVICE, SHAPE, requests, ticking

from engine.serving import Knee, Request, Setup, goodput, knee, knee_so_far, poisson, simulate
from engine.serving.scheduler.goodput import HIGHEST, LOWEST, MOST_TRIED


def test_the_share_within_both_limits():
    """One place: they come one after the other, and wait 1, 3 and 5 s; gaps are one second."""
    run = simulate(requests((0, 8, 2), (0, 8, 2), (0, 8, 1)), ticking(max_batch=1), "continuous")
    assert run.ttft_s.tolist() == [1, 3, 5]
    shares = [goodput(run, ttft, 1) for ttft in (0.5, 1, 3, 5)]
    assert shares == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert goodput(run, 5, 0.5) == pytest.approx(1 / 3)  # an answer of one token has no gap to be late
    with pytest.raises(ValueError, match="tpot_s"):
        goodput(run, 1, 0)


def test_the_knee_of_evenly_spaced_prompts_is_one_over_their_time():
    """A prompt takes a second: closer together than that, each waits longer than the one before."""
    evenly = lambda rate: [Request(k / rate, 8, 1) for k in range(400)]  # noqa: E731
    found = knee(lambda rate: simulate(evenly(rate), ticking(max_batch=1), "continuous"), 1.5, 1)
    assert found.rate_per_s == pytest.approx(1, rel=0.02)
    assert [found.n_instances(rate) for rate in (0.1, found.rate_per_s, 2.5 * found.rate_per_s)] == [1, 1, 3]


def test_below_the_knee_the_promise_is_kept_and_above_it_is_not():
    setup, limits = Setup(SHAPE, DEVICE), (0.2, 0.05)
    found = knee(lambda rate: simulate(poisson(rate, 200, (512, 256), (64, 32), seed=1), setup, "chunked"), *limits)
    rates, shares = np.array(found.tried).T
    assert 1 < found.rate_per_s < 100
    assert all(shares[rates <= found.rate_per_s] >= 0.9) and all(shares[rates > found.rate_per_s] < 0.9)
    assert min(rates[rates > found.rate_per_s]) / found.rate_per_s <= 1.021


def test_a_promise_that_one_alone_breaks_has_no_knee():
    found = knee(lambda rate: simulate(poisson(rate, 20, (512, 0), (8, 0)), ticking(), "chunked"), 0.5, 0.5)
    assert found.rate_per_s == 0 and found.n_instances(1.0) is None
    assert Knee(2.0, ()).n_instances(4.0) == 2
    with pytest.raises(ValueError, match="share"):
        knee(lambda rate: None, 1, 1, share=0)


@pytest.mark.parametrize("wanted", [0, 2 * LOWEST, 0.3, 1.0, 37.0, 9999.0, 2 * HIGHEST])
def test_the_search_ends_wherever_the_knee_is(wanted, monkeypatch):
    monkeypatch.setattr("engine.serving.scheduler.goodput.goodput", lambda rate, ttft_s, tpot_s: float(rate <= wanted))
    found = list(knee_so_far(lambda rate: rate, 1, 1))
    alone = [k for k in found if k.alone is not None]  # looked at last, and only where no rate is low enough
    assert len(found) <= MOST_TRIED and len(alone) == (wanted == 0) and alone == found[len(found) - len(alone) :]
    assert [len(k.tried) for k in found[: len(found) - len(alone)]] == list(range(1, len(found) + 1 - len(alone)))
    assert found[-1].rate_per_s <= wanted and (not 2 * LOWEST < wanted < HIGHEST or found[-1].rate_per_s > wanted / 1.021)


def test_beyond_the_highest_rate_none_is_tried(monkeypatch):
    monkeypatch.setattr("engine.serving.scheduler.goodput.goodput", lambda rate, ttft_s, tpot_s: float(rate <= 100))
    found = knee(lambda rate: rate, 1, 1, highest=5.5)
    assert found.rate_per_s == 5.5 and max(rate for rate, _ in found.tried) == 5.5
    with pytest.raises(ValueError, match="highest"):
        knee(lambda rate: rate, 1, 1, highest=0)
