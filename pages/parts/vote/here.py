"""This visit in a class vote: its teacher's window, one of the phones, or neither, as almost every visit is.

`enter` finds out once a page, before anything is drawn. A phone shows what the room's teacher shows, and no answer to any question
before that teacher reveals it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from pages.parts.visit import answers, class_link, scenario
from pages.parts.visit.class_link import ONLY, WAYS
from pages.parts.visit.parameters import Text
from pages.parts.visit.telling import WHEN_DRAWN, nothing
from pages.parts.vote import rooms_file
from pages.parts.vote.rooms import REVEALED, Room, Rooms, is_code
from pages.parts.vote.rooms_file import Refused, Unavailable

ROOM = Text("room", most_chars=12)
SECRET = re.compile("[0-9a-f]{32}")  # a teacher's, and the number that a phone has drawn
_KEPT = st.components.v2.component(
    "kept", html="<i></i>", js=WHEN_DRAWN + Path(__file__).with_name("kept.js").read_text("utf-8"), isolate_styles=False
)


def rooms() -> Rooms:
    """The rooms of this server."""
    return _rooms(rooms_file.folder())


@lru_cache(maxsize=4)
def _rooms(folder: Path) -> Rooms:
    return Rooms(folder)


def teaching() -> tuple[str, str] | None:
    """(code, secret) of the room whose teacher this is; None for everybody else."""
    return st.session_state.get("teaching")


def joined() -> str:
    """The code of the room in which this is a phone, "" for everybody else."""
    return st.session_state.get("joined", "")


def visitor() -> str:
    """The number that this phone has drawn, "" until its browser has told it."""
    return st.session_state.get("phone", "")


def stage(question: str) -> int | None:
    """How far this room is with a question; None where it has not been asked, or where there is no room."""
    code = teaching()[0] if teaching() else joined()
    if code:
        with problems_told():
            return rooms().stage(code, question)
    return None


def revealed(question: str) -> bool:
    """Whether the teacher of this room has shown the answer to the class."""
    return stage(question) == REVEALED


def teach(code: str, secret: str) -> None:
    """This is the teacher of that room from now on. The class stays where it is until this window goes on."""
    state, room = st.session_state, rooms().room(code)
    state["teaching"], state["taught"] = (code, secret), True
    state["teaching_at"] = (room.lesson, json.loads(room.query).get("slide", "1")) if room and room.lesson else None


def enter() -> None:
    """Take up what the browser keeps, and go where the teacher of the room has gone. Called once a page, before it is drawn."""
    state = st.session_state
    scenario.current()
    data = {"visit": state.get("visit", ""), "room": _kept_room(), "phone": bool(ROOM.text())}
    told = _KEPT(key="kept", data=data, on_room_change=nothing, on_phone_change=nothing, height=1)
    with problems_told():
        _take_up(told.room)
    if isinstance(told.phone, str) and SECRET.fullmatch(told.phone) and ROOM.text():
        state.setdefault("phone", told.phone)  # a session answers for one phone, whatever it says later
    with problems_told(scenario.report):
        _join(ROOM.text().upper())
    answers.withhold(bool(joined()))


def leave() -> None:
    """This phone is no longer in the room, and the lesson goes on as an ordinary one."""
    ROOM.set_text("")


def back_to_the_class() -> None:
    """Show what the teacher shows, whatever was moved on this phone."""
    st.session_state["followed"] = None


def go_on() -> None:
    """Tell the phones that their teacher has gone to another step. Called when the page has been drawn."""
    if teaching() and st.session_state.get("teaching_at") != _place():
        st.session_state["teaching_at"] = _place()
        as_teacher(rooms().move, *what_phones_see())


def ask(question: str, step: str) -> None:
    """Ask the class this question of a step, about what is on screen now; asked again, it is open to new answers."""
    as_teacher(rooms().ask, question, *what_phones_see(step))
    st.session_state["teaching_at"] = _place()


def as_teacher(act: Callable[..., None], *args) -> None:
    """Do in the room what its teacher may; nothing where it was closed by an earlier press."""
    if teaching():
        with problems_told():
            act(*teaching(), *args)


def what_phones_see(step: str = "") -> tuple[str, str]:
    """The lesson, and as text the query of the step that is shown here or of the one that is named."""
    query = {name: text for name, text in class_link.here().items() if name not in (*WAYS, "route", ROOM.name)}
    return st.session_state.get("here", ""), json.dumps(query | ({"slide": step} if step else {}))


def link(code: str) -> str:
    """What leads into the room: short, because the room itself knows the lesson and the numbers."""
    parts = urlsplit(class_link.address())
    root = parts.path.rstrip("/").removesuffix(st.session_state.get("here", "")).rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, f"{root}/", f"{ROOM.name}={code}", "")) if parts.netloc else ""


@contextmanager
def problems_told(tell: Callable[[str], None] | None = None) -> Iterator[None]:
    """What is inside talks to the rooms; what they refuse, or that they cannot be reached, is said beside the question."""
    try:
        yield
    except (Refused, Unavailable) as problem:
        (tell or _remember)(str(problem))


def problem() -> str:
    """What the rooms have refused since it was last asked for, "" for nothing."""
    return st.session_state.pop("vote_problem", "")


def _place() -> tuple[str, str]:
    """The lesson and the step of this window."""
    return st.session_state.get("here", ""), scenario.extra("slide") or "1"


def _remember(problem: str) -> None:
    st.session_state["vote_problem"] = problem


def _kept_room() -> str | None:
    """What the browser is to keep: the teacher's room, nothing once it has ended, whatever it has while nobody has asked."""
    if teaching():
        return ".".join(teaching())
    return "" if st.session_state.get("taught") else None


def _take_up(told: object) -> None:
    """The room that a teacher's tab remembers, as far as it is there; a room that has ended is nobody's."""
    state = st.session_state
    if teaching() is None and not state.get("taught") and isinstance(told, str):
        code, _, secret = told.partition(".")
        if is_code(code) and SECRET.fullmatch(secret):
            teach(code, secret)
    if teaching() and not rooms().is_teacher(*teaching()):
        state["teaching"] = None


def _join(code: str) -> None:
    """The room that a phone's link names, and what its teacher shows there."""
    state = st.session_state
    if not code:
        state["joined"] = ""
        return
    if joined() == code:
        room = rooms().room(code)
    else:
        room, state["followed"] = rooms().find(code, state.get("visit", "")), None
    state["joined"] = room.code if room else ""
    if room is None:
        leave()
        scenario.report("There is no such room, or it has ended. The lesson goes on as an ordinary one.")
        return
    state["room_version"], state["room_asks"] = room.version, room.asking
    _follow(room)


def _follow(room: Room) -> None:
    """Go where the teacher is, unless this phone has been there: what is moved on it then stays as it is."""
    state = st.session_state
    if not room.lesson or state.get("followed") == (room.lesson, room.query):
        return
    state["followed"] = (room.lesson, room.query)
    scenario.open_link(json.loads(room.query) | {ONLY.name: "on", ROOM.name: room.code})
    state["open_lesson"] = room.lesson
