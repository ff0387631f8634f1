"""The first lesson as it is shown: the vote for the next word, the timeline of the request, the way into the other lessons."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.answer import answer
from engine.model import ForwardPass
from engine.sampling import probabilities
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.request_timeline import HIDDEN, request_timeline
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.words import join, md, percent

MOST, USUAL, ASKED = 8, 4, 3  # tokens of the answer: at most, untouched, and in the question
NO_WORD = "none of them"
PARTS = {
    "Prefill: read the prompt": {
        "rules": "What does a head make of what it sees? By hand.",
        "attention": "The same as arithmetic: scores, mask, softmax.",
        "prefill": "How can a whole prompt be read in one pass?",
        "logits": "How do a few numbers become a word?",
    },
    "Decode: write the answer": {
        "decode": "What does one more word cost?",
    },
    "KV cache: compute nothing twice": {
        "cache": "What is kept, why it stays true, and how to break it.",
        "counting": "What the cache saves, and what it does not.",
    },
}
BEYOND = "Further on"  # whatever else there is, without a question


def _word_question(s: Scenario, run: ForwardPass) -> tuple[str, str]:
    """The vote and its answer: the candidate with the highest logit, the first of equals."""
    logits = run.logits[-1]
    best = md(s.words[int(np.argmax(logits))]) if np.isfinite(logits).all() else NO_WORD
    return f"“{md(' '.join(s.tokens))} …” Which word comes next?", best


def ask_word(s: Scenario, run: ForwardPass) -> None:
    """Vote for the first new word before the timeline shows it."""
    question, best = _word_question(s, run)
    options = [md(w) for w in s.words]
    predict("word", question, best, _why_word(s, run), options=options if best in options else [*options, NO_WORD])


def _why_word(s: Scenario, run: ForwardPass) -> str:
    logits = run.logits[-1]
    if not np.isfinite(logits).all():
        return "One head sees nothing here and its context is not a number, so no candidate gets a score that is one."
    best, chances = int(np.argmax(logits)), probabilities(logits)
    others = [f"“{md(w)}” {percent(p)}" for i, (w, p) in enumerate(zip(s.words, chances, strict=True)) if i != best]
    compared = f", {join(others)}" if others else ""
    return (
        f"Its chance is {percent(chances[best])}{compared}. The toy knows no English: the numbers behind this were put in by "
        "hand. A trained model has learned them from text."
    )


def timeline(s: Scenario, run: ForwardPass) -> None:
    """The request, pass by pass, for as many tokens of an answer as this visit wants; words stay hidden until the vote."""
    left, right = st.columns([3.4, 1], vertical_alignment="center")
    left.markdown("**The same request, pass by pass.** A column is one pass through the model, a row one token.")
    with right:
        n_answer = widgets.extra_slider("g", "Tokens in the answer", 1, MOST, USUAL, 1)
    made = answer(s.model(), s.prompt_ids, n_answer)
    voted = answered("word", *_word_question(s, run))
    written = [s.id_words[i] for i in made.token_ids] or ["NaN"]  # without numbers no word can be chosen, and prefill is all
    words = (*s.tokens, *(written if voted else HIDDEN * len(made.passes)))
    room = {"height": 272.0} if presenting() else {}
    zoom = 0.84 if presenting() and len(words) > 14 else 1.0
    plot(request_timeline(made.passes, words, **room, **look(zoom)), _in_words(s, made.passes, words), "request_timeline")
    with st.container(key="takeaway"):
        st.markdown(_takeaway(s, made.passes, written, voted))
    st.caption(
        "Columns are passes, not seconds: the pass over a long prompt takes longer than a decode step. A model may also stop "
        "earlier, when it writes a token that means “end”; the toy has none."
    )


def _in_words(s: Scenario, passes: tuple[ForwardPass, ...], words: tuple[str, ...]) -> str:
    """The timeline as a text alternative."""
    n = len(s.tokens)
    lines = [f"Pass 1, prefill, computes {join(list(s.tokens))} together; {words[n]} comes out."]
    for k, p in enumerate(passes[1:], 2):
        reads = f"reads {p.n_past} token{'s' * (p.n_past > 1)} from the cache"
        lines.append(f"Pass {k}, decode, computes {words[p.n_past]} and {reads}; {words[n + k - 1]} comes out.")
    hidden = " A question mark stands for a word that is shown after the vote." if words[n] == HIDDEN else ""
    return f"Timeline of a request. {' '.join(lines)}{hidden}"


def _takeaway(s: Scenario, passes: tuple[ForwardPass, ...], written: list[str], voted: bool) -> str:
    """What to see in the timeline, in one sentence, and what it does not show."""
    n = len(s.tokens)
    enter = f"The prompt’s **{n} tokens** enter **together, in one pass**"
    together = enter if n > 1 else "The prompt’s **one token** enters in one pass"
    if not np.isfinite(passes[0].logits[-1]).all():
        result = (
            "here its result is not a number, so no word can be chosen and nothing follows" if voted else "vote to see the rest"
        )
        return f"{together}; {result}."
    text = f"{together}; after that every pass takes **one** token, the word that came out of the pass before."
    if voted and len(written) > 1 and len(set(written)) == 1:
        text += f" This toy goes on with “{md(written[0])}”: it always takes the likeliest word, and nothing tells it to stop."
    return text


def ask_steps(s: Scenario) -> None:
    """How many decode steps an answer takes: one less than it has tokens, because prefill already gives the first."""
    shown = scenario.whole_extra("g", USUAL, 1, MOST)
    asked = ASKED if shown != ASKED else ASKED + 2
    passes = answer(s.model(), s.prompt_ids, asked, by_hand=(0,) * asked).passes
    steps = sum(p.n_past > 0 for p in passes)
    predict(
        "steps",
        f"An answer of **{asked} tokens** is wanted. How many **decode** steps does that take?",
        float(steps),
        f"{len(passes)} passes in all, and the first of them is prefill: the last row of the prompt already chooses token 1. "
        "It is often told as if decode made every token; G tokens take G − 1 decode steps, and the last one is never fed back. "
        f"So {len(s.tokens)} + {asked} − 1 = {sum(p.n_new for p in passes)} tokens pass through the model.",
        tolerance=0.1,
    )


def toy_and_real(s: Scenario) -> None:
    """What is toy here, and what the real thing adds."""
    heads, words = len(s.rules), len(s.words)
    st.markdown(
        f"**Toy and real.** Here a token is a word with one number, {heads} hand-written head{'s' * (heads > 1)} in one layer "
        f"work on it, and {words} word{'s' * (words > 1)} can come next. A real model cuts text into pieces of words, gives each "
        "a vector of thousands of numbers, sends it through dozens of layers, and chooses among tens of thousands of candidates, "
        "all of it learned. The two phases and the cache are the same. "
        "The toy comes from a published article; where the article’s text and its code disagree, the lessons show both."
    )


def lesson_map() -> None:
    """The lessons by what they are about, each with the question it answers and a link."""
    pages = st.session_state.get("pages", {})  # set by the frame; a lesson that runs alone has no neighbours to link to
    told = {name for lessons in PARTS.values() for name in lessons} | {"overview"}
    parts = PARTS | {BEYOND: {name: "" for name in pages if name not in told}}
    there = {part: {n: q for n, q in lessons.items() if n in pages} for part, lessons in parts.items()}
    there = {part: lessons for part, lessons in there.items() if lessons}
    with st.container(key="lesson_map"):
        for column, (part, lessons) in zip(st.columns(len(there) or 1), there.items(), strict=False):
            with column:
                st.markdown(f"**{part}**")
                for name, question in lessons.items():
                    with st.container(gap=None):
                        st.page_link(pages[name], label=pages[name].title)
                        if question:
                            st.caption(question)
