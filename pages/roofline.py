"""Lesson 10. Why decode waits for memory: prefill and decode under a device's roof, batching, and one request in seconds."""

from engine.cost import operations, pass_s, tokens_per_s
from engine.cost.points import points, roof
from engine.cost.request import request
from pages.parts import batching_view, hardware, roofline_view, scenario, waiting_view
from pages.parts.lesson import lead, lesson

scenario.current()
n_prompt, n_generated = hardware.prompt_and_answer()
s = hardware.setup(n_tokens=n_prompt)


def under_the_roof() -> None:
    lead(
        "A device can do so many operations a second, and fetch so many bytes a second. Whichever takes longer is what one "
        "waits for: prefill uses each weight for every token of the prompt, decode fetches all weights for one.",
        "prefill", "decode", "TTFT", "TPOT",
    )  # fmt: skip
    roofline_view.prompt_controls()
    roofline_view.roof(s)


def every_operation() -> None:
    roofline_view.operation_table(s)


def two_intensities() -> None:
    roofline_view.intensity(s)


def ask_batch() -> None:
    batching_view.ask_batch(s)


def batching() -> None:
    batching_view.batching(s)


def ask_end_to_end() -> None:
    waiting_view.ask_end_to_end(n_generated)


def one_request() -> None:
    hardware.token_slider("g", "Tokens generated (G)", hardware.DEFAULT_GENERATED, hardware.MOST_GENERATED)
    waiting_view.timeline(s, n_generated)


def a_bound() -> None:
    waiting_view.measured(s)


def ask_even() -> None:
    roofline_view.ask_even(s)


lesson(
    "Why does decode wait for memory?",
    under_the_roof,
    every_operation,
    two_intensities,
    ask_batch,
    batching,
    ask_end_to_end,
    one_request,
    a_bound,
    ask_even,
    source=(operations, points, roof, pass_s, request, tokens_per_s),
)
