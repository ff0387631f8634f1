"""What reaches into Streamlit changes nothing but the time, and what is no longer there is gone on without."""

import sys
from copy import deepcopy

import pytest
from app_pages import ran, visited
from streamlit.components.v2.bidi_component import main
from streamlit.cursor import RunningCursor
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.form_utils import FormData
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session, fragment
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.app.server.streamlit_internals import (
    REACHES,
    messages_before_the_next_runner,
    messages_together,
    messages_whole_before_a_fragment,
    pages_once,
    places_copied_once,
    reached,
    settings_once,
    silent_components,
    theme_once,
    values_one_by_one,
)

VALUES, COMPONENTS = values_one_by_one.__name__, silent_components.__name__
TOGETHER, THEME, PLACES = messages_together.__name__, theme_once.__name__, places_copied_once.__name__
SETTINGS, PAGES, WHOLE = settings_once.__name__, pages_once.__name__, messages_whole_before_a_fragment.__name__
ALL = [reach.__name__ for reach in REACHES]


def test_a_session_looks_its_values_up_one_by_one_and_they_are_the_same():
    at = visited("attention")
    safe = SafeSessionState(at.session_state._state, lambda: None)
    whole, presenter = safe.filtered_state, main.make_bidi_component_presenter
    with reached() as names:
        assert names == ALL
        assert {"value_2", "all_value_2"} <= set(whole) and dict(safe.filtered_state) == whole
        assert "value_2" in safe.filtered_state and "no such value" not in safe.filtered_state
        ran(at)
    assert type(safe.filtered_state) is dict and main.make_bidi_component_presenter is presenter


def gone(*_):
    raise AttributeError("no such name")


@pytest.mark.parametrize(
    ("owner", "name", "missing"),
    [
        (SafeSessionState, "filtered_state", {VALUES}),
        (SafeSessionState, "__getitem__", {VALUES}),
        (SafeSessionState, "__init__", {VALUES}),
        (SessionState, "_new_widget_state", {VALUES, COMPONENTS}),
        (main, "make_bidi_component_presenter", {COMPONENTS}),
        (AppSession, "_handle_scriptrunner_event_on_event_loop", {TOGETHER}),
        (app_session, "_populate_theme_msg", {THEME}),
        (app_session, "_populate_config_msg", {SETTINGS}),
        (AppSession, "_populate_app_pages", {PAGES}),
        (RunningCursor, "open_block", {PLACES}),
        (ForwardMsgQueue, "enqueue", {WHOLE}),
    ],
)
def test_without_one_of_streamlits_names_the_server_goes_on_and_says_so(monkeypatch, caplog, owner, name, missing):
    instead = property(gone) if name.startswith("_new") else gone
    monkeypatch.delattr(owner, name) if missing == {TOGETHER} else monkeypatch.setattr(owner, name, instead)
    with reached() as names:
        assert names == [name for name in ALL if name not in missing]
    assert all(name in caplog.text for name in missing) and len(caplog.records) == len(missing)


@pytest.mark.parametrize("module", [SafeSessionState.__module__, main.__name__, "streamlit.runtime.state"])
def test_without_one_of_streamlits_modules_too(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    package, _, name = module.rpartition(".")
    monkeypatch.delattr(sys.modules[package], name)
    with reached() as names:
        assert len(names) < len(ALL)


class Session:
    """What takes the messages of a run, on a loop of its own that does what it is asked when the test says so."""

    def __init__(self):
        self.soon, self.later, self._event_loop, self.told = [], [], self, 0
        self._message_enqueued_callback = self.enqueued

    def _call_soon_on_event_loop(self, callback):
        self.soon.append(callback)

    def call_later(self, seconds, callback, *args):
        self.later.append((seconds, callback, args))

    def enqueued(self):
        self.told += 1

    def looked_at(self):
        while self.soon:
            self.soon.pop(0)()


def test_messages_arrive_in_order_and_at_the_latest_when_the_run_has_ended_or_the_loop_looks(monkeypatch):
    came, session, kinds = [], Session(), ScriptRunnerEvent
    handle = "_handle_scriptrunner_event_on_event_loop"

    def handled(session, sender, event, message=None):
        came.append((event, message))
        if session._message_enqueued_callback:
            session._message_enqueued_callback()

    monkeypatch.setattr(AppSession, handle, handled)
    with reached([messages_together]):
        told = AppSession._on_scriptrunner_event
        run = [(kinds.SCRIPT_STARTED, None), *((kinds.ENQUEUE_FORWARD_MSG, n) for n in range(3))]
        for event, message in run:
            told(session, None, event, message)
        session.looked_at()
        assert not came and len(session.later) == 1  # woken once
        _, look, args = session.later.pop()
        look(*args)
        assert came == run
        for event, message in (end := [*run[1:], (kinds.FRAGMENT_STOPPED_WITH_SUCCESS, None)]):
            told(session, None, event, message)
        session.looked_at()
        assert came == run + end and session.told == 2  # whoever sends them, of all that come together
        session._message_enqueued_callback()
        assert session.told == 3


def test_what_a_run_has_told_is_taken_before_another_thread_runs_the_session(monkeypatch):
    """Streamlit drops what is told by a thread that is not the session's: a press whose run ended as a timer asked was not shown."""
    came, session, kinds = [], Session(), ScriptRunnerEvent
    session.runner = "first"

    def handled(session, sender, event, message=None):
        came.extend([(event, message)] if sender == session.runner else [])

    def create(session, request):
        session.runner = request

    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", handled)
    monkeypatch.setattr(AppSession, "_create_scriptrunner", create)
    with reached([messages_together, messages_before_the_next_runner]):
        run = [(kinds.ENQUEUE_FORWARD_MSG, "the answer"), (kinds.FRAGMENT_STOPPED_WITH_SUCCESS, None)]
        for event, message in run:
            AppSession._on_scriptrunner_event(session, "first", event, message)
        AppSession._create_scriptrunner(session, "second")  # the loop has a request to see to before it looks
        session.looked_at()
        assert came == run and session.runner == "second"
        AppSession._create_scriptrunner(session, "third")  # nothing waits
    assert came == run


def message(run, kind, fragment="", anew=()):
    told = ForwardMsg()
    told.metadata.run.script_run_id, told.metadata.run.fragment_ids[:] = run, anew
    if kind == "script_finished":
        told.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY if anew else ForwardMsg.FINISHED_SUCCESSFULLY
    else:
        told.metadata.delta_path[:] = [0, kind]
        told.delta.fragment_id, told.delta.new_element.markdown.body = fragment, f"{run} {kind}"
    return told


def test_what_a_page_has_told_is_sent_whole_though_its_step_runs_anew_before_it_is_sent():
    """The browser took the step off the page, which was not in what it was sent, and drew it in the place of the way on."""
    page = [message("page", 1), message("page", 2, "step"), message("page", 3), message("page", "script_finished")]
    step = [message("step", 2, "step", ["step"]), message("step", "script_finished", anew=["step"])]
    live = [message("live", 2, "live", ["live"]), message("live", "script_finished", anew=["live"])]
    session = type("Session", (), {"_browser_queue": ForwardMsgQueue()})()
    queue = session._browser_queue

    def told():
        for run, anew in ((page, None), (step, ["step"]), (live, ["live"])):
            AppSession._clear_queue(session, anew)
            for one in deepcopy(run):
                queue.enqueue(one)
        return queue.flush()

    assert page[1] not in told()  # as Streamlit has it
    with reached([messages_whole_before_a_fragment]) as names:
        assert names and told() == page + step + live
        queue.enqueue(page[0])
        AppSession._clear_queue(session)  # a page that is drawn anew needs nothing of what waits
        assert queue.is_empty()


def test_a_fragments_place_is_copied_as_streamlit_copies_it():
    """What is written into a copy moves no other, and a copy is within the copies of what it was in."""
    outer = DeltaGenerator(0, RunningCursor(0, (1,)), DeltaGenerator(0, RunningCursor(0)))
    inner = DeltaGenerator(0, outer._cursor.open_block(), outer, "column")
    inner._form_data, inner._creating_fragment_id = FormData("f"), "a"
    inner._cursor.get_transient_cursor().transient_elements[0] = "spinner"
    before = fragment.deepcopy
    with reached([places_copied_once]):
        (_, made), cursors = fragment.deepcopy((outer, inner)), fragment.deepcopy({0: outer._cursor})
        made._cursor.lock_element()
        cursors[0].lock_element()
        again = fragment.deepcopy((outer, inner))
        assert fragment.deepcopy([1, [2]]) == [1, [2]]
    assert fragment.deepcopy is before
    for one, other in zip(again, before((outer, inner)), strict=True):
        while one or other:
            assert (one._block_type, one._form_data, one._creating_fragment_id) == (
                other._block_type, other._form_data, other._creating_fragment_id,
            )  # fmt: skip
            assert (
                one._cursor.delta_path == other._cursor.delta_path
                and one._cursor.transient_index == other._cursor.transient_index
            )
            assert list(one._cursor.transient_elements) == list(other._cursor.transient_elements)
            one, other = one._parent, other._parent
    assert made._parent is not outer and made._parent._cursor.delta_path == outer._cursor.delta_path
    assert made._cursor.index == 1 + inner._cursor.index and cursors[0].index == 1 + outer._cursor.index


def test_every_section_of_the_theme_says_what_streamlit_makes_it_say():
    sections = ["theme", *(f"theme.{part}" for part in ("sidebar", "light", "dark", "light.sidebar", "dark.sidebar"))]

    def themes():
        message = NewSession()
        for section in sections:
            part = message.custom_theme
            for name in section.split(".")[1:]:
                part = getattr(part, name)
            app_session._populate_theme_msg(part, section)
        return message.SerializeToString()

    before = themes()
    with reached([theme_once]):
        assert themes() == themes() == before


def test_settings_and_pages_of_a_run_are_those_that_streamlit_says():
    pages = {"a": {"page_name": "one_head", "icon": "x"}, "b": {"page_name": "decode", "icon": ""}}
    other = {"a": {"page_name": "one_head", "icon": "y"}}

    def told(pages):
        message = NewSession()
        AppSession._populate_app_pages(None, message, pages)
        app_session._populate_config_msg(message.config)
        return message.SerializeToString()

    before = [told(pages), told(other)]
    with reached([settings_once, pages_once]):
        assert [told(pages), told(other)] == [told(pages), told(other)] == before
    assert before[0] != before[1]
