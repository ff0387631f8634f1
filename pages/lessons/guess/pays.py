"""The second step: at which batch checking the guesses waits for arithmetic, and guessing is slower than not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.cost import memory_use
from engine.cost.times import pass_parts
from engine.serving.guess_ahead import check_cost, speed_ups
from engine.speculative import expected_tokens
from pages.lessons.guess.figures.faster_or_slower import faster_or_slower
from pages.lessons.guess.state import KEPT, State
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import pasted_config, setup
from pages.parts.hardware.setup import BATCHES
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.format import join, md, number, quantity

FASTER, SLOWER, NEITHER = "faster", "slower", "hardly different"
NEAR = 0.03  # a factor as near to 1 as that is called neither
MEASURED = (
    "Times are rooflines, a bound, and guesses cost nothing here. Measured: T5-XXL with a draft of 77 million parameters, of whose "
    "guesses 75% stayed, wrote 3.4 × as fast (arXiv 2211.17192, table 2: one sequence at a time, on a TPU v4)."
)


def batch_now(state: State) -> int:
    """The batch of the link, as the drawn one next to it."""
    return min(BATCHES, key=lambda batch: (abs(batch - state.s.batch), batch))


def factors(state: State, batches: Sequence[int] = BATCHES) -> list[float]:
    """Times faster at each batch."""
    s = state.s
    return speed_ups(s.shape, s.device, state.kept, state.n_guess, s.n_tokens, batches, **s.options)


def faster_question(state: State) -> Question:
    """Faster or slower at this batch."""
    s, batch = state.s, batch_now(state)
    (factor,) = factors(state, [batch])
    cost = check_cost(s.shape, s.device, state.n_guess, s.n_tokens, batch, **s.options)
    answer = NEITHER if abs(factor - 1) <= NEAR else FASTER if factor > 1 else SLOWER
    tokens = expected_tokens(state.kept, state.n_guess)
    return Question(
        "faster",
        f"Each step of {md(s.shape.name)} on {s.on} serves {quantity(batch, 'sequence')} of {quantity(s.n_tokens, 'token')}. Guess "
        f"{quantity(state.n_guess, 'token')} of each at no cost; a guess stays with a chance of {state.kept:.0%} if those before it "
        "did. Compared with no guessing, the answers are:",
        answer,
        f"A pass over {state.n_guess + 1} rows of each takes {number(cost)} × as long as over one, and writes {number(tokens)} tokens: "
        f"{number(factor)} × as fast.",
        options=(FASTER, NEITHER, SLOWER),
    )


@step(
    "Where it pays",
    minutes=5,
    ask="Raise the batch until guessing makes it slower: what has become scarce?",
    wrong={
        "slower": "a pass over a few rows more takes hardly longer while it waits for the weights to be read",
        "faster": "with enough sequences in a step arithmetic is what it waits for, and each guess is more of it",
    },
)
def pays(state: State) -> None:
    """Times faster against the batch, on any model and device."""
    columns = st.columns([1.3, 1.2, 1, 1, 1], vertical_alignment="bottom")
    with columns[0]:
        shapes = setup.models(weighed=True)
        pasted_config.MODEL.menu("Model", {key: shape.name for key, shape in shapes.items()}, setup.DEFAULT_MODEL)
    with columns[1]:
        setup.DEVICE.menu("Device", {name: name for name in setup.devices()}, setup.DEFAULT_DEVICE)
    with columns[2]:
        setup.CONTEXT.stops("Tokens in a sequence", setup.TOKENS, setup.length(setup.DEFAULT_CONTEXT), keep_default=True)
    with columns[3]:
        setup.batch_slider()
    with columns[4]:
        KEPT.slider("Chance that a guess stays, %")
    question, found = faster_question(state), factors(state)
    alt = f"Times as fast against the batch, {state.n_guess} guessed, {state.kept:.0%} stay"
    if question.answered:
        alt += ": " + ", ".join(f"{number(f)} at {b:,}" for b, f in list(zip(BATCHES, found, strict=True))[::2])
    figure = faster_or_slower(sheet(), BATCHES, found, batch_now(state), state.n_guess, not question.answered)
    plot(figure, alt, "faster_or_slower")
    question_then_takeaway(question, "pays", pays_said(state, found), help=MEASURED)


def pays_said(state: State, found: Sequence[float]) -> str:
    """Where guessing is slower, of the batches that are drawn."""
    s, slow = state.s, [batch for batch, factor in zip(BATCHES, found, strict=True) if factor < 1]
    best = max(found)
    text = f"{md(s.shape.name)} on {s.on}: at best **{number(best)} ×** as fast (batch {BATCHES[list(found).index(best)]:,}); "
    if not slow:
        text += f"slower at no batch up to {BATCHES[-1]:,}."
    elif slow == list(BATCHES[-len(slow) :]):
        text += f"slower from batch **{slow[0]:,}** on{', where it waits for arithmetic' * _computes(state, slow[0])}."
    else:
        text += f"slower at {join([f'{batch:,}' for batch in slow])}."
    if not memory_use(s.shape, s.n_tokens, s.device, batch_now(state), **s.memory).fits:
        text += f" {quantity(batch_now(state), 'such sequence')} do not fit on {s.on}: this is what more memory would do."
    return text + s.assumed


def _computes(state: State, batch: int) -> bool:
    """Whether most of the time of a checking pass goes to arithmetic, not to reading."""
    s = state.s
    parts = pass_parts(s.shape, state.n_guess + 1, s.device, s.n_tokens, batch, **s.options)
    return sum(computed for computed, read in parts if computed > read) > 0.5 * sum(map(max, parts))
