"""Whose room it is: the secret that makes a visit its teacher's, kept by his browser and carried by his own link.

A tab goes on teaching after a reload. Any other tab of the same browser may take the room back, when its teacher says so: two that
did it by themselves would send the class to and fro. In another browser the owner's link does the same; it leaves the address bar
at once, because the class sees the teacher's screen.
"""

from __future__ import annotations

import json
import re
from secrets import token_hex

import streamlit as st

from pages.parts.visit import scenario, where
from pages.parts.visit.class_link import ONLY, WAYS
from pages.parts.visit.display import PRESENT
from pages.parts.visit.parameters import Text
from pages.parts.vote.rooms import Rooms, is_code

SHOWN = ("route", PRESENT.name)  # what of a screen its class is used to
OWNER = Text("owner", most_chars=60)  # code.secret
SECRET = re.compile("[0-9a-f]{32}")  # a teacher's, and the number that a phone has drawn


def teaching() -> tuple[str, str] | None:
    """(code, secret) of the room whose teacher this is; None for everybody else."""
    return st.session_state.get("teaching")


def own() -> str:
    """The code of the room that this browser has opened and that this tab may take back; "" where there is none, or where it is
    its teacher's already."""
    return "" if teaching() else (st.session_state.get("own_room") or ("",))[0]


def kept() -> dict[str, str | None]:
    """What the browser is to keep. room: the teacher's, nothing once it has ended, whatever it has while nobody has asked; gone:
    what it said of a room that is not there any more."""
    state = st.session_state
    room = ".".join(teaching()) if teaching() else "" if state.get("taught") else None
    return {"room": room, "gone": state.get("room_gone", "")}


def enter(rooms: Rooms, of_this_tab: object, of_this_browser: object) -> None:
    """Take up the room that this tab remembers, or that an owner's link names, as far as it is there; one that has ended is
    nobody's. What another tab of the browser has opened is only remembered here."""
    state = st.session_state
    if scenario.extra(OWNER.name):
        said = read(OWNER.text())
        OWNER.set_text("")
        if said and rooms.is_teacher(*said):
            teach(rooms, *said)
            go_to_the_class(rooms)
        else:
            scenario.report("This link opens no room: the room has ended, or a part of the link is missing.")
    if teaching() is None and not state.get("taught") and (said := read(of_this_tab)):
        teach(rooms, *said)
    if teaching() and not rooms.is_teacher(*teaching()):
        state["teaching"] = None
    said = read(of_this_browser)
    there = said is not None and rooms.is_teacher(*said)
    state["own_room"], state["room_gone"] = (said, "") if there else (None, ".".join(said) if said else "")


def read(told: object) -> tuple[str, str] | None:
    """(code, secret) out of a text that has both, None for any other: it comes from a browser or a link."""
    code, _, secret = told.partition(".") if isinstance(told, str) else ("", "", "")
    return (code, secret) if is_code(code) and SECRET.fullmatch(secret) else None


def teach(rooms: Rooms, code: str, secret: str) -> None:
    """This is the teacher of that room from now on. The class stays where it is until this window goes on."""
    state, room = st.session_state, rooms.room(code)
    state["teaching"], state["taught"], state["shown_as"] = (code, secret), True, None
    state["teaching_at"] = (room.lesson, json.loads(room.query).get("slide", "1"), None) if room and room.lesson else None


def take_back(rooms: Rooms) -> None:
    """This tab is its teacher's again, and shows what the class sees."""
    if own():
        teach(rooms, *st.session_state["own_room"])
        go_to_the_class(rooms)


def go_to_the_class(rooms: Rooms) -> None:
    """Show the lesson, the step and the numbers that phones show, on the route and presented as the class had it on screen."""
    room = rooms.room(teaching()[0])
    if room and room.lesson:
        ways = {name: text for name in (*WAYS, *SHOWN) if name != ONLY.name and (text := scenario.extra(name))}
        scenario.open_link(ways | json.loads(room.shown) | json.loads(room.query))
        where.open_lesson(room.lesson)
        st.session_state["took_back"] = token_hex(4)


def shown_here() -> str:
    """How this window shows the lesson, as the text of a query."""
    return json.dumps({name: text for name in SHOWN if (text := scenario.extra(name))})


def took_back() -> str:
    """A name of the act by which this tab took its room over from another one, "" where it has not."""
    return st.session_state.get("took_back", "") if teaching() else ""
