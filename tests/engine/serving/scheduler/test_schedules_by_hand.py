"""Six requests under each policy, worked out on paper with steps of one second; and what happens when blocks run out."""

import numpy as np
import pytest
from one_second_steps import requests, ticking, with_blocks

from engine.serving import Request, poisson, simulate

SIX = requests((0, 20, 3), (0, 10, 2), (0.5, 40, 2), (1.5, 8, 4), (2.5, 8, 1), (9.5, 16, 2))
MORE = dict(max_batch=3, max_batched_tokens=32)


@pytest.mark.parametrize(
    ("policy", "ttft", "finished"),
    [
        # 0 AB · 1 C alone, longer than 32 · 2 decode ABC: B, C done · 3 DE join, E done · 4 decode AD: A done · 5, 6 D · 9.5, 10.5 F
        ("continuous", [1, 1, 1.5, 2.5, 1.5, 1], [5, 3, 3, 7, 4, 11.5]),
        # 0 AB · 1 decode AB, 30 of C · 2 decode A, 10 of C, D · 3 decode CD, E · 4, 5 D · 9.5, 10.5 F
        ("chunked", [1, 1, 2.5, 1.5, 1.5, 1], [3, 2, 4, 6, 4, 11.5]),
        # 0 AB · 1, 2 until A is done · 3 C of CDE · 4 DE · 5, 6, 7 until D is done · 9.5, 10.5 F
        ("static", [1, 1, 3.5, 3.5, 2.5, 1], [3, 2, 6, 8, 5, 11.5]),
    ],
)
def test_six_requests(policy, ttft, finished):
    run = simulate(SIX, ticking(**MORE), policy)
    assert run.ttft_s.tolist() == ttft and run.finished_s.tolist() == finished
    gaps = np.array([2, 1, 1, 3, np.nan, 1])
    assert run.tpot_s == pytest.approx((np.array(finished) - np.array(ttft) - [r.arrival_s for r in SIX]) / gaps, nan_ok=True)


def test_six_requests_on_separate_machines():
    """A token moves in 1/64 s. Prompts: 0 AB · 1 C · 2 D · 3 E · 9.5 F. Answers: B comes at 1.15625 · 2.15625 A joins, B done ·
    3.15625 CD join, A and C done at 4.15625 · D until 6.15625 · F from 10.75 on."""
    setup = ticking(**MORE)
    setup = ticking(**MORE, link_bytes_per_s=64 * setup.shape.kv_bytes(1))
    run = simulate(SIX, setup, "disaggregated")
    assert run.ttft_s.tolist() == [1, 1, 1.5, 1.5, 1.5, 1]
    assert run.finished_s.tolist() == [4.15625, 2.15625, 4.15625, 6.15625, 4, 11.75]


def test_who_came_last_is_sent_back_and_computed_again():
    """Four blocks: two prompts of 30 fill them after two more tokens each. Q is sent back at 3 with three tokens made, and waits
    until P is done at 6; all 33 tokens are computed again, and the fourth comes at 7."""
    run = simulate(requests((0, 30, 6), (0, 30, 6)), with_blocks(4, max_batch=2, max_batched_tokens=64), "continuous")
    assert run.finished_s.tolist() == [6, 9] and run.ttft_s.tolist() == [1, 1]
    assert run.n_preempted.tolist() == [0, 1] and run.longest_gap_s.tolist() == [1, 4]
    assert run.steps.prefill_tokens.tolist() == [60, 0, 0, 0, 0, 0, 33, 0, 0]
    assert run.steps.waiting.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("policy", ["continuous", "chunked", "disaggregated"])
def test_without_memory_for_two_they_come_one_after_the_other(policy):
    run = simulate(requests((0, 16, 4), (0, 16, 4), (0, 16, 4)), with_blocks(2, max_batch=3), policy)
    assert sorted(run.finished_s) == run.finished_s.tolist() and len(set(run.finished_s)) == 3


def test_a_static_batch_of_four_answers_uses_less_than_half_of_its_places():
    """32 / 128 / 64 / 256 tokens: 480 of 4 · 256."""
    four = requests((0, 10, 32), (0, 10, 128), (0, 10, 64), (0, 10, 256))
    assert simulate(four, ticking(), "static").used == 480 / 1024
    assert simulate(four, ticking(), "static").used == pytest.approx(0.469, abs=5e-4)
    assert simulate(four, ticking(), "continuous").used == 1


def test_a_prompt_that_was_here_is_not_computed_again():
    """Three full blocks are shared by name; of a prompt that is there whole the last block is computed all the same."""
    keys = ("a", "b", "c")
    same = [Request(0, 48, 1, keys), Request(5, 48, 1, keys), Request(10, 60, 1, keys), Request(15, 48, 1, ("a", "x"))]
    run = simulate(same, ticking(), "continuous")
    assert run.n_hit.tolist() == [0, 32, 48, 16] and run.steps.prefill_tokens.tolist() == [48, 16, 12, 32]
    assert simulate(same, ticking(prefix_caching=False), "continuous").steps.prefill_tokens.tolist() == [48, 48, 60, 48]


def test_what_nobody_holds_goes_when_room_is_needed_the_last_of_the_beginning_first():
    """Four blocks. Two named ones of the first stay idle; the second takes three, so the deeper one goes and the first stays."""
    run = simulate(
        [Request(0, 40, 1, ("a", "b")), Request(5, 48, 1, ("x",)), Request(10, 40, 1, ("a", "b"))],
        with_blocks(4, max_batch=2), "continuous",
    )  # fmt: skip
    assert run.n_hit.tolist() == [0, 0, 16]


@pytest.mark.parametrize(("n_blocks_of_b", "joins"), [(98, True), (99, False)])
def test_whoever_joins_others_leaves_a_hundredth_of_the_blocks_free(n_blocks_of_b, joins):
    """Two of 200. A holds a hundred; B comes while A computes, and otherwise waits until A is done at 6."""
    run = simulate(requests((0, 1590, 6), (0.5, 16 * n_blocks_of_b, 1)), with_blocks(200), "continuous")
    assert run.ttft_s[1] == (1.5 if joins else 6.5) and run.n_preempted.sum() == 0


def test_the_order_in_which_requests_are_listed_is_that_of_the_results():
    listed = requests((9.5, 16, 2), (0, 20, 3), (0.5, 40, 2), (2.5, 8, 1), (0, 10, 2), (1.5, 8, 4))
    run = simulate(listed, ticking(**MORE), "chunked")
    assert run.finished_s.tolist() == [11.5, 3, 4, 4, 2, 6]


def test_a_pause_in_my_chat_is_somebody_elses_prompt():
    """A prompt of 64 beside one who decodes: whole it holds him up for a step, in pieces of 16 for none."""
    both = requests((0, 8, 9), (1.5, 64, 1))
    whole = simulate(both, ticking(max_batch=2, max_batched_tokens=64), "continuous")
    pieces = simulate(both, ticking(max_batch=2, max_batched_tokens=17), "chunked")
    assert whole.longest_gap_s[0] == 2 and pieces.longest_gap_s[0] == 1
    assert whole.ttft_s[1] == 1.5 and pieces.ttft_s[1] == 4.5
    assert poisson(1, 3, (5, 0), (5, 0), n_shared=64)[0].block_keys == ()  # too short to share a block
