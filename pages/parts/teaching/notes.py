"""A teacher's notes beside the projected lesson: what to ask, the answer now, what a wrong choice tells, minutes used.

`notes=on` in the link shows them in place of the step, for a second window on the teacher's own screen; the two follow each other
(windows.py). Questions and answers are those of the step as the scenario stands; only what to ask and what misconceptions mean is
written by hand, where the step is.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps

import streamlit as st

from pages.parts.question.question import Question, answer_text, asked_on_this_page, mistakes
from pages.parts.teaching import plan, routes
from pages.parts.teaching.locked_question import key_field
from pages.parts.teaching.told_last import told_last
from pages.parts.visit import answer_lock, location
from pages.parts.visit.display import NOTES
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import held_press, in_a_room, ownership, poll, teacher
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN


@dataclass(frozen=True)
class Note:
    """minutes: planned for the step; ask: what to ask the class; wrong: what is said -> the misconception behind it; click: what to
    press there, a control as it is labelled in bold. in_story: the fields that are others where the story's step asks something else.

    In `wrong` an option of the step's question stands as it is offered, in small letters; what is said otherwise, with a capital.
    What leads to a wrong answer the question itself may say (its slips); here stands the rest. What stands here is for a step that
    says nothing of its own.
    """

    minutes: int = 3
    ask: str = "What do you see, and what would you change?"
    wrong: Mapping[str, str] = field(default_factory=dict)
    click: str = ""
    in_story: Mapping[str, object] = field(default_factory=dict)

    def here(self) -> "Note":
        """The note on the chosen route; the story's steps have controls of their own."""
        return replace(self, click="", **self.in_story) if routes.chosen() == routes.STORY else self


@dataclass
class Clock:
    """used_s: seconds of each (lesson, step); at: the one whose time runs, None before the first, and since: when."""

    used_s: dict[tuple[str, str], float] = field(default_factory=dict)
    at: tuple[str, str] | None = None
    since: float = 0.0


clock_of_visit = of_this_visit(Clock)


def show_notes(name: str, step: Callable[[], None], note: Note, progress: str) -> None:
    """The notes of a lesson's step; step: draws it, so that its questions are known, and is not shown. progress: on its way."""
    if answer_lock.locked():
        st.warning("The answers of this link are locked. Open your own link, or type your key.", icon=":material/lock:")
        key_field("key_notes")
        return
    note = note.here()
    _clock(name, note.minutes, progress)
    held_press.tell()
    st.markdown(f":material/campaign: **Ask.** {note.ask}")
    if note.click:
        st.markdown(f":material/touch_app: **Press.** {note.click}")
    told_last().text = {}
    asked = _asked(step)
    _within_the_step()
    for question in asked:
        st.markdown(f":material/help: {question.asked}")
        st.markdown(f":material/check_circle: **{answer_text(question)}** {question.why}")
        if slips := mistakes(question):
            st.markdown(slips)
        _vote_on(question.key, question.id)
    for lines in told_last().text.values():
        st.markdown(lines)
    right = {answer_text(question) for question in asked}  # another scenario may make a usual mistake the answer
    offered = {option for question in asked for option in question.options}  # and ask something else, with other options
    told = [said for said in note.wrong if said not in right and (said in offered or said[0].isupper())]
    if told:
        ideas = "\n".join(f"- “{said}”: {note.wrong[said]}." for said in told)
        st.markdown(f":material/hearing: What you may hear, and what to say to it:\n\n{ideas}")


def in_place_of(step: Callable[..., None], name: str, note: Note, progress: str) -> Callable[..., None]:
    """The step's notes, called as the step is."""

    @wraps(step)
    def noted(*given) -> None:
        show_notes(name, lambda: step(*given), note, progress)

    noted.__qualname__ = f"notes of {step.__qualname__}"  # another fragment than the step itself
    return noted


def _asked(step: Callable[[], None]) -> Sequence[Question]:
    """The questions that the step asks now."""
    asked, place = asked_on_this_page(collect=True), st.empty()
    with place.container():
        step()
    place.empty()
    return asked


def _within_the_step() -> None:
    """The two buttons of a step that has a stepper of its own: the arrow keys go through it here as they do in the lesson."""
    if (own := location.now().stepper) is None:
        return
    go, at, n, _ = own
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="notes_stepper"):
        for by, shortcut, icon in ((-1, "Left", "chevron_left"), (1, "Right", "chevron_right")):
            there = 0 <= at + by < n
            press = {"on_click": held_press.unless_held, "args": (go, at + by), "shortcut": shortcut if there else None}
            label, key = "Back" if by < 0 else "Next", f"notes_stepper_{shortcut}"
            st.button(label, key=key, icon=f":material/{icon}:", disabled=not there, **press)
        st.markdown(f"On screen: **{min(at + 1, n)}** of {n}")


def _clock(step: str, planned: int, progress: str) -> None:
    """Where the step stands; minutes planned for it, used for it, and used in all."""
    clock, now, this_step = clock_of_visit(), time.monotonic(), (location.now().lesson, step)
    if clock.at:
        clock.used_s[clock.at] = clock.used_s.get(clock.at, 0.0) + now - clock.since
    clock.at, clock.since = this_step, now
    total = sum(clock.used_s.values()) / 60
    with st.container(horizontal=True, vertical_alignment="center"):
        route = routes.ROUTE.buttons("Route", routes.NAMES, routes.SELF, label_visibility="collapsed")
        st.button("Back to the lesson", key="notes_leave", type="tertiary", on_click=NOTES.set_text, args=("",))
    of = f" of {routes.minutes(route)}" if routes.minutes(route) else ""
    used_here = clock.used_s.get(this_step, 0.0) / 60
    st.markdown(f"{progress}. **{step}**: {planned} min planned, {used_here:.0f} used. Used in all: {total:.0f}{of} min.")
    plan.offer()


def _vote_on(key: str, question_id: str) -> None:
    """While the class is asked this question: how many have answered, and the way to the distribution and to the answer. Asked for
    once a second: the class's window asks, and sees within a second of its own what was pressed here."""
    if ownership.teacher().own_room:
        poll.every(teacher.POLL_S, f"notes_{key}", lambda: _led_from_here(key, question_id))


def _led_from_here(key: str, question_id: str) -> None:
    stage, n, there = None, 0, ownership.teacher().own_room
    with in_a_room.problems_told():
        if there and in_a_room.rooms().is_of_this_machine(there[0]):
            stage = in_a_room.rooms().stage(there[0], question_id)
            n = len(in_a_room.rooms().answers(there[0], question_id))
    if stage in (OPEN, SHOWN):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/groups: {teacher.how_many(n)}", width="content")
            if stage == OPEN:
                st.button("Show the distribution", key=f"notes_show_{key}", on_click=_lead_to, args=(question_id, SHOWN))
            st.button("Reveal the answer", key=f"notes_reveal_{key}", on_click=_lead_to, args=(question_id, REVEALED))
    if problem := in_a_room.problem():
        st.warning(problem)


def _lead_to(question_id: str, stage: int) -> None:
    if there := ownership.teacher().own_room:
        with in_a_room.problems_told():
            in_a_room.rooms().set_stage(*there, question_id, stage)
