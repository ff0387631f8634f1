"""Lesson 9. How big is the cache? Bytes of weights and cache of real models on real devices, worked out in the open."""

from engine.cost import ModelShape, both_bytes, memory_use
from engine.cost.written_out import kv_factors
from pages.parts import hardware, heads_view, memory_view, pasted, scenario
from pages.parts.hardware import DEFAULT_CONTEXT
from pages.parts.lesson import lead, lesson

toy = scenario.current()
s = hardware.setup()


def size() -> None:
    lead(
        "A cache keeps one key and one value for every token, in every layer. Multiply it out for a model that you know: the "
        "result decides how long a text and how many people fit on one machine.",
        "KV cache", "GQA", "MQA", "MHA",
    )  # fmt: skip
    hardware.model_and_device()
    hardware.tokens_and_batch("context", "Tokens in a sequence (context)", DEFAULT_CONTEXT)
    memory_view.size(s)


def ask_size() -> None:
    memory_view.formula(s)
    memory_view.ask_size(s)


def compare() -> None:
    memory_view.choose_compared(s)
    memory_view.compare(s, toy)


def heads() -> None:
    heads_view.heads(s)


def mistakes() -> None:
    heads_view.common_mistakes(s)


def your_model() -> None:
    pasted.box()
    memory_view.caveats()


lesson(
    "How big is the cache?",
    size,
    compare,
    heads,
    mistakes,
    your_model,
    ask_size,
    source=(kv_factors, ModelShape.kv_bytes, memory_use, both_bytes),
)
