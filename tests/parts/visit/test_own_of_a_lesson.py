"""What each lesson keeps for itself: where its stepper stands. A link speaks of the lesson that it opens."""

import pytest
from app_pages import of_visit, press, ran, selected
from streamlit.testing.v1 import AppTest

from pages.parts.visit.location import Where


def frame():
    """What the frame does when one lesson leads to the next. (AppTest runs the frame once and then the page by itself.)"""
    import streamlit as st

    from pages.app.course import LESSONS
    from pages.app.route_steps import ROUTES
    from pages.parts.lesson.step_navigation import enter_lesson
    from pages.parts.teaching import own_route
    from pages.parts.visit import address, all_lessons, location, scenario
    from pages.parts.visit.parameters import DECLARED

    scenario.current()
    all_lessons.lay_out(pages=dict.fromkeys(LESSONS), lessons=LESSONS, routes=ROUTES, own_route=own_route.stops)
    asked, _ = location.take_request()
    if asked:
        location.leave_page()
    location.set_lesson(asked or location.now().lesson or st.query_params["at"])
    enter_lesson(location.now().lesson)
    LESSONS[location.now().lesson].show()
    address.publish(DECLARED)


def opened(lesson, **query):
    at = AppTest.from_function(frame, default_timeout=60)
    at.query_params.update({"at": lesson, "route": "45", **query})
    return ran(at)


def stands(at):
    """The lesson, its step, and what its stepper says of where it stands."""
    return of_visit(at, Where).lesson, selected(at).get("slide") or "1", selected(at).get("step", "")


@pytest.mark.parametrize(("lesson", "slide"), [("decode", "1"), ("cache", "2")])
def test_a_link_opens_its_lesson_where_it_says(lesson, slide):
    assert stands(opened(lesson, slide=slide, step="3")) == (lesson, slide, "3")


def test_each_lesson_has_its_own_and_keeps_it():
    at = opened("decode", slide="1", step="3", route="own", own_route="decode.1,cache.2")
    press(at, "slide_next")
    assert stands(at) == ("cache", "2", "")
    press(at, "step_next")
    assert stands(at) == ("cache", "2", "1")
    press(at, "slide_back")
    assert stands(at) == ("decode", "1", "3")
    press(at, "slide_next")
    assert stands(at) == ("cache", "2", "1")


def test_another_scenario_begins_anew_in_all_of_them():
    at = opened("decode", slide="1", step="3", values="1,2,3,4")
    press(at, "slide_next")
    press(at, "reset")
    press(at, "slide_back")
    assert stands(at) == ("decode", "1", "")


def test_the_browsers_back_leads_off_a_sheet_to_the_page_that_it_names():
    """The address changed, and the sheet stayed."""
    at = opened("decode", handout="questions")
    assert selected(at)["handout"] == "questions"
    of_visit(at, Where).open_lesson = "cache"
    at.query_params.clear()
    assert stands(ran(at))[0] == "cache" and not selected(at).get("handout")
