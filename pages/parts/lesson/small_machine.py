"""A small copy of the machine beside a lesson's steps: its columns, those that this step is about by name, each the way to one.

Where there is no room for it, on a phone, it is a line of text.
"""

import streamlit as st

from pages.parts.visit import location, menu
from pages.parts.visit.display import narrow, presenting
from pages.parts.visit.parameters import set_widget

# Of each column of the machine, from a token to the next word, the lesson that it leads to.
LEADS = {
    "tokens": "overview", "query": "rules", "key": "cache", "value": "rules", "scores": "attention", "mask": "prefill",
    "weights": "attention", "contexts": "decode", "next word": "logits",
}  # fmt: skip
_KEPT, _GRIDS, _LOOP = ("key", "value"), ("scores", "mask", "weights"), ("tokens", "next word")
# What a lesson is about, and the steps of it that are about something else.
SHOWS = {
    "why": ("weights", "next word"), "overview": _LOOP, "rules": ("query", *_KEPT), "attention": _GRIDS, "prefill": _GRIDS,
    "logits": ("contexts", "next word"), "decode": ("tokens", *_KEPT, "contexts"), "cache": _KEPT, "counting": _KEPT,
    "inside": ("weights",), "generate": _LOOP, "tiles": ("scores",), "paging": _KEPT, "second_turn": _KEPT, "less": _KEPT,
    "memory": _KEPT, "roofline": _KEPT, "many": _LOOP, "guess": _LOOP, "serverlog": _KEPT,
}  # fmt: skip
IN_STEP = {
    ("cache", 1): ("query", *_KEPT, "weights"),
    ("inside", 2): ("contexts", "next word"), ("generate", 2): ("next word",), ("generate", 3): _KEPT,
    ("generate", 4): (*_KEPT, "mask"), ("tiles", 1): ("scores", "contexts"), ("less", 1): (*_KEPT, "weights"),
    ("less", 2): (*_KEPT, "weights"), ("less", 3): ("weights",), ("less", 5): ("value", "contexts"),
    ("roofline", 1): _LOOP, ("roofline", 3): _LOOP, ("many", 4): _KEPT, ("serverlog", 3): _LOOP,
}  # fmt: skip


def parts(step: int) -> tuple[str, ...]:
    """The columns that this step of the lesson on screen is about; none where it is about no part of the machine."""
    lesson = location.now().lesson
    return IN_STEP.get((lesson, step), SHOWS.get(lesson, ()))


def drawn(step: int) -> bool:
    """Whether the columns are drawn: they lead to other lessons, which one that runs by itself has not, and need a wide screen."""
    return bool(parts(step) and menu.of_visit().pages) and not narrow()


def show(step: int, place: str) -> None:
    """The machine's columns, those of this step chosen, where one that is pressed leads to its lesson, but on a slide, which has no room
    for a finger; and the `place` on a route."""
    chosen = parts(step) if menu.of_visit().pages else ()
    if drawn(step):
        key = _key()
        set_widget(key, list(chosen))
        look = {"selection_mode": "multi", "label_visibility": "collapsed", "width": "content", "disabled": presenting()}
        st.segmented_control("You are here in the machine", list(LEADS), key=key, on_change=_lead, args=(chosen,), **look)
    in_words = f"in the machine: {', '.join(chosen)}" if chosen and narrow() and not presenting() else ""
    if said := " · ".join(filter(None, (place, in_words))):
        st.caption(said, width="content")


def _key() -> str:
    """Of the control, which has a name in each lesson: frame.css knows where there is no room."""
    return f"here_{location.now().lesson}"


def _lead(chosen: tuple[str, ...]) -> None:
    """To the lesson of the column that was pressed; here: the columns that were chosen before."""
    pressed = set(st.session_state.get(_key()) or ()) ^ set(chosen)
    lesson = next((LEADS[part] for part in LEADS if part in pressed), "")
    if lesson and lesson != location.now().lesson:
        location.open_lesson(lesson)
