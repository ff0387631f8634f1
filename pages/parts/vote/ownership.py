"""Whose room it is: the secret that makes a visit its teacher's, kept by his browser and carried by his own link.

A tab goes on teaching after a reload. Any other tab of the same browser may take the room back, when its teacher says so: two that
did it by themselves would send the class to and fro. In another browser the owner's link does the same; it leaves the address bar
at once, because the class sees the teacher's screen.
"""

import json
import re
from dataclasses import dataclass
from secrets import token_hex

from pages.parts.visit import location, scenario
from pages.parts.visit.class_link import ONLY
from pages.parts.visit.parameters import Text
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.view_parameters import that_are
from pages.parts.vote.rooms import Rooms, is_code

OWNER = Text("owner", most_chars=60)  # code.secret
SECRET = re.compile("[0-9a-f]{32}")  # a teacher's, and the number that a phone has drawn


@dataclass
class Teacher:
    """Whose teacher a visit is."""

    teaching: tuple[str, str] | None = None  # (code, secret) of the room whose teacher this is; None for everybody else
    times: int = 0  # how often this visit has become a room's teacher
    class_at: tuple[str, str, None] | None = None  # (lesson, step, None) where the class stood then; None where it stood nowhere
    own_room: tuple[str, str] | None = None  # the same of the room that this browser has opened, here or at another machine
    gone: str = ""  # what the browser said of one that is not there
    took_back: str = ""  # a name of the act by which this tab took its room over from another one; "" where it has not


teacher = of_this_visit(Teacher)


def teaching() -> tuple[str, str] | None:
    """(code, secret) of the room whose teacher this is; None for everybody else."""
    return teacher().teaching


def own() -> str:
    """The code of the room that this browser has opened and that this tab may take back; "" where there is none, or where it is
    its teacher's already."""
    return "" if teaching() else (teacher().own_room or ("",))[0]


def kept() -> dict[str, str | None]:
    """What the browser is to keep. room: the teacher's, nothing once it has ended, whatever it has while nobody has asked; gone:
    what it said of a room that is not there any more."""
    room = ".".join(teaching()) if teaching() else "" if teacher().times else None
    return {"room": room, "gone": teacher().gone}


def enter(rooms: Rooms, of_this_tab: object, of_this_browser: object) -> None:
    """Take up the room that this tab remembers, or that an owner's link names, as far as it is there; one that has ended is
    nobody's. What another tab of the browser has opened, or what another machine has, is only remembered here."""
    this = teacher()
    if scenario.extra(OWNER.name):
        said = read(OWNER.text())
        OWNER.set_text("")
        if said and rooms.is_teacher(*said):
            teach(rooms, *said)
            go_to_the_class(rooms)
        elif said and not rooms.is_of_this_machine(said[0]):
            scenario.report("The server that has this room cannot be reached now. Open the link again in a moment.")
        else:
            scenario.report("This link opens no room: the room has ended, or a part of the link is missing.")
    if teaching() is None and not this.times and (said := read(of_this_tab)) and rooms.is_of_this_machine(said[0]):
        teach(rooms, *said)
    if teaching() and not rooms.is_teacher(*teaching()):
        stop()
        scenario.report("The room has ended. The lesson goes on without it; Share opens another one.")
    said = read(of_this_browser)
    # Another machine's may still be there.
    there = said is not None and (not rooms.is_of_this_machine(said[0]) or rooms.is_teacher(*said))
    this.own_room, this.gone = (said, "") if there else (None, ".".join(said) if said else "")


def read(message: object) -> tuple[str, str] | None:
    """(code, secret) out of a text that has both, None for any other: it comes from a browser or a link."""
    code, _, secret = message.partition(".") if isinstance(message, str) else ("", "", "")
    return (code, secret) if is_code(code) and SECRET.fullmatch(secret) else None


def teach(rooms: Rooms, code: str, secret: str) -> None:
    """This is the teacher of that room from now on. The class stays where it is until this window goes on."""
    this, room = teacher(), rooms.room(code)
    this.teaching, this.times = (code, secret), this.times + 1
    this.class_at = (room.lesson, json.loads(room.query).get("slide", "1"), None) if room and room.lesson else None


def stop() -> None:
    """The room has ended: this is nobody's teacher."""
    teacher().teaching = None


def own_query() -> str:
    """What in an address makes any tab the teacher's of the room that this browser has opened."""
    return f"{OWNER.name}={'.'.join(teacher().own_room)}"


def take_back(rooms: Rooms) -> None:
    """This tab is its teacher's again, and shows what the class sees."""
    if own():
        teach(rooms, *teacher().own_room)
        go_to_the_class(rooms)


def go_to_the_class(rooms: Rooms) -> None:
    """Show the lesson, the step and the numbers that phones show, on the route and presented as the class had it on screen."""
    room = rooms.room(teaching()[0])
    if room and room.lesson:
        own = [name for name in (*that_are("asked"), *that_are("class")) if name != ONLY.name]
        ways = {name: text for name in own if (text := scenario.extra(name))}
        scenario.open_link(ways | json.loads(room.shown) | json.loads(room.query))
        location.open_lesson(room.lesson)
        teacher().took_back = token_hex(4)


def shown_here() -> str:
    """How this window shows the lesson, as the text of a query."""
    return json.dumps({name: text for name in that_are("class") if (text := scenario.extra(name))})


def took_back() -> str:
    """A name of the act by which this tab took its room over from another one, "" where it has not."""
    return teacher().took_back if teaching() else ""
