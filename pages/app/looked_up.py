"""A session's values looked up one by one.

Streamlit makes a dictionary of all values of a session for each slider, list and row of choices that a page draws, to look its
own key up in it: a fifth of what a move costs here, where a session has sixty values. The same mapping, made only when somebody
goes through all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from streamlit.runtime.state.safe_session_state import SafeSessionState

_WHOLE = SafeSessionState.filtered_state


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


@contextmanager
def one_by_one() -> Iterator[None]:
    """Inside, sessions give such mappings."""
    SafeSessionState.filtered_state = property(Values)
    try:
        yield
    finally:
        SafeSessionState.filtered_state = _WHOLE
