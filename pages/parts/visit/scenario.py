"""The one scenario of a visit, shared by all lessons, and what they have selected besides: read from a link, then edited.

The session holds the truth. A link is read once, when its query string is first seen; from then on every edit goes through
`edit`, which keeps the last good scenario when an edit is refused. address.py writes the state back into the address bar.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping

import streamlit as st

from engine.config_json.fields import whole
from engine.toy.scenario import Scenario
from pages.parts.visit import link

MOST_EXTRAS, MOST_EXTRA = 120, 1600  # names that a link may bring besides the scenario's, and characters of one
# Parameters that say how a lesson is shown, not what.
PLACES = ("present", "slide", "steps", "only", "controls", "handout", "lock", "notes", "route")
_OWN = 64  # the last addresses that we wrote ourselves: a rerun may still carry an older one, and is no new link


def current() -> Scenario:
    """The scenario of this visit; on the first run, or behind a link that is new to the session, the link's."""
    state = st.session_state
    query = st.query_params.to_dict()
    asked, heard = _key(query), state.get("heard_query")
    state["heard_query"] = asked
    if "scenario" not in state or (query and asked != heard and asked not in state["own_queries"]):
        _load(query)
    return state["scenario"]


def open_link(query: Mapping[str, str]) -> None:
    """Read a link that Streamlit does not know of; the one that it sends along is older from now on."""
    current()
    _load(query)


def _load(query: Mapping[str, str]) -> None:
    state = st.session_state
    state["scenario"], state["link_problems"] = link.from_query(query)
    state["before"], state["edited"], state["edit_problem"] = None, "", ""
    state["extras"] = {}
    for name, text in query.items():
        if re.fullmatch("[a-z_]{1,20}", name) and len(text) <= MOST_EXTRA and len(state["extras"]) < MOST_EXTRAS:
            try:
                state["extras"][name] = whole(name, text)
            except ValueError as problem:
                state["link_problems"].append(link.left_out(name, problem))
    state.setdefault("own_queries", deque(maxlen=_OWN))


def on_paper() -> bool:
    """Whether this visit sees a handout, where no control is moved: what a browser tells of one is no edit."""
    return bool(st.session_state.get("on_paper"))


def extra(name: str) -> str:
    """What the link or the last selection says of a lesson's own parameter; "" when nothing. See visit/parameters.py.

    A new link is read by `current`, which every page asks for first: this is asked for a dozen times a run.
    """
    extras = st.session_state.get("extras")
    if extras is None:
        current()
        extras = st.session_state["extras"]
    return extras.get(name, "")


def set_extra(name: str, text: str) -> None:
    """Remember a lesson's selection, so that a link restores it; "" forgets it.

    No control of ours makes text longer than a link's parameter: it comes from a browser that was told to lie, and is not kept.
    """
    current()
    if len(text) <= MOST_EXTRA and (name in PLACES or not on_paper()):
        st.session_state["extras"][name] = text


def edit(change: Callable[..., Scenario], *args, what: str = "") -> None:
    """Replace the scenario by `change(scenario, *args)`. Called from a widget's callback; a refused edit leaves all as it was.

    what: names the thing that is edited, where several edits in a row count as one (a slider moved on and on): then
    `before_last_edit` is what stood before the first of them.
    """
    if on_paper():
        return
    state, before = st.session_state, current()
    try:
        after = change(before, *args)
    except ValueError as problem:
        state["edit_problem"] = f"That edit was not made. {str(problem)[:1].upper()}{str(problem)[1:]}."
        return
    state["edit_problem"], state["link_problems"] = "", []
    if after == before:
        return
    if not what or what != state["edited"] or state["before"] is None:
        state["before"] = before
    state["scenario"], state["edited"] = after, what
    if state["before"] == after:
        state["before"] = None  # back where it was


def replace(scenario: Scenario) -> None:
    """Put another scenario in the place of the current one, as a preset or the reset button does."""
    edit(_exchange, scenario)
    st.session_state["before"] = None  # a list of all that differs says nothing of the new one
    kept = {name: text for name, text in st.session_state["extras"].items() if name in PLACES}
    st.session_state["extras"] = kept


def _exchange(_: Scenario, other: Scenario) -> Scenario:
    return other


def before_last_edit() -> Scenario | None:
    """The scenario as it was before the last edit, or None when nothing has been edited since it was loaded or since the step
    was turned to."""
    return st.session_state["before"]


def turned() -> None:
    """Another step or lesson is shown: what an edit did was said where it was made, and is not what this one is about."""
    if "scenario" in st.session_state:
        st.session_state["before"], st.session_state["edited"] = None, ""


def problems() -> list[str]:
    """What could not be used of the link or of the last edit, one sentence each."""
    current()
    refused = st.session_state["edit_problem"]
    return [*st.session_state["link_problems"], *([refused] if refused else [])]


def report(problem: str) -> None:
    """Say what could not be used of a link, where a lesson's own parameter found it."""
    if problem not in problems():
        st.session_state["link_problems"].append(problem)


def is_ours(query: Mapping[str, str]) -> None:
    """Remember a link that we wrote into the address bar ourselves: the browser sends it along, and it is no new one."""
    own = st.session_state["own_queries"]
    if _key(query) not in own:
        own.append(_key(query))


def _key(query: Mapping[str, str]) -> tuple:
    return tuple(sorted(query.items()))
