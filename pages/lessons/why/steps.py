"""Which word a trained model takes the next one from: pressed, then measured, then changed."""

from __future__ import annotations

import streamlit as st

from engine import bundled
from pages.lessons.why.figures.arcs import arcs, narrow_arcs
from pages.lessons.why.story import COLORS, OTHER_COLOR, OWNERS, LookBack, look_back
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.question import Question
from pages.parts.text.format import md, percent
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Choice

COLOR = Choice("kite")
LAST = Choice("last")
CONTENT = ("Anna", "Ben", "kite", "boat")  # words to choose from, beside the two colours


def given() -> tuple[LookBack]:
    """The story of the link, and what the model does with it."""
    return (look_back(COLOR.value(COLORS, COLORS[0]), LAST.value(OWNERS, OWNERS[0])),)


def word_question(found: LookBack) -> Question:
    """Which word the last one looks back at."""
    owner, word = md(found.words[-3]), md(found.words[found.at])
    return Question(
        "looks_at",
        f"“… **{owner} has a** …”: which word further back decides what comes next?",
        found.words[found.at],
        f"Of the {found.n_head} heads in the last layer, head {found.head + 1} gives {share(found)} of its attention to “{word}”, and "
        f"the model goes on with “{md(next_of(found))}”, at {chance(found)}.",
        options=(*CONTENT, *sorted(word for word in found.words if word in (*COLORS, OTHER_COLOR))),
        slips={owner: "The owner says whose thing is meant, and so finds the place. The word itself stands there, and is taken."},
    )


def next_of(found: LookBack) -> str:
    """The likeliest next word."""
    return bundled().tokenizer.words[int(found.probs.argmax())]


def share(found: LookBack) -> str:
    """How much of the head's attention the word gets."""
    return percent(float(found.looks[found.at]))


def chance(found: LookBack) -> str:
    """The chance of the likeliest next word."""
    return percent(float(found.probs.max()))


@step(
    "Which word?",
    minutes=4,
    ask="Read the sentence aloud and stop. Which word comes next, and which word before tells you so? Point at it.",
    wrong={
        "kite": "the thing comes after its colour; what comes next is the colour",
        "Anna": "she says whose thing is meant; the word that is taken stands further on",
    },
)
def which_word(found: LookBack) -> None:
    """The story, the word that decides, and what changes when that word is another one."""
    lead(
        "Most words cannot be guessed from the one before. So a model looks back: its **attention** says how much it takes from "
        "each earlier word. This one is small, but trained, and what it does here is measured."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="story"):
        COLOR.buttons("Anna’s kite is", {color: color for color in COLORS}, COLORS[0])
        LAST.buttons("Last comes", {owner: owner for owner in OWNERS}, OWNERS[0])
    question = word_question(found)
    done = question.answered
    looks, probs = (found.looks, found.probs) if done else (None, None)
    plot(
        (narrow_arcs if narrow() else arcs)(sheet(), found.words, looks, bundled().tokenizer.words, probs),
        in_words(found, done),
        "look_back",
    )
    question_and_takeaway(question, "look_back", _takeaway(found, done))


def _takeaway(found: LookBack, done: bool) -> str:
    if not done:
        return "After “a” nearly anything could follow. Only what was said **before** tells which word it is."
    back = len(found.words) - 1 - found.at
    return (
        f"In one head the last word takes **{share(found)}** from “{md(found.words[found.at])}”, {back} words back, "
        f"and the model says **{md(next_of(found))}**. {_change()}"
    )


def _change() -> str:
    """What follows from which change: the colour that can be chosen is Anna’s."""
    if LAST.value(OWNERS, OWNERS[0]) == OWNERS[0]:
        return "Change her kite’s colour, and the word follows; change the owner, and the arc does too."
    return "Change the owner, and the arc and the word follow; the colour of Anna’s kite alone changes neither."


def in_words(found: LookBack, done: bool) -> str:
    """The figure as a text alternative."""
    said = " ".join(found.words[1:])
    if not done:
        return f"The words “{said}” in a row; where the last one looks, and the next word, are still to be predicted."
    return (
        f"The words “{said}” in a row. In head {found.head + 1} of layer {found.n_layer} the last word looks with {share(found)} at "
        f"“{found.words[found.at]}”. Next word: {next_of(found)}, {chance(found)}."
    )
