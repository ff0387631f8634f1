"""A part of the page that is drawn again every second or two, by itself, and never sets back what somebody is moving. Where the
server cannot be heard it says so.

(`st.fragment(run_every=...)` asks whenever its time has come, also between a press of Next and its answer.)
"""

from collections.abc import Callable

import streamlit as st

from pages.parts.visit.address import next_run
from pages.parts.visit.components import CALL, DRAWN, RUNNING, component, no_callback

_POLL = component("poll", __file__, html=f'{DRAWN}<p class="tbt-line" role="status"></p>', before=CALL + RUNNING)


def every(seconds: float, key: str, draw: Callable[[], None]) -> None:
    """Draw this part now, and again every so many seconds."""

    def run() -> None:
        draw()
        data = {"every_ms": round(1000 * seconds), "run": next_run()}  # a new one is an answer
        _POLL(key=f"poll_{key}", data=data, on_due_change=no_callback, height=1)

    run.__qualname__ = f"poll {key}"  # tells one part's fragment from another's
    st.fragment(run, key=f"poll_{key}")()
