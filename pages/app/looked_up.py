"""A session's values looked up one by one.

Streamlit makes a dictionary of all values of a session for each slider, list and row of choices that a page draws, to look its
own key up in it: a fifth of what a move costs here, where a session has sixty values. The same mapping, made only when somebody
goes through all of it. And it makes a class anew each time that it reads what a component has said, eight times a move: not for
one that has said nothing since the last run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from streamlit.components.v2.bidi_component import main as components
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

_WHOLE, _PRESENTER = SafeSessionState.filtered_state, components.make_bidi_component_presenter


class Values(Mapping):
    """What `session.filtered_state` holds: the values that have a name."""

    def __init__(self, session: SafeSessionState):
        self._session = session

    def __getitem__(self, key: str) -> object:
        return self._session[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __str__(self) -> str:
        return str(self._all())

    def _all(self) -> dict[str, object]:
        return _WHOLE.fget(self._session)


def presenter(told: str, *args, **kwargs) -> Callable[[object, SessionState], object]:
    """What shows a component's state: with the events that were `told` to this run, where there are any."""
    with_events = _PRESENTER(told, *args, **kwargs)

    def present(state: object, session: SessionState) -> object:
        return with_events(state, session) if told in session._new_widget_state else state

    return present


@contextmanager
def one_by_one() -> Iterator[None]:
    """Inside, sessions give such mappings, and components are shown so."""
    SafeSessionState.filtered_state, components.make_bidi_component_presenter = property(Values), presenter
    try:
        yield
    finally:
        SafeSessionState.filtered_state, components.make_bidi_component_presenter = _WHOLE, _PRESENTER
