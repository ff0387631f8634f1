"""What is generated and how: prompt, length, temperature, the moment of training, and the buttons of the clock."""

from __future__ import annotations

import streamlit as st

from pages.parts import checkpoint, prompt, widgets
from pages.parts.generate_view import USUAL_WORDS, Run, is_running, most_words
from pages.parts.look import presenting


def controls(run: Run) -> None:
    """Prompt, model, how many words, and how they are drawn."""
    prompt.controls(run.trained)
    prompt.marks(run.trained, run.prompt)
    most = most_words(run.trained, run.prompt)
    if presenting():
        left, right = st.columns([1, 1.6], vertical_alignment="bottom")
        with left:
            _how_many(most)
        with right:
            buttons(run)
        return
    columns = st.columns(3 if not run.trained.own else 2, vertical_alignment="bottom")
    with columns[0]:
        _how_many(most)
    with columns[1]:
        widgets.extra_slider("temperature", "Temperature (0: always the likeliest)", 0.0, 2.0, 0.0, 0.1)
    if not run.trained.own:
        with columns[2]:
            checkpoint.training_slider()
    buttons(run)


def _how_many(most: int) -> None:
    if most > 1:
        widgets.extra_slider("g", "Words to generate", 1, most, min(USUAL_WORDS, most), 1)


def buttons(run: Run) -> None:
    """Start, stop, again from the beginning, with a new measurement."""
    running = is_running(run)
    at_end = run.shown >= run.n_words
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="clock"):
        st.button("Generate", key="go", icon=":material/play_arrow:", type="primary", disabled=running or at_end, on_click=_go)
        st.button("Stop", key="stop", icon=":material/stop:", disabled=not running, on_click=_stop)
        st.button("From the beginning", key="rewind", icon=":material/replay:", disabled=run.shown <= 1, on_click=_rewind)
        st.button("Measure anew", key="anew", icon=":material/timer:", on_click=_anew,
                  help="Runs with the same input are measured once for all visitors; this measures once more.")  # fmt: skip


def _go() -> None:
    st.session_state["running"] = True


def _stop() -> None:
    st.session_state["running"] = False


def _rewind() -> None:
    st.session_state["running"], st.session_state["words_shown"] = False, 1


def _anew() -> None:
    st.session_state["rerun"] = (st.session_state.get("rerun", 0) + 1) % 4
