"""One lesson: a question and the steps that answer it, one on a screen, or all below each other.

A step shows one thing: controls, a figure and its takeaway, or a question beside the figure that answers it. It is called with
what the lesson's `given` returns, so that it can run again by itself. Presented (the key P, or present=on in the link) the side
bar is gone and type is larger; Escape leaves it. ← and → go from step to step, and from the last one to the next lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from pages.parts.lesson import fragments, handout, header
from pages.parts.lesson.terms import TERMS
from pages.parts.teaching import notes, routes, share, take_home
from pages.parts.teaching.notebook import Cell
from pages.parts.visit import display, scenario
from pages.parts.visit.class_link import ONLY, embedded, narrowed
from pages.parts.visit.display import PRESENT, presenting
from pages.parts.visit.parameters import Choice, Whole, show
from pages.parts.vote import here as vote

SLIDE = Whole("slide", low=1, high=99, default=1)
STEPS = Choice("steps")
ALL = "all"
_ESCAPE = st.components.v2.component("escape", js=Path(__file__).with_name("escape.js").read_text("utf-8"), isolate_styles=False)


@dataclass(frozen=True)
class Step:
    """One thing that a lesson shows. name: two or three words for the bar; show: draws it, called with what is given."""

    name: str
    show: Callable[..., None]


def step(name: str) -> Callable[[Callable[..., None]], Step]:
    """Make a function a step of that name."""
    return lambda show: Step(name, show)


def lesson(
    question: str,
    *steps: Step,
    given: Callable[[], tuple] = tuple,
    source: Sequence[Callable] = (),
    toy: bool = True,
    notebook: Callable[[str], list[Cell]] | None = None,
    teaching: Mapping[str, notes.Note] = MappingProxyType({}),
) -> None:
    """Show a lesson. question: its title. given: what each step is called with. source: the functions that ran.

    toy: whether it is about the toy's scenario, whose presets then stand beside the title and its editor in the side bar.
    notebook: makes the cells of its notebook, told the question. teaching: the teacher's notes, by the step's name.
    """
    st.session_state["toy"], st.session_state["stepper"] = toy, None
    st.session_state["to_save"] = (question, notebook, toy)
    scenario.current()
    if display.handout():
        handout.show(question, steps, given, toy)
        return
    if presenting():
        _presented(question, steps, given)
        return
    if narrowed():
        _only(question, steps, given, toy)
        return
    fragments.around(lambda: header.title(question, toy), whole=everything())
    if everything():
        values = given()
        for k, one in enumerate(steps, 1):
            fragments.step(one.show, given, values, str(k), after=lambda: None)
        header.neighbours()
        with st.container(horizontal=True, vertical_alignment="center", key="foot"):
            _foot(source)
    else:
        _one(steps, given, source, teaching)


def enter(here: str) -> None:
    """Another lesson begins where this visit left it, at its first step otherwise. Called before the page `here` runs.

    The page that a visit begins with is entered at the link's step, and Next and Back say themselves where they lead.
    """
    state = st.session_state
    if state.setdefault("entered", here) != here:
        scenario.turned()
        if not state.pop("turned", False):
            SLIDE.set_text(state.get("steps_left", {}).get(here, ""))
    state["entered"] = here


def everything() -> bool:
    """Whether all steps stand on one page."""
    return STEPS.value((ALL,), "") == ALL


def lead(text: str, *names: str) -> None:
    """The two or three sentences that a lesson or a step opens with. names: words of terms.TERMS, explained beside it."""
    st.markdown(text, help="\n".join(f"- **{name}**: {TERMS[name]}" for name in names) or None)


def _foot(source: Sequence[Callable]) -> None:
    """What every step offers besides the way on: to present it, to see all steps on one page, the source that ran."""
    st.button("Present", key="present", icon=":material/present_to_all:", shortcut="P", type="tertiary", on_click=_present)
    label = "One step at a time" if everything() else "All steps on one page"
    st.button(label, key="steps", icon=":material/view_agenda:", type="tertiary", on_click=_all_or_one)
    share.button()
    take_home.button(*st.session_state["to_save"])
    if source:
        header.source(*source)


def _all_or_one() -> None:
    STEPS.set_text("" if everything() else ALL)


def _present() -> None:
    PRESENT.set_text("on")


def _leave() -> None:
    PRESENT.set_text("")


def _one(steps: Sequence[Step], given: Callable, source: Sequence[Callable], teaching: Mapping[str, notes.Note]) -> None:
    """The names of all steps, the one that is asked for, and the way on."""
    at = _place(len(steps))
    names = {str(k): f"{k} {one.name}" for k, one in enumerate(steps, 1)}
    show("step_names", str(at))
    st.segmented_control(
        "Steps of this lesson", list(names), key="step_names", format_func=names.get, required=True,
        label_visibility="collapsed", on_change=_jump,
    )  # fmt: skip
    drawn: list[bool] = []

    def after() -> None:
        has_stepper = st.session_state["stepper"] is not None
        _stands(drawn, has_stepper)
        if has_stepper:  # the two share the arrow keys
            _way(steps, at, source)

    one = steps[at - 1]
    shown = notes.instead(one.show, one.name, teaching.get(one.name, notes.NOTHING)) if display.with_notes() else one.show
    fragments.step(shown, given, given(), str(at), after)
    if drawn != [True]:
        _way(steps, at, source)


def _stands(drawn: list, now: object) -> None:
    """What is outside of a step was drawn for `now`; a step that is drawn by itself for something else runs the whole page."""
    if drawn and drawn != [now]:
        st.rerun()
    drawn[:] = [now]


def _way(steps: Sequence[Step], at: int, source: Sequence[Callable]) -> None:
    """The way back and on, and between them what every step offers."""
    before, after = header.titles_beside()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="way"):
        label = routes.name(at, -1) or (steps[at - 2].name if at > 1 else f"Before: {before}" if before else "Back")
        _button("back", label, -1, at, len(steps), before, icon=":material/arrow_back:")
        _foot(source)
        label = routes.name(at, 1) or (steps[at].name if at < len(steps) else f"Next: {after}" if after else "Next")
        strong = "secondary" if _can(1) else "primary"  # while a stepper's own button has the arrow key, that one is the way
        _button("next", label, 1, at, len(steps), after, icon=":material/arrow_forward:", type=strong, icon_position="right")


def _only(question: str, steps: Sequence[Step], given: Callable[[], tuple], toy: bool) -> None:
    """The step that is asked for and nothing around it; in another page's frame, no title either."""
    at = _place(len(steps))
    fragments.around(header.problems if embedded() else lambda: header.title(question, toy), whole=False)
    fragments.step(steps[at - 1].show, given, given(), str(at), after=lambda: None)
    if not embedded() and not vote.joined():
        st.button(
            "The whole lesson", key="whole", icon=":material/view_agenda:", type="tertiary", on_click=ONLY.set_text, args=("",)
        )


def _place(n: int) -> int:
    """The step that the link asks for, of n; from now on the link names that one, whatever it asked for."""
    at = SLIDE.value(high=n)
    SLIDE.set(at)
    left, here = st.session_state.setdefault("steps_left", {}), st.session_state.get("here", "")
    if left.setdefault(here, SLIDE.text()) != SLIDE.text():
        left[here] = SLIDE.text()
        scenario.turned()
    return at


def _presented(question: str, steps: Sequence[Step], given: Callable[[], tuple]) -> None:
    """The step that is asked for, large; its own stepper is moved by the same two buttons."""
    at = _place(len(steps))
    with st.container(key="presented"):
        place = st.container()  # filled last: the step says whether it has a stepper of its own
        fragments.around(header.problems, whole=False)
        drawn: list[tuple] = []
        fragments.step(steps[at - 1].show, given, given(), str(at), lambda: _stands(drawn, (_can(-1), _can(1))))
        before, after = header.titles_beside()
        with place:
            bar = st.columns([7, 1, 0.6, 1, 1, 1], vertical_alignment="center")
            bar[0].title(question, anchor=False)
            with bar[1]:
                _button("back", "Back", -1, at, len(steps), before)
            bar[2].markdown(f"{at} / {len(steps)}")
            with bar[3]:
                _button("next", "Next", 1, at, len(steps), after, type="primary")
            bar[4].button("Leave", key="slide_leave", shortcut="P", on_click=_leave)
            with bar[5]:
                share.button()
        _ESCAPE(key="escape", on_pressed_change=_leave, height=1)


def _button(which: str, label: str, by: int, at: int, n: int, lesson: str, **kwargs) -> None:
    """One of the two ways: to the step's own next frame when presented, to the next step, or to the next lesson."""
    own = _can(by)
    key = None if own and not presenting() else "Right" if by > 0 else "Left"  # a stepper on the page has the arrow keys first
    nowhere = not (own and presenting()) and (narrowed() or not (1 <= at + by <= n or lesson or routes.name(at, by)))
    st.button(label, key=f"slide_{which}", shortcut=key, disabled=nowhere, on_click=_go, args=(by, at, n), **kwargs)


def _can(by: int) -> bool:
    """Whether the step on screen has a stepper of its own that can still move."""
    place, at, n = st.session_state.get("stepper") or (None, 0, 0)
    return place is not None and at + by >= 0 and (by < 0 or at + by < n)


def _go(by: int, at: int, n: int) -> None:
    """Presented, the step's own stepper first; then the next step of the lesson, then the next lesson."""
    if presenting() and _can(by):
        place, index, _ = st.session_state["stepper"]
        place.set(index + by)
    elif stop := routes.beside(at, by):
        SLIDE.set(stop[1])
        st.session_state["open_lesson"] = stop[0]
    elif 1 <= at + by <= n:
        SLIDE.set(at + by)
    else:
        SLIDE.set(1 if by > 0 else SLIDE.high)  # the neighbour's first step, or its last
        st.session_state["turn_page"] = by


def _jump() -> None:
    SLIDE.set(int(st.session_state["step_names"]))
