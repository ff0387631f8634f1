"""The controls that lessons share. Each shows the scenario and hands every change to scenario.edit; none holds state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from engine import edits
from engine.presets import PRESETS
from engine.rules import Rule
from engine.toy import Scenario
from pages.parts import scenario
from pages.parts.words import md, rule_name

SLIDER = (-20.0, 100.0, 0.5)  # range and step of a value slider; a value beyond widens it
COMMON_RULES = ("even", "odd", "self", "previous", "previous:2", "first", "all", "window:2", "window:3", "none", "last")
EDITED = "Edited"


def show(key: str, value) -> None:
    """Make the widget `key` show `value`. Left alone when it does already, so that a fast slider is never pushed back.

    On another page it is another widget, though the session still knows what the one before it showed.
    """
    state = st.session_state
    here, shown_on = state.get("here"), state.setdefault("shown_on", {})
    if state.get(key) != value or shown_on.get(key) != here:
        state[key] = value
        shown_on[key] = here


def title(question: str) -> None:
    """The lesson's question, the scenario's name and reset beside it, and whatever could not be used of a link or an edit."""
    s = scenario.current()
    left, right, reset = st.columns([6, 2, 0.9], vertical_alignment="center")
    left.title(question, anchor=False)
    name = next((name for name, (preset, _) in PRESETS.items() if preset == s), EDITED)
    options = [*PRESETS, EDITED] if name == EDITED else list(PRESETS)
    # A key for each name, and the name as default instead of a pushed value: while a slider is moved fast, Streamlit may drop the
    # message that pushes a value, and the name that the browser then still holds would come back as if somebody had chosen it.
    key = f"preset_{options.index(name)}"
    right.selectbox(
        "Scenario",
        options,
        index=options.index(name),
        key=key,
        label_visibility="collapsed",
        on_change=_preset,
        args=(key, name),
        help="\n".join(f"- **{name}**: {why}" for name, (_, why) in PRESETS.items()),
    )
    reset.button(
        "Reset", icon=":material/restart_alt:", key="reset", help="Back to the article’s text",
        on_click=scenario.replace, args=(Scenario.article(),), disabled=s == Scenario.article(), width="stretch",
    )  # fmt: skip
    for problem in scenario.problems():
        st.warning(md(problem), icon=":material/link_off:")


def _preset(key: str, shown: str) -> None:
    chosen = st.session_state.get(key)
    if chosen in PRESETS and chosen != shown:
        scenario.replace(PRESETS[chosen][0])


def value_sliders() -> None:
    """A slider for each token's value."""
    s = scenario.current()
    low, high, step = SLIDER
    row = st.grid(min(len(s.tokens), 8), min_column_width=74, gap=("xxsmall", "small"))
    for j in range(len(s.tokens)):
        key = f"value_{j}"
        show(key, s.values[j])
        row.slider(
            md(s.tokens[j]),
            min(low, s.values[j]),
            max(high, s.values[j]),
            step=step,
            key=key,
            format="%g",
            on_change=_from(key, edits.set_value, j),
        )


def rule_selectors(shares: tuple[float, float, float]) -> None:
    """A rule for each head, standing over the head's block of the figure. shares: widths left of, of, and right of the blocks."""
    s = scenario.current()
    left, blocks, right = shares
    with st.container(key="rules"):
        columns = st.columns([left, *[blocks / len(s.rules)] * len(s.rules), right], gap="xxsmall", vertical_alignment="center")
    columns[0].markdown("**Looks at**")
    for h, column in enumerate(columns[1:-1]):
        _rule(column, s, h, f"rule_{h}", f"Head {h + 1} looks at", collapsed=True)


def _rule(place, s: Scenario, head: int, key: str, label: str, collapsed: bool) -> None:
    """A selectbox with the common rules, and the head's own where it is none of them."""
    options = list(COMMON_RULES) if str(s.rules[head]) in COMMON_RULES else [*COMMON_RULES, str(s.rules[head])]
    show(key, str(s.rules[head]))
    place.selectbox(
        label, options, key=key, format_func=_rule_label,
        label_visibility="collapsed" if collapsed else "visible", on_change=_from(key, edits.set_rule, head),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _rule_label(text: str) -> str:
    return rule_name(Rule.parse(text))


def _from(key: str, change: Callable, *where) -> Callable[[], None]:
    """A callback that applies `change` with what the widget `key` holds."""
    return lambda: scenario.edit(change, *where, st.session_state[key])


def _do(change: Callable, *where) -> Callable[[], None]:
    """A callback that applies `change`."""
    return lambda: scenario.edit(change, *where)


def source(*functions: Callable) -> None:
    """The source that just ran, at the foot of a lesson."""
    with st.expander("The source that just ran", icon=":material/code:", key="source", on_change="rerun") as box:
        if box.open:
            st.code("\n\n".join(inspect.getsource(f) for f in functions), language="python")


def next_lesson(order: list, at: int) -> None:
    """The way on, at the foot of a lesson."""
    with st.container(horizontal=True, horizontal_alignment="distribute", key="way_on"):
        if at > 0:
            st.page_link(order[at - 1], label=f"Before: {order[at - 1].title}", icon=":material/arrow_back:")
        if at + 1 < len(order):
            st.page_link(order[at + 1], label=f"Next: {order[at + 1].title}", icon=":material/arrow_forward:")


def extra_slider(name: str, label: str, low: float, high: float, default: float, step: float, **kwargs) -> float:
    """A slider for one of a lesson's own parameters, kept in the link; whole numbers where low is one."""
    whole = isinstance(low, int) and isinstance(step, int)
    read = scenario.whole_extra if whole else scenario.number_extra
    value = read(name, default, low, high)
    key = f"extra_{name}"
    show(key, value)

    def keep() -> None:
        chosen = st.session_state[key]
        scenario.set_extra(name, "" if chosen == default else f"{chosen:g}" if not whole else str(chosen))

    st.slider(label, low, high, step=step, key=key, on_change=keep, **kwargs)
    return value


def extra_choice(name: str, label: str, options: dict[str, str], default: str, **kwargs) -> str:
    """A segmented control for one of a lesson's own parameters, kept in the link. options: the link's word -> what is shown."""
    value = scenario.choice_extra(name, tuple(options), default)
    key = f"extra_{name}"
    show(key, value)

    def keep() -> None:
        chosen = st.session_state[key]
        scenario.set_extra(name, "" if chosen in (None, default) else chosen)

    st.segmented_control(label, list(options), key=key, format_func=options.get, on_change=keep, required=True, **kwargs)
    return value
