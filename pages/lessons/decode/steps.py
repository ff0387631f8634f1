"""What the decode lesson shows: the growing map, its questions, the loop; with the sentences that name their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from engine.compare import ROUNDING
from engine.experiments.chosen_answer import answer
from engine.model import ForwardPass
from engine.sampling import likeliest, probabilities
from engine.toy.edits import replace
from engine.toy.leaks import leaks, old_row_gaps
from engine.toy.scenario import Scenario
from pages.lessons.decode.figures.growing_map import growing_map
from pages.lessons.decode.figures.logit_run import logit_run
from pages.parts.controls import toy
from pages.parts.controls.answer import STEP, AnswerPosition, answer_controls, answer_position, asked_once, next_probs
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import (
    DRAW_LEVEL,
    apart,
    context_text,
    entered,
    head_names,
    in_brackets,
    join,
    logit_text,
    md,
    number,
    plural,
    quantity,
    rule_name,
    side_by_side,
    weight,
)
from pages.parts.visit import scenario

LOOP = 10  # steps of the loop that are drawn
NOT_A_NUMBER = "none: not a number"
LEAKS = {
    "mask": "because the mask is off",
    "last": "because a key that says “I am the last” knows the future",
    "fill": "because −10⁹ without a guard lets an empty row see hidden tokens",
}


def given() -> tuple[Scenario, AnswerPosition]:
    """The scenario, and where this visit stands in which answer."""
    s = scenario.current()
    return s, answer_position(s)


@step(
    "One row",
    minutes=6,
    ask="A word comes in. Which context will that head give its row? What else has to be computed?",
    wrong={
        "The whole map has to be computed again": (
            "under the mask old rows do not see the new token: they stay, unless a key speaks of the future"
        ),
        "The average without the new token": "a token sees itself",
    },
)
def grow(s: Scenario, position: AnswerPosition) -> None:
    """The map that grows by a row a step, and which context the next row gives; answering adds that row."""
    answer_controls(s, position)
    asked = asked_once(lambda at: context_question(s, position, at), position.at, 1)
    rows, probs = position.rows(), next_probs(position)
    next_ = NextWord(position.words[-2], s.words, rows.logits, probs, None if position.ended else position.next_id)
    pointed = context_head(position.now) if asked and asked[0] < position.at else None
    figure = growing_map(sheet(), rows, len(s.tokens), position.words[:-1], head_names(s), next_, pointed)
    plot(figure, _growing_in_words(s, position, rows), "growing_map")
    said, beside = st.columns([1, 1.15], vertical_alignment="center") if asked else (st.container(), None)
    with said:
        takeaway("step", _grown(s, position, rows))
    if asked:
        with beside:
            predict(asked[1], on_commit=lambda: STEP.set(min(position.at + 1, position.most)))


def _growing_in_words(s: Scenario, position: AnswerPosition, rows) -> str:
    new = "all of them computed in one prefill pass" if not position.at else f"only the last, “{position.words[-2]}”, is new"
    contexts = join([_context(rows, h) for h in range(len(s.rules))])
    return (
        f"Attention weights of {quantity(position.n, 'row')} in {quantity(len(s.rules), 'head')}, {new}; older rows are dimmed. "
        f"Contexts of the last row: {contexts}. Next word: {_next(s, position)}."
    )


def _context(rows, head: int) -> str:
    return "none" if rows.empty[head, -1] else context_text(rows.context[head, -1])


def _next(s: Scenario, position: AnswerPosition) -> str:
    return "none, a logit is not a number" if position.ended else s.words[position.next_id]


def _grown(s: Scenario, position: AnswerPosition, rows) -> str:
    """One step in two sentences: the new row and what it leads to; the old rows and what they would be if computed again."""
    contexts, last = join([_context(rows, h) for h in range(len(s.rules))]), md(position.words[-2])
    if position.ended:
        follows = "a logit is not a number, so no word can be drawn: the answer ends here, unless you choose by hand"
    else:
        word = md(s.words[position.next_id])
        follows = f"the next word is **{word}**, logit {logit_text(rows.logits[position.next_id])}"
    if not position.at:
        return (
            f"Prefill made {position.n} {'row' if position.n == 1 else 'rows'} in one pass; the last, “{last}”, gives the "
            f"{plural(len(s.rules), 'context')} **{contexts}**, and {follows}."
        )
    change = old_row_gaps(s, position.n - 1, position.token_ids).max()
    kept = (
        f"; the {plural(position.n - 1, 'one above it stays as it is', f'{position.n - 1} above it stay as they are')}."
        if change <= ROUNDING
        else f". The rows above it stay as they are, **but they should not**: recomputed they change {how_far(change)}, "
        f"{why_they_change(s, position.n - 1, position.token_ids)}."
    )
    return (
        f"**One new row** for each head: “{last}” gives the {plural(len(s.rules), 'context')} **{contexts}**, and {follows}{kept}"
    )


def how_far(change: float) -> str:
    """The largest change of a number, which may be that it is none any more."""
    return f"by up to **{apart(change)}**" if np.isfinite(change) else "between a number and **NaN**"


def why_they_change(s: Scenario, n_before: int, token_ids: Sequence[int]) -> str:
    """What lets the first n_before rows know of the other tokens."""
    return join([LEAKS[name] for name in leaks(s, n_before, token_ids)] or ["because a row knows of later tokens"])


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
        return Question(
            "grow", "How many rows will the next step add to each head’s matrix?", 1.0, "One token, one row.", high=1000
        )
    n, token = len(s.tokens) + at, int(following.token_ids[-1])
    word, values = md(position.words[n]), [entered(x) for x in layer.v[layer.kv_head(head), :-1, 0]]
    reach = toy.reach(layer.v[layer.kv_head(head), :, 0])
    return Question(
        f"context_{at}",
        f"“{word}”, which the scenario gives the value **{entered(s.word_values[token])}**, becomes token {n + 1}. Head "
        f"{head + 1} looks at {rule_name(s.rules[head])}; values so far: {join(_some(values))}. Which context will it give?",
        float(layer.context[head, -1, 0]),
        f"{_products(layer, head)}.",
        tolerance=0.02,
        low=-reach,
        high=reach,
    )


def _some(texts: list[str]) -> list[str]:
    """All of a few; of many the first and the last."""
    return texts if len(texts) <= 8 else [*texts[:4], "…", *texts[-2:]]


def _products(layer, head: int) -> str:
    """The new row's context: the average of what weighs the same, as by hand, or a sum of weights times values; what weighs nothing
    is left out."""
    weights, values = layer.weights[head, -1], layer.v[layer.kv_head(head), :, 0]
    every = list(zip(weights, values, strict=True))
    pairs = [(w, x) for w, x in every if abs(w) >= 0.005] or every
    if len({number(w, 4) for w, _ in pairs}) == 1 and len(pairs) > 1:
        of_all, total = pairs[0][0], " + ".join(_some([in_brackets(entered(x)) for _, x in pairs]))
        if number(of_all, 4) == number(1 / len(pairs), 4):
            return f"The average of {len(pairs)} values: ({total}) / {len(pairs)}"
        return f"Weight {number(of_all, 4)} × the sum of {len(pairs)} values: {number(of_all, 4)} × ({total})"
    terms = [f"{weight(w)} × {in_brackets(entered(x))}" for w, x in pairs]
    return f"Weight × value: {' + '.join(terms if len(terms) <= 6 else [*terms[:3], '…', *terms[-2:]])}"


def rows_asked(position: AnswerPosition) -> tuple[int, ...]:
    """The ids whose last row is the new one: this step's, or after prefill the next one's."""
    return position.token_ids if position.at else (*position.token_ids, position.next_id)


def old_rows_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which old rows change when the newest token comes in."""
    ids = rows_asked(position)
    n, word = len(ids) - 1, md(position.words[len(ids) - 1])
    changes = old_row_gaps(s, n, ids)
    changed = np.flatnonzero(changes > ROUNDING)
    options = ("none", "only the last of them", "another one, or several") if n > 1 else ("no", "yes")
    asked = f"One prefill now computes all {n + 1} rows afresh. Which of the {n} old ones come out different?"
    if n == 1:
        asked = "One prefill now computes both rows afresh. Does the old one come out different?"
    of = f"{changed.size} of {n}" if n > 1 else "It"
    why = (
        _unseen(s, word)
        if not changed.size
        else f"{of} {plural(changed.size, 'differs', 'differ')}, {how_far(changes.max())}, {why_they_change(s, n, ids)}."
    )
    return Question(
        "old_rows" if not position.at else f"old_rows_{position.at}",
        f"“{word}” is token {n + 1}. {asked}",
        options[0] if not changed.size else options[1] if changed.tolist() == [n - 1] else options[2],
        why,
        options=options,
    )


def _unseen(s: Scenario, word: str) -> str:
    """Why no old row changes when a word comes in."""
    if not s.causal:
        return f"The mask is off, and still none of them gives “{word}” a weight worth naming."
    return f"“{word}” can be seen by none of them: a row looks at itself and at earlier tokens, whose keys and values are what they were."


def mask_question(s: Scenario, position: AnswerPosition) -> Question:
    """How many old rows the next token would change with the mask the other way."""
    word, n = md(position.words[-1]), position.n
    flipped, ids = replace(s, causal=not s.causal), (*position.token_ids, position.next_id)
    changes = old_row_gaps(flipped, n, ids)
    count = int((changes > ROUNDING).sum())
    state = "off" if s.causal else "on"
    far = f", {how_far(changes.max())}" if count else ""
    return Question(
        f"mask_{position.at}",
        f"Suppose the causal mask were **{state}**. How many old rows, of {n}, would change when “{word}” comes in?",
        float(count),
        f"With the mask {state}, “{word}” changes {quantity(count, 'old row')} of {n}{far}. {_with_it_flipped(flipped, count, n, ids)}",
        tolerance=0,
        high=n,
    )


def _with_it_flipped(flipped: Scenario, count: int, n: int, ids: Sequence[int]) -> str:
    """Why so many old rows change with the mask the other way."""
    if not count:
        return (
            "The mask hides it from them."
            if flipped.causal
            else "Every earlier row may look at it, but none gives it a weight worth naming."
        )
    they_do = plural(count, "It does", "They do")
    return f"{they_do} {why_they_change(flipped, n, ids)}." if flipped.causal else "Every earlier row may look at the newcomer."


def next_word_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which word has the highest logit once the next token has been fed back."""
    logits = position.ahead.logits[-1]
    words = tuple(md(word) for word in s.words)
    finite = np.isfinite(logits).all()
    return Question(
        f"next_{position.at}",
        f"Feed “{md(position.words[-1])}” back in. Which word then has the highest logit?",
        NOT_A_NUMBER if not finite else DRAW_LEVEL if len(likeliest(logits)) > 1 else words[int(np.argmax(logits))],
        f"Its row gives the {plural(len(words), 'logit')} {join(side_by_side(logits.tolist()))} for {join(list(words))}.",
        options=(
            *words,
            DRAW_LEVEL,
            *([NOT_A_NUMBER] if s.empty_row == "nan" else []),
        ),  # offered also where it is wrong: else it told
    )


@step(
    "The loop",
    minutes=5,
    ask="The word is fed back in. Which word comes next, and will it ever stop?",
    wrong={
        "Another word, for this one has been said": (
            "a model is thought to mind repeating itself: the word that wins is worked out anew, and may well be the same"
        ),
    },
)
def loop(s: Scenario, position: AnswerPosition) -> None:
    """Greedy from here on, until the model is full; only its first step is shown until the second has been predicted."""
    question = next_word_question(s, position)
    fed = position.answer_ids if position.ended else (*position.answer_ids, position.next_id)
    passes = answer(position.model, s.prompt_ids, position.model.n_ctx - len(s.tokens) + 1, chosen_ids=fed).passes[position.at :]
    logits = np.stack([p.logits[-1] for p in passes])
    finite = np.isfinite(logits).all(axis=1)
    best = [" = ".join(s.words[word] for word in likeliest(row)) for row in logits[:LOOP][finite[:LOOP]]]
    shown, ok = logits[:LOOP], finite[:LOOP]
    probs = np.stack([probabilities(row) if fine else np.full(len(row), np.nan) for row, fine in zip(shown, ok, strict=True)])
    lead(
        "Each step feeds the likeliest word back in: a **greedy** choice. The word’s own row gives the next logits.",
        "greedy",
        presented=True,
    )
    alt = f"Logits of {quantity(len(s.words), 'word')} "
    if question.answered:
        highest = f"Highest each time: {', '.join(best)}" if best else "They are not numbers"
        alt += f"over {quantity(len(shown), 'step')}. {highest}."
    else:
        alt += f"after {quantity(position.n, 'token')}; the steps after it wait for the prediction."
    plot(logit_run(sheet(), shown, probs, position.n, s.words, question.answered), alt, "logit_run")
    if predict(question):
        takeaway("loop", loop_caption(s, logits[finite]))


@step(
    "More questions",
    minutes=4,
    ask="The mask is off now. How many of the old rows change when a word comes in?",
    wrong={"None": "what makes a cache valid is the mask; without it every row sees the new token"},
)
def more(s: Scenario, position: AnswerPosition) -> None:
    """What the mask has to do with it."""
    predict(mask_question(s, position))


def loop_caption(s: Scenario, logits: np.ndarray) -> str:
    """What greedy says until the model is full; where words draw level it takes one of them. logits: (n_steps, n_vocab)"""
    if not len(logits):
        return "No logit here is a number, so there is no likeliest word."
    level = [likeliest(row) for row in logits]
    tops = [join([f"**{md(s.words[word])}**" for word in words]) for words in dict.fromkeys(map(tuple, level))]
    words = list(dict.fromkeys(md(s.words[int(np.argmax(row))]) for row in logits))
    n, ties = len(level), [step for step in level if len(step) > 1]
    steps = f"all {n} steps that fit" if n > 1 else "the only step that fits"
    if len(tops) == 1 and ties:
        said = f"At {steps} into this model {tops[0]} draw level: greedy takes one of them"
    elif len(tops) == 1:
        said = f"At {steps} into this model the likeliest word is {tops[0]}: greedy goes on saying it"
    else:
        said = f"The greedy loop goes on for {steps} into this model, with {join(words)}"
        said += f"; at {quantity(len(ties), 'step')} words draw level, and it takes one of them" if ties else ""
    ends = "Nothing here can end it: a real decoder stops at a stop token or a length limit, and draws where it should vary."
    return f"{said}. {ends}"
