"""The sentences of a step: what it opens with, the takeaway in one of them with its number, and the question beside it."""

import re
from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from pages.parts.lesson.terms import TERMS
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.visit.display import narrow, presenting

BESIDE = (1.75, 1)  # of the width have a question and what the step comes to


def lead(text: str, *names: str) -> None:
    """The two or three sentences that a lesson or a step opens with; presented, the first of them, large.

    names: words of terms.TERMS, explained beside it.
    """
    if presenting():
        st.subheader(first_sentence(text), anchor=False)
    else:
        st.markdown(text, help=explained(*names))


def first_sentence(text: str) -> str:
    """All of a lead that stands on a slide.

    >>> first_sentence("Two runs, of *one* model. The first of them keeps its keys and values.")
    'Two runs, of *one* model.'
    """
    return re.split(r"(?<=[.?!]) +(?=[A-Z*“])", text)[0].strip()


def explained(*names: str) -> str | None:
    """What a lesson's words mean, as a list beside a sentence."""
    return "\n".join(f"- **{name}**: {TERMS[name]}" for name in names) or None


def here_on_a_phone() -> AbstractContextManager:
    """On a phone a container at this place; on other screens nothing, so that what is drawn in it stands where it is drawn. For a figure
    and its question that belong above their controls on a phone only."""
    return st.container() if narrow() else nullcontext()


def takeaway(name: str, text: str, help: str | None = None) -> None:
    """What a step comes to, in a sentence or two. name: tells it from the others on the page; help: what stands behind it."""
    with st.container(key=f"takeaway_{name}"):
        st.markdown(text, help=help)


def said_and_asked(name: str, widths: tuple[float, float], asked_first: bool = False) -> tuple:
    """Places of a takeaway and of a question beside it, which have so much of the width, and all of it where the other is empty. On a
    phone the question comes first, beneath the figure."""
    asked_first = asked_first or narrow()
    with st.container(key=f"said_and_asked_{name}"):
        left, right = st.columns(widths, gap="medium", vertical_alignment="top" if asked_first else "center")
    said, asked = (right, left) if asked_first else (left, right)
    return said.container(key=f"takeaway_{name}"), asked


def question_and_takeaway(
    question: Question,
    name: str,
    text: str,
    help: str | None = None,
    widths: tuple[float, float] = BESIDE,
    takeaway_first: bool = False,
) -> None:
    """A question and what the step comes to, side by side with so much of the width each; on a phone the left one is above."""
    left, right = st.columns(widths, gap="medium")
    takeaway_first = takeaway_first and not narrow()
    with right if takeaway_first else left:
        predict(question)
    with left if takeaway_first else right:
        takeaway(name, text, help)


def question_then_takeaway(
    question: Question, name: str, text: str, help: str | None = None, widths: tuple[float, float] = (1.2, 1)
) -> None:
    """A question alone; once it is answered, beside it what the step comes to."""
    if not question.answered:
        predict(question)
        return
    question_and_takeaway(question, name, text, help, widths)
