"""The address bar as the place where a visit's state can be read, sent to others and found again after a restart.

`publish` (called by the router after each page, and by a step that was moved) writes the link to the state, replacing the entry
rather than adding one, so that the back button leaves the lesson instead of undoing fifty slider moves.
"""

import json
import time
from collections.abc import Collection
from dataclasses import dataclass, field

import streamlit as st

from pages.parts.visit import scenario, scenario_query
from pages.parts.visit.components import component
from pages.parts.visit.session import of_this_visit

PAGE = "address_bar"
_ADDRESS = component("address", __file__)
# A step's own: a script travels with every message, so this one asks the page's. (One line would be taken for a file's name.)
_ADDRESS_OF_A_STEP = st.components.v2.component(
    "address_of_a_step", js="export default (component) =>\n  window.tbtAddress?.(component);", isolate_styles=False
)


@dataclass
class Messages:
    """run: the last run's number, above all those of this visit and of the one before a restart: it begins with the microseconds since
    1970; heard: the last message of another window that was heeded (teaching/windows.py)."""

    run: int = field(default_factory=lambda: time.time_ns() // 1000)
    heard: int = 0


messages = of_this_visit(Messages)


def query(declared: Collection[str], toy: bool = True) -> dict[str, str]:
    """The link to this state: the scenario, where a page is about it, and the selections; declared: the names of those."""
    selected = {k: v for k, v in scenario.kept().extras.items() if v and k in declared}
    return (scenario_query.to_query(scenario.current()) if toy else {}) | selected


def publish(declared: Collection[str], toy: bool = True, key: str = PAGE, moved: bool = False) -> None:
    """Write the link to this state into the address bar. key: PAGE for the whole page, a step's own otherwise.

    moved: whether a step is drawn by itself, so that what stands around it has to follow.
    """
    parameters = query(declared, toy)
    scenario.remember_own(parameters)
    # As text: asked to send a dictionary, Streamlit imports pandas to see whether it is a table, 70 MB and a race on the import.
    data = {"query": json.dumps(parameters), "run": next_run(), "moved": moved, "heard": messages().heard}
    (_ADDRESS if key == PAGE else _ADDRESS_OF_A_STEP)(key=key, data=data, height=1)


def next_run() -> int:
    """A higher number for each run: a component whose data has not changed is not run again in the browser, and a page change clears
    the address bar and the menu; and what two runs have sent may come together."""
    messages().run += 1
    return messages().run


def acknowledge(number: int) -> None:
    """A message of another window has been heeded; the next `publish` says so to the browser."""
    messages().heard = number
