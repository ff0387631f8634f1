"""Votes for a word as the story has them: two words' votes added up, of which one sum is asked for."""

from dataclasses import replace

import numpy as np
import pytest
from app_pages import SCENARIOS, commit, figures, press, ran, right, says, text, visited
from hypothesis import given
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


def test_one_sum_is_asked_and_its_chance_waits_for_it():
    """“Every word weighs the contexts in its own way, and the largest sum wins” showed no sum."""
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), **STORY)
    ((figure, alt),) = figures(at)
    logits = prefill(ALL_SWIM.model(), ALL_SWIM.prompt_ids).logits[-1]
    chance = f"{probabilities(logits).max():.1%}"
    assert "14.25" in str(figure) and chance not in str(figure) + text(at) and "still to be added up" in alt
    pair = story.rivals(logits)
    other = min(pair, key=lambda word: logits[word])
    assert sum(abs(logits - logits[other]) < 0.01) == 1  # “that” and “swim” draw level: asking about one asks about the other
    sum_ = side_by_side(logits[pair].tolist())[pair.index(other)]
    told = commit(at, "votes", "nice")
    assert right(told, "nice") and says(told, sum_, "14.25") and says(text(at), chance, "goes in")
    ((figure, alt),) = figures(at)
    assert chance in str(figure) and says(alt, "14.25", sum_)


def test_once_answered_a_value_is_moved_and_another_word_comes_out():
    """Five numbers were multiplied and added, and then nothing could be touched."""
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), **STORY)
    assert not at.slider
    commit(at, "votes", "nice")
    at.slider(key="votes_value_3").set_value(9.0)
    ran(at)
    moved = replace(ALL_SWIM, values=(*ALL_SWIM.values[:3], 9.0))
    logits = prefill(moved.model(), moved.prompt_ids).logits[-1]
    word, chance = moved.words[int(logits.argmax())], f"{probabilities(logits).max():.1%}"
    assert word == "all" and says(text(at), "no longer nice") and chance in str(figures(at)) and "add up to" not in text(at)
    press(at, "votes_again")
    assert "add up to" in text(at) and not at.slider


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
    for asked in (None, pair[-1]):
        votes = Votes(s.words, sums, probabilities(sums), pair, factors, added[:, pair], side_by_side(sums[pair].tolist()), asked)
        for sheet in (Sheet(), Sheet(phone=True)):
            valid(two_sums(sheet, votes, head_names(s), s.tokens).to_plotly_json())


def test_a_sum_is_written_with_its_signs():
    assert added_up(["−1", "2", "−3.5"]) == "−1 + 2 − 3.5"
