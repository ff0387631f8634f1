"""Generate, on the clock: one answer behind a cache and without, timed, compared, its cache as it fills."""

from engine import KVCache, decode_step, recompute
from engine.timing.both_ways import BothWays
from pages.lessons.generate import compared, notebook, run, settings, steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does the cache save, on the clock?",
    (settings.clock, compared.same, steps.filling, compared.layers),
    title="Generate, on the clock",
    icon="timer",
    given=run.given,
    source=(BothWays, KVCache, decode_step, recompute),
    toy=False,
    notebook=notebook.cells,
)
