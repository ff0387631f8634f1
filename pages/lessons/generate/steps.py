"""The answer as it is written twice, word by word with its times, and the cache as it fills."""

import time
from collections.abc import Callable

import streamlit as st

from engine.timing.both_ways import TimedStep, compared_answers, saved_s, too_few
from engine.timing.in_turns import FEWEST
from pages.lessons.generate.figures.cache_fill import Cached, cache_fill
from pages.lessons.generate.figures.race_times import longest_of, race_times, times_as_long
from pages.lessons.generate.kept import kept, was_disturbed
from pages.lessons.generate.run import Run, has_something_to_show, is_running, watched
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.sharing import turns
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import end_of, md, number, plural, quantity
from pages.parts.trained import model
from pages.parts.visit.scenario import on_paper

SLIDE = 1.13  # a figure alone on a slide may be larger
SHOWN = 64  # letters of the answer
TICK_S = 0.25  # between two words on the page
LOOK_AHEAD_S = 0.02  # of computing in one tick
AT_START_S = 0.1  # in the first


def live(run: Run) -> None:
    """Text and timeline, word by word while it runs."""
    if has_something_to_show(run):
        _show_while_it_runs(_show_text, run, TICK_S)


def _show_while_it_runs(show: Callable[[Run], None], run: Run, every_s: float) -> None:
    """Show the run, and while it runs again whenever the browser asks. Without a fragment where it does not: one that stays keeps its
    timer, and what that asks for may take a press with it that comes at the same moment."""

    def look(run: Run) -> None:
        with turns.in_turn():
            show(run)

    (st.fragment(look, run_every=every_s) if is_running(run) else look)(run)


def _show_text(run: Run) -> None:
    """One word further while it runs, the text so far, and its times."""
    _tick(run)
    with st.container(key="streamed"):
        answer, start = model.text(run.trained, [b.token_id for b in run.timed]), end_of(prompt_end(run), 40)
        cut = len(answer) > SHOWN  # while it is written its end is news, after that it is read from the beginning
        said = end_of(answer, SHOWN) if is_running(run) or not cut else f"{answer[:SHOWN].rpartition(' ')[0]} …"
        so_far = (
            " ▌"
            if is_running(run)
            else f" ({run.shown} of {quantity(run.n_words, 'word')}{', where the model ends it' * run.ended})"
        )
        st.markdown(f"{md(start) * (said[:1] != '…')} **{md(said)}**{so_far}")
    kept_ = kept_run(run)
    timed, measured = (kept_, kept_) if kept_ else (run.timed, run.measured)
    figure = race_times(sheet(slide_zoom=SLIDE, high=318, slide_high=360), timed, run.n_words, longest_of(measured, run.n_words))
    plot(figure, _in_words(timed), "race_times")
    if kept_:
        said = f"**A run that was kept**, of {kept().measured}.{by_button(' *Generate* shows this server’s own.')}"
        takeaway("clock", said, help=_kept_clock(kept_, run))
    else:
        takeaway("clock", _clock(run))


def kept_run(run: Run) -> list[TimedStep] | None:
    """The run that was kept, with its times, where this server was busy when it measured the same; nobody has pressed anything yet."""
    if watched().own or watched().shown is not None or not was_disturbed(run.timed):
        return None
    return kept().of(run.prompt.ids, run.timed)


def prompt_end(run: Run) -> str:
    return end_of(model.text(run.trained, run.prompt.ids), 400)


def _tick(run: Run) -> None:
    """One word further, if it is there in time; the run of the whole page that ends the timer comes after the last."""
    if not is_running(run):
        return
    now = time.perf_counter()
    if run.job.problem:
        watched().running = False
        st.rerun(scope="app")
    if not run.job.advance_to(run.shown + 1, now + TICK_S):
        return
    run.job.advance_to(run.n_words, now + (AT_START_S if run.shown == 1 else LOOK_AHEAD_S))
    watched().shown = run.shown + 1
    if run.shown >= run.n_words:
        watched().running = False
        st.rerun(scope="app")


def _in_words(timed: list[TimedStep]) -> str:
    both, prefill = compared_answers(timed), timed[0]
    first, last = (
        [milliseconds(x) for x in pair] for pair in ((prefill.cached_s, prefill.recomputed_s), (both.first_s, both.second_s))
    )
    if len(timed) == 1:
        return f"1 word, out of prefill alone: after {first[0]} with a cache, {first[1]} without."
    return (
        f"{quantity(len(timed), 'word')}. With a cache: the first after {first[0]}, the last after {last[0]}. "
        f"Without: the first after {first[1]}, the last after {last[1]}."
    )


def by_button(said: str) -> str:
    """What is said of a button, which paper has not."""
    return "" if on_paper() else said


def _kept_clock(timed: list[TimedStep], run: Run) -> str:
    """What the kept run says, that it is one, when it was measured and how; and what this server took meanwhile."""
    both, own, of, times = compared_answers(timed), compared_answers(run.timed), kept(), times_as_long(timed)
    longer = f"{times} as long" if times else "no clear difference"
    return (
        f"This server is busy, and its own times ({milliseconds(own.first_s)} and {milliseconds(own.second_s)}) say little. Measured "
        f"on {quantity(of.cores, 'core')}, of each pass the fastest of at least {of.n_turns} turns: {quantity(len(timed), 'word')} "
        f"{milliseconds(both.first_s)} behind the cache, {milliseconds(both.second_s)} without, {longer}."
    )


def _clock(run: Run) -> str:
    timed = run.timed
    if len(timed) < 2:
        return (
            f"Prefill has run **{quantity(len(run.prompt.ids), 'token')}** in one pass and chosen the first word: the **TTFT**. Both ways "
            f"run the same pass, which with a cache also writes its rows.{by_button(' *Generate* writes the rest.' * (run.n_words > 1))}"
        )
    both, n_turns = compared_answers(timed), sum(len(step.turns) for step in timed[1:])
    if n_turns < FEWEST:
        return "So few passes say nothing about a difference: the clock needs more words."
    cached, again = milliseconds(both.first_s), milliseconds(both.second_s)
    if not both.clear and too_few(timed):
        longer, saved = map(milliseconds, saved_s(timed))
        return (
            f"{quantity(len(timed), 'word')} took {cached} behind the cache, {again} without, **no clear difference**: prefill, which "
            f"also writes the cache, took {longer} longer, and {plural(len(timed) - 1, 'the word', 'the words')} after it {saved} less. "
            "The clock needs more words."
        )
    if not both.clear:
        return (
            f"**This server is busy{by_button(', measure again')}**{by_button(' (*Anew*)')}: {cached} behind the cache and {again} "
            "without, but the turns do not agree which is quicker, or a pass that had to wait decides it."
        )
    rows = sum(step.n_tokens for step in timed) / timed[-1].n_tokens
    slower = by_button("; *Generate* writes slower than it ran") if both.second_s < TICK_S * len(timed) else ""
    return (
        f"{quantity(len(timed), 'word')} took {cached} behind the cache, {again} without: **{times_as_long(timed)}** as long, "
        f"for {number(rows, 1)} times as many rows: every pass has costs of its own. Measured here, in turns{slower}."
    )


@step("The cache fills", minutes=3, ask="How many bytes does a word add?")
def filling(run: Run) -> None:
    """The cache as it stands at the word shown; it follows the text while that runs."""
    lead("Each token that has been computed adds one column: its key and its value, in every layer.")
    if has_something_to_show(run):
        _show_while_it_runs(_show_filling, run, 5 * TICK_S)


def _show_filling(run: Run) -> None:
    n, room = run.timed[-1].n_tokens, len(run.prompt.ids) + run.n_words - 1
    words = [*run.prompt.words, *model.words(run.trained, run.both.token_ids[len(run.prompt.ids) : n])]
    m = run.trained.model
    size = Cached(m.n_layer, m.n_kv_head, m.d_head, m.d_v)
    figure = cache_fill(sheet(slide_zoom=SLIDE, high=410, slide_high=540), size, len(run.prompt.ids), room, words)
    plot(figure, f"{quantity(n, 'token')} cached in {m.n_layer} layers, {n * size.bytes_per_token:,} bytes.", "cache_fill")
    takeaway(
        "fill",
        f"{quantity(n, 'token')} × {m.n_layer} layers × {m.n_kv_head} key/value heads × ({m.d_head} + {m.d_v}) numbers × 4 bytes = "
        f"**{n * size.bytes_per_token:,} bytes**. The last word chosen is not in it yet: it has not been fed back.",
    )
