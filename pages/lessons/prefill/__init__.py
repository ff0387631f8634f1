"""All at once: why a whole prompt can be read in one pass, what that saves and what it does not."""

from engine import chunked_prefill, prefill
from engine.compare import largest_gap
from engine.work.prompt_chunks import prompt_work
from pages.lessons.prefill import future, notebook, steps
from pages.parts.controls import toy
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How can a whole prompt be read in one pass?",
    (steps.three_ways, steps.long_prompt, future.future, future.without_mask),
    title="All at once",
    icon="bolt",
    given=toy.given,
    source=(prefill, chunked_prefill, prompt_work, largest_gap),
    notebook=notebook.cells,
)
