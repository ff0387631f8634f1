"""Many sequences at once: what sharing the weights saves, where the caches take over, and how many keep a time for each token."""

import streamlit as st

from engine.cost import compute_bound_tokens, decimal_bytes, met_weight_bytes, tokens_per_s, tpot_s
from engine.cost.times import experts_raise, pass_parts
from engine.cost.tpot_limit import Served, served
from pages.lessons.roofline.figures.step_times import Step, step_times
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.shared_parameters import PRICE, TPOT_MS
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup_line
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, here_on_a_phone, lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import amount, money, plain_number, seconds
from pages.parts.text.format import md, number, plural, quantity, unmarked

LIMITS = (5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 500, 1000)  # ms; 50 ms is 20 tokens a second, faster than reading
HARDLY, DOUBLE = 1.05, 1.85  # times as long, up to which a step is said to change hardly, and from which to double


def batch_question(s: Setup) -> Question:
    """The step's time for this batch and for twice as many sequences."""
    one, two = (tpot_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (s.batch, 2 * s.batch))
    ratio = two / one
    options = ("it hardly changes", "it grows, but less than double", "it about doubles")
    answer = options[0] if ratio < HARDLY else options[2] if ratio > DOUBLE else options[1]
    return Question(
        "batch",
        f"One decode step of {md(s.shape.name)} on {s.devices} serves {quantity(s.batch, 'sequence')} of {quantity(s.n_tokens, 'token')}. "
        f"Double the number of sequences: what happens to the time of the step? Less than {HARDLY - 1:.0%} longer is hardly a change.",
        answer,
        f"{_longer(one, two)} {_why_batch(s)}",
        options=options,
    )


def _longer(one: float, two: float) -> str:
    """Both times and their ratio, as far as the digits tell them apart."""
    ratio = _times(one, two)
    if seconds(one) == seconds(two):
        return f"The step takes {seconds(one)} either way."
    return f"{seconds(one)} become {seconds(two)}, {'hardly longer' if ratio == '1' else f'{ratio} × as long'}."


def _times(one: float, two: float) -> str:
    """How many times as long, told from what it is judged by."""
    return next((x for d in range(2, 6) if (x := number(two / one, d)) not in {number(HARDLY), number(DOUBLE)}), number(HARDLY))


def _why_batch(s: Setup) -> str:
    """Whose bytes are shared and whose are not, and what takes the time of the doubled step."""
    stored, read = s.stored_and_read
    weights = f"The parameters ({read})" if read == stored else f"Of the parameters ({stored} stored) {read}"
    of_each = "the index and the chosen rows of a cache" if s.shape.n_select else f"a {s.kept}"
    now = f"{decimal_bytes(s.read_bytes)} now{f'; {s.in_copies}' if s.in_copies else ''}"
    if state := s.shape.state_bytes(s.batch):
        now = " and ".join([now] * bool(s.read_bytes) + [f"{decimal_bytes(state)} of states, read and written"])
    text = f"{weights} are read once for all sequences, {of_each} for each of them ({now})."
    met = [decimal_bytes(met_weight_bytes(s.shape, n, s.weight_bits)) for n in (s.batch, 2 * s.batch)]
    if met[0] != met[1]:
        text += " More tokens also visit more experts, so more parameters are read."
    products, attention = pass_parts(s.shape, 1, s.device, s.n_tokens, 2 * s.batch, **s.options)
    return (
        f"{text} Then {_what_takes(products, 'parameters')} takes {seconds(max(products))}, {_what_takes(attention, s.kept)} "
        f"{seconds(max(attention))}."
    )


def _what_takes(part: tuple[float, float], what: str) -> str:
    """Which is longer, arithmetic or reading."""
    arithmetic, reading = part
    rows = " and writing their new rows" * ("cache" in what) + " and writing them again" * (what == "state")
    kept = _of_all(what)
    moving = "reading the parameters" if what == "parameters" else f"reading the {kept}{rows}"
    return moving if reading >= arithmetic else f"arithmetic with the {what if what == 'parameters' else kept}"


@step(
    "Batching",
    minutes=7,
    ask="Twice the sequences: how long does the step take? Then lower the limit: how many may share it, and at what rate in all?",
    wrong={
        "it about doubles": (
            "what both sequences meet is fetched once; as long as a step waits for that, a second one is nearly free"
        ),
        "it hardly changes": (
            "right only while most of the step is reading parameters that all sequences meet: not the caches, not experts that only "
            "some visit, not arithmetic"
        ),
        "Half the time, half the tokens a second": (
            "time and batch are thought to go together: the parameters are read in every step, however many share it"
        ),
        "The largest batch is the best": "best for tokens a second in all; each reader waits longer for the next one",
    },
)
def batching(s: Setup, n_generated: int) -> None:
    """The time of a step by batch, up to the largest within a limit; all but that of the batch at hand waits for the answer."""
    setup_line.show(s)
    lead("Sequences can share a decode step, and each reader waits for the step that all of them share.")
    place, asked = st.container(), here_on_a_phone()
    left, right = st.columns([4, 1], vertical_alignment="bottom", gap="medium")
    with left:
        limit_ms = TPOT_MS.stops("At most so many ms for each token of a reader (TPOT)", LIMITS)
    with right, st.popover("Price", icon=":material/payments:", key="roofline_price", width="stretch"):
        price = PRICE.typed("Price of all devices for an hour, in your currency", placeholder="nothing typed")
    question = batch_question(s)
    best = served(s.shape, s.n_tokens, s.device, limit_ms / 1e3, **s.memory)
    steps = [_step(s, s.batch), _step(s, 2 * s.batch)]
    if best.batch not in (0, s.batch, 2 * s.batch):
        steps.append(_step(s, best.batch, "memory is full" if best.stops == "memory" else "the most"))
    sentence = _in_words(s, best, limit_ms, price) + " An answer of one token needs no such step." * (n_generated == 1)
    alt = f"Time of a decode step of {s.shape.name} on {s.devices}, {quantity(s.n_tokens, 'token')} each: "
    alt += "; ".join(_step_in_words(s, one) for one in (steps if question.answered else steps[:1]))
    alt += f". {unmarked(sentence)}" if question.answered else ". That of twice the sequences waits for your answer."
    drawn = sheet(slide_zoom=0.98, high=278, slide_high=350)
    longer = _times(steps[0].seconds, steps[1].seconds)
    asked_at = asked_in(question, question.options)
    figure = step_times(drawn, steps, limit_ms / 1e3, s.kept, bool(s.shape.latent), longer, asked_at)
    with place:
        plot(figure, alt, "step_times", on_press=pressed(question, question.options))
    with asked:
        question_then_takeaway(question, "batch", sentence, help=_batching(s), widths=BESIDE)


def _step(s: Setup, batch: int, why: str = "") -> Step:
    """A decode step of so many sequences."""
    weights, caches = map(max, pass_parts(s.shape, 1, s.device, s.n_tokens, batch, **s.options))
    return Step(batch, weights, caches, why, batch / (weights + caches))


def _of_all(kept: str) -> str:
    """What is kept, of all sequences: "caches and states" for "cache and state"."""
    return " and ".join(f"{one}s" for one in kept.split(" and "))


def _step_in_words(s: Setup, one: Step) -> str:
    """A step for those who do not see the bar."""
    parts = f"{seconds(one.weights_s)} with the parameters, {seconds(one.caches_s)} with the {_of_all(s.kept)}"
    return f"{quantity(one.batch, 'sequence')}: {parts}, {amount(one.rate)} tokens a second"


def _in_words(s: Setup, best: Served, limit_ms: int, price: float) -> str:
    """The largest batch, what it yields, and what stops a larger one."""
    if not best.batch:
        why = "does not fit" if best.stops == "memory" else f"needs {seconds(best.tpot_s)} for each token even alone"
        return f"{md(s.shape.name)} with {quantity(s.n_tokens, 'token')} on {s.devices} {why}: no batch keeps {limit_ms:,} ms."
    full = "memory is full, the token of the step counted"
    stops = full if best.stops == "memory" else f"one more would exceed {limit_ms:,} ms"
    text = (
        f"At most **{best.batch:,}** {plural(best.batch, 'sequence')} at once {plural(best.batch, 'keeps', 'keep')} {limit_ms:,} ms "
        f"on {s.devices}: each token after {seconds(best.tpot_s)}, **{amount(best.tokens_per_s)}** tokens a second in all; "
        f"{stops}.{s.assumed}"
    )
    if price:
        cost = best.price(price)
        said = number(cost, 3) if cost >= 0.1 else money(cost)
        return text + f" At your {plain_number(price)} an hour, 10⁶ generated tokens cost at least **{said}**."
    return text


def _batching(s: Setup) -> str:
    """Where batching helps and what stops it."""
    most, at = s.most_sequences, BATCHES[4]
    one, several = (tokens_per_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (1, at))
    limit = f"It does not fit on {s.devices} at all; the curve is what it would do with more memory."
    limit = f"Memory is full at **{most:,}** {plural(most, 'sequence')}." if most else limit
    room = " if there were room" * (0 < most < at)
    matrices = compute_bound_tokens(s.shape, s.device, s.weight_bits)
    experts = ""
    if experts_raise(s.shape, s.device, s.weight_bits):
        experts = f", so many because each token uses {s.shape.experts.n_active} of {s.shape.experts.n_expert} experts"
    return (
        f"{amount(one)} tokens a second for one, **{amount(several)}** for {at}{room}; never more than "
        f"{amount(s.ceiling)} a second at this context, however many share a step: what a token computes, and its sequence’s "
        f"{s.kept}, are shared by none. {limit} From {matrices:,} "
        f"{plural(matrices, 'token')} in flight on arithmetic with the parameters takes as long as reading them, or longer "
        f"(compute-bound){experts}.{s.assumed}"
    )
