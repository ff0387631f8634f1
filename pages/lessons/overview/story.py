"""The two phases as the story and a class have them: how many passes an answer takes is asked before its timeline is drawn to the end."""

from functools import partial

import streamlit as st

from engine.experiments.chosen_answer import answer
from engine.toy.scenario import Scenario
from pages.lessons.overview.request import MOST, NOT_SECONDS, USUAL, comes_to, timeline_of
from pages.parts.controls.shared_parameters import G
from pages.parts.lesson.fragments import live
from pages.parts.lesson.sentences import lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes


def passes_question(s: Scenario) -> Question:
    """How many passes an answer takes that is as long as the timeline shows at first."""
    n, passes = len(s.tokens), answer(s.model(), s.prompt_ids, USUAL, chosen_ids=(0,) * USUAL).passes
    return Question(
        "passes",
        f"How many passes does an answer of **{USUAL} words** take, reading included?",
        str(len(passes)),
        f"Word 1 comes out of the pass that reads, **prefill**; each of the other {len(passes) - 1} takes one of its own, a step of "
        "**decode**.",
        options=tuple(dict.fromkeys((*map(str, range(1, USUAL + 2)), str(n + USUAL)))),
        slips=({str(n + USUAL): "A prompt’s words go through the model together."} if n > 1 else {})
        | {
            "1": "Each word is chosen from all before it, so it must be there before the next one can be.",
            str(USUAL + 1): "The pass that reads the prompt gives the first word, too.",
        },
    )


def passes_asked(s: Scenario) -> None:
    """The timeline: behind the first pass it has empty places until it is said how many there are; then its length can be drawn."""
    in_class = (
        "A **toy model**, small enough to check by hand, takes the steps of a trained one. Both read text in **tokens**, here words. A "
        "**column** is one pass, a **row** one token."
    )
    alone = (
        "From here on mostly a **toy model**, small enough to check by hand. It **keeps** what it has computed. The pieces of text that "
        "it reads are its **tokens**, here words."
    )
    lead(alone if routes.chosen() == routes.STORY else in_class, "token", "pass", "row")
    figure, (asks, moved, said) = st.container(), st.columns([2.2, 0.5, 1.0], gap="medium")
    question = passes_question(s)
    with asks:
        predict(question)
    if question.answered:
        with figure:
            live(partial(_passes, moved), s, said=said.container(key="takeaway_request"), help=NOT_SECONDS)
        return
    run = answer(s.model(), s.prompt_ids, 1, chosen_ids=(0,)).passes
    with figure:
        wanted = (f"word {k + 1}" for k in range(USUAL))
        timeline_of(s, run, (*s.tokens, *wanted), "request_timeline", USUAL + 1)


def _passes(place, s: Scenario, *_) -> str:
    """The timeline once its question is answered, the slider of its length in its `place`, and what it comes to."""
    made = answer(s.model(), s.prompt_ids, G.value(high=MOST, default=USUAL))
    words = [s.id_words[k] for k in made.token_ids] or ["NaN"]  # without numbers prefill is all
    timeline_of(s, made.passes, (*s.tokens, *words), "request_timeline")
    with place:
        G.slider("Tokens in the answer", high=MOST, default=USUAL)
    return comes_to(s, made.passes, True)
