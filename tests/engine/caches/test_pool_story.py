"""The story of a pool: every frame is a sound pool, pages change no logit, and a shared block is copied, never written to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import scenarios

from engine.caches.pool_story import NOTHING, pool_of_answers, pool_story
from engine.experiments.random_model import StackModel
from engine.toy.empty_row import EMPTY_ROW


@given(scenarios(n_tokens=st.integers(1, 16), policies=sorted(EMPTY_ROW)), st.integers(1, 8))
def test_every_frame_is_a_sound_pool_and_pages_change_no_logit(scenario, size):
    frames = pool_story(scenario.model(), scenario.prompt_ids, scenario.prompt_ids[::-1], size)
    for frame in frames:
        held = [block for table in frame.tables.values() for block in table]
        np.testing.assert_array_equal(frame.holders, np.bincount(held, minlength=len(frame.holders)))
        assert frame.n_held == len(set(held))
        for name, table in frame.tables.items():
            read = frame.slots[list(table)].ravel()[: len(frame.tokens[name])]
            assert tuple(read) == frame.tokens[name] and len(table) == -(-len(frame.tokens[name]) // size)
        assert frame.gap == 0 and all(frame.slots[place] != NOTHING for place in frame.written)
        assert all(frame.holders[block] == 1 for block, _ in frame.written)  # what others hold is never written to


def test_a_fork_copies_nothing_and_the_first_who_writes_takes_a_copy():
    """Kwon et al. 2023, section 4.4, Figure 8: two samples share a prompt; the one that writes first copies its last block."""
    frames = pool_story(StackModel(2, 9), (3, 4, 5, 6), (6, 5, 4, 3), 4)
    fork, first, second = frames[3:6]
    assert fork.tables["A"] == fork.tables["B"] == (0, 1) and not fork.written and fork.copied is None
    assert first.who == "B" and first.copied == (1, 2) and first.tables == {"A": (0, 1), "B": (0, 2)}
    assert second.who == "A" and second.copied is None  # its last block is its own again
    released, other = frames[7:9]
    assert released.freed == (1,) and released.holders[0] == 1  # the prompt's block stays, for B
    assert other.tables["C"] == (1,)


@pytest.mark.parametrize(
    ("n_prompt", "size", "blocks", "copied"),
    [(4, 4, 1 + 4, 0), (16, 4, 4 + 4, 0), (5, 4, 1 + 4, 3), (5, 8, 4, 3), (1, 2, 4 * 2, 3), (7, 4, 1 + 4 * 2, 3)],
)
def test_answers_share_the_prompts_full_blocks_and_copy_the_unfinished_one(n_prompt, size, blocks, copied):
    """By hand: full blocks once, and for each of four answers the blocks behind them; all but the last writer copy."""
    pool = pool_of_answers(StackModel(1, 9), range(n_prompt % 9) if n_prompt < 9 else [1] * n_prompt, 4, 3, size)
    assert (pool.n_blocks - pool.n_free, pool.n_copied) == (blocks, copied)
