"""Where this visit is, where it goes next, and what of the step on screen can be turned before that.

Callbacks and followers ask for another lesson here; the router does it before it draws anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import NamedTuple

from pages.parts.visit.session import of_this_visit


class Stepper(NamedTuple):
    """A stepper within a step, which stands `at` of the 0 … n − 1 that the arrow keys go through; go: leads it elsewhere. name: of
    the parameter that keeps it in the link."""

    go: Callable[[int], None]
    at: int
    n: int
    name: str


@dataclass
class Where:
    """Where a visit is, and where it is to go."""

    visit: str = field(default_factory=lambda: token_hex(8))  # a name of this visit, which its own browser is told
    lesson: str = ""  # that is drawn; "" for the first screen and where none is
    toy: bool = True  # whether its page is about the toy's scenario
    step: str = ""  # that is drawn, or was last, from "1"
    stepper: Stepper | None = None  # what that step has of its own
    open_lesson: str = ""  # the lesson that is to be opened
    turn_by: int = 0  # by how many pages this one is to be turned
    step_is_known: bool = False  # whether the step of the lesson that begins is the one that it was turned to at


now = of_this_visit(Where)


def set_lesson(lesson: str) -> None:
    """The lesson that is drawn from now on."""
    now().lesson = lesson


def page_begins(toy: bool) -> None:
    """A page is drawn from its top; nothing on it has a stepper yet."""
    now().toy, now().stepper = toy, None


def step_begins(step: str) -> None:
    """A step is drawn, which has no stepper of its own before it draws one."""
    now().step, now().stepper = step, None


def set_stepper(go: Callable[[int], None], at: int, n: int, name: str) -> None:
    """The step on screen has this one."""
    now().stepper = Stepper(go, at, n, name)


def open_lesson(name: str) -> None:
    now().open_lesson = name


def turn_page(by: int) -> None:
    """The lesson before this one is to be opened, or the one after it."""
    now().turn_by = by


def take_request() -> tuple[str, int]:
    """What was asked for, once."""
    wanted = now().open_lesson, now().turn_by
    now().open_lesson, now().turn_by = "", 0
    return wanted


def leave_page() -> None:
    """This page is left for one whose step is known already."""
    now().step_is_known = True


def step_is_known() -> bool:
    """Whether the page that begins was turned to at a step that is known, once."""
    known, now().step_is_known = now().step_is_known, False
    return known
