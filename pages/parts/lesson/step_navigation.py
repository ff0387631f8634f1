"""Which step of a lesson is on screen, and the bar, buttons and keys that lead from it to others.

← and → go from step to step, and from the last one to the next lesson; on a route they follow it. A clicker's keys do the same
(turning_keys.js). The bar has the names of the lesson's steps; at a stop of the story it has the story's own, whose numbers go through
all of its lessons: the steps that the story leaves out are not counted in between.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from pages.parts.lesson import small_machine
from pages.parts.teaching import routes
from pages.parts.visit import location, scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.components import CALL, component
from pages.parts.visit.display import HANDOUT, PRESENT, presenting
from pages.parts.visit.parameters import Whole, lesson_begins, set_widget
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import held_press

BARS = {False: "step_names", True: "story_stops"}  # of a lesson's steps, of the story's stops
SLIDE = Whole("slide", low=1, high=99, default=1)
_KEYS = component("turning_keys", __file__, before=CALL)


@dataclass
class LastSteps:
    """lesson: that this visit is in, None before the first; left: the step of each at which it was left, as the link has it; passed:
    from which Next has led on, (lesson, step)."""

    lesson: str | None = None
    left: dict[str, str] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)
    stop: tuple[str, str, int] | None = None  # the last one of a route that was on screen: (route, lesson, step)


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
        if HANDOUT.name not in st.query_params:  # the browser's Back leads off a sheet, to whatever page it was begun from
            HANDOUT.set_text("")
        if not location.step_is_known():
            SLIDE.set_text(last_steps().left.get(here, ""))
    last_steps().lesson = here


def current_step(n: int) -> int:
    """The step that the link asks for, of n; from now on the link names that one, whatever it asked for."""
    left, here = last_steps().left, location.now().lesson
    at = min(routes.step_of(here, SLIDE.value()) or n, n)
    SLIDE.set(routes.number_of(here, at))
    if routes.progress(at):
        last_steps().stop = routes.chosen(), here, at
    if left.setdefault(here, SLIDE.text()) != SLIDE.text():
        left[here] = SLIDE.text()
        scenario.forget_last_edit()
    return at


def passed(lesson: str, at: int) -> bool:
    """Whether Next has led on from that step on a route."""
    return (lesson, at) in last_steps().passed


def clicker_keys(leaves: bool) -> None:
    """The keys of a clicker turn to the next step and back; with `leaves`, Escape ends the presentation."""
    _KEYS(key="turning_keys", data={"leaves": leaves}, on_pressed_change=stop_presenting, height=1)


def step_button(label: str, by: int, at: int, n: int, lesson: str, **kwargs) -> None:
    """Next or Back, by 1 or −1: to the step's own next frame when presented, to the next of `n` steps, or to the next `lesson`."""
    own = stepper_moves(by)
    key = None if own and not presenting() else "Right" if by > 0 else "Left"  # a stepper on the page has the arrow keys first
    leads = 1 <= at + by <= n or lesson or routes.name(at, by)
    nowhere = not (own and presenting()) and (narrowed() or not leads or routes.ends_here(at, by))
    name = "slide_next" if by > 0 else "slide_back"
    st.button(label, key=name, shortcut=key, disabled=nowhere, on_click=held_press.unless_held, args=(_go, by, at, n), **kwargs)


def stepper_moves(by: int) -> bool:
    """Whether the step on screen has a stepper of its own that can still move."""
    own = location.now().stepper
    return own is not None and own.at + by >= 0 and (by < 0 or own.at + by < own.n)


def _go(by: int, at: int, n: int) -> None:
    """Presented, the step's own stepper first, but not away from an open vote; then the next step of the lesson, then the next lesson."""
    if presenting() and stepper_moves(by) and not held_press.open_vote():
        own = location.now().stepper
        own.go(own.at + by)
    elif stop := routes.beside(at, by):
        if by > 0:
            last_steps().passed.add((location.now().lesson, at))
        routes.bring()
        _to_stop(stop.lesson, stop.at)
    elif routes.ends_here(at, by):
        return
    elif 1 <= at + by <= n:
        SLIDE.set(routes.number_of(location.now().lesson, at + by))
    else:
        SLIDE.set(1 if by > 0 else SLIDE.high)  # the neighbour's first step, or its last
        location.turn_page(by)


def stop_presenting() -> None:
    PRESENT.set_text("")


class Names(NamedTuple):
    """labels: in order; at: which of them is on screen, from 1; story: whether they are the story's stops, not the lesson's steps."""

    labels: list[str]
    at: int
    story: bool


def bar(steps: Sequence[str], at: int, toy: bool, whole: bool, about: str = "") -> None:
    """The bar of a lesson whose steps have these names, `at` the one on screen. toy: whether the reader's own numbers may be brought
    along; whole: whether there is room for the name of every stop of the story, one below the other; about: of small_machine.columns_of."""
    shown = _names(steps, at, whole)
    names = {str(k): label for k, label in enumerate(shown.labels, 1)}
    key = BARS[shown.story]
    set_widget(key, str(shown.at))
    line = "step_line_here" if small_machine.drawn(at) else "step_line"
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=line):
        label = "Steps of the story" if shown.story else "Steps of this lesson"
        look = {"label_visibility": "collapsed", "width": "content", "required": True, "format_func": names.get}
        st.segmented_control(label, list(names), default=str(shown.at), key=key, on_change=_jump, args=(shown.story,), **look)
        brings = toy and routes.chosen() == routes.STORY and scenario.edited_elsewhere()
        if brings:
            why = "Each lesson of the story begins with its own numbers. What you changed is kept where you changed it."
            look = {"icon": ":material/move_down:", "type": "tertiary", "help": why}
            st.button("Take my numbers along", key="take_along", on_click=scenario.take_along, **look)
        small_machine.show(at, "" if brings else routes.progress(at), about)  # of the two the line has room for one
        _back_to_the_class(at)


def _back_to_the_class(at: int) -> None:
    """Who has left the route of a class for another lesson, by the menu or a link, goes back to where it was left."""
    stop = last_steps().stop
    if routes.chosen() in routes.CLASSES and not routes.progress(at) and stop and stop[0] == routes.chosen() and not narrowed():
        place = {"on_click": held_press.unless_held, "args": (_to_stop, *stop[1:])}
        st.button(
            f"Back to {routes.progress_of(*stop[1:])}", key="back_to_class", icon=":material/undo:", type="tertiary", **place
        )


def _to_stop(lesson: str, at: int) -> None:
    SLIDE.set(routes.number_of(lesson, at))
    location.open_lesson(lesson)


def _names(steps: Sequence[str], at: int, whole: bool) -> Names:
    """The story's stops where one of them is on screen, a tick at each that has been passed, and the name of that one above; the
    lesson's steps elsewhere."""
    if not routes.in_story(at):
        return Names([f"{k} {name}" for k, name in enumerate(steps, 1)], at, False)
    stops, here = routes.stops_of(routes.STORY), (location.now().lesson, at)
    places = [(stop.lesson, stop.at) for stop in stops]
    labels = [
        f"{'✓' if passed(*place) and place != here else ''}{k}{f' {stop.name}' if whole else ''}"
        for k, (stop, place) in enumerate(zip(stops, places, strict=True), 1)
    ]
    return Names(labels, places.index(here) + 1, True)


def _jump(story: bool) -> None:
    """To the step whose name was pressed."""
    at = int(st.session_state[BARS[story]])
    if not story:
        SLIDE.set(routes.number_of(location.now().lesson, at))
        return
    stop = routes.stops_of(routes.STORY)[at - 1]
    routes.bring()
    _to_stop(stop.lesson, stop.at)
