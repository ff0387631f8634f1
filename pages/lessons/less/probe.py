"""What large models are known for, measured on the model at hand: attention sinks, and channels of keys that stand out."""

from functools import partial
from math import ceil

import streamlit as st

from engine.caches.quantised import BITS
from engine.experiments.kept_less import GROUP, GROUPINGS, KeptLess, measured, n_steps, text_length
from pages.lessons.less.figures.bit_errors import bit_errors
from pages.lessons.less.figures.sinks import KeptText
from pages.lessons.less.figures.sinks import sinks as sinks_figure
from pages.lessons.less.rounded_key import PER_CHANNEL, PER_TOKEN, one_token
from pages.lessons.less.steps import Toy
from pages.lessons.less.view import View
from pages.parts.controls.shared_parameters import SEED
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import told_apart
from pages.parts.text.format import join, md, number, plural
from pages.parts.trained import model
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice

CLOSE = 0.05  # two errors this near count as hardly different
ALIKE = "hardly different: within 5%"
NEWEST, WITH_FIRST = "the newest only", "the first and the newest"
N_BITS = Choice("kept_bits")
MOST_SEED = 99
# StreamingLLM, Table 1: perplexity of Llama-2-13B on a book of PG19, by (first tokens, newest tokens) that are kept.
STREAMING_LLM = {(0, 1024): 5158.0, (4, 1020): 5.40}
BOOK = 65_000  # tokens of it, about
# KIVI, Table 1, score of a task in 16 bits and in 2: keys by channel and values by token, and the other way round.
KIVI = {"16 bits": 66.37, "keys by channel, values by token": 63.53, "keys by token, values by channel": 2.80}


def _measured(v: View) -> KeptLess | None:
    """The measurements, shared by all who ask for the same; None, and a message, as long as they are not there."""
    m, ids, seed = v.trained.model, v.prompt.ids, SEED.value(high=MOST_SEED)
    n = text_length(len(ids), model.most_tokens(m))
    n_bytes = 8 * (n + GROUP * m.d_head + m.n_layer * (m.n_head + 2 * m.n_kv_head * m.d_head)) + 2000
    steps = partial(measured, m, ids, n, seed)
    job = v.trained.job("kept less", ids, seed, steps=steps, n_steps=n_steps(len(ids), n), n_bytes=n_bytes)
    found = v.work.result(job, "A text, read behind smaller caches")
    v.work.say()
    return found


def _text(v: View, measured: KeptLess | None) -> str:
    """What it is measured on; a slide has no room for it."""
    if measured is None or presenting():
        return ""
    n, text = len(measured.token_ids), model.text(v.trained, measured.token_ids)
    return f"Measured on {n} tokens, the prompt and what {md(v.trained.name)} wrote after it: “{md(text[:110])} …”"


@step(
    "The first tokens",
    minutes=5,
    ask="Which of the two models falls apart without its first tokens, and what does the takeaway say of the weight on them?",
    wrong={
        "the first and the newest": (
            "what was published of large models is taken for a law: it holds where heads leave much weight on the first "
            "token, and the takeaway says how much these do"
        ),
        "Nearer tokens always matter more": (
            "nearness is taken for importance: what a head looks at is measured, and may lie far back"
        ),
    },
)
def first_tokens(_: Toy, v: View) -> None:
    """Equally many tokens kept, with and without the first: how well a text is read, and who looks at its first token."""
    lead("Llama-2-13B falls apart when its first tokens are dropped. Does this small model? Perplexity tells: it is between how many words "
         "a model hesitates at each token, so fewer is better.", "perplexity", "attention sink")  # fmt: skip
    probe = _measured(v)
    picture, (left, right) = st.container(), st.columns([1, 2.6], gap="medium", vertical_alignment="center")
    with left:
        SEED.slider("Seed of the text", high=MOST_SEED)
    right.markdown(_text(v, probe))
    if probe is None:
        return
    with picture:
        _sinks(probe)


def _sinks(probe: KeptLess) -> None:
    """The figure, the question, and once that is answered what came of it."""
    question = first_question(probe)
    known, n = question.answered, len(probe.token_ids)
    rows = [_kept(first, probe.budget, n, p if known or not first else None) for first, p in probe.perplexity.items()]
    told = "; ".join(f"{row.name} {number(row.perplexity, 2) if row.perplexity else 'waits'}" for row in rows)
    alt = f"Perplexity of the text: {told}. Largest mean weight on the first token {probe.to_first.max():.2f}."
    published = [KeptText(f"{a} first + {b:,} newest", a, b, BOOK, p) for (a, b), p in STREAMING_LLM.items()]
    plot(sinks_figure(sheet(high=310, slide_high=360), rows, published, "Llama-2-13B on a book, as published"), alt, "sinks")
    question_then_takeaway(question, "sinks", _first_in_words(probe), help=_streaming_llm(), widths=(1.1, 1.2))


def _kept(n_sinks: int | None, budget: int, n_tokens: int, perplexity: float | None) -> KeptText:
    """A cache as the figure draws it; None is the one that keeps everything."""
    if n_sinks is None:
        return KeptText("everything", 0, n_tokens, n_tokens, perplexity)
    n_newest = budget - n_sinks
    return KeptText(f"{n_sinks} first + {n_newest} newest", n_sinks, n_newest, n_tokens, perplexity)


def first_question(measured: KeptLess) -> Question:
    """Which of two caches of equal size reads the text better."""
    most = max(n for n in measured.perplexity if n is not None)
    newest, with_first = measured.perplexity[0], measured.perplexity[most]
    close = abs(newest - with_first) <= CLOSE * min(newest, with_first)
    return Question(
        "first_tokens",
        f"Every row may see **{measured.budget}** tokens of the text: the newest {measured.budget}, or the first {most} and the newest "
        f"{measured.budget - most}. With which does the model predict its text better?",
        ALIKE if close else NEWEST if newest < with_first else WITH_FIRST,
        f"Perplexity {number(newest, 2)} with the newest only, {number(with_first, 2)} with the first {most} among them; with "
        f"everything {number(measured.perplexity[None], 2)}.",
        options=(NEWEST, WITH_FIRST, ALIKE),
    )


def _first_in_words(measured: KeptLess) -> str:
    """What happened here and what did not."""
    window, most = measured.perplexity[0], ceil(100 * float(measured.to_first.max())) / 100
    some = {n: p for n, p in measured.perplexity.items() if n}
    n = min(some, key=some.get)
    best, worst = some[n], max(some)
    who = f"the first {n}" if n > 1 else "the first token"
    if abs(best - window) <= CLOSE * min(best, window):
        first = f"so here little is lost with {plural(n, 'it', 'them')}"
    elif best < window:
        one, many = "it is worth more than the newer one that gives it", "they are worth more than the newer ones that give them"
        first = f"so here {plural(n, one, many)} room"
    else:
        first = "so here newer ones are worth more"
    if n != worst and some[worst] > (1 + CLOSE) * window and best <= (1 + CLOSE) * window:
        first += f"; the first {worst} make it **{number(some[worst], 2)}**"
    return (
        f"With {who} among the {measured.budget} the perplexity is **{number(best, 2)}**, {number(window, 2)} without, "
        f"{first}: behind the first {measured.budget} no head gives the very first more than **{most:.2f}** of its weight on average."
    )


def _streaming_llm() -> str:
    """The source, and why it can be otherwise there."""
    return (
        "StreamingLLM (Xiao et al. 2023, arXiv 2309.17453), Table 1: a book of PG19. Its authors explain it so: softmax must "
        "give its weight to somebody, and large models learn to leave what they do not need on the first tokens, the sinks. "
        "Here tokens keep their places in the text; there they are counted anew within the cache."
    )


@step(
    "Fewer bits",
    minutes=5,
    ask="Find the channel of keys that stands out most. If it shares a low and a high with the others, what becomes of the small ones?",
    wrong={
        "one low and high for each token": (
            "the numbers of one token are thought to be of one size: a channel that stands out widens their range, and the "
            "small ones fall on few levels"
        ),
        "hardly different: within 5%": (
            "the same number of bits is taken for the same error: the step between two levels is the group’s range, divided"
        ),
    },
)
def fewer_bits(_: Toy, v: View) -> None:
    """Keys and values rounded to few bits: how large the channels are, and the error with either grouping."""
    lead("A number in few bits is a level between a low and a high. Who shares the two decides how coarse the levels are.",
         "key", "value")  # fmt: skip
    probe, picture, (left, right) = _measured(v), st.container(), st.columns([2, 1], gap="medium", vertical_alignment="center")
    left.markdown(_text(v, probe))
    with right:
        bits = int(N_BITS.buttons("Bits of a number", {str(b): f"{b} bits" for b in BITS}, "2"))
    if probe is None:
        return
    with picture:
        _bits(v, probe, bits)


def _bits(v: View, probe: KeptLess, bits: int) -> None:
    """The figure, the question, and once that is answered what came of it."""
    question = bits_question(probe, bits)
    channel, token = (probe.errors["keys", grouping, bits] for grouping in GROUPINGS)
    ratio = number(token / channel, 2) if channel else "1" if not token else "∞"
    asks, says = "Levels for each channel, or for each token?", f"Levels for each token: {ratio} times the error"
    says = says if question.answered else asks
    figure = bit_errors(sheet(high=300, slide_high=360), *one_token(probe, bits), 2**bits, says, question.answered)
    keys, values = (_by_grouping(probe, part, bits) for part in ("keys", "values"))
    told = f"{keys if question.answered else 'keys to be found'}; {values}"
    alt = (
        f"In the head whose largest channel stands out most, {number(probe.outlier('keys'), 1)} times the median, one token’s key on the "
        f"levels of each channel and on its own. Errors at {bits} bits: {told}."
    )
    plot(figure, alt, "bit_errors")
    question_then_takeaway(question, "bits", _bits_in_words(probe), help=_kivi(v, bits), widths=(1.1, 1.2))


def bits_question(measured: KeptLess, bits: int) -> Question:
    """Which grouping leaves the keys nearer to what they were."""
    channel, token = (measured.errors["keys", grouping, bits] for grouping in GROUPINGS)
    close = abs(channel - token) <= CLOSE * min(channel, token)
    keys, values = (_by_grouping(measured, part, bits) for part in ("keys", "values"))
    return Question(
        "bits",
        f"The **keys** of this text in {bits} bits: with which do they come out nearest to what they were?",
        ALIKE if close else PER_CHANNEL if channel < token else PER_TOKEN,
        f"Relative errors: {keys}; {values}.",
        options=(PER_CHANNEL, PER_TOKEN, ALIKE),
    )


def _by_grouping(measured: KeptLess, part: str, bits: int) -> str:
    """ "keys 0.0045 by channel, 0.0038 by token": both errors, told apart."""
    both = told_apart(*(measured.errors[part, grouping, bits] for grouping in GROUPINGS), digits=3)
    return f"{part} {join([f'{said} by {grouping}' for said, grouping in zip(both, GROUPINGS, strict=True)])}"


def _bits_in_words(measured: KeptLess) -> str:
    """What was found here beside KIVI's collapse."""
    _, right, wrong = KIVI.values()
    return (
        f"The largest channel of keys is **{number(measured.outlier('keys'), 1)} times** its head’s median. In KIVI’s large models a "
        f"few stand out far: at 2 bits, keys by token *and* values by channel take a score from {right:.2f} to **{wrong:.2f}**."
    )


def _kivi(v: View, bits: int) -> str:
    """The source, and what a number takes with its share of the low and the step."""
    m, both = v.trained.model, 2 * 8 * v.trained.model.dtype.itemsize
    return (
        f"KIVI (Liu et al. 2024, arXiv 2402.02750), Table 1; in 16 bits the score is {KIVI['16 bits']}. Here a group is "
        f"{GROUP} tokens of a channel, or the {m.d_head} channels of a token in one head; with its low and its step a number "
        f"takes {number(bits + both / GROUP, 1)} or {number(bits + both / m.d_head, 1)} bits."
    )
