"""The roofline, and behind a press its operations one by one and attention’s intensity."""

from dataclasses import replace
from math import floor

import streamlit as st

from engine.cost import attention_intensity, bound, decimal_bytes, memory_use, operations
from engine.cost.roofline_points import Point, points, whole_pass
from engine.cost.tensor_parallel import with_copies
from engine.cost.times import decode_intensity, pass_parts
from pages.lessons.roofline import every_operation, ridges
from pages.lessons.roofline.figures.roofline import ridge_said, roofline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup, setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.amounts import amount
from pages.parts.text.format import join, md, number, percent, quantity
from pages.parts.visit.display import narrow, presenting

SLIDE = 425  # pixels of the figure, presented
MOST_IDLE = 0.5  # computing for a larger share of its time is no waiting for memory alone
SHARED = 1.005  # operations a byte of cache from which the digits shown tell them from 1


def given() -> tuple[Setup, int]:
    """What runs on what, with the prompt as its sequence, and how many tokens it generates."""
    n_prompt, n_generated = setup.prompt_and_answer()
    return setup.setup(n_tokens=n_prompt, weighed=True), n_generated


def passes(s: Setup) -> tuple[tuple[Point, tuple[Point, ...]], tuple[Point, tuple[Point, ...]]]:
    """Prefill of s.n_tokens and the decode step behind them: the whole and its operations."""
    bits = (s.weight_bits, s.kv_bits)
    phases = []
    for name, n_new, n_past in (("prefill", s.n_tokens, 0), ("decode", 1, s.n_tokens)):
        ops = with_copies(operations(s.shape, n_new, n_past, s.batch, *bits), s.shape, n_new, n_past, s.n_devices)
        phases.append((whole_pass(name, ops, s.device, s.n_devices), points(ops, s.device, s.n_devices)))
    return phases[0], phases[1]


def computing_share(s: Setup) -> float:
    """The share of a decode step's time that arithmetic takes at peak rates, parameters first and then caches."""
    parts = pass_parts(s.shape, 1, s.device, s.n_tokens, s.batch, **s.options)
    return sum(arithmetic for arithmetic, _ in parts) / sum(map(max, parts))


@step(
    "Under the roof",
    minutes=6,
    click="Drag **Sequences at once (batch)** from 1 upwards and watch the point of decode.",
    ask="Prefill and decode on one machine: which waits for what?",
    wrong={
        "Decode has less to compute, so it is nearer to the peak": (
            "one token computes less for each byte that it fetches than many tokens of a prompt do"
        )
    },
)
def roof(s: Setup, n_generated: int) -> None:
    """The figure, and what it says in one sentence."""
    names = ("prefill", "decode", "TTFT", "TPOT")
    lead("A device computes so fast and fetches so fast; one waits for whichever takes longer.", *names)
    (prefill, decode), figure = passes(s), st.container()
    widths = [1.3, *([] if narrow() else [2.3]), 0.01 if presenting() else 0.9]
    models, *lengths, more = st.columns(widths, vertical_alignment="bottom", gap="medium")
    on = setup_line.in_words(s) if narrow() else f"{md(s.shape.name)} on {s.devices}"
    with models, st.popover(on, icon=":material/tune:", key="roofline_on", width="stretch"):
        setup.model_and_device(weighed=True)
        if narrow():
            setup.prompt_and_batch()
    for place in lengths:
        with place:
            setup.prompt_and_batch()
    if not presenting():
        with more, st.popover("Each operation", icon=":material/table:", key="roofline_more", width="stretch"):
            every_operation.table(s, prefill[1], decode[1])
            st.markdown(_attention(s))
    alt = (
        f"Roofline of {s.devices}: at most {ridges.peaks(s)}, {decimal_bytes(s.n_devices * s.device.bytes_per_s)} a second, "
        f"ridge at {ridges.in_words(s, ' FLOP a byte')}."
    )
    for p in (prefill[0], decode[0]):
        alt += f" {p.name}: {amount(p.arithmetic_intensity)} FLOP a byte, waits for {p.waits_for}."
    place = sheet(0.9, slide_zoom=0.92, high=375, slide_high=SLIDE)
    with figure:
        timed = (replace(decode[0], busy=computing_share(s)), decode[1])  # as the next steps time it
        plot(roofline(place, s.device, s.devices, s.n_devices, prefill, timed, ridges.roofs_of(s)), alt, "roofline")
    if said := _whether_it_fits(s) if presenting() else _bends(s, prefill[0], decode[0]) + _whether_it_fits(s):
        takeaway("roof", said)


def _bends(s: Setup, prefill: Point, decode: Point) -> str:
    """What each phase waits for, with its reason."""
    stored, read = s.stored_and_read
    reads = f"reads {'every parameter' if read == stored else f'{read} of {stored} of parameters'} for "
    reads += "one token" if s.batch == 1 else f"{s.batch:,} tokens"
    text = (
        f"Prefill does **{amount(prefill.arithmetic_intensity)}** FLOP for each byte it moves and waits for "
        f"**{prefill.waits_for}**; decode, which {reads}, does **{amount(decode.arithmetic_intensity)}** and waits for "
        f"**{decode.waits_for}**: the ridge is at {ridges.in_words(s)}. "
    )
    share = computing_share(s)
    if percent(share) != percent(1) if decode.waits_for == "compute" else share > MOST_IDLE:
        text += f"That is the pass as one point: parameters first and then caches, decode computes {percent(share)} of its time. "
    return text + s.assumed


def _whether_it_fits(s: Setup) -> str:
    """That it does not fit, where it does not."""
    fits = memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.memory).fits
    return "" if fits else f" **It does not fit on {s.devices}**: this is what more memory would do."


def _attention(s: Setup) -> str:
    """T/2 FLOPs a byte in prefill against 1 in decode, and against what shared heads or a latent make of it."""
    crossing = floor(2 * s.device.ridge) + 1
    return (
        f"**Attention alone.** Where T queries meet T keys, in prefill without a window: T/2 = "
        f"{amount(attention_intensity(s.n_tokens))} FLOP a byte, from "
        f"{quantity(crossing, 'token')} on more than this device’s ridge{_at_16(s)}. One query meets them in decode: at most 1 where heads "
        f"share nothing, however long the context and large the batch, since every sequence reads a cache of its own."
        f"{_shared(s, most_here(s))} (S·T / (S + T) FLOP a byte with S keys and T queries, fused 16-bit attention, as published: over "
        "the dense square, of which a kernel that skips what the mask hides does half. Shared heads and fewer bits a cached number, g "
        "times as much a byte of cache, make it S·g / (S + g) in decode: queries and results are moved too.)"
    )


def most_here(s: Setup) -> float:
    """FLOPs a byte that decode's attention comes near here: what shared heads, a latent and few bits give, over the copies."""
    return decode_intensity(s.shape, s.kv_bits) / s.copies


def _at_16(s: Setup) -> str:
    """Of which numbers the ridge is that T/2 is held against, where this setup's numbers are multiplied at another rate."""
    return " at 16 bits" if {one.flops_per_s for one in ridges.roofs_of(s)} != {s.device.flops_per_s} else ""


def _causes(s: Setup) -> list[str]:
    """What makes a byte of cache serve more than one operation."""
    shared = ["query heads share what is read"] * (decode_intensity(s.shape) / s.copies >= SHARED)
    return shared + [f"a cached number has {s.kv_bits} bits"] * (s.kv_bits < 16)


def _shared(s: Setup, group: float) -> str:
    """What the model's shared heads and the cache's bits make of it, at most and here; "" where they change nothing."""
    if group < SHARED:
        return ""
    here = attention_here(s)
    copied = f"; {s.in_copies}" if s.in_copies else ""
    ridge = s.device.ridge_at(s.kv_bits)
    beside = f" (ridge at {s.kv_bits} bits: {ridge_said(ridge)})" if ridge != s.device.ridge else ""
    waits = f"at most **{amount(group)}**, here {amount(here)}, {_waiting(s, here)}{beside}"
    if s.shape.latent:
        index = f" Its index, read whole, does at most {number(s.shape.n_index * 16 / s.kv_bits)}." if s.shape.n_index else ""
        return f" {md(s.shape.name)} reads one latent for all {s.shape.n_head} heads{copied}, so decode does {waits}.{index}"
    return f" In {md(s.shape.name)} {join(_causes(s))}{copied}: {waits}."


def _waiting(s: Setup, here: float) -> str:
    """What attention in this decode step waits for, with its queries and results; and as times have it, where that differs."""
    computed, read = pass_parts(s.shape, 1, s.device, s.n_tokens, s.batch, **s.options)[1]
    moved, timed = bound(here, s.device, s.kv_bits), "compute" if computed > read else "memory"
    if moved == timed:
        return f"{moved}-bound"
    return f"{moved}-bound with queries and results, but {timed}-bound by the caches alone, which the times here count"


def attention_here(s: Setup) -> float:
    """FLOPs a byte of scores and contexts in this setup's decode step, queries and results moved too, as the operations have it."""
    ops = operations(s.shape, 1, s.n_tokens, s.batch, s.weight_bits, s.kv_bits)
    ops = with_copies(ops, s.shape, 1, s.n_tokens, s.n_devices)
    met = [op for op in ops if op.name in ("scores", "context")]
    return sum(op.flops for op in met) / sum(op.bytes for op in met)
