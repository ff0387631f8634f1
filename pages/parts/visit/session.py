"""What a visit keeps between two runs: an object for each subject, a dataclass whose fields all have defaults.

    now = of_this_visit(Where)  # in the one file that defines `Where` and writes its fields
    now().lesson                # anywhere, of the visit that asks

It may be asked for at any time, also by a callback of a session in which nothing has been drawn: all is as by default then.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

Subject = TypeVar("Subject")


def of_this_visit(subject: type[Subject]) -> Callable[[], Subject]:
    """What tells, whenever it is called, the asking visit's own `subject`."""
    key = key_of(subject)

    def own() -> Subject:
        known = _known_to_this_thread()
        found = known.get(key)
        if found is None:
            found = st.session_state.get(key)
            if found is None:
                found = st.session_state[key] = subject()
            known[key] = found
        return found

    return own


_thread = threading.local()


def _known_to_this_thread() -> dict[str, object]:
    """What has been asked for since the thread runs for this session: it is asked a hundred times a move, and Streamlit takes a
    lock for each, a tenth of what a move costs."""
    session = getattr(get_script_run_ctx(suppress_warning=True), "session_state", None)
    if session is None:
        return {}
    if getattr(_thread, "session", None) is not session:
        _thread.session, _thread.known = session, {}
    return _thread.known


def key_of(subject: type) -> str:
    """Under which the session keeps it, apart from the keys of widgets."""
    return f"visit.{subject.__module__}.{subject.__name__}"
