"""How this visitor sees the lesson: light or dark, on a page, presented, or on paper."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.visit.parameters import Choice
from pages.parts.visit.scenario import PAPER
from pages.parts.visit.telling import WHEN_DRAWN, no_callback

PRESENT = Choice("present")
HANDOUT = Choice("handout")
NOTES = Choice("notes")
MOST_SPARE = 1440  # pixels: no screen is believed to be higher than 2,160
PRESENTED = 1.15  # as much as leaves a whole step in sight at 1280 × 720

_SCREEN = st.components.v2.component(
    "screen", html="<span></span>", js=WHEN_DRAWN + Path(__file__).with_name("screen.js").read_text("utf-8"), isolate_styles=False
)


def ask_the_browser() -> None:
    """Let the browser say how wide and how high it is, once its controls are drawn; called once a page."""
    _SCREEN(key="screen", height=1, on_narrow_change=no_callback, on_spare_change=no_callback)


def narrow() -> bool:
    """Whether the screen is a phone's, as the browser says: what stood side by side then stands beneath each other."""
    said = st.session_state.get("screen")
    return bool(said) and said.get("narrow") is True and not presenting()


def spare() -> int:
    """Pixels that this screen is higher than a projector's, as the browser says: figures take them. None on paper."""
    said = st.session_state.get("screen")
    pixels = said.get("spare") if said and not handout() else 0
    return pixels if type(pixels) is int and 0 < pixels <= MOST_SPARE else 0


def presenting() -> bool:
    """Whether the link or the key P asked for the presentation."""
    return PRESENT.value(("on",), "") == "on"


def with_notes() -> bool:
    """Whether this window shows the teacher's notes in place of the step."""
    return NOTES.value(("on",), "") == "on"


def handout() -> str:
    """What is laid out for paper, as lesson/handout.py names it; "" where nothing is."""
    return HANDOUT.value(PAPER, "")


def dark() -> bool:
    """Whether figures are drawn for a dark page, never so on paper."""
    return st.context.theme.type == "dark" and not handout()
