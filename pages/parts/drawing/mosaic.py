"""Many blocks of cells in one heatmap: a figure costs what its traces cost, not its cells.

The blocks lie beside and beneath each other on one grid, with empty rows and columns where there is space between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.sheet import Sheet

Piece = tuple[np.ndarray, np.ndarray, np.ndarray]  # cells (rows, columns), edges across (columns + 1), edges down (rows + 1)


def mosaic(pieces: Sequence[Piece]) -> Piece:
    """One block that shows all `pieces`; NaN between them. Blocks in one column share their edges across, in one row down."""
    x, y = (np.unique(np.round(np.concatenate([piece[at] for piece in pieces]), 6)) for at in (1, 2))
    cells = np.full((len(y) - 1, len(x) - 1), np.nan)
    for z, across, down in pieces:
        left, top = np.searchsorted(x, round(float(across[0]), 6)), np.searchsorted(y, round(float(down[0]), 6))
        cells[top : top + z.shape[0], left : left + z.shape[1]] = z
    return cells, x, y


def draw(sheet: Sheet, pieces: Sequence[Piece], scale: tuple[str, ...], low: float, high: float, lines: bool) -> None:
    """All `pieces` in one colour scale as a single trace; nothing where there are none."""
    if pieces:
        sheet.heatmap(*mosaic(pieces), scale, low, high, lines=lines)
