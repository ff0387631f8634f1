"""One token's value changes: which rows notice, with the mask and without it, side by side, on a phone beneath each other.

Of each row a cell for every token that it may look at, the changed one in full colour, and whether what it makes is new or stays.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.cells import row_names
from pages.parts.drawing.grid import Box, Grid, inside
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, plain, rectangle, short

LEFT = 0.095  # of the width have the words
GAP = 0.05  # of the width, between the two sides
VERDICT = 0.11  # of the width has what is said of a row
NARROW_LEFT, NARROW_VERDICT = 0.2, 0.22
HEAD = 60.0  # pixels above the rows
ROOM = 280.0  # pixels of the rows of a side
PHONE_ROOM = 126.0
MANY, ROOM_OF_MANY = 8, 224.0  # from so many on, tokens are chosen in lists, which are higher
LEAST, PALE = 13.0, 0.3  # type size at least; what is left of the blue of a token that is what it was


class Side(NamedTuple):
    """title: with the mask or without it. sees: (n, n) what each row may look at. moved: (n,) which rows are others then; None
    while that is asked for. hardly: (n,) which of them by a little only; None where none is."""

    title: str
    sees: np.ndarray
    moved: np.ndarray | None
    hardly: np.ndarray | None = None


def two_masks(sheet: Sheet, sides: tuple[Side, Side], words: Sequence[str], token: int) -> SheetFigure:
    """words: (n,); token: whose value is another one."""
    n, phone = len(words), sheet.on_phone()
    left, verdict = (NARROW_LEFT, NARROW_VERDICT) if phone else (LEFT, VERDICT)
    block = 1 - left if phone else (1 - left - GAP) / 2
    tall = sheet.row(PHONE_ROOM if phone else ROOM if n <= MANY else ROOM_OF_MANY, n, 12.0, 40.0 if phone else 84.0)
    bottom = 0.0
    for k, side in enumerate(sides):
        x0, top = (left, bottom + HEAD + 14 * k) if phone else (left + k * (block + GAP), HEAD)
        grid = Grid.of(x0, top, ((block - verdict) / n, tall), (n, n))
        _side(sheet, side, grid, words, token, x0 + block)
        if phone or not k:
            row_names(sheet, left - 0.012, grid, words, max(12.0, min(17.0, 0.8 * tall)), token)
        bottom = float(grid.y[-1])
    return sheet.figure(bottom + 8, min_width=760)


def _side(sheet: Sheet, side: Side, grid: Grid, words: Sequence[str], token: int, right: float) -> None:
    """What each row may look at and what becomes of it, up to `right`."""
    colors, (x0, top, x1, _), size = sheet.colors, grid.edges, LEAST if sheet.phone else 15
    sheet.write(x0, top - 46, bold(plain(side.title)), 16, anchor="middle right")
    pixels = grid.wide * sheet.wide
    if pixels >= 34:
        for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
            color = colors.ink if j == token else colors.muted
            sheet.write(x, top - 14, bold(short(word, pixels - 4, size), j == token), size, color)
    sheet.write(right, top - 14, "this row", size, colors.muted, "middle left")
    known = side.moved is not None
    other = side.sees & known
    other[:, [j for j in range(len(words)) if j != token]] = False
    gap = min(5.0, grid.tall / 8)
    for cells, color in (
        (~side.sees, colors.hole), (side.sees & ~other, faded(colors, colors.prefill, PALE)), (other, colors.prefill),
    ):  # fmt: skip
        sheet.bars((inside(grid.box(i, j), 2 / sheet.wide, gap) for i, j in np.argwhere(cells).tolist()), color)
    if side.moved is None:
        box = x1 + 0.012, top + gap, right, float(grid.y[-1]) - gap
        open_place(sheet, *box)
        sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, "<b>?</b>", min(64.0, 0.6 * (box[3] - box[1])))
        return
    for i, y in enumerate(grid.down):
        box = x1 + 0.012, grid.y[i] + gap, right, grid.y[i + 1] - gap
        _verdict(sheet, box, y, bool(side.moved[i]), side.hardly is not None and bool(side.hardly[i]))


def _verdict(sheet: Sheet, box: Box, y: float, moved: bool, hardly: bool) -> None:
    """New: filled; stays, or hardly moves: an outline."""
    colors, middle = sheet.colors, (box[0] + box[2]) / 2
    size = min(17.0 if sheet.phone else 22.0, 0.75 * (box[3] - box[1]))
    if moved and not hardly:
        sheet.bar(*box, colors.ink)
        sheet.write(middle, y, "<b>new</b>", size, colors.surface)
    else:
        sheet.line(rectangle(*box), colors.bar, 1.5)
        sheet.write(middle, y, "hardly" if moved else "stays", size, colors.ink)
