"""The clock beside the counts: both passes measured in this process when the reader asks, and why time is not work."""

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from math import nan

import streamlit as st

from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import generate
from engine.experiments.random_model import MAX_LAYERS
from engine.timing.in_turns import compared, in_turns
from engine.timing.one_step import LENGTHS, TimedLength, WideStack, flops, timed_lengths
from engine.toy.scenario import Scenario
from pages.lessons.counting.figures.step_times import step_times
from pages.lessons.counting.saved import toy_ids
from pages.lessons.counting.steps import COUNTED
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.text.amounts import times
from pages.parts.visit.session import of_this_visit

QUEUE_S = 15.0  # the longest that somebody waits for others who measure
START_S = 1.5  # the longest that a server measures before it lets anybody in; only a busy machine takes so long
_ONE_AT_A_TIME = FairLock()


@dataclass
class Timed:
    """lengths: that this visit timed last, () where the queue was too long; asked: whether it has asked for it. whole: P, G and both
    times of the toy's whole answer, None where it is too long to count."""

    lengths: tuple[TimedLength, ...] = ()
    asked: bool = False
    whole: tuple | None = None


timed = of_this_visit(Timed)
_AT_THE_START: list[tuple[TimedLength, ...]] = []  # what a server measures before anybody is let in


def warm_up() -> None:
    """Measure once: whoever has not pressed sees those times beside the counts."""
    _AT_THE_START[:] = [timed_lengths(WideStack(), budget_s=START_S)]


@step("The clock", minutes=4, ask="Counts are exact. Why are times not?")
def clock(s: Scenario, p: int, g: int) -> None:
    """A measurement on request, kept for the visit, beside the counts."""
    lead("Is a step that does less work faster by as much?")
    measured = bool(timed().lengths or (_AT_THE_START and not timed().asked))
    taken = timed().lengths or (_AT_THE_START[0] if measured else lengths_not_timed())
    if timed().asked and not timed().lengths:
        st.warning(f"Others have been measuring for {QUEUE_S:g} s. Press the button again.")
    said = "; ".join(f"{one.n_tokens} tokens: {_time_in_words(one)}operations {times(one.flop_ratio)}" for one in taken)
    label, strong = ("Measure again", "secondary") if measured else ("Start the clock on this server", "primary")
    when = ("measured now" if timed().lengths else "at this server’s start") if measured else "when you press"
    plot(step_times(sheet(), taken, when), f"{'Measured time' if measured else 'Work'} of one more token. {said}.", "step_times")
    st.button(label, key="counting_measure", icon=":material/timer:", type=strong, on_click=_measure, args=(s, p, g))
    if measured:
        takeaway("clock", _measured_in_words(taken), help=_whole_answer())
    else:
        st.markdown(
            "**And the time?** The counts are exact; the times are measured when you press: one more token, with a cache and without, on "
            f"{MAX_LAYERS} layers of width {WideStack.d_model}. Operations here are all that this server computes, products that the "
            "mask hides included."
        )


def _time_in_words(timed: TimedLength) -> str:
    """Both times of a length and their ratio, as far as they are there."""
    if not timed.measured:
        return ""
    ratio = f"time {times(timed.speed_up)}" if timed.clear else "not measurably less time"
    return f"{1e3 * timed.recomputed_s:.2g} ms without, {1e3 * timed.cached_s:.2g} ms with, {ratio}, "


@lru_cache(maxsize=1)
def lengths_not_timed() -> tuple[TimedLength, ...]:
    """The lengths with their counted operations, before anything has been measured."""
    model = WideStack()
    return tuple(TimedLength(n, nan, nan, flops(model, 1, n), flops(model, n, n), clear=False) for n in LENGTHS)


def _measure(s: Scenario, p: int, g: int) -> None:
    """Time both paths: one step at growing lengths, and a whole answer of the toy of P and G tokens, if it can hold them.

    One visitor measures at a time. Between two passes the other visitors' pages go on, and that time does not count.
    """
    timed().asked, timed().lengths = True, ()
    if not _ONE_AT_A_TIME.acquire(QUEUE_S):
        return
    try:
        with turns.in_turn():
            _measure_in_turn(s, p, g, Paused())
    finally:
        _ONE_AT_A_TIME.release()


class Paused:
    """A clock that stands still while the other visitors' pages go on."""

    def __init__(self):
        self._away_s = 0.0

    def __call__(self) -> float:
        return time.perf_counter() - self._away_s

    def pause(self) -> None:
        """Let the pages go on that wait for their turn."""
        start = time.perf_counter()
        with turns.out_of_turn():
            pass
        self._away_s += time.perf_counter() - start


def _measure_in_turn(s: Scenario, p: int, g: int, clock: Paused) -> None:
    model = WideStack()
    own = timed()
    own.lengths, own.whole = timed_lengths(model, clock=clock, between=clock.pause), None
    if tokens_processed(p, g) <= COUNTED:
        toy = replace(s, causal=True, empty_row="none")
        model, ids = toy.model(), toy_ids(toy, p)
        with_cache, without = lambda: generate(model, ids, g), lambda: generate(model, ids, g, use_cache=False)
        turns_taken = in_turns(with_cache, without, 0.1, 12, 3, clock, clock.pause)
        own.whole = (p, g, compared(turns_taken))


def _measured_in_words(taken: tuple[TimedLength, ...]) -> str:
    """Why the measured ratio of the longest length is not the counted one, or that the clock cannot tell one."""
    timed = [t for t in taken if t.measured][-1]
    missing = "" if timed is taken[-1] else f" For more than {timed.n_tokens} tokens the time was up."
    again = f"**This server is busy, measure again**: at {timed.n_tokens} tokens"
    if not timed.clear:
        return f"{again} the two times differ by less than each varies.{missing}"
    if timed.flop_ratio <= timed.speed_up:
        less = f"{times(timed.speed_up)} less time, more than the {times(timed.flop_ratio)} of the operations"
        return f"{again} a step behind the cache took {less}.{missing}"
    return (
        f"At {timed.n_tokens} tokens **the clock gives {timed.flop_ratio / timed.speed_up:.1f} times less than the count**: one row reads "
        f"every learned number for one multiplication and one addition. Servers decode many requests at once.{missing}"
    )


def _whole_answer() -> str | None:
    """The toy's answer of P and G tokens in time and in counts, as it was when it was measured; None if it was not."""
    if not timed().whole:
        return None
    p, g, both = timed().whole
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    ratio = times(both.times) if both.clear else "a difference within the noise"
    return (
        f"A whole answer of the toy, P = {p}, G = {g}: {1e3 * both.second_s:.2g} ms without a cache, {1e3 * both.first_s:.2g} ms "
        f"with it, {ratio}; K/V rows {times(without.kv_rows / cached.kv_rows)}, products "
        f"{times(without.scores / cached.scores)}. So small a model spends its time on calls, not on arithmetic."
    )
