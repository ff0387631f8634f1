"""The second step: the same arrivals under all four policies, two machines each, in percentiles."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.serving import Run
from pages.lessons.many import load as loads
from pages.lessons.many.figures.spreads import spreads
from pages.lessons.many.load import MANY, POLICIES, Load
from pages.lessons.many.timeline import BOUND
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import seconds

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


def pause_question(load: Load, runs: dict[str, Run]) -> Question:
    """Whose longest wait between two tokens, of all its requests, is the shortest."""
    worst = {name: float(run.longest_gap_s.max()) for name, run in runs.items()}
    best = min(worst, key=worst.get)
    ties = [name for name in worst if worst[name] <= 1.001 * worst[best]]
    options = (*runs, "several alike")
    answer = best if len(ties) == 1 else options[-1]
    said = ", ".join(f"{name} {seconds(value) if value else '0 s'}" for name, value in worst.items())
    return Question(
        "pause",
        f"{load.per_minute:,} requests a minute, for two machines each time. Under which policy is the longest wait between two tokens, of "
        f"all {MANY} requests, the shortest?",
        answer,
        f"The longest of each: {said}. Whole prompts stop everybody’s tokens, pieces only stretch a step, and on a machine apart "
        "they stop nobody’s while its memory lasts; there a wait is the way of the cache, or a place that is not free.",
        options=options,
    )


@step(
    "Side by side",
    minutes=6,
    ask="Same arrivals, four policies: which one would you choose for a chat, and which for a thousand summaries over night?",
    wrong={
        "The one with the earliest first token is the best": (
            "what a policy gives to the first token it takes from those who wait for their next one"
        )
    },
)
def beside(load: Load) -> None:
    """Model and device are to be chosen; percentiles of both waits."""
    setup.model_and_device(weighed=True)
    if load.problem:
        st.info(f"Nothing can be served: {load.problem}. More devices or fewer bits make room.")
        return
    runs = {name: loads.run(load, name, MANY, 2) for name in POLICIES}
    question = pause_question(load, runs)
    waits = {name: (run.ttft_s, run.longest_gap_s if question.answered else np.full(MANY, np.nan)) for name, run in runs.items()}
    alt = " ".join(
        f"{name}: first token within {seconds(np.percentile(run.ttft_s, 50))} for half, {seconds(np.percentile(run.ttft_s, 99))} for 99%."
        for name, run in runs.items()
    )
    plot(spreads(sheet(), waits, load.policy), alt, "spreads")
    question_then_takeaway(question, "beside", beside_said(load, runs), help=f"{BOUND}\n\n{PUBLISHED}")


def beside_said(load: Load, runs: dict[str, Run]) -> str:
    """Who is first in what."""
    first = {name: float(np.percentile(run.ttft_s, 90)) for name, run in runs.items()}
    rates = {name: run.tokens_per_s for name, run in runs.items()}
    soon, late = min(first, key=first.get), max(first, key=first.get)
    most = max(rates, key=rates.get)
    return (
        f"{load.on}, two of each: nine of ten first tokens come within **{seconds(first[soon])}** under *{soon}* and "
        f"{seconds(first[late])} under *{late}*; most tokens a second in all: *{most}*, **{rates[most]:,.0f}**."
        f"{load.cut(MANY)}{load.s.assumed}"
    )
