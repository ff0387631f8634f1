"""The first lesson: the words of the timeline stay hidden until the vote, and the first token needs no decode step."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from app_pages import alts, application, commit, figures, of_visit, options_of, right, says, show, shown, text, visited
from hypothesis import given
from hypothesis import strategies as st
from scenarios import BIG, TEXT, run, scenarios, winner
from valid_figures import valid

from engine import generate
from engine.experiments.chosen_answer import answer
from pages.lessons.overview.figures.request_timeline import HIDDEN, READ_SHARE, kinds_of_cells, request_timeline
from pages.lessons.overview.story import passes_question
from pages.parts.drawing.palette import LIGHT, faded
from pages.parts.drawing.sheet import Sheet
from pages.parts.visit import scenario_query
from pages.parts.visit.scenario import Kept

PAGES = Path(__file__).parents[2] / "pages"
page = partial(visited, "overview")


def test_the_first_word_is_on_the_page_from_the_vote_on_and_no_later_one_ever_is():
    """Four times “nice” was an anticlimax; which words follow is a matter of the lesson on decode."""
    at = page()
    assert "75.0%" not in text(at) and "“nice”" not in text(at)
    assert not says(alts(at)[0], "nice") and says(alts(at)[0], "Pass 1", "?")
    assert right(commit(at, "word", "nice"), "nice")
    assert says(text(at), "75.0%", "“warm”", "25.0%", "“delicious”", "0.1%")
    assert says(alts(at)[0], "Pass 1", "nice", "token 4 comes out") and "?" not in alts(at)[0]
    assert alts(at)[0].count("nice") == 2  # it comes out, and goes in


def test_a_fifth_token_adds_a_pass_that_reads_seven():
    assert says(alts(page(g="5", slide=1))[0], "Pass 5", "decode", "7 tokens", "cache; token 5 comes out")


def test_another_scenario_asks_anew_and_hides_its_words_again():
    at = page(slide=1)
    commit(at, "word", "warm")
    of_visit(at, Kept).scenario = replace(TEXT, values=(40, 20, 1, 5))
    at.run()
    assert not says(alts(at)[0], "delicious") and says(alts(at)[0], "Pass 1", "?")
    assert right(commit(at, "word", "delicious"), "delicious")


def test_three_tokens_take_two_decode_steps_whatever_the_slider_says():
    at = page()
    assert says(text(at), "answer", "3 tokens") and "4 + 3" not in text(at)
    waits = alts(at)[:2]
    assert all("Pass 1, prefill" in alt for alt in waits) and sum("Pass 2, decode" in alt for alt in waits) == 1
    assert right(commit(at, "steps", "2"), "2")
    assert says(text(at), "4 + 3 − 1 = 6") and sum("Pass 2, decode" in alt for alt in alts(at)) == 2
    at = page(g="3")  # the timeline shows three: the question asks for another number
    assert says(text(at), "answer", "5 tokens")
    assert says(commit(at, "steps", "5"), "5", "out of prefill", "4")  # with what leads to it


SCENARIOS = [
    replace(TEXT, values=(40, 20, 1, 5)),
    replace(TEXT, tokens=("a", "b"), values=(4, -6), rules=("all", "previous"), w_vocab=((1, 0, 0), (0, 1, 0))),
    replace(TEXT, tokens=tuple("abcdefg"), values=(1, 2, 3, 9, 8, 7, -3), causal=False),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_keys_are_computed_anew_for_another_scenario(scenario):
    at = page(scenario_query.to_query(scenario))
    assert right(commit(at, "word", winner(scenario)))
    steps = len(generate(scenario.model(), scenario.prompt_ids, 3).passes) - 1
    assert right(commit(at, "steps", str(steps)), str(steps))
    assert f"{len(scenario.tokens)} + 3 − 1" in text(at)


def test_without_numbers_no_candidate_is_right_and_nothing_follows():
    at = page(tokens="a", values="5", rules="even", empty="nan", g="8")
    assert "Pass 2" not in shown(at) and not says(text(at), "no word", "nothing")
    assert right(commit(at, "word", "none of them"), "none of them")
    assert says(text(at), "no word", "nothing")
    assert right(commit(at, "steps", "2"), "2")


@pytest.mark.parametrize(
    "query",
    [
        {"g": "999999999"}, {"g": "-1"}, {"g": "x"}, {**BIG, "g": "8"}, {**BIG, "g": "8", "present": "on", "slide": "2"},
        {"tokens": "a", "values": "0", "rules": "even"}, {"mask": "off", "empty": "fill"}, {"words": "a", "word_values": "1"},
        {"rules": "last,last", "values": "-1000,1000,0,-0.5"}, {"present": "on", "slide": "3"},
        {"tokens": "<b>x</b>,**y**,$z$", "values": "1,2,3", "rules": "all"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query):
    """The timeline, or on a slide of its own the step that the link asks for."""
    at = page(query)
    if "slide" in query:
        assert f"{query['slide']} / 3" in text(at)
    else:
        assert says(alts(at)[0], "Pass 1", "prefill")


def test_the_frame_links_every_other_lesson_of_the_map():
    at = show(application(), {"steps": "all"})
    assert not at.exception
    linked = shown(at)
    assert all(f"'{name}'" in linked or f'"{name}"' in linked for name in ("rules", "attention", "prefill", "decode", "cache"))


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(1, 8))
def test_each_token_is_computed_once_and_read_ever_after(scenario, n_answer):
    made = answer(scenario.model(), scenario.prompt_ids, n_answer)
    kinds, n = kinds_of_cells(made.passes), len(scenario.tokens)
    computed = (kinds == 1) | (kinds == 2)
    assert computed.sum(axis=1).tolist() == [1] * (n + n_answer - 1) + [0]  # the last word is never fed back
    assert computed.sum() == made.counts.kv_rows
    assert computed.sum(axis=0).tolist() == [p.n_new for p in made.passes]
    assert (kinds == 3).sum() == sum(p.n_past for p in made.passes)


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(1, 8), st.booleans())
def test_the_timeline_draws_every_pass_and_plays_them_one_by_one(scenario, n_answer, dark):
    made = answer(scenario.model(), scenario.prompt_ids, n_answer)
    words = [*scenario.tokens, *(scenario.id_words[i] for i in made.token_ids)]
    figure = valid(request_timeline(Sheet(dark), made.passes, words).to_plotly_json())
    cells = np.array(figure.data[0].z, float)[:, ::2]
    np.testing.assert_array_equal(cells, kinds_of_cells(made.passes))
    assert len(figure.frames) == n_answer + 1 and figure.layout.meta["start"] == n_answer
    covers = [len(frame.layout.shapes) - len(figure.layout.shapes) for frame in figure.frames]
    assert covers == [1] * n_answer + [0]


def test_the_phases_have_their_colours_and_hidden_words_are_not_in_the_figure():
    made = answer(TEXT.model(), TEXT.prompt_ids, 4)
    figure = request_timeline(Sheet(), made.passes, (*TEXT.tokens, *HIDDEN * 4)).to_plotly_json()
    assert [color for _, color in figure["data"][0]["colorscale"]] == [
        LIGHT.prefill,
        LIGHT.decode,
        faded(LIGHT, LIGHT.cached, READ_SHARE),
    ]
    assert "nice" not in str(figure) and "Today" in str(figure)


def test_the_chance_on_the_page_is_the_articles():
    np.testing.assert_allclose(run(TEXT).logits[-1], [15.3, 14.2, 8.15], atol=1e-5)


@pytest.mark.parametrize("n_answer", [1, 4, 7, 8])
def test_the_times_are_named_in_full_and_the_last_word_is_not_said_to_go_back_in(n_answer):
    """With many passes the first label shrank to "to first"."""
    made = answer(TEXT.model(), TEXT.prompt_ids, n_answer)
    words = request_timeline(Sheet(), made.passes, (*TEXT.tokens, *HIDDEN * n_answer)).to_plotly_json()["data"][-1]["text"]
    assert "time to first token" in words
    assert any(says(w, "last") for w in words) == (n_answer > 1)


def test_on_a_phone_no_word_is_cut_in_a_row_that_is_named_beside_it():
    """“To…”, “we…” and “tok…” stood in a staircase that needs none of them."""
    made = answer(TEXT.model(), TEXT.prompt_ids, 4)
    words = (*TEXT.tokens, *(f"token {k}" for k in range(1, 5)))
    for n in (1, 4):
        drawn = request_timeline(Sheet(phone=True), made.passes[:n], words, places=5).to_plotly_json()["data"][-1]["text"]
        assert not [word for word in drawn if "…" in word] and set(words) <= set(drawn)


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize(("asked", "places"), [(3, 5), (5, 7)])
def test_the_places_to_count_passes_in_stay_where_they_are_and_tell_no_number(phone, asked, places):
    """A dashed void as wide as half the picture gave nothing to count in, four dashed frames looked like four answers: one has rules."""
    made = answer(TEXT.model(), TEXT.prompt_ids, asked)
    words = (*TEXT.tokens, *(f"token {k + 1}" for k in range(asked)))
    waits, told = (request_timeline(Sheet(phone=phone), made.passes[:n], words, places=places) for n in (1, asked))
    ruled, left = ([s for s in figure.layout.shapes if s.line.dash == "dash"] for figure in (waits, told))
    assert len(ruled) == 1 and not left and waits.layout.height == told.layout.height
    assert list(waits.data[-1].text).count("<b>?</b>") == 1 and "<b>?</b>" not in told.data[-1].text
    assert {f"<b>{asked - 1}</b>", "decode steps" if asked == 3 or not phone else "steps"} <= set(told.data[-1].text)


def test_the_story_asks_how_many_passes_before_its_timeline_is_drawn_to_the_end():
    """“Which word comes next” was asked beside a finished figure of passes, which told what the step is about."""
    at = page(route="story", steps="")
    assert says(text(at), "answer", "4 words") and "Pass 2" not in alts(at)[0] and not at.slider
    drawn = figures(at)[0][0]["data"][-1]["text"]
    assert not figures(at)[0][0].get("frames")  # one pass was played, and looked broken
    assert "<b>?</b>" in drawn and "<b>4</b>" not in drawn  # “2 / 3 / 4 / 5 passes” over columns were read as passes 2 to 5
    assert right(commit(at, "passes", "4"), "4") and says(text(at), "prefill", "decode")
    assert says(alts(at)[0], "Pass 4", "decode", "comes out") and "word 4" not in alts(at)[0]  # the words themselves
    at.slider(key="extra_g").set_value(7).run()
    assert says(alts(at)[0], "Pass 7") and not options_of(at, "passes")  # what was asked stays answered


@given(scenarios(n_tokens=st.integers(1, 16)))
def test_an_answer_takes_as_many_passes_as_it_has_words(scenario):
    question = passes_question(scenario)
    assert question.answer == "4" and set(question.slips) == set(question.options) - {"2", "3", "4"}
