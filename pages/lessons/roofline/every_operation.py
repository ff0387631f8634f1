"""Every operation of both passes: on which side of the ridge it lies, and what it takes at least; as a table and as a file."""

import streamlit as st

from engine.cost import decimal_bytes, tpot_s, ttft_s
from engine.cost.roofline_points import Point
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.text.amounts import amount, flop, seconds
from pages.parts.text.format import join, md, number, quantity

LEVEL = 1e-3  # two times that differ by less than this share are both the longest
ALIKE = 0.05  # two bounds that differ by less than this share are alike


def table(s: Setup, prefill: tuple[Point, ...], decode: tuple[Point, ...]) -> None:
    """Every operation of both phases, which takes longest, what is counted, and the numbers to save."""
    most = max(p.seconds for p in decode)
    longest = [p for p in decode if p.seconds >= (1 - LEVEL) * most]
    share, several = most / sum(p.seconds for p in decode), len(longest) > 1
    st.markdown(
        f"Of a decode step {join([f'**{p.name}**' for p in longest])} {'take' if several else 'takes'} longest, "
        f"{number(100 * share, 0)}% of all these times{' each' * several}, and {'wait' if several else 'waits'} for "
        f"{join(list(dict.fromkeys(p.waits_for for p in longest)))}.{_without_activations(s, prefill, decode)}"
    )
    sides = ("bytes", "FLOP a byte", "waits for")
    head = ("operation", "prefill FLOP", *sides, "decode FLOP", *sides)
    tables.table(head, [(a.name, *map(tables.unbroken, _cells(a) + _cells(b))) for a, b in zip(prefill, decode, strict=True)])
    _operations_file(s, prefill, decode)


def _without_activations(s: Setup, prefill: tuple[Point, ...], decode: tuple[Point, ...]) -> str:
    """How long each phase takes where only weights and what is kept are fetched, as the other steps count it; "" where it is alike."""
    without = {
        "prefill": (ttft_s(s.shape, s.n_tokens, s.device, s.batch, **s.options), prefill),
        "a decode step": (tpot_s(s.shape, s.n_tokens, s.device, s.batch, **s.options), decode),
    }
    fewer = [
        f"{phase} {seconds(least)} in place of {seconds(added)}"
        for phase, (least, ops) in without.items()
        if least < (1 - ALIKE) * (added := sum(p.seconds for p in ops))
    ]
    if not fewer:
        return ""
    return (
        " Counted one by one, and with the activations that operations hand on; the other steps count all products with parameters as one "
        f"and attention as one, without them, and their bounds are lower: {join(fewer)}."
    )


def _operations_file(s: Setup, prefill: tuple[Point, ...], decode: tuple[Point, ...]) -> None:
    """What the table leaves out, and its numbers to save."""
    layers = f"all {s.shape.n_layer} layers together" if s.shape.n_layer > 1 else "its one layer"
    st.caption(
        f"{md(s.shape.name)}, {layers}, {quantity(s.n_tokens, 'token')}, batch {s.batch:,}, visible pairs "
        "only. Attention is one fused kernel: softmax happens where the scores are and moves no byte of its own. The head works "
        "on the last token only. Norms, activation functions and residual sums are fused into their neighbours and left out."
        + (f" Copies of the cache count: {s.in_copies}." if s.in_copies else "")
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
