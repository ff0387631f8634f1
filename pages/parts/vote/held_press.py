"""A press that leads on while the class votes is held once and said, because the phones would keep a question that the screen has left.

The next press ends the vote: the screen goes on and the phones with it. Of a vote that was left like this nothing is lost; Back leads
to it again. It holds for all that a key or a clicker presses, in the teacher's window and in that of his notes.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts.visit import display
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import in_a_room, leading, ownership
from pages.parts.vote.rooms import OPEN, SHOWN


@dataclass
class Press:
    """held: the vote that a press would have left, "" for none; told: the one of which the screen has said so."""

    held: str = ""
    told: str = ""


press = of_this_visit(Press)


def unless_held(act: Callable[..., None], *args) -> None:
    """Call what leads on, unless the class votes and the screen has not said so since the last press. A callback."""
    if (vote := open_vote()) and press().told != vote:
        press().held = vote
        return
    press().held = press().told = ""
    if vote:
        leading.left_open()
    act(*args)


def tell() -> None:
    """That a press was held and what the next one does. Drawn where the teacher looks; what he was not told yet is held again."""
    if is_held():
        with st.container(key="vote_held"):  # a press that comes when it stands there is meant (press_queue.js)
            st.markdown(":material/front_hand: **The vote is still open.** Press again to end it and go on, with the phones.")
        press().told = press().held


def is_held() -> bool:
    """Whether a press was held and the vote that it would have left is still open."""
    return bool(press().held) and press().held == open_vote()


def open_vote() -> str:
    """A name of the vote that is open where this window stands, if it is the teacher's or shows his notes; "" for none."""
    code = in_a_room.teaching()[0] if in_a_room.teaching() else ownership.own() if display.with_notes() else ""
    if not code:
        return ""
    with in_a_room.problems_told():
        room = in_a_room.rooms().room(code)
        if room and room.asking and room.stage in (OPEN, SHOWN) and (in_a_room.teaching() or leading.shows(room)):
            return f"{room.asking_id} {room.stage}"
    return ""
