"""The least that could be kept: the contexts of the last row. What they give back of the values, and what they lose."""

from dataclasses import dataclass

import numpy as np

from engine.cache import KVCache
from engine.decode import decode_step
from engine.experiments.rows import largest_values
from engine.prefill import prefill
from engine.toy.summary import Summary, summary
from pages.lessons.less.figures.sums_of_values import Sums, sums_of_values
from pages.lessons.less.steps import HIDDEN, Toy
from pages.lessons.less.view import View
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import context_text, gap_text
from pages.parts.text.format import entered, join, md, plural, quantity

ALL, SOME = "yes, all of them", "no"


@dataclass(frozen=True, eq=False)
class LastRow:
    """A last row: its tokens' words and values, (n,), weights (n_head, n), contexts (n_head,), the largest value that each of these is
    made of, and what they say of the values."""

    words: list[str]
    values: np.ndarray
    weights: np.ndarray
    contexts: np.ndarray
    most: np.ndarray
    summary: Summary


def last_rows(t: Toy) -> list[LastRow]:
    """The last row of the prompt, and that of the prompt with the first word of the answer."""
    blocks = []
    model = t.scenario.model()
    cache = KVCache.for_model(
        model, len(t.ids)
    )  # the word comes in behind what the prompt has left there, as in the steps before
    for n, run in ((len(t.ids) - 1, prefill(model, t.ids[:-1], cache)), (len(t.ids), decode_step(model, t.ids[-1], cache))):
        layer = run.layers[0]
        values, weights = layer.v[0, :, 0], layer.weights[:, -1]
        most = largest_values(layer)[:, -1]
        blocks.append(LastRow(t.words[:n], values, weights, layer.context[:, -1, 0], most, summary(weights, values)))
    return blocks


@step(
    "Only the summary",
    minutes=5,
    ask="Count: how many sums do the contexts give, and how many values are unknown?",
    wrong={
        "yes, all of them": (
            "a context is taken for a copy of what it was made from: it is one sum, and only as many independent sums as "
            "there are values can be undone"
        ),
        "No, for a sum never gives its parts back": (
            "one sum does not: as many independent ones as there are parts give back each of them"
        ),
    },
)
def only_summary(t: Toy, _: View) -> None:
    """The least there is: the contexts of the last row; what they give back, and what they cannot tell apart."""
    lead("The last row’s contexts have been called “a compressed summary of your entire prompt”. Keep only them: what of the "
         "values is still there?", "context", "value")  # fmt: skip
    found = last_rows(t)
    question = summary_question(t, found[1].summary)
    prompts = [_sums(found[0], True), _sums(found[1], question.answered)]
    told = [f"{', '.join(one.words)}: contexts {join(list(one.contexts))} of the values {join(list(one.values))}, from which follow: "
            f"{join(list(one.found)) if one.found[0] != HIDDEN else 'waits for your answer'}" for one in prompts]  # fmt: skip
    plot(
        sums_of_values(sheet(high=345, slide=400), prompts),
        f"Values and last row’s contexts. {'. '.join(told)}.",
        "sums_of_values",
    )
    question_then_takeaway(
        question,
        "summary",
        _lost(found[0].values, found[0].summary, found[1].values, found[1].summary, found[1].weights),
        widths=(1.5, 1),
    )


def _sums(row: LastRow, known: bool) -> Sums:
    """What the figure shows of a row: its own values, and those that its contexts give back, or others that fit them."""
    own, contexts = (
        [entered(v) for v in row.values],
        [context_text(c, most) for c, most in zip(row.contexts, row.most, strict=True)],
    )
    found, moved = [HIDDEN] * len(own), ()
    if known and row.summary.twin is None:
        found = [context_text(v, row.values) for v in row.summary.recovered]
    elif known:
        found = [entered(v) for v in row.summary.twin]
        moved = tuple(a != b for a, b in zip(own, found, strict=True))
    return Sums(row.words, row.summary.rank, row.weights, contexts, own, found, moved)


def summary_question(t: Toy, longer: Summary) -> Question:
    """Whether the contexts of the longer row still give all values back."""
    n, n_head = len(t.ids), len(t.scenario.rules)
    contexts = quantity(n_head, "context")
    why = (
        f"The {contexts} {plural(n_head, 'is', 'are')} {quantity(longer.rank, 'independent sum')} of {quantity(n, 'value')}. "
        + ("As many as values: the sums can be undone." if longer.twin is None else
           "Fewer than values: some of them can move against each other and no context changes.")
    )  # fmt: skip
    return Question(
        "summary",
        f"{t.guard}“{md(t.words[-1])}” comes in: the last row has still {contexts}, of {quantity(n, 'token')} now. Can the {n} values be "
        f"read back from {plural(n_head, 'it', 'them')}, the weights being known?",
        ALL if longer.twin is None else SOME,
        why,
        options=(ALL, SOME),
    )


def _lost(values: np.ndarray, short: Summary, more: np.ndarray, longer: Summary, weights: np.ndarray) -> str:
    """What the two summaries keep."""
    n, tokens = len(values), f"Of {quantity(len(values), 'token')}"
    if short.twin is None:
        gap = float(np.abs(short.recovered - values).max())
        kept = f"{tokens} nothing is lost: solving gives the {plural(n, 'value')} back, off by {gap_text(gap)}"
    else:
        sums = f"{quantity(short.rank, 'independent sum')}, {quantity(n, 'unknown')}"
        kept = f"{tokens} the {plural(n, 'value does', 'values do')} not come back: {sums}"
    if longer.twin is None:
        return f"{kept}. Of {len(more)} they do come back; with more tokens than heads they cannot."
    gap = float(np.abs(weights @ (longer.twin - more)).max())
    return (
        f"{kept}. Of {len(more)}, two prompts have the same contexts, to {gap_text(gap)}: a summary, and **a lossy one**. Later "
        "tokens ask each key anew, so a cache keeps the rows."
    )
