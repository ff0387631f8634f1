"""Votes for a word as the story has them: two words' votes added up, and the odds that softmax makes of the sums."""

from dataclasses import replace

import numpy as np
import pytest
from app_pages import SCENARIOS, commit, figures, press, ran, right, says, text, visited
from hypothesis import example, given
from hypothesis import strategies as st
from scenarios import scenarios
from valid_figures import valid

from engine import prefill, probabilities
from engine.sampling import likeliest
from engine.toy.presets import ALL_SWIM
from pages.lessons.logits import story
from pages.lessons.logits.figures.two_sums import Votes, two_sums
from pages.lessons.logits.steps import contexts_written, last_contexts, with_finite_logits
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.digits import added_up, side_by_side
from pages.parts.text.toy_names import head_names
from pages.parts.visit import scenario_query

STORY = {"route": "story", "slide": "1", "steps": ""}


def test_the_odds_are_asked_and_the_chances_wait_for_them():
    """Which of two sums is the larger had been asked: an addition, of which nobody learned anything."""
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), **STORY)
    ((figure, alt),) = figures(at)
    logits = prefill(ALL_SWIM.model(), ALL_SWIM.prompt_ids).logits[-1]
    second, first = np.sort(logits)[-2:]
    chance, times = f"{probabilities(logits).max():.1%}", f"{np.exp(first - second):.0f} times"
    assert "14.25" in str(figure) and chance not in str(figure) + text(at) and "still to be found" in alt
    told = commit(at, "votes", f"{first / second:.1f} times")
    assert says(told, f"14.25 / {second:g}", times)
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), **STORY)
    told = commit(at, "votes", times)
    assert right(told, times) and says(text(at), "nice", chance, "goes in")
    ((figure, alt),) = figures(at)
    assert chance in str(figure) and says(alt, "14.25", chance)


@given(st.lists(st.floats(-1e4, 1e4) | st.sampled_from([0.0, 1.0, 1.1, 2.0]), min_size=2, max_size=5))
@example([3.0, 3.0])
@example([0.0, -0.5])
@example([30.0, 3.0])
@example([1.0, 0.9])
def test_one_of_the_odds_to_choose_from_is_what_softmax_gives_and_no_other_is_near(sums):
    sums = np.array(sums)
    pair = story.rivals(sums)
    question = story.odds_question(replace(ALL_SWIM, words=tuple("abcdef")), sums, pair)
    times = np.exp(min(np.ptp(np.sort(sums)[-2:]), 50))
    assert len(question.options) == 3 and question.answer not in question.slips
    for said in question.options:
        number = 1e6 if "million" in said else float(said.split()[-2].replace(",", ""))
        true = times < number if "less" in said else times > number if "million" in said else abs(times / number - 1) < 0.055
        assert true == (said == question.answer)


def test_once_answered_a_value_is_moved_and_another_word_comes_out():
    """Five numbers were multiplied and added, and then nothing could be touched."""
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), **STORY)
    assert not at.slider
    commit(at, "votes", "26 times")
    at.slider(key="votes_value_3").set_value(9.0)
    ran(at)
    moved = replace(ALL_SWIM, values=(*ALL_SWIM.values[:3], 9.0))
    logits = prefill(moved.model(), moved.prompt_ids).logits[-1]
    word, chance = moved.words[int(logits.argmax())], f"{probabilities(logits).max():.1%}"
    assert word == "all" and says(text(at), "no longer nice") and chance in str(figures(at)) and "How many times" not in text(at)
    press(at, "votes_again")
    assert "How many times" in text(at) and not at.slider


def test_a_link_that_edits_w_opens_the_whole_of_it():
    for link in ({"off": "1"}, {"word": "2"}):
        ((_, alt),) = figures(visited("logits", **STORY, **link))
        assert "Arrow keys select another cell" in alt


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_page_stands_in_every_scenario(name):
    at = visited("logits", **scenario_query.to_query(SCENARIOS[name]), **STORY)
    assert not at.exception and figures(at)


@given(scenarios())
def test_the_votes_of_a_word_add_up_to_its_sum(s):
    s, run, _ = with_finite_logits(s)
    context, w = last_contexts(run), np.array(s.w_vocab)
    added = context[:, None] * w
    sums = added.sum(axis=0)
    pair = story.rivals(sums)
    assert len(pair) == min(2, len(s.words)) and set(likeliest(sums)[:1]) <= set(pair)
    assert all(sums[w] <= sums[pair].max() + 1e-9 for w in range(len(sums)))
    factors = [[(c, "1", "1") for c in contexts_written(run)] for _ in pair]
    for still_open in (False, True):
        votes = Votes(
            s.words, sums, probabilities(sums), pair, factors, added[:, pair], side_by_side(sums[pair].tolist()), still_open
        )
        for sheet in (Sheet(), Sheet(phone=True)):
            valid(two_sums(sheet, votes, head_names(s), s.tokens).to_plotly_json())


def test_a_sum_is_written_with_its_signs():
    assert added_up(["−1", "2", "−3.5"]) == "−1 + 2 − 3.5"
