"""The first step: sixteen requests on one server, step by step."""

import numpy as np
import streamlit as st

from engine.serving import Run, printed
from engine.serving import Setup as Server
from pages.lessons.many import load as loads
from pages.lessons.many.figures.gantt import gantt, moments
from pages.lessons.many.load import FEW, POLICIES, POLICY, Load
from pages.parts.drawing.plot import plot, sheet
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.amounts import seconds
from pages.parts.text.format import plural, quantity, unmarked

ASKED_WIDE = (1.7, 1)  # of the width have a question of several lines and what its step comes to
BOUND = "Every step takes the time of its roofline, a bound: a real server is slower, and its order is the same."


@step(
    "Who computes when",
    minutes=6,
    click="Choose one **Policy** after the other; the requests stay the same.",
    ask="Find the longest pause in an orange row. What does the device do in that time, and for whom?",
    wrong={
        "It computes the next word of that row, which is a hard one": (
            "no word is a hard one: it takes hardly more work than the one before; a pause is what is done for others meanwhile, or a "
            "cache on its way"
        ),
        "Too many decode at once": (
            "a token for one and a token for sixteen take nearly as long where a step waits for parameters that all sequences meet, read "
            "once for all: not for experts that only some visit, for their caches or for arithmetic"
        ),
    },
)
def timeline(load: Load) -> None:
    """A row for each request; the policy and the load are to be moved."""
    whom = "two machines that serve together" if load.policy == "disaggregated" else "one server"
    said = f"Sixteen people ask {whom}. Each needs one prefill, which gives the first word, and a step for each word after it."
    lead(said, "prefill", "decode", "TTFT", "static batching", "continuous batching", "chunked prefill", "disaggregated")
    shown = st.container()
    with st.container(key="many_load"):
        columns = st.columns([1.3, 1, 1, 1, 1], vertical_alignment="bottom")
    with columns[0]:
        POLICY.menu("Policy", POLICIES, "continuous")
    loads.controls(columns[1:])
    with shown:
        if load.problem:
            st.info(f"Nothing can be served: {load.problem}. The next step has another model, more devices and fewer bits.")
            return
        run = loads.run(load, load.policy, FEW)
        said = timeline_said(load, run, paused=False)  # the figure says the pause
        plot(figure(load, run), f"{POLICIES[load.policy]}. {unmarked(timeline_said(load, run))}", "gantt")
        takeaway("many", said, help=BOUND)


def figure(load: Load, run: Run, on: Sheet | None = None) -> SheetFigure:
    """The run's rows; how many run and wait is the name of each frame."""
    room, looked = room_of(load.server, load.policy), moments(run)
    shown = printed(run, looked, room)
    names = [
        f"{seconds(at - looked[0])}: {running:.0f} in a step, {waiting:.0f} waiting"
        for at, running, waiting in zip(looked.tolist(), shown.running, shown.waiting, strict=True)
    ]
    return gantt(on or sheet(high=340), run, names, why_paused(run))


def room_of(server: Server, policy: str) -> int:
    """Bytes of cache of the one machine, or of two."""
    return max(1, server.n_blocks * server.block_bytes * (2 if policy == "disaggregated" else 1))


def timeline_said(load: Load, run: Run, paused: bool = True) -> str:
    """Waiting, the longest pause unless that is said elsewhere, and who was sent back, on these devices."""
    middle, last = np.median(run.ttft_s), run.ttft_s.max()
    text = f"First tokens on {load.s.devices}: half within **{seconds(middle)}**, all within {seconds(last)}. "
    worst = float(run.longest_gap_s.max())
    if worst > 0:
        usual = seconds(float(np.nanmedian(run.tpot_s)))
        longest = f"Between two tokens somebody waited **{seconds(worst)}** (median TPOT: {usual}){why_paused(run)}. "
        text += longest if paused else f"The median TPOT is {usual}. "
    if sent := int((run.n_preempted > 0).sum()):
        text += f"Memory ran out: {quantity(sent, 'request')} lost {plural(sent, 'its', 'their')} cache and computed all again. "
    if run.policy == "static" and run.steps.padded.any():
        text += f"Of all places in all steps {100 * run.used:.0f}% made a token. "
    return text.strip() + load.cut(FEW) + load.s.assumed


def why_paused(run: Run) -> str:
    """What the longest pause was for, where it stands out and only one thing can have been the reason."""
    worst = float(run.longest_gap_s.max())
    if not worst:
        return ""
    usual = float(np.nanmedian(run.tpot_s))
    alone = run.steps.duration_s[run.steps.prefill_tokens == 0].max(initial=0.0)
    if worst < max(2 * usual, 1.001 * alone):
        return ""
    if run.n_preempted[int(np.argmax(run.longest_gap_s))]:
        return ": its cache had been thrown out"
    if run.policy == "disaggregated":
        return "" if run.n_preempted.any() else ": its cache was on its way to the other machine, or waited there for a place"
    return ": a prompt was in the step" if run.policy == "chunked" else ": prefill ran meanwhile"
