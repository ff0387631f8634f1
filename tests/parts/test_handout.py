"""The handout of every lesson and of every route: each step and each question is on it, answers only where asked."""

import pytest
from app_pages import alone, application, names_of, show
from driving import LESSONS

from engine import Scenario
from pages.app.route_steps import ROUTES
from pages.parts.lesson import machine
from pages.parts.teaching import routes

ON_PAPER = [name for name in LESSONS if name != "start"]


def questions(at, begins):
    """What is asked on a page, by the words that a question begins with there."""
    return [text.value.partition(begins)[2].partition("** ")[2].strip() for text in at.markdown if f"**{begins}" in text.value]


def names_on(at):
    return [heading.value.split("  ")[-1] for heading in at.subheader]


@pytest.mark.parametrize("lesson", ON_PAPER)
def test_every_step_of_a_lesson_is_on_its_handout(lesson):
    at = show(alone(lesson), {"handout": "questions"})
    assert not at.exception
    assert names_on(at) == names_of(lesson)
    if lesson != "quiz":  # which asks its own way on the screen
        assert questions(at, "Question ") == questions(show(alone(lesson), {}), "Predict.")
    with_answers = show(alone(lesson), {"handout": "answers"})
    assert not with_answers.exception
    asks = any(text.value.startswith("**Question 1.**") for text in with_answers.markdown)
    assert asks == (names_on(with_answers)[-1] == "Answers")


def test_a_handout_asked_for_where_one_step_stands_has_the_lengths_once():
    """All steps stand on it, and the lesson on counting drew its two lengths with two of them: the sheet failed."""
    at = alone("counting")
    at.query_params.clear()
    at.query_params.update({"handout": "questions"})
    assert not at.run().exception and names_on(at) == names_of("counting")


@pytest.mark.parametrize("route", ROUTES)
def test_a_routes_handout_has_its_steps_in_order_and_one_page_of_answers(route):
    at = show(application(), {"handout": "route", "route": route, "values": "10,20,1,5"})
    assert not at.exception
    assert names_on(at) == [stop.name for stop in ROUTES[route]]
    assert routes.NAMES[route] in at.title[0].value and len(at.title) == 1
    at = show(application(), {"handout": "route_answers", "route": route, "values": "10,20,1,5"})
    asked = [text.value for text in at.markdown if text.value.startswith("**Question ")]
    assert names_on(at)[-1] == "Answers" and len(asked) >= 5
    assert [text.split("**")[1] for text in asked] == [f"Question {k}." for k in range(1, len(asked) + 1)]


def test_a_sheet_says_what_its_numbers_come_from():
    """What is asked is computed from the values and from W, which a reader of paper can look up nowhere else."""
    (told,) = [text.value for text in show(alone("logits"), {"handout": "questions"}).markdown if "W, a row" in text.value]
    scenario = Scenario.article()
    assert all(f"{word} = {value:g}" in told for word, value in zip(scenario.tokens, scenario.values, strict=True))
    assert "; ".join(", ".join(f"{w:g}" for w in row) for row in scenario.w_vocab) in told


def test_without_a_route_its_handout_is_the_lessons_own():
    at = show(alone("rules"), {"handout": "route"})
    assert not at.exception and names_on(at)


@pytest.mark.parametrize(("query", "ended"), [({}, False), ({"handout": "questions"}, True)])
def test_what_moves_on_the_screen_has_arrived_on_paper(monkeypatch, query, ended):
    sent = []
    monkeypatch.setattr(machine, "_MACHINE", lambda key, data: sent.append(data["ended"]))
    assert not show(alone("cache"), query).exception
    assert sent == [ended]
