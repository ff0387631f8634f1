"""What reaches into Streamlit changes nothing but the time, and what is no longer there is gone on without."""

import sys

import pytest
from app_pages import ran, visited
from streamlit.components.v2.bidi_component import main
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.app.server.streamlit_internals import reached, silent_components, values_one_by_one

VALUES, COMPONENTS = values_one_by_one.__name__, silent_components.__name__


def test_a_session_looks_its_values_up_one_by_one_and_they_are_the_same():
    at = visited("attention")
    safe = SafeSessionState(at.session_state._state, lambda: None)
    whole, presenter = safe.filtered_state, main.make_bidi_component_presenter
    with reached() as names:
        assert names == [VALUES, COMPONENTS]
        assert {"value_2", "all_value_2"} <= set(whole) and dict(safe.filtered_state) == whole
        assert "value_2" in safe.filtered_state and "no such value" not in safe.filtered_state
        ran(at)
    assert type(safe.filtered_state) is dict and main.make_bidi_component_presenter is presenter


def gone(*_):
    raise AttributeError("no such name")


@pytest.mark.parametrize(
    ("owner", "name", "left"),
    [
        (SafeSessionState, "filtered_state", [COMPONENTS]),
        (SafeSessionState, "__getitem__", [COMPONENTS]),
        (SafeSessionState, "__init__", [COMPONENTS]),
        (SessionState, "_new_widget_state", []),
        (main, "make_bidi_component_presenter", [VALUES]),
    ],
)
def test_without_one_of_streamlits_names_the_server_goes_on_and_says_so(monkeypatch, caplog, owner, name, left):
    monkeypatch.setattr(owner, name, property(gone) if name.startswith("_new") else gone)
    with reached() as names:
        assert names == left
    missing = {VALUES, COMPONENTS} - set(left)
    assert all(name in caplog.text for name in missing) and len(caplog.records) == len(missing)


@pytest.mark.parametrize("module", [SafeSessionState.__module__, main.__name__, "streamlit.runtime.state"])
def test_without_one_of_streamlits_modules_too(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    package, _, name = module.rpartition(".")
    monkeypatch.delattr(sys.modules[package], name)
    with reached() as names:
        assert len(names) < 2
