"""What a window does that has heard from the teacher's other window: it goes there, once, and keeps how it shows a lesson."""

from types import SimpleNamespace

import pytest
from app_pages import of_visit, ran, selected
from hostile import JSON
from hypothesis import given
from streamlit.testing.v1 import AppTest

from pages.parts.teaching import windows
from pages.parts.visit.scenario import Kept


def frame():
    """What the frame does for a lesson whose other window speaks. (AppTest runs the frame once and then the page by itself.)"""
    import streamlit as st

    from pages.parts.teaching import windows
    from pages.parts.visit import address, all_lessons, location, scenario

    all_lessons.lay_out(lessons={"decode": ("", ()), "rules": ("", ())})
    windows.follow()
    scenario.current()
    st.session_state["asked"], _ = location.take_request()
    address.publish(("slide", "present", "route"))


@pytest.fixture
def told(monkeypatch):
    """What the browser tells a run; a test puts it in."""
    told = SimpleNamespace(moved=None)
    monkeypatch.setattr(windows, "_COMPONENT", lambda **_: told)
    return told


def heard_back(at):
    """The number that the address bar hands back to the browser."""
    (bar,) = at.get("bidi_component")
    return bar.proto.json.partition('"heard": ')[2].partition("}")[0]


def test_a_window_goes_where_the_other_has_gone_and_keeps_how_it_shows_a_lesson(told):
    at = AppTest.from_function(frame)
    at.query_params.update({"slide": "2", "present": "on"})
    assert heard_back(ran(at)) == "0"
    told.moved = {"number": 7, "path": "/x/decode", "search": "slide=3&values=1,2,3,4&notes=on&handout=answers"}
    ran(at)
    assert of_visit(at, Kept).scenario.values == (1, 2, 3, 4) and at.session_state["asked"] == "decode"
    extras = selected(at)
    assert extras["slide"] == "3" and extras["present"] == "on" and not {"notes", "handout"} & set(extras)
    assert heard_back(at) == "7"


def test_a_run_that_is_begun_again_does_not_take_back_what_was_done_here_since(told):
    """Streamlit shows such a run the same message once more."""
    at = AppTest.from_function(frame)
    told.moved = {"number": 7, "path": "/rules", "search": "slide=3"}
    ran(at)
    selected(at)["slide"] = "4"
    assert selected(ran(at))["slide"] == "4"
    told.moved = told.moved | {"number": 8}
    assert selected(ran(at))["slide"] == "3"


@given(JSON)
def test_whatever_else_a_browser_says_is_left_alone(said):
    assert windows.as_heard(said) is None


@pytest.mark.parametrize(
    "wrong", [{"number": "7"}, {"number": True}, {"path": None}, {"search": ["a"]}, {"search": "x" * 64_001}]
)
def test_a_message_with_a_part_that_is_no_address_is_left_alone(wrong):
    good = {"number": 7, "path": "/rules", "search": "slide=3"}
    assert windows.as_heard(good) and windows.as_heard(good | wrong) is None
