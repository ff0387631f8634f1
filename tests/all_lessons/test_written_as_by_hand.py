"""Numbers and words that come out by hand, where softmax leaves next to nothing to tokens that do not match."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import all_answered, alts, figures, seen, text, visited
from hypothesis import given
from said import plain
from scenarios import run, scenarios

from engine import Scenario, generate
from engine.claims import find
from engine.compare import gaps
from engine.experiments.rows import contexts
from engine.sampling import likeliest
from engine.toy.rules import LITTLE
from pages.lessons.attention import story as attention_story
from pages.lessons.attention.steps import stages
from pages.lessons.cache import story as cache_story
from pages.lessons.claims.steps import ran_on
from pages.lessons.logits.drawing_words import ask_mean
from pages.lessons.logits.steps import silence_question
from pages.lessons.many.beside import pause_question
from pages.lessons.overview.steps import word_question
from pages.lessons.prefill import questions as prefill_questions
from pages.lessons.prefill import story as prefill_story
from pages.lessons.prefill.future import who_noticed
from pages.lessons.roofline import batching
from pages.lessons.rules import story as rules_story
from pages.parts.controls.toy import prefill_of
from pages.parts.text.claims.on_the_cache import CACHE
from pages.parts.text.digits import contexts_side_by_side, logit_text, logits_side_by_side, threshold_text
from pages.parts.text.format import DRAW_LEVEL
from pages.parts.visit.scenario_query import to_query

TURN = Scenario(
    ("Turn", "left", "at", "the", "church"), (14, 9, 2, 1, 23), ("window:2", "last", "odd", "first"), ("then", "please", "slowly"),
    (5, 8, 12), ((0.3, 0.1, 0.2), (0.1, 0.4, 0.2), (0.3, 0.2, 0.1), (0.1, 0.1, 0.4)), sharpness=4,
)  # fmt: skip


def test_rows_that_hardly_move_are_asked_for_by_how_much():
    """“Every row”, of three that do not look at “the” and move by 0.033 of its 99."""
    question = prefill_questions.leak_question(TURN)
    assert "more than 0.05" in plain(question.asked) and question.answer == "only from “the” on"
    _, moved, hardly = prefill_story.looks_and_changes(TURN, False, 3, 100.0)
    assert moved.all() and hardly.tolist() == [True, True, True, False, False]
    off = replace(TURN, causal=False)
    assert "less than 0.05" in who_noticed(off, replace(off, values=(14, 9, 2, 100, 23)), 3, moved)
    on = replace(TURN, values=(14, 109, 2, 1, 23))
    assert "2 of them by less than 0.05" in who_noticed(TURN, on, 1, prefill_questions.contexts_changed(TURN, on).any(axis=1))
    alone = replace(TURN, rules=("self",), w_vocab=TURN.w_vocab[:1])
    question = prefill_questions.mask_question(alone)
    assert question.answer == "every row" and "to within" in question.asked


@given(scenarios())
def test_a_bound_is_named_where_rows_hardly_move_and_nowhere_else(s):
    for one in (s, replace(s, sharpness=8)):
        before, after = prefill_questions.with_and_without(one)
        moved = gaps(*(contexts([run(x)]) for x in (before, after))).max(axis=1)
        hardly, least = prefill_questions.rows_hardly_changed(before, after)
        assert (moved[hardly] < least).all() and (least > 0) == hardly.any()


def test_a_word_that_another_is_level_with_but_for_a_leak_is_not_alone():
    """“42.6%: “warm” comes out”, where “delicious” had 42.6% too."""
    uncle = Scenario(
        tuple(["On", "Monday", "my", "tall", "uncle", "drives", "to", "the", "sea"]),
        (1, 12, 4, 7, 19, 15, 2, 1, 24),
        ("self", "all", "previous:2", "odd"),
        causal=False,
    )
    at = visited("decode", to_query(uncle) | {"step": "2"}, slide=1)
    assert "level with **delicious**" in seen(at) and "level with “delicious”" in alts(at)[0]
    with all_answered():
        assert "42.6%**, which another" in text(visited("decode", to_query(uncle) | {"step": "2"}, slide=1, route="story"))


def test_what_softmax_leaks_parts_no_two_logits_and_turns_no_half_down():
    """“3.8500017, 4.1500022 and 3.8500022”, of which the first and the last are 3.85 by hand; “23.77”, of 23.775."""
    today = Scenario(
        ("Today", "weather", "is", "so"), (10, 20, 1, 5), ("odd", "self", "previous", "all"), ("nice", "cold", "windy"), (7, -4, 11),
        ((0.3, 0.5, 0.1), (0.4, 0.2, 0.6), (0.2, 0.4, 0.3), (0.1, 0.2, 0.5)), causal=False,
    )  # fmt: skip
    question = silence_question(today)
    assert "“nice” 3.85, “cold” 4.15 and “windy” 3.85" in question.why
    assert logits_side_by_side(np.array([0.700002, 2.200002, 0.699998])) == ["0.7", "2.2", "0.7"]
    assert contexts_side_by_side([12.5, 12.5000003, 12.6], np.array([20.0])) == ["12.5", "12.5", "12.6"]
    assert (logit_text(10.58749998), threshold_text(-370.874527)) == ("10.588", "−370.88")
    assert logits_side_by_side(np.array([15.449998, 15.449991, 1])) == ["15.45", "15.45", "1"]


def test_two_means_that_are_the_same_are_written_alike():
    """“Mean 10.587 … the same mean: 10.588.”"""
    wine = Scenario(
        ("Red", "wine", "stains", "white", "cloth"), (18, 11, 5, 14, 3),
        ("all", "self", "odd", "even", "first", "previous", "window:3", "at:2"), ("badly", "forever", "often"), (6, 13, 2),
        ((0.1, 0.2, 0.1), (0.2, 0.1, 0.3), (0.1, 0.3, 0.2), (0.3, 0.1, 0.1), (0, 0.2, 0.1), (0.2, 0.1, 0.4), (0.1, 0.1, -0.2),
         (0.2, 0.3, 0)),
    )  # fmt: skip
    at = visited("logits", to_query(wine), slide=6)
    assert alts(at)[0].count("mean 10.588") == 3 and "10.588" in text(at)


@pytest.mark.parametrize("policy", ["none", "soft", "softmax1"])
def test_what_an_experiment_changed_of_the_scenario_is_said(policy):
    """“Empty rows “none””, of a scenario whose softmax had 1 in the denominator of every row."""
    usual = Scenario(("so", "warm"), (5, 8), empty_row=policy)
    said = ran_on(usual, ran(usual))
    assert ("denominator" in said) == (policy == "softmax1") and "mask" not in said
    assert ("none" in said) == (policy != "none")
    assert "the mask on" in ran_on(replace(usual, causal=False), ran(usual))


def ran(s: Scenario):
    """A finding on the scenario as experiments use it."""
    return find("every_other", s)


def test_places_of_drawers_a_difference_and_the_words_of_the_other_rule_are_said():
    nine = Scenario(tuple("abcdefghi"), tuple(range(9)), ("odd",), w_vocab=((1, 2, 3),))
    assert "places 1, 3, 5, 7 and 9" in rules_story.drawers_question(nine).why
    assert "places" not in rules_story.drawers_question(replace(nine, rules=("all",))).why
    assert "difference, of scores: 8" in alts(visited("cache", to_query(TURN), slide=3))[0]
    kettle = Scenario(
        ("The", "kettle", "boils", "on", "the", "stove"), (1, 16, 22, 2, 1, 9), ("previous", "window:3", "first"),
        ("slowly", "again", "now"), (4, 10, 6), ((0.2, 0.1, 0.4), (0.1, 0.5, 0.3), (0.3, 0.2, -0.5)),
    )  # fmt: skip
    found = cache_story.three_runs_of(kettle)
    with all_answered():
        (alt,) = alts(visited("cache", to_query(kettle), slide=3, route="story"))
    assert alt.startswith("Three runs" if found else "Two runs")


def test_a_row_of_nothing_is_no_number():
    """“Takes weights that are not numbers”."""
    s = Scenario(("We", "love"), (4, 13), ("previous",), ("nice",), (1,), ((1,),), empty_row="nan")
    layer = run(s).layers[0]
    assert "0 / 0" in attention_story._weights_in_words(layer, 0, 0, [])


def test_a_note_asks_nothing_that_one_head_has_not():
    """“Which two heads would you swap”, of one."""
    assert all("two heads" not in step.note.ask and "average of the heads" not in step.note.ask for step in (stages, ask_mean))


def test_why_a_batch_that_nobody_joins_pauses_least_is_said():
    """Static was right, and the reason spoke of whole prompts, pieces and a machine apart."""
    waits = {"static": 1.0, "continuous": 2.0, "chunked": 3.0, "disaggregated": 4.0}
    for best in ("static", "continuous"):
        runs = {
            name: SimpleNamespace(longest_gap_s=np.array([0.5 if name == best else x]), n_preempted=np.zeros(1, int), policy=name)
            for name, x in waits.items()
        }
        question = pause_question(SimpleNamespace(per_minute=60), runs)
        assert question.answer == best and ("nobody joins" in question.why) == (best == "static")


def test_behind_a_shifted_cache_words_that_draw_level_are_all_named():
    """“cheap” alone, of two words with the same logit."""
    s = Scenario(("so", "warm", "it"), (5, 8, 2), ("first",), ("hot", "cold", "dry"), (1, 2, 3), ((0.5, 0.5, 0.4),))
    apart = replace(s, rules=("previous", "self"), w_vocab=((0, 0, 1), (0.5, 0.5, -1)))
    ((figure, _),) = figures(visited("cache", to_query(apart), slide=5))
    assert "hot = cold" in str(figure) or "hot =" in str(figure)


def test_a_ratio_that_is_judged_by_a_bound_is_told_from_it():
    """“1.05 × as long”, once hardly a change and once one."""
    said = [batching._longer(1.0, x) for x in (1.048, 1.054, 1.05, 1.848, 1.2)]
    assert [x.split("s, ")[-1].split(" ×")[0] for x in said] == ["1.048", "1.054", "1.05", "1.848", "1.2"]


OSLO = Scenario(
    ("Today", "weather", "is", "so"), (10, 18, 1, -4), ("even", "self", "previous:2", "first"), ("nice", "warm", "cloudy"),
    (7, 8, -5), ((0.8, 0.6, 0.1), (0.5, 0.4, 0.2), (0.1, 0.2, 0.5), (0.2, 0.3, 0.4)), empty_row="nan",
)  # fmt: skip
APART = replace(OSLO, w_vocab=((0.8, 0.6, 0.1), (0.5, 0.4, 0.2), (0, 0, 0), (0.2, 0.3, 0.4)))


def test_words_that_only_a_leak_parts_draw_level_where_the_likeliest_is_asked_for():
    """Without head 3 “nice” and “warm” have 5.6 each by hand; softmax leaks 10⁻⁶ more to the first."""
    question = silence_question(OSLO)
    assert question.asked.startswith("Switch off head 3") and question.answer == DRAW_LEVEL
    assert "“nice” 5.6, “warm” 5.6 and" in question.why
    assert [len(likeliest(one.logits[-1])) for one in (run(APART), prefill_of(APART))] == [1, 2]
    assert word_question(APART, prefill_of(APART)).answer == DRAW_LEVEL


def test_a_share_of_the_largest_logit_is_said_to_be_one():
    """“0.23 off on 2 layers”, which is 23% of the largest logit."""
    found = find("keys_never_change", Scenario.article())
    assert "23%** of the largest" in CACHE["keys_never_change"].why(found)


UP = Scenario(("up", "down", "down"), (4, 6, -6), ("window:2",), ("go", "stay"), (3, 1), ((0.5, 0.2),))
NOTHING = (replace(UP, rules=("self",), values=(4, 6, 0)), UP)


@pytest.mark.parametrize("s", NOTHING)
def test_where_all_contexts_are_nothing_by_hand_words_are_level(s):
    """“go”, by the 10⁻⁷ that softmax leaves to tokens that do not match."""
    assert run(s).logits[-1].argmax() == 0 and (run(s).logits[-1] != 0).all()
    assert word_question(s, prefill_of(s)).answer == DRAW_LEVEL
    assert "2 words level" in seen(visited("attention", to_query(s), slide=2))
    assert "2 words level at 0" in seen(visited("logits", to_query(s)))
    assert ", level with “stay”" in " ".join(alts(visited("decode", to_query(s))))


def test_a_cache_without_what_was_read_leaves_words_level():
    """“too”, of two words with a logit of 10⁻⁷."""
    s = Scenario(("I", "like", "tea"), (3, 1, 2), ("at:2", "self"), ("too", "much"), (0, 5), ((0.5, 0.2), (0.5, 0.2)))
    with all_answered():
        assert "two or more draw level, as you predicted" in plain(text(visited("less", to_query(s))))


@given(scenarios())
def test_without_leaks_nothing_moves_by_more_than_these(s):
    exact, by_hand = run(s), prefill_of(s)
    most = np.abs(exact.layers[0].v).max()
    for a, b in ((exact.layers[0].context, by_hand.layers[0].context), (exact.logits, by_hand.logits)):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=LITTLE * most * (1 + np.abs(s.w_vocab).sum()))


@pytest.mark.parametrize("values", [(10, 20, 0, 5), (0, 0, 0, 0), (10, 20, 1, 0), (6, -6, 6, -6)])
@pytest.mark.parametrize("link", [{}, {"route": "story"}])
def test_ways_agree_whatever_contexts_are_nothing_by_hand(values, link):
    """“Here these ways do not agree”, of the article with one value at 0: one way had the leaks of softmax, the other had not."""
    with all_answered():
        at = visited("prefill", to_query(Scenario(values=values)) | link, slide=1)
    assert "agree" not in text(at).replace("agree to", "") and not any("off by" in x for x in alts(at))


@pytest.mark.parametrize("s", NOTHING)
def test_of_level_words_every_lesson_names_the_one_that_the_toy_takes(s):
    """“tick” in one lesson and “tock”, on which the answer went on, in another."""
    turned = replace(s, words=s.words[::-1], w_vocab=tuple(w[::-1] for w in s.w_vocab))
    for one in (s, turned):
        assert generate(one.model(), one.prompt_ids, 1).token_ids == (0,) == (int(prefill_of(one).logits[-1].argmax()),)
