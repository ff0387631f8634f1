"""Head rules by hand: tokens, values, four rules, and what each head makes of them with nothing but averages."""

from engine.toy.by_hand import rows_by_hand
from engine.toy.empty_row_policies import treatments
from pages.lessons.rules import notebook, steps, value_and_weight
from pages.parts.controls import toy
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does a head make of what it sees?",
    (steps.one_token, steps.mixed, steps.finds_nothing, value_and_weight.value_and_weight),
    title="Head rules by hand",
    icon="rule",
    on_the_map="What does a head make of what it sees? By hand.",
    given=toy.given,
    source=(rows_by_hand, treatments),
    notebook=notebook.cells,
)
