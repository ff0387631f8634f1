"""One prompt, two phases: what happens between Enter and the answer, and where each part of it is explained."""

from engine import generate, prefill
from engine.experiments.chosen_answer import answer
from pages.lessons.overview import notebook, steps
from pages.parts.controls import toy
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What happens between Enter and the answer?",
    (steps.timeline, steps.how_many, steps.lessons),
    title="One prompt, two phases",
    icon="flag",
    given=toy.given,
    source=(prefill, generate, answer),
    notebook=notebook.cells,
)
