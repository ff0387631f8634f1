"""Keep less: windows, sinks, heavy hitters and fewer bits on one prompt, what they keep and what they change."""

from engine.caches import HeavyHitterCache, QuantisedCache, WindowCache, pass_error
from engine.experiments.kept_less import measured
from pages.lessons.less import notebook, probe, steps, trained
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What if the cache keeps less?",
    (steps.toy, trained.trained, probe.first_tokens, probe.fewer_bits),
    title="Keep less",
    icon="compress",
    given=steps.given,
    source=(WindowCache, HeavyHitterCache, QuantisedCache, pass_error, measured),
    notebook=notebook.cells,
)
