"""Predict → commit → reveal → why: the one component for all questions.

The answer is computed by the engine from the scenario as it is now. Once a prediction is committed, the computed answer, the gap
and the reason are shown; when the scenario changes so that question or answer change, the question is open again.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import scenario
from pages.parts.words import number


def predict(
    key: str,
    question: str,
    answer: float | str,
    why: str,
    options: Sequence[str] = (),
    tolerance: float = 0.01,
    unit: str = "",
    cell: str = "",
) -> bool:
    """Ask one question; returns whether it has been answered.

    answer: a number, judged right within `tolerance`, or one of `options`. question, why and options are Markdown (words that
    people typed go through words.md). cell: "head.query.key" (1-based) of the attention map to point at once revealed.
    """
    asked = _asked(question, answer)
    committed = st.session_state.setdefault("committed", {})

    def commit() -> None:
        guess = st.session_state[f"guess_{key}"]
        if guess is not None:
            committed[key] = (asked, guess)
            if cell:
                scenario.set_extra("cell", cell)

    def again() -> None:
        committed.pop(key, None)

    with st.container(border=True, key=f"predict_{key}"):
        st.markdown(f":material/help: **Predict.** {question}")
        if committed.get(key, ("",))[0] != asked:
            with st.form(f"form_{key}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
                if options:
                    st.radio("Your prediction", options, index=None, key=f"guess_{key}", horizontal=True, width="content")
                else:
                    label = f"Your prediction{f', in {unit}' if unit else ''}"
                    st.number_input(label, value=None, format="%g", key=f"guess_{key}", width=240)
                st.form_submit_button("Commit", on_click=commit)
            return False
        guess = committed[key][1]
        right = guess == answer if options else abs(guess - answer) <= tolerance
        with st.container(key=f"answer_{key}"):
            st.markdown(f"{_verdict(guess, answer, right, unit)} {why}")
        st.button("Try again", key=f"again_{key}", on_click=again, type="tertiary")
        return True


def answered(key: str, question: str, answer: float | str) -> bool:
    """Whether this very question has been answered, for a figure that hides the answer until then."""
    return st.session_state.get("committed", {}).get(key, ("",))[0] == _asked(question, answer)


def tried(key: str) -> bool:
    """Whether a question was answered at all, be it before the scenario changed."""
    return key in st.session_state.get("committed", {})


def _asked(question: str, answer: float | str) -> str:
    return f"{question}|{answer}"


def _verdict(guess: float | str, answer: float | str, right: bool, unit: str) -> str:
    """The prediction beside the computed answer, with the gap between them."""
    unit = f" {unit}" if unit else ""
    if isinstance(answer, str):
        return f":material/check_circle: **{answer}**, as you predicted." if right else (
            f":material/cancel: You predicted {guess}; computed: **{answer}**."
        )  # fmt: skip
    if right:
        return f":material/check_circle: **{number(answer, 4)}{unit}**, as you predicted."
    gap = number(guess - answer, 4, sign=True)
    return f":material/cancel: You predicted {number(guess, 4)}{unit}; computed: **{number(answer, 4)}{unit}**. Gap: {gap}."
