"""One head as the story has it: every token asks at once, and a row looks at nothing that comes later."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from engine.attention import Attention
from engine.model import ForwardPass
from engine.toy.by_hand import weights_by_hand
from engine.toy.leaks import stays_true
from engine.toy.scenario import Scenario
from pages.lessons.attention.figures.every_row import every_row
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import context_of, share_said
from pages.parts.text.format import SEEN, entered, join, md, plural
from pages.parts.text.toy_names import rule_name, token_name
from pages.parts.visit.parameters import Choice

ALL_OF_IT, NOTHING, HARDLY = "all of it", "nothing", "hardly anything"
CELLS = Choice("cells")
SHARES, PRODUCTS = "shares", "products"  # in links
MOST = 4  # weights that a sentence names
MASKED = " While a model writes, what comes later does not exist yet: the **mask** hides it."
ENDS = "With the mask each row comes out **as if the text ended** at its token."


def asked(s: Scenario, run: ForwardPass) -> tuple[int, int, int] | None:
    """(head, row, token): a row of which a key fits that comes later, so that the mask decides what it takes of the token.

    Of the head that was chosen, or of the first that has such a row; None where no head has one.
    """
    layer, other = run.layers[0], toy.prefill_of(replace(s, causal=not s.causal)).layers[0]
    chosen = HEAD.value(high=len(s.rules)) - 1
    for head in (chosen, *(h for h in range(len(s.rules)) if h != chosen)):
        for row in range(len(s.tokens) - 2, -1, -1):
            apart = np.abs(layer.weights[head, row] - other.weights[head, row])[: row + 1]
            if (layer.scores[head, row, row + 1 :] > 0).any() and np.nanmax(apart, initial=0) > SEEN:
                return head, row, int(np.nanargmax(apart))
    return None


def share_question(s: Scenario, run: ForwardPass) -> Question | None:
    """How much a row takes of a token, where a key fits that comes later."""
    if (found := asked(s, run)) is None:
        return None
    head, row, token = found
    layer, other = run.layers[0], toy.prefill_of(replace(s, causal=not s.causal)).layers[0]
    fits = [token_name(s.tokens, j) for j in np.flatnonzero(layer.scores[head, row] > 0)]
    later = [token_name(s.tokens, j) for j in np.flatnonzero(layer.scores[head, row] > 0) if j > row]
    name, of = token_name(s.tokens, row), token_name(s.tokens, token)
    answer, instead = (_weight_in_words(x.weights[head, row, token]) for x in (layer, other))
    both = [float(x.weights[head, row, token]) for x in (layer, other)]
    # 1/2 beside 0.5 were two right answers.
    apart = [x for x in (0.0, 0.5, 1.0) if min(abs(x - each) for each in both) > 2 * SEEN]
    shares = {_weight_in_words(x): x for x in apart} | dict(zip((answer, instead), both, strict=True))
    comes = f"{join(later)} {plural(len(later), 'comes', 'come')} later"
    why = f"{comes}, and the **mask** hides what comes later" if s.causal else f"{comes}, but the mask is off, so {name} sees it"
    if s.causal and s.empty_row == "fill" and not (layer.scores[head, row, : row + 1] > 0).any():
        why += "; no other key fits, and −10⁹ then averages over all tokens, hidden ones too"
    takes = _what_a_row_takes(s, layer, head, row)
    return Question(
        "masked_share",
        f"{name} asks, too. The {plural(len(fits), 'key')} of {join(fits)} {plural(len(fits), 'fits', 'fit')} its "
        f"query. How much of {of} does {name} take?",
        answer,
        f"{why}: {name} takes {_weights_in_words(layer, head, row, takes)}.",
        options=tuple(sorted(shares, key=shares.get)),
        slips={instead: f"“{instead}” is right {'without' if s.causal else 'with'} the mask."},
    )


def _scores_of_a_link(run: ForwardPass, head: int) -> bool:
    """Whether a link made when the cells had a switch shows scores; then it has the switch still."""
    if not CELLS.text():
        return False
    with st.container(horizontal=True, vertical_alignment="center", key="cells"):
        shown = CELLS.buttons("Cells show", {SHARES: "weights", PRODUCTS: "scores"}, SHARES, label_visibility="collapsed")
        if shown == PRODUCTS:
            st.markdown(scores_say(run.layers[0].scores[head]), width="content")
    return shown == PRODUCTS


def scores_say(scores: np.ndarray) -> str:
    """What a head's scores are: that of a key that fits, and of another. scores: (n, n)"""
    high, low = float(scores.max()), float(scores.min())
    fits = f"A key that fits scores **{entered(high)}**" if high > 0 else ""
    other = f"{'another' if fits else 'A key that does not fit scores'} **{entered(low)}**" if low < 0 else ""
    return f"{', '.join(filter(None, (fits, other)))}: so the toy was made."


def made_of_scores(s: Scenario, run: ForwardPass, head: int) -> str:
    """Where the weights come from, with the scores of the last row; and what stands where no key fits."""
    layer, row = run.layers[0], len(s.tokens) - 1
    scores = sorted({entered(x) for x in layer.scores[head, row, : row + 1].tolist()}, key=len)
    made = (
        f"How well a query fits a key is their **score**, here {join([f'**{x}**' for x in scores])}; **softmax** makes a row’s scores "
        f"into weights{' that add up to 1' * (s.empty_row != 'softmax1')}: of those that fit equally each takes as much, of the others "
        "less, the lower their scores are."
    )
    return " ".join(filter(None, (made, _where_nothing_fits(s, run, head))))


def _weight_in_words(w: float) -> str:
    """A weight in words where that is shorter."""
    if w < SEEN:
        return NOTHING if w < 5e-5 else HARDLY
    text = share_said(float(w))
    return ALL_OF_IT if text == "1" else text


def every_token_asks(s: Scenario, run: ForwardPass) -> None:
    """One head with all its rows, of which one is asked for; on request the scores of which the weights are made."""
    lead(
        f"Now **every** token asks: how much does it take of which value?{MASKED * (s.causal and s.empty_row != 'fill')}",
        "query",
        "key",
        "weight",
        "mask",
    )
    question = share_question(s, run)
    head = asked(s, run)[0] if question else HEAD.value(high=len(s.rules)) - 1
    hidden = asked(s, run)[1] if question and not question.answered else None
    scores = _scores_of_a_link(run, head)
    figure = every_row(sheet(), run.layers[0], head, s.tokens, rule_name(s.rules[head]), scores, hidden)
    plot(figure, in_words(s, run, head, hidden), "every_row")
    said, help = last_row(s, run, head), made_of_scores(s, run, head)
    if question is None:
        takeaway("every_row", said, help)
    else:
        question_then_takeaway(question, "every_row", ENDS if stays_true(s) else said, help)


def last_row(s: Scenario, run: ForwardPass, head: int) -> str:
    """What the row that answers takes of which values, and what that makes."""
    layer, row = run.layers[0], len(s.tokens) - 1
    takes, made = _what_a_row_takes(s, layer, head, row), context_of(layer, head, row)
    context = "it has no context" if layer.empty[head, row] else f"its context is **{made}**"
    return f"{token_name(s.tokens, row)} takes {_weights_in_words(layer, head, row, takes)}: {context}."


def _weights_in_words(layer: Attention, head: int, row: int, takes: list[str], most: int = MOST) -> str:
    """The weights of a row in one phrase, at most so many named; what is too little to be named is still no nothing, and said where it
    makes a hundredth of the context."""
    if not takes:
        total = layer.weights[head, row].sum()
        return NOTHING if total == 0 else HARDLY if np.isfinite(total) else "0 / 0, which is no number"
    if len(takes) <= most:
        weights = layer.weights[head, row]
        parts, unnamed = weights * layer.v[layer.kv_head(head), :, 0], (weights_by_hand(weights) > 0) & (weights <= SEEN)
        counts = np.isfinite(parts).all() and abs(parts[unnamed].sum()) > 0.01 * abs(parts.sum())
        return join([*takes, *[f"a little of {plural(unnamed.sum(), 'another', 'others')}"] * bool(counts)])
    weights = [w for w in layer.weights[head, row].tolist() if w > SEEN]
    named = sorted(sorted(range(len(takes)), key=lambda k: -weights[k])[:most])  # the largest, as they stand
    return join([*(takes[k] for k in named), f"some of {len(takes) - most} {plural(len(takes) - most, 'other')}"])


def _what_a_row_takes(s: Scenario, layer: Attention, head: int, row: int, name: Callable[[str], str] = md) -> list[str]:
    weights = enumerate(layer.weights[head, row].tolist())
    return [
        f"{'all' if share_said(w) == '1' else share_said(w)} of {token_name(s.tokens, j, name)}" for j, w in weights if w > SEEN
    ]


def _where_nothing_fits(s: Scenario, run: ForwardPass, head: int) -> str | None:
    """What stands in rows of which no key fits, where their weights are not made of their scores."""
    layer = run.layers[0]
    if (layer.mask[head] & (layer.scores[head] > 0)).any(axis=-1).all():
        return None
    such, hidden = "no key that such a row may see fits its query", ", hidden ones too" * s.causal
    return {
        "none": f"**none**: {such}, and the toy lets it take nothing. Softmax alone would share out 1.",
        "nan": f"**NaN**: {such}, and of its weights 0 / 0 is left, which is no number.",
        "fill": f"Where no key that a row may see fits its query, all its scores become −10⁹: it takes of all tokens alike{hidden}.",
    }.get(s.empty_row)


def in_words(s: Scenario, run: ForwardPass, head: int, hidden: int | None) -> str:
    """The figure as a text alternative."""
    layer, rows = run.layers[0], []
    for i, word in enumerate(s.tokens):
        takes = _what_a_row_takes(s, layer, head, i, str)
        told = f"takes {_weights_in_words(layer, head, i, takes, len(takes))}, context {context_of(layer, head, i)}"
        rows.append(f"“{word}” {'is still to be found' if i == hidden else told}")
    return f"Weights of head {head + 1}, {rule_name(s.rules[head])}, a row for each token: {'; '.join(rows)}."
