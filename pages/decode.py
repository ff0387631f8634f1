"""Lesson 6. Decode, one row: each new token adds one row to the matrix and touches none of the others."""

from engine import decode_step, recompute
from engine.answer import answer, rows_so_far
from engine.compare import row_gaps
from pages.parts import decode_view, scenario, split_view, walk
from pages.parts.lesson import lesson

s = scenario.current()
here = walk.current(s)


def grow() -> None:
    decode_view.opening()
    walk.controls(s, here)
    decode_view.growing(s, here)


def ask_context() -> None:
    decode_view.ask_context(s, here)


def ask_old_rows() -> None:
    decode_view.ask_old_rows(s, here)


def split() -> None:
    split_view.split_view(s, here)


def ask_next_word() -> None:
    decode_view.ask_next_word(s, here)


def loop() -> None:
    decode_view.loop(s, here)


lesson(
    "What does one more word cost?",
    grow,
    ask_context,
    ask_old_rows,
    split,
    ask_next_word,
    loop,
    source=(decode_step, recompute, answer, rows_so_far, row_gaps),
)
