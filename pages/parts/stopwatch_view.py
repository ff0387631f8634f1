"""The clock beside the counts: both passes measured in this process when the reader asks, and why time is not work."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import generate
from engine.stack import MAX_LAYERS
from engine.stopwatch import Lap, WideStack, laps, race
from engine.toy import Scenario
from pages.parts.counting_view import COUNTED, sizes, toy_ids
from pages.parts.figures.step_times import step_times
from pages.parts.figures.strips import times
from pages.parts.look import look, presenting
from pages.parts.plot import plot


def clock(s: Scenario) -> None:
    """A measurement on request, kept for the visit, beside the counts."""
    st.button("Measure on this server, now", key="measure", icon=":material/timer:", on_click=_measure, args=(s,))
    taken: tuple[Lap, ...] | None = st.session_state.get("laps")
    if taken is None:
        st.markdown(
            "Counts are exact and time is not. Press the button, and the server decodes one more token with a cache and without, "
            f"on a model of {MAX_LAYERS} layers and width {WideStack.d_model} with random parameters, at several lengths. "
            "It takes less than a second."
        )
        return
    said = "; ".join(
        f"{lap.n_tokens} tokens: {1e3 * lap.recomputed_s:.2g} ms without, {1e3 * lap.cached_s:.2g} ms with, "
        f"time {times(lap.speed_up)}, operations {times(lap.flop_ratio)}"
        for lap in taken
    )
    plot(step_times(taken, **look()), f"Measured time of one more token. {said}.", "step_times")
    st.markdown(_measured_in_words(taken[-1]))
    _whole_answer()


def _measure(s: Scenario) -> None:
    """Time both paths: one step at growing lengths, and a whole answer of the toy of P and G tokens, if it can hold them."""
    model = WideStack()
    st.session_state["laps"] = laps(model)
    p, g = sizes(s)
    st.session_state["whole"] = None
    if tokens_processed(p, g) <= COUNTED:
        toy = replace(s, causal=True, empty_row="none")
        model, ids = toy.model(), toy_ids(toy, p)
        pair = race(lambda: generate(model, ids, g), lambda: generate(model, ids, g, use_cache=False), budget_s=0.1)
        st.session_state["whole"] = (p, g, *pair)


def _measured_in_words(lap: Lap) -> str:
    """Why the measured ratio is not the counted one."""
    share = lap.flop_ratio / lap.speed_up
    if share > 1:
        gap = f"**{share:.1f} times less than the {times(lap.flop_ratio)} of the operations**"
    else:
        gap = f"more than the {times(lap.flop_ratio)} of the operations: something else kept this server busy, measure again"
    return (
        f"At {lap.n_tokens} tokens a step behind the cache took {times(lap.speed_up)} less time, {gap}. A large product keeps "
        "the arithmetic busy; a single row does not: it reads every parameter for two operations each, so memory and the cost of "
        "calling decide. That is why counts are not time, and why servers decode many requests at once."
    )


def _whole_answer() -> None:
    """The toy's answer of P and G tokens in time and in counts, as it was when it was measured."""
    whole = st.session_state.get("whole")
    if not whole or presenting():
        return
    p, g, cached_s, recomputed_s = whole
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    st.caption(
        f"A whole answer of the toy, P = {p}, G = {g}: {1e3 * recomputed_s:.2g} ms without a cache, {1e3 * cached_s:.2g} ms "
        f"with it, {times(recomputed_s / cached_s)}; K/V rows {times(without.kv_rows / cached.kv_rows)}, products "
        f"{times(without.scores / cached.scores)}. So small a model spends its time on calls, not on arithmetic."
    )
