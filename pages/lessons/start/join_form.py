"""Where a class comes in without a camera: a field for the room's code, and for a teacher the way back into his own room."""

import streamlit as st

from pages.parts.visit.parameters import set_widget
from pages.parts.vote import in_a_room, ownership, teacher

MOST = 200  # characters: room for a whole link that somebody pastes


def code_field() -> None:
    """A field and a button, in one line; before them a teacher's own room, where this browser has opened one."""
    if ownership.own():
        teacher.take_back_button("door")
    with st.form("join", border=False, width="content"), st.container(horizontal=True, vertical_alignment="center", key="door"):
        set_widget("start_room", in_a_room.refused()[0][:MOST])
        st.text_input("Room code", key="start_room", placeholder="Room code", max_chars=MOST, label_visibility="collapsed")
        st.form_submit_button("Join", on_click=_typed)


def problem() -> None:
    """Why a code has led nowhere, beneath its field."""
    if why := in_a_room.refused()[1]:
        with st.container(key="door_said"):
            st.warning(why)


def _typed() -> None:
    typed = st.session_state.get("start_room", "")  # of whatever type a forged message has
    if isinstance(typed, str) and in_a_room.as_code(typed):
        in_a_room.ROOM.set_text(typed.strip())
