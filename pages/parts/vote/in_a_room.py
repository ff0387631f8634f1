"""This visit in a class vote: its teacher's window (leading.py), one of the phones, or neither, as almost every visit is.

`enter` finds out once a page, before anything is drawn. A phone shows what the room's teacher shows, and no answer to any question
before that teacher reveals it.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from pages.parts.visit import answer_lock, class_link, location, scenario
from pages.parts.visit.class_link import ONLY
from pages.parts.visit.components import CALL, STORAGE, WHEN_DRAWN, component, no_callback
from pages.parts.visit.parameters import Text
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import ownership
from pages.parts.vote.ownership import SECRET, teaching
from pages.parts.vote.rooms import CODE_LENGTH, Room, Rooms, is_code, rooms_file
from pages.parts.vote.rooms.rooms_file import Refused, Unavailable

ROOM = Text("room")
FIRST_SCREEN = "start"  # the lesson where a code may be typed
_ROOM_MEMORY = component("room_memory", __file__, html="<i></i>", before=CALL + WHEN_DRAWN + STORAGE)


def rooms() -> Rooms:
    return _rooms(rooms_file.folder(), rooms_file.machine_letter())


@lru_cache(maxsize=4)
def _rooms(folder: Path, letter: str) -> Rooms:
    return Rooms(folder, letter=letter)


@dataclass
class InRoom:
    """A visit's part in a class vote."""

    joined: str = ""  # the code of the room in which this is a phone; "" for everybody else
    phone: str = ""  # the number that it has drawn; "" until its browser has told it
    answers: dict[str, float | str | None] = field(default_factory=dict)  # its answer to each question, as the page shows it
    followed: tuple[str, str] | None = None  # (lesson, query) of its teacher’s that it has followed; None: it is to follow again
    version: int | None = None  # of the room as it was when the page was drawn
    asking_id: str = ""  # what the room asked then
    refused: tuple[str, str] = ("", "")  # (code, reason) of the last code that led nowhere, as somebody wrote it
    problem: str = ""  # what the rooms have refused, until it is said
    to_load: tuple[str, int] = ("", 0)  # (query, how many there were) of the last address to load: another machine has the room


in_room = of_this_visit(InRoom)


def joined() -> str:
    """The code of the room in which this is a phone, "" for everybody else."""
    return in_room().joined


def visitor() -> str:
    """The number that this phone has drawn, "" until its browser has told it."""
    return in_room().phone


def code() -> str:
    """The code of the room that this visit is in, as its teacher or as a phone; "" for none."""
    return teaching()[0] if teaching() else joined()


def stage(question_id: str) -> int | None:
    """How far this room is with a question; None where it has not been asked, or where there is no room."""
    if code():
        with problems_told():
            return rooms().stage(code(), question_id)
    return None


def enter() -> None:
    """Take up what the browser keeps, and go where the teacher of the room has gone. Called once a page, before it is drawn."""
    scenario.current()
    if _is_elsewhere(code := as_code(ROOM.text())):
        to_another_machine(f"{ROOM.name}={code}")
    data = {"visit": location.now().visit, "phone": bool(ROOM.text()), "to_load": in_room().to_load, **ownership.kept()}
    told = _ROOM_MEMORY(
        key="room_memory", data=data, on_room_change=no_callback, on_own_change=no_callback, on_phone_change=no_callback, height=1
    )
    with problems_told(scenario.report):
        ownership.enter(rooms(), told.room, told.own)
    if isinstance(told.phone, str) and SECRET.fullmatch(told.phone) and ROOM.text():
        in_room().phone = visitor() or told.phone  # a session answers for one phone, whatever it says later
    _join(code)
    answer_lock.withhold(bool(joined()))


def to_another_machine(query: str) -> None:
    """The browser loads the page anew with this query, which names a room: what distributes visitors then knows where that is."""
    in_room().to_load = query, in_room().to_load[1] + 1


def leave() -> None:
    """This phone is no longer in the room, and the lesson goes on as an ordinary one."""
    ROOM.set_text("")


def refuse(why: str) -> None:
    """A code that leads nowhere stays in its field on the first screen, with the reason."""
    in_room().refused = (ROOM.text(), why)
    leave()
    location.open_lesson(FIRST_SCREEN)


def refused() -> tuple[str, str]:
    """(code, reason) of the last code that led nowhere, as somebody wrote it; "" where there is none."""
    return in_room().refused


def as_code(text: str) -> str:
    """What somebody wrote for a room's code, as a code is written; of a whole link, what it names.

    >>> as_code(" k7m-2pq"), as_code("http://10.0.0.7:8501/?room=k7m2pq&only=on")
    ('K7M2PQ', 'K7M2PQ')
    """
    named = re.search(f"[?&]{ROOM.name}=([^&#]*)", text)
    return re.sub(r"[\s-]", "", named[1] if named else text).upper()


def back_to_the_class() -> None:
    """Show what the teacher shows, whatever was moved on this phone: at once, because a step that is drawn alone asks no room."""
    in_room().followed = None
    with problems_told():
        if room := rooms().room(joined()):
            _follow(room)


def link(code: str) -> str:
    """What leads into the room: short, because the room itself knows the lesson and the numbers."""
    return root_link(f"{ROOM.name}={code}")


def root_link(query: str) -> str:
    """A link to the first screen, as other devices find it; "" where the browser has not said where it found the page."""
    parts = urlsplit(class_link.page_address())
    root = parts.path.rstrip("/").removesuffix(location.now().lesson).rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, f"{root}/", query, "")) if parts.netloc else ""


@contextmanager
def problems_told(tell: Callable[[str], None] | None = None) -> Iterator[None]:
    """What is inside talks to the rooms; what they refuse, or that they cannot be reached, is said beside the question."""
    try:
        yield
    except (Refused, Unavailable) as problem:
        if tell:
            tell(str(problem))
        else:
            in_room().problem = str(problem)  # until a question is drawn


def problem() -> str:
    """What the rooms have refused since it was last asked for, "" for nothing."""
    refusal, in_room().problem = in_room().problem, ""
    return refusal


def _join(code: str) -> None:
    """The room that a phone's link names, and what its teacher shows there."""
    this = in_room()
    if code and joined() == code:
        with problems_told(scenario.report):  # it stays, also while the rooms cannot be reached
            _stay_or_leave(rooms().room(code))
        return
    this.joined = ""
    if not code:
        return
    if _is_elsewhere(code):
        refuse(f"No server that can be reached now has a room {code}. Look at the code once more; a room that has ended is gone.")
        return
    with problems_told(refuse):
        if room := rooms().find(code, location.now().visit):
            this.joined, this.followed, this.refused = code, None, ("", "")
            _stay_or_leave(room)
        elif is_code(code):
            refuse(f"There is no room {code}. Look at the code once more; a room that has ended is gone.")
        else:
            refuse(
                f"A room’s code has {CODE_LENGTH} letters and digits, like K7M2PQ, and none of 0, 1, I and O. Look at it once more."
            )


def _is_elsewhere(code: str) -> bool:
    """Whether a room of that code would be another machine's."""
    return is_code(code) and not rooms().is_of_this_machine(code)


def _stay_or_leave(room: Room | None) -> None:
    """In the room as it is now, or out of it where it has ended."""
    this = in_room()
    if room:
        this.version, this.asking_id = room.version, room.asking_id
        _follow(room)
    else:
        this.joined = ""
        leave()
        scenario.report("The room has ended. The lesson goes on as an ordinary one.")


def _follow(room: Room) -> None:
    """Go where the teacher is, unless this phone has been there: what is moved on it then stays as it is."""
    if not room.lesson or in_room().followed == (room.lesson, room.query):
        return
    in_room().followed = (room.lesson, room.query)
    scenario.open_link(json.loads(room.query) | {ONLY.name: "on", ROOM.name: room.code})
    location.open_lesson(room.lesson)
