"""One lesson: its question as the title, then its steps; all below each other on a page, one at a time when presented.

A step is a function of the page that shows one thing: controls and figure, a derivation, a question. In the presentation (the
link parameter present=on, or the key P) the side bar is gone, type is larger, and ← and → go from step to step.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts import scenario, widgets
from pages.parts.look import presenting
from pages.parts.terms import TERMS
from pages.parts.words import md


def lesson(question: str, *steps: Callable[[], None], source: tuple[Callable, ...] = (), toy: bool = True) -> None:
    """Show a lesson. question: its title. steps: what it shows, in order. source: the functions that just ran.

    toy: whether it is about the toy's scenario, whose presets then stand beside the title and its editor in the side bar.
    """
    st.session_state["toy"] = toy
    if presenting():
        _presented(question, steps)
        return
    if toy:
        widgets.title(question)
    else:
        st.title(question, anchor=False)
        for problem in scenario.problems():
            st.warning(md(problem), icon=":material/link_off:")
    for step in steps:
        step()
    if source:
        widgets.source(*source)
    st.button("Present", key="present", icon=":material/present_to_all:", shortcut="P", type="tertiary", on_click=_present)


def lead(text: str, *names: str) -> None:
    """The two or three sentences that a lesson or a step opens with. names: words of terms.TERMS, explained beside it."""
    st.markdown(text, help="\n".join(f"- **{name}**: {TERMS[name]}" for name in names) or None)


def _present() -> None:
    scenario.set_extra("present", "on")
    scenario.set_extra("slide", "")


def _stop() -> None:
    scenario.set_extra("present", "")
    scenario.set_extra("slide", "")


def _presented(question: str, steps: tuple[Callable[[], None], ...]) -> None:
    """The one step that is asked for, large, with the way to the next."""
    at = scenario.whole_extra("slide", 1, 1, len(steps))
    st.session_state["stepper"] = None
    with st.container(key="presented"):
        place = st.container()  # filled last: the step says whether it has a stepper of its own
        for problem in scenario.problems():
            st.warning(md(problem), icon=":material/link_off:")
        steps[at - 1]()
        with place:
            _bar(question, at, len(steps))


def _bar(question: str, at: int, n: int) -> None:
    """The lesson's question and the way through its steps."""
    bar = st.columns([7, 1, 0.6, 1, 1], vertical_alignment="center")
    bar[0].title(question, anchor=False)
    bar[1].button(
        "Back", key="slide_back", shortcut="Left", disabled=at == 1 and not _can(-1),
        on_click=_go, args=(-1, at),
    )  # fmt: skip
    bar[2].markdown(f"{at} / {n}")
    bar[3].button(
        "Next", key="slide_next", shortcut="Right", type="primary", disabled=at == n and not _can(1),
        on_click=_go, args=(1, at),
    )  # fmt: skip
    bar[4].button("Leave", key="slide_leave", shortcut="P", on_click=_stop)


def _can(by: int) -> bool:
    """Whether the step on screen has a stepper of its own that can still move."""
    name, at, n = st.session_state.get("stepper") or ("", 0, 0)
    return bool(name) and at + by >= 0 and (by < 0 or at + by < n)


def _go(by: int, at: int) -> None:
    """The step's own stepper first, then the next step of the lesson."""
    if _can(by):
        name, index, _ = st.session_state["stepper"]
        scenario.set_extra(name, str(index + by))
    else:
        scenario.set_extra("slide", str(at + by))


def stepper(name: str, n: int, label: str, start: int = 0, presented: int = 0) -> int:
    """Go through 0 … n − 1 with buttons, the arrow keys or by playing; returns where it stands. `name` is one of EXTRAS.

    presented: how many of the n the keys of the presentation go through before they turn to the next step of the lesson; 0: all.
    """
    at = scenario.whole_extra(name, start, 0, n - 1)
    st.session_state["stepper"] = (name, at, min(n, presented or n))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"stepper_{name}"):
        if not presenting():  # else the bar at the top moves this stepper first, and one pair of buttons is enough
            st.button(
                "Back", key=f"{name}_back", icon=":material/chevron_left:", shortcut="Left", disabled=at == 0,
                on_click=scenario.set_extra, args=(name, str(at - 1)),
            )  # fmt: skip
            st.button(
                "Next", key=f"{name}_next", icon=":material/chevron_right:", shortcut="Right", disabled=at == n - 1,
                type="primary", on_click=scenario.set_extra, args=(name, str(at + 1)),
            )  # fmt: skip
        if at == n - 1:
            st.session_state[f"{name}_play"] = False  # arrived: going back must not start it again
        playing = st.toggle("Play", key=f"{name}_play", disabled=at == n - 1)
        st.markdown(label.format(at=at, n=n - 1))
    st.session_state["played"] = None
    if playing:
        _play(name, at)
    return at


@st.fragment(run_every=1.2)
def _play(name: str, at: int) -> None:
    """Moves the stepper on when the timer fires. A run of the whole page, for whatever reason, only starts the wait anew.

    The timer belongs to this visit's page: a run of the page without the fragment ends it.
    """
    if st.session_state.get("played") == (name, at):
        scenario.set_extra(name, str(at + 1))
        st.rerun(scope="app")
    st.session_state["played"] = (name, at)
