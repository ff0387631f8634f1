"""Build the KV cache row by row, compare it with a run that keeps nothing, then break it in four ways."""

from engine import KVCache, decode_step, recompute
from engine.compare import last_row_gaps
from engine.experiments.broken_caches import shifted, stale_key
from engine.experiments.random_model import StackModel
from pages.lessons.cache import broken_caches, notebook, steps, two_runs
from pages.parts.controls.answer_position import scenario_and_position
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What may be kept, and when is it still true?",
    (
        steps.keep,
        steps.build,
        two_runs.compare,
        broken_caches.depth,
        broken_caches.shift,
        steps.in_motion,
        broken_caches.last_token,
    ),
    title="Build the cache, break it",
    icon="inventory_2",
    on_the_map="What is kept, why it stays true, and how to break it.",
    given=scenario_and_position,
    source=(KVCache, decode_step, recompute, last_row_gaps, stale_key, shifted, StackModel),
    notebook=notebook.cells,
)
