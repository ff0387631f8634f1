"""A row that matches nothing: the keys that were tried, and of which values the context would be made in each way to go on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import value_cells
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.format import entered

LEFT, RIGHT, RIGHT_ON_PHONE, NUMBER = (
    0.27,
    0.8,
    0.7,
    0.07,
)  # shares of the width: where cells begin and end, from there to a context
HEAD, ROOM, APART, PHONE_ROW, LABEL = 54.0, 284.0, 34.0, 30.0, 20.0  # pixels: of words, of all rows, before what may come out
LEAST = 13.0


class Outcome(NamedTuple):
    """What may come out. option: as the question has it; context: the number; taken: of which values it is an average, from 0."""

    option: str
    context: str
    taken: tuple[int, ...]


class Tried(NamedTuple):
    """The row that asks, from 0, the tokens' values, and the places of those that it may see."""

    row: int
    values: Sequence[float]
    visible: Sequence[int]


def no_match(
    sheet: Sheet, tried: Tried, words: Sequence[str], outcomes: Sequence[Outcome], asked: Asked = NOT_ASKED, right: int = 0
) -> SheetFigure:
    """outcomes: one of which, `right`, comes out; each is a row that is pressed as an answer."""
    phone, n = sheet.on_phone(), len(words)
    left, end = (0.0, RIGHT_ON_PHONE) if phone else (LEFT, RIGHT)
    label = LABEL * phone
    tall = PHONE_ROW if phone else sheet.row(ROOM - APART, len(outcomes) + 1, 24, 76)
    cell = (end - left) / n, tall
    grid = Grid.of(left, HEAD, cell, (1, n))
    _keys(sheet, tried, grid, words)
    top = float(grid.y[-1]) + APART
    sheet.write(end + NUMBER, top - 14, "<b>context</b>", 14 if phone else 17, anchor="middle right")
    sheet.write(left, top - 14, "<b>value</b>", 14 if phone else 17, sheet.colors.value, "middle right")
    for k, outcome in enumerate(outcomes):
        y = top + k * (tall + label + 6) + label
        _outcome(sheet, tried, outcome, Grid.of(left, y, cell, (1, n)), (asked.known, k == right))
        if asked.names:
            part(sheet, asked, k, (0.0, y - label, 1.0, y + tall), (6 / sheet.wide, y + tall - 12, "middle right"))
    return sheet.figure(y + tall + 8, min_width=0 if phone else 720)


def _keys(sheet: Sheet, tried: Tried, grid: Grid, words: Sequence[str]) -> None:
    """Each token with its place, and whether its key matches: none does, of those that may be seen."""
    colors, pixels, seen = sheet.colors, grid.wide * sheet.wide, set(tried.visible)
    if not sheet.phone:
        name = short(words[tried.row], (LEFT - 0.02) * sheet.wide - 60, 17)
        sheet.write(LEFT - 0.02, grid.down[0], f"<b>“{name}” asks</b>", 17, colors.prefill, "middle left")
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        if pixels >= 30 or j % 4 == 0:
            sheet.write(x, HEAD - 34, str(j + 1), LEAST, colors.muted)
        if pixels >= 30:
            size = 17.0 if pixels > 70 else LEAST
            ink = colors.prefill if j == tried.row else colors.ink
            sheet.write(x, HEAD - 13, bold(short(word, pixels - 4, size), j == tried.row), size, ink)
        fill = colors.scores[1] if j in seen else colors.hole
        x0, y0, x1, y1 = grid.box(0, j)
        sheet.bar(x0 + 1 / sheet.wide, y0, x1 - 1 / sheet.wide, y1, fill)
        if pixels > 64:
            said, size = ("no match", 17.0) if j in seen else ("hidden", 15.0)
            sheet.write(x, grid.down[0], said, size, ink_on(fill) if j in seen else colors.muted)


def _outcome(sheet: Sheet, tried: Tried, outcome: Outcome, grid: Grid, told: tuple[bool, bool]) -> None:
    """One way to go on: the values that it takes in colour, the others as outlines. told: whether it is known, and whether it is this."""
    colors, phone, (known, right) = sheet.colors, sheet.phone, told
    strong = right or not known
    sizes, _ = value_cells(colors, np.array(tried.values, float))
    left, size = [j for j in range(len(sizes)) if j not in outcome.taken], 14 if phone else 16
    why = plain(outcome.option.split(": ")[-1])
    at = (0.0, float(grid.y[0]) - 11, "middle right") if phone else (LEFT - 0.02, float(grid.down[0]), "middle left")
    fits = size if phone else min(size, (LEFT - 0.02) * sheet.wide / ems(why))
    sheet.write(at[0], at[1], bold(why, known and right), max(LEAST, fits), colors.ink if strong else colors.muted, at[2])
    boxes = [(x0 + 2 / sheet.wide, y0, x1 - 2 / sheet.wide, y1) for x0, y0, x1, y1 in (grid.box(0, j) for j in range(len(sizes)))]
    sheet.line("".join(rectangle(*boxes[j]) for j in left) or "M0,0Z", colors.bar, 1.2, "dash")
    for j in outcome.taken:
        fill = faded(colors, colors.value, (0.25 + 0.5 * float(sizes[j])) * (1 if strong else 0.4))
        sheet.bar(*boxes[j], fill)
        number = entered(tried.values[j])
        if ems(number) * LEAST < grid.wide * sheet.wide - 6:
            sheet.write(grid.across[j], grid.down[0], bold(number), 17 if grid.wide * sheet.wide > 60 else LEAST, ink_on(fill))
    x = float(grid.x[-1]) + NUMBER
    sheet.write(x - NUMBER / 2, grid.down[0], "→", 18, colors.muted)
    text = f"{outcome.context}{'?' * (not known)}"
    large_number(sheet, (x, 1.0), float(grid.down[0]), text, color="" if strong else colors.muted)
