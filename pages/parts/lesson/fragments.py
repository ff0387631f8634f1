"""What a move draws again: its own step at once, and what stands around the steps once, shortly after the last move.

A step is a fragment of the page: when one of its controls is moved, it runs alone and writes the address bar itself. Title,
warnings, side bar and menu are another fragment, which the browser asks for when nothing has moved for a while (around.js). What
a move changes beyond that, and whatever is changed around the steps, runs the whole page; a late answer leaves nothing stale,
because each part remembers what it was drawn for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path

import streamlit as st

from pages.parts.sharing import turns
from pages.parts.visit import address, scenario, where
from pages.parts.visit.parameters import DECLARED
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.telling import RUNNING, no_callback
from pages.parts.vote import leading

_AROUND = st.components.v2.component(
    "around", js=RUNNING + Path(__file__).with_name("around.js").read_text("utf-8"), isolate_styles=False
)


@dataclass
class Drawn:
    """place: that the steps were drawn for; steps: what each depended on when it was drawn. side_bar: draws it, None where there is
    none."""

    place: tuple = ()
    steps: dict[str, tuple] = field(default_factory=dict)
    side_bar: Callable[[], None] | None = None


drawn_of_visit = of_this_visit(Drawn)


def around(draw: Callable[[], None], whole: bool) -> None:
    """Draw what stands around the steps, before them; again after moves. whole: whether the other steps follow a move as well."""
    drawn, side_bar = drawn_of_visit(), drawn_of_visit().side_bar
    drawn.steps = {}

    def run(by_the_page: list[bool]) -> None:
        follows = not by_the_page
        by_the_page.clear()
        if follows and (whole or _a_step_is_out_of_date()):
            st.rerun()
        with turns.in_turn(later=follows):
            draw()
            if follows:
                leading.go_on()
            if side_bar:
                side_bar()
            _AROUND(key="around", data={"run": address.next_run()}, on_due_change=no_callback, height=1)

    run.__qualname__ = f"around {where.now().lesson}"  # a late message from another lesson finds nothing to run
    st.fragment(run, key="around")([True])


def step(show: Callable[..., None], given: Callable[[], tuple], values: tuple, key: str, after: Callable[[], None]) -> None:
    """Draw a step, now with the `values` that are given, and when it is moved with what is given then.

    after: draws what belongs to it, or runs the whole page where something outside depends on what it has drawn.
    """
    drawn = drawn_of_visit()
    drawn.place = _place()

    @wraps(show)  # its name tells one step's fragment from another's
    def run(by_the_page: list[tuple]) -> None:
        moved = not by_the_page
        if moved and _place() != drawn.place:
            st.rerun()
        with turns.in_turn():
            where.step_begins(key)
            leading.step_begins()
            show(*(given() if moved else by_the_page.pop()))
            after()
            address.publish(DECLARED, key=f"address_{key}", moved=moved)
        drawn.steps[key] = _state()

    st.fragment(run, key=f"step_{key}")([values])


def _place() -> tuple:
    """What a step cannot follow by itself: which one is shown and how, what is complained of, and the way to another page."""
    problems, extras = scenario.problems(), scenario.kept().extras
    return [extras.get(name, "") for name in scenario.PLACES], problems, (where.now().open_lesson, where.now().turn_by)


def _state() -> tuple:
    """What everything on the page depends on."""
    return scenario.current(), dict(scenario.kept().extras), _place()


def _a_step_is_out_of_date() -> bool:
    """Whether a step was drawn for another state than this one: it was changed around the steps."""
    now = _state()
    return any(drawn != now for drawn in drawn_of_visit().steps.values())
