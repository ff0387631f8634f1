"""Many answers to one prompt in a pool: a lane of blocks for each, and those that all of them hold once across all lanes; while these are
asked for, a lane of the tokens of each."""

from typing import NamedTuple

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, rectangle
from pages.parts.text.format import plural

NAME = 22.0  # pixels above the blocks, for what they are about
SAID = 56.0  # pixels beneath them, for what they come to
GAP = 4.0  # pixels between two blocks
SHARED = 3.0  # pixels of the frame around a block that several hold


class Answers(NamedTuple):
    """What several answers to one prompt take: blocks if each held its own, and together, of which `shared` are held by all; held is
    None while that is asked for. guess: what the visitor said. n: how many answers; tokens: of the prompt, and of each of them."""

    name: str
    alone: int
    held: int | None = None
    shared: int = 0
    guess: float | None = None
    n: int = 4
    tokens: tuple[int, int] = (0, 0)


def many_answers(sheet: Sheet, answers: Answers, place: Box) -> None:
    """The blocks that they hold, and how many these are; until that is known the tokens that have to be held."""
    (left, top, right, bottom), colors = place, sheet.colors
    sheet.write(left, top + 11, answers.name, 15 if sheet.phone else 16, anchor="middle right")
    top += NAME
    columns = max(1, answers.alone // answers.n) if answers.held is not None else max(1, sum(answers.tokens))
    wide, step = (right - left) / columns, (bottom - SAID + GAP - top) / answers.n

    def box(column: int, first: int, last: int) -> Box:
        x0, x1 = left + column * wide, left + (column + 1) * wide - min(GAP, 0.2 * wide * sheet.wide) / sheet.wide
        return x0, top + first * step, x1, top + (last + 1) * step - GAP

    if answers.held is None:
        rows, (n_prompt, _) = range(answers.n), answers.tokens
        prompts = [box(column, row, row) for row in rows for column in range(n_prompt)]
        words = [box(column, row, row) for row in rows for column in range(n_prompt, columns)]
        cache_rows(sheet, {"kept": prompts, "new": words}, "plain")
    else:
        shared = [box(column, 0, answers.n - 1) for column in range(answers.shared)]
        own = [box(column, row, row) for column in range(answers.shared, columns) for row in range(answers.n)]
        cache_rows(sheet, {"kept": shared + own}, "worded")
        sheet.line("".join(rectangle(*edge) for edge in shared), colors.ink, SHARED, layer="above")
    blocks, held = plural(answers.held or 0, "block"), "?" if answers.held is None else f"{answers.held}"
    large_number(sheet, (left, right), bottom - 34, held, f"{blocks}, {answers.alone} without sharing")
    if answers.guess is not None:
        guess = f"your guess {answers.guess:g}" + " ✓" * (answers.guess == answers.held)
        sheet.write(left, bottom - 7, guess, 14, colors.muted, "middle right")
