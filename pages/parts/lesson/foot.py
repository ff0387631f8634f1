"""What every step offers besides the way on: to present it, all steps on one page, all answers, the link, what to take home, the source."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.parts.lesson import header
from pages.parts.lesson.fragments import asked_and_answered
from pages.parts.question.question import Question
from pages.parts.teaching import share, show_answers, take_home
from pages.parts.teaching.notebook import Cell
from pages.parts.visit import answer_lock
from pages.parts.visit.display import PRESENT
from pages.parts.visit.parameters import Choice
from pages.parts.visit.scenario import on_paper

STEPS = Choice("steps")
ALL = "all"


def all_on_one_page() -> bool:
    """Whether all steps stand on one page."""
    return STEPS.value((ALL,), "") == ALL


def may_tell(key: str, make: Callable[..., Question], *values: object) -> bool:
    """Whether a step may tell the answer to another step's question: unless both are on one page and it is open there."""
    return not (all_on_one_page() or on_paper()) or asked_and_answered(key, make, *values)


def foot(question: str, notebook: Callable[[str], list[Cell]] | None, source: Sequence[Callable]) -> None:
    """The entries, of the lesson with that question, its notebook and its source."""
    present = {"icon": ":material/present_to_all:", "shortcut": "P", "on_click": PRESENT.set_text, "args": ("on",)}
    st.button("Present", key="present", type="tertiary", **present)
    label, steps = ("One step at a time", "") if all_on_one_page() else ("All steps on one page", ALL)
    st.button(label, key="steps", icon=":material/view_agenda:", type="tertiary", on_click=STEPS.set_text, args=(steps,))
    if not answer_lock.locked():
        show_answers.switch()
    share.button()
    take_home.button(question, notebook)
    if source:
        header.source(*source)
