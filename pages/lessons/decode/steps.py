"""What the decode lesson shows: the growing map, its questions, the loop; with the sentences that name their numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.compare import ROUNDING, row_gaps
from engine.decode import recompute
from engine.experiments.chosen_answer import answer
from engine.model import ForwardPass
from engine.sampling import probabilities
from engine.toy.edits import replace
from engine.toy.scenario import Scenario
from pages.lessons.decode.figures.growing_map import growing_map
from pages.lessons.decode.figures.logit_run import logit_run
from pages.parts.controls.answer import STEP, AnswerPosition, answer_controls, answer_position, asked_once, next_probs
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import lead, step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import apart, head_names, join, md, number, rule_name
from pages.parts.visit import scenario
from pages.parts.visit.display import look

LOOP = 10  # steps of the loop that are drawn
NOT_A_NUMBER = "none: not a number"


def given() -> tuple[Scenario, AnswerPosition]:
    """The scenario, and where this visit stands in which answer."""
    s = scenario.current()
    return s, answer_position(s)


@step("One row")
def grow(s: Scenario, position: AnswerPosition) -> None:
    """The map that grows by a row a step, and which context the next row gives; answering adds that row."""
    answer_controls(s, position)
    asked = asked_once(lambda at: context_question(s, position, at), position.at, 1)
    rows, probs = position.rows(), next_probs(position)
    chosen = None if position.ended else position.next_id
    pointed = context_head(position.now) if asked and asked[0] < position.at else None
    figure = growing_map(rows, len(s.tokens), position.words[:-1], head_names(s), s.words, probs, chosen, pointed, **look())
    plot(figure, _growing_in_words(s, position, rows), "growing_map")
    said, beside = st.columns([1, 1.15], vertical_alignment="center") if asked else (st.container(), None)
    with said, st.container(key="takeaway"):
        st.markdown(_grown(s, position, rows))
    if asked:
        with beside:
            predict(asked[1], on_commit=lambda: STEP.set(min(position.at + 1, position.most)))


def _growing_in_words(s: Scenario, position: AnswerPosition, rows) -> str:
    new = "all of them computed in one prefill pass" if not position.at else f"only the last, “{position.words[-2]}”, is new"
    contexts = join([_context(rows, h) for h in range(len(s.rules))])
    return (
        f"Attention weights of {position.n} rows in {len(s.rules)} heads, {new}; older rows are dimmed. "
        f"Contexts of the last row: {contexts}. Next word: {_next(s, position)}."
    )


def _context(rows, head: int) -> str:
    return "none" if rows.empty[head, -1] else number(rows.context[head, -1])


def _next(s: Scenario, position: AnswerPosition) -> str:
    return "none, a logit is not a number" if position.ended else s.words[position.next_id]


def _grown(s: Scenario, position: AnswerPosition, rows) -> str:
    """One step in two sentences: the new row and what it leads to; the old rows and what they would be if computed again."""
    contexts, last = join([_context(rows, h) for h in range(len(s.rules))]), md(position.words[-2])
    if position.ended:
        follows = "a logit is not a number, so no word can be drawn: the answer ends here, unless you choose by hand"
    else:
        word = md(s.words[position.next_id])
        follows = f"the next word is **{word}**, logit {number(rows.logits[position.next_id], 3)}"
    if not position.at:
        return (
            f"Prefill made {position.n} {'row' if position.n == 1 else 'rows'} in one pass; the last, “{last}”, gives the "
            f"contexts **{contexts}**, and {follows}."
        )
    change = row_gaps(recompute(position.model, position.token_ids[:-1]), recompute(position.model, position.token_ids)).max()
    kept = (
        f"; the {position.n - 1} above it stay as they are."
        if change <= ROUNDING
        else f". The rows above it stay as they are, **but they should not**: recomputed they change by up to "
        f"**{apart(change)}**, {why_they_change(s)}."
    )
    return f"**One new row** for each head: “{last}” gives the contexts **{contexts}**, and {follows}{kept}"


def why_they_change(s: Scenario) -> str:
    """What lets an old row know of a new token."""
    if not s.causal:
        return "because the mask is off"
    if any(rule.breaks_cache for rule in s.rules):
        return "because a key that says “I am the last” knows the future"
    return "because −10⁹ without a guard lets an empty row see hidden tokens"


def context_head(run: ForwardPass) -> int | None:
    """The head whose newest context is asked for: the last of those that look at the most tokens; None if none gives one."""
    layer = run.layers[0]
    finite = np.isfinite(layer.context[:, -1, 0]) & ~layer.empty[:, -1]
    seen = np.where(finite, (layer.weights[:, -1] >= 0.005).sum(axis=-1), -1)
    return len(seen) - 1 - int(np.argmax(seen[::-1])) if finite.any() else None


def context_question(s: Scenario, position: AnswerPosition, at: int) -> Question:
    """The context in the row that follows step `at`, this step or the one before; where no head gives one, how many rows come."""
    following = position.run.passes[at + 1]
    head, layer = context_head(following), following.layers[0]
    if head is None:
        return Question("grow", "How many rows will the next step add to each head’s matrix?", 1.0, "One token, one row.")
    n, token = len(s.tokens) + at, int(following.token_ids[-1])
    word, values = md(position.words[n]), [number(x) for x in layer.v[layer.kv_head(head), :-1, 0]]
    return Question(
        f"context_{at}",
        f"“{word}”, which the scenario gives the value **{number(s.word_values[token])}**, becomes token {n + 1}. Head {head + 1} looks at "
        f"{rule_name(s.rules[head])}; values so far: {join(_some(values))}. Which context will it give?",
        float(layer.context[head, -1, 0]),
        f"{_products(layer, head)}.",
        tolerance=0.02,
    )


def _some(texts: list[str]) -> list[str]:
    """All of a few; of many the first and the last."""
    return texts if len(texts) <= 8 else [*texts[:4], "…", *texts[-2:]]


def _products(layer, head: int) -> str:
    """The new row's context as a sum of weights times values, what weighs nothing left out."""
    weights, values = layer.weights[head, -1], layer.v[layer.kv_head(head), :, 0]
    pairs = [(w, x) for w, x in zip(weights, values, strict=True) if abs(w) >= 0.005]
    if len({number(w, 4) for w, _ in pairs}) == 1 and len(pairs) > 1:
        return f"{number(pairs[0][0], 4)} × ({' + '.join(_some([number(x) for _, x in pairs]))})"
    terms = [f"{number(w, 4)} × {number(x)}" for w, x in pairs]
    return " + ".join(terms if len(terms) <= 6 else [*terms[:3], "…", *terms[-2:]])


def rows_asked(position: AnswerPosition) -> tuple[int, ...]:
    """The ids whose last row is the new one: this step's, or after prefill the next one's."""
    return position.token_ids if position.at else (*position.token_ids, position.next_id)


def old_rows_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which old rows change when the newest token comes in."""
    ids = rows_asked(position)
    n, word = len(ids) - 1, md(position.words[len(ids) - 1])
    changes = row_gaps(recompute(position.model, ids[:-1]), recompute(position.model, ids))
    changed = np.flatnonzero(changes > ROUNDING)
    options = ("none", "only the last of them", "more than that")
    why = (
        f"“{word}” can be seen by none of them: a row looks at itself and at earlier tokens, whose keys and values are "
        "what they were."
        if not changed.size
        else f"{changed.size} of {n} differ, by up to {apart(changes.max())}, {why_they_change(s)}."
    )
    return Question(
        "old_rows" if not position.at else f"old_rows_{position.at}",
        f"“{word}” is token {n + 1}. One prefill now computes all {n + 1} rows afresh. Which of the {n} old ones come out different?",
        options[0] if not changed.size else options[1] if changed.tolist() == [n - 1] and n > 1 else options[2],
        why,
        options=options,
    )


def mask_question(s: Scenario, position: AnswerPosition) -> Question:
    """How many old rows the next token would change with the mask the other way."""
    word, n = md(position.words[-1]), position.n
    flipped = replace(s, causal=not s.causal).model()
    changes = row_gaps(recompute(flipped, position.token_ids), recompute(flipped, (*position.token_ids, position.next_id)))
    count = int((changes > ROUNDING).sum())
    state = "off" if s.causal else "on"
    return Question(
        f"mask_{position.at}",
        f"Suppose the causal mask were **{state}**. How many of the {n} old rows would change when “{word}” comes in?",
        float(count),
        f"With the mask {state}, “{word}” changes {count} of the {n} rows, by up to {apart(changes.max())}. "
        + ("Without the mask every earlier row may look at the newcomer." if s.causal else "The mask hides it from them."),
        tolerance=0,
    )


def next_word_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which word has the highest logit once the next token has been fed back."""
    logits = position.ahead.logits[-1]
    words = tuple(md(word) for word in s.words)
    finite = np.isfinite(logits).all()
    return Question(
        f"next_{position.at}",
        f"Feed “{md(position.words[-1])}” back in. Which word then has the highest logit?",
        words[int(np.argmax(logits))] if finite else NOT_A_NUMBER,
        f"Its row gives the logits {join([number(x) for x in logits])} for {join(list(words))}.",
        options=words if finite else (*words, NOT_A_NUMBER),
    )


@step("The loop")
def loop(s: Scenario, position: AnswerPosition) -> None:
    """Greedy from here on, until the model is full; only its first step is shown until the second has been predicted."""
    question = next_word_question(s, position)
    fed = position.answer_ids if position.ended else (*position.answer_ids, position.next_id)
    passes = answer(position.model, s.prompt_ids, position.model.n_ctx - len(s.tokens) + 1, chosen_ids=fed).passes[position.at :]
    logits = np.stack([p.logits[-1] for p in passes])
    finite = np.isfinite(logits).all(axis=1)
    best = [s.words[int(np.argmax(row))] for row, ok in zip(logits, finite, strict=True) if ok]
    shown, ok = logits[:LOOP], finite[:LOOP]
    probs = np.stack([probabilities(row) if fine else np.full(len(row), np.nan) for row, fine in zip(shown, ok, strict=True)])
    lead(
        "Each step feeds the likeliest word back in: a **greedy** choice. The word’s own row gives the next logits.",
        "greedy",
    )
    if question.answered:
        alt = f"Logits of {len(s.words)} words over {len(shown)} steps. Highest each time: {', '.join(best[:LOOP])}."
    else:
        alt = f"Logits of {len(s.words)} words after {position.n} tokens; the steps after it wait for the prediction."
    plot(logit_run(shown, probs, position.n, s.words, question.answered, **look()), alt, "logit_run")
    if predict(question):
        with st.container(key="takeaway_loop"):
            st.markdown(_loop_caption(best))


@step("More questions")
def more(s: Scenario, position: AnswerPosition) -> None:
    """What the mask has to do with it."""
    predict(mask_question(s, position))


def _loop_caption(best: list[str]) -> str:
    if not best:
        return "No logit here is a number, so there is no likeliest word."
    words = list(dict.fromkeys(best))
    said = (
        f"At all {len(best)} steps that fit into this model the likeliest word is **{md(words[0])}**: greedy goes on saying it"
        if len(words) == 1
        else f"The greedy loop goes on for all {len(best)} steps that fit into this model, with {join([md(w) for w in words])}"
    )
    ends = "Nothing here can end it: a real decoder stops at a stop token or a length limit, and draws where it should vary."
    return f"{said}. {ends}"
