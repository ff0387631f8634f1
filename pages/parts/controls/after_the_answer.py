"""What a step says where values are moved after its question has been answered: what follows them, and the way to be asked again."""

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.toy.scenario import Scenario
from pages.parts.lesson.sentences import takeaway
from pages.parts.question.question import Question, committed, reopen
from pages.parts.visit import scenario

SEEN = 0.005  # of a context, or of a share: less than two decimals show


def values_moved(question: Question) -> bool:
    """Whether the reader has answered the question and has then moved values, and nothing else: he asks what comes of it."""
    s, before = scenario.current(), scenario.kept().before
    moved = before is not None and replace(before, values=s.values) == s
    return moved and not question.answered and committed(question.key) is not None


def hardly_taken(before: Scenario, s: Scenario, moved: np.ndarray) -> bool:
    """Whether contexts take no share worth naming of the values that were moved. moved: by how much each context did."""
    by = np.abs(np.subtract(s.values, before.values)).max()
    return bool(np.abs(moved).max() < SEEN * min(1.0, by))


def follow_the_values(name: str, text: str, question: Question) -> None:
    """The takeaway where values have been moved, and the way to be asked again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        takeaway(name, text)
        look = {"key": f"{name}_again", "type": "tertiary"}
        st.button("Ask me with these values", on_click=reopen, args=((question.key,),), **look)
