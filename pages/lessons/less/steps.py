"""Less kept on the toy: five caches of one prompt side by side, and the last row's contexts as all that is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from engine.caches import CacheError
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.toy.scenario import MAX_PROMPT, Scenario
from engine.toy.summary import Summary, summary
from pages.lessons.less.figures.kept_rows import KeptRow, kept_rows
from pages.lessons.less.figures.value_rows import ValueRow, value_rows
from pages.lessons.less.variants import HEAVY, MOST_SINKS, SINKS, WINDOW, Variant, variants
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.plot import plot
from pages.parts.drawing.sheet import plain
from pages.parts.lesson.lesson import lead, step
from pages.parts.lesson.predict import Question, predict
from pages.parts.text.format import apart, head_names, join, md, number
from pages.parts.visit import scenario
from pages.parts.visit.display import look, presenting
from pages.parts.visit.parameters import Whole

NEWEST = Whole("newest", low=2, high=MAX_PROMPT + 1, default=2)
FIRST = Whole("first", low=1, high=MOST_SINKS, default=1)
FEW_HEADS = 4  # whose contexts there is room for
ALL, SOME = "yes, all of them", "no"


@dataclass(frozen=True, eq=False)
class Toy:
    """The scenario and the prompt's pass. guard: what had to be said because the scenario was changed so that numbers come out."""

    scenario: Scenario
    run: ForwardPass
    guard: str

    @property
    def ids(self) -> tuple[int, ...]:
        """The prompt and the first word of the answer."""
        return (*self.scenario.prompt_ids, int(self.run.logits[-1].argmax()))

    @property
    def words(self) -> list[str]:
        """What `ids` are called."""
        return [self.scenario.id_words[i] for i in self.ids]


def given() -> tuple[Toy]:
    """The toy; a cache that drops rows can leave any head with nothing to see, so NaN for empty rows gets its guard here."""
    s, guard = scenario.current(), ""
    if s.empty_row == "nan":
        s, guard = replace(s, empty_row="none"), "With a guard that gives an empty row the weights 0: "
    return (Toy(s, prefill(s.model(), s.prompt_ids), guard),)


@step("On the toy")
def toy(t: Toy) -> None:
    """Five caches side by side, and which word comes out with a sink."""
    s = t.scenario
    if not presenting():
        lead("Each cache below has read the same prompt; then one more word came in. What is still there, and what is said next?",
             "KV cache", "weight")  # fmt: skip
    head = _controls(s)
    shown = variants(s.model(), t.ids, NEWEST.value(high=max(3, len(t.ids))), FIRST.value(), "tensor")
    question = sink_question(t, shown)
    plot(*_toy_figure(t, shown, head, question.answered), "kept_toy")
    asked, said = st.columns([1.6, 1], gap="medium") if question.answered else (st.container(), None)
    with asked:
        predict(question)
    if said:
        with said, st.container(key="takeaway_toy"):
            st.markdown(_near_or_right(shown[WINDOW].error, shown[SINKS].error))


def _controls(s: Scenario) -> int:
    """How much is kept, and whose weights are shown; returns that head, from 0."""
    columns = st.columns([1, 1, 1.6], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        NEWEST.slider("Newest tokens", high=max(3, len(s.tokens) + 1))
    with columns[1]:
        FIRST.slider("First tokens (sinks)")
    with columns[2]:
        return HEAD.buttons("Weights of head", [md(name) for name in head_names(s)]) - 1


def _toy_figure(t: Toy, shown: dict[str, Variant], head: int, answered: bool):
    """The figure, and what it says in words; the word of the question waits for the answer."""
    s, n = t.scenario, len(t.ids)
    with_contexts = len(s.rules) <= FEW_HEADS
    heads = [("contexts", 0.19)] * with_contexts + [("bytes", 0.075), ("error", 0.07), ("KL", 0.07), ("next word", 0.125)]
    rows, told = [], []
    for key, v in shown.items():
        hidden = key in (SINKS, HEAVY) and not answered
        contexts = ", ".join(number(x) for x in v.last.run.layers[0].context[:, -1, 0])
        word = s.words[v.token_id]
        facts = [contexts] * with_contexts + [f"{v.last.nbytes:,}", *errors(v.error), plain(word[:12])]
        facts = hidden_facts(facts) if hidden else facts
        weights = v.weights(0, head, n)
        rows.append(KeptRow(v.name, weights, tuple(facts), not hidden and v.token_id != shown[""].token_id))
        kept = [w for w, x in zip(t.words, weights, strict=True) if not np.isnan(x)]
        told.append(f"{v.name}: sees {', '.join(kept) or 'nothing'}; {'waits for your answer' if hidden else f'next {word}'}")
    title = f"weights of <b>{plain(t.words[-1])}</b> in head {plain(head_names(s)[head])}; hidden or dropped: –"
    figure = kept_rows(rows, t.words, title, heads, **look(0.97 if presenting() else 1.0))
    return figure, f"Five caches of one text. {'. '.join(told)}."


def errors(error: CacheError | None) -> list[str]:
    """Relative error of the contexts, and the divergence of the chances."""
    return ["0", "0"] if error is None else [apart(error.contexts), apart(error.kl)]


def hidden_facts(facts: list[str]) -> list[str]:
    """The same without error, KL and word."""
    return [*facts[:-3], "?", "?", "?"]


def sink_question(t: Toy, shown: dict[str, Variant]) -> Question:
    """Which word comes out when the window is given its sinks."""
    s, v = t.scenario, shown[SINKS]
    window, true = (shown[key] for key in (WINDOW, ""))
    contexts = join([number(x) for x in v.last.run.layers[0].context[:, -1, 0]])
    sums = join([f"{md(w)} {number(x)}" for w, x in zip(s.words, v.last.run.logits[-1], strict=True)])
    return Question(
        "sink_word",
        f"{t.guard}“{md(t.words[-1])}” has come in. With everything kept **{md(s.words[true.token_id])}** is next, with "
        f"the {window.name} alone **{md(s.words[window.token_id])}**. And with {v.name}?",
        md(s.words[v.token_id]),
        f"It sees {len(v.last.places[0][0][v.last.run.layers[0].mask[0, -1]])} of {len(t.ids)} tokens; its contexts are "
        f"{contexts}, its logits {sums}.",
        options=tuple(md(w) for w in s.words),
    )


def _near_or_right(window: CacheError, sinks: CacheError) -> str:
    """What the sink did to the error, and what to the word."""
    before, after = apart(window.contexts), apart(sinks.contexts)
    if sinks.contexts == window.contexts:
        moved = f"The sinks leave the error of the contexts at **{after}**"
    else:
        moved = f"The sinks take the error of the contexts from {before} to **{after}**"
    changed = {(False, False): "and the word stays right either way", (True, True): "and the word is another one either way",
               (True, False): "and the right word is back", (False, True): "and yet now another word wins"}  # fmt: skip
    return (
        f"{moved}, {changed[window.word_changed, sinks.word_changed]}. An error is a distance; whether a word flips depends on "
        "how far the next one was."
    )


def summaries(t: Toy) -> list[tuple[list[str], np.ndarray, np.ndarray, Summary]]:
    """(words, values, contexts, what they say) of the last row: of the prompt, and of the prompt with the first word."""
    found = []
    for n, run in ((len(t.ids) - 1, t.run), (len(t.ids), prefill(t.scenario.model(), t.ids))):
        layer = run.layers[0]
        values, weights = layer.v[0, :, 0], layer.weights[:, -1]
        found.append((t.words[:n], values, layer.context[:, -1, 0], summary(weights, values)))
    return found


@step("Only the summary")
def only_summary(t: Toy) -> None:
    """The least there is: the contexts of the last row; what they give back, and what they cannot tell apart."""
    if not presenting():
        lead("The last row’s contexts have been called “a compressed summary of your entire prompt”. Keep only them: what of the "
             "values is still there?", "context", "value")  # fmt: skip
    found = summaries(t)
    question = summary_question(t, found[1][3])
    blocks = [_block(*found[0], True), _block(*found[1], question.answered)]
    told = [f"{', '.join(words)}: {', '.join(f'{r.name} {join(list(r.values))}' for r in rows)}" for words, _, rows in blocks]
    plot(value_rows(blocks, **look()), f"Values and last row’s contexts. {'; '.join(told)}.", "value_rows")
    asked, said = st.columns([1.5, 1], gap="medium") if question.answered else (st.container(), None)
    with asked:
        predict(question)
    if said:
        with said, st.container(key="takeaway_summary"):
            st.markdown(_lost(t, *found[0][1:], *found[1][1:]))


def _block(words: list[str], values: np.ndarray, contexts: np.ndarray, found: Summary, known: bool):
    """The rows of one prompt: its own values, and those that its contexts give back, or others that give the same contexts."""
    own = [number(v) for v in values]
    rows = [ValueRow("its values", tuple(own))]
    if not known:
        rows.append(ValueRow("from the contexts", ("?",) * len(own)))
    elif found.twin is None:
        rows.append(ValueRow("from the contexts", tuple(number(v, 4) for v in found.recovered)))
    else:
        other = [number(v) for v in found.twin]
        rows.append(ValueRow("fit as well", tuple(other), tuple(a != b for a, b in zip(own, other, strict=True))))
    return words, [number(c) for c in contexts], rows


def summary_question(t: Toy, longer: Summary) -> Question:
    """Whether the contexts of the longer row still give all values back."""
    n, n_head = len(t.ids), len(t.scenario.rules)
    contexts = f"{n_head} context{'s' * (n_head > 1)}"
    why = (
        f"The {contexts} are {longer.rank} independent sum{'s' * (longer.rank != 1)} of {n} values. "
        + ("As many as values: the sums can be undone." if longer.twin is None else
           "Fewer than values: some of them can move against each other and no context changes.")
    )  # fmt: skip
    return Question(
        "summary",
        f"{t.guard}“{md(t.words[-1])}” comes in: the last row has still {contexts}, of {n} tokens now. Can the {n} values be "
        "read back from them, the weights being known?",
        ALL if longer.twin is None else SOME,
        why,
        options=(ALL, SOME),
    )


def _lost(t: Toy, values, contexts, short: Summary, more, more_contexts, longer: Summary) -> str:
    """What the two summaries keep."""
    n = len(values)
    if short.twin is None:
        gap = float(np.abs(short.recovered - values).max())
        kept = f"Of {n} token{'s' * (n > 1)} nothing is lost: solving gives the values back, off by {apart(gap)}"
    else:
        kept = f"Of {n} token{'s' * (n > 1)} the values do not come back: {short.rank} independent sums for {n} unknowns"
    if longer.twin is None:
        return (
            f"{kept}; of {len(more)} neither: there are as many independent heads."
            if short.twin is not None
            else (f"{kept}; nor of {len(more)}: there are as many independent heads. With more tokens than heads it must be.")
        )
    return (
        f"{kept}. Of {len(more)} two prompts have the same contexts: a summary, and **a lossy one**. Later tokens ask each key "
        "anew, so a cache keeps the rows."
    )
