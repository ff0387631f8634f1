"""Lesson 1. One prompt, two phases: what happens between Enter and the answer, and where each part of it is explained."""

from engine import generate, prefill
from engine.answer import answer
from pages.parts import overview_view, scenario
from pages.parts.lesson import lead, lesson

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)


def vote() -> None:
    lead(
        "You press Enter. A language model reads your whole prompt **at once**, then writes its answer **one word at a time**.",
        "token", "prompt", "prefill", "decode",
    )  # fmt: skip
    overview_view.ask_word(s, run)


def timeline() -> None:
    overview_view.timeline(s, run)


def ask_steps() -> None:
    overview_view.ask_steps(s)


def lessons() -> None:
    overview_view.toy_and_real(s)
    overview_view.lesson_map()


lesson(
    "What happens between Enter and the answer?",
    vote,
    timeline,
    ask_steps,
    lessons,
    source=(prefill, generate, answer),
)
