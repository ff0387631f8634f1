"""Decode, one row: each new token adds one row to the matrix and touches none of the others."""

from engine import decode_step, recompute
from engine.compare import row_gaps
from engine.experiments.chosen_answer import answer
from engine.experiments.rows import rows_so_far
from pages.lessons.decode import notebook, split, steps
from pages.parts.controls.answer_position import scenario_and_position
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does one more word cost?",
    (steps.grow, split.two_ways),
    title="Decode, one row",
    icon="last_page",
    given=scenario_and_position,
    source=(decode_step, recompute, answer, rows_so_far, row_gaps),
    notebook=notebook.cells,
)
