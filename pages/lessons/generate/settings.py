"""The clock's step: what is generated and how (prompt, length, temperature, moment of training), its buttons, and the run."""

import streamlit as st

from pages.lessons.generate.run import MOST_TEMPERATURE, USUAL_WORDS, Run, is_running, most_words, watched
from pages.lessons.generate.steps import live
from pages.parts.controls.shared_parameters import TEMPERATURE, G
from pages.parts.lesson import fragments
from pages.parts.lesson.lesson import step
from pages.parts.trained import model, prompt
from pages.parts.visit.display import presenting


@step(
    "The clock",
    minutes=6,
    ask="With the cache and without: after which word will you see a difference?",
    wrong={"At once": "at the first word both have done the same: prefill"},
)
def clock(run: Run) -> None:
    """The controls, and the answer as it is written twice."""
    prompt.controls(run.trained)
    prompt.marks(run.trained, run.prompt)
    fragments.live(_clock, run)


def _clock(run: Run) -> None:
    """How many words, how they are drawn and by what model, the buttons, and the answer."""
    left, right = st.columns([1, 2.1], vertical_alignment="bottom")
    with left:
        _how_many(most_words(run.trained, run.prompt))
    with right:
        _buttons(run)
    live(run)


def _how_many(most: int) -> None:
    if most > 1:
        G.slider("Words to generate", high=most, default=USUAL_WORDS)


def _buttons(run: Run) -> None:
    """Start, stop, again from the beginning, with a new measurement."""
    running = is_running(run)
    at_end = run.shown >= run.n_words
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="clock"):
        st.button(
            "Generate", key="generate_go", icon=":material/play_arrow:", type="primary", disabled=running or at_end, on_click=_go
        )
        st.button("Stop", key="generate_stop", icon=":material/stop:", disabled=not running, on_click=_stop)
        st.button("Rewind", key="generate_rewind", icon=":material/replay:", disabled=run.shown <= 1, on_click=_rewind)
        st.button("Anew", key="generate_anew", icon=":material/timer:", on_click=_anew,
                  help="Runs with the same input are measured once for all; this measures once more, for you.")  # fmt: skip
        if not presenting():
            with st.popover("Model", icon=":material/tune:", key="generate_settings", help="Temperature, moment of its training"):
                TEMPERATURE.slider("Temperature (0: always the likeliest)", high=MOST_TEMPERATURE, default=0.0)
                if not run.trained.own:
                    model.training_slider()


def _go() -> None:
    watched().running = True


def _stop() -> None:
    watched().running = False


def _rewind() -> None:
    watched().running, watched().shown = False, 1


def _anew() -> None:
    watched().anew = True
