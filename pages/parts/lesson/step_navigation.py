"""Which step of a lesson is on screen, and the buttons and keys that lead from it to the next one and back.

← and → go from step to step, and from the last one to the next lesson; on a route they follow it. A clicker's keys do the same
(turning_keys.js).
"""

from dataclasses import dataclass, field

import streamlit as st

from pages.parts.teaching import routes
from pages.parts.visit import location, scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.components import CALL, component
from pages.parts.visit.display import PRESENT, presenting
from pages.parts.visit.parameters import Whole, lesson_begins
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import held_press

SLIDE = Whole("slide", low=1, high=99, default=1)
_KEYS = component("turning_keys", __file__, before=CALL)


@dataclass
class LastSteps:
    """lesson: that this visit is in, None before the first; left: the step of each at which it was left, as the link has it; passed:
    from which Next has led on, (lesson, step)."""

    lesson: str | None = None
    left: dict[str, str] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)


last_steps = of_this_visit(LastSteps)


def enter_lesson(here: str) -> None:
    """Another lesson begins where this visit left it, at its first step otherwise. Called before the page `here` runs.

    The page that a visit begins with is entered at the link's step, and Next and Back say themselves where they lead. In the story
    each lesson has numbers of its own: what was moved in one would rule the others unsaid.
    """
    left = here if last_steps().lesson is None else last_steps().lesson
    lesson_begins(here, left, apart=routes.chosen() == routes.STORY)
    if left != here:
        scenario.forget_last_edit()
        if not location.step_is_known():
            SLIDE.set_text(last_steps().left.get(here, ""))
    last_steps().lesson = here
    routes.stops_of(routes.chosen())  # before the title, which tells what of a route in the link is none


def current_step(n: int) -> int:
    """The step that the link asks for, of n; from now on the link names that one, whatever it asked for."""
    at = SLIDE.value(high=n)
    SLIDE.set(at)
    left, here = last_steps().left, location.now().lesson
    if left.setdefault(here, SLIDE.text()) != SLIDE.text():
        left[here] = SLIDE.text()
        scenario.forget_last_edit()
    return at


def passed(at: int) -> bool:
    """Whether Next has led on from step `at` of the lesson on screen, on a route."""
    return (location.now().lesson, at) in last_steps().passed


def clicker_keys(leaves: bool) -> None:
    """The keys of a clicker turn to the next step and back; with `leaves`, Escape ends the presentation."""
    _KEYS(key="turning_keys", data={"leaves": leaves}, on_pressed_change=stop_presenting, height=1)


def step_button(label: str, by: int, at: int, n: int, lesson: str, **kwargs) -> None:
    """Next or Back, by 1 or −1: to the step's own next frame when presented, to the next of `n` steps, or to the next `lesson`."""
    own = stepper_moves(by)
    key = None if own and not presenting() else "Right" if by > 0 else "Left"  # a stepper on the page has the arrow keys first
    leads = 1 <= at + by <= n or lesson or routes.name(at, by)
    nowhere = not (own and presenting()) and (narrowed() or not leads or (by > 0 and routes.stops(at)))
    name = "slide_next" if by > 0 else "slide_back"
    st.button(label, key=name, shortcut=key, disabled=nowhere, on_click=held_press.go, args=(_go, by, at, n), **kwargs)


def stepper_moves(by: int) -> bool:
    """Whether the step on screen has a stepper of its own that can still move."""
    own = location.now().stepper
    return own is not None and own.at + by >= 0 and (by < 0 or own.at + by < own.n)


def _go(by: int, at: int, n: int) -> None:
    """Presented, the step's own stepper first; then the next step of the lesson, then the next lesson."""
    if presenting() and stepper_moves(by):
        own = location.now().stepper
        own.go(own.at + by)
    elif stop := routes.beside(at, by):
        if by > 0:
            last_steps().passed.add((location.now().lesson, at))
        routes.bring()
        SLIDE.set(stop.at)
        location.open_lesson(stop.lesson)
    elif by > 0 and routes.stops(at):
        return
    elif 1 <= at + by <= n:
        SLIDE.set(at + by)
    else:
        SLIDE.set(1 if by > 0 else SLIDE.high)  # the neighbour's first step, or its last
        location.turn_page(by)


def stop_presenting() -> None:
    """Present no longer."""
    PRESENT.set_text("")
