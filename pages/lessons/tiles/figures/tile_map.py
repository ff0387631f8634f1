"""The map of one head as tiles: the one that is held, those that are done and gone, those that the mask makes needless."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.format import quantity

LEFT, TOP, SIDE, STRETCH = 0.02, 28.0, 320.0, 1.45  # where the map begins, pixels down, and as many times that across
TOP_ON_PHONE, SIDE_ON_PHONE = 98.0, 258.0  # there the number stands above the map, and the facts beneath it
OUT, FACTS = 0.525, 0.62


class Place(NamedTuple):
    """Where the map lies. left: share of the width; top: pixels; unit: pixels of a token down, and `stretch` times that across; wide:
    pixels of the sheet; out: where its contexts stand, a share of the width, and how wide they are."""

    left: float
    top: float
    unit: float
    wide: int
    out: tuple[float, float]
    stretch: float = 1.0

    @property
    def across(self) -> float:
        """The share of the width of a token."""
        return self.stretch * self.unit / self.wide

    def box(self, i: int, j: int, n: int, size: int, inset: float = 1.0) -> str:
        """A tile's rectangle; the last ones may be cut off."""
        x0, x1 = (self.left + edge * self.across for edge in (j, min(j + size, n)))
        y0, y1 = (self.top + edge * self.unit for edge in (i, min(i + size, n)))
        return rectangle(x0 + inset / self.wide, y0 + inset, x1 - inset / self.wide, y1 - inset)


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
    phone, (row, column) = sheet.on_phone(), corners[at]
    if phone:
        place, side = Place(0.0, TOP_ON_PHONE, SIDE_ON_PHONE / n, sheet.wide, (0.82, 0.17)), SIDE_ON_PHONE
    else:
        place, side = Place(LEFT, TOP, SIDE / n, sheet.wide, (OUT, 0.05), STRETCH), SIDE
    said = f"{quantity(n, 'key')} across, {quantity(n, 'query')} down"
    sheet.write(place.left + n * place.across / 2, place.top - 16, said, 13, colors.muted)
    done, ahead, done_set = "", "", set(corners[:at])
    for i in range(0, n, n_block):
        for j in range(0, n, n_block):
            box = place.box(i, j, n, n_block)
            if (i, j) in done_set:
                done += box
            elif (i, j) in set(corners[at:]):
                ahead += box
    sheet.path(place.box(0, 0, n, n, 0), colors.hole)
    for path, fill in ((done, colors.cached), (ahead, colors.surface)):
        if path:
            sheet.path(path, fill, colors.muted, 1)
    _held(sheet, scores, row, column, place)
    finished = n if at == len(corners) - 1 else row
    _rows(sheet, finished, n, n_block, row, place)
    (held, whole, tiles, computed), others = (value for _, value in facts[:4]), facts[4:]
    left, y, step = (0.0, 20, 30) if phone else (FACTS, TOP + 44, 34)
    sheet.write(left, y, f"<b>{held}</b> of {whole}", 32 if phone else 44, anchor="middle right")
    sheet.write(left, y + (32 if phone else 46), "scores are held at this moment", 16, colors.muted, "middle right")
    first = place.top + side + 22 if phone else TOP + SIDE - len(others) * step
    y = first if phone else TOP + 164
    sheet.write(left, y, f"<b>{computed}</b> of {tiles}", 20 if phone else 44, anchor="middle right")
    below = (0.3, y, 14) if phone else (left, y + 46, 16)
    sheet.write(*below[:2], "tiles are computed", below[2], colors.muted, "middle right")
    first += step * phone
    for k, (name, value) in enumerate(others):
        sheet.write(left, first + k * step, f"{name}: <b>{value}</b>", 14 if phone else 16, colors.muted, "middle right")
    return sheet.figure(first + len(others) * step) if phone else sheet.figure(TOP + SIDE + 6, min_width=740)


def _held(sheet: Sheet, scores: np.ndarray, row: int, column: int, place: Place) -> None:
    """The tile whose scores are there, in their colours, with a frame."""
    shown = np.where(np.isneginf(scores), np.nan, scores)
    bound = max(1.0, float(np.nanmax(np.abs(shown), initial=1.0)))
    x = place.left + (column + np.arange(scores.shape[1] + 1)) * place.across
    y = place.top + (row + np.arange(scores.shape[0] + 1)) * place.unit
    sheet.heatmap(Grid(x, y), shown, Scale(sheet.colors.scores, -bound, bound), lines=False)
    sheet.frame(x[0], y[0], x[-1], y[-1], sheet.colors.ink, 3)


def _rows(sheet: Sheet, finished: int, n: int, n_block: int, row: int, place: Place) -> None:
    """The contexts at the right of the map: finished rows, those with running sums, those to come."""
    colors, (out, width) = sheet.colors, place.out
    sheet.write(out + width / 2, place.top - 16, "contexts", 13, colors.muted)
    sheet.bar(out, place.top, out + width, place.top + n * place.unit, colors.hole)
    if finished:
        sheet.bar(out, place.top, out + width, place.top + finished * place.unit, colors.bar)
        if finished * place.unit >= 24:
            sheet.write(out + width / 2, place.top + finished * place.unit / 2, "done", 13, ink_on(colors.bar))
    if finished < n:
        y0, y1 = place.top + row * place.unit, place.top + min(row + n_block, n) * place.unit
        sheet.frame(out, y0, out + width, y1, colors.ink, 3)
