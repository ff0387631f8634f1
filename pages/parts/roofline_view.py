"""The roofline and its operations, attention’s intensity, and from when on a step reads more cache than weights."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import streamlit as st

from engine.cost import (
    attention_intensity,
    binary_bytes,
    bound,
    decimal_bytes,
    even_context,
    memory_use,
    operations,
    tpot_s,
)
from engine.cost.points import Point, points, whole
from pages.parts import hardware, tables
from pages.parts.figures.attention_intensity import intensity_lines
from pages.parts.figures.roofline import amount, flops_per_s, roofline, seconds
from pages.parts.hardware import Setup
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import md, number

NIM_TTFT_S, NIM_TPOT_S = 0.5, 0.030  # given in the question; with 200 tokens NVIDIA's example, 6.47 s


def passes(s: Setup) -> tuple[tuple[Point, tuple[Point, ...]], tuple[Point, tuple[Point, ...]]]:
    """Prefill of s.n_tokens and the decode step behind them: the whole and its operations."""
    bits = (s.weight_bits, s.kv_bits)
    found = []
    for name, n_new, n_past in (("prefill", s.n_tokens, 0), ("decode", 1, s.n_tokens)):
        ops = operations(s.shape, n_new, n_past, s.batch, *bits)
        found.append((whole(name, ops, s.device, s.n_devices), points(ops, s.device, s.n_devices)))
    return found[0], found[1]


def roof(s: Setup) -> None:
    """The figure, and what it says in one sentence."""
    prefill, decode = passes(s)
    alt = (
        f"Roofline of {s.on}: at most {flops_per_s(s.n_devices * s.device.flops_per_s)}, "
        f"{decimal_bytes(s.n_devices * s.device.bytes_per_s)} a second, ridge at {number(s.device.ridge, 1)} FLOP a byte. "
        + " ".join(
            f"{p.name}: {amount(p.arithmetic_intensity)} FLOP a byte, waits for {p.waits_for}." for p in (prefill[0], decode[0])
        )
    )
    plot(roofline(s.device, s.on, s.n_devices, prefill, decode, **look(0.82 if presenting() else 1.0)), alt, "roofline")
    with st.container(key="takeaway_roof"):
        st.markdown(_bends(s, prefill[0], decode[0]))


def _bends(s: Setup, prefill: Point, decode: Point) -> str:
    """What each phase waits for, with its reason."""
    reads = "reads every weight for one token" if s.batch == 1 else f"reads every weight for {s.batch:,} tokens"
    text = (
        f"Prefill does **{amount(prefill.arithmetic_intensity)}** FLOP for each byte it moves and waits for "
        f"**{prefill.waits_for}**; decode, which {reads}, does **{amount(decode.arithmetic_intensity)}** and waits for "
        f"**{decode.waits_for}**: the ridge is at {number(s.device.ridge, 1)}. "
    )
    if decode.waits_for == "memory":
        idle = 1 - decode.arithmetic_intensity / s.device.ridge
        text += f"At best {number(100 * (1 - idle), 1)}% of the arithmetic can be used while decoding."
    if not memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.options).fits:
        text += f" **It does not fit on {s.on}**: this is what more memory would do."
    return text


def operation_table(s: Setup) -> None:
    """Every operation of both phases, on the page and as a file."""
    (_, prefill), (_, decode) = passes(s)
    head = ("operation", "prefill FLOP", "bytes", "FLOP a byte", "waits for", "decode FLOP", "bytes", "FLOP a byte", "waits for")
    tables.table(head, [(a.name, *_cells(a), *_cells(b)) for a, b in zip(prefill, decode, strict=True)])
    st.caption(
        f"{md(s.shape.name)}, all {s.shape.n_layer} layers together, {s.n_tokens:,} tokens, batch {s.batch:,}, visible pairs "
        "only. "
        "Attention is one fused kernel: softmax happens where the scores are and moves no byte of its own. The head works on "
        "the last token only. Norms, activation functions and residual sums are fused into their neighbours and left out."
    )
    raw_head = (
        "phase", "operation", "flops", "bytes", "flops_per_byte", "roofline_s", "waits_for", "model", "device", "n_devices",
        "n_tokens", "batch", "weight_bits", "kv_bits",
    )  # fmt: skip
    where = (s.shape.name, s.device.name, s.n_devices, s.n_tokens, s.batch, s.weight_bits, s.kv_bits)
    raw = [
        (phase, p.name, p.flops, p.bytes, p.arithmetic_intensity, p.seconds, p.waits_for, *where)
        for phase, ops in (("prefill", prefill), ("decode", decode)) for p in ops
    ]  # fmt: skip
    tables.download("operations", raw_head, raw)


def _cells(p: Point) -> tuple[str, str, str, str]:
    if not p.bytes:
        return flop(p.flops), "in the kernel", "", p.waits_for
    return flop(p.flops), decimal_bytes(p.bytes), amount(p.arithmetic_intensity), p.waits_for


def flop(n: float) -> str:
    """A number of operations: 68.7 GFLOP."""
    return flops_per_s(n).removesuffix("/s")


def intensity(s: Setup) -> None:
    """T/2 against 1."""
    group = 1 if s.shape.latent else s.shape.n_head // s.shape.n_kv_head
    t = s.n_tokens
    alt = (
        f"FLOP a byte of attention against tokens, both logarithmic: prefill rises as T/2, decode stays near 1. At {t:,} tokens "
        f"{amount(attention_intensity(t))} and {number(attention_intensity(1, t - 1), 2)}; the ridge of {s.device.name} is "
        f"{number(s.device.ridge, 1)}."
    )
    plot(intensity_lines(s.device, t, group, **look(1.1 if presenting() else 1.0)), alt, "intensity")
    with st.container(key="takeaway_intensity"):
        crossing = ceil(2 * s.device.ridge)
        grouped = (
            f" In {md(s.shape.name)} {group} query heads share what is read, which makes it {group} × as much: still "
            f"{bound(group, s.device)}-bound."
            if group > 1
            else ""
        )
        latent = " A latent, shared by all heads, is read once for all of them: see the table above." if s.shape.latent else ""
        st.markdown(
            f"With S keys and T queries fused 16-bit attention does S·T / (S + T) FLOP a byte: **T/2 = "
            f"{amount(attention_intensity(t))}** in prefill, from {crossing:,} tokens on more than this device’s ridge; "
            f"**about 1** in decode, however long the context and large the batch.{grouped}{latent} Counted as published, over "
            "the "
            "dense square; a kernel that skips what the mask hides does half of prefill’s."
        )


def ask_even(s: Setup) -> None:
    """From which context on the caches take longer to read than the weights."""
    n = even_context(s.shape, s.batch, s.weight_bits, s.kv_bits)
    each = "" if s.batch == 1 else f", in each of {s.batch:,} sequences"
    question = (
        f"{md(s.shape.name)}, weights in {s.weight_bits} bits, cache in {s.kv_bits}. A decode step reads the weights once and "
        "all "
        f"cached rows. From how many tokens of context{each} on is more time spent on the **cache** than on the weights?"
    )
    weights, row = s.shape.weight_bytes(s.weight_bits), s.shape.kv_bytes_per_token(s.kv_bits)
    if n is None:
        options = ("from 4,096 tokens on", "from 131,072 tokens on", "never")
        predict(
            "even", question, options[2],
            f"Every layer looks back a window only, so the caches stop growing at "
            f"{decimal_bytes(s.shape.kv_bytes(10**9, s.batch, s.kv_bits))}, below the weights’ {decimal_bytes(weights)}.",
            options=options,
        )  # fmt: skip
        return
    predict("even", question, float(n), _why_even(s, n, weights, row), tolerance=max(0.5, 0.02 * n), unit="tokens")


def _why_even(s: Setup, n: int, weights: int, row: int) -> str:
    """The division, and the published figure for the model that has one."""
    text = (
        f"{weights:,} bytes of weights / ({row:,} bytes a token"
        f"{f' × {s.batch:,} sequences' if s.batch > 1 else ''}): there a step takes twice as long as with an empty context, "
        f"{seconds(tpot_s(s.shape, n, s.device, s.batch, **s.options))} on {s.on}. "
        if not any(s.shape.windows)
        else f"There the caches, {decimal_bytes(s.shape.kv_bytes(n, s.batch, s.kv_bits))} with their windows, equal the weights. "
    )
    usual = replace(s, batch=1, weight_bits=16, kv_bits=16) == s and s.shape.name == "Llama-3.1-8B"
    if usual:
        rounded = int(16.06e9 / row)
        text += f"Often printed as {rounded:,}: the same division with the weights rounded to 16.06 GB. "
    if s.shape.experts:
        text += (
            "All experts’ weights are counted; a single token reads only its own, so for it the cache takes over much earlier. "
        )
    return text + f"(One cache at that length: {binary_bytes(s.shape.kv_bytes(n, 1, s.kv_bits))}.)"


def prompt_controls() -> None:
    """Model and device, prompt and batch: the controls above the roofline."""
    hardware.model_and_device()
    hardware.tokens_and_batch("p", "Tokens in the prompt (P), then the context of decode", hardware.DEFAULT_PROMPT)
