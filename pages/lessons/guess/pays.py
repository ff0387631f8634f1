"""The second step: at which batch checking the guesses waits for arithmetic, and guessing is slower than not."""

from collections.abc import Mapping

import streamlit as st

from engine.cost import memory_use
from engine.cost.times import pass_parts
from engine.serving.guess_ahead import check_cost, speed_ups
from engine.speculative import expected_tokens
from pages.lessons.guess.figures.faster_or_slower import Pass, faster_or_slower
from pages.lessons.guess.state import KEPT, N_TOKENS, State
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import pasted_config, setup
from pages.parts.hardware.setup import BATCHES
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.format import join, md, number, plural, quantity, with_unit

FASTER, SLOWER, NEITHER = "faster", "slower", "hardly different"
NEAR = 0.03  # a factor as near to 1 as that is called neither
MEASURED = (
    "Times are rooflines, a bound, and guesses cost nothing here. Measured: T5-XXL with a draft of 77 million parameters, of whose "
    "guesses 75% stayed, wrote 3.4 × as fast (arXiv 2211.17192, table 2: one sequence at a time, on a TPU v4)."
)


def factors(state: State) -> dict[int, float]:
    """Times faster at each batch that is drawn, the chosen one among them."""
    s, batches = state.s, sorted({*BATCHES, state.s.batch})
    ratios = speed_ups(s.shape, s.device, state.kept, state.n_guess, s.n_tokens, batches, **s.options)
    return dict(zip(batches, ratios, strict=True))


def judged(factor: float) -> str:
    """What a factor is called, here and in the question."""
    return NEITHER if abs(factor - 1) <= NEAR else FASTER if factor > 1 else SLOWER


def _times(times: float) -> str:
    """ "1.05 × as", and "as" for once."""
    said = number(times)
    return "as" if said == "1" else f"{said} × as"


def faster_question(state: State) -> Question:
    """Faster or slower at this batch."""
    s = state.s
    (factor,) = speed_ups(s.shape, s.device, state.kept, state.n_guess, s.n_tokens, [s.batch], **s.options)
    cost = check_cost(s.shape, s.device, state.n_guess, s.n_tokens, s.batch, **s.options)
    tokens = with_unit(number(expected_tokens(state.kept, state.n_guess)), "tokens")
    return Question(
        "faster",
        f"Are answers faster than without guesses?  \n{md(s.shape.name)} on {s.devices}: {quantity(s.batch, 'sequence')} of "
        f"{quantity(s.n_tokens, 'token')} a step, {quantity(state.n_guess, 'guess')} for each at no cost; one stays with a chance of "
        f"{state.kept:.0%} if those before it did. Up to {NEAR:.0%} is hardly different.",
        judged(factor),
        f"A pass over {state.n_guess + 1} rows of each takes {_times(cost)} long as over one, and writes {tokens}: {_times(factor)} fast "
        "as without guesses.",
        options=(FASTER, NEITHER, SLOWER),
    )


@step(
    "Where it pays",
    minutes=5,
    ask="Raise the batch as far as it goes: does guessing still pay, and what has become scarce?",
    wrong={
        "slower": "the time alone is looked at: a pass whose guesses stay also writes more words",
        "faster": "a guess is more arithmetic, and with experts more parameters to read: where a step waits for that, it pays no more",
    },
)
def pays(state: State) -> None:
    """Times faster against the batch, on any model and device."""
    lead("A pass with guesses may write more words and may take longer. It pays where the words grow more than the time.")
    shown = st.container()
    _controls(state)
    question, ratios = faster_question(state), factors(state)
    of = Pass(state.n_guess + 1, state.kept, expected_tokens(state.kept, state.n_guess))
    lengths = {batch: of.words / factor for batch, factor in ratios.items()}
    words = with_unit(number(of.words), "words")
    alt = f"Without guesses a pass writes a word; one with guesses, over {of.rows} rows, writes {words}. "
    if question.answered:
        some = sorted({*BATCHES[::2], state.s.batch})
        alt += f"Times as fast: {', '.join(f'{number(ratios[batch])} at {batch:,}' for batch in some)}"
    else:
        alt += f"It takes from 1 to about {of.rows} times as long; after your answer how long at each batch."
    figure = faster_or_slower(sheet(high=330), lengths, state.s.batch, of, asked_in(question, question.options))
    with shown:
        plot(figure, alt, "faster_or_slower", on_press=pressed(question, question.options))
        question_then_takeaway(question, "pays", pays_said(state, ratios), help=MEASURED)


def _controls(state: State) -> None:
    """On what, how long, how many at once, and how often a guess stays."""
    columns = st.columns([1.3, 2], vertical_alignment="bottom", gap="medium")
    on = f"{md(state.s.shape.name)} on {state.s.devices}"
    with columns[0], st.popover(on, icon=":material/tune:", key="guess_on", width="stretch"):
        shapes = setup.models(weighed=True)
        pasted_config.MODEL.menu("Model", {key: shape.name for key, shape in shapes.items()}, setup.DEFAULT_MODEL)
        setup.DEVICE.menu("Device", {name: name for name in setup.devices()}, setup.DEFAULT_DEVICE)
        setup.CONTEXT.stops("Tokens in a sequence", setup.TOKENS, N_TOKENS, keep_default=True)
        KEPT.slider("Chance that a guess stays, %")
    with columns[1]:
        setup.BATCH.stops("Sequences at once (batch)", setup.BATCHES)


def pays_said(state: State, ratios: Mapping[int, float]) -> str:
    """Where guessing is slower, of the batches that are drawn; and by how much, where others are drawn that are so by less."""
    s, slow = state.s, [batch for batch, factor in ratios.items() if judged(factor) == SLOWER]
    near = [factor for factor in ratios.values() if judged(factor) == NEITHER and number(factor) != "1"]
    by = f" by more than {NEAR:.0%}" * any(factor < 1 for factor in near)
    best = max(ratios, key=ratios.get)
    text = f"{md(s.shape.name)} on {s.devices}, of the batches computed: at best **{number(ratios[best])} ×** as fast (batch {best:,}); "
    if not slow:
        text += f"never slower{by}, up to batch {BATCHES[-1]:,}."
    elif slow == list(ratios)[-len(slow) :]:
        text += f"slower{by} from batch **{slow[0]:,}** on{', where it waits for arithmetic' * _computes(state, slow[0])}."
    else:
        text += f"slower{by} at {join([f'{batch:,}' for batch in slow])}."
    if not memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.memory).fits:
        do = plural(s.batch, "does", "do")
        text += f" {quantity(s.batch, 'such sequence')} {do} not fit on {s.devices}: this is what more memory would do."
    return text + s.assumed


def _computes(state: State, batch: int) -> bool:
    """Whether most of the time of a checking pass goes to arithmetic, not to reading."""
    s = state.s
    parts = pass_parts(s.shape, state.n_guess + 1, s.device, s.n_tokens, batch, **s.options)
    return sum(computed for computed, read in parts if computed > read) > 0.5 * sum(map(max, parts))
