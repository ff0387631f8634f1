"""Messages that no widget of ours would send: impossible values and absurd sizes.

A browser's message is a list of widget ids with a value of one of fifteen types. Here values are replaced, as someone with a
websocket of his own could do it. An impossible value of the right type is used or ignored. One of the wrong type fails in
Streamlit's own reading of it, before any code of ours runs, and only in its sender's session.
"""

import math
from functools import cache

import pytest
from app_pages import LESSONS, alone
from hostile import JSON, WORDS, bounded, fuzz, sentences_only, written
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.WidgetStates_pb2 import WidgetState

from engine.cost import DEVICES
from pages.parts.hardware import this_machine
from pages.parts.sharing.results import ResultStore

STRINGS = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
WHOLE = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 20)
CELLS = st.fixed_dictionaries({}, optional={"cell": JSON | st.lists(WHOLE, min_size=3, max_size=3), "failed": JSON, "x": JSON})
BY_TYPE = {
    "trigger_value": st.booleans(),
    "bool_value": st.booleans(),
    "double_value": st.floats(),
    "int_value": WHOLE,
    "string_value": STRINGS,
    "double_array_value": st.lists(st.floats(), max_size=4),
    "int_array_value": st.lists(WHOLE, max_size=4),
    "string_array_value": st.lists(STRINGS, max_size=4),
    "json_value": CELLS.map(written),
    "bytes_value": st.binary(max_size=40),
}
ANY = st.sampled_from(list(BY_TYPE)).flatmap(lambda kind: st.tuples(st.just(kind), BY_TYPE[kind]))
# Each on a lesson that has widgets of its type: of two types that no page has, and of one that the lessons here had not, the test once
# sent no message at all.
LARGE = [
    ("memory", "string_value", "x" * 10**6), ("inside", "string_array_value", ["x" * 1000] * 1000),
    ("logits", "double_array_value", [1.0] * 10**5), ("memory", "json_value", '{"cell": "' + "x" * 10**6 + '"}'),
    ("logits", "json_value", '{"cell": [' + "1," * 10**5 + "1]}"), ("logits", "double_array_value", []),
    ("memory", "string_array_value", []), ("inside", "json_value", "{}"), ("inside", "string_value", "\x00"),
    ("logits", "double_array_value", [math.nan]), ("less", "double_array_value", [math.inf]), ("memory", "double_value", math.nan),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def quick_measurement():
    """Measuring this machine takes a second and 140 MB, once in the life of a process, and the button says so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(this_machine, "measure_this_machine", lambda seconds: DEVICES["A100-80"])
        patch.setattr(this_machine, "_MEASURED", ResultStore(0))
        yield


def types(at):
    """The type of value that each widget on the page sends, figures among them."""
    states = {state.id: state.WhichOneof("value") for state in at._tree.get_widget_states().widgets}
    figures = {e.proto.id: "json_value" for e in at.get("bidi_component")}
    return {widget_id: kind for widget_id, kind in sorted((figures | states).items()) if kind in BY_TYPE}


def forged(widget_id, kind, value):
    """A message of one widget."""
    state = WidgetState(id=widget_id)
    if kind.endswith("_array_value"):
        getattr(state, kind).data.extend(value)
        getattr(state, kind).SetInParent()
    else:
        setattr(state, kind, value)
    return state


def send(at, *messages):
    """Run the page with these messages in the place of what its widgets say, as a browser would send them."""
    states = at._tree.get_widget_states()
    replaced = {message.id for message in messages}
    kept = [state for state in states.widgets if state.id not in replaced]
    del states.widgets[:]
    states.widgets.extend([*kept, *messages])
    with bounded():
        at._run(states)
    return at


@pytest.mark.parametrize("lesson", LESSONS)
@fuzz(2)
@given(data=st.data())
def test_an_impossible_value_is_used_or_ignored(lesson, data):
    at = alone(lesson).run()
    kinds = types(at)
    chosen = data.draw(st.lists(st.sampled_from(list(kinds)), min_size=1, max_size=7, unique=True))
    messages = [forged(widget_id, kinds[widget_id], data.draw(BY_TYPE[kinds[widget_id]])) for widget_id in chosen]
    honest = at._tree.get_widget_states()
    if send(at, *messages).exception:  # an index that no list has fails in Streamlit's own reading of it; the next run must stand
        at._run(honest)
    sentences_only(at)


@cache
def sender(lesson):
    """A visitor who has sent nothing else than what is large."""
    return alone(lesson).run()


@pytest.mark.parametrize(("lesson", "kind", "value"), LARGE, ids=range(len(LARGE)))
def test_a_value_of_any_size_is_used_or_refused(lesson, kind, value):
    """To every widget of the type at once. Above server.maxWidgetStateSize Streamlit refuses the message before any code of ours sees
    it; that costs its sender one run of his page."""
    at = sender(lesson)
    found = [widget_id for widget_id, its in types(at).items() if its == kind]
    assert found
    honest = at._tree.get_widget_states()
    send(at, *(forged(widget_id, kind, value) for widget_id in found))
    at._run(honest)
    sentences_only(at)
