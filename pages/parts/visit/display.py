"""How this visitor sees the lesson: light or dark, on a page or presented."""

from __future__ import annotations

import streamlit as st

from pages.parts.visit.parameters import Choice

PRESENT = Choice("present")
PRESENTED = 1.15  # as much as leaves a whole step in sight at 1280 × 720


def presenting() -> bool:
    """Whether the link or the key P asked for the presentation."""
    return PRESENT.value(("on",), "") == "on"


def look(zoom: float = 1.0) -> dict[str, bool | float]:
    """What every figure builder is told: `dark` and `zoom`, which is the given one, larger when presented."""
    return {"dark": st.context.theme.type == "dark", "zoom": zoom * (PRESENTED if presenting() else 1.0)}
