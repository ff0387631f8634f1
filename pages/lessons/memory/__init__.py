"""Lesson 11. How big is the cache? Bytes of weights and cache of real models on real devices, worked out in the open."""

from engine.cost import ModelShape, both_bytes, memory_use
from engine.cost.multiplication import kv_factors
from pages.lessons.memory import heads, notebook, other_models, steps
from pages.parts.lesson.lesson import BEYOND, Lesson

LESSON = Lesson(
    "How big is the cache?",
    (steps.size, other_models.compare, heads.heads, heads.common_mistakes, steps.your_model),
    title="How big is the cache?",
    icon="memory",
    part=BEYOND,
    on_the_map="Bytes of real models on real devices.",
    given=steps.given,
    source=(kv_factors, ModelShape.kv_bytes, memory_use, both_bytes),
    notebook=notebook.cells,
)
