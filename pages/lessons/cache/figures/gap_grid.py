"""Where what is kept would be computed otherwise: layer by layer and position by position the rows, and over each that would change a
bar of how much, all on one scale."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number

LABEL, LABEL_ON_PHONE, TOP, FOOT = 0.19, 0.06, 34.0, 24.0  # share of the width of names; pixels above the rows and beneath them
ROOM, LOWEST, HIGHEST, ON_PHONE = 246.0, 24.0, 100.0, 88.0  # pixels of all rows, of one of them
NAMED = 18.0  # of them on a phone, where a row's name stands in it, above its bars
STRIP, WRITTEN, ON_PHONE_WRITTEN = 0.27, 34.0, 24.0  # of a row are its keys and values; pixels of a number above its bar
STRIP_ON_PHONE = 0.32
THIN = 0.46  # of a cell is as wide as a bar
SHOWN = 0.1  # a smaller difference has as many digits as it needs
LEAST = 12.0
SCALE, SCALE_ON_PHONE = "bars: off by, at most", "bars: off by"


class Gaps(NamedTuple):
    """gaps: (n_rows, n), how far each row is at each position from what would be computed now; rows, words: their names. kept: rows of
    keys and values, all but whose newest column is asked about; waits: whether these are still to be found. says: what changes, in few
    words."""

    rows: Sequence[str]
    words: Sequence[str]
    gaps: np.ndarray
    kept: Sequence[int] = ()
    waits: bool = False
    says: str = ""


def gap_grid(sheet: Sheet, found: Gaps, asked: Asked = NOT_ASKED) -> SheetFigure:
    """Kept rows have the look of keys and values, the newest one that of a new row; over what changes stands a bar. asked: which of the
    kept rows differ."""
    n_rows, n = found.gaps.shape
    label = LABEL_ON_PHONE if sheet.on_phone() else LABEL
    tall = ON_PHONE if sheet.phone else sheet.row(ROOM, n_rows, LOWEST, HIGHEST)
    grid = Grid.of(label, TOP, ((0.998 - label) / n, tall), (n_rows, n))
    column_names(sheet, grid, TOP - 14, found.words, 13.5 if sheet.phone else 16, newest=True)
    if not sheet.phone:
        sheet.write(label - 0.012, TOP - 14, SCALE, 13, sheet.colors.muted, "middle left")
    size = min(17.0, (label - 0.02) * sheet.wide / (1.07 * max(map(ems, found.rows))))
    for i, name in enumerate(found.rows):
        if sheet.phone:
            said = f"{bold(name)}{f', {SCALE_ON_PHONE}' * (i == min(1, n_rows - 1))}"
            sheet.write(label + 0.01, float(grid.y[i]) + 11, said, 14, anchor="middle right")
        else:
            middle = (_strip(sheet, grid, i) + float(grid.y[i + 1]) - 3) / 2
            sheet.write(label - 0.012, middle, bold(name), size, anchor="middle left")
        if i:
            sheet.write(
                label - (0.015 if sheet.phone else 0.03), float(grid.y[i]) + 4, "↓", 18, sheet.colors.muted, "middle left"
            )
        _row(sheet, found, grid, i)
    for k, row in enumerate(found.kept):
        x0, y0, x1, y1 = grid.columns(0, n - 1).row(row)
        box = x0, y0 + 3 * (not sheet.phone), x1, y1
        if found.waits:
            sheet.frame(*box, sheet.colors.ink, 2)
        if asked != NOT_ASKED:
            beside = (label - 0.012, _strip(sheet, grid, row) - 14)
            beside = (grid.x[n - 1] - 0.012, float(grid.y[row]) + 11) if sheet.phone else beside
            answer_part(sheet, asked, k, box, (*beside, "middle left"))
    bottom = float(grid.y[-1])
    hint(sheet, asked, 0.998, bottom + 14)
    return under_headline(sheet, found.says).figure(bottom + FOOT, min_width=0 if sheet.phone else 600)


def _strip(sheet: Sheet, grid: Grid, i: int) -> float:
    """Where a row's keys and values begin: its bars stand on them."""
    return float(grid.y[i + 1]) - (STRIP_ON_PHONE if sheet.phone else STRIP) * grid.tall - 3


def _row(sheet: Sheet, found: Gaps, grid: Grid, i: int) -> None:
    """What a row keeps, or what is made of it, and the bars over it; over those that wait one question."""
    n, y = grid.x.size - 1, _strip(sheet, grid, i)
    kinds: dict[str, list] = {}
    for j in range(n):
        kind = "new" if j == n - 1 else "kept" if i in found.kept else "reserved"
        x0, _, x1, y1 = grid.box(i, j)
        kinds.setdefault(kind, []).append((x0 + 1 / sheet.wide, y, x1 - 1 / sheet.wide, y1 - 3))
    cache_rows(sheet, kinds, "lying")
    waits = n - 1 if found.waits and i in found.kept else 0
    if waits:
        x = (float(grid.x[0]) + float(grid.x[waits])) / 2
        sheet.write(x, (float(grid.y[i]) + NAMED * sheet.phone + y) / 2, "<b>the same or not?</b>", min(22.0, 0.36 * grid.tall))
    known = found.gaps[:, :-1] if not found.waits else np.delete(found.gaps, found.kept, axis=0)
    most = float(np.max(known, where=np.isfinite(known), initial=0.0))
    _bars(sheet, found.gaps[i], (grid, i), waits, max(most, float(found.gaps[i, -1])) if most <= ROUNDING else most)


def _bars(sheet: Sheet, gaps: np.ndarray, at: tuple[Grid, int], waits: int, most: float) -> None:
    """Over each position from `waits` on a bar as high as what it is off by, `most` of the highest; a number that is none is as high."""
    (grid, i), colors = at, sheet.colors
    y, written = _strip(sheet, grid, i), ON_PHONE_WRITTEN + NAMED if sheet.phone else WRITTEN
    room = y - float(grid.y[i]) - written
    changed = ~(gaps[waits:] <= ROUNDING)
    if changed.any() and room > 12 and most > ROUNDING:
        step = nice_step(most, 2)
        for k in range(1, int(most / step * (1 + 1e-9)) + 1):
            line = y - k * step / most * room
            sheet.bar(grid.x[waits], line - 0.5, grid.x[-1], line + 0.5, colors.hole)
            if k * step * 2 > most:
                sheet.write(grid.x[0] - 0.012, line, number(k * step, 3), 13, colors.muted, "middle left")
    boxes, thin = [], THIN * grid.wide / 2
    for j in range(waits, len(gaps)):
        gap, x = float(gaps[j]), float(grid.across[j])
        real = not gap <= ROUNDING
        high = (min(1.0, gap / most) if np.isfinite(gap) and most else 1.0) * max(room, 3.0) if real else 0.0
        boxes += [(x - thin, y - high, x + thin, y)] if real else []
        said = (number(gap, 1) if SHOWN <= gap < np.inf else gap_text(gap)) if real else "same"
        size = min(
            20.0 if real else 15.0, 0.2 * grid.tall if sheet.phone else 20.0, (grid.wide * sheet.wide - 4) / (1.12 * ems(said))
        )
        if size >= LEAST:
            sheet.write(x, y - high - 11, bold(said, real), size, colors.ink if real else colors.muted)
    sheet.bars(boxes, colors.wasted)
