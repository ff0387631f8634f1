"""How big is the cache? Bytes of parameters and cache of real models on real devices, worked out in the open."""

from engine.cost import ModelShape, estimated_s, memory_use, sizing
from engine.cost.multiplication import kv_factors
from pages.lessons.memory import desk, heads, notebook, other_models, steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How big is the cache?",
    (desk.size, other_models.compare, heads.heads),
    title="How big is the cache?",
    icon="memory",
    on_the_map="Any model on any device: how many users, TTFT, TPOT, price.",
    toy=False,
    given=steps.given,
    source=(kv_factors, ModelShape.kv_bytes, memory_use, sizing, estimated_s),
    notebook=notebook.cells,
)
