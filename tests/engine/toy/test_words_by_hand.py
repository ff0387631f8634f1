"""The words of the toy are those that a person gets by hand, who takes of words that draw level the first.

Softmax leaks next to nothing to tokens that do not match. It parted such words: “more” went in where “gone” had come out, and a cache
wrote another word than a run that computed all anew.
"""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scenarios import answer_by_hand, contexts_by_hand, fraction, level_by_hand, level_scenarios, logits_by_hand, run

from engine import KVCache, Scenario, generate
from engine.caches.pool_story import pool_story
from engine.claims.finding import first_word
from engine.compare import largest_gap
from engine.experiments.random_model import StackModel
from engine.sampling import likeliest
from engine.speculative import SmallerModel
from engine.speculative import generate as generate_with_guesses
from engine.toy.by_hand import pass_by_hand
from engine.toy.presets import PRESETS

SHE_HAD_900 = Scenario(
    ("She", "had", "900", "and", "spent", "it", "now", "0"), (0, 0, 900, 4, 1, 2, 3, 0), ("self", "first"), ("gone", "left", "more"),
    (0, 5, -5), ((0.2, 0.1, 0.3), (0.1, 0.2, 0.1)),
)  # fmt: skip
ANNS_PENS = Scenario(
    ("Ann", "has", "2", "red", "pens"), (2, 3, 4, 4, 3), ("previous:2", "first", "odd"), ("today", "now", "again"), (1, 3, 1),
    ((0.1, 0.2, 0.1), (0.1, 0.1, 0.3), (0.1, 0.1, 0.1)),
)  # fmt: skip
SALE = Scenario(("Half", "one"), (0.5, 1), ("all", "window:3"), ("apple", "pear"), (2, 0), ((0.1, 0.2), (0.3, 0.2)))  # 0.1 + 0.2


@given(level_scenarios(), st.booleans())
@example(SHE_HAD_900, True)
@example(ANNS_PENS, True)
@example(SALE, False)
def test_an_answer_is_the_one_by_hand(s, use_cache):
    made, (words, level) = generate(s.model(), s.prompt_ids, 5, use_cache=use_cache), answer_by_hand(s, 5)
    assert list(made.token_ids) == words
    assert [likeliest(s.model().next_logits(one)[-1]) for one in made.passes] == level


@given(level_scenarios())
@example(SHE_HAD_900)
@example(SALE)
@example(Scenario(("a", "b", "c"), (0.1, 0.2, -0.3), ("all",), ("x", "y"), (0, 1), ((1, 2),)))  # 0.1 + 0.2 − 0.3
@example(Scenario(("a", "b", "c"), (-0.1, -0.2, 0.3), ("all",), ("x", "y"), (0, 1), ((1, 2),)))
def test_every_row_of_a_pass_is_the_one_by_hand(s):
    """What rounding leaves of values that cancel out is 0, and of words that draw level none is ahead."""
    one, values = pass_by_hand(run(s), s.w_vocab), [fraction(x) for x in s.values]
    largest = max(1, *map(abs, s.values))
    for i, logits in enumerate(one.logits):
        contexts, exact = contexts_by_hand(s, values[: i + 1]), logits_by_hand(s, values[: i + 1])
        for context, by_hand in zip(one.layers[0].context[:, i, 0], contexts, strict=True):
            assert context == 0 if by_hand == 0 else abs(context - float(by_hand)) < 1e-12 * largest
        assert max(abs(logits - [float(x) for x in exact])) < 1e-12 * largest
        assert np.flatnonzero(logits == logits.max()).tolist() == level_by_hand(exact)


@given(level_scenarios())
@example(SHE_HAD_900)
@example(SALE)
def test_whoever_asks_for_the_next_word_gets_the_same(s):
    """Two answers in pages went on with “pear” where decode said “apple”."""
    words, _ = answer_by_hand(s, 2)
    decoded = [frame.tokens["A"] for frame in pool_story(s.model(), s.prompt_ids, s.prompt_ids, 2) if "A" in frame.tokens]
    assert decoded[-1][len(s.tokens) :] == tuple(words) and first_word(s) == words[0]
    guessed = generate_with_guesses(s.model(), s.prompt_ids, 4, SmallerModel(s.model()), 2)
    assert guessed.token_ids == generate(s.model(), s.prompt_ids, 4).token_ids


@given(level_scenarios())
def test_words_are_chosen_by_logits_that_are_those_of_the_pass_but_for_leaks(s):
    """And where a logit is not a number it is none for the choice."""
    one = run(s)
    by_hand = s.model().next_logits(one)
    largest = max(abs(x) for x in (*s.values, 1))
    assert by_hand.shape == one.logits.shape and largest_gap(by_hand, one.logits) < 1e-5 * largest
    spoiled = Scenario(values=(1, 2), tokens=("a", "b"), rules=("none",), w_vocab=((1, 2, 3),), empty_row="nan")
    assert np.isnan(spoiled.model().next_logits(run(spoiled))).all()


@pytest.mark.parametrize("s", [s for s, _ in PRESETS.values()], ids=list(PRESETS))
def test_of_no_preset_two_words_are_level(s):
    """So that what is published of them hangs on no rule for words that draw level."""
    passes = generate(s.model(), s.prompt_ids, 8).passes
    assert all(len(likeliest(s.model().next_logits(one)[-1])) == 1 for one in passes)


def test_models_that_learned_choose_by_their_logits():
    model = StackModel(2, 12)
    one = model.forward([3, 1, 4], KVCache.for_model(model, 8))
    assert model.next_logits(one) is one.logits
