"""One question as a card over the screen, and a mark for each of them beneath it: what the court and the quiz are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.parts.visit import scenario
from pages.parts.visit.parameters import Whole
from pages.parts.vote import held_press, in_a_room

CSS = Path(__file__).with_name("large_question.css")
SIGNS = {True: ":material/check: ", False: ":material/close: ", None: ""}


class Mark(NamedTuple):
    """name: of the question. said: whether something was answered; right: whether rightly, None while that is not shown."""

    name: str
    said: bool = False
    right: bool | None = None


def large_question(name: str):
    """The place of a question in large type with big answers."""
    st.html(CSS)
    return st.container(key=f"card_{name}")


def marks(parameter: Whole, at: int, each: Sequence[Mark]):
    """A mark for each question, in a row, to go to it; the one at `at` is on screen. A phone in a class vote goes along with its
    teacher, and has none. Returns the row, for what stands at its end."""
    row = st.container(horizontal=True, vertical_alignment="center", key="marks", width="content")
    if scenario.on_paper() or in_a_room.joined():
        return row
    for k, mark in enumerate(each):
        how = {True: ", right", False: ", wrong", None: ", answered" if mark.said else ""}[mark.right]
        row.button(
            f"{SIGNS[mark.right]}{k + 1}", key=f"mark_{k}", type="primary" if k == at else "secondary", help=f"{mark.name}{how}",
            on_click=held_press.unless_held, args=(parameter.set, k),
        )  # fmt: skip
    return row
