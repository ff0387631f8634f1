"""A teacher's notes beside the projected lesson: what to ask, the answer now, what a wrong choice tells, minutes used.

`notes=on` in the link shows them in place of the step, for a second window on the teacher's own screen; the two follow each other,
and each keeps how it shows a lesson. Questions and answers are those of the step as the scenario stands; only what to ask and what
misconceptions mean is written by hand, lesson by lesson.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from urllib.parse import parse_qsl

import streamlit as st

from pages.parts.question.question import Question, asked_on_this_page, correct
from pages.parts.teaching import routes
from pages.parts.visit import answers, scenario
from pages.parts.visit.display import NOTES

MOST_TOLD = 64_000  # characters of another window's address, as many as the server takes of one that is opened
# What each of the two windows keeps to itself when it follows the other.
OWN = ("notes", "present", "steps", "only", "controls", "handout", "lock")


@dataclass(frozen=True)
class Note:
    """minutes: planned for the step; ask: what to ask the class; wrong: what is said -> the misconception behind it.

    In `wrong` an option of the step's question stands as it is offered, in small letters; what is said otherwise, with a capital.
    """

    minutes: int
    ask: str
    wrong: Mapping[str, str] = field(default_factory=dict)


NOTHING = Note(3, "What do you see, and what would you change?")  # of a step that has no notes yet


def show(name: str, step: Callable[[], None], note: Note) -> None:
    """The notes of a lesson's step; step: draws it, so that its questions are known, and is not shown."""
    if answers.locked():
        st.warning("The answers of this link are locked. Open your own link, or type your key.", icon=":material/lock:")
        st.text_input(
            "Teacher’s key", key="key_notes", type="password", max_chars=answers.MOST,
            on_change=lambda: answers.try_key(st.session_state["key_notes"]),
        )  # fmt: skip
        return
    _clock(name, note.minutes)
    st.markdown(f":material/campaign: **Ask.** {note.ask}")
    asked = _asked(step)
    for question in asked:
        st.markdown(f":material/help: {question.asked}")
        st.markdown(f":material/check_circle: **{correct(question)}** {question.why}")
    right = {correct(question) for question in asked}  # another scenario may make a usual mistake the answer
    if wrong := {said: believed for said, believed in note.wrong.items() if said not in right}:
        st.markdown("\n".join(f"- **{said}**: {believed}." for said, believed in wrong.items()))


def instead(step: Callable[..., None], name: str, note: Note) -> Callable[..., None]:
    """The step's notes, called as the step is."""

    @wraps(step)
    def noted(*given) -> None:
        show(name, lambda: step(*given), note)

    noted.__qualname__ = f"notes of {step.__qualname__}"  # another fragment than the step itself
    return noted


def _asked(step: Callable[[], None]) -> Sequence[Question]:
    """The questions that the step asks now."""
    asked, place = asked_on_this_page(collect=True), st.empty()
    with place.container():
        step()
    place.empty()
    return asked


def _clock(step: str, planned: int) -> None:
    """Minutes planned and used, of this step and of the route."""
    state, now = st.session_state, time.monotonic()
    used = state.setdefault("minutes_used", {})
    last_step, since = state.get("minutes_at", ("", now))
    if last_step:
        used[last_step] = used.get(last_step, 0.0) + now - since
    here = (state.get("here", ""), step)
    state["minutes_at"] = (here, now)
    total = sum(used.values()) / 60
    with st.container(horizontal=True, vertical_alignment="center"):
        route = routes.ROUTE.buttons("Route", routes.NAMES, routes.SELF, label_visibility="collapsed")
        st.button("Back to the lesson", key="notes_leave", type="tertiary", on_click=NOTES.set_text, args=("",))
    left = f" of the route’s {routes.MINUTES[route]}" if route in routes.MINUTES else ""
    st.markdown(f"**{step}**, {planned} min planned, {used.get(here, 0.0) / 60:.0f} used; {total:.0f} min{left} in all")


def follow() -> None:
    """Go where the other window of this browser has gone. What it says is read as any link is."""
    told = st.session_state["address_bar"].get("moved")
    path, search = (told.get("path"), told.get("search")) if isinstance(told, dict) else (None, None)
    if not isinstance(path, str) or not isinstance(search, str) or len(path) + len(search) > MOST_TOLD:
        return
    lesson, query = path.rstrip("/").rpartition("/")[2], dict(parse_qsl(search, keep_blank_values=True))
    own = {name: text for name in OWN if (text := scenario.extra(name))}
    scenario.open_link({name: text for name, text in query.items() if name not in OWN} | own)
    st.session_state["followed"] = True
    if lesson in st.session_state.get("contents", {}) and lesson != st.session_state.get("here"):
        st.session_state["open_lesson"] = lesson
