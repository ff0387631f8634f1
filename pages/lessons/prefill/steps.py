"""The lesson on prefill: one triangle filled three ways, and what a long prompt takes."""

from functools import partial

import numpy as np
import streamlit as st

from engine import prefill
from engine.compare import ROUNDING
from engine.cost import decimal_bytes
from engine.experiments import rows
from engine.model import ForwardPass
from engine.toy.leaks import to_blame
from engine.toy.scenario import Scenario
from engine.work.prompt_chunks import prompt_work
from pages.lessons.prefill import story
from pages.lessons.prefill.figures.prompt_cost import prompt_cost
from pages.lessons.prefill.figures.triangles import View, in_how_many, triangles
from pages.lessons.prefill.story import in_chunks
from pages.parts.controls.shared_parameters import P
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import may_tell
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, lead, takeaway
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import weight
from pages.parts.text.format import join, plural, quantity
from pages.parts.text.softmax_residue import least_change
from pages.parts.visit.parameters import Whole

MORE_OR_FEWER = ("fewer", "the same number", "more")
CHUNK = Whole("chunk", low=1, high=16)
LONGEST = 100_000  # tokens of a prompt
HIGH = 368.0  # pixels that the three ways have
IN_STORY = 308.0  # pixels that they have where they are timed
SLIDE = 366.0  # pixels that they have when presented
LENGTHS = (1, 2, 4, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, LONGEST)
WIDE = 1.15  # a step with room to spare is drawn larger still when presented
WITH_THE_MASK = "Counted with the causal mask on, as trained models read; with it off, as in this scenario, every cell counts."
ONE_PASS, SAME = "One token is one pass, whichever way it is read.", "The results are the same."
SHOWN_CHUNK = 1_000  # of the sentence on chunks; ours


def controls(s: Scenario) -> int:
    """How many tokens a chunk has. In the story, and of one token, nothing is moved."""
    n = len(s.tokens)
    if n == 1 or routes.chosen() == routes.STORY:
        return min(2, n)
    return CHUNK.slider("Tokens in a chunk", high=n, default=2)


@step(
    "One pass or many",
    minutes=6,
    click="With several tokens play the figure, then drag **Tokens in a chunk** from 1 to all of them.",
    ask="One pass or one token at a time: which computes more products that count?",
    in_story={"ask": "All at once or one token at a time: what takes longer, and what does a pass wait for?"},
    wrong={
        "fewer": "speed is taken for less work: one pass computes no fewer products, it computes them side by side",
        "more": "the hidden half of the square is counted; the mask takes it away",
    },
)
def three_ways(s: Scenario, run: ForwardPass) -> None:
    """The triangle one token at a time, in chunks and all at once, animated; whether one pass computes less."""
    lead(
        "A prompt’s words are all there: their rows can be computed one after another, some at a time or **all at once**."
        f"{story.FETCHES * story.timed(s)}"
    )
    moving, (asked, said) = st.container(), st.columns(BESIDE, gap="medium")
    with asked:
        ask_later(story.time_question if story.timed(s) else products_question, s, run)
    with said:
        told, below = st.container(key="takeaway_ways"), st.container()
    with moving:
        live(partial(_triangles, below), s, run, said=told)


def _triangles(below, s: Scenario, run: ForwardPass) -> tuple[str, str | None]:
    """How many at a time, the figure, and whether the results are the same; what differs behind that.

    below: the place of what moves it."""
    with below:
        n_chunk = controls(s)
    timed = story.timed(s)
    answered = asked_and_answered(*(("time", story.time_question) if timed else ("products", products_question)), s, run)
    one_by_one, chunked, whole = (in_chunks(s, n) for n in (1, n_chunk, len(s.tokens)))  # all with what softmax leaks
    gaps = [story.difference(s, passes, whole) for passes in (one_by_one, chunked)]
    chunk_name = f"{quantity(n_chunk, 'token')} at a time"
    ways = [("one token at a time", one_by_one), (chunk_name, chunked), ("all at once", whole)]
    notes = [""] * len(ways)  # how many products there are is asked
    if answered:
        counts = [quantity(sum(p.counts.scores for p in passes), "product") for _, passes in ways]
        notes = [count + _compared(s, run, gap) for count, gap in zip(counts, [*gaps, 0.0], strict=True)]
    if timed:  # beside one after another, how long all at once takes
        ways, notes, gaps = ways[::2], notes[::2], gaps[:1]
    drawn_on = under_headline(sheet(high=IN_STORY if timed else HIGH, slide_high=SLIDE), *in_how_many(ways, answered))
    figure = triangles(drawn_on, ways, s.tokens, notes, View(timed=answered) if timed else View(last=answered))
    alt = (
        f"{quantity(len(s.tokens), 'row')} of {plural(len(s.tokens), 'a token', 'tokens')} along a line of time: "
        + ", ".join(f"{name} in {quantity(len(passes), 'pass')}" for name, passes in ways)
        + "."
    )
    if not answered:
        how = "How long the last takes" if timed else "What the last computes"
        plot(figure, f"{alt} {how} is to be found.", "triangles")
        return ONE_PASS * (len(s.tokens) == 1), None
    alt += f" From all at once the contexts and logits of the first differ {_gap_in_words(s, gaps[0], 'by at most')}"
    alt += "." if timed else f", those of the second {_gap_in_words(s, gaps[1], 'by at most')}."
    plot(figure, alt, "triangles")
    agree = story.is_rounding(max(gaps), run)
    apart = f"What differs, {weight(max(gaps))} at most, is rounding." if agree and max(gaps) else None
    if timed and agree:
        return f"{SAME} {story.on_a_chip(len(s.tokens))}", apart
    return (_all_ways_agree(s, run, max(gaps)) if agree else _why_not(s, max(gaps))), apart


def _compared(s: Scenario, run: ForwardPass, gap: float) -> str:
    """By how much a way's results are off those of all at once, where that is more than rounding, in the figure."""
    apart = f"off {_gap_in_words(s, gap)}" if np.isfinite(gap) else f"{_no_number(s)} in one of the two"
    return "" if story.is_rounding(gap, run) else f", {apart}"


def _gap_in_words(s: Scenario, gap: float, most: str = "by") -> str:
    """How far two ways are apart in the number that differs most: by 0, by 3.6·10⁻¹⁵, by 4; it may be a number in one alone."""
    return f"{most} {weight(gap)}" if np.isfinite(gap) else f"between a number and {_no_number(s)}"


def _no_number(s: Scenario) -> str:
    """What an empty row makes that is no number."""
    return "NaN" if s.empty_row == "nan" else "none"


def _all_ways_agree(s: Scenario, run: ForwardPass, gap: float) -> str:
    if len(s.tokens) == 1:
        return f"{ONE_PASS} {SAME}"
    return SAME if gap else f"{SAME[:-1]} to the last bit."


def _why_not(s: Scenario, gap: float) -> str:
    """The takeaway where they do not, with the part of the scenario that is to blame."""
    least = least_change(s) if gap > least_change(s) else ROUNDING
    reasons, found = [], to_blame(s, lambda x: rows.pass_gaps(in_chunks(x, 1), prefill(x.model(), x.prompt_ids)), least)
    if "mask" in found:
        reasons.append("the mask is off, so in one pass a row sees tokens that one at a time had not come yet")
    if "last" in found:
        heads = [str(h) for h, r in enumerate(s.rules, 1) if r.breaks_cache]
        keys = (
            f"the {plural(len(heads), 'key')} of {plural(len(heads), 'head')} {join(heads)} {plural(len(heads), 'says', 'say')}"
        )
        reasons.append(f"{keys} “I am the last so far”, which the next token makes false")
    if "fill" in found:
        reasons.append("an empty row filled with −10⁹ averages over tokens that one at a time had not come yet")
    why = "; ".join(reasons) or "a row depends on what comes after it"
    return (
        f"Here these ways do **not** agree: they differ **{_gap_in_words(s, gap, 'by up to')}**. {why[0].upper()}{why[1:]}. A "
        "prompt can be cut anywhere only when no row knows what comes later."
    )


def products_question(s: Scenario, run: ForwardPass) -> Question:
    """Whether one pass saves arithmetic. It does not: it saves waiting."""
    n, passes = len(s.tokens), in_chunks(s, 1)
    single, together = sum(p.counts.scores for p in passes), run.counts.scores
    answer = MORE_OR_FEWER[int(np.sign(together - single)) + 1]
    return Question(
        "products",
        "Each visible cell takes one product, a query times a key. Does **one pass** compute more of them than one token at a "
        "time does?",
        answer,
        _saved_said(n) if together == single else f"**{together}** in one pass, {single} one at a time. {_saved_said(n)}",
        options=MORE_OR_FEWER,
    )


def _saved_said(n: int) -> str:
    """What one pass over n tokens saves, if not products."""
    if n == 1:
        return "With one token the two are the same pass."
    return f"What one pass saves is waiting: {n} steps that follow one another become 1."


@step(
    "A long prompt",
    minutes=5,
    ask="Twice the prompt: how many times as many products?",
    wrong={"Twice as many": "every token meets every one before it, so products grow with the square"},
)
def long_prompt(s: Scenario, run: ForwardPass) -> None:
    """The same counts for a prompt of up to 100,000 tokens, by formula."""
    lead("In one pass every query meets every key: a prompt **twice as long** has **four times** the products.", "prefill")
    figure = st.container()
    n_prompt = P.stops("Tokens in the prompt", LENGTHS, default=len(s.tokens), high=LONGEST)
    single, whole = prompt_work(n_prompt, 1), prompt_work(n_prompt, n_prompt)
    hidden = not may_tell("products", products_question, s, run)
    counted = f"{quantity(whole.scores, 'product')} that {plural(whole.scores, 'counts', 'count')}"
    counts = "still to be found" if hidden else counted
    alt = (
        f"A prompt of {quantity(n_prompt, 'token')}, per head and layer, with the causal mask. One token at a time: "
        f"{quantity(single.passes, 'pass')}, {quantity(single.scores, 'product')}. All at once: {whole.passes} pass, {counts} of "
        f"{whole.scores_dense:,} in a dense matrix of {decimal_bytes(whole.matrix_bytes)}. "
        f"For twice as many tokens {4 * whole.scores_dense:,}."
    )
    with figure:
        dense = f"{whole.scores_dense:,} → {4 * whole.scores_dense:,}"
        said = f"twice the tokens, four times the products: {dense}", f"2 × tokens: {dense} products"
        drawn_on = under_headline(sheet(slide_zoom=WIDE, high=350), *said)
        plot(prompt_cost(drawn_on, n_prompt, whole, hidden), alt, "prompt_cost")
    takeaway("cost", _cost(n_prompt) if s.causal else f"{_cost(n_prompt)} {WITH_THE_MASK}")
    if n_prompt > SHOWN_CHUNK:
        with st.expander("What servers do about it", icon=":material/dns:"):
            st.markdown(_in_pieces(n_prompt))


def _cost(n_prompt: int) -> str:
    """What one pass saves, and what it does not."""
    whole = prompt_work(n_prompt, n_prompt)
    if n_prompt == 1:
        return "With a single token there is nothing to wait for: both ways are the same pass."
    return (
        f"One pass removes **{n_prompt - 1:,}** {plural(n_prompt - 1, 'step')} of waiting, but attention grows with the square: "
        f"**{decimal_bytes(whole.matrix_bytes)}** for one head’s matrix of scores, were it written out at 2 bytes a number (fp16)."
    )


def _in_pieces(n_prompt: int) -> str:
    """Chunks, and attention that never writes its matrix."""
    chunks = prompt_work(n_prompt, SHOWN_CHUNK)
    return (
        "*Flash attention* computes the matrix in small tiles and keeps none of them, so it is never written out. And long "
        f"prompts are cut: in chunks of {SHOWN_CHUNK:,} it takes {chunks.passes:,} passes of at most "
        f"{decimal_bytes(chunks.matrix_bytes)} each, with the same result."
    )
