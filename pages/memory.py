"""Lesson 11. How big is the cache? Bytes of weights and cache of real models on real devices, worked out in the open."""

from engine.cost import ModelShape, both_bytes, memory_use
from engine.cost.multiplication import kv_factors
from pages.lessons.memory import heads, notebook, notes, other_models, steps
from pages.parts.lesson.lesson import lesson

lesson(
    "How big is the cache?",
    steps.size,
    other_models.compare,
    heads.heads,
    heads.common_mistakes,
    steps.your_model,
    given=steps.given,
    source=(kv_factors, ModelShape.kv_bytes, memory_use, both_bytes),
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
