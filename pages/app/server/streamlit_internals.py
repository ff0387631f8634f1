"""All that reaches into Streamlit by names that it does not promise to keep. Each reach saves time and changes nothing else.
A move of the attention lesson costs the server 17.5 ms with both, 20 with either and 24 with none.

Each is tried when the server starts, on a session of its own: where a version of Streamlit has changed what it needs, the server's
log says so and the server goes on without it, a little slower.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

Reach = tuple[object, str, object]  # whose name, which name, and what stands there instead
_LOG = logging.getLogger(__name__)


class Values(Mapping):
    """The values of a session that have a name, looked up one by one. all_of: makes the dictionary of all of them."""

    def __init__(self, session, all_of: Callable[[object], Mapping[str, object]]):
        self._session, self._all_of = session, all_of

    def __getitem__(self, key: str) -> object:
        return self._session[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_of(self._session))

    def __len__(self) -> int:
        return len(self._all_of(self._session))

    def __str__(self) -> str:
        return str(self._all_of(self._session))


def values_one_by_one() -> Reach:
    """A session's values, looked up one by one.

    Streamlit makes a dictionary of all values of a session for each slider, list and row of choices that a page draws, to look its
    own key up in it, where a session here has sixty values. The same mapping, made only when somebody
    goes through all of it.
    """
    from streamlit.runtime.state import SessionState
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    all_of = SafeSessionState.filtered_state.fget
    tried = SafeSessionState(SessionState(), lambda: None)
    values = Values(tried, all_of)
    if dict(values) or "tried" in values:
        raise ValueError(f"expected no value of a new session, got {dict(values)}")
    return SafeSessionState, "filtered_state", property(lambda session: Values(session, all_of))


def silent_components() -> Reach:
    """Components that have said nothing since the last run are shown as they are.

    Streamlit makes a class anew each time that it reads what a component has said, eight times a move.
    """
    from streamlit.components.v2.bidi_component import main
    from streamlit.runtime.state import SessionState

    with_events = main.make_bidi_component_presenter

    def presenter(aggregator_id: str, *args, **kwargs):
        show = with_events(aggregator_id, *args, **kwargs)
        return lambda state, session: show(state, session) if aggregator_id in session._new_widget_state else state

    shown = [make("tried")({"cell": 1}, SessionState()) for make in (presenter, with_events)]
    if shown[0] != shown[1]:
        raise ValueError(f"expected a component's state as it is, got {shown[1]}")
    return main, "make_bidi_component_presenter", presenter


@contextmanager
def reached(reaches: tuple[Callable[[], Reach], ...] = (values_one_by_one, silent_components)) -> Iterator[list[str]]:
    """Inside, these stand in Streamlit's place; gives the names of those that do."""
    names = []
    with ExitStack() as undone:
        for reach in reaches:
            try:
                owner, name, instead = reach()
            except Exception as changed:  # whatever another version does: no server stays away for a saving
                _LOG.warning("This Streamlit is another one; goes on without %s: %r", reach.__name__, changed)
                continue
            undone.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, instead)
            names.append(reach.__name__)
        yield names
