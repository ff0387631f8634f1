"""A chat's closed forms against a prefix cache that runs it, and prices against bills worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.caches import PagePool, PrefixCache
from engine.caches.chat_turns import WAYS, Turn, chat_turns, cost, reads_to_pay
from engine.decode import decode_step
from engine.experiments.random_model import StackModel


@given(
    st.integers(1, 4), st.integers(0, 7), st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.booleans(), st.booleans()
)
def test_counted_is_what_a_prefix_cache_finds(n_turns, n_system, n_message, n_answer, size, answers, changed):
    """Every turn runs for real: its prompt behind the prefix cache, then the answer, kept or not. All tokens of a chat differ, or
    blocks of equal words would be found where the closed form expects none."""
    model, ids, fresh = StackModel(1, 60), [], iter(range(60))
    n_all = n_system + n_turns * (n_message + n_answer)
    if n_all > 55:
        return
    kept = PrefixCache(PagePool.for_model(model, n_turns * (n_all // size + 3), size))
    ids = [next(fresh) for _ in range(n_system)]
    way = "changed first" if changed else "kept"
    for turn, t in zip(chat_turns(n_turns, n_system, n_message, n_answer, size, way, answers), range(n_turns), strict=True):
        ids += [next(fresh) for _ in range(n_message)]
        if changed:
            ids[0] = 55 + t
        found = kept.prefill(model, ids)
        assert (found.hit_tokens, found.computed_tokens, len(ids)) == (turn.read, turn.computed, turn.n_input)
        answer = [next(fresh) for _ in range(n_answer)]
        for token in answer[:-1]:
            decode_step(model, token, found.cache)
        if answers:
            kept.remember([*ids, *answer[:-1]], found.cache)
        found.cache.release()
        ids += answer


@given(st.integers(1, 9), st.integers(0, 500), st.integers(1, 50), st.integers(1, 50), st.integers(1, 64))
def test_every_way_brings_in_the_same_tokens(n_turns, n_system, n_message, n_answer, size):
    ways = [chat_turns(n_turns, n_system, n_message, n_answer, size, way) for way in WAYS]
    assert len({tuple(t.n_input for t in turns) for turns in ways}) == 1
    assert all(t.written == t.read == 0 for t in ways[2]) and all(t.read == 0 for t in ways[1])
    assert all(t.fresh < size for t in ways[0])


def test_a_bill_by_hand():
    """Two turns of 1,000 and 1,400 tokens, in blocks of 100; 0.10 read, 1.25 written, 1.00 fresh for a million."""
    turns = chat_turns(2, 900, 100, 300, 100)
    assert turns == (Turn(0, 1000, 0), Turn(1000, 400, 0))
    assert cost(turns, 0.1, 1.25, 1.0) == pytest.approx((1400 * 1.25 + 1000 * 0.1) / 1e6)
    assert cost(chat_turns(2, 900, 100, 300, 100, "nothing kept"), 0.1, 1.25, 1.0) == pytest.approx(2400 / 1e6)
    assert cost(chat_turns(2, 900, 100, 300, 100, "changed first"), 0.1, 1.25, 1.0) == pytest.approx(2400 * 1.25 / 1e6)


@given(*[st.integers(0, 400).map(lambda cents: cents / 100)] * 3)
def test_the_readings_that_pay_are_the_fewest(read, write, fresh):
    n = reads_to_pay(read, write, fresh)
    if n is None:
        assert read >= fresh and write >= fresh
    else:
        assert write + n * read < (n + 1) * fresh + 1e-9 or (n == 0 and write < fresh)
        assert n == 0 or write + (n - 1) * read >= n * fresh - 1e-9


def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match="expected one of kept, changed first, nothing kept, got 'x'"):
        chat_turns(1, 1, 1, 1, 1, "x")
