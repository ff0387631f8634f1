"""Lesson 8. Counting the work: what a KV cache saves, what it does not, and why a clock disagrees with the count."""

from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.stopwatch import laps
from engine.ways import doubling
from pages.parts import counting_questions, counting_view, scenario, stopwatch_view
from pages.parts.lesson import lead, lesson

s = scenario.current()


def passes() -> None:
    lead(
        "Every pass needs the keys and values of all tokens so far. Without a cache it computes them again; with one it computes "
        "a single new pair and reads the rest.",
        "prefill", "decode", "key", "value", "query", "score", "KV cache",
    )  # fmt: skip
    counting_view.controls(s)
    counting_view.passes(s)
    counting_view.passes_takeaway(s)


def rows_without() -> None:
    counting_questions.ask_without(s)


def rows_with() -> None:
    counting_questions.ask_with(s)


def products() -> None:
    counting_questions.ask_products(s)


def baselines() -> None:
    lead("“Without a cache” can mean two things. A gain is worth as much as the baseline that it is measured against:", "query")
    counting_view.three_ways(s)


def double_rows() -> None:
    counting_questions.ask_double_rows(s)


def double_scores() -> None:
    counting_questions.ask_double_scores(s)


def growth() -> None:
    lead("How work grows shows best when the answer is doubled: ×2 is linear, ×4 a square, ×8 a cube.")
    counting_view.growth_figure(s)
    counting_view.growth_takeaway(s)


def clock() -> None:
    lead("Is a step that does less work faster by as much?")
    stopwatch_view.clock(s)


def appends() -> None:
    lead("A cache must also be kept somewhere. How it grows decides whether its old rows are copied.", "KV cache")
    counting_view.appends(s)


def copied() -> None:
    counting_questions.ask_copied(s)


lesson(
    "What does the cache save, and what not?",
    passes,
    rows_without,
    rows_with,
    products,
    baselines,
    double_rows,
    double_scores,
    growth,
    clock,
    appends,
    copied,
    source=(recomputed_counts, last_query_counts, cached_counts, doubling, laps),
)
