"""The way of one cell as one arrow: from the score over the masked score and the weight into the context. All cells but those of its
row and its column are pale. Where the mask hides the cell its way ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.palette import Palette, faded, rgb
from pages.parts.drawing.sheet import Sheet, rectangle

WIDTH = 3.0  # pixels of the line
LANE, LEAST, MOST = 0.4, 16.0, 30.0  # what lies free for it: as a share of a row, and pixels at least and at most
OUT, HEAD = 0.006, 0.008  # shares of the width, right of the weights: where the line turns, and how long the arrow is after that
PALE = 0.75  # that is taken from cells which are not followed


def lane(tall: float) -> float:
    """Pixels beside the row that is followed, where rows have so many."""
    return float(np.clip(LANE * tall, LEAST, MOST))


@dataclass(frozen=True, eq=False)
class Parted(Grid):
    """Rows moved apart by `free` pixels above the one that is followed, beneath the first one: half of them belong to either row."""

    row: int = 0
    free: float = 0.0

    @classmethod
    def at(cls, x: np.ndarray, y: np.ndarray, row: int, free: float) -> "Parted":
        """From edges of rows without a lane."""
        return cls(x, y + free / 2 * np.clip(np.arange(len(y)) - (row or 1) + 1, 0, 2), row, free)

    def seen(self, row: int) -> tuple[float, float]:
        """The upper and lower edge of what is seen of a row."""
        at, half = self.row or 1, self.free / 2
        return float(self.y[row]) + half * (row == at), float(self.y[row + 1]) - half * (row == at - 1)

    @cached_property
    def down(self) -> np.ndarray:
        """The middle of what is seen of each row."""
        return np.array([sum(self.seen(row)) / 2 for row in range(len(self.y) - 1)])


def draw_way(sheet: Sheet, grids: Sequence[Parted], column: int, visible: bool) -> None:
    """grids: of the maps, the weights' last, with the row. column: the cell's. visible: whether the mask lets the cell through.

    The line goes in the lane beside the row, where no cell lies: no number is crossed out.
    """
    row, free, ink = grids[0].row, grids[0].free, sheet.colors.ink
    top, bottom = grids[0].seen(row)
    edge, away, level = (top, -1, top - free / 2) if row else (bottom, 1, bottom + free / 2)
    for grid in grids:
        path = rectangle(float(grid.x[0]) - 1e-3, level - free / 2, float(grid.x[-1]) + 1e-3, level + free / 2)
        sheet.shapes.append(
            {"type": "path", "path": path, "fillcolor": sheet.colors.surface, "layer": "above", "line": {"width": 0}}
        )
        sheet.frame(float(grid.x[column]), top, float(grid.x[column + 1]), bottom, ink, 4.0)
    aside, tall = 0.1 * grids[0].wide, min(10.0, 0.5 * free)
    half = 0.7 * tall / sheet.wide
    at = [float(grid.across[column]) for grid in grids]
    for x0, x1 in zip(at, at[1:] if visible else at[1:-1], strict=False):
        x0, x1, tip = x0 + aside, x1 - aside, edge + 2 * away
        _line(sheet, (x0, edge), (x0, level), (x1, level), (x1, tip + tall * away))
        head = f"M{x1 - half:.5f},{tip + tall * away:.2f}L{x1 + half:.5f},{tip + tall * away:.2f}L{x1:.5f},{tip:.2f}Z"
        sheet.shapes.append({"type": "path", "path": head, "fillcolor": ink, "layer": "above", "line": {"width": 0}})
    if not visible:
        return
    turn, middle = float(grids[-1].x[-1]) + OUT, float(grids[-1].down[row])
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
