"""A part of the page that is drawn again every second or two, by itself, and never sets back what somebody is moving.

(`st.fragment(run_every=...)` asks whenever its time has come, also between a press of Next and its answer.)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.parts.visit.telling import nothing

_POLL = st.components.v2.component(
    "poll", html='<i data-drawn="1"></i>', js=Path(__file__).with_name("poll.js").read_text("utf-8"), isolate_styles=False
)


def every(seconds: float, key: str, draw: Callable[[], None], question: str = "") -> None:
    """Draw this part now, and again every so many seconds. question: of one that is new, the form is brought into sight once."""

    def run() -> None:
        draw()
        _POLL(key=f"poll_{key}", data={"every_ms": round(1000 * seconds), "question": question}, on_due_change=nothing, height=1)

    run.__qualname__ = f"poll {key}"  # tells one part's fragment from another's
    st.fragment(run)()
