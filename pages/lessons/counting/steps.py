"""The lesson on counting: sizes, passes, three ways and growth. Counts come from engine.counts."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from engine.counts import Counts, cached_counts, last_query_counts, recomputed_counts, tokens_processed
from engine.decode import generate
from engine.toy.scenario import Scenario
from engine.work.baselines import doubling
from pages.lessons.counting import questions
from pages.lessons.counting.figures.growth_curves import CURVES, growth_curves
from pages.lessons.counting.figures.three_baselines import LINES, Way, three_baselines
from pages.lessons.counting.figures.twice_as_long import boxes_read, twice_as_long
from pages.lessons.counting.figures.work_passes import work_passes
from pages.lessons.counting.questions import ANSWER, LONG
from pages.lessons.counting.saved import PRODUCT, toy_ids, what_is_saved
from pages.parts.controls.shared_parameters import LENGTHS, MOST_TOKENS, G, P
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import all_on_one_page, may_tell
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked, takeaway
from pages.parts.question.predict import predict
from pages.parts.teaching import routes
from pages.parts.text.format import plural, quantity
from pages.parts.visit import scenario
from pages.parts.visit.display import narrow, presenting
from pages.parts.visit.parameters import Whole
from pages.parts.visit.scenario import on_paper

MOST = LENGTHS[-1]
QUERIES = ("query_rows", "query")  # which the figure leaves to its text alternative: as many as rows, or as with a cache
FORMS = (
    "K/V rows: GP + G(G−1)/2 without a cache, N with it. Queries: as many as rows where all are recomputed, else N. Products: "
    "Σ n(n+1)/2 for n = P…N where all are recomputed, else N(N+1)/2."
)
TRUE_OF_ROWS = (
    "**“O(n²) becomes O(n)” is true of keys and values, not of products**: there a cube becomes a square, for each new query still "
    "meets every key."
)
COUNTED_MASKED = f"{questions.MASKED[2].upper()}{questions.MASKED[3:]}."
COUNTED = 32  # tokens up to which the engine runs both ways at every edit; 64 is what the toy can hold
DOUBLED = Whole("doubled", low=1, high=MOST_TOKENS, default=LONG)  # the answer whose double is asked for


def given() -> tuple[Scenario, int, int]:
    """The scenario with P and G: from the link, else the length of the scenario's prompt and ANSWER."""
    s = scenario.current()
    return s, P.value(high=MOST, default=len(s.tokens)), G.value(high=MOST, default=ANSWER)


def controls(s: Scenario, first: bool = False) -> None:
    """The two lengths, apart: what the reader wrote, and what the model writes; once where all steps stand on one page or sheet."""
    if (all_on_one_page() or on_paper()) and not presenting() and not first:
        return
    with st.container(key="lengths"):
        left, right = st.columns(2, gap="medium")
    story = routes.chosen() == routes.STORY  # there no formula follows
    with left:
        P.stops("Tokens of the prompt" if story else "Prompt tokens, P", LENGTHS, len(s.tokens), MOST)
    with right:
        G.stops("Tokens of the answer" if story else "Tokens generated, G", LENGTHS, ANSWER, MOST)


@step(
    "Pass by pass",
    minutes=5,
    click=(
        f"Drag **Tokens generated, G** to {questions.LONG:,}, then to {2 * questions.LONG:,}, and compare the products. On a slide the key "
        "S brings the slider."
    ),
    ask=f"An answer of {questions.LONG:,} tokens gets twice as long, behind a cache. How many times as many products is that?",
    in_story={"ask": "Prompt and answer get twice as long, behind a cache. How many times as many boxes are read in all?"},
)
def passes(s: Scenario, p: int, g: int) -> None:
    """Both runs pass by pass, with their counts; and what twice the answer would cost."""
    lead(
        "Each column is a pass, each box a token’s **key and value**: computed once, then kept and only read."
        if routes.chosen() == routes.STORY
        else "A pass needs a **key and a value** (K/V) of each token so far; a query times a key is a **product**.",
        "prefill", "decode", "key", "value", "query", "score", "KV cache"
    )  # fmt: skip
    moving, (said, asked) = st.container(), said_and_asked("work", (1.1, 1), asked_first=True)
    under = st.container() if narrow() else None
    with asked:
        ask_later(lambda s, p, g: questions.double_scores(s), s, p, g)
    with moving:
        live(partial(_passes, under), s, p, g, said=said)


def _passes(under, s: Scenario, p: int, g: int) -> str:
    """The lengths, on a phone in the place `under` it, the figure, and what the cache saves; in the story what it does not is asked."""
    if routes.chosen() == routes.STORY:
        return _twice_as_long(under, s, p, g)
    with under or nullcontext():
        controls(s, first=True)
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    later = f"the first pass computes {quantity(p, 'row')} and each later one 1, together" if g > 1 else "it computes"
    alt = (
        f"Work of {quantity(p, 'prompt token')} and {g:,} generated, for one head of one layer. Without a cache {quantity(g, 'pass')} "
        f"{_how_long(p, g)} {plural(g, 'computes', 'compute')} {quantity(without.kv_rows, 'K/V row')} and "
        f"{quantity(without.scores, PRODUCT)}. With a cache {later} {quantity(cached.kv_rows, 'row')} and "
        f"{quantity(cached.scores, PRODUCT)}."
    )
    told = asked_and_answered("double_scores", questions.double_scores, s)
    if told:
        a, b = (cached_counts(len(s.tokens), n).scores for n in (LONG, 2 * LONG))
        alt += f" An answer to {quantity(len(s.tokens), 'token')} of {LONG:,} or {2 * LONG:,}: {a:,} and {b:,} products, ×{b / a:.3f}."
    plot(work_passes(sheet(), p, g), alt, "work_passes")
    return what_is_saved(p, g) + f" {COUNTED_MASKED}" * (not s.causal)


def _how_long(p: int, g: int) -> str:
    """How many tokens the passes are over."""
    return f"over {f'{p:,} to ' * (g > 1)}{quantity(p + g - 1, 'token')}"


def _twice_as_long(under, s: Scenario, p: int, g: int) -> str:
    """The run with a cache, beside it one that is twice as long, once that has been predicted; then the lengths can be moved."""
    told = asked_and_answered("double_scores", questions.double_scores, s)

    def run(p: int, g: int) -> str:
        return f"{quantity(g, 'pass')} {_how_long(p, g)}: {quantity(p + g - 1, 'box')} computed, {quantity(boxes_read(p, g), 'box')} read"

    alt = f"With a cache {run(p, g)}. Twice as long: {run(2 * p, 2 * g) if told else 'still to be found'}."
    plot(twice_as_long(sheet(), p, g, told), alt, "twice_as_long")
    if not told:
        return ""
    with under or nullcontext():
        controls(s, first=True)
    return what_is_saved(p, g)


@step(
    "Two baselines",
    minutes=5,
    ask="Only the newest token asks: how many products does each way take?",
    wrong={
        "Fewer products with a cache than where only the newest asks": (
            "keys and products are taken for one thing: the keys are computed again"
        )
    },
)
def baselines(s: Scenario, p: int, g: int) -> None:
    """Three ways, two of them without a cache; their products wait for the prediction."""
    same = "Three ways to the same answer."
    if any(rule.breaks_cache for rule in s.rules):
        same = "Three ways; the cache’s answer may be another, for a kept key that says “I am the last” goes **out of date**."
    lead(f"What if only the newest token asks, and the keys and values are still computed again? {same}")
    shown = st.container()
    controls(s)
    question = questions.products(s)
    about = (p, g) == (len(s.tokens), ANSWER)  # of these lengths it is asked
    guesses = str(question.guess or "").split(" and ") if question.answered and about else []
    second, third = guesses if len(guesses) == 2 else ("", "")
    hidden = not question.answered  # at any P and G: that two are equal is the answer
    wait = ("scores",) * hidden  # that cost as much with a cache
    ways = (
        Way("no cache, recompute everything", "what a model of several layers must do", "recompute",
            recomputed_counts(p, g)),
        Way("no cache, last query only", "enough for one layer; the article’s first version", "last query",
            last_query_counts(p, g), wait, second),
        Way("KV cache", "keys and values are kept", "cache", cached_counts(p, g), wait, third),
    )  # fmt: skip
    with shown:
        plot(three_baselines(sheet(), ways, p, g), _in_words(ways), "three_baselines")
        predict(question)
        if not hidden and not presenting():  # on a slide the picture keeps its place
            st.caption(_counted_or_not(s, p, g), help=FORMS)


def _in_words(ways: Sequence[Way]) -> str:
    """The three ways as a text alternative."""
    kinds, said = (LINES[0], QUERIES, LINES[1]), []
    for way in ways:
        sums = [f"? {plural(2, one)}" if kind in way.hidden else quantity(getattr(way.sums, kind), one) for kind, one in kinds]
        said.append(f"{way.name}: {', '.join(sums)}")
    return f"Work for one head of one layer. {'; '.join(said)}."


def _counted_or_not(s: Scenario, p: int, g: int) -> str:
    n = tokens_processed(p, g)
    head = f"P = {p:,}, G = {g:,}, so N = P + G − 1 = {n:,}. "
    if n > COUNTED:
        return (
            f"{head}By formula: nothing of this size is run. Up to N = {COUNTED} the engine runs both ways while you look, and "
            "counts what it does."
        )
    without, cached = counted(s, p, g, use_cache=False), counted(s, p, g, use_cache=True)
    same = without == recomputed_counts(p, g) and cached == cached_counts(p, g)
    masked = "" if s.causal else ", with the mask on as the formulas have it, and not off as here,"
    return (
        f"{head}The engine has just run both{masked} and counted: {without.kv_rows:,}, {without.query_rows:,} and {without.scores:,} "
        f"without a cache, {cached.kv_rows:,}, {cached.query_rows:,} and {cached.scores:,} with it: "
        f"**{'equal to the formulas' if same else 'not what the formulas say'}**. The middle line is a formula only."
    )


def counted(s: Scenario, n_prompt: int, n_generated: int, use_cache: bool) -> Counts:
    """The work of a real run over the scenario's prompt, repeated or cut to n_prompt tokens, counted pass by pass.

    The mask is on and empty rows give 0: counts do not depend on values or rules, and a run must not stop at a NaN.
    """
    return _counted(replace(s, causal=True, empty_row="none"), n_prompt, n_generated, use_cache)


@lru_cache(maxsize=128)
def _counted(s: Scenario, n_prompt: int, n_generated: int, use_cache: bool) -> Counts:
    return generate(s.model(), toy_ids(s, n_prompt), n_generated, use_cache).counts


@step(
    "Twice the answer",
    minutes=5,
    click="Drag **Answer that is doubled, tokens** from 1 upwards.",
    ask="Which line is a line, which a square, which a cube? Say it of each before you read its factor.",
    wrong={"A cache makes all of it linear": "that is true of rows; each new query still meets every kept key"},
)
def growth(s: Scenario, *_) -> None:
    """The curves of an answer that gets twice as long. Beside the open question on them the cache’s end at the answer asked about.

    They show the scenario's prompt and 1,000 tokens, until the slider beside them is moved: at a short answer, as the steps before
    have it, no factor has come near its power yet.
    """
    told = may_tell("double_scores", questions.double_scores, s)
    masked = f" {COUNTED_MASKED}" * (not s.causal)
    said = "Make the answer twice as long. Work that then doubles, **×2**, grows like a line; **×4** is a square, **×8** a cube."
    lead(f"{said}{masked}")
    p, g = len(s.tokens), DOUBLED.value(high=MOST)
    alt = f"Work against tokens generated, for {quantity(p, 'prompt token')} and {g:,} generated."
    if told:
        factors = "; ".join(f"{c.name} by {doubling(c.baseline, c.kind, p, g):.3f}" for c in CURVES)
        alt += f" From {g:,} to {2 * g:,} tokens it multiplies: {factors}."
    plot(growth_curves(sheet(), p, g, told), alt, "growth_curves")
    said, moved = st.columns([1.6, 1], vertical_alignment="center")
    with moved:
        DOUBLED.stops("Answer that is doubled, tokens", LENGTHS, high=MOST)
    if told:
        with said:
            takeaway("growth", TRUE_OF_ROWS, help="And of all else that is done once a token, such as the MLP, the two "
                        "matrices that follow attention in a layer.")  # fmt: skip
