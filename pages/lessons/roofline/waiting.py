"""How long an answer takes: time to first token and per token on one line, and this machine measured beside it."""

from math import ceil

import streamlit as st

from engine.cost import end_to_end_s
from engine.cost.desk.published_times import SOURCE, TENSORRT_LLM, furthest_off
from engine.cost.requests import Request, request
from engine.cost.times import pass_parts
from pages.lessons.roofline.figures.answer_times import answer_times
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup, setup_line, this_machine
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, here_on_a_phone, lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import seconds
from pages.parts.text.format import md, number, plural, quantity
from pages.parts.visit.display import presenting


def asked_unit(now: Request) -> tuple[str, float]:
    """The unit of the times that are asked for, and how many make a second: ms, or a smaller one where an answer in ms, of which four
    decimals are written, would have too few digits."""
    if end_to_end_s(now.ttft_s, now.tpot_s, now.n_generated) >= 1e-4:
        return "ms", 1e3
    return next(((unit, n) for unit, n in (("µs", 1e6), ("ns", 1e9)) if now.tpot_s * n >= 1), ("ps", 1e12))


def asked_times(now: Request) -> tuple[float, float]:
    """TTFT and TPOT in their unit, with as few digits as leave the answer what it is, to a third of a step and as it is written."""
    per_s = asked_unit(now)[1]
    exact = tuple(per_s * s for s in (now.ttft_s, now.tpot_s))
    for digits in (3, 4, 5, 6):
        ttft, tpot = (float(f"{ms:.{digits}g}") for ms in exact)
        made, true = (end_to_end_s(*both, now.n_generated) for both in ((ttft, tpot), exact))
        if abs(made - true) <= 0.3 * exact[1] and seconds(made / per_s) == seconds(true / per_s):
            break
    return ttft, tpot


def end_to_end_question(now: Request) -> Question:
    """The time of the answer at hand, whose TTFT and TPOT are given as precisely as that takes."""
    ttft, tpot = asked_times(now)
    unit, _ = asked_unit(now)
    whole = end_to_end_s(ttft, tpot, now.n_generated)
    n, each = now.n_generated, f", each further one {number(tpot, 6)} {unit} later on average (TPOT)" * (now.n_generated > 1)
    step = max(tpot, 0.0025 * whole) if n == 1 else tpot
    tolerance = min(0.4 * step, 0.02 * whole)  # a step too many is another answer, a fifth of the whole is not near
    written = (float(f"{whole:.{digits}g}") for digits in range(4, 16))
    return Question(
        "end_to_end",
        f"The first token comes after {number(ttft, 6)} {unit} (TTFT){each}. This answer has **{n:,}** {plural(n, 'token')}: after how "
        f"many {unit} is it complete?",
        # Who has computed it exactly is right; and the answer of one token is the number that is given.
        next((x for x in written if abs(x - whole) <= tolerance / 4), whole) if n > 1 else whole,
        f"{number(ttft, 6)} {unit} + ({n:,} − 1) × {number(tpot, 6)} {unit}: the first token comes with prefill, so there is one step less "
        "than tokens (NVIDIA’s definition).",
        tolerance=tolerance,
        unit=unit,
        high=max(1e12, 10 * n * (ttft + tpot)),
        slips={ttft + n * tpot: "That is a step too many: the first token comes with prefill."} if n > 1 else {},
    )


@step(
    "One request",
    minutes=4,
    ask="First token, then the rest: after how many seconds is the answer complete?",
    wrong={"All words times the gap, added to the first": "the first word has come already: one gap fewer than words"},
)
def timeline(s: Setup, n_generated: int) -> None:
    """One request, and what doubling its prompt or its answer does."""
    setup_line.show(s, n_generated)
    lead("From the question to the last token of its answer: blue is prefill, orange what decode adds.")
    figure, asked = st.container(), here_on_a_phone()
    slider, more = st.columns([3, 1], vertical_alignment="bottom")
    with slider:
        setup.answer_slider()
    if not presenting():
        with more, st.popover("Bound and measured", icon=":material/timer:", key="roofline_measured", width="stretch"):
            _measured(s)
    lengths = {
        "this request": (s.n_tokens, n_generated), "prompt doubled": (2 * s.n_tokens, n_generated),
        "answer doubled": (s.n_tokens, 2 * n_generated),
    }  # fmt: skip
    cases = [(name, request(s.shape, *both, s.device, s.batch, **s.options)) for name, both in lengths.items()]
    question = end_to_end_question(cases[0][1])
    known = question.answered
    alt = " ".join(
        f"{name}: first token after {seconds(r.ttft_s)}{_steps(r, known)}{f', complete after {seconds(r.end_to_end_s)}' * known}."
        for name, r in cases
    )
    exact = tuple(f"{number(x, 6)} {asked_unit(cases[0][1])[0]}" for x in asked_times(cases[0][1]))
    with figure:
        plot(answer_times(sheet(high=300), cases, exact, known), alt, "answer_times")
    with asked:
        question_then_takeaway(question, "time", _timeline(s, cases[0][1], cases[1][1]), widths=BESIDE)


def _steps(r: Request, known: bool) -> str:
    """The decode steps behind the first token, where there are any; how many waits for the answer."""
    if r.n_generated == 1:
        return ""
    return f", then {quantity(r.n_generated - 1, 'step') if known else 'steps'} of {seconds(r.tpot_s)}"


def _timeline(s: Setup, now: Request, longer: Request) -> str:
    """What the prompt's length does to TTFT and to TPOT."""
    return (
        f"A prompt twice as long makes TTFT **{_times_as_long(longer.ttft_s / now.ttft_s)}**"
        + (f" and TPOT {_slower(s, now, longer)}" if now.n_generated > 1 else "; one token needs no decode step")
        + f".{s.assumed}"
    )


def _times_as_long(ratio: float) -> str:
    """ "1.9 × as long", and what the digits would call the same in words."""
    times = number(ratio, 2)
    return "hardly longer" if times == "1" else f"{times} × as long"


def _slower(s: Setup, now: Request, longer: Request) -> str:
    """How much longer a step takes behind the longer prompt, and why."""
    kept = [s.shape.kv_bytes(r.n_prompt, s.batch, s.kv_bits) for r in (now, longer)]
    if kept[0] == kept[1]:
        full = "every window is full" if kept[0] else "this model keeps states of one size in place of a cache"
        return f"no longer: {full}, so there is no more to read"
    percent = number(100 * (longer.tpot_s / now.tpot_s - 1), 1)
    if percent == "0":
        return "hardly longer: so little more cache is next to nothing beside all else that a step does"
    _, (computed, read) = pass_parts(s.shape, 1, s.device, longer.n_prompt, s.batch, **s.options)
    return f"{percent}% longer: {'there is more cache to read' if read >= computed else 'each new query meets more keys'}"


def _measured(s: Setup) -> None:
    """Published measurements beside our bound for them, and the way to measure this machine."""
    shares = [m.bound_s / m.measured_s for m in TENSORRT_LLM]
    first = TENSORRT_LLM[0]
    st.markdown(
        f"**A roofline is a bound, not a forecast.** For {first.model} and {first.n_new} tokens it says "
        f"{seconds(first.bound_s)}; TensorRT-LLM on that very A100 took {seconds(first.measured_s)}. Here between "
        f"{number(100 * min(shares), 0)} and {number(100 * max(shares), 0)}% of the bound’s pace was reached: kernels start one "
        "by one, products fall short of the peak, devices talk. Read every time on this page as “not faster than”; the estimate of "
        f"*Size a real cache* is within {ceil(100 * furthest_off())}% of these.",
        help=f"Measured: {SOURCE}. Bound: 16-bit, visible pairs only. Device of the controls: {md(s.device.source)}.",
    )
    head = ("prefill of", "model", "devices", "bound", "measured", "bound, of it")
    rows = [
        (
            f"{m.n_new:,}", m.model, f"{m.n_devices} × {m.device}", seconds(m.bound_s), seconds(m.measured_s),
            f"{number(100 * m.bound_s / m.measured_s, 0)}%",
        )
        for m in sorted(TENSORRT_LLM, key=lambda m: m.n_new)
    ]  # fmt: skip
    tables.table(head, [tuple(map(tables.unbroken, row)) for row in rows])
    this_machine.button()
