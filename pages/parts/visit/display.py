"""How this visitor sees the lesson: light or dark, on a page, presented, or on paper."""

from dataclasses import dataclass

import streamlit as st

from pages.parts.visit.components import CALL, WHEN_DRAWN, component, no_callback
from pages.parts.visit.parameters import Choice
from pages.parts.visit.scenario import PAPER, on_paper
from pages.parts.visit.session import of_this_visit

PRESENT = Choice("present")
HANDOUT = Choice("handout")
NOTES = Choice("notes")
ANSWERS = Choice("answers")
MOST_SPARE = 1440  # pixels: no screen is believed to be higher than 2,160
SLIDE_ZOOM = 1.15  # as much as leaves a whole step in sight at 1280 × 720

_SCREEN = component("screen", __file__, html="<span></span>", before=CALL + WHEN_DRAWN)


def ask_the_browser() -> None:
    """Let the browser say how wide and how high it is, once its controls are drawn; called once a page."""
    _SCREEN(key="screen", height=1, on_narrow_change=no_callback, on_low_change=no_callback, on_spare_change=no_callback)
    _screen()  # kept for the next page, though nothing on this one may ask


@dataclass
class Screen:
    """What the browser has said of its screen, kept from page to page: Streamlit forgets it there, and is not told again."""

    narrow: bool = False
    low: bool = False
    spare: int = 0


of_visit = of_this_visit(Screen)


def _screen() -> Screen:
    """The visitor's screen, as far as it is known."""
    known, message = of_visit(), st.session_state.get("screen") or {}
    for name in ("narrow", "low"):
        if type(message.get(name)) is bool:
            setattr(known, name, message[name])
    if type(message.get("spare")) is int and 0 <= message["spare"] <= MOST_SPARE:
        known.spare = message["spare"]
    return known


def narrow() -> bool:
    """Whether the screen is a phone's, as the browser says: what stood side by side then stands beneath each other. A projector at
    200 % is as narrow, and low: a presentation stays wide on it. Paper is as wide whatever prints it."""
    return _screen().narrow and not (presenting() and _screen().low) and not on_paper()


def on_a_phone() -> bool:
    """Whether the screen is a phone's, upright or turned, as the browser says."""
    return _screen().narrow or _screen().low


def spare() -> int:
    """Pixels that this screen is higher than a projector's, as the browser says: figures take them. None on paper."""
    return 0 if on_paper() else _screen().spare


def presenting() -> bool:
    """Whether the link or the key P asked for the presentation."""
    return PRESENT.value(("on",), "") == "on"


@dataclass
class Slide:
    """controls_of: the lesson and step whose sliders and menus stand on the slide; on any other they are folded away."""

    controls_of: tuple[str, int] | None = None


slide = of_this_visit(Slide)


def controls_in_sight() -> bool:
    """Whether a step's sliders and menus can be moved: not on paper, and on a slide once they have been brought."""
    return not on_paper() and (not presenting() or slide().controls_of is not None)


def show_controls(of: tuple[str, int]) -> None:
    """The sliders and menus of this lesson's step come on its slide, or go where they stand there."""
    slide().controls_of = None if slide().controls_of == of else of


def with_notes() -> bool:
    """Whether this window shows the teacher's notes in place of the step."""
    return NOTES.value(("on",), "") == "on"


def answers_shown() -> bool:
    """Whether the link or the menu asked for every question's answer."""
    return ANSWERS.value(("shown",), "") == "shown"


def paper_form() -> str:
    """What is laid out for paper, as lesson/handout.py names it; "" where nothing is."""
    return HANDOUT.value(PAPER, "")


def dark() -> bool:
    """Whether figures are drawn for a dark page, never so on paper."""
    return st.context.theme.type == "dark" and not on_paper()
