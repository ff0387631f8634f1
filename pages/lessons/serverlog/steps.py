"""The steps of the lesson on server logs: what was understood, whether the cache adds up, and how near the times are to bounds."""

from __future__ import annotations

import streamlit as st

from engine.cost import binary_bytes
from engine.serving.log_checks import Check, Time, cache_checks, held_tokens, times
from engine.serving.log_lines import ServerLog
from pages.lessons.serverlog import pasted_log
from pages.lessons.serverlog.figures.beside_expected import Line, beside_expected
from pages.parts.drawing.plot import plot
from pages.parts.hardware import setup
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import everything, lead, step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import md, number
from pages.parts.visit.display import look, presenting

MOST_LINES, CUT, LEAD = 6, 72, 24  # lines shown of those that were understood, letters of each, and before what a long one says
A_TOKEN = "a token"


def given() -> tuple[ServerLog, Setup]:
    """The log, and the model and device that it is compared with."""
    pasted_log.use_the_examples_setup()
    return pasted_log.log(), setup.setup()


@step("What it says")
def understood(log: ServerLog, s: Setup) -> None:
    """The log and the lines of it that say something."""
    if not presenting():
        lead("A server says at its start how large its cache is. Which of its lines say so?", "KV cache", "TTFT", "TPOT")
    left, right = st.columns([1, 1.5], gap="medium")
    with left:
        pasted_log.box()
    with right, st.container(key="log_lines"):
        shown = list(log.lines)[:MOST_LINES]
        tables.table(("it says", "in the line"), [(_said(log, n), f"{n}: {md(_cut(log, n))}") for n in shown], left=True)
        more = f" {len(log.lines) - MOST_LINES} more were understood." if len(log.lines) > MOST_LINES else ""
        source = f" Source: {md(pasted_log.source())}." if pasted_log.source() else ""
        others = "; the others are left alone" if log.n_lines > len(log.lines) else ""
        are = "line is" if log.n_lines == 1 else f"lines {'are' if len(log.lines) > 1 else 'is'}"
        st.caption(f"{len(log.lines)} of {log.n_lines} {are} about cache or times{others}.{more}{source}")
    with st.container(key="takeaway_log"):
        tokens = held_tokens(log)
        held = f" The cache has room for **{tokens:,.0f} tokens**." if tokens is not None else ""
        st.markdown(f"Printed by **{' and '.join(log.programs)}**.{held}")


def _said(log: ServerLog, line: int) -> str:
    """The figures of one line in words."""
    return ", ".join(f"**{_NAMES.get(f.name, f.name)} {md(f.printed)}**" for f in log.figures if f.line == line)


def _cut(log: ServerLog, n: int) -> str:
    """A line; of a long one the part with what it says, the middle of that left out where it is long too."""
    line = log.lines[n]
    if len(line) <= CUT:
        return line
    digits = [f.printed.split()[0] for f in log.figures if f.line == n]
    at = max(0, min(map(line.find, digits)))
    first = line.rfind(" ", 0, at - LEAD) + 1 if at > CUT // 2 else 0
    text = line[first : max(first + CUT, *(line.rfind(d) + len(f"{d} MiB") for d in digits))]
    text = text if len(text) <= CUT else f"{text[: CUT // 2]} … {text[-CUT // 2 :]}"
    return f"{'… ' * (first > 0)}{text}{' …' * (not line.endswith(text[-CUT // 2 :]))}"


_NAMES = {
    "n_blocks": "blocks", "kv_tokens": "tokens", "n_ctx": "longest sequence", "concurrency": "sequences at once",
    "kv_bytes": "cache", "weight_bytes": "weights", "n_devices": "devices", "block_size": "tokens a block", "cells": "cells",
    "n_layer": "layers", "k_bytes": "K", "v_bytes": "V", "prefill_ms": "prompt, ms", "n_prompt": "prompt tokens",
    "decode_ms": "decode, ms", "n_steps": "steps", "n_running": "running", "n_cached": "tokens held",
    "tokens_per_s": "tokens a second", "n_requests": "requests", "duration_s": "seconds", "n_input": "tokens in",
    "n_output": "tokens out", "ttft_ms": "TTFT, ms", "tpot_ms": "TPOT, ms",
}  # fmt: skip


@step("Does it add up?")
def adds_up(log: ServerLog, s: Setup) -> None:
    """Every sum that the log allows, printed beside expected."""
    setup.model_and_device()
    checks = cache_checks(log, s.shape, s.n_devices, s.kv_bits, s.weight_bits)
    if not checks:
        st.info("This log says nothing about the size of a cache. Choose another one in the first step, or begin with this one.")
        pasted_log.offer("one-card")
        return
    question = token_question(log, checks)
    waits = question is not None and not question.answered
    lines = [_line(check, waits and check.kind == A_TOKEN) for check in checks]
    alt = " ".join(f"{line.what}: printed {line.printed}, expected {line.expected}." for line in lines)
    plot(beside_expected(lines, ("printed", "expected"), **look(0.95)), alt, "log_checks")
    if question is not None:
        predict(question)
    with st.container(key="takeaway_checks"):
        wrong = [check for check in checks if not check.agrees]
        if waits:
            st.markdown("A cache’s bytes are its tokens times what the model keeps of each. Work one out from this log.")
        elif wrong:
            st.markdown(f"**{wrong[0].what.capitalize()}**: {wrong[0].why or 'the log contradicts itself'}.")
        else:
            st.markdown("**All of it adds up.** " + "; ".join(f"{check.what} = {md(check.how)}" for check in checks[:2]) + ".")


def _line(check: Check, hidden: bool) -> Line:
    printed, expected = _amount(check.kind, check.printed), _amount(check.kind, check.expected)
    ratio = None if hidden or not check.expected else check.printed / check.expected
    return Line(check.what, "?" if hidden else printed, "?" if hidden else expected, ratio, check.agrees)


def _amount(kind: str, x: float) -> str:
    """The number with its unit."""
    if kind == "bytes":
        return binary_bytes(x)
    if kind == "times":
        return f"{number(x, 2)} ×"
    return f"{x:,.0f}" + (" bytes" if kind == A_TOKEN else "")


def token_question(log: ServerLog, checks: list[Check]) -> Question | None:
    """Bytes that one token takes, out of two lines of the log; None where it does not print both."""
    check = next((check for check in checks if check.kind == A_TOKEN), None)
    if check is None:
        return None
    tokens = held_tokens(log)
    kib = check.printed / 1024
    said = f"{_amount('bytes', check.printed * tokens)} hold {tokens:,.0f} tokens"
    verdict = (
        "which is what its shape asks for" if check.agrees else f"where {check.expected / 1024:,.1f} are expected: {check.why}"
    )
    return Question(
        "log_token", f"This server’s {said}. How many KiB does it keep of one token?", round(kib, 1),
        f"{said}: {kib:,.1f} KiB each, {verdict} ({md(check.how)}).", tolerance=max(0.1, 0.02 * kib), unit="KiB",
    )  # fmt: skip


@step("How near its bound?")
def bounds(log: ServerLog, s: Setup) -> None:
    """Measured times beside the least that they can be."""
    if not everything():  # on one page they stand above
        setup.model_and_device()
    found = times(log, s.shape, s.device, **s.options)
    if not found:
        st.info("This log has no times. A benchmark’s result has: paste yours in the first step, or begin with this one.")
        pasted_log.offer("bench")
        return
    lines = [_time_line(time) for time in found]
    alt = " ".join(f"{line.what}: measured {line.printed}, at least {line.expected}." for line in lines)
    plot(beside_expected(lines, ("measured", "at least"), **look(0.95)), alt, "log_times")
    with st.container(key="takeaway_times"):
        below = [time for time in found if time.measured_s < time.bound_s]
        last = found[-1]
        if below:
            st.markdown(
                f"**{below[0].what}** is below the bound of {s.shape.name} on {s.on} in {s.weight_bits} bits: another model, "
                "another device, other bits, or several tokens a step (speculation)."
            )
        else:
            st.markdown(
                f"**{last.what}: {amount(last.measured_s / last.least_s)} × the bound** of {md(s.shape.name)} on {s.on}. {md(last.how)}."
            )
    if not presenting():
        st.caption(
            "The bound counts reading weights and cache once and the arithmetic, nothing else. Beyond it lie the queue, prompts "
            "that are computed between steps, launching kernels, and talk between devices."
        )


def _time_line(time: Time) -> Line:
    name = time.what + (f", {time.n_together:,} at once" if time.n_together > 1 else "")
    return Line(name, seconds(time.measured_s), seconds(time.least_s), time.measured_s / time.least_s, False)
