"""The one scenario of a visit, shared by all lessons: session state <-> the address bar.

The session holds the truth. A link is read once, when its query string is first seen; from then on every edit goes through
`edit`, which keeps the last good scenario when an edit is refused. `publish` (called by the frame after each page) writes the
scenario back into the address bar, replacing the entry rather than adding one, so that the back button leaves the lesson
instead of undoing fifty slider moves.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from engine.toy import Scenario
from pages.parts import link

_ADDRESS = st.components.v2.component(
    "address_bar", js=(Path(__file__).with_name("address.js")).read_text(), isolate_styles=False
)
# Parameters that belong to lessons rather than to the scenario; each lesson checks what it reads.
EXTRAS = (
    "present", "slide", "cell", "step", "token", "head", "layer", "answer", "n", "p", "g", "chunk",
    "temperature", "top_k", "top_p", "min_p", "seed", "view", "claim", "prompt", "checkpoint",
    "model", "device", "context", "batch", "bits", "compare", "n_devices", "kv_bits", "kv_heads", "watts", "price",
    "value", "word", "off",
    "choose", "split", "source", "trained_head", "removed", "layer_seed",
)  # fmt: skip
MAX_EXTRA = 200  # characters of one
MOST_SEED = 999  # of the draws, which several lessons share
LONGER = {"prompt": 1600}  # what may have more
_OWN = 64  # the last addresses that we wrote ourselves: a rerun may still carry an older one, and is no new link


def current() -> Scenario:
    """The scenario of this visit; on the first run, or behind a link that is new to the session, the link's."""
    state = st.session_state
    query = st.query_params.to_dict()
    asked, heard = _key(query), state.get("heard_query")
    state["heard_query"] = asked
    if "scenario" not in state or (query and asked != heard and asked not in state["own_queries"]):
        state["scenario"], state["link_problems"] = link.from_query(query)
        state["before"], state["edited"], state["edit_problem"] = None, None, ""
        state["extras"] = {name: text for name, text in query.items() if name in EXTRAS and len(text) <= _most(name)}
        state.setdefault("own_queries", deque(maxlen=_OWN))
    return state["scenario"]


def _most(name: str) -> int:
    """How many characters of an extra a link may bring."""
    return LONGER.get(name, MAX_EXTRA)


def extra(name: str) -> str:
    """What the link or the last selection says of one of EXTRAS; "" when nothing."""
    current()
    return st.session_state["extras"].get(name, "")


def set_extra(name: str, text: str) -> None:
    """Remember a lesson's selection, so that a link restores it; "" forgets it. `name` is one of EXTRAS."""
    current()
    if name not in EXTRAS:
        raise ValueError(f"name: expected one of {', '.join(EXTRAS)}, got {name!r}")
    st.session_state["extras"][name] = text


def whole_extra(name: str, default: int, low: int, high: int) -> int:
    """An extra as a whole number from low to high; `default` where it is missing or anything else."""
    text = extra(name)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default
    return min(max(number, low), high)


def number_extra(name: str, default: float, low: float, high: float) -> float:
    """An extra as a number from low to high; `default` where it is missing or anything else."""
    try:
        number = link.number(extra(name)) if extra(name) else default
    except ValueError:
        number = default  # a link's typing error; the control shows what is used instead
    return min(max(number, low), high)


def choice_extra(name: str, options: tuple[str, ...], default: str) -> str:
    """An extra that must be one of `options`; `default` otherwise."""
    return extra(name) if extra(name) in options else default


def edit(change: Callable[..., Scenario], *args) -> None:
    """Replace the scenario by `change(scenario, *args)`. Called from a widget's callback; a refused edit leaves all as it was.

    Edits of the same thing in a row (one slider moved on and on) count as one: `before_last_edit` is what stood before the first.
    """
    state, before = st.session_state, current()
    try:
        after = change(before, *args)
    except ValueError as problem:
        state["edit_problem"] = f"That edit was not made. {str(problem)[:1].upper()}{str(problem)[1:]}."
        return
    state["edit_problem"], state["link_problems"] = "", []
    if after == before:
        return
    what = (change.__name__, args[:-1])
    if what != state["edited"] or state["before"] is None:
        state["before"] = before
    state["scenario"], state["edited"] = after, what
    if state["before"] == after:
        state["before"] = None  # back where it was


def replace(scenario: Scenario) -> None:
    """Put another scenario in the place of the current one, as a preset or the reset button does."""
    edit(_exchange, scenario)
    st.session_state["before"] = None  # a list of all that differs says nothing of the new one
    kept = {name: text for name, text in st.session_state["extras"].items() if name in ("present", "slide")}
    st.session_state["extras"] = kept


def _exchange(_: Scenario, other: Scenario) -> Scenario:
    return other


def before_last_edit() -> Scenario | None:
    """The scenario as it was before the last edit, or None when nothing has been edited since it was loaded."""
    return st.session_state["before"]


def problems() -> list[str]:
    """What could not be used of the link or of the last edit, one sentence each."""
    current()
    refused = st.session_state["edit_problem"]
    return [*st.session_state["link_problems"], *([refused] if refused else [])]


def publish() -> None:
    """Write the scenario and the lessons' selections into the address bar."""
    query = link.to_query(current()) | {k: v for k, v in st.session_state["extras"].items() if v}
    own = st.session_state["own_queries"]
    if _key(query) not in own:
        own.append(_key(query))
    # A page change clears the bar, and a component whose data has not changed is not run again; so its data always changes.
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    # As text: asked to send a dictionary, Streamlit imports pandas to see whether it is a table, 70 MB and a race on the import.
    _ADDRESS(key="address_bar", data={"query": json.dumps(query), "run": st.session_state["runs"]}, height=1)


def _key(query: Mapping[str, str]) -> tuple:
    return tuple(sorted(query.items()))
