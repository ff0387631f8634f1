"""The map of one head as tiles under the causal mask's diagonal: the one whose scores are there, where its queries and keys meet, those
that are done and gone, and beside it how many of them are computed, row by row once that is known."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.format import quantity

STRIP, GAP = 12.0, 5.0  # pixels of the queries' and the keys' strip, and between them and the map
DONE = 0.42  # of its colour is left of a tile that is done
AHEAD = 0.12  # of its colour is left of one that comes
REST = 0.3  # of its colour is left of rows that are not in use
SUM, ASIDE = 104.0, 0.72  # type size of the number, and where the map ends at the left of it


class Place(NamedTuple):
    """Where the map lies. left, right: shares of the width; top: pixels; unit: pixels of a query; n: tokens."""

    left: float
    right: float
    top: float
    unit: float
    n: int

    def box(self, i: float, j: float, down: float, across: float) -> Box:
        """So many queries from i on, and keys from j on; the last ones may be cut off."""
        (x0, x1), (y0, y1) = ((edge, min(edge + size, self.n)) for edge, size in ((j, across), (i, down)))
        at = (self.right - self.left) / self.n
        return self.left + x0 * at, self.top + y0 * self.unit, self.left + x1 * at, self.top + y1 * self.unit


def tile_map(
    sheet: Sheet, corners: Sequence[tuple[int, int]], at: int, scores: np.ndarray, n: int, n_block: int, known: bool
) -> SheetFigure:
    """corners: (first query, first key) of every tile in the order in which they are computed; at: the one that is held.

    scores: its numbers, −∞ where hidden. known: whether it may be said how many tiles there are.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    of = f"{scores.size:,} of {n * n:,} scores"
    top = headline(sheet, f"One tile is there at a time: {of}", f"One tile at a time: {of}") + 26 + STRIP + GAP
    left, side = (STRIP + GAP) / sheet.wide, 252.0 if phone else 288.0
    right = left + side / sheet.wide if phone else ASIDE
    place, (row, column) = Place(left, right, top, side / n, n), corners[at]
    _strips(sheet, place, row, column, n_block)
    tile = {corner: place.box(*corner, n_block, n_block) for corner in corners}
    x0, y0, x1, y1 = place.box(0, 0, n, n)
    sheet.path(f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}L{x0:.5f},{y1:.2f}Z", faded(colors, colors.prefill, AHEAD))
    sheet.bars([tile[corner] for corner in corners[:at]], faded(colors, colors.prefill, DONE))
    sheet.path(f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}Z", colors.hole)
    _draw_lines(sheet, place, [tile[corner] for corner in corners] if known else [], n_block)
    sheet.line(f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}", colors.ink, 2)
    _of_the_rest(sheet, "never computed" if known else "hidden by the mask", place, n_block)
    _held(sheet, scores, tile[corners[at]])
    for name, share, near in (("done", DONE, row - n_block), ("to come", AHEAD, row + n_block)):
        if n_block <= near < n:  # a whole tile, of which none is hidden
            _name_tile(sheet, name, place.box(near, 0, n_block, n_block), faded(colors, colors.prefill, share))
    _counted(sheet, corners, place, n_block, known)
    return sheet.figure(y1 + (44 if phone else 6), min_width=740)


def _strips(sheet: Sheet, place: Place, row: int, column: int, n_block: int) -> None:
    """The queries at the map's left and the keys above it; those of the tile that is there in full colour."""
    colors, n = sheet.colors, place.n
    x, y = place.left - (STRIP + GAP) / sheet.wide, place.top - STRIP - GAP
    for color, first, across in ((colors.query, row, False), (colors.key, column, True)):
        for start, size, share in ((0, n, REST), (first, n_block, 1.0)):
            x0, y0, x1, y1 = place.box(start, start, size, size)
            box = (x0, y, x1, y + STRIP) if across else (x, y0, x + STRIP / sheet.wide, y1)
            sheet.bar(*box, faded(colors, color, share))
    size = 13 if sheet.phone else 17
    sheet.write(x, y - 14, f"{quantity(n, 'query')} ↓", size, colors.query, "middle right")
    sheet.write(place.box(0, 0, n, n)[2], y - 14, f"{quantity(n, 'key')} →", size, colors.key, "middle left")


def _draw_lines(sheet: Sheet, place: Place, computed: Sequence[Box], n_block: int) -> None:
    """A line between two tiles; once it is known which are computed, between these alone, and one around all of them."""
    n, colors = place.n, sheet.colors
    x0, y0, x1, y1 = place.box(0, 0, n, n)
    if not computed:
        edges = [place.box(k, k, 1, 1)[:2] for k in range(n_block, n, n_block)]
        ways = "".join(f"M{x:.5f},{y0:.2f}L{x:.5f},{y1:.2f}M{x0:.5f},{y:.2f}L{x1:.5f},{y:.2f}" for x, y in edges)
        sheet.line(ways + rectangle(x0, y0, x1, y1), colors.muted, 1.2)
        return
    sheet.line("".join(rectangle(*box) for box in computed), colors.muted, 1.2)
    ends = {box[1]: box for box in computed}  # the last one of each row
    stairs = "".join(f"L{x:.5f},{top:.2f}L{x:.5f},{end:.2f}" for _, top, x, end in ends.values())
    sheet.line(f"M{x0:.5f},{y1:.2f}L{x0:.5f},{y0:.2f}{stairs}Z", colors.ink, 3)


def _of_the_rest(sheet: Sheet, said: str, place: Place, n_block: int) -> None:
    """What becomes of the keys that come later, at the map's upper right; where a tile may reach there, its first word."""
    size, (right, top) = 13.0 if sheet.phone else 17.0, place.box(0, place.n, 0, 0)[:2]
    said = said if size * ems(said) + 20 < (right - place.box(0, n_block, 0, 0)[0]) * sheet.wide else said.split()[0]
    right -= 6 / sheet.wide
    sheet.bar(right - (size * ems(said) + 6) / sheet.wide, top + 6, right + 2 / sheet.wide, top + 28, sheet.colors.hole)
    sheet.write(right, top + 17, said, size, anchor="middle left")


def _name_tile(sheet: Sheet, name: str, box: Box, fill: str) -> None:
    """What has become of a tile, in its middle; nothing where it has no room for that."""
    (x0, y0, x1, y1), size = box, 13.0 if sheet.phone else 17.0
    if size * ems(name) + 8 < (x1 - x0) * sheet.wide and y1 - y0 > 1.3 * size:
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, name, size, ink_on(fill))


def _held(sheet: Sheet, scores: np.ndarray, box: Box) -> None:
    """The tile whose scores are there, in their colours, with a frame."""
    shown, colors = np.where(np.isneginf(scores), np.nan, scores), sheet.colors
    bound = max(1.0, float(np.nanmax(np.abs(shown), initial=1.0)))
    (down, across), (x0, y0, x1, y1) = scores.shape, box
    grid = Grid(np.linspace(x0, x1, across + 1), np.linspace(y0, y1, down + 1))
    sheet.heatmap(grid, np.where(np.isnan(shown), 0, np.nan), Scale((colors.hole,) * 2), hover=False, lines=False)
    sheet.heatmap(grid, shown, Scale(colors.scores, -bound, bound), lines=False)
    sheet.frame(*box, colors.ink, 4)


def _counted(sheet: Sheet, corners: Sequence[tuple[int, int]], place: Place, n_block: int, known: bool) -> None:
    """How many tiles are computed, a question mark until that is known, and then beside each row of tiles how many of its own."""
    n, (_, top, end, bottom) = place.n, place.box(0, 0, place.n, place.n)
    wide, size = (34, 20.0) if sheet.phone else (44, 30.0)
    for i in range(0, n if known else 0, n_block):
        _, y0, _, y1 = place.box(i, 0, n_block, n)
        sheet.write(end + wide / sheet.wide, (y0 + y1) / 2, bold(str(sum(row == i for row, _ in corners))), size)
    number, of = str(len(corners)) if known else "?", quantity((-(-n // n_block)) ** 2, "tile")
    if sheet.phone:
        sheet.write(0, bottom + 25, f"{bold(number)} of {of} are computed", 22, anchor="middle right")
        return
    x, y = end + 2 * wide / sheet.wide, (top + bottom) / 2
    sheet.line(f"M{x:.5f},{top:.2f}H{x + 0.01:.5f}V{bottom:.2f}H{x:.5f}", sheet.colors.muted, 1.5)
    sheet.write(x + 0.035, y - 36, bold(number), SUM, anchor="middle right")
    sheet.write(x + 0.035, y + 40, f"of {of}", 26, anchor="middle right")
    sheet.write(x + 0.035, y + 74, "are computed", 20, anchor="middle right")
