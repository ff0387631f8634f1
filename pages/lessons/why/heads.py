"""Heads of the trained model: which of them find the next word, what becomes of it without them, and where they look in another prompt."""

import streamlit as st

from engine import bundled
from pages.lessons.why.figures.four_heads import Chance, four_heads
from pages.lessons.why.story import Heads, LookBack, chances_without, heads_of, heads_of_prompt, next_word
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.answers import NOT_ASKED
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.format import join, md, percent, plural, whole_percent
from pages.parts.trained import prompt
from pages.parts.visit.parameters import Choice

WHICH_TEXT = Choice("heads_on")
STORY, PROMPT = "story", "prompt"
TEXTS = {STORY: "Anna’s kite", PROMPT: "The first screen’s prompt"}


def finders(look: LookBack) -> list[int]:
    """The heads of the last layer that take most from the word that step 1 found, from 0."""
    return [h for h, row in enumerate(heads_of(look).looks) if int(row.argmax()) == look.at]


def heads_question(look: LookBack) -> Question:
    """Without which heads the word still comes: read off where they look."""
    found, rest = finders(look), heads_on_others(look)
    word = md(look.words[look.at])
    before, without = (percent(float(p[_id(look)])) for p in (look.probs, chances_without(look, tuple(found))))
    return Question(
        "trained_heads",
        f"Which heads can be **switched off** (their contexts become 0), and “{word}” still keeps more than half of the chance?",
        heads_in_words(rest),
        f"{heads_in_words(found).capitalize()} take most from “{word}”: without them its chance falls from {before} to **{without}**.",
        options=(*map(heads_in_words, pairs(look)), "either", "neither"),
    )


def heads_on_others(look: LookBack) -> list[int]:
    """The heads of the last layer that take most from another word, from 0."""
    return [h for h in range(look.n_head) if h not in finders(look)]


def pairs(look: LookBack) -> list[list[int]]:
    """The heads that take most from the word, and the others, those that are counted first first."""
    return sorted((finders(look), heads_on_others(look)))


def heads_in_words(heads: list[int]) -> str:
    """Heads, counted from 1.

    >>> heads_in_words([0, 1]), heads_in_words([2])
    ('heads 1 and 2', 'head 3')
    """
    return f"{plural(len(heads), 'head')} {join([str(h + 1) for h in heads])}"


def _id(look: LookBack) -> int:
    return bundled().tokenizer.words.index(look.words[look.at])


def switched_off(look: LookBack, answered: bool) -> list[Chance]:
    """The chance of the word with all heads, and with some of them off, which waits for the answer."""
    off = [
        Chance(f"{heads_in_words(heads)} off", float(chances_without(look, tuple(heads))[_id(look)]) if answered else None, heads)
        for heads in pairs(look)
    ]
    return [Chance("all heads", float(look.probs[_id(look)])), *off]


@step(
    "Trained heads",
    minutes=3,
    ask="Heads 1 and 2 or heads 3 and 4 are switched off. Without which does the word still come?",
    wrong={
        "either": "with those off that look at the word, its chance falls far below one half",
        "neither": "those that look elsewhere bring along what this word hardly needs",
    },
)
def trained_heads(look: LookBack) -> None:
    """The last row of all heads of the last layer, and what becomes of the word without some of them; on request on the reader's prompt."""
    story = routes.chosen() == routes.STORY
    lead(
        f"{'Back to the trained model, which' if story else 'A trained model'} takes these steps several times, in **layers**; drawn are "
        f"the {look.n_head} heads of the last layer. What they search for was **learned**, and a key may fit a little.",
        "head",
        "weight",
    )
    question, above = heads_question(look), st.container(key="heads_on")  # empty at first: the figure after it keeps its place
    own = False
    if question.answered:
        with above:
            own = WHICH_TEXT.buttons("Heads on", TEXTS, STORY, label_visibility="collapsed") == PROMPT
    if own:
        heads, read = heads_of_prompt()
        prompt.left_out(read)
        said, chances = on_prompt(heads), []
    else:
        heads, chances = heads_of(look), switched_off(look, question.answered)
        said = f"**What a head looks at, it brings along**: “{md(look.words[look.at])}” comes from the heads that look at it."
    sought = look.words[look.at] if not own else ""
    parts = ("", *map(heads_in_words, pairs(look)))  # all heads on are no answer
    asked = NOT_ASKED if own else asked_in(question, parts)
    drawn_on = under_headline(sheet(), found(look, chances) if not own else f"next word: “{next_word(heads)}”")
    figure = four_heads(drawn_on, heads.words, heads.looks, sought, chances, asked)
    plot(figure, in_words(heads, chances), "four_heads", on_press=pressed(question, parts))
    question_then_takeaway(question, "trained_heads", said)


def found(look: LookBack, chances: list[Chance]) -> str:
    """The headline: what the chance of the word falls to without some heads, once that is known."""
    word, told = look.words[look.at], [chance for chance in chances[1:] if chance.chance is not None]
    if not told:
        return f"without which heads does “{word}” still come?"
    least = min(told, key=lambda chance: chance.chance)
    return f"{least.name}: “{word}” {percent(chances[0].chance)} → {percent(least.chance)}"


def on_prompt(heads: Heads) -> str:
    """Where the heads look in the reader's prompt, and what comes of it."""
    takes = [f"“{md(heads.words[int(row.argmax())])}” ({whole_percent(float(row.max()))})" for row in heads.looks]
    return (
        f"In the first screen’s prompt “{md(heads.words[-1])}” takes most from {join(takes)}, and the model’s likeliest next word is "
        f"**{md(next_word(heads))}**."
    )


def in_words(heads: Heads, chances: list[Chance]) -> str:
    """The figure as a text alternative."""
    told = [
        f"head {h + 1} takes {whole_percent(float(row.max()))} from {heads.words[int(row.argmax())]}"
        for h, row in enumerate(heads.looks)
    ]
    bars = "".join(f" {name}: {'still to be found' if chance is None else percent(chance)}." for name, chance, _ in chances)
    words = f"The words “{' '.join(heads.words[1:])}”. Of them the last one, “{heads.words[-1]}”, in the last layer: {'; '.join(told)}."
    return words + (f" The chance of the word.{bars}" if bars else "")
