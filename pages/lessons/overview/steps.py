"""The first lesson as it is shown: the vote for the next word, the timeline of the request, and the other lessons by the part of the
machine that they are about: links to them beneath each part of it."""

from functools import partial

import numpy as np
import streamlit as st

from engine.experiments.chosen_answer import answer
from engine.model import ForwardPass
from engine.sampling import greedy, likeliest, probabilities
from engine.toy.presets import PRESETS
from engine.toy.scenario import Scenario
from pages.lessons.overview import story
from pages.lessons.overview.figures.machine_parts import N_CLUSTERS, machine_parts
from pages.lessons.overview.figures.request_timeline import HIDDEN
from pages.lessons.overview.request import MOST, NOT_SECONDS, USUAL, comes_to, passes_found, timeline_of
from pages.parts.controls.shared_parameters import G
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import may_tell
from pages.parts.lesson.fragments import asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.lesson.small_machine import SHOWS
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import percents
from pages.parts.text.format import DRAW_LEVEL, join, md, plural, quantity
from pages.parts.text.toy_names import in_quotes
from pages.parts.visit import all_lessons, location
from pages.parts.visit.scenario import on_paper

ASKED = 3  # tokens of the answer in the question
NO_WORD = "none of them"
# Of each part what it is called, and the columns of the machine by which a lesson is found to be about it; the first that it has.
PARTS = {
    "Tokens, next word": ("tokens",),
    "Query": ("query",),
    "Key, value: the cache": ("key", "value"),
    "Scores, mask, weights": ("scores", "mask", "weights"),
    "Contexts, next word": ("contexts",),
}
FIRST_ASKED = ("Contexts, next word", "Tokens, next word", "Query", "Key, value: the cache", "Scores, mask, weights")
OUTSIDE = "Check yourself"


def word_question(s: Scenario, run: ForwardPass) -> Question:
    """The vote and its answer: the candidate with the highest logit, or that several share it."""
    logits, options = run.logits[-1], tuple(md(w) for w in s.words)
    best = NO_WORD
    if np.isfinite(logits).all():
        best = options[int(np.argmax(logits))] if len(likeliest(logits)) == 1 else DRAW_LEVEL
    # In a scenario of the visitor's own words may draw level; offered also where they do not: else it told.
    ready_made = any(s == scenario for scenario, _ in PRESETS.values())
    level = (DRAW_LEVEL,) if len(options) > 1 and not ready_made else ()
    return Question(
        "word",
        f"“{md(' '.join(s.tokens))} …” Which word comes next?",
        best,
        _why_word(s, run),
        options=(*options, *level, *([NO_WORD] if s.empty_row == "nan" else [])),
    )


def _why_word(s: Scenario, run: ForwardPass) -> str:
    logits = run.logits[-1]
    if not np.isfinite(logits).all():
        return "Where a head sees nothing its context is not a number here, so no candidate gets a score that is one."
    best, chances = likeliest(logits), probabilities(logits)
    said = percents(chances.tolist(), best)
    others = [f"“{md(w)}” {p}" for i, (w, p) in enumerate(zip(s.words, said, strict=True)) if i not in best]
    compared = f", {join(others)}" if others else ""
    level = f"{join([f'“{md(s.words[w])}”' for w in best])} draw level at {said[best[0]]} each"
    chance = f"Its chance is {said[best[0]]}" if len(best) == 1 else level
    first = "" if len(best) == 1 else " The toy takes the first."
    return f"{chance}{compared}.{first} The toy knows no language: its numbers were put in by hand, where a trained model learns them."


@step(
    "Two phases",
    minutes=5,
    click="Answer, then drag **Tokens in the answer** to its end.",
    ask="How many passes does the whole answer take, reading included?",
    wrong={
        "Each word of the prompt takes a pass of its own": (
            "reading is taken for writing: the prompt is there already, so one pass reads all of it"
        ),
        "The whole answer comes out at once": "each word is chosen from all before it, so there is one pass for each",
    },
    in_story={"ask": "Vote first: how many passes does the answer take, reading included?", "wrong": {}},
)
def timeline(s: Scenario, run: ForwardPass) -> None:
    """The request, pass by pass, for as many tokens of an answer as this visit wants; its first word stays hidden until the vote. On a
    route the number of passes is asked."""
    if routes.chosen() != routes.SELF:
        story.passes_asked(s)
        return
    lead(
        "A trained model has too many numbers to follow: from here on a **toy** takes the same steps. Both read text in **tokens**, "
        "here words. A **column** is one pass, a **row** one token.",
        "token",
        "pass",
        "row",
    )
    figure, (asked, moved, said) = st.container(), st.columns([2.2, 0.5, 1.0], gap="medium")
    with asked:
        predict(word_question(s, run))
    with figure:
        live(partial(_request, moved), s, run, said=said.container(key="takeaway_request"), help=NOT_SECONDS)


def _request(place, s: Scenario, run: ForwardPass) -> str:
    """The timeline, the slider of its length in its `place`, and what it comes to."""
    made = answer(s.model(), s.prompt_ids, G.value(high=MOST, default=USUAL))
    voted = asked_and_answered("word", word_question, s, run)
    first = HIDDEN if not voted else s.id_words[made.token_ids[0]] if made.token_ids else "NaN"  # without numbers prefill is all
    later = [f"token {k}" for k in range(2, len(made.passes) + 1)]  # which words they are is a matter of other lessons
    timeline_of(
        s, made.passes, (*s.tokens, first, *later), "request_timeline", said=passes_found(len(s.tokens), len(made.passes))
    )
    with place:
        G.slider("Tokens in the answer", high=MOST, default=USUAL)
    return comes_to(s, made.passes, voted)


def asked_tokens() -> int:
    """How long an answer is asked about: another length than the timeline shows."""
    return ASKED if G.value(high=MOST, default=USUAL) != ASKED else ASKED + 2


def steps_question(s: Scenario) -> Question:
    """How many decode steps an answer takes: one less than it has tokens, because prefill already gives the first."""
    asked, n = asked_tokens(), len(s.tokens)
    passes = answer(s.model(), s.prompt_ids, asked, chosen_ids=(0,) * asked).passes
    return Question(
        "steps",
        f"An answer of **{asked} tokens** is wanted. How many **decode** steps does that take?",
        str(sum(p.n_past > 0 for p in passes)),
        f"Prefill already chooses token 1, so G tokens take G − 1 decode steps. The last one is never fed back: {n} + {asked} − 1 = "
        f"{sum(p.n_new for p in passes)} tokens pass through the model.",
        options=tuple(_counts(asked)),
        slips={str(asked): "The first of them came out of prefill, which is no decode step."},
    )


def _counts(asked: int) -> list[str]:
    """The numbers of decode steps to choose from: up to as many as the answer has tokens, and one more."""
    return [str(k) for k in range(1, asked + 2)]


@step(
    "How many steps?",
    minutes=3,
    ask="How many decode steps does an answer of that many words take?",
    wrong={
        "One for each word of the answer": "the first word comes out of prefill; only the others need a step of their own",
        "One for each token of the prompt and the answer": "a prompt’s tokens go through the model together",
    },
)
def how_many(s: Scenario, run: ForwardPass) -> None:
    """How many decode steps an answer takes: behind prefill the timeline has empty places alone until that is answered."""
    lead(
        "**Prefill** reads the prompt in one pass. Then **decode** goes on, one token a pass, until the answer is there.",
        "prefill",
        "decode",
        "autoregressive",
    )
    question = steps_question(s)
    passes = answer(s.model(), s.prompt_ids, asked_tokens(), chosen_ids=(0,) * asked_tokens()).passes
    shown = passes if question.answered else passes[:1]
    words = (*s.tokens, *(f"token {k + 1}" for k in range(len(passes))))
    said = f"{asked_tokens()} tokens: 1 prefill, {len(passes) - 1} {plural(len(passes) - 1, 'decode step')}"
    said = said if question.answered else f"{asked_tokens()} tokens: how many decode steps?"
    timeline_of(s, shown, words, "steps_timeline", 1 + len(question.options), said=(said, None))
    predict(question)


@step("All lessons", minutes=1, ask="Where do we go today, and what do we leave for home?")
def lessons(s: Scenario, run: ForwardPass) -> None:
    """What is toy here, and the way into the other lessons, which no paper has."""
    toy_and_real(s)
    if not on_paper():
        voted = may_tell("word", word_question, s, run) and np.isfinite(run.logits[-1]).all()
        lesson_map(s, run, s.words[greedy(run.logits[-1])] if voted else HIDDEN)


def toy_and_real(s: Scenario) -> None:
    """What is toy here, and what the real thing adds."""
    heads, words = len(s.rules), len(s.words)
    lead(
        "A **toy** token is a word with one number, a **real** one a piece of a word with thousands. "
        f"Here {quantity(heads, 'hand-written head')} in one layer {plural(heads, 'works', 'work')} on it, and "
        f"{quantity(words, 'word')} can come next; a real model has dozens of layers and tens of thousands of candidates, all of it "
        "learned. The two phases and the cache are the same."
    )


def part_of(lesson: str) -> str:
    """The part of the machine beneath which a lesson hangs.

    >>> [part_of(name) for name in ("rules", "cache", "prefill", "decode", "generate", "quiz")]
    ['Query', 'Key, value: the cache', 'Scores, mask, weights', 'Contexts, next word', 'Tokens, next word', 'Check yourself']
    """
    shown = SHOWS.get(lesson, ())
    return next((part for part in FIRST_ASKED if set(PARTS[part]) & set(shown)), OUTSIDE)


def lesson_map(s: Scenario, run: ForwardPass, word: str) -> None:
    """The machine and the lessons. word: that comes next, HIDDEN where that is still asked."""
    here, pages = location.now().lesson, all_lessons.of_visit().pages
    there: dict[str, dict[str, str]] = {part: {} for part in (*PARTS, OUTSIDE)}
    for name, lesson in all_lessons.of_visit().lessons.items():
        if name != here:
            there[part_of(name)][name] = lesson.on_the_map or lesson.question
    layer = run.layers[0]
    head = int(np.argmax(np.nan_to_num(layer.scores).std(axis=(1, 2))))  # the one whose scores differ most
    shown = "" if word == HIDDEN else f", “{word}”,"
    alt = (
        f"The machine, with {join(in_quotes(s.tokens))} as rows through all of its parts; the word that comes out{shown} goes back in. "
        "Beneath each part stand its lessons."
    )
    plot(machine_parts(sheet(), layer, head, s.tokens, "?" if word == HIDDEN else word), alt, "machine_parts")
    with st.container(key="lesson_map"):
        columns = st.columns(N_CLUSTERS, gap="small")
        for k, (part, lessons) in enumerate(there.items()):
            with columns[min(k, N_CLUSTERS - 1)], st.container(gap="xxsmall"):
                st.markdown(f"**{f'{k + 1} ' * (k < N_CLUSTERS)}{part}**")
                for name, question in lessons.items():
                    st.page_link(pages[name], label=pages[name].title, help=question)
