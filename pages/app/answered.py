"""The menu says how many questions of a lesson have been answered; the browser remembers it (answered.js), the server nothing."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

from pages.parts.lesson.predict import answered_in

_COMPONENT = st.components.v2.component(
    "answered", js=Path(__file__).with_name("answered.js").read_text("utf-8"), isolate_styles=False
)


def tell_the_browser() -> None:
    """Hand over what this visit has answered. Called after the page, which the menu stands beside."""
    lessons = {lesson: sorted(keys) for lesson, keys in answered_in().items()}
    # A new page draws the menu anew, and a component whose data has not changed is not run again; so its data always changes.
    _COMPONENT(key="answered_menu", data={"answered": json.dumps(lessons), "run": st.session_state["runs"]}, height=1)
