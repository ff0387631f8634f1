"""The contexts of all rows before and after something was done, side by side; the rows that did not stay the same are marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.cells import row_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, plain, rectangle, short
from pages.parts.text.digits import context_text, weight
from pages.parts.text.format import number

LEFT, RIGHT, GAP = 0.095, 0.15, 0.04  # shares of the width: the words, the verdicts, between the two tables


class Table(NamedTuple):
    """The contexts of all rows: (n, n_head), none: where a head saw nothing; title: what they are, plain text."""

    contexts: np.ndarray
    none: np.ndarray
    title: str


def rows_compared(
    sheet: Sheet,
    tables: tuple[Table, Table],
    changed: np.ndarray,
    words: Sequence[str],
    heads: Sequence[str],
    height: float = 290.0,
    hidden: bool = False,
) -> SheetFigure:
    """tables: before and after. changed: (n, n_head) True where a number is another, by more than rounding.

    hidden: the second table, and which rows it leaves as they are, is still to be found.
    """
    colors, (n, n_head) = sheet.colors, changed.shape
    block = (1 - LEFT - RIGHT - GAP) / 2
    cell = (block / n_head, sheet.row(height, n, 15.5, 80))
    grids = [Grid.of(LEFT + t * (block + GAP), 50.0, cell, (n, n_head)) for t in range(2)]
    size = min(20.0, max(0.62 * cell[1], 12.0), cell[0] * WIDTH / 3.4)
    before, after = (table.contexts for table in tables)
    gaps = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))  # a NaN that stays one is no change
    # The leak of softmax moves numbers that read the same: the row says so, no frame does.
    seen = changed & ~(gaps < 0.005) & ~np.bool_(hidden)
    for t, (table, grid) in enumerate(zip(tables, grids, strict=True)):
        sheet.write(grid.x[0], 12, bold(plain(table.title)), 15, anchor="middle right")
        for x, name in zip(grid.across, heads, strict=True):
            sheet.write(x, 36, short(name, cell[0] * WIDTH, 13), 13, colors.muted)
        for i, h in np.ndindex(n, n_head):
            new = t == 1 and seen[i, h]
            text = "?" if t and hidden else "none" if table.none[i, h] else context_text(table.contexts[i, h])
            color = colors.accent if new else colors.muted if text in ("none", "?") else colors.ink
            sheet.write(grid.across[h], grid.down[i], bold(text, new), size, color)
    label = max(12.0, min(16.0, 0.72 * cell[1]))
    row_names(sheet, LEFT - 0.012, grids[0], words, label)
    sheet.bars(((0, y - 0.5, 1, y + 0.5) for y in grids[0].y[1:]), colors.hole)
    for i, y in enumerate(() if hidden else grids[0].down):
        said = _verdict(changed[i], gaps[i], np.isnan(before[i]).sum() > np.isnan(after[i]).sum())
        sheet.write(1, y, said, min(15.0, label), colors.accent if changed[i].any() else colors.muted, "middle left")
    boxes = (grids[1].box(i, h) for i, h in np.argwhere(seen))
    outlines = "".join(rectangle(x0, y0 + 2, x1, y1 - 2) for x0, y0, x1, y1 in boxes)
    sheet.path(outlines or "M0,0Z", "rgba(0,0,0,0)", colors.accent, 1.5)
    return sheet.figure(float(grids[0].y[-1]) + 6, min_width=860)


def _verdict(changed: np.ndarray, gaps: np.ndarray, known_now: bool) -> str:
    """What became of one row. known_now: whether a NaN has become a number."""
    if not changed.any():
        return "rounding" if gaps.any() else "identical"
    if np.isnan(gaps).any():
        return f"<b>changed</b>, {'from' if known_now else 'to'} NaN"
    least, gap = (number(g) if g >= 0.005 else weight(g) for g in (gaps[changed].min(), gaps.max()))
    return f"<b>changed</b>, {'by' if least == gap else '≤'} {gap}"
