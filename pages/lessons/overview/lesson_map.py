"""The lessons by the part of the machine that they are about: the machine drawn large, and beneath each part the links to its lessons."""

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.scenario import Scenario
from pages.lessons.overview.figures.machine_parts import N_CLUSTERS, machine_parts
from pages.lessons.overview.figures.request_timeline import HIDDEN
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.small_machine import SHOWS
from pages.parts.text.format import join
from pages.parts.text.toy_names import in_quotes
from pages.parts.visit import all_lessons, location

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
