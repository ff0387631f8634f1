"""The bridge: one table from the toy over a trained model to a real one, and its question."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from engine import generate
from engine.cost import both_bytes, decimal_bytes, memory_use
from engine.cost.requests import Request, recomputed_s, request
from engine.cost.times import pass_parts
from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.prefill import filled_cache
from engine.timing.one_answer import TimedAnswer
from engine.toy.scenario import Scenario
from pages.lessons.bridge.figures.side_by_side import side_by_side
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import bundled_times, setup, this_machine
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import md, quantity
from pages.parts.visit import scenario
from pages.parts.visit.display import presenting

TOY_GENERATED = 8  # at most: enough to count
SYMBOLS = (
    "P, tokens in the prompt", "G, tokens generated", "N = P + G − 1, K/V rows computed", "layers × KV heads × width",
    "KV bytes of the next token", "KV bytes at the end", "weights", "TTFT, the first token", "TPOT, each further one",
    "end to end: TTFT + (G − 1) · TPOT",
)  # fmt: skip


def given() -> tuple[Setup, Scenario, int]:
    """What runs on what, with the prompt as its sequence; the toy; how many tokens are generated."""
    n_prompt, n_generated = setup.prompt_and_answer()
    return setup.setup(n_tokens=n_prompt, weighed=True), scenario.current(), n_generated


def _controls() -> None:
    """The real model and its device, prompt and answer."""
    setup.model_and_device(weighed=True)
    left, right = st.columns([2, 1])
    with left:
        setup.prompt_and_batch()
    with right:
        setup.answer_slider()


@step(
    "Side by side",
    minutes=5,
    ask="What of the toy is the same in a real model, and what is larger only?",
    wrong={"Real models do something else": "the same equation, more of everything"},
)
def table(s: Setup, toy: Scenario, n_generated: int) -> None:
    """Three columns, the same symbols."""
    lead("Read one line across: the same symbol on three machines.", "KV cache", "TTFT", "TPOT")
    _controls()
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    columns = (_toy(toy, n_generated), _trained(s.n_tokens, n_generated), _real(s, r))
    heads = (("The toy", "counted"), ("A trained model", "measured here, NumPy"), (s.shape.name, f"estimated, {s.on}"))
    rows = [(name, *cells) for name, *cells in zip(SYMBOLS, *columns, strict=True)]
    alt = " ".join(f"{name}: {', '.join(cells)}." for name, *cells in rows)
    alt = f"Columns: {'; '.join(f'{name}, {how}' for name, how in heads)}. {alt}"
    plot(side_by_side(sheet(0.95), heads, rows, len(rows) - 1), alt, "side_by_side")
    takeaway("bridge", _honest(s, r))
    if not presenting():
        with st.expander(
            "The trained model without its cache, this machine’s bound, the table as a file", icon=":material/info:"
        ):
            st.markdown(_own_bound(s, n_generated))
            tables.download("bridge", ("symbol", *(f"{name}: {how}" for name, how in heads)), rows)
            this_machine.button()


def _toy(toy: Scenario, n_generated: int) -> tuple[str, ...]:
    """Counted, as the engine runs it."""
    return _toy_column(toy, min(n_generated, TOY_GENERATED))


@lru_cache(maxsize=64)
def _toy_column(toy: Scenario, g: int) -> tuple[str, ...]:
    """Kept: what is moved here are the real model's lengths."""
    cache, n = filled_cache(toy.model(), toy.prompt_ids), len(toy.tokens)
    counts = generate(toy.model(), toy.prompt_ids, g).counts if _finite(toy) else cached_counts(n, g)
    per_token = cache.nbytes // n
    n_layer, n_kv_head, _, d_head = cache.k.shape
    width = f"{n_layer} × {n_kv_head} × ({d_head} + {cache.v.shape[3]})"
    numbers = sum(len(row) for row in toy.w_vocab)
    return (
        f"{n}", f"{g}", f"{counts.kv_rows}", width, f"{per_token:,} B", f"{per_token * counts.kv_rows:,} B",
        f"W: {quantity(numbers, 'number')}", "not timed", "not timed", f"1 + {quantity(g - 1, 'pass')}",
    )  # fmt: skip


def _finite(toy: Scenario) -> bool:
    """Whether the toy can choose words at all: not where an empty row is NaN."""
    return toy.empty_row != "nan"


def _trained(n_prompt: int, n_generated: int) -> tuple[str, ...]:
    """Measured on this machine."""
    t, shape = bundled_times.times(n_prompt, n_generated), bundled_times.shape()
    per_token = t.kv_bytes // t.n_tokens
    return (
        f"{t.n_prompt}", f"{t.n_generated}", f"{t.n_tokens}", f"{shape.n_layer} × {shape.n_kv_head} × 2 · {shape.d_head}",
        f"{per_token:,} B", decimal_bytes(t.kv_bytes), decimal_bytes(shape.weight_bytes(bundled_times.BITS)), seconds(t.ttft_s),
        seconds(t.tpot_s) if t.n_generated > 1 else "none", seconds(t.end_to_end_s),
    )  # fmt: skip


def _real(s: Setup, r: Request) -> tuple[str, ...]:
    """Estimated: a bound."""
    n = tokens_processed(r.n_prompt, r.n_generated)
    x = s.shape
    width = (
        f"{sum(x.kept.values())} × latent {x.kv_row}{f' + {x.d_index}' * bool(x.d_index)}"
        if x.latent
        else f"{sum(x.kept.values())} × {x.n_kv_head} × 2 · {x.d_head}"
    )
    return (
        f"{r.n_prompt:,}", f"{r.n_generated:,}", f"{n:,}", width, f"{x.next_token_bytes(n, s.kv_bits):,} B",
        both_bytes(x.kv_bytes(n, 1, s.kv_bits)), decimal_bytes(x.weight_bytes(s.weight_bits)), f"≥ {seconds(r.ttft_s)}",
        f"≥ {seconds(r.tpot_s)}" if r.n_generated > 1 else "none", f"≥ {seconds(r.end_to_end_s)}",
    )  # fmt: skip


def _honest(s: Setup, r: Request) -> str:
    """What the three columns may be compared in, and what not."""
    if not memory_use(s.shape, tokens_processed(r.n_prompt, r.n_generated), s.device, s.batch, **s.memory).fits:
        return f"**This does not fit on {s.on}**: the real model’s times are those of a device with more memory."
    return (
        "The toy’s rows are **counted**, the trained model’s times **measured**; the real model’s are a **bound**: not faster "
        f"than this.{s.assumed}"
    )


def _own_bound(s: Setup, n_generated: int) -> str:
    """The trained model without its cache, and held against this machine's bound once that is measured."""
    t, shape, here = bundled_times.times(s.n_tokens, n_generated), bundled_times.shape(), this_machine.measured()
    text = _without_cache(t)
    if here:
        own = request(shape, t.n_prompt, t.n_generated, here, weight_bits=bundled_times.BITS, kv_bits=bundled_times.BITS)
        text += (
            f" Held against its own bound on this machine ({seconds(own.end_to_end_s)}), the trained model takes "
            f"{amount(t.end_to_end_s / own.end_to_end_s)} × as long: so small a model spends its time on calls, not on memory."
        )
    return text


def _without_cache(t: TimedAnswer) -> str:
    """The trained model's answer without its cache, as far as the clock tells a difference."""
    if t.n_generated == 1:
        return "One token is one pass, with a cache and without."
    both = f"Without its cache it needs {seconds(t.recomputed_s)} instead of {seconds(t.end_to_end_s)}"
    return f"{both}." if t.clear else f"{both}, a difference within the noise: this server was busy when it measured."


def _why_time(s: Setup, r: Request) -> str:
    """Why the ratio in time is what it is: what a decode step waits for, where there is one."""
    if r.n_generated == 1:
        return "one token is one pass, with a cache and without"
    n_past = (r.n_prompt + r.n_prompt + r.n_generated - 2) // 2
    parts = pass_parts(s.shape, 1, s.device, n_past, s.batch, **s.options)
    idle = sum(map(max, parts)) - sum(computing for computing, _ in parts)
    if idle > 0.1 * sum(map(max, parts)):
        return "a pass over many tokens uses arithmetic that decode leaves idle"
    return "here decode, too, waits for arithmetic, so time follows the operations"


def rows_question(s: Setup, n_generated: int) -> Question:
    """The rows of both ways for this prompt and answer, and what their ratio is in time."""
    p, g = s.n_tokens, n_generated
    n = cached_counts(p, g).kv_rows
    factor = round(recomputed_counts(p, g).kv_rows / n, 4)
    r = request(s.shape, p, g, s.device, s.batch, **s.options)
    slow = recomputed_s(s.shape, p, g, s.device, s.batch, **s.options)
    rows = recomputed_counts(p, g).kv_rows
    return Question(
        "kv_rows_factor",
        f"P = {p:,} and G = {g:,}, in the toy’s own terms: with a cache each layer and head computes N = {quantity(n, 'row')} of K and V. "
        "How many times as many does it compute **without** one?",
        factor,
        f"G·P + G(G − 1)/2 = {quantity(rows, 'row')}, divided by {tokens_processed(p, g):,}. In time {amount(slow / r.end_to_end_s)} × for "
        f"{md(s.shape.name)} on {s.on}: {_why_time(s, r)}. Counts carry over from the toy exactly, times do not.",
        tolerance=max(0.01, 0.01 * factor),
        high=1e7,
    )
