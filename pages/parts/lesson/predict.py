"""Predict → commit → reveal → why: the one component for all questions.

The answer is computed by the engine from the scenario as it is now. Once a prediction is committed, the computed answer, the gap
and the reason are shown; when the scenario changes so that question or answer change, the question is open again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from pages.parts.text.format import number
from pages.parts.visit import answers
from pages.parts.visit.display import handout

ROOM = 3  # empty lines on paper, for an answer and the reason for it
_MANY = ("tokens", "blocks", "slots")  # units that are words, in the plural


@dataclass(frozen=True)
class Question:
    """What is asked and what was computed. `asked` and `answer` tell it from the same question about another scenario.

    answer: a number, judged right within `tolerance`, or one of `options`. asked, why and options are Markdown (words that
    people typed go through format.md). slips: of a wrong option, what leads to it, said where it was chosen.
    """

    key: str
    asked: str
    answer: float | str
    why: str
    options: tuple[str, ...] = ()
    tolerance: float = 0.01
    unit: str = ""
    slips: Mapping[str, str] = field(default_factory=dict)

    @property
    def guess(self) -> float | str | None:
        """What was predicted of this very question, None while it is open: also on paper, and while the answers are locked."""
        return None if handout() or answers.locked() else self.said

    @property
    def said(self) -> float | str | None:
        """What was predicted of this very question, whether or not its answer may be shown."""
        asked, answer, guess = _committed().get(self.key, ("", "", None))
        return guess if (asked, answer) == (self.asked, self.answer) else None

    @property
    def answered(self) -> bool:
        """Whether this very question has been answered, for a figure that hides the answer until then."""
        return self.guess is not None

    def is_right(self, guess: float | str) -> bool:
        """Whether a prediction is the answer, numbers within the tolerance."""
        return guess == self.answer if self.options else abs(guess - self.answer) <= self.tolerance


def predict(question: Question, on_commit: Callable[[], None] | None = None) -> bool:
    """Ask it; returns whether it has been answered. on_commit: called when it is, to point at the answer in a figure."""
    q = question
    asked_on_this_page().append(q)
    if handout():
        _on_paper(q, len(asked_on_this_page()))
        return False

    def commit() -> None:
        guess = st.session_state[f"guess_{q.key}"]
        if guess is not None:
            _committed()[q.key] = (q.asked, q.answer, guess)
            answered_in().setdefault(st.session_state.get("here", ""), set()).add(q.key)
            if on_commit and not answers.locked():
                on_commit()

    guess = q.guess
    verdict = "open" if guess is None else "right" if q.is_right(guess) else "wrong"
    with st.container(border=True, key=f"predict_{q.key}"), st.container(key=f"{verdict}_{q.key}"):
        st.markdown(f":material/help: **Predict.** {q.asked}")
        if guess is None and q.said is not None:
            _locked(q)
            return False
        if guess is None:
            _form(q, commit)
            return False
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(key=f"answer_{q.key}"):
                st.markdown(f"{_verdict(q, guess)} {q.why}")
            st.button("Try again", key=f"again_{q.key}", on_click=_committed().pop, args=(q.key, None), type="tertiary")
        return True


def _locked(q: Question) -> None:
    """What was predicted, and the field for the key that opens the answers."""
    said = written(q, q.said)
    key = f"key_{q.key}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/lock: You predicted {said}. The answers are locked.", width="content")
        st.button("Change it", key=f"again_{q.key}", on_click=_committed().pop, args=(q.key, None), type="tertiary")
        with st.popover("Open", icon=":material/key:", type="tertiary", key=f"unlock_{q.key}"):
            st.text_input(
                "Teacher’s key", key=key, type="password", max_chars=answers.MOST,
                on_change=lambda: answers.try_key(st.session_state[key]),
            )  # fmt: skip
            if st.session_state.get(key):
                st.markdown("That key does not open this link.")


def asked_on_this_page(collect: bool = False) -> list[Question]:
    """The questions of the page that is being drawn, in order. collect: begin anew, as a page does that will need them."""
    if collect:
        st.session_state["asked"] = []
    return st.session_state.get("asked", [])


def correct(q: Question) -> str:
    """The computed answer as it is written, with its unit."""
    return written(q, q.answer)


def written(q: Question, answer: float | str) -> str:
    """An answer or a prediction with its unit, which is one of many units where the number is not 1.

    >>> tokens = Question("", "", 1, "", unit="tokens")
    >>> written(tokens, 1.0), written(tokens, 2.0)
    ('1 token', '2 tokens')
    """
    if q.options:
        return str(answer)
    figures = number(answer, 4)
    return " ".join(filter(None, (figures, q.unit[:-1] if figures == "1" and q.unit in _MANY else q.unit)))


def _on_paper(q: Question, at: int) -> None:
    """The question with boxes to tick or lines to write on."""
    with st.container(border=True, key=f"paper_{q.key}"):
        st.markdown(f"**Question {at}.** {q.asked}")
        if q.options:
            st.markdown("\u2003".join(f"☐\xa0{option}" for option in q.options))
        else:
            st.markdown(f"Answer: ________________{f' {q.unit}' if q.unit else ''}")
        st.html('<p class="tbt-line"></p>' * ROOM)


def committed(key: str) -> tuple[float | str, float | str] | None:
    """(answer, prediction) of a question that was answered, be it before the scenario changed; None where it was not, or where
    its answer may not be shown."""
    return _committed()[key][1:] if key in _committed() and not answers.locked() else None


def reopen(keys: Iterable[str]) -> None:
    """Forget what was predicted of these questions."""
    for key in keys:
        _committed().pop(key, None)


def answered_in() -> dict[str, set[str]]:
    """The keys of all questions that this visit has answered, by the lesson's address, whatever was edited since."""
    return st.session_state.setdefault("answered_in", {})


def _committed() -> dict[str, tuple[str, float | str, float | str]]:
    """Of each question that was answered: what was asked, the answer then, the guess."""
    return st.session_state.setdefault("committed", {})


def _form(q: Question, commit: Callable[[], None]) -> None:
    with st.form(f"form_{q.key}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
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


def _verdict(q: Question, guess: float | str) -> str:
    """The prediction beside the computed answer, with the gap between them."""
    answer = correct(q)
    if q.is_right(guess):
        return f":green[:material/check_circle: Right:] **{answer}**, as you predicted."
    said = f":red[:material/cancel:] You predicted {written(q, guess)}; computed: **{answer}**."
    if guess in q.slips:
        return f"{said}\n\n{q.slips[guess]}\n\n"
    return said if q.options else f"{said} Gap: {number(guess - q.answer, 4, sign=True)}."
