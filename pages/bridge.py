"""Lesson 11. The bridge: the toy's counts, a trained model's times and a real model's estimate, in the same symbols."""

from engine.answer_clock import time_answer
from engine.cost import end_to_end_s
from engine.cost.request import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from pages.parts import bridge_view, hardware, implications_view, scenario
from pages.parts.lesson import lead, lesson

toy = scenario.current()
n_prompt, n_generated = hardware.prompt_and_answer()
s = hardware.setup(n_tokens=n_prompt)


def side_by_side() -> None:
    lead(
        "The toy counts rows; a real model pays for them in bytes and seconds, by the same formulas. "
        "Read one line across: same symbol, three machines.",
        "KV cache", "TTFT", "TPOT",
    )  # fmt: skip
    bridge_view.controls()
    bridge_view.table(s, toy, n_generated)


def implications() -> None:
    watts, price = implications_view.typed_figures()
    implications_view.implications(s, n_generated, watts, price)


def ask_rows() -> None:
    bridge_view.ask_rows(s, n_generated)


lesson(
    "What carries over from four tokens to real models?",
    side_by_side,
    implications,
    ask_rows,
    source=(cached_counts, recomputed_counts, time_answer, request, recomputed_s, end_to_end_s),
)
