"""The second step: the same arrivals under all four policies, two machines each, in percentiles."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from engine.serving import Run
from pages.lessons.many import load as loads
from pages.lessons.many.figures.spreads import policies_with, spreads
from pages.lessons.many.load import LOCK, MANY, POLICIES, Load
from pages.lessons.many.timeline import ASKED_WIDE, BOUND
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup, setup_line
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import Job
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import join, quantity
from pages.parts.visit.display import narrow, presenting

PUBLISHED = (
    "What others measured:\n\n"
    "- **Orca** (OSDI 2022): 36.9 × the requests a second of static batches at equal latency, GPT-3 175B; measured against "
    "FasterTransformer.\n"
    "- **Sarathi-Serve** (arXiv 2403.02310): 2.6 × with Mistral-7B on an A100, 3.7 × with Yi-34B on two, up to 5.6 × with Falcon-180B "
    "in a pipeline, under a limit on the time between tokens; measured against vLLM of early 2024, which computed whole prompts first.\n"
    "- **DistServe** (arXiv 2401.09670): 7.4 × the requests, or limits 12.6 × tighter, with nine of ten requests in time; measured "
    "against vLLM, best of several applications.\n\nThey measured kernels, schedulers and networks that a roofline leaves out: "
    "none of these numbers is to be found in the figure."
)


def served(load: Load) -> Job:
    """A run under each policy, one a step, kept for everybody who looks at them."""
    runs = (loads.run(load, name, MANY, 2) for name in POLICIES)
    key = "served by each", replace(load, policy="")
    return RESULTS.get(key, lambda: Job(runs, len(POLICIES), LOCK, small=False), lambda _: 1000)


def warm_up() -> None:
    """The runs of whoever opens the step as it is: they are on screen at once."""
    served(loads.usual()).advance_to(len(POLICIES), math.inf)


def pause_question(load: Load, runs: dict[str, Run]) -> Question:
    """Whose longest wait between two tokens, of all its requests, is the shortest."""
    worst = {name: float(run.longest_gap_s.max()) for name, run in runs.items()}
    best = min(worst, key=worst.get)
    options = (*runs, "several alike")
    answer = best if len(policies_with(worst, worst[best])) == 1 else options[-1]
    thrown = any((run.n_preempted[run.longest_gap_s == run.longest_gap_s.max()] > 0).any() for run in runs.values())
    apart = next((run.longest_gap_s.max() for run in runs.values() if run.policy == "disaggregated"), 0.0)
    waits = bool(not thrown and apart > min(worst.values()))
    said = ", ".join(f"{name} {seconds(value) if value else '0 s'}" for name, value in worst.items())
    return Question(
        "pause",
        f"{quantity(load.per_minute, 'request')} a minute, for two machines each time. Under which policy is the longest wait "
        f"between two tokens, of all {MANY} requests, the shortest?",
        answer,
        f"The longest of each: {said}. A prompt that comes between others’ tokens stops them where it is computed whole, stretches their "
        "steps in pieces, and on a machine apart does neither."
        + " Its cache has yet to go to the other one, and may wait there for a place." * waits
        + " Under static nobody joins a batch that runs." * (answer == "static")
        + " Whoever is thrown out waits for his place and is computed again." * thrown,
        options=options,
    )


@step(
    "Side by side",
    minutes=6,
    ask="Same arrivals, four policies: which one would you choose for a chat, and which for a thousand summaries over night?",
    wrong={
        "The one with the earliest first token is the best": (
            "right only where nobody waits longer for it: what one computer gives to a first token it takes from those who decode"
        )
    },
)
def beside(load: Load) -> None:
    """Model and device are to be chosen; percentiles of both waits."""
    dots = "a dot is one request, and further right it waited longer"
    what = "bars end at the longest wait, with a line at the median" if narrow() else dots
    says = f"The same requests under each policy: {what}."
    if narrow() or presenting():
        lead(says)
        _compared(load)
        return _runs_on(load)
    said, beside_it = st.columns([1.3, 1], vertical_alignment="center")
    with said:
        lead(says)
    with beside_it:
        _runs_on(load)
    return _compared(load)


def _runs_on(load: Load) -> None:
    """Model and device, which are named and can be chosen: beside what the step says, on a phone after the question."""
    said = setup_line.in_words(replace(load.s, n_tokens=load.n_prompt), load.n_answer, batch=False)
    with st.popover(said, icon=":material/tune:", key="many_on"):
        setup.model_and_device(weighed=True)


def _compared(load: Load) -> None:
    """The figure and its question, once all has run."""
    if load.problem:
        st.info(f"Nothing can be served: {load.problem}.{load.way_out}")
        return
    work = loads.work()
    if not work.advance(served(load), len(POLICIES), "The same requests under each policy"):
        work.say()
        return
    runs = {name: loads.run(load, name, MANY, 2) for name in POLICIES}
    question = pause_question(load, runs)
    waits = {name: (run.ttft_s, run.longest_gap_s) for name, run in runs.items()}
    alt = " ".join(
        f"{name}: first token within {seconds(np.percentile(run.ttft_s, 50))} for half, {seconds(np.percentile(run.ttft_s, 99))} for 99%."
        for name, run in runs.items()
    )
    figure = spreads(sheet(high=338), waits, load.policy, asked_in(question, list(runs)))
    plot(figure, alt, "spreads", on_press=pressed(question, list(runs)))
    question_then_takeaway(question, "beside", beside_said(load, runs), help=f"{BOUND}\n\n{PUBLISHED}", widths=ASKED_WIDE)


def beside_said(load: Load, runs: dict[str, Run]) -> str:
    first = {name: float(np.percentile(run.ttft_s, 90)) for name, run in runs.items()}
    rates = {name: run.tokens_per_s for name, run in runs.items()}
    soon, late, most = min(first.values()), max(first.values()), max(rates.values())
    slowest = "" if len(policies_with(first, soon)) == len(first) else f" and {seconds(late)} under {_policies(first, late)}"
    return (
        f"{load.name}, two of each: nine of ten first tokens come within **{seconds(soon)}** under {_policies(first, soon)}{slowest}; "
        f"the most tokens a second in all, **{amount(most)}**, under {_policies(rates, most)}.{load.cut(MANY)}{load.s.assumed}"
    )


def _policies(values: Mapping[str, float], value: float) -> str:
    names = policies_with(values, value)
    return "all four" if len(names) == len(values) else join([f"*{name}*" for name in names])
