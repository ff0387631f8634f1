"""A small copy of the machine beside a lesson's steps: its columns, those that this step is about by name, each the way to one.

On a phone it is a line beneath the title, which leads nowhere.
"""

from collections.abc import Sequence

import streamlit as st

from pages.parts.visit import all_lessons, location
from pages.parts.visit.display import narrow, presenting
from pages.parts.visit.parameters import set_widget

# Of each column of the machine, from a token to the next word, the lesson that it leads to.
LEADS = {
    "tokens": "overview", "query": "rules", "key": "cache", "value": "rules", "scores": "attention", "mask": "prefill",
    "weights": "attention", "contexts": "decode", "next word": "logits",
}  # fmt: skip
_KEPT, _LOOP, _GRIDS = ("key", "value"), ("tokens", "next word"), ("scores", "mask", "weights")
_COUNTED = (*_KEPT, "scores")  # a product of a query and a key is a score
# What a lesson is about, two columns at most, and the steps of it that are about something else, three at most.
SHOWS = {
    "why": ("weights", "next word"), "overview": _LOOP, "rules": ("query", "key"), "attention": ("scores", "weights"),
    "prefill": ("mask", "weights"), "logits": ("contexts", "next word"), "decode": ("weights", "contexts"), "cache": _KEPT,
    "counting": _KEPT, "inside": ("weights",), "generate": _LOOP, "tiles": ("scores",), "paging": _KEPT, "second_turn": _KEPT,
    "less": _KEPT, "memory": _KEPT, "roofline": _KEPT, "many": _LOOP, "guess": _LOOP, "serverlog": _KEPT,
}  # fmt: skip
IN_STEP = {
    ("rules", 2): ("value", "contexts"), ("rules", 3): ("weights", "contexts"), ("rules", 4): ("weights", "contexts"),
    ("attention", 1): _GRIDS, ("attention", 2): ("weights", "contexts"), ("attention", 3): _GRIDS, ("prefill", 2): ("scores",),
    ("prefill", 3): ("mask", "contexts"), ("prefill", 4): ("mask", "contexts"),
    ("decode", 1): _KEPT, ("cache", 1): ("query", *_KEPT),  # which of them are kept is asked
    ("counting", 1): _COUNTED, ("counting", 2): _COUNTED, ("counting", 3): _COUNTED,
    ("inside", 2): ("contexts", "next word"), ("generate", 2): ("next word",), ("generate", 3): _KEPT, ("generate", 4): _KEPT,
    ("tiles", 1): ("scores", "contexts"), ("many", 4): _KEPT,
    ("serverlog", 3): ("next word",),
}  # fmt: skip

BEFORE = {("why", 1), ("why", 2)}  # steps that a newcomer reads before a column has its name


def columns_of(step: int, about: str = "") -> tuple[str, ...]:
    """The columns that this step of the lesson on screen is about; none where it is about no part of the machine. about: the lesson
    whose columns they are instead, of a step that asks about another one each time, or that lesson's step, as in "rules 2"."""
    lesson, _, nth = about.partition(" ") if about else (location.now().lesson, "", str(step))
    return IN_STEP.get((lesson, int(nth or 0)), SHOWS.get(lesson, ()))


def drawn(step: int) -> bool:
    """Whether the columns are drawn: they lead to other lessons, which one that runs by itself has not, need a wide screen, and a reader
    who knows them."""
    return bool(all_lessons.of_visit().pages) and not narrow() and (location.now().lesson, step) not in BEFORE


def show(step: int, progress: str, about: str = "") -> None:
    """The machine's columns, those of this step chosen, where one that is pressed leads to its lesson, but on a slide, which has no room
    for a finger; and the `progress` on a route."""
    chosen = columns_of(step, about) if all_lessons.of_visit().pages else ()
    if drawn(step):
        key = _key()
        set_widget(key, list(chosen))
        look = {"selection_mode": "multi", "label_visibility": "collapsed", "width": "content", "disabled": presenting()}
        st.segmented_control("You are here in the machine", list(LEADS), key=key, on_change=_lead, args=(chosen,), **look)
    in_words = f"in the machine: {', '.join(chosen)}" if chosen and narrow() and not presenting() else ""
    if said := " · ".join(filter(None, (progress, in_words))):
        st.caption(said, width="content")


def on_a_phone(step: int, about: str = "") -> None:
    """The columns as a line beneath a phone's title, those of this step by name."""
    if (location.now().lesson, step) in BEFORE:
        return
    chosen = columns_of(step, about)
    with st.container(key="place_on_phone"):
        st.html(strip(chosen, f"You are here in the machine: {', '.join(chosen) or 'beside it'}"))


def strip(chosen: Sequence[str], said: str) -> str:
    """The columns as a line, those that are chosen by name, that leads nowhere. said: of it, for who hears it."""
    marks = "".join(f"<b>{column}</b>" if column in chosen else "<i></i>" for column in LEADS)
    return f'<div class="tbt-columns" role="img" aria-label="{said}">{marks}</div>'


def _key() -> str:
    """Of the control, which has a name in each lesson: frame.css knows where there is no room."""
    return f"here_{location.now().lesson}"


def _lead(chosen: tuple[str, ...]) -> None:
    """To the lesson of the column that was pressed; chosen: the columns that were chosen before."""
    pressed = set(st.session_state.get(_key()) or ()) ^ set(chosen)
    lesson = next((LEADS[part] for part in LEADS if part in pressed), "")
    if lesson and lesson != location.now().lesson:
        location.open_lesson(lesson)
