"""How long an answer takes: time to first token and per token on one line, and this machine measured beside it."""

from __future__ import annotations

import streamlit as st

from engine.cost import (
    end_to_end_s,
)
from engine.cost.measured import SOURCE, TENSORRT_LLM
from engine.cost.request import Request, request
from pages.parts import machine
from pages.parts.figures.answer_times import answer_times
from pages.parts.figures.bound_bars import bound_bars
from pages.parts.figures.roofline import seconds
from pages.parts.hardware import Setup
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.roofline_view import NIM_TPOT_S, NIM_TTFT_S
from pages.parts.words import md, number


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
