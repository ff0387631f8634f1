"""The map of one head as tiles: the one that is held, those that are done and gone, those that the mask makes needless."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, rectangle
from pages.parts.text.format import quantity

LEFT, TOP, SIDE = 0.02, 28.0, 320.0
OUT, FACTS = 0.37, 0.49


def tile_map(
    sheet: Sheet,
    corners: Sequence[tuple[int, int]],
    at: int,
    scores: np.ndarray,
    n: int,
    n_block: int,
    facts: Sequence[tuple[str, str]],
) -> SheetFigure:
    """corners: (first query, first key) of every tile in the order in which they are computed; at: the one that is held.

    scores: its numbers, −∞ where hidden. facts: names and numbers at the right.
    """
    colors = sheet.colors
    unit = SIDE / n
    row, column = corners[at]
    sheet.write(LEFT + SIDE / WIDTH / 2, 12, f"{quantity(n, 'key')} across, {quantity(n, 'query')} down", 13, colors.muted)
    done, ahead, done_set = "", "", set(corners[:at])
    for i in range(0, n, n_block):
        for j in range(0, n, n_block):
            box = _box(i, j, n, n_block, unit)
            if (i, j) in done_set:
                done += box
            elif (i, j) in set(corners[at:]):
                ahead += box
    sheet.path(_box(0, 0, n, n, unit, 0), colors.hole)
    for path, fill in ((done, colors.cached), (ahead, colors.surface)):
        if path:
            sheet.path(path, fill, colors.muted, 1)
    _held(sheet, scores, row, column, unit)
    finished = n if at == len(corners) - 1 else row
    _rows(sheet, finished, n, n_block, row, unit)
    (held, whole), facts = (value for _, value in facts[:2]), facts[2:]
    sheet.write(FACTS, TOP + 34, f"<b>{held}</b> of {whole}", 40, anchor="middle right")
    sheet.write(FACTS, TOP + 74, "scores are held at this moment", 16, colors.muted, "middle right")
    for k, (name, value) in enumerate(facts):
        y = TOP + 144 + k * 46
        sheet.write(FACTS, y, name, 14.5, colors.muted, "middle right")
        sheet.write(1, y, f"<b>{value}</b>", 16, colors.ink, "middle left")
        sheet.bar(FACTS, y + 20, 1, y + 21, colors.hole)
    return sheet.figure(TOP + SIDE + 6, min_width=740)


def _box(i: int, j: int, n: int, size: int, unit: float, inset: float = 1.0) -> str:
    """A tile's rectangle; the last ones may be cut off."""
    x0, x1 = (LEFT + edge * unit / WIDTH for edge in (j, min(j + size, n)))
    y0, y1 = (TOP + edge * unit for edge in (i, min(i + size, n)))
    return rectangle(x0 + inset / WIDTH, y0 + inset, x1 - inset / WIDTH, y1 - inset)


def _held(sheet: Sheet, scores: np.ndarray, row: int, column: int, unit: float) -> None:
    """The tile whose scores are there, in their colours, with a frame."""
    shown = np.where(np.isneginf(scores), np.nan, scores)
    bound = max(1.0, float(np.nanmax(np.abs(shown), initial=1.0)))
    x = LEFT + (column + np.arange(scores.shape[1] + 1)) * unit / WIDTH
    y = TOP + (row + np.arange(scores.shape[0] + 1)) * unit
    sheet.heatmap(Grid(x, y), shown, Scale(sheet.colors.scores, -bound, bound), lines=False)
    sheet.frame(x[0], y[0], x[-1], y[-1], sheet.colors.ink, 3)


def _rows(sheet: Sheet, finished: int, n: int, n_block: int, row: int, unit: float) -> None:
    """The contexts at the right of the map: finished rows, those with running sums, those to come."""
    colors, width = sheet.colors, 0.05
    sheet.write(OUT + width / 2, 12, "contexts", 13, colors.muted)
    sheet.bar(OUT, TOP, OUT + width, TOP + n * unit, colors.hole)
    if finished:
        sheet.bar(OUT, TOP, OUT + width, TOP + finished * unit, colors.bar)
        if finished * unit >= 24:
            sheet.write(OUT + width / 2, TOP + finished * unit / 2, "done", 13, ink_on(colors.bar))
    if finished < n:
        y0, y1 = TOP + row * unit, TOP + min(row + n_block, n) * unit
        sheet.frame(OUT, y0, OUT + width, y1, colors.ink, 3)
