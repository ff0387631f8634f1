"""The way of one cell as a connected line: query and key meet in the score, which becomes a weight, which takes its share of the
value into the context, where the line ends in an arrow. Where the mask hides the cell its way ends.
"""

from collections.abc import Sequence

from pages.parts.drawing.grid import Grid
from pages.parts.drawing.sheet import Sheet

WIDTH = 4.0
OUT, HEAD = 0.006, 0.008  # shares of the width, right of the weights: where the line turns, and how long the arrow is after that


def draw_way(sheet: Sheet, grids: Sequence[Grid], cell: tuple[int, int], visible: bool) -> None:
    """grids: of the three maps. cell: (row, column). visible: whether the mask lets the cell through.

    The lines run along the cells' edges, so that no number is crossed out, and the arrow points at the row's context.
    """
    (row, column), colors = cell, sheet.colors
    left, right = ([float(grid.x[column + k]) for grid in grids] for k in (0, 1))
    begin, top, bottom, end = (float(y) for y in grids[0].y[[0, row, row + 1, -1]])
    _line(sheet, float(grids[0].x[0]), top, left[0], top, colors.query)
    _line(sheet, left[0], begin - 6, left[0], top, colors.key)
    _line(sheet, right[0], bottom, right[1], bottom, colors.ink)
    if not visible:
        return
    _line(sheet, right[1], bottom, right[2], bottom, colors.ink)
    _line(sheet, left[2], bottom, left[2], end + 6, colors.value)
    turn, middle = float(grids[2].x[-1]) + OUT, (top + bottom) / 2
    _line(sheet, right[2], bottom, turn, bottom, colors.ink)
    _line(sheet, turn, bottom, turn, middle, colors.ink)
    half = min(7.0, (bottom - top) / 2 - 1)
    sheet.path(f"M{turn},{middle - half}L{turn + HEAD},{middle}L{turn},{middle + half}Z", colors.ink)


def _line(sheet: Sheet, x0: float, y0: float, x1: float, y1: float, color: str) -> None:
    if (x0, y0) != (x1, y1):
        line = {"width": WIDTH, "color": color}
        sheet.shapes.append({"type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": line, "layer": "above"})
