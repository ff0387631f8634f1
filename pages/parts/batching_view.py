"""Many sequences at once: what sharing the weights saves, and where the caches take over."""

from __future__ import annotations

import streamlit as st

from engine.cost import (
    critical_batch,
    decimal_bytes,
    largest_batch,
    tokens_per_s,
    tpot_s,
    weight_read_bytes,
)
from pages.parts.figures.roofline import amount, seconds
from pages.parts.figures.throughput import throughput
from pages.parts.hardware import BATCHES, Setup
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import md, number


def ask_batch(s: Setup) -> None:
    """What doubling the batch does to one step."""
    one, two = (tpot_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (s.batch, 2 * s.batch))
    ratio = two / one
    options = ("it hardly changes", "it grows, but less than double", "it about doubles")
    answer = options[0] if ratio < 1.15 else options[2] if ratio > 1.85 else options[1]
    weights = weight_read_bytes(s.shape, s.batch, s.weight_bits)
    cache = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    predict(
        "batch",
        f"One decode step of {md(s.shape.name)} on {s.on} serves {s.batch:,} sequence{'s' * (s.batch > 1)} of {s.n_tokens:,} "
        "tokens. "
        "Double the number of sequences: what happens to the time of the step?",
        answer,
        f"{seconds(one)} become {seconds(two)}, {number(ratio, 2)} × as long. {_why_batch(s, weights, cache)}",
        options=options,
    )


def _why_batch(s: Setup, weights: float, cache: float) -> str:
    """Whose bytes are shared and whose are not."""
    text = (
        f"The weights ({decimal_bytes(weights)}) are read once for all sequences, a cache for each of them "
        f"({decimal_bytes(cache)} now)."
    )
    if s.shape.experts:
        text += " More tokens also visit more experts, so more weights are read."
    if 2 * s.batch > critical_batch(s.device, s.weight_bits):
        text += " And so many tokens keep the arithmetic busy: now it is what takes time."
    return text


def batching(s: Setup) -> None:
    """Tokens a second against batch."""
    with_cache = [tokens_per_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in BATCHES]
    without = [tokens_per_s(s.shape, 0, s.device, b, **s.options) for b in BATCHES]
    now = tokens_per_s(s.shape, s.n_tokens, s.device, s.batch, **s.options)
    ceiling = s.n_devices * s.device.bytes_per_s / s.shape.kv_bytes(s.n_tokens, 1, s.kv_bits)
    most = largest_batch(s.shape, s.n_tokens, s.device, **s.options)
    alt = (
        f"Tokens a second against batch for {s.shape.name} on {s.on}, {s.n_tokens:,} tokens each: "
        + ", ".join(f"{amount(v)} at {b:,}" for b, v in list(zip(BATCHES, with_cache, strict=True))[::3])
        + f". At most {amount(ceiling)}; {most:,} sequences fit into memory."
    )
    plot(
        throughput(BATCHES, with_cache, without, ceiling, s.batch, now, most, **look(1.1 if presenting() else 1.0)),
        alt,
        "throughput",
    )
    with st.container(key="takeaway_batch"):
        st.markdown(_batching(s, with_cache, ceiling, most))


def _batching(s: Setup, with_cache: list[float], ceiling: float, most: int) -> str:
    """Where batching helps and what stops it."""
    limit = (
        f"Memory is full at **{most:,}** sequences."
        if most
        else f"It does not fit on {s.on} at all; the curve is what it would do with more memory."
    )
    matrices = critical_batch(s.device, s.weight_bits)
    return (
        f"Batching helps while sequences share one reading of the weights: {amount(with_cache[0])} tokens a second for one, "
        f"**{amount(with_cache[4])}** for {BATCHES[4]}. It stops where each brings a cache of its own: never more than "
        f"{amount(ceiling)} a second at this context. {limit} Products with weights turn compute-bound at {amount(matrices)} "
        "tokens in flight; attention never does by batching. Each reader’s own speed only falls."
    )
