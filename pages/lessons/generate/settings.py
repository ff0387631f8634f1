"""The clock's step: what is generated and how (prompt, length, temperature, moment of training), its buttons, and the run."""

import streamlit as st

from pages.lessons.generate.run import MOST_TEMPERATURE, USUAL_WORDS, Run, is_running, most_words, watched
from pages.lessons.generate.steps import live
from pages.parts.controls.shared_parameters import TEMPERATURE, G
from pages.parts.lesson import fragments
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
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
    lead(
        "One answer, written twice: behind a cache, and with all tokens again for every word. A block is a pass, its length the time."
    )
    fragments.live(_clock, run)


def _clock(run: Run) -> None:
    """The answer, and beneath it prompt, buttons and what is seldom changed in one row."""
    answer = st.container()
    prompt.controls(run.trained, (4.2, lambda: _buttons(run)))
    prompt.marks(run.trained, run.prompt)
    with answer:
        live(run)


def _buttons(run: Run) -> None:
    """Start, stop, again from the beginning; the rest is folded away."""
    # Not what is computed, which no button may depend on.
    running, at_first = is_running(run), 1 in (watched().shown, run.n_words)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="clock"):
        st.button("Generate", key="generate_go", icon=":material/play_arrow:", type="primary", disabled=running or run.n_words == 1,
                  on_click=_go, args=(run,))  # fmt: skip
        st.button("Stop", key="generate_stop", icon=":material/stop:", disabled=not running, on_click=_stop)
        st.button("Rewind", key="generate_rewind", icon=":material/replay:", disabled=at_first and not running, on_click=_rewind)
        with st.popover(
            "More", icon=":material/tune:", key="generate_settings", help="Words, temperature, moment of the training"
        ):
            _more(run)


def _more(run: Run) -> None:
    """How many words, how they are drawn and by what model, and a new measurement."""
    most = most_words(run.trained, run.prompt)
    if most > 1:
        G.slider("Words to generate", high=most, default=USUAL_WORDS)
    if not presenting():
        TEMPERATURE.slider("Temperature (0: always the likeliest)", high=MOST_TEMPERATURE, default=0.0)
        if not run.trained.own:
            model.training_slider()
    st.button("Anew", key="generate_anew", icon=":material/timer:", on_click=_compute_anew,
              help="Runs with the same input are measured once for all; this measures once more, for you.")  # fmt: skip


def _go(run: Run) -> None:
    """On from the word that is shown, and where that is the last one from the first."""
    watched().shown = run.shown if run.shown < run.n_words else 1
    watched().running = True


def _stop() -> None:
    watched().running = False


def _rewind() -> None:
    watched().running, watched().shown = False, 1


def _compute_anew() -> None:
    watched().anew = True
