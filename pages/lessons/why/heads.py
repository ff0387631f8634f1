"""Heads of the trained model: which of them find the next word, what becomes of it without them, and where they look in another prompt."""

import streamlit as st

from engine import bundled
from pages.lessons.why.figures.four_heads import SEEN, four_heads
from pages.lessons.why.story import Heads, LookBack, chances_without, heads_of, heads_of_prompt
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.format import join, md, percent, plural
from pages.parts.trained import prompt
from pages.parts.visit.parameters import Choice

SHOWN = Choice("heads_on")
STORY, PROMPT = "story", "prompt"
TEXTS = {STORY: "Anna’s kite", PROMPT: "The first screen’s prompt"}
NUMBERS = ("none", "one", "two", "three")


def finders(look: LookBack) -> list[int]:
    """The heads of the last layer that take most from the word that step 1 found, from 0."""
    return [h for h, row in enumerate(heads_of(look).looks) if int(row.argmax()) == look.at]


def heads_question(look: LookBack) -> Question:
    """How many of the other heads find the word, too."""
    words, looks, _ = heads_of(look)
    others = [h for h in range(look.n_head) if h != look.head]
    found = [h for h in others if h in finders(look)]
    rest = [h for h in others if h not in found]
    word, last, most = md(words[look.at]), md(words[-1]), {h: words[int(looks[h].argmax())] for h in rest}
    instead = join([f"“{md(x)}”" for x in dict.fromkeys(most.values())]) if rest else ""
    names = [f"{plural(len(heads), 'Head')} {join([str(h + 1) for h in heads])}" if heads else "" for heads in (found, rest)]
    why = [
        f"{names[0]} {plural(len(found), 'does', 'do')}." if found else "",
        f"{names[1]} {plural(len(rest), 'takes', 'take')} most from {instead}." if rest else "",
    ]
    options = (*NUMBERS[: len(others)], f"all {NUMBERS[len(others)]}")
    return Question(
        "trained_heads",
        f"Head {look.head + 1} is the one of step 1: it finds “{word}”. The other {NUMBERS[len(others)]} ask from the same last "
        f"word, “{last}”. How many of them take most from “{word}”, too?",
        options[len(found)],
        f"{' '.join(filter(None, why))} Each head asks in a way of its own; nobody wrote down how.",
        options=options,
    )


@step(
    "Trained heads",
    minutes=3,
    ask="One of these heads found the word. What do the others look for, from the same place?",
    wrong={
        "All look at the same word": "then one would do: each head has a query of its own, and so looks elsewhere",
        "One head, one meaning": "two find the word here, and it comes out even if one of them is silent",
    },
)
def trained_heads(look: LookBack) -> None:
    """The last row of all heads of the last layer, of which one is known; on request on the reader's prompt."""
    story = routes.chosen() == routes.STORY
    lead(
        f"{'Back to the **trained model**' if story else 'The **trained model**'}: it takes these steps in **layers**, each on what the "
        f"one before has made; the last has {look.n_head} heads. What each searches for nobody wrote: it was **learned**. A key fits more "
        "or less: so weights are per cent.",
        "head",
        "weight",
    )
    question, above = heads_question(look), st.container(key="heads_on")  # empty at first: the figure after it keeps its place
    if not question.answered:
        hidden = [h for h in range(look.n_head) if h != look.head]
        _figure(look, heads_of(look), hidden)
        question_and_takeaway(question, "trained_heads", f"Each word gets a share; under {SEEN:.0%} none is written.")
        return
    with above:
        own = SHOWN.buttons("Heads on", TEXTS, STORY, label_visibility="collapsed") == PROMPT
    if own:
        heads, read = heads_of_prompt()
        prompt.left_out(read)
        _figure(look, heads, ())
        said = on_prompt(heads)
    else:
        _figure(look, heads_of(look), ())
        said = without_them(look)
    question_and_takeaway(question, "trained_heads", said)


def _figure(look: LookBack, heads: Heads, hidden) -> None:
    strong = heads.words[look.at] if heads.words == look.words else ""
    plot(four_heads(sheet(), heads.words, heads.looks, hidden, strong), in_words(heads, hidden), "four_heads")


def without_them(look: LookBack) -> str:
    """What becomes of the word without the heads that find it, and without the others: measured."""
    heads, word = finders(look), look.words[look.at]
    rest = [h for h in range(look.n_head) if h not in heads]
    at = bundled().tokenizer.words.index(word)
    before, without, others = (
        percent(float(p[at])) for p in (look.probs, *(chances_without(look, tuple(x)) for x in (heads, rest)))
    )
    named = f"{plural(len(heads), 'head')} {join([str(h + 1) for h in heads])}"
    end = f" With the {plural(len(rest), 'other')} off instead it is {others}." if rest else ""
    return f"With **{named}** switched off, the chance of “{md(word)}” goes from **{before}** to **{without}**.{end}"


def on_prompt(heads: Heads) -> str:
    """Where the heads look in the reader's prompt, and what comes of it."""
    best = int(heads.probs.argmax())
    takes = [f"“{md(heads.words[int(row.argmax())])}” ({row.max():.0%})" for row in heads.looks]
    return (
        f"In the first screen’s prompt “{md(heads.words[-1])}” takes most from {join(takes)}, and the model’s likeliest next word is "
        f"**{md(bundled().tokenizer.words[best])}**, {percent(float(heads.probs[best]))}."
    )


def in_words(heads: Heads, hidden) -> str:
    """The figure as a text alternative."""
    told = [
        f"head {h + 1} "
        + ("is still to be found" if h in hidden else f"takes {row.max():.0%} from {heads.words[int(row.argmax())]}")
        for h, row in enumerate(heads.looks)
    ]
    return f"The words “{' '.join(heads.words[1:])}”. Of them the last one, “{heads.words[-1]}”, in the last layer: {'; '.join(told)}."
