"""Guess ahead: what a draft guesses, what stays of it and what is taken back, and at which batch it stops being faster."""

from engine.serving.guess_ahead import check_cost, speed_ups
from engine.speculative import PromptLookup, check, expected_tokens, generate, residual, speed_up
from pages.lessons.guess import notebook, pays, state, steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "Can one pass write several words?",
    (steps.guesses, pays.pays),
    title="Guess ahead",
    icon="fast_forward",
    on_the_map="When is it faster to guess, and when slower?",
    toy=False,
    given=state.given,
    source=(PromptLookup, generate, check, residual, expected_tokens, speed_up, check_cost, speed_ups),
    notebook=notebook.cells,
)
