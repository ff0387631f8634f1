"""How contexts become a word, as the story has it: the votes of all heads for two words, added up by hand."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from engine import probabilities
from engine.sampling import likeliest
from engine.toy.edits import set_value
from engine.toy.projection import contributions
from engine.toy.scenario import Scenario
from pages.lessons.logits.figures.two_sums import Votes, two_sums
from pages.parts.controls import toy
from pages.parts.controls.moved_values import follow_the_values, hardly_taken, values_moved
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import context_text, logits_side_by_side, percents, summed
from pages.parts.text.format import DRAW_LEVEL, entered, join, md, percent
from pages.parts.text.toy_names import head_names, in_quotes, token_name
from pages.parts.visit import scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import handout, narrow

SOFTMAX = (
    "**Softmax** raises e, about 2.718, to the power of each sum and divides by the total of all words: the chances add up to 1, and "
    "of two words the one with 1 more in its sum is 2.718 times as likely."
)
MOVE = " **Move a value**: does another word come out?"
SLIDERS = 24.0  # pixels that the values take of the figure's room, once they can be moved
ALIKE = 1e-3  # of the largest sum: two that differ by less are written alike


class Before(NamedTuple):
    """What it was before values were moved. words: that came out, several where they drew level; contexts: (n_head,), of the last token."""

    scenario: Scenario
    words: list[int]
    contexts: np.ndarray


def votes(s: Scenario, context: np.ndarray, written: list[str], said: str = "") -> None:
    """The contexts of the last token, what two words make of them, and the chances; one of the two sums is asked for.

    context: (n_head,), numbers all, as `written`. said: what of the scenario had to be changed for that.
    """
    w = np.array(s.w_vocab)
    added = contributions(context, w)
    sums = added.sum(axis=0)
    lead(
        f"{said}How do the contexts of “{md(s.tokens[-1])}” become the next word? Each word has a number for every head (learned; the "
        "toy’s are made up): **context × number** is that head’s **vote**."
    )
    pair = rivals(sums)
    question = sum_question(s, added, pair) if len(pair) == 2 else None
    moved = question is not None and values_moved(question)
    was = _before_the_move(s) if moved else None
    if was and was.words[0] != likeliest(sums)[0]:
        pair = sorted([was.words[0], likeliest(sums)[0]])  # so that one sees how it lost
    hidden = question is not None and not (question.answered or moved)
    factors = [list(zip(written, map(entered, w[:, word]), as_votes(s, added[:, word]), strict=True)) for word in pair]
    found = Votes(
        s.words,
        sums,
        probabilities(sums),
        pair,
        factors,
        added[:, pair],
        logits_side_by_side(sums[pair]),
        pair[-1] if hidden else None,
    )
    plot(two_sums(sheet(), found, head_names(s), s.tokens, SLIDERS * (not hidden)), in_words(s, found), "two_sums")
    beneath = None if hidden or narrow() else st.container()  # on a phone what is said comes first
    if was:
        follow_the_values("votes", what_follows(s, context, sums, was), question)
    elif question:
        question_then_takeaway(question, "votes", comes_out(s, found), SOFTMAX)
    else:
        takeaway("votes", comes_out(s, found), SOFTMAX)
    if not hidden:
        with beneath or st.container():
            toy.value_sliders(where="votes_")


def rivals(sums: np.ndarray) -> list[int]:
    """Two words as they stand in the vocabulary: one with the largest sum, and of the others the largest that no third word has as well,
    where there is one: a word that draws level with what is asked about would ask for a second answer. The one word, where there is no
    other."""
    first, *level = likeliest(sums)
    rest = [w for w in range(len(sums)) if w != first]
    if not rest:
        return [first]
    near = ALIKE * float(np.abs(sums).max())
    alone = [w for w in rest if np.count_nonzero(np.abs(sums - sums[w]) <= near) == 1]
    among = level or alone or rest
    return sorted([first, among[likeliest(sums[among])[0]]])


def as_votes(s: Scenario, votes: np.ndarray) -> list[str]:
    """Votes as they are written: 0 only where they are no more than what softmax leaks of the scenario's values."""
    largest = max(map(abs, s.values)) * float(np.abs(s.w_vocab).max())
    return [context_text(x, largest) for x in votes.tolist()]


def sum_question(s: Scenario, added: np.ndarray, pair: list[int]) -> Question:
    """Which of two words comes out, where the votes of one are added up and those of the other are not."""
    one, other = (md(s.words[word]) for word in pair)
    sums = added[:, pair].sum(axis=0)
    best, texts = likeliest(sums), logits_side_by_side(sums)
    sum_ = summed(as_votes(s, added[:, pair[1]]), texts[1])
    level = "two draw level" if len(best) == 2 else f"**{(one, other)[best[0]]}** comes out"
    return Question(
        "votes",
        f"The votes for “{one}” add up to {texts[0]}. Add up those for “{other}”: which of the two comes out?",
        DRAW_LEVEL if len(best) == 2 else (one, other)[best[0]],
        f"“{other}”: {sum_}**{texts[1]}**, and “{one}” has **{texts[0]}**: {level}.",
        options=tuple(dict.fromkeys((one, other, DRAW_LEVEL))),
    )


def _before_the_move(s: Scenario) -> Before:
    """What it was before values were moved, its empty rows treated as those of `s`, whose sums are numbers."""
    before = replace(scenario.kept().before, empty_row=s.empty_row)
    run = toy.prefill_of(before)
    return Before(before, likeliest(run.logits[-1]), run.layers[0].context[:, -1, 0])


def what_follows(s: Scenario, context: np.ndarray, sums: np.ndarray, was: Before) -> str:
    """The takeaway where values have been moved: what comes out now, and what came out before."""
    words = likeliest(sums)
    now = f"**{md(s.words[words[0]])}**{{}} comes out" if len(words) == 1 else "several words{} draw level"
    if words == was.words and hardly_taken(was.scenario, s, context - was.contexts):
        stay = "stay" if np.abs(context - was.contexts).max() < 5e-5 else "hardly move"  # up to which a context is written 0
        return f"No head takes a share worth naming of what was moved: the contexts {stay}, and {now.format(' still')}."
    instead = ", where several words drew level" if len(was.words) > 1 else f", no longer **{md(s.words[was.words[0]])}**"
    other = len(words) == 1 and words != was.words
    return f"The contexts follow the values, and the votes the contexts: {now.format('')}{instead * other}."


def comes_out(s: Scenario, found: Votes) -> str:
    """The takeaway: what the sums become, and what becomes of the word."""
    best = likeliest(found.sums)
    shares = join([f"**{md(s.words[w])} {x}**" for w, x in zip(best, percents(found.probs[best].tolist(), []), strict=True)])
    return (
        f"**Softmax** makes chances of the sums, the larger the likelier: {shares}. The word that comes out **goes in** as the next token."
        f"{_invitation(s) * (len(s.words) > 1 and not (handout() or narrowed()))}"
    )


def _invitation(s: Scenario) -> str:
    """To the values: to that with which another word comes out at an end of its slider, of several the last; to any where there is none."""
    best = likeliest(toy.prefill_of(s).logits[-1])
    low, high, _ = toy.SLIDER
    for j in reversed(range(len(s.tokens))):
        for end, way in ((max(high, s.values[j]), "up"), (min(low, s.values[j]), "down")):
            logits = toy.prefill_of(set_value(s, j, end)).logits[-1]
            if np.isfinite(logits).all() and not set(likeliest(logits)) & set(best):
                return f" **Draw {token_name(s.tokens, j)} all the way {way}**: another word comes out."
    return MOVE


def in_words(s: Scenario, found: Votes) -> str:
    """The figure as a text alternative."""
    told = []
    for k, word in enumerate(found.pair):
        sums = summed([c for _, _, c in found.factors[k]], found.written[k]) + found.written[k]
        told.append(f"“{s.words[word]}” " + ("is still to be added up" if word == found.asked else sums))
    chances = "" if found.asked is not None else f" Chances: {join(in_quotes(s.words, map(percent, found.probs.tolist())))}."
    return f"Contexts of “{s.tokens[-1]}”: {join([c for c, _, _ in found.factors[0]])}. Votes, context times W: {'; '.join(told)}.{chances}"
