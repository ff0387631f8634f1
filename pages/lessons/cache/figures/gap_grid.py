"""Where what is kept would be computed otherwise: layer by layer and position by position, what changes and by how much."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number

LABEL, LABEL_ON_PHONE, TOP, FOOT = 0.19, 0.4, 34.0, 24.0  # share of the width of names; pixels above the rows and beneath them
ROOM, LOWEST, HIGHEST, ON_PHONE = 270.0, 24.0, 96.0, 44.0  # pixels of all rows, of one of them
SHOWN = 0.1  # a smaller difference has as many digits as it needs
LEAST = 12.0


class Gaps(NamedTuple):
    """gaps: (n_rows, n), how far each row is at each position from what would be computed now; rows, words: their names. asked: rows that
    are asked about, all but the newest column of them; waits: whether these are still to be found."""

    rows: Sequence[str]
    words: Sequence[str]
    gaps: np.ndarray
    asked: Sequence[int] = ()
    waits: bool = False


def gap_grid(sheet: Sheet, found: Gaps, asked: Asked = NOT_ASKED) -> SheetFigure:
    """What stays the same is grey, what changes is brown with its change; arrows say which row is made of which. asked: which of the
    rows that are asked about differ."""
    n_rows, n = found.gaps.shape
    label = LABEL_ON_PHONE if sheet.on_phone() else LABEL
    tall = ON_PHONE if sheet.phone else sheet.row(ROOM, n_rows, LOWEST, HIGHEST)
    grid = Grid.of(label, TOP, ((0.998 - label) / n, tall), (n_rows, n))
    column_names(sheet, grid, TOP - 14, found.words, 13.5 if sheet.phone else 16, newest=True)
    size = min(17.0, (label - 0.02) * sheet.wide / (1.07 * max(map(ems, found.rows))))
    for i, name in enumerate(found.rows):
        sheet.write(label - 0.012, grid.down[i], bold(name), size, anchor="middle left")
        if i:
            sheet.write(label - 0.03, float(grid.y[i]), "↓", 18, sheet.colors.muted, "middle left")
        _row(sheet, found, grid, i)
    for k, row in enumerate(found.asked):
        box = grid.columns(0, n - 1).row(row)
        if found.waits:
            sheet.frame(*box, sheet.colors.ink, 2)
        if asked != NOT_ASKED:
            answer_part(sheet, asked, k, box, (label - 0.012, grid.down[row] + 17, "middle left"))
    bottom = float(grid.y[-1])
    hint(sheet, asked, 0.998, bottom + 14)
    return sheet.figure(bottom + FOOT, min_width=0 if sheet.phone else 600)


def _row(sheet: Sheet, found: Gaps, grid: Grid, i: int) -> None:
    """One row's cells with what is written in them; one question over those that wait."""
    colors, n = sheet.colors, grid.x.size - 1
    waits = n - 1 if found.waits and i in found.asked else 0
    if waits:
        x0, y0, x1, y1 = grid.columns(0, waits).row(i)
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, "<b>the same or not?</b>", min(20.0, 0.5 * grid.tall))
    for j in range(waits, n):
        gap = float(found.gaps[i, j])
        changed = not gap <= ROUNDING  # a number that is none has changed
        fill = faded(colors, colors.wasted, 0.75) if changed else colors.hole
        x0, y0, x1, y1 = grid.box(i, j)
        sheet.bar(x0 + 1 / sheet.wide, y0 + 1, x1 - 1 / sheet.wide, y1 - 1, fill)
        said = (number(gap, 1) if gap >= SHOWN else gap_text(gap)) if changed else "same"
        size = min(
            24.0 if changed else 15.0, 0.5 * grid.tall, (grid.wide * sheet.wide - 6) / (1.9 * LETTER * max(3, len(said)) ** 0.9)
        )
        if size >= LEAST:
            sheet.write(grid.across[j], grid.down[i], bold(said, changed), size, ink_on(fill) if changed else colors.muted)
