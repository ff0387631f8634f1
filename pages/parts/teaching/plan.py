"""The plan of a class: what its students can do afterwards, what they need before, and step by step the minutes and what to press.

It stands where a teacher chooses a route; its goals also on the route's handout. Steps and minutes are those of the route.
"""

from typing import NamedTuple

import streamlit as st

from pages.parts.teaching import routes


class Plan(NamedTuple):
    """goals: what a student can do after the class; before: what is needed for it."""

    goals: tuple[str, ...]
    before: str


SHORT_GOALS = (
    "say why a prompt is read in one pass and an answer comes token by token",
    "work out one row of attention by hand: scores, mask, weights, context",
    "say what a KV cache keeps, what that saves, and what it does not",
)
LONG_GOALS = (
    *SHORT_GOALS,
    "say when a later token changes an earlier row, and when none does",
    "size the cache of a real model from its shape",
    "say when a pass waits for memory and when for arithmetic, and what a server does while many wait",
)
NEEDED, NOT_NEEDED = "weighted averages, the product of two vectors, the exponential function", "nothing about neural networks"
PLANS = {
    "45": Plan(SHORT_GOALS, f"{NEEDED}; {NOT_NEEDED}"),
    "90": Plan(LONG_GOALS, f"{NEEDED}, bytes and operations a second; {NOT_NEEDED}"),
}


def goals(route: str) -> str:
    """What students can do after the class of a route and what they need before it, as Markdown; "" for a route without a class."""
    if route not in PLANS:
        return ""
    plan = PLANS[route]
    can = "\n".join(f"- {goal}" for goal in plan.goals)
    return f"After these {routes.MINUTES[route]} minutes you can\n\n{can}\n\nNeeded before: {plan.before}."


def steps(route: str) -> str:
    """A table of a route's steps: minutes, and what to press."""
    lines = [f"| {k} | {stop.name} | {stop.minutes} | {stop.click} |" for k, stop in enumerate(routes.stops_of(route), 1)]
    return "\n".join(("| | Step | Min | Press |", "|--:|:--|--:|:--|", *lines))


def offer() -> None:
    """The plan of the class that is chosen, to be opened; nothing for who reads alone."""
    route = routes.chosen()
    if route in routes.CLASSES and routes.stops_of(route):
        with st.expander(f"Plan of the {routes.minutes(route)} minutes", icon=":material/checklist:"):
            if told := goals(route):
                st.markdown(told)
            st.markdown(steps(route))
