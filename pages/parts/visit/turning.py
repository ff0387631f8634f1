"""Where this visit goes next, and what of the step on screen can be turned before that.

Callbacks and followers ask for another lesson here; the frame does it before it draws anything. Each key of the session that
belongs to this is read and written in this file alone.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.visit.parameters import Whole


def page_begins(toy: bool) -> None:
    """A page is drawn from its top: whether it is about the toy's scenario; nothing on it has a stepper yet."""
    st.session_state["toy"] = toy
    no_stepper()


def no_stepper() -> None:
    """A step is drawn: it has no stepper of its own before it draws one."""
    st.session_state["stepper"] = None


def has_stepper(place: Whole, at: int, n: int) -> None:
    """The step on screen has a stepper of its own, which stands `at` of the 0 … n − 1 that the arrow keys go through."""
    st.session_state["stepper"] = (place, at, n)


def stepper() -> tuple[Whole, int, int] | None:
    """The stepper of the step on screen, None where it has none."""
    return st.session_state.get("stepper")


def stands_at(lesson: str) -> None:
    """The lesson that is drawn from now on."""
    st.session_state["here"] = lesson


def open_lesson(name: str) -> None:
    """Another lesson is to be opened."""
    st.session_state["open_lesson"] = name


def turn_page(by: int) -> None:
    """The lesson before this one is to be opened, or the one after it."""
    st.session_state["turn_page"] = by


def asked() -> tuple[str, int]:
    """The lesson that is to be opened, and by how many pages this one is to be turned; "" and 0 for neither."""
    return st.session_state.get("open_lesson", ""), st.session_state.get("turn_page", 0)


def take() -> tuple[str, int]:
    """What was asked for, once."""
    wanted = asked()
    st.session_state["open_lesson"], st.session_state["turn_page"] = "", 0
    return wanted


def leaves() -> None:
    """This page is left for one whose step is known already."""
    st.session_state["step_is_known"] = True


def step_is_known() -> bool:
    """Whether the page that begins was turned to at a step that is known, once."""
    return st.session_state.pop("step_is_known", False)
