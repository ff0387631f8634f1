"""What a step says where values are moved after its question has been answered: what follows them, and the way to be asked again."""

from dataclasses import replace

import streamlit as st

from pages.parts.lesson.sentences import takeaway
from pages.parts.question.question import Question, committed, reopen
from pages.parts.visit import scenario


def values_moved(question: Question) -> bool:
    """Whether the reader has answered the question and has then moved values, and nothing else: he asks what comes of it."""
    s, before = scenario.current(), scenario.kept().before
    moved = before is not None and replace(before, values=s.values) == s
    return moved and not question.answered and committed(question.key) is not None


def follow_the_values(name: str, text: str, question: Question) -> None:
    """The takeaway where values have been moved, and the way to be asked again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        takeaway(name, text)
        look = {"key": f"{name}_again", "type": "tertiary"}
        st.button("Ask me with these values", on_click=reopen, args=((question.key,),), **look)
