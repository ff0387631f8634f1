"""Every callback of every page, called in a session that knows nothing but what the message itself brings.

A message may wait while another page is turned to: its callback is then called when the session has forgotten what the page before
had drawn. One that took the address bar for granted stopped the projected lesson at an error.
"""

import pytest
import streamlit as st
from app_pages import LESSONS, application, press, ran, visited

from engine.cost import DEVICES
from pages.lessons.counting import stopwatch
from pages.parts.hardware import this_machine
from pages.parts.sharing.results import ResultStore

VIEWS = ({"steps": "all"}, {"present": "on"}, {"notes": "on"}, {"handout": "answers", "steps": "all"}, {"only": "on"})


class Link(dict):
    """A link without parameters."""

    def to_dict(self):
        return dict(self)


@pytest.fixture(autouse=True)
def nothing_is_measured(monkeypatch):
    monkeypatch.setattr(this_machine, "measure_this_machine", lambda seconds: DEVICES["A100-80"])
    monkeypatch.setattr(this_machine, "_MEASURED", ResultStore(0))
    monkeypatch.setattr(stopwatch, "_measure_in_turn", lambda *_: None)


def callbacks(at):
    """(name, the session that its message brings, what it calls with what) of every callback on a page.

    A field's value comes with its message. What a component tells belongs to a state of its own, which may be forgotten by then.
    """
    session = at.session_state._state._state
    names = session._key_id_mapper.id_key_mapping
    for widget, kept in session._new_widget_state.widget_metadata.items():
        key = names.get(widget, widget)
        if kept.callback:
            yield key, {key: at.session_state.get(key)}, kept.callback, kept.callback_args or (), kept.callback_kwargs or {}
        for event, callback in (kept.callbacks or {}).items():
            yield f"{key} {event}", {}, callback, (), {}


def called(at):
    """(the names of a page's callbacks, the failures of those that fail when they are called in such a session)."""
    names, failed = [], []
    with pytest.MonkeyPatch.context() as patch:
        for name, brings, callback, args, kwargs in list(callbacks(at)):
            patch.setattr(st, "session_state", dict(brings))
            patch.setattr(st, "query_params", Link())
            patch.setattr(st, "toast", lambda *_, **__: None)
            names.append(name)
            try:
                callback(*args, **kwargs)
            except (KeyError, AttributeError, TypeError) as problem:
                failed.append(f"{name}: {problem!r}")
    return names, failed


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_callback_takes_for_granted_what_another_run_wrote(lesson):
    for view in VIEWS:
        _, failed = called(visited(lesson, **{"steps": "", **view}))
        assert failed == [], view


def test_nor_does_one_of_the_editor_or_of_what_is_shared_and_saved():
    at = application().run()
    at.switch_page("pages/attention.py")
    for part in ("words", "heads", "softmax"):
        at.session_state[f"edit__{part}"] = True
    at.session_state["take_home"] = True
    press(ran(at), "share")
    names, failed = called(at)
    assert failed == []
    assert {"words_table edit", "head_kind", "causal", "vote_open", "preset_1_0"} <= set(names), names
