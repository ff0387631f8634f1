"""How contexts become a word, as the story has it: the votes of all heads for two words, their sums, and the chances of these."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from engine import probabilities
from engine.sampling import likeliest
from engine.toy.by_hand import MOST_RESIDUE
from engine.toy.edits import set_value
from engine.toy.projection import contributions
from engine.toy.scenario import Scenario
from pages.lessons.logits.figures.two_sums import Votes, two_sums
from pages.parts.controls import toy
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import as_number, context_text, gap_text, logits_side_by_side, percents, summed
from pages.parts.text.format import entered, join, md, percent
from pages.parts.text.toy_names import head_names, in_quotes, token_name
from pages.parts.visit import scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import controls_in_sight, narrow

SOFTMAX = (
    "**Softmax** raises e, about 2.718, to the power of each sum and divides by the total of all words: the chances add up to 1, and "
    "of two words the one with 1 more in its sum is 2.718 times as likely."
)
MOVE = " **Move a value**: does another word come out?"
SLIDERS = 24.0  # pixels that the values take of the figure's room, once they can be moved
LEAST_ODDS, MOST_ODDS = 1.1, 1e6  # of two words, that an answer names
MOST_GAP = 20.0  # between two sums: those further apart are far beyond such odds


class Before(NamedTuple):
    """What it was before values were moved. words: that came out, several where they drew level; contexts: (n_head,), of the last token."""

    scenario: Scenario
    words: list[int]
    contexts: np.ndarray


def votes(s: Scenario, context: np.ndarray, written: list[str], said: str = "") -> None:
    """The contexts of the last token, what two words make of them, and the chances, which are asked for.

    context: (n_head,), numbers all, as `written`. said: what of the scenario had to be changed for that.
    """
    w = np.array(s.w_vocab)
    added = contributions(context, w)
    sums = added.sum(axis=0)
    lead(
        f"How do the contexts of “{md(s.tokens[-1])}” become the next word? Each word that may come has a number for every "
        "head (learned; the toy’s are made up): **context × number** is that head’s **vote**. **Softmax** makes chances of the sums: a "
        f"point more makes a word 2.718 times as likely. {said}"
    )
    pair = rivals(sums)
    question = odds_question(s, sums, pair) if len(pair) == 2 else None
    moved = question is not None and toy.values_moved(question)
    was = _before_the_move(s) if moved else None
    if was and was.words[0] != likeliest(sums)[0]:
        pair = sorted([was.words[0], likeliest(sums)[0]])  # so that one sees how it lost
    hidden = question is not None and not (question.answered or moved)
    factors = [list(zip(written, map(entered, w[:, word]), as_votes(s, added[:, word]), strict=True)) for word in pair]
    found = Votes(s.words, sums, probabilities(sums), pair, factors, added[:, pair], logits_side_by_side(sums[pair]), hidden)
    plot(two_sums(sheet(), found, head_names(s), s.tokens, SLIDERS * (not hidden)), in_words(s, found), "two_sums")
    beneath = None if hidden or narrow() else st.container()  # on a phone what is said comes first
    if was:
        toy.follow_the_values("votes", what_follows(s, context, sums, was), question)
    elif question:
        question_then_takeaway(question, "votes", comes_out(s, found), SOFTMAX)
    else:
        takeaway("votes", comes_out(s, found), SOFTMAX)
    if not hidden:
        with beneath or st.container():
            toy.value_sliders(where="votes_")


def rivals(sums: np.ndarray) -> list[int]:
    """The words with the two largest sums as they stand in the vocabulary, the first of those that draw level; or the one word."""
    first = likeliest(sums)[0]
    rest = [w for w in range(len(sums)) if w != first]
    return sorted([first, *(rest[w] for w in likeliest(sums[rest])[:1])]) if rest else [first]


def as_votes(s: Scenario, votes: np.ndarray) -> list[str]:
    """Votes as they are written: 0 only where they are no more than what softmax leaks of the scenario's values."""
    largest = max(map(abs, s.values)) * float(np.abs(s.w_vocab).max())
    return [context_text(x, largest) for x in votes.tolist()]


def odds_question(s: Scenario, sums: np.ndarray, pair: list[int]) -> Question:
    """How many times as likely softmax makes the word with the largest sum as the one after it. The mistakes to choose from: to divide
    the sums, and to count a point of difference once more where it multiplies once more."""
    first, second = sorted(pair, key=lambda word: -sums[word])
    high, low = logits_side_by_side(sums[[first, second]])
    gap = max(float(sums[first] - sums[second]), 0.0)
    more, times = gap_text(gap), float(np.exp(min(gap, MOST_GAP)))
    written = as_number(low)
    divided, counted = as_number(high) / written if written > 0 else 0.0, 2.718 * as_number(more)
    slips = {
        divided: f"{high} / {low} would be {_rounded(divided)}, but the difference counts.",
        counted: f"2.718 × {more} would be {_rounded(counted)}, but each point multiplies anew.",
    }
    wrong = [x for x in (divided, counted, 1.0, np.e, np.e**2) if x == 1 or (x >= LEAST_ODDS and not 0.8 < x / times < 1.25)]
    sizes = {odds(x): x for x in (*dict.fromkeys(x for x in wrong if odds(x) != odds(times)), times)}
    kept = sorted([*list(sizes.items())[:2], (odds(times), times)], key=lambda option: option[1])
    if times < LEAST_ODDS:
        why = "Two sums that are the same, or nearly, make chances that are, too."
    elif times > MOST_ODDS:
        why = f"{more} more, and each point multiplies by 2.718."
    else:
        why = f"{more} point{'s' * (more != '1')} more: 2.718 to the power of {more} is **{_rounded(times)}**."
    return Question(
        "votes",
        f"“{md(s.words[first])}” has {high}, “{md(s.words[second])}” {low}. How many times as likely is “{md(s.words[first])}”?",
        odds(times),
        why,
        options=tuple(said for said, _ in kept),
        slips={said: slips[x] for said, x in kept if x in slips and x not in (1.0, times)},
    )


def odds(ratio: float) -> str:
    """How much likelier one of two words is, as an answer.

    >>> odds(1.0), odds(25.79), odds(4230.2), odds(1e9)
    ('less than 1.1 times', '26 times', '4,200 times', 'over a million times')
    """
    if ratio < LEAST_ODDS:
        return f"less than {LEAST_ODDS:g} times"
    return "over a million times" if ratio > MOST_ODDS else f"{_rounded(ratio)} times"


def _rounded(x: float) -> str:
    """A number from 1 on to two digits that count."""
    return f"{float(f'{x:.2g}'):,.1f}".removesuffix(".0")


def _before_the_move(s: Scenario) -> Before:
    """What it was before values were moved, its empty rows treated as those of `s`, whose sums are numbers."""
    before = replace(scenario.kept().before, empty_row=s.empty_row)
    run = toy.prefill_of(before)
    return Before(before, likeliest(run.logits[-1]), run.layers[0].context[:, -1, 0])


def what_follows(s: Scenario, context: np.ndarray, sums: np.ndarray, was: Before) -> str:
    """The takeaway where values have been moved: what comes out now, and what came out before."""
    words = likeliest(sums)
    now = f"**{md(s.words[words[0]])}**{{}} comes out" if len(words) == 1 else "several words{} draw level"
    if words == was.words and toy.hardly_taken(was.scenario, s, context - was.contexts):
        # Up to MOST_RESIDUE a context is written 0.
        stay = "stay" if np.abs(context - was.contexts).max() < MOST_RESIDUE else "hardly move"
        return f"No head takes a share worth naming of what was moved: the contexts {stay}, and {now.format(' still')}."
    instead = ", where several words drew level" if len(was.words) > 1 else f", no longer **{md(s.words[was.words[0]])}**"
    other = len(words) == 1 and words != was.words
    return f"The contexts follow the values, and the votes the contexts: {now.format('')}{instead * other}."


def comes_out(s: Scenario, found: Votes) -> str:
    """The takeaway: what the sums become, and what becomes of the word."""
    best = likeliest(found.sums)
    shares = join([f"**{md(s.words[w])} {x}**" for w, x in zip(best, percents(found.probs[best].tolist(), []), strict=True)])
    return (
        f"{shares}. The word that comes out **goes in** as the next token."
        f"{_invitation(s) * (len(s.words) > 1 and controls_in_sight() and not narrowed())}"
    )


def _invitation(s: Scenario) -> str:
    """To the values: to that with which another word, and one alone, comes out at an end of its slider, of several the last with which it
    is more than a sign; to any where there is none."""
    best = likeliest(toy.prefill_of(s).logits[-1])
    low, high, _ = toy.SLIDER
    found = {}
    for j in reversed(range(len(s.tokens))):
        for end, way in ((max(high, s.values[j]), "right"), (min(low, s.values[j]), "left")):
            logits = toy.prefill_of(set_value(s, j, end)).logits[-1]
            if np.isfinite(logits).all() and len(new := likeliest(logits)) == 1 and new[0] not in best:
                is_word = any(map(str.isalnum, s.words[new[0]]))
                found.setdefault(
                    is_word, f" **Drag {token_name(s.tokens, j)} all the way to the {way}**: another word comes out."
                )
    return found.get(True) or found.get(False) or MOVE


def in_words(s: Scenario, found: Votes) -> str:
    """The figure as a text alternative."""
    told = [
        f"“{s.words[word]}” {summed([c for _, _, c in found.factors[k]], found.written[k])}{found.written[k]}"
        for k, word in enumerate(found.pair)
    ]
    chances = (
        " Their chances are still to be found."
        if found.open
        else f" Chances: {join(in_quotes(s.words, map(percent, found.probs.tolist())))}."
    )
    return f"Contexts of “{s.tokens[-1]}”: {join([c for c, _, _ in found.factors[0]])}. Votes, context times W: {'; '.join(told)}.{chances}"
