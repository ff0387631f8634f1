"""A stepper: goes through something with buttons, the arrow keys or by playing, and keeps its place in the link."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from pages.parts.teaching import routes
from pages.parts.visit import location, scenario
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Whole
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import held_press, in_a_room

PLAY_S = 1.2  # from one place to the next


class LabelWithMarks(NamedTuple):
    """A label in words, where nothing can be pressed, and what draws in its place, between the buttons, a mark for each place."""

    words: str
    draw: Callable[[], object]


@dataclass
class Played:
    """at: the stepper and its place whose time has begun to run, None where none plays."""

    at: tuple[str, int] | None = None


played = of_this_visit(Played)


def stepper(
    parameter: Whole,
    n: int,
    label: str | LabelWithMarks,
    keyed: int = 0,
    plays: bool = True,
    buttons: tuple[str, str] = ("Back", "Next"),
    asks: bool = False,
) -> int:
    """Go through 0 … n − 1 with buttons, the arrow keys or by playing; returns where it stands, which `parameter` keeps.
    On paper there is nothing to press, and only where it stands is said; nor on a phone in a class vote: the next place shows what
    is asked at this one, and the phone goes along with its teacher.

    keyed: how many of the n the arrow keys go through before they turn to the next step of the lesson; 0: all of them.
    plays: whether it can go on by itself; not where each place asks something. buttons: what the two are called, best what they
    do: Next is also what leads to the next lesson at the foot of the page. asks: whether something is to be answered first: Next is
    then not the strong button.
    """
    name, at = parameter.name, parameter.value(high=n - 1)
    label, between = label if isinstance(label, LabelWithMarks) else (label, None)
    last = min(n, keyed or n) - 1
    location.set_stepper(parameter.set, at, last + 1, name)
    if scenario.on_paper() or in_a_room.joined():
        st.markdown(label.format(at=at, n=n - 1))
        return at
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        key=f"stepper_{name}",
        width="content" if between else "stretch",
    ):
        if not presenting():  # else the bar at the top moves this stepper first, and one pair of buttons is enough
            ends = (("back", "left", at == 0, at == 0), ("next", "right", at == n - 1, at >= last))
            for word, by, (side, arrow, over, keyless) in zip(buttons, (-1, 1), ends, strict=True):
                way_on = at == 0 or routes.chosen() != routes.STORY  # there it is Next at the foot from the first row on
                strong = by > 0 and way_on and not asks
                look = {"icon": f":material/chevron_{arrow}:", "type": "primary" if strong else "secondary", "disabled": over}
                shortcut = None if keyless else arrow.capitalize()
                args = (_go, parameter, n, by)
                st.button(word, key=f"{name}_{side}", shortcut=shortcut, on_click=held_press.unless_held, args=args, **look)
                if by < 0 and between:
                    between()
        elif between:
            between()
        rests = at == n - 1 or bool(held_press.open_vote())
        if rests:
            st.session_state[f"{name}_play"] = False  # arrived, or the class votes: what comes then must not start it again
        playing = plays and st.toggle("Play", key=f"{name}_play", disabled=rests)
        if not between:
            st.markdown(label.format(at=at, n=n - 1))
    played().at = None
    if playing:
        _play(parameter, at)
    return at


def _go(parameter: Whole, n: int, by: int) -> None:
    """A place on or back from where it stands when the press arrives: several may come before the first is drawn."""
    parameter.set(min(max(parameter.value(high=n - 1) + by, 0), n - 1))


@st.fragment(run_every=PLAY_S, key="play")
def _play(parameter: Whole, at: int) -> None:
    """Moves the stepper on when the timer fires. A run of the whole page, for whatever reason, only starts the wait anew.

    The timer belongs to this visit's page: a run of the page without the fragment ends it.
    """
    if played().at == (parameter.name, at):
        parameter.set(at + 1)
        st.rerun(scope="app")
    played().at = (parameter.name, at)
