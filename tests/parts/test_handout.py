"""The handout of every lesson and of every route: each step is on it, no control's key is used twice, answers only where asked."""

import pytest
from app_pages import alone, application, show
from driving import LESSONS

from pages.app.contents import contents
from pages.parts.teaching import routes

ON_PAPER = [name for name in LESSONS if name != "start"]


def names_on(at):
    return [heading.value.split("  ")[-1] for heading in at.subheader]


@pytest.mark.parametrize("lesson", ON_PAPER)
def test_every_step_of_a_lesson_is_on_its_handout(lesson):
    at = show(alone(lesson), {"handout": "questions"})
    assert not at.exception
    assert names_on(at) == list(contents()[lesson][1])
    with_answers = show(alone(lesson), {"handout": "answers"})
    assert not with_answers.exception
    asks = any(text.value.startswith("**Question 1.**") for text in with_answers.markdown)
    assert asks == (names_on(with_answers)[-1] == "Answers")


@pytest.mark.parametrize("route", routes.ROUTES)
def test_a_routes_handout_has_its_steps_in_order_and_one_page_of_answers(route):
    at = show(application(), {"handout": "route", "route": route, "values": "10,20,1,5"})
    assert not at.exception
    assert names_on(at) == [name for _, name in routes.ROUTES[route]]
    assert routes.NAMES[route] in at.title[0].value and len(at.title) == 1
    at = show(application(), {"handout": "route_answers", "route": route, "values": "10,20,1,5"})
    asked = [text.value for text in at.markdown if text.value.startswith("**Question ")]
    assert names_on(at)[-1] == "Answers" and len(asked) >= 5
    assert [text.split("**")[1] for text in asked] == [f"Question {k}." for k in range(1, len(asked) + 1)]


def test_without_a_route_its_handout_is_the_lessons_own():
    at = show(alone("rules"), {"handout": "route"})
    assert not at.exception and names_on(at)
