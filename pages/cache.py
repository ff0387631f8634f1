"""Lesson 7. Build the KV cache row by row, compare it with a run that keeps nothing, then break it in four ways."""

from engine import KVCache, decode_step, recompute
from engine.broken import shifted, stale_key
from engine.compare import last_row_gaps
from engine.stack import StackModel
from pages.parts import broken_view, cache_view, scenario, walk
from pages.parts.lesson import lesson

s = scenario.current()
here = walk.current(s)


def ask_kept() -> None:
    cache_view.opening()
    cache_view.ask_kept(here)


def build() -> None:
    walk.stepper(here)
    cache_view.build(s, here)


def ask_rows() -> None:
    cache_view.ask_rows(s, here)


def compare() -> None:
    cache_view.compare(s, here)


def ask_stale() -> None:
    broken_view.ask_stale(s, here)


def stale() -> None:
    broken_view.stale(s, here)


def shift() -> None:
    broken_view.shift(s, here)


def ask_depth() -> None:
    broken_view.ask_depth(s, here)


def depth() -> None:
    broken_view.depth(s, here)


lesson(
    "What may be kept, and when is it still true?",
    ask_kept,
    build,
    ask_rows,
    compare,
    ask_stale,
    stale,
    shift,
    ask_depth,
    depth,
    source=(KVCache, decode_step, recompute, last_row_gaps, stale_key, shifted, StackModel),
)
