"""How far a value is from a flip: the article's thresholds, and the laws of any threshold, tried out by running the engine."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scenarios import scenarios

from engine import Scenario, prefill
from engine.toy.edits import set_value, set_w
from engine.toy.flips import entry_needed, winners
from engine.toy.projection import slopes

TEXT = Scenario.article()


def last_logits(s):
    return prefill(s.model(), s.prompt_ids).logits[-1]


def line(s, token):
    run = prefill(s.model(), s.prompt_ids)
    return winners(run.logits[-1], slopes(run.layers[-1], np.array(s.w_vocab))[token], s.values[token])


@pytest.mark.parametrize(
    ("token", "up", "down"),
    [
        (0, [(18.8, 1), (34.2, 2)], []),
        (1, [], [(5.3333, 1), (-0.1667, 2)]),
        (2, [(45, 1)], [(-285, 2)]),  # the article names only the first
        (3, [], [(-1.2857, 1), (-7.1, 2)]),
    ],
    ids=TEXT.tokens,
)
def test_the_articles_thresholds(token, up, down):
    found = line(TEXT, token)
    assert found.now == 0
    for flips, expected in ((found.up, up), (found.down, down)):
        assert [f.word for f in flips] == [word for _, word in expected]
        np.testing.assert_allclose([f.value for f in flips], [value for value, _ in expected], atol=5e-4)


def test_the_articles_slopes():
    run = prefill(TEXT.model(), TEXT.prompt_ids)
    expected = [[0.15, 0.275, 0.525], [0.45, 0.375, 0.075], [0.05, 0.075, 0.025], [0.95, 0.775, 0.275]]
    np.testing.assert_allclose(slopes(run.layers[0], np.array(TEXT.w_vocab)), expected, atol=1e-6)
    np.testing.assert_allclose(np.array(TEXT.values) @ expected, last_logits(TEXT), atol=1e-5)


@given(scenarios(), st.data())
def test_at_a_threshold_the_two_words_are_level_and_no_other_is_higher(s, data):
    token = data.draw(st.integers(0, len(s.tokens) - 1))
    found = line(s, token)
    for flips in (found.up, found.down):
        before = found.now
        for flip in flips:
            assume(abs(flip.value) < 900)
            there = last_logits(set_value(s, token, flip.value))
            scale = max(1.0, np.abs(there).max())
            assert there[flip.word] == pytest.approx(there[before], abs=1e-7 * scale)
            assert there[flip.word] >= there.max() - 1e-7 * scale
            before = flip.word


@given(scenarios(), st.data())
def test_the_bands_name_the_winner_at_any_value(s, data):
    token = data.draw(st.integers(0, len(s.tokens) - 1))
    value = data.draw(st.floats(-1000, 1000))
    there = last_logits(set_value(s, token, value))
    word = next(w for start, end, w in line(s, token).bands if start <= value <= end)
    assert there[word] >= there.max() - 1e-6 * max(1.0, np.abs(there).max())


def test_bands_cover_the_whole_line_in_order():
    bands = line(TEXT, 1).bands
    assert bands[0][0] == -np.inf and bands[-1][1] == np.inf
    assert [w for _, _, w in bands] == [2, 1, 0]
    assert all(a[1] == b[0] for a, b in pairwise(bands))


def test_parallel_lines_never_flip_and_of_three_that_meet_the_steepest_wins():
    assert winners(np.array([2.0, 1.0]), np.array([0.5, 0.5]), 3).bands == ((-np.inf, np.inf, 0),)
    met = winners(np.array([2.0, 1.0, 0.0]), np.array([0.0, 1.0, 2.0]), 0)
    assert [(f.value, f.word) for f in met.up] == [(1.0, 2)]
    assert winners(np.array([1.0, 1.0]), np.array([0.0, 1.0]), 4).up[0].value == 4  # level already


@pytest.mark.parametrize("apart", [0.0, 1e-12, -1e-12])
def test_of_two_level_words_the_one_that_is_taken_is_beaten_on_one_side(apart):
    """“Below 4 “nightly” beats “nightly””: the second was larger by rounding, and the first is taken."""
    found = winners(np.array([6.2, 6.2 + apart, 3.2]), np.array([0.06, 0.1, 0.02]), value=4)
    assert found.now == 0 and [(round(f.value, 6), f.word) for f in found.up] == [(4, 1)] and [f.word for f in found.down] == [2]


@pytest.mark.parametrize(("head", "context", "expected"), [(0, 12.5, 0.672), (1, 5, 1.63), (2, 10, 1.215), (3, 9, 0.8944)])
def test_the_entry_of_w_that_delicious_needs(head, context, expected):
    entry = entry_needed(last_logits(TEXT), context, TEXT.w_vocab[head][2], 2)
    assert entry == pytest.approx(expected, abs=1e-3)
    assert int(np.argmax(last_logits(set_w(TEXT, head, 2, entry + 0.001)))) == 2
    assert int(np.argmax(last_logits(set_w(TEXT, head, 2, entry - 0.001)))) == 0


def test_no_entry_helps_where_the_context_is_nothing():
    for context in (0.0, np.nan):
        assert entry_needed(np.array([2.0, 1.0]), context, 0.1, 1) is None
    assert entry_needed(np.array([2.0]), 3.0, 0.1, 0) is None


def test_values_never_move_a_slope():
    """What makes the thresholds exact; the negative control is a rule, which does."""
    before = slopes(prefill(TEXT.model(), TEXT.prompt_ids).layers[0], np.array(TEXT.w_vocab))
    for changed, same in ((set_value(TEXT, 2, 100), True), (replace(TEXT, rules=("odd", "self", "first", "all")), False)):
        after = slopes(prefill(changed.model(), changed.prompt_ids).layers[0], np.array(TEXT.w_vocab))
        assert np.array_equal(before, after) is same
