"""What a teacher sees of a class vote: the code to give out, how many have answered, who said how much, and the reveal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from pages.parts.visit import answers
from pages.parts.visit.qr_code import qr_code
from pages.parts.vote import here, poll
from pages.parts.vote.distribution import Bar
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN
from pages.parts.vote.rooms_file import Unavailable

POLL_S = 1.0


def offer() -> None:
    """In the Share dialog: open a room, or see its code again."""
    if answers.locked() or here.joined():
        return
    label = "The room’s code" if here.teaching() else "Ask the class"
    st.button(label, key="vote_open", icon=":material/groups:", on_click=_open)
    if st.session_state.get("show_code"):
        st.rerun()  # this dialog gives way to that of the code
    _problem()


def asks_first(question: str) -> None:
    """The first question that is drawn in a new room is asked at once."""
    if here.teaching() and st.session_state.pop("ask_first", False):
        here.ask(question, _step())


def ask_button(key: str, question: str) -> None:
    """Beside a question that the class has not been asked as it stands now."""
    st.button(
        "Ask the class", key=f"ask_{key}", icon=":material/groups:", type="tertiary", on_click=here.ask, args=(question, _step())
    )
    _problem()


def panel(key: str, question: str, bars: Callable[[Sequence], list[Bar]]) -> None:
    """How many have answered, once a second; then who said how much, then the answer. bars: makes the distribution."""
    poll.every(POLL_S, key, lambda: _panel(key, question, bars))


def revealed(
    key: str, question: str, verdict: str, bars: Callable[[Sequence], list[Bar]], is_right: Callable[[object], bool]
) -> None:  # fmt: skip
    """The verdict on this visit's own answer, and who said what."""
    said = _said(question)
    st.markdown(f"{verdict} :material/groups: **{sum(map(is_right, said))}** of {len(said)} right." if said else verdict)
    if said:
        _drawn(key, bars(said), len(said))


def again(key: str, question: str) -> None:
    """Beneath a revealed answer: the class may vote a second time."""
    if here.teaching():
        with st.container(horizontal=True):
            told, args = "The answers given so far are forgotten", (question, _step())
            st.button("Ask again", key=f"anew_{key}", type="tertiary", on_click=here.ask, args=args, help=told)
            _code_button(key)
        _problem()


def _drawn(key: str, bars: list[Bar], n: int) -> None:
    """A line for each bar."""
    with st.container(key=f"vote_bars_{key}"):
        for bar in bars:
            st.progress(bar.n / n if n else 0.0, text=f"**{bar.n}** × {bar.label}")


def code_dialog() -> None:
    """The room's code for the class to read, when it is asked for. Called when the page has been drawn."""
    st.session_state.pop("ask_first", None)
    if st.session_state.pop("show_code", False) and here.teaching():
        _dialog()


@st.dialog("Answer on your phone", width="large")
def _dialog() -> None:
    if not here.teaching():
        st.rerun()
    code, link = here.teaching()[0], here.link(here.teaching()[0])
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        st.html(f'<p class="tbt-room-code">{code}</p>')
        st.markdown("Scan the code, or open")
        st.html(f'<p class="tbt-room-link">{escape(link.partition("://")[2] or f"this site with ?{here.ROOM.name}={code}")}</p>')
        poll.every(POLL_S, "count", _count)
        st.markdown("No names, no accounts. The room and its answers are deleted after four hours, or when you close it.")
        st.button("Close the room", key="room_close", type="tertiary", icon=":material/close:", on_click=_close)
    if link:
        right.html(qr_code(link))


def _count() -> None:
    with here.problems_told():
        room = here.rooms().room(here.teaching()[0]) if here.teaching() else None
        if room is None:
            st.rerun()
        st.markdown(
            f"**{room.n_answers}** {'has' if room.n_answers == 1 else 'have'} answered"
            if room.asking
            else "No question is asked yet: “Ask the class” stands beside each."
        )


def _open() -> None:
    """Show the room's code, of a new room where there is none yet; the question on screen is asked at once."""
    with here.problems_told():
        if not here.teaching():
            here.teach(*here.rooms().open(st.session_state.get("visit", "")))
            st.session_state["ask_first"] = True
        st.session_state["show_code"] = True


def _panel(key: str, question: str, bars: Callable[[Sequence], list[Bar]]) -> None:
    now = here.stage(question)
    if now not in (OPEN, SHOWN):
        st.rerun()
    said = _said(question)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/groups: **{len(said)}** {'has' if len(said) == 1 else 'have'} answered", width="content")
        if now == OPEN:
            st.button("Show the distribution", key=f"show_{key}", on_click=_to, args=(question, SHOWN))
        st.button("Reveal the answer", key=f"reveal_{key}", on_click=_to, args=(question, REVEALED))
        _code_button(key)
    if now == SHOWN:
        _drawn(key, bars(said), len(said))
    _problem()


def _code_button(key: str) -> None:
    if st.button("Code", key=f"code_{key}", type="tertiary", icon=":material/qr_code_2:"):
        st.session_state["show_code"] = True
        st.rerun()


def _to(question: str, stage: int) -> None:
    here.as_teacher(here.rooms().set_stage, question, stage)


def _close() -> None:
    here.as_teacher(here.rooms().close)
    st.session_state["teaching"] = None


def _said(question: str) -> list:
    """What the class has answered."""
    code = here.teaching()[0] if here.teaching() else here.joined()
    try:
        return here.rooms().answers(code, question)
    except Unavailable as problem:
        st.session_state["vote_problem"] = str(problem)
        return []


def _step() -> str:
    """The number of the step that is being drawn."""
    return st.session_state.get("step_drawn", "")


def _problem() -> None:
    if problem := here.problem():
        st.warning(problem)
