"""How this visitor sees the lesson: light or dark, on a page, presented, or on paper."""

from __future__ import annotations

import streamlit as st

from pages.parts.visit.parameters import Choice

PRESENT = Choice("present")
HANDOUT = Choice("handout")
NOTES = Choice("notes")
PRESENTED = 1.15  # as much as leaves a whole step in sight at 1280 × 720


def presenting() -> bool:
    """Whether the link or the key P asked for the presentation."""
    return PRESENT.value(("on",), "") == "on"


def with_notes() -> bool:
    """Whether this window shows the teacher's notes in place of the step."""
    return NOTES.value(("on",), "") == "on"


def handout() -> str:
    """ "questions" or "answers" where the lesson is laid out for paper, "" otherwise."""
    return HANDOUT.value(("questions", "answers"), "")


def look(zoom: float = 1.0) -> dict[str, bool | float]:
    """What every figure builder is told: `dark`, never on paper, and `zoom`, which is the given one, larger when presented."""
    dark = st.context.theme.type == "dark" and not handout()
    return {"dark": dark, "zoom": zoom * (PRESENTED if presenting() else 1.0)}
