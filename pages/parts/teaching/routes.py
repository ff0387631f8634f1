"""Ways through the lessons: the story, a class of 45 or 90 minutes, or every step. On a route, Next and Back follow it.

A route names lessons and their steps; the minutes of a class are those of the teacher's notes. A step that is no longer there is
left out.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.visit.parameters import Choice

ROUTE = Choice("route")
SELF = "self"
STORY = "story"
MINUTES = {"45": 45, "90": 90}  # of a class
NAMES = {STORY: "Story", **{route: f"{minutes} min" for route, minutes in MINUTES.items()}, SELF: "Every step"}
# For somebody who reads alone: what the five sentences at its end rest on, and nothing else.
MAIN = (
    ("overview", "Two phases"),
    ("overview", "How many steps?"),
    ("rules", "One token looks back"),
    ("rules", "Mixed values"),
    ("rules", "Nothing matches"),
    ("attention", "One head"),
    ("attention", "All heads"),
    ("attention", "One cell"),
    ("prefill", "Three ways"),
    ("prefill", "No row sees ahead"),
    ("prefill", "Without the mask"),
    ("logits", "W, cell by cell"),
    ("decode", "One row"),
    ("decode", "Two ways"),
    ("decode", "The loop"),
    ("cache", "What to keep"),
    ("cache", "Row by row"),
    ("cache", "Two runs"),
    ("cache", "Mask off"),
    ("cache", "In motion"),
    ("counting", "Pass by pass"),
    ("counting", "Twice the answer"),
    ("counting", "The clock"),
    ("counting", "What it costs"),
    ("counting", "In five sentences"),
)
SHORT = (
    ("overview", "Two phases"),
    ("rules", "One token looks back"),
    ("attention", "One head"),
    ("prefill", "Three ways"),
    ("decode", "One row"),
    ("cache", "What to keep"),
    ("cache", "Row by row"),
    ("counting", "Twice the answer"),
)
LONG = (
    ("overview", "Two phases"),
    ("rules", "One token looks back"),
    ("rules", "Nothing matches"),
    ("attention", "One head"),
    ("attention", "One cell"),
    ("prefill", "Three ways"),
    ("prefill", "Without the mask"),
    ("logits", "W, cell by cell"),
    ("decode", "One row"),
    ("decode", "Two ways"),
    ("cache", "What to keep"),
    ("cache", "Row by row"),
    ("counting", "Pass by pass"),
    ("counting", "Twice the answer"),
    ("memory", "The multiplication"),
    ("roofline", "Under the roof"),
)
ROUTES = {STORY: MAIN, "45": SHORT, "90": LONG}


def chosen() -> str:
    """The route of the link: a key of NAMES."""
    return ROUTE.value(NAMES, SELF)


def places() -> list[tuple[str, int, str]]:
    """(lesson, step's number from 1, step's name) of the chosen route; nothing where every step is read."""
    contents, found = st.session_state.get("contents", {}), []
    for lesson, name in ROUTES.get(chosen(), ()):
        names = contents.get(lesson, ("", ()))[1]
        if name in names:
            found.append((lesson, names.index(name) + 1, name))
    return found


def beside(at: int, by: int) -> tuple[str, int, str] | None:
    """Where the route leads from step `at` of this lesson, by 1 or −1; None without a route, at its ends, and beyond them.

    Between two stops the way on leads to the next stop of this lesson, or of a later one.
    """
    here = st.session_state.get("here", "")
    order = {name: k for k, name in enumerate(st.session_state.get("pages", {}))}
    now = (order.get(here, -1), at)
    stops = {(order.get(lesson, -1), step): (lesson, step, name) for lesson, step, name in places()}
    before, after = [place for place in stops if place < now], [place for place in stops if place > now]
    if not (now in stops or (before and after)):
        return None
    beside = after[:1] if by > 0 else before[-1:]
    return stops[beside[0]] if beside else None


def name(at: int, by: int) -> str:
    """The name of the stop that the route leads to, "" where it leads nowhere."""
    stop = beside(at, by)
    return stop[2] if stop else ""
