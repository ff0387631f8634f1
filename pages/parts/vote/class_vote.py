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

from pages.parts.visit import answers, class_link, scenario, where
from pages.parts.visit.class_link import ONLY, WAYS
from pages.parts.visit.parameters import Text
from pages.parts.visit.telling import WHEN_DRAWN, no_callback
from pages.parts.vote import ownership
from pages.parts.vote.ownership import SECRET, teaching
from pages.parts.vote.rooms import CODE_LENGTH, OPEN, Room, Rooms, is_code, rooms_file
from pages.parts.vote.rooms.rooms_file import Refused, Unavailable

ROOM = Text("room")
FIRST_SCREEN = "start"  # the lesson where a code may be typed
_KEPT = st.components.v2.component(
    "kept", html="<i></i>", js=WHEN_DRAWN + Path(__file__).with_name("kept.js").read_text("utf-8"), isolate_styles=False
)


def rooms() -> Rooms:
    """The rooms of this server."""
    return _rooms(rooms_file.folder())


@lru_cache(maxsize=4)
def _rooms(folder: Path) -> Rooms:
    return Rooms(folder)


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


def enter() -> None:
    """Take up what the browser keeps, and go where the teacher of the room has gone. Called once a page, before it is drawn."""
    state = st.session_state
    scenario.current()
    data = {"visit": state.get("visit", ""), "phone": bool(ROOM.text()), **ownership.kept()}
    told = _KEPT(
        key="kept", data=data, on_room_change=no_callback, on_own_change=no_callback, on_phone_change=no_callback, height=1
    )
    with problems_told(scenario.report):
        ownership.enter(rooms(), told.room, told.own)
    if isinstance(told.phone, str) and SECRET.fullmatch(told.phone) and ROOM.text():
        state.setdefault("phone", told.phone)  # a session answers for one phone, whatever it says later
    _join(as_code(ROOM.text()))
    answers.withhold(bool(joined()))


def leave() -> None:
    """This phone is no longer in the room, and the lesson goes on as an ordinary one."""
    ROOM.set_text("")


def refuse(why: str) -> None:
    """A code that leads nowhere stays in its field on the first screen, with the reason."""
    st.session_state["room_refused"] = (ROOM.text(), why)
    leave()
    where.open_lesson(FIRST_SCREEN)


def refused() -> tuple[str, str]:
    """(code, reason) of the last code that led nowhere, as somebody wrote it; "" where there is none."""
    return st.session_state.get("room_refused", ("", ""))


def as_code(text: str) -> str:
    """What somebody wrote for a room's code, as a code is written; of a whole link, what it names.

    >>> as_code(" k7m-2pq"), as_code("http://10.0.0.7:8501/?room=k7m2pq&only=on")
    ('K7M2PQ', 'K7M2PQ')
    """
    named = re.search(f"[?&]{ROOM.name}=([^&#]*)", text)
    return re.sub(r"[\s-]", "", named[1] if named else text).upper()


def back_to_the_class() -> None:
    """Show what the teacher shows, whatever was moved on this phone: at once, because a step that is drawn alone asks no room."""
    st.session_state["shown_by_teacher"] = None
    with problems_told():
        if room := rooms().room(joined()):
            _follow(room)


def go_on() -> None:
    """Tell the phones that their teacher has gone to another step, or on within it. Called when the page has been drawn, and soon
    after a step that was drawn by itself."""
    if not teaching() or scenario.on_paper():
        return
    state, now, shown = st.session_state, _place(), ownership.shown_here()
    if state.get("shown_as") != shown:
        state["shown_as"] = shown
        as_teacher(rooms().show_as, shown)
    before = state.get("teaching_at")
    if before and before[2] is None:  # where the stepper stood was not known: it stands where it is found
        before = (*before[:2], now[2])
    state["teaching_at"] = now
    if before == now:
        return
    state["led_to"] = None
    as_teacher(rooms().move, *what_phones_see(_asked_in()), state.get("vote_on_screen", ""))


def ask(question: str, step: str) -> None:
    """Ask the class this question of a step, about what is on screen now; asked again, it is open to new answers."""
    state = st.session_state
    as_teacher(rooms().ask, question, *what_phones_see(step))
    own = where.now().stepper
    at = own.at if own else None  # a step may draw its stepper after what it asks
    state["teaching_at"], state["led_to"], state["asked_in"] = (*_place()[:2], at), (question, OPEN), step


def left_open() -> None:
    """The teacher goes on from a vote that is open: the phones go along, also where the step stays the same."""
    st.session_state["teaching_at"] = None


def step_begins() -> None:
    """A step is drawn: no vote is open on it before it shows one."""
    st.session_state["vote_on_screen"] = ""


def is_on_screen(question: str) -> None:
    """A question whose vote is open is drawn: whoever has come back to it finds it going on."""
    st.session_state["vote_on_screen"] = question


def as_teacher(act: Callable[..., None], *args) -> None:
    """Do in the room what its teacher may; nothing where it was closed by an earlier press."""
    if teaching():
        with problems_told():
            act(*teaching(), *args)


def what_phones_see(step: str = "") -> tuple[str, str]:
    """The lesson, and as text the query of the step that is shown here or of the one that is named."""
    query = {
        name: text
        for name, text in class_link.query_now().items()
        if name not in (*WAYS, "route", ROOM.name, ownership.OWNER.name)
    }
    return where.now().lesson, json.dumps(query | ({"slide": step} if step else {}))


def take_back() -> None:
    """This tab is its teacher's again, in the room that this browser has opened, and shows what the class sees."""
    with problems_told():
        ownership.take_back(rooms())


def link(code: str) -> str:
    """What leads into the room: short, because the room itself knows the lesson and the numbers."""
    return root_link(f"{ROOM.name}={code}")


def owners_link() -> str:
    """What makes any browser the teacher's of this room: for the teacher alone."""
    return root_link(f"{ownership.OWNER.name}={'.'.join(teaching())}") if teaching() else ""


def root_link(query: str) -> str:
    """A link to the first screen, as other devices find it; "" where the browser has not said where it found the page."""
    parts = urlsplit(class_link.address())
    root = parts.path.rstrip("/").removesuffix(where.now().lesson).rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, f"{root}/", query, "")) if parts.netloc else ""


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


def shows(room: Room) -> bool:
    """Whether this window stands where the room's class is: at its lesson and step, and at the same place of the step's stepper."""
    query, own = json.loads(room.query or "{}"), where.now().stepper
    same = own is None or query.get(own.name, "") == scenario.extra(own.name)
    return same and (room.lesson, query.get("slide", "1")) == _place()[:2]


def _place() -> tuple[str, str, int]:
    """The lesson and the step of this window, and where the step's own stepper stands; where all steps are on one page, none is
    the step's own."""
    own = None if scenario.extra("steps") else where.now().stepper
    return where.now().lesson, scenario.extra("slide") or "1", own.at if own else 0


def _asked_in() -> str:
    """The step that the class was asked in, where all of them are on one page and the link names none; "" elsewhere."""
    return st.session_state.get("asked_in", "") if scenario.extra("steps") else ""


def _remember(problem: str) -> None:
    st.session_state["vote_problem"] = problem


def _join(code: str) -> None:
    """The room that a phone's link names, and what its teacher shows there."""
    state = st.session_state
    if code and joined() == code:
        with problems_told(scenario.report):  # it stays, also while the rooms cannot be reached
            _stay(rooms().room(code))
        return
    state["joined"] = ""
    if not code:
        return
    with problems_told(refuse):
        if room := rooms().find(code, state.get("visit", "")):
            state["joined"], state["shown_by_teacher"], state["room_refused"] = code, None, ("", "")
            _stay(room)
        elif is_code(code):
            refuse(f"There is no room {code}. Look at the code once more; a room that has ended is gone.")
        else:
            refuse(f"A room’s code has {CODE_LENGTH} letters and digits, like K7M2PQ.")


def _stay(room: Room | None) -> None:
    """In the room as it is now, or out of it where it has ended."""
    state = st.session_state
    if room:
        state["room_version"], state["room_asks"] = room.version, room.asking_id
        _follow(room)
    else:
        state["joined"] = ""
        leave()
        scenario.report("The room has ended. The lesson goes on as an ordinary one.")


def _follow(room: Room) -> None:
    """Go where the teacher is, unless this phone has been there: what is moved on it then stays as it is."""
    state = st.session_state
    if not room.lesson or state.get("shown_by_teacher") == (room.lesson, room.query):
        return
    state["shown_by_teacher"] = (room.lesson, room.query)
    scenario.open_link(json.loads(room.query) | {ONLY.name: "on", ROOM.name: room.code})
    where.open_lesson(room.lesson)
