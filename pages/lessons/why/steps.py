"""Which word a trained model takes the next one from: pressed, then measured, then changed."""

import streamlit as st

from engine import bundled
from pages.lessons.why.figures.arcs import arcs
from pages.lessons.why.story import BEGIN, COLORS, OTHER_COLOR, OWNERS, LookBack, look_back, next_word
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.answers import NOT_ASKED
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, here_on_a_phone, lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question, committed, reopen
from pages.parts.text.format import md, percent
from pages.parts.visit.parameters import Choice

COLOR = Choice("kite")
LAST = Choice("last")
LAST_WORDS = 3  # "Anna has a", from which the question looks back
THINGS = ("kite", "boat")
CONTENT = ("Anna", "Ben", *THINGS)  # words to choose from, beside the two colours


def given() -> tuple[LookBack]:
    """The story of the link, and what the model does with it."""
    return (look_back(COLOR.value(COLORS, COLORS[0]), LAST.value(OWNERS, OWNERS[0])),)


def word_question(look: LookBack) -> Question:
    """Which word the last one looks back at."""
    owner = md(look.words[-3])
    colors = sorted(word for word in look.words if word in (*COLORS, OTHER_COLOR))
    others = f"That belongs to another than {owner}."
    return Question(
        "looks_at",
        f"“… **{owner} has a** …”: from which word further back is the next one taken?",
        look.words[look.at],
        f"Its arc is the thick one, and the model says “{md(next_word(look))}”.",
        options=(*CONTENT, *colors),
        slips={color: others for color in colors if color != look.words[look.at]}
        | {thing: "After “a” the colour comes first, and then what has it." for thing in THINGS}
        | {owner: "The owner says whose thing is meant, and so finds the place; the word itself stands there."},
    )


def share(look: LookBack) -> str:
    """How much of the head's attention the word gets."""
    return percent(float(look.looks[look.at]))


def chance(look: LookBack) -> str:
    """The chance of the likeliest next word."""
    return percent(float(look.probs.max()))


@step(
    "Which word?",
    minutes=4,
    ask="Read the sentence aloud and stop. Which word comes next, and which word before tells you so? Point at it.",
)
def which_word(look: LookBack) -> None:
    """The story, the word that decides, and what changes when that word is another one, from the first answer on."""
    lead(
        "Most words cannot be guessed from the one before. So a model looks back: its **attention** is how much each earlier word "
        f"counts. A small trained model reads; “{BEGIN}” marks the start."
    )
    question = word_question(look)
    moved = not question.answered and committed(question.key) is not None
    told = question.answered or moved
    parts = [word if word in question.options else "" for word in look.words[:-LAST_WORDS]] + [""] * LAST_WORDS
    asked = NOT_ASKED if moved else asked_in(question, parts)
    figure = arcs(sheet(), look.words, look.looks if told else None, bundled().tokenizer.words, look.probs, asked)
    plot(figure, in_words(look, told), "look_back", on_press=pressed(question, parts))
    said = here_on_a_phone()
    if told:
        with st.container(horizontal=True, vertical_alignment="center", key="story"):
            for choice, label, options in ((COLOR, "Anna’s kite is", COLORS), (LAST, "Last comes", OWNERS)):
                st.markdown(f"**{label}**", width="content")
                choice.buttons(label, {option: option for option in options}, options[0], label_visibility="collapsed")
    if not moved:
        with said:
            question_then_takeaway(question, "look_back", _takeaway(look), _measured(look), BESIDE)
        return
    with said, st.container(horizontal=True, vertical_alignment="center"):
        takeaway("look_back", _takeaway(look), help=_measured(look))
        st.button("Ask me again", key="why_again", type="tertiary", on_click=reopen, args=((question.key,),))


def _takeaway(look: LookBack) -> str:
    return f"The model looks in several ways at once; in one of them “{md(look.words[look.at])}” counts **{share(look)}**. {_change()}"


def _measured(look: LookBack) -> str:
    """Where in the model the arc was measured."""
    return (
        f"Measured in head {look.head + 1} of layer {look.n_layer}: of the {look.n_head} ways in which the last layer looks back, the "
        "one that takes most from a single word further back. Another story may be read by another head."
    )


def _change() -> str:
    """What follows from which change: the colour that can be chosen is Anna’s."""
    if LAST.value(OWNERS, OWNERS[0]) == OWNERS[0]:
        return "Change the kite’s colour: the word follows. Change the owner: the arc does, too."
    return "Change the owner: arc and word follow. The colour of Anna’s kite alone changes neither."


def in_words(look: LookBack, done: bool) -> str:
    """The figure as a text alternative."""
    said = " ".join(look.words[1:])
    if not done:
        return f"The words “{said}” in a row; where the last one looks, and the next word, are still to be predicted."
    return (
        f"The words “{said}” in a row. In head {look.head + 1} of layer {look.n_layer} the last word looks with {share(look)} at "
        f"“{look.words[look.at]}”. Next word: {next_word(look)}, {chance(look)}."
    )
