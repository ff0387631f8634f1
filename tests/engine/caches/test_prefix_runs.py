"""Prompts and second turns behind a prefix cache beside whole runs: the counts by hand, the logits within rounding."""

from functools import cache as once
from pathlib import Path

import numpy as np
import pytest

from engine import bundled, generate, load
from engine.caches.prefix_runs import n_common, prefix_runs, second_turn
from engine.timing.both_ways import ROUNDING_SHARE

FIXTURES = Path(__file__).parents[2] / "fixtures"


@once
def model(name):
    found = bundled() if name == "bundled" else load(FIXTURES / name)
    return found.variant(keep=False)


def last(steps):
    """What an iterator ends with, and how many steps it took."""
    found = list(steps)
    assert all(step is None for step in found[:-1])
    return found[-1], len(found)


@pytest.mark.parametrize("name", ["bundled", "gpt2", "llama3", "mistral", "qwen2_window", "qwen3"])
def test_a_prompt_behind_a_kept_beginning_comes_out_as_the_whole_does(name):
    first, second = [3, 4, 5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8, 2, 2, 2]
    (a, b, again), n_steps = last(prefix_runs(model(name), (first, second, first), 4))
    assert n_steps == 6 and n_common(first, second) == 6
    assert (a.hit_tokens, a.computed_tokens) == (0, 8)
    assert (b.hit_tokens, b.computed_tokens) == (4, 5)
    assert (again.hit_tokens, again.computed_tokens) == (7, 1)  # a full hit runs its last token
    for found in (a, b, again):
        assert found.gap <= ROUNDING_SHARE * (1 + found.largest)


@pytest.mark.parametrize("name", ["bundled", "llama3"])
def test_a_second_turn_runs_what_is_new_and_what_filled_no_block(name):
    first, after = [3, 4, 5, 6, 7], [8, 9]
    found, n_steps = last(second_turn(model(name), first, 4, first, after, 4))
    assert n_steps == 6 and found.answer_ids == generate(model(name), first, 4).token_ids
    turn = found.turn
    assert turn.ids == (*first, *found.answer_ids, *after)
    assert (turn.hit_tokens, turn.computed_tokens) == (8, 3)  # 5 + 3 fed back are two full blocks
    assert turn.gap <= ROUNDING_SHARE * (1 + turn.largest)
    changed, _ = last(second_turn(model(name), [1, *first], 4, [2, *first], after, 4, found.answer_ids))
    assert changed.answer_ids == found.answer_ids and changed.turn.hit_tokens == 0


def test_a_wrong_block_would_show():
    """The control: keys of another prompt's block give other logits."""
    (_, b, _), _ = last(prefix_runs(model("bundled"), ([3, 4, 5, 6, 7], [3, 4, 5, 6, 9], [3]), 4))
    other, _ = last(prefix_runs(model("bundled"), ([8, 4, 5, 6, 9],), 4))
    assert np.abs(b.whole - other[0].logits).max() > 0.1
