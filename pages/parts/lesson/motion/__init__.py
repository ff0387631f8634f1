"""Shows an answer being written as movement: it plays in the browser, can be paused or skipped, and asks the server for nothing.

The first screen plays the trained model's answer, the cache lesson the toy's; what is drawn is plain data of drawing/writing.py.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.visit.display import handout

_HERE = Path(__file__).with_name("writing")
_WRITING = st.components.v2.component(
    "writing",
    html=_HERE.with_suffix(".html").read_text("utf-8"),
    css=_HERE.with_suffix(".css").read_text("utf-8"),
    js=_HERE.with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def play(drawing: str, key: str = "writing") -> None:
    """Play a drawing, given as JSON; the same one again goes on where it stands. On paper its end is shown."""
    _WRITING(key=key, data={"drawing": drawing, "ended": bool(handout())})
