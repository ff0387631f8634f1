"""The lesson on time: the roofline and its operations, attention's intensity, batching, one request, and what bounds are "
"worth."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import streamlit as st

from engine.cost import (
    attention_intensity,
    binary_bytes,
    bound,
    critical_batch,
    decimal_bytes,
    end_to_end_s,
    even_context,
    largest_batch,
    memory_use,
    operations,
    tokens_per_s,
    tpot_s,
    weight_read_bytes,
)
from engine.cost.measured import SOURCE, TENSORRT_LLM
from engine.cost.points import Point, points, whole
from engine.cost.request import Request, request
from pages.parts import hardware, machine, tables
from pages.parts.figures.answer_times import answer_times
from pages.parts.figures.attention_intensity import intensity_lines
from pages.parts.figures.bound_bars import bound_bars
from pages.parts.figures.roofline import amount, flops_per_s, roofline, seconds
from pages.parts.figures.throughput import throughput
from pages.parts.hardware import BATCHES, Setup
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


def ask_end_to_end(n_generated: int) -> None:
    """TTFT + (G − 1) · TPOT."""
    total = end_to_end_s(NIM_TTFT_S, NIM_TPOT_S, n_generated)
    predict(
        "end_to_end",
        f"A server needs {number(NIM_TTFT_S, 2)} s until the first token (TTFT) and {number(1e3 * NIM_TPOT_S, 1)} ms for each "
        f"one after it (TPOT). An answer has **{n_generated:,}** tokens. After how many seconds is it complete?",
        total,
        f"{number(NIM_TTFT_S, 2)} s + ({n_generated:,} − 1) × {number(NIM_TPOT_S, 3)} s: the first token comes with prefill, "
        "so there "
        f"is one step less than tokens (NVIDIA’s definition; with 200 tokens "
        f"{number(end_to_end_s(NIM_TTFT_S, NIM_TPOT_S, 200))} s).",
        tolerance=0.006,
        unit="s",
    )


def timeline(s: Setup, n_generated: int) -> None:
    """One request, and what doubling its prompt or its answer does."""
    cases = [
        (name, request(s.shape, p, g, s.device, s.batch, **s.options))
        for name, p, g in (
            ("this request", s.n_tokens, n_generated), ("prompt doubled", 2 * s.n_tokens, n_generated),
            ("answer doubled", s.n_tokens, 2 * n_generated),
        )
    ]  # fmt: skip
    alt = " ".join(
        f"{name}: first token after {seconds(r.ttft_s)}, then {r.n_generated - 1:,} steps of {seconds(r.tpot_s)}, complete after "
        f"{seconds(r.end_to_end_s)}." for name, r in cases
    )  # fmt: skip
    plot(answer_times(cases, **look(1.1 if presenting() else 1.0)), alt, "answer_times")
    with st.container(key="takeaway_time"):
        st.markdown(_timeline(s, cases[0][1], cases[1][1]))


def _timeline(s: Setup, now: Request, longer: Request) -> str:
    """TTFT, TPOT, and what each depends on."""
    slower = longer.tpot_s / now.tpot_s - 1
    return (
        f"TTFT + (G − 1) · TPOT = {seconds(now.ttft_s)} + {now.n_generated - 1:,} × {seconds(now.tpot_s)} = "
        f"**{seconds(now.end_to_end_s)}**. The prompt’s length decides TTFT ({number(longer.ttft_s / now.ttft_s, 2)} × when it "
        "doubles) and "
        f"touches TPOT little ({number(100 * slower, 1)}%, because the cache to read is longer); the answer’s length decides "
        "how often TPOT "
        f"is paid. From {seconds(now.first_step_s)} for the second token to {seconds(now.last_step_s)} for the last: “constant” "
        "decode speed with a cache is nearly, not quite, true. Without a queue, a network and a tokenizer: this is the machine "
        "alone."
    )


def measured(s: Setup) -> None:
    """Published measurements beside our bound for them."""
    cases = [(f"{m.model}, {m.n_prompt:,} tokens", f"{m.n_devices} × {m.device}", m.bound_s, m.measured_s) for m in TENSORRT_LLM]
    alt = "Time to first token, bound and measured: " + "; ".join(
        f"{what} on {on}: {seconds(b)} of {seconds(t)}" for what, on, b, t in cases
    )
    plot(bound_bars(cases, **look(1.1 if presenting() else 1.0)), alt + ".", "bound_bars")
    shares = [b / t for *_, b, t in cases]
    first = TENSORRT_LLM[0]
    with st.container(key="takeaway_bound"):
        st.markdown(
            f"**A roofline is a bound, not a forecast.** For {first.model} and {first.n_prompt} tokens it says "
            f"{seconds(first.bound_s)}; "
            f"TensorRT-LLM on that very A100 took {seconds(first.measured_s)}. Here between {number(100 * min(shares), 0)} and "
            f"{number(100 * max(shares), 0)}% of the bound’s pace were reached: kernels start one by one, products fall short of "
            "the peak, devices talk. Read every time on this page as “not faster than”."
        )
    st.caption(f"Measured: {SOURCE}. Bound: 16-bit, visible pairs only. Device of the controls: {md(s.device.source)}.")
    machine.button()


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
