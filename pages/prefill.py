"""Lesson 4. All at once: why a whole prompt can be read in one pass, what that saves and what it does not."""

from engine import chunked_prefill, prefill
from engine.chunks import prompt_work
from engine.compare import largest_gap
from pages.parts import future_view, prefill_view, scenario
from pages.parts.lesson import lead, lesson

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)


def fill() -> None:
    lead(
        "The whole prompt is known before the model starts, so no row of attention has to wait for the row above it. "
        "Press Play: the same triangle, filled one token at a time, in chunks, and in one pass.",
        "prefill", "weight", "context", "logit",
    )  # fmt: skip
    prefill_view.three_ways(s, run)


def ask_products() -> None:
    prefill_view.ask_products(s, run)


def long_prompt() -> None:
    prefill_view.long_prompt(s)


def future() -> None:
    future_view.future(s, run)
    prefill_view.caveats(run)


def ask_mask() -> None:
    future_view.ask_mask(s)


lesson(
    "How can a whole prompt be read in one pass?",
    fill,
    ask_products,
    long_prompt,
    future,
    ask_mask,
    source=(prefill, chunked_prefill, prompt_work, largest_gap),
)
