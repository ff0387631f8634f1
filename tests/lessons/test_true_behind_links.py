"""Sentences that a link once made false, each behind such a link and held against the engine; read as a visitor reads them."""

from dataclasses import replace

import numpy as np
import pytest
from app_pages import all_answered, alts, text, visited
from hypothesis import example, given
from hypothesis import strategies as st
from said import plain
from scenarios import KINDS, TEXT, run, scenarios

from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.toy.article_readings import other_reading
from engine.toy.by_hand import empty_rows
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.presets import PRESETS
from pages.lessons.logits import challenge as logits_challenge
from pages.lessons.logits import steps as logits_steps
from pages.lessons.rules import sentences as rules_sentences
from pages.parts.visit.scenario_query import from_query, own_w

FIRST_SELF = {"tokens": "a,b,c", "values": "5,5,5", "rules": "first,self"}
NAN = {"tokens": "Hm", "values": "0", "rules": "even", "empty": "nan"}
FILLED = {"tokens": "big,small,neg,zero,x", "values": "1000,-1000,-7,0,999.5", "rules": "last,window:2,none", "empty": "fill"}
UNMASKED = {"tokens": "I,saw,a,cat,and,ran", "values": "3,-4,0,8,0,2", "rules": "even,previous,all,first", "mask": "off"}
GO = {"tokens": "Go", "values": "-3", "rules": "none,last,all", "empty": "fill"}
SOFTMAX1 = {"tokens": "a,b,c", "values": "1000,1000,0", "rules": "even,none", "empty": "softmax1", "head": "2"}


def read(lesson, link, **extras):
    """The words of a lesson behind a link, answered."""
    with all_answered():
        return plain(text(visited(lesson, link, **extras)))


@pytest.mark.parametrize(
    "link", [FIRST_SELF, FILLED, GO, {}, {"rules": "all"}, {"words": "one"}, {"w": "1,2,3;4,5,6;7,8,9;1,0,1"}]
)
def test_a_w_is_called_typed_only_where_somebody_typed_it(link):
    """“A W of your own, until you reset it” of the rows that a link means that says nothing of W."""
    typed = "w" in link
    assert own_w(from_query(link)[0]) == typed
    assert ("W of your own" in read("decode", link)) == typed
    assert ("W is typed" in read("logits", link)) <= typed


def test_the_w_of_a_preset_is_nobodys_own():
    assert not any(own_w(preset) for preset, _ in PRESETS.values())


def test_a_word_that_no_logit_chose_is_said_to_be_fed_by_hand():
    """“Feed “nice” back in”, “prefill already chose the first token”, where no logit is a number."""
    s = from_query(NAN)[0]
    assert not np.isfinite(run(s).logits[-1]).any()
    said = read("decode", NAN)
    assert "back in. Which word" not in said and "by hand. Which word" in said
    assert "already chose" not in (cache := read("cache", NAN)) and "fed in by hand" in cache
    said = read("cache", UNMASKED)
    assert "already chose" in said and "by hand" not in said
    assert "back in. Which word" in read("decode", UNMASKED)


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 5)), st.booleans())
@example(from_query(FIRST_SELF)[0], True)
@example(from_query({"tokens": "p,q", "values": "0,-3", "rules": "self,self"})[0], True)
def test_readings_that_agree_see_the_same_only_where_they_do(s, causal):
    """“What “self” and “last” see comes out the same”, of what only makes the same number."""
    s = replace(s, causal=causal)
    runs = [run(x) for x in (s, other_reading(s))]
    said = rules_sentences._why_alike(s, other_reading(s), runs)
    seen = [x.layers[0].mask & (x.layers[0].scores > 0) for x in runs]
    empty = [empty_rows(x.layers[0]).any() for x in runs]
    assert ("do not see the same" in said) <= (seen[0] != seen[1]).any()
    assert ("“last” see the same" in said) <= (seen[0] == seen[1]).all()
    assert ("one of them has" in said) == (empty[0] != empty[1])
    assert ("empty rows get" in said) == all(empty)


@pytest.mark.parametrize("policy", EMPTY_ROW)
def test_a_row_takes_nothing_only_where_its_weights_are_0(policy):
    """““c” takes nothing: its context is 0.67.”"""
    link = SOFTMAX1 | {"empty": policy}
    weights = run(from_query(link)[0]).layers[0].weights[1]
    with all_answered():
        at = visited("attention", link, route="story")
    said = next(line for line in plain(text(at)).splitlines() if line.startswith("“c” takes "))
    (alt,) = (alt for alt in alts(at) if alt.startswith("Shares of head"))
    assert ("takes nothing" in said) == (weights[-1].sum() == 0)
    assert alt.count("takes nothing") == (weights.sum(axis=1) == 0).sum()


@pytest.mark.parametrize(
    "link", [FILLED, UNMASKED, GO, {}, {"tokens": "x,y,z", "values": "2,3,-1", "rules": "even,all,last,self"}]
)
def test_three_ways_come_to_the_same_answer_only_where_they_do(link):
    """“Three ways to the same answer”, of a kept key that goes out of date."""
    s = from_query(link)[0]
    ids = answer(s.model(), s.prompt_ids, 8).token_ids
    apart = any(
        np.abs(cached.logits[-1] - whole.logits[-1]).max() > 1e-6
        for cached, whole in cached_and_recomputed(s.model(), s.prompt_ids, ids)
    )
    said = read("counting", link)
    assert ("to the same answer" in said) <= (not apart)
    assert ("out of date" in said) == any(rule.breaks_cache for rule in s.rules)


@pytest.mark.parametrize("link", [UNMASKED, {}])
def test_products_are_counted_with_the_mask_on_and_it_is_said_where_it_is_off(link):
    said = read("counting", link)
    paragraph = said.split("Saved: ")[1].split("\n\n")[0].split("\n")[:2]
    assert ("mask on" in str(paragraph)) == (not from_query(link)[0].causal)
    assert "square in each of N" not in said  # of G passes


def test_a_match_and_a_miss_have_scores_of_either_sign():
    """“The score of a match is ±8.”"""
    scores = run(TEXT).layers[0].scores
    assert {8.0, -8.0} == {round(float(x), 6) for x in np.unique(scores)}
    assert "score of a match is" not in plain(text(visited("attention")))


def test_the_least_number_of_w_is_not_rounded_up_for_what_softmax_leaks():
    """“Above 0.673”, of a threshold of 0.672."""
    s = TEXT
    context, logits = logits_steps.last_contexts(run(s)), run(s).logits[-1]
    for head in range(4):
        told = logits_challenge.challenge(s, context, logits, head, 2)[1]
        needed = s.w_vocab[head][2] + round(float(logits.max() - logits[2]), 4) / round(float(context[head]), 4)
        assert float(told.split("**")[1]) == np.ceil(round(needed * 1000, 6)) / 1000
