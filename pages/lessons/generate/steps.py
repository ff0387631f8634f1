"""A generation with the clock running, as the lesson shows it: in small steps, watched, stopped, shared between visitors.

What is computed and what is shown go at different speeds: the small model makes a word in less than a millisecond, and the
page shows four a second. Visitors with the same input share one run of both ways, which is taken
further step by step (shared_work).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from engine.timing.both_ways import BothWays, TimedStep, pace
from pages.lessons.generate.figures.cache_fill import cache_fill
from pages.lessons.generate.figures.race_times import median_gap, race_times
from pages.parts.controls.shared_parameters import SEED, TEMPERATURE, G
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import step
from pages.parts.sharing import turns
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import Job, ThisRun
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import md, number
from pages.parts.trained import model, prompt
from pages.parts.trained.model import MOST_WORDS, Prompt, Trained
from pages.parts.visit.display import look, presenting

TICK_S = 0.25  # between two words on the page
LOOK_AHEAD_S = 0.02  # of computing in one tick
MOST_TEMPERATURE = 2.0
FEW, FEW_OF_A_LARGE_ONE, USUAL_WORDS = 6, 2, 40
SAME, ROUNDED, DIFFERENT = "yes, in every bit", "no, but the same within rounding", "no, visibly different"


@dataclass(frozen=True, eq=False)
class Run:
    """What this visit generates. job: takes the run further, shared with all who asked for the same; work: what this run of
    the page may compute; shown: how many words are on the page."""

    trained: Trained
    prompt: Prompt
    job: Job
    most_words: int
    work: ThisRun = field(default_factory=ThisRun)

    @property
    def n_words(self) -> int:
        """Words of the answer: as many as were asked for, or fewer where the model ends it."""
        return min(self.most_words, self.job.n_steps)

    @property
    def both(self) -> BothWays:
        """The answer as far as it is."""
        return self.job.of

    @property
    def shown(self) -> int:
        """Words on the page: prefill has always made one."""
        return min(max(1, st.session_state.get("words_shown", 1)), self.n_words)

    @property
    def timed(self) -> list[TimedStep]:
        """The steps on the page."""
        return self.both.timed[: self.shown]


def given() -> tuple[Run]:
    """The run that the link describes; everything in it is bounded. Nothing has been computed for it yet, unless by others."""
    trained = model.current()
    typed = model.prompt(trained, prompt.typed(trained))
    most = most_words(trained, typed)
    n_words = G.value(high=most, default=USUAL_WORDS)
    temperature, seed = TEMPERATURE.value(high=MOST_TEMPERATURE, default=0.0), SEED.value()
    key = (*trained.key, typed.ids, n_words, temperature, seed if temperature else 0)
    held, anew = st.session_state.get("both"), st.session_state.pop("anew", False)
    if anew or held is None or held[0] != key:  # a run that the store has dropped goes on for those who watch it
        make = _new_job if anew else _shared_job  # measured anew for one visit, it is that visit's alone
        st.session_state["both"] = held = (key, make(key, trained, typed, n_words, temperature, seed))
        st.session_state["words_shown"], st.session_state["running"] = 1, False
    return (Run(trained, typed, held[1], n_words),)


def most_words(trained: Trained, given: Prompt) -> int:
    """The longest answer that the model has room for, and the page."""
    return min(MOST_WORDS, model.most_tokens(trained.model) - len(given.ids) + 1)


def _shared_job(key: tuple, trained: Trained, given: Prompt, n_words: int, temperature: float, seed: int) -> Job:
    """The run that is kept for all visitors under `key`."""
    n_bytes = run_bytes(trained, len(given.ids) + n_words)
    return RESULTS.get(("race", *key), lambda: _new_job(key, trained, given, n_words, temperature, seed), lambda _: n_bytes)


def run_bytes(trained: Trained, n_tokens: int) -> int:
    """About the memory of a run over so many tokens."""
    m = trained.model
    return (4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v) + 500) * n_tokens


def _new_job(key: tuple, trained: Trained, given: Prompt, n_words: int, temperature: float, seed: int) -> Job:
    both = BothWays(trained.model, given.ids, n_words, temperature, seed)
    return Job(_steps(both), n_words, trained.lock, trained.small, of=both)


def _steps(both: BothWays) -> Iterator[TimedStep]:
    """Every word, up to the end that the model says."""
    while not both.done:
        yield both.step()


def n_asked(run: Run) -> int:
    """Words that a question is about: as many as nobody has to wait for."""
    return FEW if run.trained.small else FEW_OF_A_LARGE_ONE


def first_few(run: Run) -> list[TimedStep] | None:
    """The steps that a question is about, whether the page shows them yet or not; None, and a message, as long as they are not
    there."""
    n = min(n_asked(run), run.n_words)
    return run.both.timed[:n] if reached(run, n) else None


def reached(run: Run, n: int) -> bool:
    """Whether the answer has come to `n` words; a message if not."""
    there = run.work.reached(run.job, n, f"The first {n} words" if n > 1 else "The first word")
    run.work.say()
    return there


def live(run: Run) -> None:
    """Text and timeline, word by word while it runs."""
    if reached(run, 1):
        st.fragment(_live, run_every=TICK_S if is_running(run) else None)(run)


def is_running(run: Run) -> bool:
    """Whether words are coming."""
    return bool(st.session_state.get("running")) and run.shown < run.n_words


def _live(run: Run) -> None:
    """One look at the run; while it runs the browser asks for the next, four times a second."""
    with turns.in_turn():
        _tick(run)
        _show(run)


def _show(run: Run) -> None:
    """The text so far, and its times."""
    with st.container(key="streamed"):
        start = _end(prompt_end(run), 60)
        said = model.text(run.trained, [b.token_id for b in run.timed])
        so_far = (
            " ▌" if is_running(run) else f" ({run.shown} of {run.n_words} words{', where the model ends it' * run.both.ended})"
        )
        st.markdown(f"{md(start)} **{md(_end(said, 150))}**{so_far}")
    plot(race_times(run.timed, run.n_words, **look(0.88 if presenting() else 0.97)), _in_words(run.timed), "race_times")
    with st.container(key="takeaway_clock"):
        st.markdown(_clock(run))


def slide_zoom() -> float:
    """A figure alone on a slide may be larger."""
    return 1.13 if presenting() else 1.0


def prompt_end(run: Run) -> str:
    """The end of the prompt as text."""
    return _end(model.text(run.trained, run.prompt.ids), 400)


def _end(text: str, most: int) -> str:
    """The last words of a text, as many as there is room for: on a slide two lines for prompt and answer."""
    return text if len(text) <= most else "… " + (text[-most:].partition(" ")[2] or text[-most:])


def _tick(run: Run) -> None:
    """One word further, if it is there in time; the run of the whole page that ends the timer comes after the last."""
    if not is_running(run):
        return
    now = time.perf_counter()
    if run.job.problem:
        st.session_state["running"] = False
        st.rerun(scope="app")
    if not run.job.come_to(run.shown + 1, now + TICK_S):
        return
    run.job.come_to(run.n_words, now + LOOK_AHEAD_S)
    st.session_state["words_shown"] = run.shown + 1
    if run.shown >= run.n_words:
        st.session_state["running"] = False
        st.rerun(scope="app")


def _in_words(timed: list[TimedStep]) -> str:
    times = [b.cached_s for b in timed], [b.recomputed_s for b in timed]
    (with_, without), gaps = map(pace, times), [milliseconds(median_gap(x)) for x in times]
    return (
        f"{len(timed)} words. With a cache: first after {milliseconds(with_.ttft_s)}, mean gap {milliseconds(with_.tpot_s)}, "
        f"median {gaps[0]}, {with_.tokens_per_s:,.0f} a second. Without: mean gap {milliseconds(without.tpot_s)}, "
        f"median {gaps[1]}, {without.tokens_per_s:,.0f} a second."
    )


def _clock(run: Run) -> str:
    """What the clock says so far."""
    timed = run.timed
    if len(timed) < 2:
        return (
            f"Prefill has run **{len(run.prompt.ids)}** tokens in one pass and chosen the first word: the **TTFT**, the same "
            "both ways but for noise. *Generate* writes the rest."
        )
    cached, again = median_gap([b.cached_s for b in timed]), median_gap([b.recomputed_s for b in timed])
    rows = timed[1:][(len(timed) - 1) // 2].n_tokens
    slower = ", shown slower than it ran" if cached + again < TICK_S else ""
    return (
        f"A usual word (the median one, at {rows} tokens) took {milliseconds(cached)} behind the cache, {milliseconds(again)} "
        "without: "
        f"**{number(again / cached, 1)} times** as long, for {rows} times as many rows: every pass has costs of its own. "
        f"Measured here once{slower}."
    )


@step("The cache fills")
def filling(run: Run) -> None:
    """The cache as it stands at the word shown; it follows the text while that runs."""
    if reached(run, 1):
        st.fragment(_filling, run_every=5 * TICK_S if is_running(run) else None)(run)


def _filling(run: Run) -> None:
    with turns.in_turn():
        _show_filling(run)


def _show_filling(run: Run) -> None:
    n = run.timed[-1].n_tokens
    cache = run.both.cache
    ids = run.both.token_ids[:n]
    words = [*run.prompt.words, *model.words(run.trained, ids[len(run.prompt.ids) :])]
    figure = cache_fill(cache.k[:, :, :n], cache.v[:, :, :n], len(run.prompt.ids), cache.n_ctx, words, **look(slide_zoom()))
    m = run.trained.model
    per_token = 4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v)
    plot(figure, f"{n} tokens cached in {m.n_layer} layers, {n * per_token:,} bytes.", "cache_fill")
    with st.container(key="takeaway_fill"):
        st.markdown(
            f"{n} tokens × {m.n_layer} layers × {m.n_kv_head} key/value heads × ({m.d_head} + {m.d_v}) numbers × 4 bytes = "
            f"**{n * per_token:,} bytes**. The last word chosen is not in it yet: it has not been fed back."
        )
