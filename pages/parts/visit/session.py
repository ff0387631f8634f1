"""What a visit keeps between two runs: an object for each subject, a dataclass whose fields all have defaults.

    now = of_this_visit(Where)  # in the one file that defines `Where` and writes its fields
    now().lesson                # anywhere, of the visit that asks

It may be asked for at any time, also by a callback of a session in which nothing has been drawn: all is as by default then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

Subject = TypeVar("Subject")


def of_this_visit(subject: type[Subject]) -> Callable[[], Subject]:
    """What tells, whenever it is called, the asking visit's own `subject`."""
    key = key_of(subject)

    def own() -> Subject:
        found = st.session_state.get(key)
        if found is None:
            found = st.session_state[key] = subject()
        return found

    return own


def key_of(subject: type) -> str:
    """Under which the session keeps it, apart from the keys of widgets."""
    return f"visit.{subject.__module__}.{subject.__name__}"
