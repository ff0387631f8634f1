"""A teacher’s notes: there for every step that is taught, with the answer of the scenario on screen; routes keep their minutes."""

import re
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from app_pages import alone, of_visit, ran, says, show, text, visited
from scenarios import contexts, run, winner

from engine import Scenario
from engine.claims import CLAIMS, find
from pages.app.course import LESSONS, SECTIONS
from pages.app.route_steps import ROUTES
from pages.parts.question.question import Predictions, answer_text, written
from pages.parts.teaching import routes
from pages.parts.teaching.notes import Note
from pages.parts.visit import all_lessons, answer_lock, location, scenario_query

USUAL = Note().ask  # what is asked in a step that has no note of its own
NOTES = {name: [step.note for step in lesson.steps] for name, lesson in LESSONS.items()}


def test_a_lesson_has_a_note_for_each_of_its_steps_or_for_none_and_each_asks_something():
    for lesson, notes in NOTES.items():
        assert len({note.ask == USUAL for note in notes}) == 1, lesson
        for note in notes:
            assert 1 <= note.minutes <= 10 and note.ask.rstrip(".").strip() and not any(said.endswith(".") for said in note.wrong)
            assert all(not believed.endswith(".") for believed in note.wrong.values())


@pytest.mark.parametrize("lesson", NOTES)
def test_a_choice_that_a_note_explains_is_one_that_the_lesson_offers(lesson):
    """An option stands in small letters, as the question has it; what students say otherwise begins with a capital."""
    at = alone(lesson)
    of_visit(at, Predictions).on_page = []
    options = {option for question in of_visit(ran(at), Predictions).on_page for option in question.options}
    said = {said for note in NOTES[lesson] for said in note.wrong if said[0].islower()}
    assert said <= options


@pytest.mark.parametrize("route", routes.MINUTES)
def test_a_route_keeps_its_minutes(route):
    steps = [LESSONS[stop.lesson].steps[stop.at - 1] for stop in ROUTES[route]]
    assert all(step.name == stop.name and step.note.ask != USUAL for step, stop in zip(steps, ROUTES[route], strict=True))
    minutes = sum(step.note.minutes for step in steps)
    assert 0.85 * routes.MINUTES[route] <= minutes <= routes.MINUTES[route]


def test_the_story_goes_through_all_its_lessons_to_the_six_sentences():
    stops = ROUTES[routes.STORY]
    told = {stop.lesson for stop in stops}
    assert told == set(SECTIONS["The story"]) and len(told) == 9
    assert len(stops) == 16
    assert stops[-1].name == "In six sentences"


@pytest.mark.parametrize("route", routes.MINUTES)
def test_a_route_of_a_class_keeps_the_order_of_the_story_and_of_each_lessons_steps(route):
    """A class met the row that reads the cache before it was asked what to keep."""
    places = [(stop.lesson, stop.at) for stop in ROUTES[routes.STORY]]
    shared = [place for stop in ROUTES[route] if (place := (stop.lesson, stop.at)) in places]
    assert len(shared) > 5 and shared == sorted(shared, key=places.index)
    for lesson in LESSONS:
        steps = [stop.at for stop in ROUTES[route] if stop.lesson == lesson]
        assert steps == sorted(steps)


def test_the_answer_is_that_of_the_scenario_on_screen():
    s = Scenario(values=(40, 20, 1, 5))
    at = alone("rules")
    at.query_params.clear()
    at = show(at, {**scenario_query.to_query(s), "steps": "", "slide": "2", "notes": "on"})
    assert "**12.5**" in text(at) and "Ask." in text(at) and "add up to one" in text(at)
    at.query_params["values"] = "40,30,1,5"
    assert "**17.5**" in text(ran(at))


def test_what_is_right_in_this_scenario_is_not_among_the_mistakes():
    """Head 1 of the article meets a larger score on the way, head 4 meets none."""
    for head, wrong in (("1", True), ("4", False)):
        at = alone("tiles")
        at.query_params.clear()
        at = show(at, {"steps": "", "slide": "1", "head": head, "notes": "on"})
        assert ("“by 1: it stays”: right only" in text(at)) == wrong and "By more than 1" in text(at)


def test_products_are_not_called_the_same_where_the_mask_is_off():
    """16 in one pass against 10: “the products are the same, they are done side by side”."""
    at = alone("prefill")
    at.query_params.clear()
    said = text(show(at, {"steps": "", "slide": "1", "mask": "off", "notes": "on"}))
    assert "“fewer”" in said and "are the same" not in said


def test_a_step_that_grows_by_its_experts_is_not_said_to_grow_by_its_caches():
    """“It hardly changes: right only while the caches are small beside the parameters”, of 35 kB beside 18 GB, and 1.54 × as long."""
    at = alone("roofline")
    at.query_params.clear()
    link = {"model": "DeepSeek-V3", "device": "H200", "n_devices": "8", "p": "1", "g": "1", "batch": "1", "bits": "4"}
    said = text(show(at, {"steps": "", "slide": "2", "notes": "on", **link}))
    assert "less than double" in said and "experts" in said.partition("“it hardly changes”")[2]


MASK_OFF, ALL = Scenario(causal=False), Scenario(rules=("all",) * 4)
SURE = replace(ALL, w_vocab=((1000, 0, 0),) * 4)
SO_HERE = [  # what is said and somewhere so: nothing to be called a mistake without saying where it is none
    ("rules", "Heads see the words after them, too"),
    ("rules", "A token looks at all others alike"),
    ("rules", "The average of all values"),
    ("logits", "The same word"),
    ("logits", "Always"),
    ("decode", "The whole map has to be computed again"),
    ("paging", "All of them"),
    ("memory", "As many as fit into memory"),
]


def test_what_is_so_in_a_scenario_is_said_to_be_right_only_there():
    """“Always: greedy choice is taken for drawing”, of a word with the whole chance; “All of them: the causal mask is forgotten”, of a
    scenario without it, in which the page’s answer is all of them."""
    assert np.ptp(contexts(ALL)[:, -1]) == 0 and np.isclose(contexts(ALL)[0, -1], np.mean(ALL.values))
    assert all(
        winner(replace(SURE, w_vocab=[(1000 * (h != silent), 0, 0) for h in range(4)])) == winner(SURE) for silent in range(4)
    )
    assert run(MASK_OFF).layers[0].weights[:, 0, 1:].any()
    assert NOTES["prefill"][2].wrong["every row"].startswith("right only where ")
    for lesson, said in SO_HERE:
        told = [note.wrong[said] for note in NOTES[lesson] if said in note.wrong]
        assert told and all(why.startswith("right only where ") for why in told), (lesson, said)


def test_what_the_lessons_say_themselves_is_not_among_the_mistakes():
    """“Heads vote on the word”, which is how the lesson on logits begins; weights that “sum to one”, of softmax1, where they do not."""
    assert not any("vote on" in said for notes in NOTES.values() for note in notes for said in note.wrong)
    weights = (
        run(Scenario(rules=("none", "even", "first", "all"), sharpness=0.5, empty_row="softmax1")).layers[0].weights.sum(axis=-1)
    )
    assert weights.max() < 1 and not any("to one" in why for note in NOTES["rules"] for why in note.wrong.values())


def test_what_is_said_of_most_claims_is_so():
    """“Most claims in print are true with a caveat”: nine of twenty are."""
    verdicts = [find(name, Scenario.article()).verdict for name in CLAIMS]
    assert "few claims in print hold as they stand" in NOTES["claims"][0].wrong["true"]
    assert verdicts.count("true") < len(CLAIMS) / 4


ON_STORY = [
    {},
    {"mask": "off"},
    {"empty": "softmax1"},
    {"rules": "last,even,self,first"},
    {"tokens": "so,it,goes", "values": "3,1,2"},
]


def noted(stop, query):
    """The notes of a stop of the story behind a link, and what it asks."""
    at = visited(stop.lesson, {"notes": "on", "route": routes.STORY, "steps": "", "slide": str(stop.at)} | query)
    assert not at.exception, at.exception[0].value
    return at, of_visit(at, Predictions).on_page


@pytest.mark.parametrize("stop", ROUTES[routes.STORY], ids=lambda stop: f"{stop.lesson} {stop.at}")
def test_on_the_story_each_mistake_is_a_wrong_answer_to_what_the_step_asks(stop):
    """“none: the mask is taken for decoration” beneath “I change the last token. Which rows of the others change?”, to which that is the
    answer; and mistakes about the sum of W beneath a question of odds."""
    for query in ON_STORY:
        at, asked = noted(stop, query)
        known = {written(q, one) for q in asked for one in (*q.options, *q.slips)} - {answer_text(q) for q in asked}
        told = re.findall(r"^- \*\*(.+?)\*\*: (.*)", text(at), re.MULTILINE)
        assert all(said in known or why.startswith("right only where ") for said, why in told) or not asked, (query, told, known)


@pytest.mark.parametrize("stop", ROUTES[routes.STORY], ids=lambda stop: f"{stop.lesson} {stop.at}")
def test_on_the_story_a_step_that_asks_something_else_has_an_ask_of_its_own(stop):
    """“How many times as many products is that?”, where boxes are asked for, which are another number."""
    note = LESSONS[stop.lesson].steps[stop.at - 1].note
    both = [noted(stop, query)[1] for query in ({}, {"route": routes.SELF})]
    told, plain = ([(q.key, q.options) for q in asked] for asked in both)
    if told != plain:
        assert note.in_story.get("ask", note.ask) != note.ask, (told, plain)


@pytest.mark.parametrize("stop", ROUTES[routes.STORY], ids=lambda stop: f"{stop.lesson} {stop.at}")
def test_on_the_story_no_ask_names_what_only_the_lesson_has(stop):
    """“Choose who asks”, where the last token alone does until the drawers are found."""
    links = ({"route": routes.SELF}, {"route": routes.STORY})
    plain, story = (controls(visited(stop.lesson, {"steps": "", "slide": str(stop.at)} | link)) for link in links)
    ask = noted(stop, {})[0].markdown[1].value.casefold()
    assert "**ask.**" in ask and not [name for name in plain - story if name in ask]


def controls(at):
    """The names of what can be moved or chosen, as they would stand in a sentence."""
    kinds = (at.slider, at.select_slider, at.selectbox, at.button_group, at.number_input, at.checkbox)
    return {one.label.strip("?*:").casefold() for kind in kinds for one in kind if len(one.label) > 3}


def test_a_class_is_asked_for_passes_where_the_mistakes_are_about_them():
    """“What do you answer?”, of “Which word comes next?”, and beneath it mistakes about passes."""
    said = text(visited("overview", {"notes": "on", "route": "45", "steps": "", "slide": "1"}))
    assert (
        says(said, "Ask.", "how many passes")
        and "comes next?" not in said
        and "“Each word of the prompt takes a pass of its own”" in said
    )


def test_on_the_story_no_note_names_a_control_that_its_step_has_not():
    """“Then move the value of one token”, of a step that has no slider there."""
    notes = [text(visited("attention", {"notes": "on", "route": route, "steps": "", "slide": "1"})) for route in ("story", "90")]
    assert [says(said, "Press.", "move the value of one token") for said in notes] == [False, True]


def test_locked_notes_say_nothing_before_the_key():
    at = alone("attention")
    at.query_params.clear()
    at = show(at, {"steps": "", "notes": "on", "lock": answer_lock.new_lock("blue tomato", "0123abcd")})
    assert "Weights come from" not in text(at) and "locked" in text(at)
    at.text_input(key="key_notes").set_value("blue tomato")
    assert "Weights come from" in text(ran(at))


@pytest.mark.parametrize(
    ("here", "at", "by", "wanted"),
    [
        ("attention", 1, 1, "One pass or many"),
        ("attention", 1, -1, "A question and its labels"),
        ("attention", 4, -1, "One head"),
        ("counting", 1, -1, "A word goes in"),
        ("counting", 1, 1, "In six sentences"),
        ("counting", 3, 1, "In six sentences"),
        ("counting", 4, -1, "Pass by pass"),
        ("counting", 6, 1, ""),  # the last stop
        ("paging", 1, -1, ""),  # beyond its end every step comes, back as well
        ("inside", 2, -1, ""),
        ("overview", 1, -1, ""),
    ],
)
def test_on_a_route_the_way_on_skips_what_is_not_on_it(monkeypatch, here, at, by, wanted):
    monkeypatch.setattr(st, "session_state", {})
    all_lessons.lay_out(pages=dict.fromkeys(LESSONS), routes=ROUTES)
    location.set_lesson(here)
    monkeypatch.setattr(routes.ROUTE.__class__, "value", lambda *_: "45")
    assert routes.name(at, by) == wanted
    monkeypatch.setattr(routes.ROUTE.__class__, "value", lambda *_: routes.SELF)
    assert routes.name(at, by) == ""
