"""Rows of weights in the colours of the passes that computed them, for many heads at once."""

import numpy as np

from engine.experiments.rows import Rows
from pages.parts.drawing.cells import holes, shares, write_in
from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.machine_rows import LEAST
from pages.parts.drawing.sheet import Sheet


class PassCells:
    """What all heads draw together: a trace for each colour, and what the masks hide as one path."""

    def __init__(self):
        self.pieces: dict[str, list[tuple[Grid, np.ndarray]]] = {}
        self.holes = ""

    def hide(self, rows: Rows, h: int, grid: Grid, n: int) -> None:
        """The holes of head h in the first n rows, the prompt's square. grid: of all rows of one pass."""
        self.holes += holes(grid.columns(0, n), rows.hidden[h, :n, :n], 0.5 if grid.tall >= LEAST else 0)

    def add(self, sheet: Sheet, rows: Rows, h: int, first: int, grid: Grid, color: str) -> None:
        """Some rows of head h, from the row `first` on, as many as the grid has, with the weight in each cell where it can be
        read; "none" where a row gives no weight at all."""
        some = slice(first, first + len(grid.down))
        z, empty, pixels = rows.weights[h, some], rows.empty[h, some], grid.wide * sheet.wide
        self.pieces.setdefault(color, []).append((grid, z))
        if written := shares(z, pixels, grid.tall):
            written.words[empty] = ""
            written.words[empty & ~np.isnan(z[:, 0]), 0] = "none" if pixels >= 25 else "–"
            write_in(sheet, grid, written, Scale((sheet.colors.surface, color)).inks(z))

    def draw(self, sheet: Sheet, lines: bool) -> None:
        """Everything that was added. lines: whether a thin line parts the cells."""
        if self.holes:
            sheet.path(self.holes, sheet.colors.hole)
        for color, pieces in self.pieces.items():
            sheet.heatmap(*mosaic(pieces), Scale((sheet.colors.surface, color)), lines=lines)
