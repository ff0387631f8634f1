"""Where cells lie and what colour they have: what everything that is drawn in cells is handed.

A figure costs what its traces cost, not its cells: many blocks that share a scale are one mosaic, with empty cells between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.palette import text_colors

Box = tuple[float, float, float, float]  # left, upper, right and lower edge
Names = Sequence[str]  # of tokens, words or heads


def inside(box: Box, aside: float, up: float) -> Box:
    """A box with so much room around it, in shares of the width and in pixels."""
    return box[0] + aside, box[1] + up, box[2] - aside, box[3] - up


class Scale(NamedTuple):
    """Colours at equal steps from the number `low` to the number `high`."""

    colors: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0

    def inks(self, z: np.ndarray) -> np.ndarray:
        """Black or white for the text on each cell, in the shape of z."""
        return text_colors(self.colors, np.clip((np.where(z == z, z, 0) - self.low) / (self.high - self.low), 0, 1))


def diverging(colors: tuple[str, ...], z: np.ndarray, least: float = 1.0) -> Scale:
    """A scale whose middle is 0 and whose ends are the largest number of z, or `least` where that is larger."""
    bound = max(least, float(np.nanmax(np.abs(z), initial=0)))
    return Scale(colors, -bound, bound)


@dataclass(frozen=True, eq=False)
class Grid:
    """The edges of rows and columns. x: (columns + 1,) in shares of the width; y: (rows + 1,) in pixels from the top."""

    x: np.ndarray
    y: np.ndarray

    @classmethod
    def of(cls, left: float, top: float, cell: tuple[float, float], shape: tuple[int, int]) -> "Grid":
        """Equal cells. cell: width and height of one; shape: rows and columns.

        >>> Grid.of(0.5, 10, (0.25, 20), (1, 2)).box(0, 1)
        (0.75, 10.0, 1.0, 30.0)
        """
        (wide, tall), (rows, columns) = cell, shape
        return cls(left + np.arange(columns + 1) * wide, top + np.arange(rows + 1) * tall)

    @cached_property
    def across(self) -> np.ndarray:
        """The middle of each column."""
        return (self.x[:-1] + self.x[1:]) / 2

    @cached_property
    def down(self) -> np.ndarray:
        """The middle of each row."""
        return (self.y[:-1] + self.y[1:]) / 2

    @property
    def wide(self) -> float:
        """The first column, as a share of the width."""
        return float(self.x[1] - self.x[0])

    @property
    def tall(self) -> float:
        """The first row, in pixels."""
        return float(self.y[1] - self.y[0])

    @property
    def edges(self) -> Box:
        """Left, upper, right and lower edge of all cells."""
        return float(self.x[0]), float(self.y[0]), float(self.x[-1]), float(self.y[-1])

    def box(self, row: int, column: int) -> Box:
        """One cell."""
        return float(self.x[column]), float(self.y[row]), float(self.x[column + 1]), float(self.y[row + 1])

    def row(self, row: int) -> Box:
        """One row of cells."""
        return float(self.x[0]), float(self.y[row]), float(self.x[-1]), float(self.y[row + 1])

    def rows(self, start: int, stop: int) -> "Grid":
        """Some of the rows."""
        return Grid(self.x, self.y[start : stop + 1])

    def columns(self, start: int, stop: int) -> "Grid":
        """Some of the columns."""
        return Grid(self.x[start : stop + 1], self.y)


def mosaic(pieces: Sequence[tuple[Grid, np.ndarray]]) -> tuple[Grid, np.ndarray]:
    """One grid with all pieces, NaN between them. Pieces in one column share their edges across, in one row down."""
    x, y = (np.unique(np.round(np.concatenate([getattr(grid, edges) for grid, _ in pieces]), 6)) for edges in "xy")
    cells = np.full((len(y) - 1, len(x) - 1), np.nan)
    for grid, z in pieces:
        left, top = np.searchsorted(x, round(float(grid.x[0]), 6)), np.searchsorted(y, round(float(grid.y[0]), 6))
        cells[top : top + z.shape[0], left : left + z.shape[1]] = z
    return Grid(x, y), cells


def capacity(n: int, n_prompt: int) -> int:
    """For how many rows room is laid out: it grows in leaps, so that most steps move nothing.

    >>> [capacity(n, 4) for n in (4, 6, 7, 64)]
    [6, 6, 8, 64]
    """
    return min(next((n_prompt + k for k in (2, 4, 8, 16, 32) if n_prompt + k >= n), 64), 64)
