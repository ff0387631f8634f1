"""Predict → commit → reveal → why: the one component for all questions.

The answer is computed by the engine from the scenario as it is now. Once a prediction is committed, the computed answer and the
reason are shown; when the scenario changes so that question or answer change, the question is open again. A host of
questions (paper, a class vote, a lock) may stand in place of the form and of what follows it.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.question.question import (
    HOSTS,
    Question,
    answered_in,
    asked_on_this_page,
    guesses,
    predictions,
    remember,
    verdict_on,
)
from pages.parts.visit import location
from pages.parts.visit.display import narrow, presenting


def predict(question: Question, on_commit: Callable[[], None] | None = None) -> bool:
    """Ask it; returns whether it has been answered. on_commit: called when it is, to point at the answer in a figure."""
    q, form = question, partial(_form, question, on_commit)
    asked_on_this_page().append(q)
    if (done := _drawn_by_a_host(q, form, framed=False)) is not None:
        return done
    with st.container(border=True, key=f"predict_{q.key}"):
        _what_is_asked(q)
        if presenting():  # what a slide shows depends on it: presented.css
            st.html(f'<i class="tbt-asked{" tbt-open" if q.guess is None else ""}"></i>')
        elif narrow() and q.answered:  # what was asked is small then: phone.css
            st.html('<i class="tbt-told"></i>')
        if (done := _drawn_by_a_host(q, form, framed=True)) is not None:
            return done
        if q.guess is None:
            form()
            return False
        with st.container(horizontal=True, vertical_alignment="center", key=f"verdict_{q.key}"):
            with st.container(key=f"answer_{q.key}"):
                st.markdown(f"{verdict_on(q, q.guess)} {q.why}")
            st.button("Try again", key=f"again_{q.key}", on_click=guesses().pop, args=(q.key, None), type="tertiary")
        return True


def _what_is_asked(q: Question) -> None:
    """And on the same line what a host has there."""
    text = f":material/help: **Predict.** {q.asked.replace(q.drawn, '')}"
    draw_beside = next((draw for host in HOSTS if (draw := host.beside(q))), None)
    if draw_beside is None:
        st.markdown(text)
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"asked_{q.key}"):
        st.markdown(text)
        draw_beside()


def refused(q: Question) -> str:
    """Why the last prediction of this question was no answer, until its form says so; "" where it was one."""
    key, refusal = predictions().refused
    return refusal if key == q.key else ""


def _drawn_by_a_host(q: Question, form: Callable[[], None], framed: bool) -> bool | None:
    """What the first host that takes the question over returns; None where none does."""
    hosts = (host for host in HOSTS if host.framed == framed)
    return next((done for host in hosts if (done := host.draw(q, form)) is not None), None)


def commit(q: Question, guess: float | str | None, on_commit: Callable[[], None] | None = None) -> None:
    """Keep a prediction, if it can be an answer and every host takes it; also of what was pressed in a figure."""
    if guess is None and q.options:  # what was pressed in the figure is none of them
        return
    if refusal := q.refusal(guess):
        predictions().refused = (q.key, refusal)
    elif all(host.takes(q, guess) for host in HOSTS):
        remember(q, guess)
        answered_in().setdefault(location.now().lesson, set()).add(q.key)
        if on_commit and q.guess is not None:
            on_commit()


def _form(q: Question, on_commit: Callable[[], None] | None) -> None:
    """What to choose from, where a press is the answer, or a field for a number, beneath why the last one was none."""
    if refusal := refused(q):
        predictions().refused = ("", "")
        st.warning(refusal)
    if q.options:
        with st.container(horizontal=True, gap="small", key=f"guess_{q.key}"):
            for k, option in enumerate(q.options):
                st.button(option, key=f"option_{q.key}_{k}", on_click=commit, args=(q, option, on_commit))
        return
    with st.form(f"form_{q.key}", border=False):  # its parts stand in a row: frame.css
        label, key = f"Your prediction{f', in {q.unit}' if q.unit else ''}", f"guess_{q.key}"
        shown = f"in {q.unit}" if narrow() and q.unit else label  # the whole has no room on a phone
        st.number_input(label, value=None, format="%g", key=key, width=240, label_visibility="collapsed", placeholder=shown)
        st.form_submit_button("Commit", on_click=lambda: commit(q, st.session_state.get(key), on_commit))
