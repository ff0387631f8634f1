"""The vote beside a teacher's notes: the buttons that lead a class on, of the room that the browser's other window has opened."""

import streamlit as st

from pages.parts.vote import class_vote, ownership, poll, teacher
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN


def vote_of(key: str, question: str) -> None:
    """While the class is asked this question: how many have answered, and the way to the distribution and to the answer. Asked for
    once a second: the class's window asks, and sees within a second of its own what was pressed here."""
    if ownership.teacher().own_room:
        poll.every(teacher.POLL_S, f"notes_{key}", lambda: _vote(key, question))


def _vote(key: str, question: str) -> None:
    stage, n, there = None, 0, ownership.teacher().own_room
    with class_vote.problems_told():
        if there and class_vote.rooms().is_here(there[0]):
            stage = class_vote.rooms().stage(there[0], question)
            n = len(class_vote.rooms().answers(there[0], question))
    if stage in (OPEN, SHOWN):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/groups: {teacher.how_many(n)}", width="content")
            if stage == OPEN:
                st.button("Show the distribution", key=f"notes_show_{key}", on_click=_lead_to, args=(question, SHOWN))
            st.button("Reveal the answer", key=f"notes_reveal_{key}", on_click=_lead_to, args=(question, REVEALED))
    if problem := class_vote.problem():
        st.warning(problem)


def _lead_to(question: str, stage: int) -> None:
    if there := ownership.teacher().own_room:
        with class_vote.problems_told():
            class_vote.rooms().set_stage(*there, question, stage)
