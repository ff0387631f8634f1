"""What a phone in a room shows of a question: the form, that the answer is in, and after the teacher's reveal the answer.

Nothing computed for a question is sent to a phone before it is revealed.
"""

import streamlit as st

from pages.parts.vote import in_a_room, ownership, poll, teacher
from pages.parts.vote.into_sight import bring_into_sight
from pages.parts.vote.network import network_address
from pages.parts.vote.rooms.rooms_file import Unavailable

POLL_S = 2.0


def answer_in_the_room(question_id: str) -> float | str | None:
    """What this phone has answered, as the room knows it."""
    answer = _answer_of(question_id)
    in_a_room.in_room().answers[question_id] = answer
    return answer


def _answer_of(question_id: str) -> float | str | None:
    if in_a_room.visitor():
        with in_a_room.problems_told():
            return in_a_room.rooms().answer_of(in_a_room.joined(), question_id, in_a_room.visitor())
    return None


def send(question_id: str, value: float | str) -> bool:
    """Send an answer to the room; returns whether it took it."""
    with in_a_room.problems_told():
        in_a_room.rooms().answer(in_a_room.joined(), question_id, in_a_room.visitor(), value, network_address())
        return True
    return False


def not_asked(key: str) -> None:
    """The class is elsewhere, or this phone's controls say something else."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Not asked yet: wait for your teacher. If you have moved something, go back to the class.", width="content")
        st.button("Back to the class", key=f"class_{key}", on_click=in_a_room.back_to_the_class, type="tertiary")


def bar() -> None:
    """At the foot of a phone: the room, how many have answered, the way out. It follows the teacher."""
    if in_a_room.joined():
        with st.container(key="room_bar", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            poll.every(POLL_S, "bar", _bar)
            bring_into_sight(in_a_room.in_room().asking_id)
            if ownership.own() == in_a_room.joined():
                teacher.take_back_button("bar")
            st.button("Leave the room", key="room_leave", on_click=in_a_room.leave, type="tertiary")


def _bar() -> None:
    try:
        room = in_a_room.rooms().room(in_a_room.joined())
    except Unavailable as problem:
        st.markdown(str(problem))
        return
    if room is None or room.version != in_a_room.in_room().version or _said_elsewhere(room.asking):
        st.rerun()
    # Nobody yet is not said: this line is drawn every other second, and the answer that has just been given stands above it.
    how_many = f": {teacher.how_many(room.n_answers)}" if room.asking and room.n_answers else ""
    st.markdown(f":material/groups: Room {room.code}{how_many}", width="content")


def _said_elsewhere(question_id: str) -> bool:
    """Whether another tab of this phone's browser has answered since this one was drawn: the later answer is the one that counts."""
    said = in_a_room.in_room().answers
    return question_id in said and _answer_of(question_id) != said[question_id]
