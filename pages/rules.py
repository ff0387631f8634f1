"""Lesson 2. Head rules by hand: tokens, values, four rules, and what each head makes of them with nothing but averages."""

from engine import prefill
from engine.by_hand import looks
from engine.readings import differing, other_reading
from engine.treatments import treatments
from pages.parts import rules_view, scenario
from pages.parts.lesson import lead, lesson
from pages.parts.look import presenting

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)


def by_hand() -> None:
    if not presenting():
        lead(
            "Each token brings a number, its **value**. Each head has a **rule** for which tokens it looks at, and averages "
            "their values: the result is its **context** for that token.",
            "token", "value", "head", "context", "causal",
        )  # fmt: skip
    token = rules_view.controls(s)
    rules_view.looking(s, run, token)


def ask_context() -> None:
    rules_view.ask_context(s)


def ask_empty() -> None:
    rules_view.ask_empty(s)


def empty_row() -> None:
    rules_view.empty_row(s)


def ask_weight() -> None:
    rules_view.ask_weight(s, run)


def readings() -> None:
    rules_view.readings(s, run)
    rules_view.caveats()


lesson(
    "What does a head make of what it sees?",
    by_hand,
    ask_context,
    ask_empty,
    empty_row,
    ask_weight,
    readings,
    source=(looks, treatments, other_reading, differing),
)
