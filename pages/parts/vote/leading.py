"""What a teacher's window does with his class: it leads the phones from step to step, asks them, and knows where it led them last."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from pages.parts.visit import class_link, location, scenario
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.view_parameters import that_are
from pages.parts.vote import ownership
from pages.parts.vote.in_a_room import problems_told, rooms, root_link
from pages.parts.vote.ownership import teaching
from pages.parts.vote.rooms import OPEN, Room


@dataclass
class Leading:
    """Where a teacher's window has led its class last."""

    time: int = 0  # which time of becoming a room's teacher all this is of
    at: tuple[str, str, int | None] | None = None  # lesson, step and place of its stepper; None where a vote was left
    screen: str | None = None  # how the class was told that this window shows them
    led_to: tuple[str, int] | None = None  # (question, stage) within the step; None for none
    asked_in: str = ""  # the step that the class was asked in
    vote: str = ""  # the question on screen whose vote is open; "" for none
    ask_first: bool = False  # whether the first question that is drawn is asked at once
    may_close: bool = False  # whether one press more closes the room
    revealed: dict[str, tuple[int, int]] = field(default_factory=dict)  # of each question how many were right, of how many


_of_visit = of_this_visit(Leading)


def leading() -> Leading:
    """Where this window has led its class; the class stays where it is until a window that has just become its teacher's goes on."""
    this, now = _of_visit(), ownership.teacher()
    if this.time != now.times:
        this.time, this.at, this.screen, this.revealed = now.times, now.class_at, None, {}
    return this


def go_on() -> None:
    """Tell the phones that their teacher has gone to another step, or on within it. Called when the page has been drawn, and soon
    after a step that was drawn by itself."""
    if not teaching() or scenario.on_paper():
        return
    led, now, screen = leading(), _place(), ownership.shown_here()
    if led.screen != screen:
        led.screen = screen
        as_teacher(rooms().show_as, screen)
    before = led.at
    if before and before[2] is None:  # where the stepper stood was not known: it stands where it is found
        before = (*before[:2], now[2])
    led.at = now
    if before == now:
        return
    led.led_to = None
    asked_in = led.asked_in if scenario.extra("steps") else ""  # all steps are on one page, and the link names none
    as_teacher(rooms().move, *what_phones_see(asked_in), led.vote)


def ask(question_id: str, step: str) -> None:
    """Ask the class this question of a step, about what is on screen now; asked again, it is open to new answers."""
    as_teacher(rooms().ask, question_id, *what_phones_see(step))
    own = location.now().stepper
    at = own.at if own else None  # a step may draw its stepper after what it asks
    led = leading()
    led.at, led.led_to, led.asked_in = (*_place()[:2], at), (question_id, OPEN), step


def lead_to(question_id: str, stage: int) -> None:
    """Lead the class to the distribution of its answers, or to the answer."""
    as_teacher(rooms().set_stage, question_id, stage)
    leading().led_to = (question_id, stage)


def asks_first(question_id: str, step: str) -> None:
    """The first question that is drawn in a new room is asked at once."""
    if teaching() and leading().ask_first:
        leading().ask_first = False
        ask(question_id, step)


def left_open() -> None:
    """The teacher goes on from a vote that is open: the phones go along, also where the step stays the same."""
    leading().at = None


def step_begins() -> None:
    """A step is drawn: no vote is open on it before it shows one."""
    leading().vote = ""


def is_on_screen(question_id: str) -> None:
    """A question whose vote is open is drawn: whoever has come back to it finds it going on."""
    leading().vote = question_id


def as_teacher(act: Callable[..., None], *args) -> None:
    """Do in the room what its teacher may; nothing where it was closed by an earlier press."""
    if teaching():
        with problems_told():
            act(*teaching(), *args)


def what_phones_see(step: str) -> tuple[str, str]:
    """The lesson, and as text the query of the step that is shown here or of the one that is named."""
    query = {name: text for name, text in class_link.query_now().items() if name not in that_are("teacher")}
    return location.now().lesson, json.dumps(query | ({"slide": step} if step else {}))


def owners_link() -> str:
    """What makes any browser the teacher's of this room: for the teacher alone."""
    return root_link(f"{ownership.OWNER.name}={'.'.join(teaching())}") if teaching() else ""


def shows(room: Room) -> bool:
    """Whether this window stands where the room's class is: at its lesson and step, and at the same place of the step's stepper."""
    query, own = json.loads(room.query or "{}"), location.now().stepper
    same = own is None or query.get(own.name, "") == scenario.extra(own.name)
    return same and (room.lesson, query.get("slide", "1")) == _place()[:2]


def _place() -> tuple[str, str, int]:
    """The lesson and the step of this window, and where the step's own stepper stands; where all steps are on one page, none is
    the step's own."""
    own = None if scenario.extra("steps") else location.now().stepper
    return location.now().lesson, scenario.extra("slide") or "1", own.at if own else 0
