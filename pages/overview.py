"""Lesson 1. One prompt, two phases: what happens between Enter and the answer, and where each part of it is explained."""

from engine import generate, prefill
from engine.experiments.chosen_answer import answer
from pages.lessons.overview import notebook, notes, steps
from pages.parts.controls import toy
from pages.parts.lesson.lesson import lesson

lesson(
    "What happens between Enter and the answer?",
    steps.timeline,
    steps.how_many,
    steps.lessons,
    given=toy.given,
    source=(prefill, generate, answer),
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
