"""Why look back: a trained model takes a word from a sentence before, and computes all words anew for each next one."""

from engine import prefill
from engine.decode import recompute
from pages.lessons.why import heads, notebook, steps, waste
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "Why does a model look back?",
    (steps.which_word, waste.waste, heads.trained_heads),
    title="Why look back",
    icon="undo",
    given=steps.given,
    source=(prefill, recompute),
    toy=False,
    notebook=notebook.cells,
)
