"""Why decode waits for memory: prefill and decode under a device's roof, batching, and one request in seconds."""

from engine.cost import operations, pass_s, tokens_per_s
from engine.cost.requests import request
from engine.cost.roofline_points import points, roof
from engine.cost.tpot_limit import served
from pages.lessons.roofline import batching, cache_or_weights, notebook, steps, waiting
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "Why does decode wait for memory?",
    (steps.roof, batching.batching, waiting.timeline, cache_or_weights.even),
    title="Why decode waits for memory",
    icon="speed",
    on_the_map="Which takes longer, computing or fetching?",
    toy=False,
    given=steps.given,
    source=(operations, points, roof, pass_s, request, tokens_per_s, served),
    notebook=notebook.cells,
)
