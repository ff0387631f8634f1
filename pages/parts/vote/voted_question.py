"""A question in a class vote: on a phone its form while answers are taken, at the teacher's what the class has said so far.

Before the teacher reveals it no answer is shown in the room: neither on a phone nor at the teacher's, whom the class watches.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.question.predict import refused
from pages.parts.question.question import Host, Question, answer_text, guesses, remember, verdict, written
from pages.parts.visit import location
from pages.parts.vote import in_a_room, leading, ownership, phone, teacher
from pages.parts.vote.distribution import Bar, holds, of_numbers, of_options
from pages.parts.vote.into_sight import bring_into_sight
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN


def _shows(question_id: str) -> bool | None:
    """The teacher's reveal shows an answer to everybody; from the asking until then it is hidden."""
    stage = in_a_room.stage(question_id)
    return None if stage is None else stage == REVEALED


def _draw(q: Question, form: Callable[[], None]) -> bool | None:
    """What a phone or the teacher's window has in place of the form."""
    if in_a_room.joined():
        _remember(q, phone.answer_in_the_room(q.id))
    stage = in_a_room.stage(q.id)
    if stage == REVEALED:
        _revealed(q)
        return True
    if in_a_room.joined():
        _on_a_phone(q, stage is not None, form)
        return False
    if stage in (OPEN, SHOWN):
        teacher.panel(q.key, q.id, q.options, lambda said: bars_of(q, said))
        return False
    if in_a_room.teaching():
        teacher.tell_what_went_wrong()
    return None


def _beside(q: Question) -> Callable[[], None] | None:
    """Beside a question that nobody is asked, the way to ask; in another tab of the browser that opened the room, the way back to it."""
    leading.asks_first(q.id, location.now().step)
    if in_a_room.joined() or in_a_room.stage(q.id) is not None:
        return None
    if in_a_room.teaching():
        return lambda: teacher.ask_button(q.key, q.id)
    return (lambda: teacher.take_back_button(q.key)) if ownership.own() else None


def _takes(q: Question, guess: float | str) -> bool:
    """A phone's prediction counts where the room has taken it; while the class is asked, its teacher's is none."""
    return phone.send(q.id, guess) if in_a_room.joined() else in_a_room.stage(q.id) not in (OPEN, SHOWN)


VOTE = Host(_shows, _draw, _takes, beside=_beside, opens=lambda: bool(in_a_room.teaching() or in_a_room.joined()))


def _remember(q: Question, answer: float | str | None) -> None:
    """What the room knows of this visit's answer counts, also after a reload, and when the class is asked again."""
    if answer is None:
        guesses().pop(q.key, None)
    else:
        remember(q, answer)


def _on_a_phone(q: Question, asked: bool, form: Callable[[], None]) -> None:
    """The question of a class vote: its form, as long as answers are taken, and what this phone has said."""
    if problem := in_a_room.problem():
        st.warning(problem)
    if not asked:
        phone.not_asked(q.key)
    elif not in_a_room.visitor():
        st.markdown("Joining the room …")
    else:
        refusal = refused(q)
        st.html('<i class="tbt-voting"></i>')  # what else can be moved waits for the answer: only.css
        form()
        if q.kept_guess is not None:  # beneath: nothing moves under the finger
            st.markdown(f":material/done_all: Your answer is in: **{written(q, q.kept_guess)}**. You may still change it.")
        if refusal:  # it pushes the form down, under the line at a phone's foot
            bring_into_sight(refusal, key=f"into_sight_{q.key}")


def _revealed(q: Question) -> None:
    """The answer of a class vote, with what this visit said and what the class said."""
    teacher.revealed(q.key, q.id, verdict(q), lambda said: bars_of(q, said, marked=True), q.is_right)
    st.markdown(q.why)


def bars_of(q: Question, answers: Sequence[float | str], marked: bool = False) -> list[Bar]:
    """How many said what. marked: the right answer is pointed at, in a range by its number: not all that was said there is right."""
    bars = of_options(q.options, answers) if q.options else of_numbers(answers, q.unit)
    right = [marked and (bar.label == q.answer if q.options else holds(bar, q.answer, q.tolerance)) for bar in bars]
    return [replace(bar, label=_pointed_at(q, bar)) if yes else bar for bar, yes in zip(bars, right, strict=True)]


def _pointed_at(q: Question, bar: Bar) -> str:
    """The label of the bar that the right answer is in."""
    if q.options or bar.low == bar.high:
        return f":green[:material/check_circle:] {bar.label}"
    return f"{bar.label} (the answer, **{answer_text(q)}**, is here)"
