"""Scores, mask, softmax: what each head looks at, live."""

from engine import attention, causal_mask, softmax
from engine.toy.scenario import ToyModel
from pages.lessons.attention import notebook, softer, steps
from pages.parts.controls import toy
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "Which earlier tokens does each head look at?",
    (steps.one_head, steps.stages, steps.one_cell, softer.softer),
    title="Scores, mask, softmax",
    icon="grid_on",
    on_the_map="The same as arithmetic: scores, mask, softmax.",
    given=toy.given,
    source=(softmax, causal_mask, attention, ToyModel.forward),
    notebook=notebook.cells,
)
