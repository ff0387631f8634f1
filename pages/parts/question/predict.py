"""Predict → commit → reveal → why: the one component for all questions.

The answer is computed by the engine from the scenario as it is now. Once a prediction is committed, the computed answer, the gap
and the reason are shown; when the scenario changes so that question or answer change, the question is open again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.question.question import Question, answered_in, asked_on_this_page, correct, guesses, verdict_on, written
from pages.parts.visit import answers, where
from pages.parts.visit.display import handout
from pages.parts.vote import here, ownership, phone, teacher
from pages.parts.vote.distribution import Bar, holds, of_numbers, of_options
from pages.parts.vote.into_sight import bring_into_sight
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN

ROOM = 3  # empty lines on paper, for an answer and the reason for it


def predict(question: Question, on_commit: Callable[[], None] | None = None) -> bool:
    """Ask it; returns whether it has been answered. on_commit: called when it is, to point at the answer in a figure."""
    q = question
    asked_on_this_page().append(q)
    if handout():
        _on_paper(q, len(asked_on_this_page()))
        return False

    def commit() -> None:
        guess = st.session_state.get(f"guess_{q.key}")
        if guess is not None and (refusal := q.refusal(guess)):
            st.session_state["guess_refused"] = (q.key, refusal)
        elif guess is not None and (not here.joined() or phone.send(q.id, guess)):
            guesses()[q.key] = (q.asked, q.answer, guess)
            answered_in().setdefault(where.now().lesson, set()).add(q.key)
            if on_commit and not answers.locked():
                on_commit()

    if here.joined():
        _remember(q, phone.told(q.id))
    guess = q.guess
    with st.container(border=True, key=f"predict_{q.key}"):
        st.markdown(f":material/help: **Predict.** {q.asked}")
        teacher.asks_first(q.id)
        stage = here.stage(q.id)
        if stage == REVEALED:
            _revealed(q)
            return True
        if here.joined():
            _on_a_phone(q, stage is not None, commit)
            return False
        if stage in (OPEN, SHOWN):
            teacher.panel(q.key, q.id, q.options, lambda said: _bars(q, said))
            return False
        if here.teaching():
            teacher.ask_button(q.key, q.id)
        elif ownership.own():
            teacher.take_back_button(q.key)
        if guess is None and q.said is not None:
            _locked(q)
            return False
        if guess is None:
            _form(q, commit)
            return False
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(key=f"answer_{q.key}"):
                st.markdown(f"{verdict_on(q, guess)} {q.why}")
            st.button("Try again", key=f"again_{q.key}", on_click=guesses().pop, args=(q.key, None), type="tertiary")
        return True


def _on_a_phone(q: Question, asked: bool, commit: Callable[[], None]) -> None:
    """The question of a class vote: its form, as long as answers are taken, and what this phone has said."""
    if problem := here.problem():
        st.warning(problem)
    if not asked:
        phone.not_asked(q.key)
    elif not here.visitor():
        st.markdown("Joining the room …")
    else:
        if q.said is not None:
            st.markdown(f":material/done_all: Your answer is in: **{written(q, q.said)}**. You may still change it.")
        _form(q, commit)


def _revealed(q: Question) -> None:
    """The answer of a class vote, with what this visit said and what the class said."""
    verdict = f"Computed: **{correct(q)}**." if q.guess is None else verdict_on(q, q.guess)
    teacher.revealed(q.key, q.id, verdict, lambda said: _bars(q, said, marked=True), q.is_right)
    st.markdown(q.why)
    teacher.again(q.key, q.id)


def _bars(q: Question, said: Sequence[float | str], marked: bool = False) -> list[Bar]:
    """How many said what. marked: the right answer is pointed at."""
    bars = of_options(q.options, said) if q.options else of_numbers(said, q.unit)
    right = [marked and (bar.label == q.answer if q.options else holds(bar, q.answer, q.tolerance)) for bar in bars]
    sign = ":green[:material/check_circle:] "
    return [replace(bar, label=f"{sign * yes}{bar.label}") for bar, yes in zip(bars, right, strict=True)]


def _remember(q: Question, said: float | str | None) -> None:
    """What the room knows of this visit's answer counts, also after a reload, and when the class is asked again."""
    if said is None:
        guesses().pop(q.key, None)
    else:
        guesses()[q.key] = (q.asked, q.answer, said)


def _locked(q: Question) -> None:
    """What was predicted, and the field for the key that opens the answers."""
    said = written(q, q.said)
    key = f"key_{q.key}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/lock: You predicted {said}. The answers are locked.", width="content")
        st.button("Change it", key=f"again_{q.key}", on_click=guesses().pop, args=(q.key, None), type="tertiary")
        with st.popover("Open", icon=":material/key:", type="tertiary", key=f"unlock_{q.key}"):
            st.text_input(
                "Teacher’s key", key=key, type="password", max_chars=answers.MOST,
                on_change=lambda: answers.try_key(st.session_state[key]),
            )  # fmt: skip
            if st.session_state.get(key):
                st.markdown("That key does not open this link.")


def _on_paper(q: Question, at: int) -> None:
    """The question with boxes to tick or lines to write on."""
    with st.container(border=True, key=f"paper_{q.key}"):
        st.markdown(f"**Question {at}.** {q.asked}")
        if q.options:
            st.markdown("\u2003".join(f"☐\xa0{option}" for option in q.options))
        else:
            st.markdown(f"Answer: ________________{f' {q.unit}' if q.unit else ''}")
        st.html('<p class="tbt-line"></p>' * ROOM)


def _form(q: Question, commit: Callable[[], None]) -> None:
    key, refusal = st.session_state.get("guess_refused", ("", ""))
    if key == q.key:
        del st.session_state["guess_refused"]
        st.warning(refusal)
        if here.joined():  # it pushes the form down, under the line at a phone's foot
            bring_into_sight(refusal, key=f"refused_{q.key}")
    with st.form(f"form_{q.key}", border=False):  # its parts stand in a row: frame.css
        if q.options:
            st.radio(
                "Your prediction", q.options, index=None, key=f"guess_{q.key}", horizontal=True, width="content",
                label_visibility="collapsed",
            )  # fmt: skip
        else:
            label = f"Your prediction{f', in {q.unit}' if q.unit else ''}"
            key = f"guess_{q.key}"
            st.number_input(label, value=None, format="%g", key=key, width=240, label_visibility="collapsed", placeholder=label)
        st.form_submit_button("Commit", on_click=commit)
