"""A box that is unfolded at the foot of the menu or of a lesson comes into sight (unfolded.js), without asking the server."""

from pathlib import Path

import streamlit as st

_COMPONENT = st.components.v2.component(
    "unfolded", html='<span data-drawn="1"></span>', js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


def bring_into_sight() -> None:
    """What makes it so for every box of the page; drawn once a page, because its script travels with it."""
    _COMPONENT(key="unfolded", height=1)
