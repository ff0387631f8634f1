"""Lesson 13. The bridge: the toy's counts, a trained model's times and a real model's estimate, in the same symbols."""

from engine.cost import end_to_end_s
from engine.cost.requests import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from engine.timing.one_answer import time_answer
from pages.lessons.bridge import implications, notebook, steps
from pages.parts.lesson.lesson import BEYOND, Lesson

LESSON = Lesson(
    "What carries over to real models?",
    (steps.table, implications.implications),
    title="The bridge",
    icon="conversion_path",
    part=BEYOND,
    on_the_map="What carries over from four tokens to real models?",
    given=steps.given,
    source=(cached_counts, recomputed_counts, time_answer, request, recomputed_s, end_to_end_s),
    notebook=notebook.cells,
)
