"""The way of one cell as one arrow: from the score over the masked score and the weight into the context. All cells but those of its
row and its column are pale. Where the mask hides the cell its way ends.
"""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.palette import Palette, faded, rgb
from pages.parts.drawing.sheet import Sheet

WIDTH, RISE = 3.0, 0.3  # pixels of the line, and how high above the cells it goes, in rows
MOST_RISE, LEAST_RISE = 16.0, 5.0  # in pixels
OUT, HEAD = 0.006, 0.008  # shares of the width, right of the weights: where the line turns, and how long the arrow is after that
PALE = 0.75  # that is taken from cells which are not followed


def draw_way(sheet: Sheet, grids: Sequence[Grid], cell: tuple[int, int], visible: bool) -> None:
    """grids: of the maps, the weights' last. cell: (row, column). visible: whether the mask lets the cell through.

    The line goes above the row, beneath the first one, through pale cells, so that no number of the row is crossed out.
    """
    (row, column), ink = cell, sheet.colors.ink
    top, bottom = (float(grids[0].y[row + k]) for k in (0, 1))
    edge, away = (top, -1) if row else (bottom, 1)
    rise = float(np.clip(RISE * grids[0].tall, LEAST_RISE, MOST_RISE)) if len(grids[0].y) > 2 else LEAST_RISE
    level, aside, half = edge + away * rise, 0.1 * grids[0].wide, 6 / sheet.wide
    at = [float(grid.across[column]) for grid in grids]
    for x0, x1 in zip(at, at[1:] if visible else at[1:-1], strict=False):
        x0, x1, tip = x0 + aside, x1 - aside, edge + away
        _line(sheet, (x0, edge), (x0, level), (x1, level), (x1, tip))
        head = f"M{x1 - half:.5f},{tip + 9 * away:.2f}L{x1 + half:.5f},{tip + 9 * away:.2f}L{x1:.5f},{tip:.2f}Z"
        sheet.shapes.append({"type": "path", "path": head, "fillcolor": ink, "layer": "above", "line": {"width": 0}})
    if not visible:
        return
    turn, middle = float(grids[-1].x[-1]) + OUT, (top + bottom) / 2
    _line(sheet, (at[-1] + aside, edge), (at[-1] + aside, level), (turn, level), (turn, middle))
    half = min(7.0, (bottom - top) / 2 - 1)
    sheet.path(f"M{turn},{middle - half}L{turn + HEAD},{middle}L{turn},{middle + half}Z", ink)


def _line(sheet: Sheet, *points: tuple[float, float]) -> None:
    """A line from point to point."""
    sheet.line("M" + "L".join(f"{x:.5f},{y:.2f}" for x, y in points), sheet.colors.ink, WIDTH, layer="above")


def cells_followed(n: int, row: int, column: int) -> np.ndarray:
    """Which of the cells of a map (n, n) stay as they are: those of a row and of a column."""
    there = np.zeros((n, n), bool)
    there[row] = there[:, column] = True
    return there


def mute(sheet: Sheet, grids: Sequence[Grid], there: np.ndarray) -> None:
    """Make all cells of the maps pale but those that are `cells_followed`: over the cells, beneath their numbers."""
    red, green, blue = (round(255 * part) for part in rgb(sheet.colors.surface))
    veil = f"rgba({red},{green},{blue},{PALE})"
    if not there.all():
        sheet.heatmap(
            *mosaic([(grid, np.where(there, np.nan, 1.0)) for grid in grids]), Scale((veil, veil)), hover=False, lines=False
        )


def inks(colors: Palette, scale: Scale, z: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Black or white for the number in each cell, whichever reads better on it as it is or as it is when `mute` has made it pale."""
    paler = scale._replace(colors=tuple(faded(colors, color, 1 - PALE) for color in scale.colors))
    return np.where(there, scale.inks(z), paler.inks(z))
