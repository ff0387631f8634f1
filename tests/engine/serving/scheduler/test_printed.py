"""What vLLM would print of a run, against schedules worked out by hand, and which beginnings stay, against what was found."""

from dataclasses import replace

import numpy as np
import pytest
from one_second_steps import DEVICE, SHAPE, requests, with_blocks

from engine.serving import Request, Setup, beginnings, computed_again, poisson, printed, simulate
from engine.serving.scheduler.policies import POLICIES


def test_a_preemption_is_printed_from_when_it_happens():
    """As in test_schedules_by_hand: Q is sent back at 3 with 32 tokens cached of 33, waits until 6, and computes all again."""
    setup = with_blocks(4, max_batch=2, max_batched_tokens=64)
    run = simulate(requests((0, 30, 6), (0, 30, 6)), setup, "continuous")
    shown = printed(run, np.array([0.5, 2.5, 3.5, 6.5, 9.5]), 4 * setup.block_bytes)
    assert shown.running.tolist() == [2, 2, 1, 1, 0] and shown.waiting.tolist() == [0, 0, 1, 0, 0]
    assert shown.preemptions.tolist() == [0, 0, 1, 1, 1] and shown.usage.tolist() == [1, 1, 0.75, 0.75, 0]
    assert shown.line(1) == "Running: 2 reqs, Waiting: 0 reqs, GPU KV cache usage: 100.0%, Prefix cache hit rate: 0.0%"
    assert "Waiting: 1 reqs, Preemptions: 1, GPU" in shown.line(2)
    assert computed_again(run) == 32


def test_hits_are_of_all_tokens_that_were_looked_up():
    keys = ("a", "b", "c")
    same = [Request(0, 48, 1, keys), Request(5, 48, 1, keys), Request(10, 60, 1, keys)]
    run = simulate(same, with_blocks(100, max_batch=2), "continuous")
    assert printed(run, np.array([4.0, 5.5, 11.0]), 1).hit_rate.tolist() == [0, 32 / 96, 80 / 156]
    assert beginnings(run) == {"a": [(1.0, 3)]} and computed_again(run) == 0


def test_a_beginning_goes_from_its_end_when_room_is_needed():
    """Four blocks: the second request takes three, so of two that nobody holds one stays."""
    asked = [Request(0, 40, 1, ("a", "b")), Request(5, 48, 1, ("x",))]
    run = simulate(asked, with_blocks(4, max_batch=2), "continuous")
    assert beginnings(run) == {"a": [(1.0, 2), (5.0, 1)], "x": [(6.0, 1)]}


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_found_was_there_and_what_is_lost_is_computed_again(policy):
    load = poisson(25.0, 120, (300, 200), (90, 60), seed=1)
    asked = [replace(r, block_keys=tuple((k % 5, j) for j in range(min(8, r.n_prompt // 16)))) for k, r in enumerate(load)]
    setup = Setup(SHAPE, DEVICE, memory_bytes=120 * 16 * SHAPE.kv_bytes(1), max_batch=48, max_batched_tokens=256)
    run = simulate(asked, setup, policy)
    there, n_found = beginnings(run), 0
    for changes in there.values():
        assert [at for at, _ in changes] == sorted(at for at, _ in changes) and all(0 <= n <= 8 for _, n in changes)
    for stretch in run.stretches[0]:
        for i, n_past, _ in stretch.prompts:
            if run.policy == "continuous" and n_past:
                start, changes = stretch.starts_s[0], there[asked[run.ids[0][i]].block_keys[0]]
                before = [n for at, n in changes if at < start] + [n for at, n in changes if at == start][:1]
                assert n_past // 16 <= max(before[-2:])
                n_found += 1
    assert n_found > 10 or policy != "continuous"
    assert bool(computed_again(run)) == bool(run.n_preempted.any()) == (policy != "static")
    distinct = run.steps.prefill_tokens.sum() - computed_again(run)
    assert distinct <= sum(r.n_prompt + r.n_answer for r in asked)
