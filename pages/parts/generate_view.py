"""A generation with the clock running, as the lesson shows it: in small steps, watched, stopped, shared between visitors.

What is computed and what is shown go at different speeds: the small model makes a word in less than a millisecond, and the
page shows four a second. Visitors with the same input share one race, one race runs at a time, and no step waits for a page.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import streamlit as st

from engine.race import Beat, Race, pace
from engine.transformer import SMALL
from pages.parts import checkpoint, prompt, scenario
from pages.parts.checkpoint import MOST_WORDS, Prompt, Trained
from pages.parts.figures.cache_fill import cache_fill
from pages.parts.figures.race_times import median_gap, milliseconds, race_times
from pages.parts.kept import Kept
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.words import md, number

TICK_S = 0.25  # between two words on the page
LOOK_AHEAD_S = 0.08  # of computing in one tick; a slow model makes one word a tick
FEW, FEW_OF_A_LARGE_ONE, USUAL_WORDS = 6, 2, 40
_RACES = Kept(120_000_000)
ONE_AT_A_TIME = threading.Lock()
SAME, ROUNDED, DIFFERENT = "yes, in every bit", "no, but the same within rounding", "no, visibly different"


@dataclass(frozen=True, eq=False)
class Run:
    """What this visit generates. race: shared with all who asked for the same; shown: how many of its words are on the page."""

    trained: Trained
    prompt: Prompt
    race: Race
    n_words: int

    @property
    def shown(self) -> int:
        """Words on the page: prefill has always made one."""
        return min(max(1, st.session_state.get("words_shown", 1)), self.n_words)

    @property
    def beats(self) -> list[Beat]:
        """The steps on the page."""
        return self.race.beats[: self.shown]


def current() -> Run:
    """The run that the link describes; everything in it is bounded. Its first step is prefill, and that has been made."""
    trained = checkpoint.current()
    given = checkpoint.prompt(trained, prompt.typed(trained))
    most = most_words(trained, given)
    n_words = scenario.whole_extra("g", min(USUAL_WORDS, most), 1, most)
    temperature = scenario.number_extra("temperature", 0.0, 0.0, 2.0)
    seed = scenario.whole_extra("seed", 0, 0, scenario.MOST_SEED)
    key = (*trained.key, given.ids, n_words, temperature, seed if temperature else 0, st.session_state.get("rerun", 0))
    held = st.session_state.get("race")
    if held is None or held[0] != key:  # a race that the store has dropped goes on for those who watch it
        race = shared_race(key, trained, given, n_words, temperature, seed)
        st.session_state["race"] = held = (key, race)
        st.session_state["words_shown"], st.session_state["running"] = 1, False
    advance(held[1], 1, 0)
    return Run(trained, given, held[1], n_words)


def most_words(trained: Trained, given: Prompt) -> int:
    """The longest answer that the model has room for, and the page."""
    return min(MOST_WORDS, trained.model.n_ctx - len(given.ids) + 1)


def shared_race(key, trained: Trained, given: Prompt, n_words: int, temperature: float = 0.0, seed: int = 0) -> Race:
    def make() -> Race:
        return Race(trained.model, given.ids, n_words, temperature, seed)

    m = trained.model
    return _RACES.get(key, make, lambda race: 4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v) * race.cache.n_ctx)


def advance(race: Race, n_words: int, budget_s: float) -> None:
    """Take the race to `n_words` words, and further while the budget lasts; one race of all visitors runs at a time."""
    end = time.perf_counter() + budget_s
    while not race.done and (len(race.beats) < n_words or time.perf_counter() < end):
        with ONE_AT_A_TIME:
            if not race.done:
                race.step()


def n_asked(run: Run) -> int:
    """Words that a question is about: as many as nobody has to wait for."""
    return FEW if run.trained.model.d_model <= SMALL else FEW_OF_A_LARGE_ONE


def first_few(run: Run) -> list[Beat]:
    """The steps that a question is about, whether the page shows them yet or not."""
    n = min(n_asked(run), run.n_words)
    advance(run.race, n, 0)
    return run.race.beats[:n]


def live(run: Run) -> None:
    """Text and timeline, word by word while it runs."""
    st.fragment(_live, run_every=TICK_S if is_running(run) else None)(run)


def is_running(run: Run) -> bool:
    """Whether words are coming."""
    return bool(st.session_state.get("running")) and run.shown < run.n_words


def _live(run: Run) -> None:
    """One look at the run; while it runs the browser asks for the next, four times a second."""
    _tick(run)
    with st.container(key="streamed"):
        start = _end(prompt_end(run), 60 if presenting() else 400)
        said = checkpoint.text(run.trained, [b.token_id for b in run.beats])
        so_far = " ▌" if is_running(run) else f" ({run.shown} of {run.n_words} words)"
        st.markdown(f"{md(start)} **{md(_end(said, 190) if presenting() else said)}**{so_far}")
    plot(race_times(run.beats, run.n_words, **look(0.86 if presenting() else 1.0)), _in_words(run.beats), "race_times")
    with st.container(key="takeaway_clock"):
        st.markdown(_clock(run))


def slide_zoom() -> float:
    """A figure alone on a slide may be larger."""
    return 1.13 if presenting() else 1.0


def prompt_end(run: Run) -> str:
    """The end of the prompt as text."""
    return _end(checkpoint.text(run.trained, run.prompt.ids), 400)


def _end(text: str, most: int) -> str:
    """The last words of a text, as many as there is room for: on a slide two lines for prompt and answer."""
    return text if len(text) <= most else "… " + (text[-most:].partition(" ")[2] or text[-most:])


def _tick(run: Run) -> None:
    """One word further; the run of the whole page that ends the timer comes after the last."""
    if not is_running(run):
        return
    advance(run.race, run.shown + 1, LOOK_AHEAD_S)
    st.session_state["words_shown"] = run.shown + 1
    if run.shown >= run.n_words:
        st.session_state["running"] = False
        st.rerun(scope="app")


def _in_words(beats: list[Beat]) -> str:
    times = [b.cached_s for b in beats], [b.recomputed_s for b in beats]
    (with_, without), gaps = map(pace, times), [milliseconds(median_gap(x)) for x in times]
    return (
        f"{len(beats)} words. With a cache: first after {milliseconds(with_.ttft_s)}, mean gap {milliseconds(with_.tpot_s)}, "
        f"median {gaps[0]}, {with_.tokens_per_s:,.0f} a second. Without: mean gap {milliseconds(without.tpot_s)}, "
        f"median {gaps[1]}, {without.tokens_per_s:,.0f} a second."
    )


def _clock(run: Run) -> str:
    """What the clock says so far."""
    beats = run.beats
    if len(beats) < 2:
        return (
            f"Prefill has run {len(run.prompt.ids)} tokens in one pass and chosen the first word: that is the **TTFT**. "
            "Both ways did this same pass, so their times differ only by noise. Press *Generate* for the rest."
        )
    cached, again = median_gap([b.cached_s for b in beats]), median_gap([b.recomputed_s for b in beats])
    rows = beats[1:][(len(beats) - 1) // 2].n_tokens
    slower = ", shown slower than it ran" if cached + again < TICK_S else ""
    return (
        f"A usual word (the median one, at {rows} tokens) took {milliseconds(cached)} behind the cache, {milliseconds(again)} "
        "without: "
        f"**{number(again / cached, 1)} times** as long, for {rows} times as many rows. Time grows less than work: every pass "
        f"has costs of its own, and a single row uses a machine badly. Measured here once{slower}."
    )


def filling(run: Run) -> None:
    """The cache as it stands at the word shown; it follows the text while that runs."""
    st.fragment(_filling, run_every=5 * TICK_S if is_running(run) else None)(run)


def _filling(run: Run) -> None:
    n = run.beats[-1].n_tokens
    cache = run.race.cache
    ids = run.race.token_ids[:n]
    words = [*run.prompt.words, *checkpoint.words(run.trained, ids[len(run.prompt.ids) :])]
    figure = cache_fill(cache.k[:, :, :n], cache.v[:, :, :n], len(run.prompt.ids), cache.n_ctx, words, **look(slide_zoom()))
    m = run.trained.model
    per_token = 4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v)
    plot(figure, f"{n} tokens cached in {m.n_layer} layers, {n * per_token:,} bytes.", "cache_fill")
    with st.container(key="takeaway_fill"):
        st.markdown(
            f"{n} tokens × {m.n_layer} layers × {m.n_kv_head} key/value heads × ({m.d_head} + {m.d_v}) numbers × 4 bytes = "
            f"**{n * per_token:,} bytes**. The last word chosen is not in it yet: it has not been fed back."
        )
