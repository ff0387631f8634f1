"""What the browser brings back after a lost connection is a stranger's text: it is read as a link is, or not at all."""

import json
from types import SimpleNamespace

import pytest
from app_pages import application, of_visit, ran, selected
from hardware_pages import OTHER
from hypothesis import given
from hypothesis import strategies as st

from pages.app import reconnect
from pages.app.reconnect import brought_back
from pages.parts.hardware import pasted_config
from pages.parts.hardware.pasted_config import Pasted
from pages.parts.visit.location import Where
from pages.parts.visit.scenario import Kept
from pages.parts.visit.scenario_query import MOST_QUERY

NAMES = st.sampled_from(["visit", "query", "pasted", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner),
    max_leaves=8,
)


@pytest.fixture
def told(monkeypatch):
    """Says what the browser tells the next run, once, and nothing at first; and what it was given to bring back."""
    told = SimpleNamespace(back=None, given=None)

    def component(data, **_):
        back, told.back, told.given = told.back, None, data
        return SimpleNamespace(back=back)

    monkeypatch.setattr(reconnect, "_COMPONENT", component)
    return told


def test_the_address_bar_wins_over_the_link_that_was_opened(told):
    """Streamlit sends the link with the first click; step 4 became step 3. It sends it again with every click that follows."""
    at = application()
    at.query_params.update({"step": "3", "values": "1,2,3,4"})
    told.back = {"visit": "of the last server", "query": "?step=4&values=10,20,100,5&model=pasted", "pasted": json.dumps(OTHER)}
    ran(at)
    for _ in range(2):
        extras, scenario = selected(at), of_visit(at, Kept).scenario
        assert (extras["step"], extras["model"], scenario.values) == ("4", "pasted", (10, 20, 100, 5))
        assert of_visit(at, Pasted).shape.name == OTHER["_name_or_path"]
        ran(at)


def test_a_model_can_be_brought_back_a_second_time(told):
    """One too long for the link was forgotten when the connection was lost twice: the browser had not been given it again."""
    at = ran(application())
    told.back = {"visit": "of the last server", "query": "?model=pasted", "pasted": json.dumps(OTHER)}
    ran(at)
    assert told.given == {"visit": of_visit(at, Where).visit, "pasted": json.dumps(OTHER)}


def test_a_session_that_is_still_there_ignores_an_address_that_may_be_older(told):
    at = application()
    at.query_params["step"] = "3"
    ran(at)
    told.back = {"visit": of_visit(at, Where).visit, "query": "?step=2", "pasted": ""}
    ran(at)
    assert selected(at)["step"] == "3"


@pytest.mark.parametrize(
    ("query", "model"),
    [("?tokens=" + "x" * 30_000, ""), ("?mask=perhaps&step=\ud800", "{"), ("%%%&=&&&;", "[" * 60_000), ("?step=4", "\udfff")],
)
def test_what_cannot_be_used_of_it_is_said_and_nothing_else_happens(told, query, model):
    at = application()
    told.back = {"visit": "another", "query": query, "pasted": model}
    ran(at)
    assert of_visit(at, Pasted).shape is None
    assert bool(model) == bool(of_visit(at, Pasted).problem)


@given(JSON)
def test_a_message_of_another_kind_is_ignored(message):
    assert brought_back(message, "this") is None or (isinstance(message["query"], str) and isinstance(message["pasted"], str))


def test_a_message_is_bounded_before_it_is_read():
    message = {"visit": "another", "query": "?a=b", "pasted": ""}
    assert brought_back(message, "this") == ({"a": "b"}, "")
    assert brought_back(message | {"query": "x" * (MOST_QUERY + 1)}, "this") is None
    assert brought_back(message | {"pasted": " " * (pasted_config.MAX_CHARS + 1)}, "this") is None
