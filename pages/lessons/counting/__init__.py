"""Counting the work: what a KV cache saves, what it does not, what it costs, and why a clock disagrees with the count."""

from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.timing.one_step import timed_lengths
from engine.work.baselines import doubling
from pages.lessons.counting import costs, in_short, notebook, steps, stopwatch
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does the cache save, and what not?",
    (steps.passes, steps.baselines, steps.growth, stopwatch.clock, costs.costs, in_short.six),
    title="Counting the work",
    icon="calculate",
    on_the_map="What the cache saves, and what it does not.",
    given=steps.given,
    source=(recomputed_counts, last_query_counts, cached_counts, doubling, timed_lengths),
    notebook=notebook.cells,
)
