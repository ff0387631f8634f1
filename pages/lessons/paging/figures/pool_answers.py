"""Many answers to one prompt in a pool: a row of blocks for each, and those that all of them hold once."""

from typing import NamedTuple

from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, rectangle
from pages.parts.text.format import quantity

LEFT, WIDEST, MOST, LINE, GAP = (
    0.3,
    52.0,
    0.36,
    15.0,
    3.0,
)  # of the width before them, pixels of one, share of all; a row, between two
SHARED = 3.0  # pixels of the frame around a block that several hold


class Answers(NamedTuple):
    """What several answers to one prompt take: blocks if each held its own, and together, of which `shared` are held by all; held is
    None while that is asked for. guess: what the visitor said. n: how many answers."""

    name: str
    alone: int
    held: int | None = None
    shared: int = 0
    guess: float | None = None
    n: int = 4


def many_answers(sheet: Sheet, answers: Answers, top: float) -> float:
    """An outline of each block while their number is asked for, and what it would be without sharing. Returns where it ends."""
    phone, colors = sheet.phone, sheet.colors
    sheet.bar(0, top, 1, top + 1, colors.line)
    left, y = (0.0, top + 40) if phone else (LEFT, top + 14)
    for k, line in enumerate([answers.name] if phone else answers.name.split(", ")):
        sheet.write(0, top + 24 + 21 * k, line, 15 if phone else 16, anchor="middle right")
    columns = max(1, answers.alone // answers.n)
    wide, step = min(WIDEST / sheet.wide, MOST / columns), LINE + GAP

    def box(column: int, first: int, last: int) -> tuple[float, float, float, float]:
        x = left + column * wide + 0.001
        return x, y + first * step, x + wide - min(4.0, 0.2 * wide * sheet.wide) / sheet.wide, y + last * step + LINE

    ends, rows = left + columns * wide + 16 / sheet.wide, range(answers.n)
    bottom = y + answers.n * step
    if answers.held is None:
        outlines = [box(column, row, row) for column in range(columns) for row in rows]
        sheet.bars(outlines, colors.hole)
        sheet.line("".join(rectangle(*outline) for outline in outlines), colors.muted, 1)
        sheet.write(ends, (y + bottom) / 2, f"<b>?</b> of {answers.alone}", 22 if phone else 28, anchor="middle right")
        return bottom + 6
    shared = [box(column, 0, answers.n - 1) for column in range(answers.shared)]
    own = [box(column, row, row) for column in range(answers.shared, columns) for row in rows]
    cache_rows(sheet, {"kept": shared + own}, "lying")
    sheet.line("".join(rectangle(*edge) for edge in shared), colors.ink, SHARED, layer="above")
    size, middle = (18, 13) if phone else (22, 15)
    said = f"<b>{quantity(answers.held, 'block')}</b>"
    guess = "" if answers.guess is None else f", your guess {answers.guess:g}" + " ✓" * (answers.guess == answers.held)
    sheet.write(ends, (y + bottom) / 2 - 13, said, size, anchor="middle right")
    sheet.write(ends, (y + bottom) / 2 + 13, f"{answers.alone} without sharing{guess}", middle, colors.muted, "middle right")
    return bottom + 6
