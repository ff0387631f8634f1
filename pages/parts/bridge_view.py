"""The bridge: one table from the toy over a trained model to a real one, and its question."""

from __future__ import annotations

import streamlit as st

from engine import generate
from engine.cost import (
    both_bytes,
    decimal_bytes,
    memory_use,
)
from engine.cost.request import Request, recomputed_s, request
from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.toy import Scenario
from pages.parts import hardware, machine, tables, trained
from pages.parts.figures.roofline import amount, seconds
from pages.parts.figures.side_by_side import side_by_side
from pages.parts.hardware import Setup
from pages.parts.look import look, presenting
from pages.parts.memory_view import toy_cache
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import md

TOY_GENERATED = 8  # at most: enough to count
MOST_WATTS, MOST_PRICE = 10_000_000, 1_000_000
SYMBOLS = (
    "P, tokens in the prompt", "G, tokens generated", "N = P + G − 1, rows in the cache", "layers × KV heads × width",
    "KV bytes a token", "KV bytes at the end", "weights", "TTFT, the first token", "TPOT, each further one",
    "end to end: TTFT + (G − 1) · TPOT",
)  # fmt: skip


def controls() -> None:
    """The real model and its device, prompt and answer."""
    hardware.model_and_device()
    left, middle, right = st.columns(3)
    with left:
        hardware.token_slider("p", "Tokens in the prompt (P)", hardware.DEFAULT_PROMPT)
    with middle:
        hardware.token_slider("g", "Tokens generated (G)", hardware.DEFAULT_GENERATED, hardware.MOST_GENERATED)
    with right:
        hardware.batch_slider()


def table(s: Setup, toy: Scenario, n_generated: int) -> None:
    """Three columns, the same symbols."""
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    columns = (_toy(toy, n_generated), _trained(s.n_tokens, n_generated), _real(s, r))
    heads = (("The toy", "counted"), ("A trained model", "measured here, NumPy"), (s.shape.name, f"estimated, {s.on}"))
    rows = [(name, *cells) for name, *cells in zip(SYMBOLS, *columns, strict=True)]
    alt = " ".join(f"{name}: {', '.join(cells)}." for name, *cells in rows)
    alt = f"Columns: {'; '.join(f'{name}, {how}' for name, how in heads)}. {alt}"
    plot(side_by_side(heads, rows, len(rows) - 1, **look(0.88 if presenting() else 1.0)), alt, "side_by_side")
    with st.container(key="takeaway_bridge"):
        st.markdown(_honest(s, n_generated, r))
    if not presenting():
        head = ("symbol", *(f"{name}: {how}" for name, how in heads))
        tables.download("bridge", head, rows)
        machine.button()


def _toy(toy: Scenario, n_generated: int) -> tuple[str, ...]:
    """Counted, as the engine runs it."""
    cache, n = toy_cache(toy), len(toy.tokens)
    g = min(n_generated, TOY_GENERATED)
    counts = generate(toy.model(), toy.prompt_ids, g).counts if _finite(toy) else cached_counts(n, g)
    per_token = cache.nbytes // n
    n_layer, n_kv_head, _, d_head = cache.k.shape
    width = f"{n_layer} × {n_kv_head} × ({d_head} + {cache.v.shape[3]})"
    numbers = sum(len(row) for row in toy.w_vocab)
    return (
        f"{n}", f"{g}", f"{counts.kv_rows}", width, f"{per_token:,} B", f"{per_token * counts.kv_rows:,} B",
        f"W: {numbers} number{'s' * (numbers > 1)}", "not timed", "not timed", f"1 + {g - 1} passes",
    )  # fmt: skip


def _finite(toy: Scenario) -> bool:
    """Whether the toy can choose words at all: not where an empty row is NaN."""
    return toy.empty_row != "nan"


def _trained(n_prompt: int, n_generated: int) -> tuple[str, ...]:
    """Measured on this machine."""
    t, shape = trained.times(n_prompt, n_generated), trained.shape()
    per_token = t.kv_bytes // t.n_tokens
    return (
        f"{t.n_prompt}", f"{t.n_generated}", f"{t.n_tokens}", f"{shape.n_layer} × {shape.n_kv_head} × 2 · {shape.d_head}",
        f"{per_token:,} B", decimal_bytes(t.kv_bytes), decimal_bytes(shape.weight_bytes(trained.BITS)), seconds(t.ttft_s),
        seconds(t.tpot_s) if t.n_generated > 1 else "none", seconds(t.end_to_end_s),
    )  # fmt: skip


def _real(s: Setup, r: Request) -> tuple[str, ...]:
    """Estimated: a bound."""
    n = tokens_processed(r.n_prompt, r.n_generated)
    x = s.shape
    width = f"{x.n_layer} × latent {x.kv_row}" if x.latent else f"{x.n_layer} × {x.n_kv_head} × 2 · {x.d_head}"
    return (
        f"{r.n_prompt:,}", f"{r.n_generated:,}", f"{n:,}", width, f"{x.kv_bytes_per_token(s.kv_bits):,} B",
        both_bytes(x.kv_bytes(n, 1, s.kv_bits)), decimal_bytes(x.weight_bytes(s.weight_bits)), f"≥ {seconds(r.ttft_s)}",
        f"≥ {seconds(r.tpot_s)}" if r.n_generated > 1 else "none", f"≥ {seconds(r.end_to_end_s)}",
    )  # fmt: skip


def _honest(s: Setup, n_generated: int, r: Request) -> str:
    """What the three columns may be compared in, and what not."""
    text = (
        "The symbols are the same, and so are the laws; what is known differs. The toy’s rows are **counted**, the trained "
        "model’s times **measured**, the real model’s a **bound**: not faster than this, with peaks as the vendor prints them."
    )
    t, shape, here = trained.times(s.n_tokens, n_generated), trained.shape(), machine.measured()
    if here:
        own = request(shape, t.n_prompt, t.n_generated, here, weight_bits=trained.BITS, kv_bits=trained.BITS)
        text += (
            f" Held against its own bound on this machine ({seconds(own.end_to_end_s)}), the trained model takes "
            f"{amount(t.end_to_end_s / own.end_to_end_s)} × as long: so small a model spends its time on calls, not on memory."
        )
    text += f" Without its cache it needs {seconds(t.recomputed_s)} instead of {seconds(t.end_to_end_s)}."
    if not memory_use(s.shape, tokens_processed(r.n_prompt, r.n_generated), s.device, s.batch, **s.options).fits:
        text += f" **This does not fit on {s.on}**: the times are those of a device with more memory."
    return text


def ask_rows(s: Setup, n_generated: int) -> None:
    """How many times as many key/value rows are computed without a cache."""
    p, g = s.n_tokens, n_generated
    question, factor = rows_question(p, g)
    r = request(s.shape, p, g, s.device, s.batch, **s.options)
    slow = recomputed_s(s.shape, p, g, s.device, s.batch, **s.options)
    rows = recomputed_counts(p, g).kv_rows
    predict(
        "kv_rows_factor",
        question,
        factor,
        f"G·P + G(G − 1)/2 = {rows:,} rows, divided by {tokens_processed(p, g):,}. In time it is "
        f"{amount(slow / r.end_to_end_s)} × by the roofline of {md(s.shape.name)} on {s.on}, another number, because a pass over "
        "many tokens uses arithmetic that decode leaves idle: counts carry over from the toy exactly, times do not.",
        tolerance=max(0.01, 0.01 * factor),
    )


def rows_question(n_prompt: int, n_generated: int) -> tuple[str, float]:
    """The question and its answer."""
    n = cached_counts(n_prompt, n_generated).kv_rows
    question = (
        f"P = {n_prompt:,} and G = {n_generated:,}, in the toy’s own terms: with a cache each layer and head computes N = {n:,} "
        "rows of K and V. How many times as many does it compute **without** one?"
    )
    return question, round(recomputed_counts(n_prompt, n_generated).kv_rows / n, 4)
