"""The contexts of every head at every position, in two readings of the rules side by side; cells that differ are outlined."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, plain, short
from pages.parts.text.digits import context_of

NAMES, GAP = 0.095, 0.035  # shares of the width: the heads' names of each table, between two tables


class Reading(NamedTuple):
    """One reading of the rules: its contexts, the heads' names, its own name and rule."""

    layer: Attention
    heads: Sequence[str]
    name: str
    rule: str


def context_tables(
    sheet: Sheet, readings: Sequence[Reading], differ: np.ndarray, words: Sequence[str], hidden: np.ndarray | None = None
) -> SheetFigure:
    """differ: (n_head, n) the cells to mark; hidden: those still to be found.

    Up to eight positions stand side by side, more beneath each other.
    """
    n_head, n = differ.shape
    beside = n <= 8
    width = (1 - GAP) / 2 if beside else 1.0
    cell = ((width - NAMES - 0.004) / n, sheet.row(184, n_head, 22, 42) if beside else sheet.row(136, n_head, 17, 42))
    size = max(12.0, min(18.0, (0.55 if beside else 0.68) * cell[1], cell[0] * WIDTH / (5.2 * LETTER)))
    head = 76 if beside else 54  # stacked, the rule has room behind the name
    height = head + n_head * cell[1]
    for t, reading in enumerate(readings):
        x0, y0 = (t * (width + GAP), 0.0) if beside else (0.0, t * (height + 22))
        grid = Grid.of(x0 + NAMES, y0 + head, cell, (n_head, n))
        _headings(sheet, reading, (x0, y0, x0 + width), words, grid)
        for h, i in np.ndindex(n_head, n):
            none, open_ = bool(reading.layer.empty[h, i]), hidden is not None and hidden[h, i]
            text = "?" if open_ else plain(context_of(reading.layer, h, i))
            color = sheet.colors.muted if none or open_ else sheet.colors.ink
            sheet.write(grid.across[i], grid.down[h], bold(text, differ[h, i]), size, color)
        for h, i in np.argwhere(differ):
            left, top, right, bottom = grid.box(h, i)
            sheet.frame(left + 0.002, top + 2, right - 0.002, bottom - 2, sheet.colors.ink, 2)
    return sheet.figure(height + 6 if beside else 2 * height + 28, min_width=680)


def _headings(sheet: Sheet, reading: Reading, place: tuple[float, float, float], words: Sequence[str], grid: Grid) -> None:
    """The table's name and rule, the words above its columns, and the heads' names between thin lines. place: left, top, right."""
    colors, (x0, y0, x1), beside = sheet.colors, place, len(words) <= 8
    below = (x0, 32) if beside else (x0 + 0.31, 10)
    for x, y, text, strong in ((x0, 10, reading.name, True), (*below, reading.rule, False)):
        size = 15 if strong else 13.5
        color = colors.ink if strong else colors.muted
        sheet.write(x, y0 + y, bold(short(text, (x1 - x) * WIDTH, size), strong), size, color, "middle right")
    pixels = grid.wide * WIDTH
    label = max(12.0, min(14.0, pixels / (3 * LETTER)))
    for x, word in zip(grid.across, words, strict=True):
        sheet.write(x, grid.y[0] - 16, short(word, pixels - 2, label), label, colors.muted)
    for y, edge, name in zip(grid.down, grid.y, reading.heads, strict=False):
        sheet.bar(x0, edge - 0.5, x1, edge + 0.5, colors.hole)
        sheet.write(x0, y, short(name, NAMES * WIDTH - 6, 14), max(12.0, min(14.0, 0.7 * grid.tall)), anchor="middle right")
