"""Many sequences at once: what sharing the weights saves, and where the caches take over."""

from engine.cost import compute_bound_tokens, decimal_bytes, met_weight_bytes, tokens_per_s, tpot_s
from engine.cost.times import pass_parts
from pages.lessons.roofline.figures.throughput import Rates, throughput
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import desk_line
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import md, number, plural, quantity

HARDLY = 1.05  # times as long, up to which a step is said to change hardly


def batch_question(s: Setup) -> Question:
    """The step's time for this batch and for twice as many sequences."""
    one, two = (tpot_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (s.batch, 2 * s.batch))
    ratio = two / one
    options = ("it hardly changes", "it grows, but less than double", "it about doubles")
    answer = options[0] if ratio < HARDLY else options[2] if ratio > 1.85 else options[1]
    return Question(
        "batch",
        f"One decode step of {md(s.shape.name)} on {s.on} serves {quantity(s.batch, 'sequence')} of {quantity(s.n_tokens, 'token')}. "
        "Double the number of sequences: what happens to the time of the step?",
        answer,
        f"{_longer(one, two)} {_why_batch(s)}",
        options=options,
    )


def _longer(one: float, two: float) -> str:
    """Both times and their ratio, as far as the digits tell them apart."""
    ratio = number(two / one, 2)
    return f"{seconds(one)} hardly change." if ratio == "1" else f"{seconds(one)} become {seconds(two)}, {ratio} × as long."


def _why_batch(s: Setup) -> str:
    """Whose bytes are shared and whose are not, and what takes the time of the doubled step."""
    stored, read = s.stored_and_read
    weights = f"The weights ({read})" if read == stored else f"Of the weights ({stored} stored) {read}"
    of_each = "the index and the chosen rows of a cache" if s.shape.n_select else f"a {s.kept}"
    now = f"{decimal_bytes(s.read_bytes)} now{f'; {s.in_copies}' if s.in_copies else ''}"
    if state := s.shape.state_bytes(s.batch):
        now = " and ".join([now] * bool(s.read_bytes) + [f"{decimal_bytes(state)} of states, read and written"])
    text = f"{weights} are read once for all sequences, {of_each} for each of them ({now})."
    met = [decimal_bytes(met_weight_bytes(s.shape, n, s.weight_bits)) for n in (s.batch, 2 * s.batch)]
    if met[0] != met[1]:
        text += " More tokens also visit more experts, so more weights are read."
    products, attention = pass_parts(s.shape, 1, s.device, s.n_tokens, 2 * s.batch, **s.options)
    return (
        f"{text} Then {_what_takes(products, 'weights')} takes {seconds(max(products))}, {_what_takes(attention, s.kept)} "
        f"{seconds(max(attention))}."
    )


def _what_takes(part: tuple[float, float], what: str) -> str:
    """Which is longer, arithmetic or reading."""
    arithmetic, reading = part
    rows = " and writing their new rows" * ("cache" in what) + " and writing them again" * (what == "state")
    kept = " and ".join(f"{one}s" for one in what.split(" and "))
    moving = "reading the weights" if what == "weights" else f"reading the {kept}{rows}"
    return moving if reading >= arithmetic else f"arithmetic with the {what if what == 'weights' else kept}"


@step(
    "Batching",
    minutes=5,
    ask="Twice the sequences: how long does the step take?",
    wrong={
        "it about doubles": (
            "the weights are fetched once for all; as long as they are most of the bytes, a second sequence is nearly free"
        ),
        "it hardly changes": "right only while the caches are small beside the weights",
    },
)
def batching(s: Setup, n_generated: int) -> None:
    """Tokens a second against batch; curves and ceiling wait for the answer."""
    desk_line.show(s)
    lead("Sequences can share a decode step. How many more tokens a second does a server write then?")
    question = batch_question(s)
    with_cache = [tokens_per_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in BATCHES]
    without = [tokens_per_s(s.shape, 0, s.device, b, **s.options) for b in BATCHES]
    now, doubled = (tokens_per_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (s.batch, 2 * s.batch))
    ceiling, most = s.ceiling, s.most
    alt = f"Tokens a second against batch for {s.shape.name} on {s.on}, {quantity(s.n_tokens, 'token')} each: {amount(now)} at {s.batch:,}"
    if question.answered:
        shown = [(b, v) for b, v in list(zip(BATCHES, with_cache, strict=True))[::3] if b != s.batch]
        alt += (
            "".join(f", {amount(v)} at {b:,}" for b, v in shown)
            + f". At most {amount(ceiling)}; {quantity(most, 'sequence')} {plural(most, 'fits', 'fit')}."
        )
    else:
        alt += ". The curve waits for your answer."
    rates = Rates(BATCHES, with_cache, without, ceiling, most, why_ceiling(s))
    figure = throughput(sheet(presented=0.98, high=315), rates, s.batch, now, doubled if question.answered else None)
    plot(figure, alt, "throughput")
    question_then_takeaway(question, "batch", _batching(s, with_cache, ceiling, most), widths=BESIDE)


def why_ceiling(s: Setup) -> str:
    """What no batch exceeds, in short."""
    return f"bandwidth / one {s.kept}" if s.ceiling == s.cache_ceiling else "peak arithmetic / one token’s"


def _batching(s: Setup, with_cache: list[float], ceiling: float, most: int) -> str:
    """Where batching helps and what stops it."""
    limit = (
        f"Memory is full at **{most:,}** {plural(most, 'sequence')}."
        if most
        else f"It does not fit on {s.on} at all; the curve is what it would do with more memory."
    )
    why = f"where each brings a {s.kept} of its own" if s.ceiling == s.cache_ceiling else f"as fast as {s.on} computes"
    matrices = compute_bound_tokens(s.shape, s.device, s.weight_bits)
    mixture = s.shape.experts
    some = mixture and mixture.n_active < mixture.n_expert
    experts = f", so many because each token uses {mixture.n_active} of {mixture.n_expert} experts" if some else ""
    return (
        f"{amount(with_cache[0])} tokens a second for one, **{amount(with_cache[4])}** for {BATCHES[4]}; never more than "
        f"{amount(ceiling)} a second at this context, {why}. {limit} From {matrices:,} "
        f"{plural(matrices, 'token')} in flight on arithmetic with the weights outlasts reading them (compute-bound){experts}.{s.assumed}"
    )
