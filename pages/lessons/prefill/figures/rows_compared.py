"""The contexts of all rows before and after something was done, side by side; the rows that did not stay the same are marked."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, hint, part
from pages.parts.drawing.cells import row_names, waiting
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.digits import context_text, weight
from pages.parts.text.format import number

LEFT, GAP = 0.095, 0.04  # shares of the width: the words, between the two tables
RIGHT, ONE_LINE = 0.15, 0.19  # the verdicts, in two lines and in one
VIEW, LAYER2 = 0.1, 0.085  # and what a row may look at, and what a second layer makes of it, where there is room
LINED, TWO_LINES = 46.0, 30.0  # pixels of a row that has a line beneath its numbers, and of one whose verdict may take two
LARGE = 28.0  # type size of a number that is another
MOST_HEADS, MOST_ROWS = 5, 8  # for which there is


class Table(NamedTuple):
    """The contexts of all rows: (n, n_head), none: where a head saw nothing; title: what they are, plain text.

    largest: (n, n_head) of the values that each is made of. sees: (n, n) what the mask lets each row look at; other: (n, n) the
    part of it that makes the difference; None shows neither.
    """

    contexts: np.ndarray
    none: np.ndarray
    title: str
    sees: np.ndarray | None = None
    other: np.ndarray | None = None
    largest: np.ndarray | None = None

    def text(self, i: int, h: int) -> str:
        """One context as it is written."""
        if self.none[i, h]:
            return "none"
        return context_text(self.contexts[i, h], *(() if self.largest is None else (self.largest[i, h],)))


def rows_compared(
    sheet: Sheet,
    tables: tuple[Table, Table],
    changed: np.ndarray,
    words: Sequence[str],
    heads: Sequence[str],
    height: float = 290.0,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """tables: before and after. changed: (n, n_head) True where a number is another, by more than rounding.

    asked: whether the first row, or the last, is left as it is; these two of the second table are still to be found until that is
    known.
    """
    if sheet.on_phone():
        return _narrow(sheet, tables, changed, words, heads, asked)
    colors, (n, n_head) = sheet.colors, changed.shape
    view, layer2 = (VIEW, LAYER2) if n_head <= MOST_HEADS and n <= MOST_ROWS and tables[0].sees is not None else (0.0, 0.0)
    tall = sheet.row(height, n, 15.5, 80)
    block = (1 - LEFT - (RIGHT if tall >= TWO_LINES else ONE_LINE) - GAP - 2 * view - layer2) / 2
    cell = (block / n_head, tall)
    grids = [Grid.of(LEFT + view + t * (block + GAP + view), 50.0, cell, (n, n_head)) for t in range(2)]
    room = cell[0] * sheet.wide * min(1.0, ACROSS / sheet.wide / sheet.zoom)  # pixels of a number, also when it is presented
    size = min(20.0, max(0.62 * cell[1], 12.0), cell[0] * sheet.wide / 3.4)
    before, after = (table.contexts for table in tables)
    gaps = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))  # a NaN that stays one is no change
    hidden = _hidden(n, asked)
    seen = _seen(changed, gaps) & ~hidden[:, None]
    for t, (table, grid) in enumerate(zip(tables, grids, strict=True)):
        if view:
            _views(sheet, table, grid)
        sheet.write(grid.x[0] - view, 12, bold(plain(table.title)), 15, anchor="middle right")
        for x, name in zip(grid.across, heads, strict=True):
            sheet.write(x, 36, short(name, cell[0] * sheet.wide, 13), 13, colors.muted)
        for i, h in np.ndindex(n, n_head):
            if t and hidden[i]:
                continue
            other, text = seen[i, h], table.text(i, h)
            new = t == 1 and other
            fits = min(LARGE, 0.66 * tall, 0.86 * room / (1.07 * ems(text)))  # of what changes, within its frame
            color = colors.ink if other else colors.muted
            sheet.write(grid.across[h], grid.down[i], bold(text, other), fits if new else size, color)
    label = max(12.0, min(16.0, 0.72 * cell[1]))
    row_names(sheet, LEFT - 0.012, grids[0], words, label)
    if layer2:
        _layer2(sheet, grids[0], changed.any(axis=1), hidden)
    sheet.bars(((0, y - 0.5, 1, y + 0.5) for y in grids[0].y[1:]), colors.hole)
    _wait_for(sheet, grids[1], hidden)
    for i in np.flatnonzero(~hidden):
        said = _verdict(changed[i], gaps[i], np.isnan(before[i]).sum() > np.isnan(after[i]).sum())
        _say(sheet, 1 - layer2 - 0.01 * bool(layer2), grids[0].down[i], said, tall)
    boxes = (grids[1].box(i, h) for i, h in np.argwhere(seen))
    outlines = "".join(rectangle(x0, y0 + 2, x1, y1 - 2) for x0, y0, x1, y1 in boxes)
    sheet.path(outlines or "M0,0Z", faded(colors, colors.accent, 0.12), colors.accent, 1.5)
    _answers(sheet, asked, Grid(np.array([0, grids[1].x[-1]]), grids[1].y))
    return sheet.figure(float(grids[0].y[-1]) + 6, min_width=860)


def _wait_for(sheet: Sheet, grid: Grid, hidden: np.ndarray) -> None:
    """A place for each row that is still to be found. hidden: (n,)"""
    for i in np.flatnonzero(hidden):
        x0, y0, x1, y1 = grid.row(i)
        waiting(sheet, (x0 + 0.004, y0 + 4, x1, y1 - 4), min(34.0, 0.8 * grid.tall))


def _hidden(n: int, asked: Asked) -> np.ndarray:
    """Which of n rows are still to be found: the two that are asked about, (n,)."""
    return ~np.bool_(asked.known) & np.isin(np.arange(n), (0, n - 1))


def _answers(sheet: Sheet, asked: Asked, rows: Grid) -> None:
    """The first and the last of the rows, which can be pressed; beneath the word of a row that was it says so, above low rows."""
    for k in range(len(asked.names)):
        box = rows.row(-k % len(rows.down))
        part(
            sheet,
            asked,
            k,
            box,
            (0.004, box[3] - 8, "middle right") if rows.tall >= LINED else (1, rows.y[0] - 14, "middle left"),
        )
    hint(sheet, asked, rows.x[-1], rows.y[0] - (56 if sheet.phone else 38))


def _views(sheet: Sheet, table: Table, rows: Grid) -> None:
    """Left of each row of a table what it may look at, a cell a token; what makes the difference stands out."""
    colors, n = sheet.colors, len(table.sees)
    left, wide = rows.x[0] - VIEW, (VIEW - 0.016) / n
    half = min(13.0, 0.3 * rows.tall)
    boxes = {
        (i, j): (left + j * wide, y - half, left + (j + 1) * wide - 0.0015, y + half)
        for i, y in enumerate(rows.down) for j in range(n)
    }  # fmt: skip
    sheet.write(left, 36, "may look at", 13, colors.muted, "middle right")
    for cells, color in (
        (~table.sees, colors.hole), (table.sees & ~table.other, faded(colors, colors.prefill, 0.45)),
        (table.sees & table.other, colors.accent),
    ):  # fmt: skip
        sheet.bars((boxes[i, j] for i, j in np.argwhere(cells).tolist()), color)


def _layer2(sheet: Sheet, rows: Grid, changed: np.ndarray, hidden: np.ndarray) -> None:
    """The key and the value that a next layer makes of each row: what it made before stays, an outline, or is another, filled."""
    colors, left, wide = sheet.colors, 1 - LAYER2 + 0.008, (LAYER2 - 0.008) / 2
    half = min(15.0, 0.3 * rows.tall)
    sheet.write(1, 12, "<b>in layer 2</b>", 15, anchor="middle left")
    for k, (name, color) in enumerate((("key", colors.key), ("value", colors.value))):
        x0, x1 = left + k * wide, left + (k + 1) * wide - 0.004
        sheet.write((x0 + x1) / 2, 36, name, 13, color)
        boxes = [(x0, y - half, x1, y + half) for y in rows.down]
        new = [box for box, other, open_ in zip(boxes, changed, hidden, strict=True) if other and not open_]
        if same := "".join(rectangle(*box) for box, is_ in zip(boxes, ~changed & ~hidden, strict=True) if is_):
            sheet.line(same, faded(colors, color, 0.55), 1.2)
        sheet.bars(new, color)
        for _, y0, _, y1 in new:
            sheet.write((x0 + x1) / 2, (y0 + y1) / 2, "<b>new</b>", 13, ink_on(color))


def _seen(changed: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Which numbers read as others. The leak of softmax moves numbers that read the same: the row says so, no frame does."""
    return changed & ~(gaps < 0.005)


def _narrow(
    sheet: Sheet, tables: tuple[Table, Table], changed: np.ndarray, words: Sequence[str], heads: Sequence[str], asked: Asked
) -> SheetFigure:
    """The same for a phone: one table, in which what became another number stands beneath the one that it was."""
    colors, (n, n_head), left = sheet.colors, changed.shape, 0.2
    hidden = _hidden(n, asked)
    grid = Grid.of(left, 66.0, ((1 - left) / n_head, 46.0), (n, n_head))
    room = grid.wide * sheet.wide - 4
    before, after = tables
    gaps = np.where(np.isnan(before.contexts) & np.isnan(after.contexts), 0.0, np.abs(after.contexts - before.contexts))
    seen = _seen(changed, gaps)
    sheet.write(0, 10, bold(plain(before.title)), 15, anchor="middle right")
    sheet.write(0, 30, f"beneath it <b>{plain(after.title)}</b>, where that is another number", 13, colors.accent, "middle right")
    for x, name in zip(grid.across, heads, strict=True):
        sheet.write(x, 52, short(name, room, 13), 13, colors.muted)
    for i, h in np.ndindex(n, n_head):
        texts = [t.text(i, h) for t in tables]
        size = min(16.0, room / (0.55 * max(map(len, texts))))
        two, new = hidden[i] or seen[i, h], seen[i, h] and not hidden[i]
        sheet.write(grid.across[h], grid.down[i] - 11 * two, texts[0], size, colors.ink if new else colors.muted)
        if new:
            large = max(size, min(20.0, room / (1.07 * ems(texts[1]))))
            sheet.write(grid.across[h], grid.down[i] + 10, bold(texts[1]), large, colors.accent)
    for i in np.flatnonzero(hidden):
        waiting(sheet, (left, grid.down[i] + 1, 1, grid.y[i + 1] - 3), 18)
    row_names(sheet, left - 0.02, grid, words, 15.0)
    sheet.bars(((0, y - 0.5, 1, y + 0.5) for y in grid.y[1:]), colors.hole)
    _answers(sheet, asked, Grid(np.array([0.0, 1.0]), grid.y))
    return sheet.figure(float(grid.y[-1]) + 6)


def _say(sheet: Sheet, x: float, y: float, said: tuple[str, str], tall: float) -> None:
    """A verdict, which ends at x: in two lines where the row is high enough."""
    (verdict, by), lined = said, tall >= TWO_LINES
    color, size = sheet.colors.accent if by else sheet.colors.muted, 15 if lined else min(13.0, max(12.0, 0.72 * tall))
    if by and lined:
        sheet.write(x, y - 9, verdict, size, color, "middle left")
        sheet.write(x, y + 9, by, size, color, "middle left")
    else:
        sheet.write(x, y, f"{verdict} {by}".rstrip(), size, color, "middle left")


def _verdict(changed: np.ndarray, gaps: np.ndarray, known_now: bool) -> tuple[str, str]:
    """What became of one row, and by how much, "" where it did not change. known_now: whether a NaN has become a number."""
    if not changed.any():
        return ("rounding" if gaps.any() else "identical"), ""
    if np.isnan(gaps).any():
        return "<b>changed</b>", f"{'from' if known_now else 'to'} NaN"
    least, gap = (number(g) if g >= 0.005 else weight(g) for g in (gaps[changed].min(), gaps.max()))
    return "<b>changed</b>", f"by {'' if least == gap else 'up to '}{gap}"
