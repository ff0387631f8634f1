"""What the decode lesson shows: the growing map, its questions, the loop; with the sentences that name their numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.answer import answer
from engine.compare import ROUNDING, row_gaps
from engine.decode import recompute
from engine.edits import replace
from engine.sampling import probabilities
from engine.toy import Scenario
from pages.parts.figures.growing_map import growing_map
from pages.parts.figures.logit_run import logit_run
from pages.parts.lesson import lead
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.walk import Walk, next_probs
from pages.parts.words import apart, head_names, join, md, number, rule_name

LOOP = 10  # steps of the loop that are drawn
NOT_A_NUMBER = "none: not a number"


def opening() -> None:
    """What the lesson is about; presented, the teacher says it."""
    if not presenting():
        lead(
            "The prompt is through; from here on the model writes, one token at a time. Each chosen word becomes a token, asks "
            "all earlier ones with its own query, and adds **one row** for each head. Then the next word is chosen.",
            "decode", "autoregressive", "query", "context",
        )  # fmt: skip


def growing(s: Scenario, walk: Walk) -> None:
    """The map at this step, and what the step did."""
    rows, probs = walk.rows(), next_probs(walk)
    chosen = None if walk.ended else walk.next_id
    figure = growing_map(rows, len(s.tokens), walk.words[:-1], head_names(s), s.words, probs, chosen, **look())
    plot(figure, _growing_in_words(s, walk, rows), "growing_map")
    with st.container(key="takeaway"):
        st.markdown(_grown(s, walk, rows))


def _growing_in_words(s: Scenario, walk: Walk, rows) -> str:
    new = "all of them computed in one prefill pass" if not walk.at else f"only the last, “{walk.words[-2]}”, is new"
    contexts = join([_context(rows, h) for h in range(len(s.rules))])
    return (
        f"Attention weights of {walk.n} rows in {len(s.rules)} heads, {new}; older rows are dimmed. "
        f"Contexts of the last row: {contexts}. Next word: {_next(s, walk)}."
    )


def _context(rows, head: int) -> str:
    return "none" if rows.empty[head, -1] else number(rows.context[head, -1])


def _next(s: Scenario, walk: Walk) -> str:
    return "none, a logit is not a number" if walk.ended else s.words[walk.next_id]


def _grown(s: Scenario, walk: Walk, rows) -> str:
    """One step in two sentences: the new row and what it leads to; the old rows and what they would be if computed again."""
    contexts, last = join([_context(rows, h) for h in range(len(s.rules))]), md(walk.words[-2])
    if walk.ended:
        follows = "a logit is not a number, so no word can be drawn: the answer ends here, unless you choose by hand"
    else:
        word = md(s.words[walk.next_id])
        follows = f"the answer goes on with **{word}**, logit {number(rows.logits[walk.next_id], 3)}"
    if not walk.at:
        return (
            f"Prefill made {walk.n} {'row' if walk.n == 1 else 'rows'} in one pass. Its last row, “{last}”, gives the contexts "
            f"**{contexts}**, and {follows}. Press **Next**: that word becomes a token of its own."
        )
    change = row_gaps(recompute(walk.model, walk.token_ids[:-1]), recompute(walk.model, walk.token_ids)).max()
    old = f"{walk.n - 1} old {'row' if walk.n == 2 else 'rows'}"
    kept = (
        f"The {old} stay as they are: computed again from scratch, with and without “{last}”, max |Δ| = **{apart(change)}**."
        if change <= ROUNDING
        else f"The {old} stay as they are, **but they should not**: from scratch they change by up to **{apart(change)}**, "
        f"{why_they_change(s)}."
    )
    return f"One new row for each head: “{last}” gives the contexts **{contexts}**, and {follows}. {kept}"


def why_they_change(s: Scenario) -> str:
    """What lets an old row know of a new token."""
    if not s.causal:
        return "because the mask is off"
    if any(rule.breaks_cache for rule in s.rules):
        return "because a key that says “I am the last” knows the future"
    return "because −10⁹ without a guard lets an empty row see hidden tokens"


def ask_context(s: Scenario, walk: Walk) -> bool:
    """The context that one head will give in the next row."""
    layer, word = walk.ahead.layers[0], md(walk.words[-1])
    finite = np.isfinite(layer.context[:, -1, 0]) & ~layer.empty[:, -1]
    if not finite.any():
        return predict("grow", "How many rows will the next step add to each head’s matrix?", 1.0, "One token, one row.")
    seen = np.where(finite, (layer.weights[:, -1] >= 0.005).sum(axis=-1), -1)
    head = len(seen) - 1 - int(np.argmax(seen[::-1]))
    value = s.word_values[walk.next_id]
    return predict(
        f"context_{walk.at}",
        f"The next token is “{word}”, with the value **{number(value)}**. "
        f"Head {head + 1} looks at {rule_name(s.rules[head])}. Which context does its new row give?",
        float(layer.context[head, -1, 0]),
        f"{_products(layer, head)}. The same step gives the other heads’ rows: the contexts of “{word}” are "
        f"{join(['none' if layer.empty[h, -1] else number(layer.context[h, -1, 0]) for h in range(len(s.rules))])}.",
        tolerance=0.02,
    )


def _products(layer, head: int) -> str:
    """The new row's context as a sum of weights times values, what weighs nothing left out."""
    pairs = [(w, x) for w, x in zip(layer.weights[head, -1], layer.v[head % len(layer.v), :, 0], strict=True) if abs(w) >= 0.005]
    if len({number(w, 4) for w, _ in pairs}) == 1 and len(pairs) > 1:
        values = [number(x) for _, x in pairs]
        shown = values if len(values) <= 8 else [*values[:4], "…", *values[-2:]]
        return f"{number(pairs[0][0], 4)} × ({' + '.join(shown)})"
    terms = [f"{number(w, 4)} × {number(x)}" for w, x in pairs]
    return " + ".join(terms if len(terms) <= 6 else [*terms[:3], "…", *terms[-2:]])


def ask_old_rows(s: Scenario, walk: Walk) -> bool:
    """Which old rows the next token changes; once rows have come, what the mask has to do with it."""
    following = (*walk.token_ids, walk.next_id)
    word, n = md(walk.words[-1]), walk.n
    if not walk.at:
        changes = row_gaps(recompute(walk.model, walk.token_ids), recompute(walk.model, following))
        changed = np.flatnonzero(changes > ROUNDING)
        options = ("none of them", "only the last of them", "more than that")
        answer_ = options[0] if not changed.size else options[1] if changed.tolist() == [n - 1] and n > 1 else options[2]
        why = (
            f"Computed again with “{word}” behind them, they differ by max |Δ| = {apart(changes.max())}. A row looks only at "
            "itself and at earlier tokens, and their keys and values are what they were."
            if not changed.size
            else f"{changed.size} of {n} differ, by up to {apart(changes.max())}, {why_they_change(s)}."
        )
        return predict(
            "old_rows", f"“{word}” becomes token {n + 1}. Which of the {n} old rows change?", answer_, why, options=options
        )
    flipped = replace(s, causal=not s.causal).model()
    changes = row_gaps(recompute(flipped, walk.token_ids), recompute(flipped, following))
    count = int((changes > ROUNDING).sum())
    state = "off" if s.causal else "on"
    return predict(
        f"old_rows_{walk.at}",
        f"Suppose the causal mask were **{state}**. How many of the {n} old rows would change when “{word}” comes in?",
        float(count),
        f"With the mask {state}, “{word}” changes {count} of the {n} rows, by up to {apart(changes.max())}. "
        + ("Without the mask every earlier row may look at the newcomer." if s.causal else "The mask hides it from them."),
        tolerance=0,
    )


def _next_question(s: Scenario, walk: Walk) -> tuple[str, str]:
    logits = walk.ahead.logits[-1]
    question = f"Feed “{md(walk.words[-1])}” back in. Which word then has the highest logit?"
    return question, md(s.words[int(np.argmax(logits))]) if np.isfinite(logits).all() else NOT_A_NUMBER


def ask_next_word(s: Scenario, walk: Walk) -> None:
    """The winner after the next token."""
    logits = walk.ahead.logits[-1]
    question, best = _next_question(s, walk)
    options = [md(word) for word in s.words] + ([NOT_A_NUMBER] if best == NOT_A_NUMBER else [])
    why = f"Its row gives the logits {join([number(x) for x in logits])} for {join([md(w) for w in s.words])}."
    predict(f"next_{walk.at}", question, best, why, options=options)


def loop(s: Scenario, walk: Walk) -> None:
    """Greedy from here on, until the model is full; on a page once the question is answered."""
    if not (presenting() or answered(f"next_{walk.at}", *_next_question(s, walk))):
        st.markdown("Once you have committed, the loop runs on, and its logits appear here.")
        return
    fed = walk.answer_ids if walk.ended else (*walk.answer_ids, walk.next_id)
    passes = answer(walk.model, s.prompt_ids, walk.model.n_ctx - len(s.tokens) + 1, by_hand=fed).passes[walk.at :]
    logits = np.stack([p.logits[-1] for p in passes])
    finite = np.isfinite(logits).all(axis=1)
    best = [s.words[int(np.argmax(row))] for row, ok in zip(logits, finite, strict=True) if ok]
    shown, ok = logits[:LOOP], finite[:LOOP]
    probs = np.stack([probabilities(row) if fine else np.full(len(row), np.nan) for row, fine in zip(shown, ok, strict=True)])
    plot(
        logit_run(shown, probs, walk.n, s.words, **look()),
        f"Logits of {len(s.words)} words over {len(shown)} steps from {walk.n} tokens on. "
        f"Highest each time: {', '.join(best[:LOOP])}.",
        "logit_run",
    )
    with st.container(key="takeaway_loop"):
        st.markdown(_loop_caption(best))


def _loop_caption(best: list[str]) -> str:
    if not best:
        return "No logit here is a number, so there is no likeliest word."
    words = list(dict.fromkeys(best))
    said = (
        f"At all {len(best)} steps that fit into this model the likeliest word is **{md(words[0])}**: greedy says it for ever"
        if len(words) == 1
        else f"The greedy loop goes on for all {len(best)} steps that fit into this model, with {join([md(w) for w in words])}"
    )
    ends = "Nothing here can end it: a real decoder stops at a stop token or a length limit, and draws where it should vary."
    return f"{said}. {ends}"
