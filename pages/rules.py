"""Lesson 2. Head rules by hand: tokens, values, four rules, and what each head makes of them with nothing but averages."""

from engine.toy.article_readings import differing, other_reading
from engine.toy.by_hand import rows_by_hand
from engine.toy.empty_row_policies import treatments
from pages.lessons.rules import notebook, notes, steps, two_readings
from pages.parts.controls import toy
from pages.parts.lesson.lesson import lesson

lesson(
    "What does a head make of what it sees?",
    steps.one_token,
    steps.mixed,
    steps.nothing,
    steps.value_and_weight,
    two_readings.readings,
    given=toy.given,
    source=(rows_by_hand, treatments, other_reading, differing),
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
