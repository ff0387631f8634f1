"""The map of one head as tiles: the one that is held, those that are done and gone, those that the mask makes needless."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import EDGE, Sheet, SheetFigure, ems, rectangle
from pages.parts.text.format import quantity

LEFT, TOP, SIDE = 0.005, 28.0, 320.0  # where the map begins, pixels down, and how large it is: a square
TOP_ON_PHONE, SIDE_ON_PHONE = 98.0, 140.0  # there the number stands above the map, and the facts beneath it
LARGE_ON_PHONE = 0.535, 156.0  # and the tile once more beside it: where, and pixels of its side
OUT, FACTS = 0.335, 0.44
LARGE, LARGE_SIDE = 0.693, 308.0  # where the tile that is held is drawn once more, and pixels of its side


class Place(NamedTuple):
    """Where the map lies. left: share of the width; top: pixels; unit: pixels of a token; wide: pixels of the sheet; out: where its
    contexts stand, a share of the width, and how wide they are."""

    left: float
    top: float
    unit: float
    wide: int
    out: tuple[float, float]

    @property
    def across(self) -> float:
        """The share of the width of a token."""
        return self.unit / self.wide

    def box(self, i: int, j: int, n: int, size: int, inset: float = 1.0) -> str:
        """A tile's rectangle; the last ones may be cut off."""
        x0, x1 = (self.left + edge * self.across for edge in (j, min(j + size, n)))
        y0, y1 = (self.top + edge * self.unit for edge in (i, min(i + size, n)))
        return rectangle(x0 + inset / self.wide, y0 + inset, x1 - inset / self.wide, y1 - inset)


def tile_map(
    sheet: Sheet, corners: Sequence[tuple[int, int]], at: int, scores: np.ndarray, n: int, n_block: int, known: bool
) -> SheetFigure:
    """corners: (first query, first key) of every tile in the order in which they are computed; at: the one that is held.

    scores: its numbers, −∞ where hidden. known: whether it may be said how many tiles there are; each then has its number.
    """
    colors = sheet.colors
    phone, (row, column) = sheet.on_phone(), corners[at]
    if phone:
        place, side = Place(0.0, TOP_ON_PHONE, SIDE_ON_PHONE / n, sheet.wide, (0.428, 0.06)), SIDE_ON_PHONE
    else:
        place, side = Place(LEFT, TOP, SIDE / n, sheet.wide, (OUT, 0.075)), SIDE
    said = "keys across, queries down" if phone else f"{quantity(n, 'key')} across, {quantity(n, 'query')} down"
    sheet.write(place.left + n * place.across / 2, place.top - 16, said, 13, colors.muted)
    starts, order = range(0, n, n_block), {corner: k for k, corner in enumerate(corners)}
    boxes = {corner: place.box(*corner, n, n_block) for corner in ((i, j) for i in starts for j in starts)}
    done, ahead = ("".join(boxes[corner] for corner in some) for some in (corners[:at], corners[at:]))
    sheet.path(place.box(0, 0, n, n, 0), colors.surface, colors.line, 1)
    for path, fill in ((done, colors.cached), (ahead if known else "", colors.hole)):
        if path:
            sheet.path(path, fill, colors.muted, 1)
    _held(sheet, scores, place.left + column * place.across, place.top + row * place.unit, place.unit)
    x, wide = LARGE_ON_PHONE if phone else (LARGE, LARGE_SIDE)
    unit = wide / max(scores.shape)
    title = "<b>there</b>, enlarged" if phone else "<b>the tile that is there</b>, enlarged"
    sheet.write(x, place.top - 16, title, 13 if phone else 14, anchor="middle right")
    _held(sheet, scores, x, place.top, unit, lines=True)
    if phone:
        across, down = scores.shape[::-1]
        sheet.write(x, place.top + down * unit + 14, f"{across} × {down} scores", 13, colors.muted, "middle right")
    # Which of the others are computed, and which never, is what is asked: until then all are outlines.
    others = [corner for corner in boxes if corner not in (order if known else corners[: at + 1])]
    sheet.line("".join(boxes[corner] for corner in others), colors.muted, 1, "dot" if known else "dash")
    if known:
        _number_tiles(sheet, corners, at, n, n_block, place)
    finished = n if at == len(corners) - 1 else row
    _rows(sheet, finished, n, n_block, row, place)
    left, large = (0.0, 32) if phone else (FACTS, min(70.0, 200 / ems(f"{scores.size:,}")))
    computed = f"<b>{len(corners) if known else '?'}</b> of {len(boxes)}"
    if phone:
        sheet.write(left, 20, f"<b>{scores.size:,}</b> of {n * n:,}", large, anchor="middle right")
        sheet.write(left, 52, "scores are held at this moment", 16, colors.muted, "middle right")
        y = place.top + max(side, LARGE_ON_PHONE[1] + 14) + 26
        sheet.write(left, y, computed, 20, anchor="middle right")
        sheet.write(0.3, y, "tiles are computed", 14, colors.muted, "middle right")
    else:  # the one that the step is about the largest
        y = TOP + 168
        sheet.write(left, TOP + 32, f"<b>{scores.size:,}</b>", large, anchor="middle right")
        sheet.write(left, TOP + 92, f"of {quantity(n * n, 'score')}", 20, anchor="middle right")
        sheet.write(left, TOP + 118, "are held at this moment", 16, colors.muted, "middle right")
        sheet.write(left, y, computed, 32, anchor="middle right")
        sheet.write(left, y + 30, "tiles are computed", 16, colors.muted, "middle right")
    signs = _signs(sheet, (left, y + (28 if phone else 70)), known)
    height = signs if phone else TOP + SIDE + 6
    return sheet.figure(height, min_width=0 if phone else 740, square=[sheet.wide, height, EDGE])


def _signs(sheet: Sheet, at: tuple[float, float], known: bool) -> float:
    """What a tile looks like that is done, that comes, and that never does, or one that may do either; returns where they end."""
    (x, y), colors, side = at, sheet.colors, 16.0
    entries = [(colors.cached, "done, and gone"), (colors.hole, "to come"), (colors.surface, "hidden by the mask: never")]
    for k, (fill, name) in enumerate(entries if known else [entries[0], (colors.surface, "to come, or never")]):
        down, across = (y, x + (0.0, 0.38, 0.62)[k]) if sheet.phone else (y + 26 * k, x)
        name = "never" if sheet.phone and k == 2 else name
        sheet.path(
            rectangle(across, down - side / 2, across + side / sheet.wide, down + side / 2),
            fill,
            colors.muted if k < 2 else colors.line,
            1,
        )
        sheet.write(across + (side + 8) / sheet.wide, down, name, 14, colors.muted, "middle right")
    return y + 20


def _number_tiles(sheet: Sheet, corners: Sequence[tuple[int, int]], at: int, n: int, n_block: int, place: Place) -> None:
    """The tiles' numbers in the order in which they are computed, but on the one whose scores are there."""
    for k, (i, j) in enumerate(corners):
        wide, tall = (min(edge + n_block, n) - edge for edge in (j, i))
        size = min(22.0, 0.8 * tall * place.unit, wide * place.across * sheet.wide / 1.3)
        if k != at and size >= 13:
            color = ink_on(sheet.colors.cached) if k < at else sheet.colors.ink
            sheet.write(
                place.left + (j + wide / 2) * place.across, place.top + (i + tall / 2) * place.unit, str(k + 1), size, color
            )


def _held(sheet: Sheet, scores: np.ndarray, left: float, top: float, unit: float, lines: bool = False) -> None:
    """The tile whose scores are there, in their colours, with a frame; a score is so many pixels wide. lines: between them."""
    shown = np.where(np.isneginf(scores), np.nan, scores)
    bound = max(1.0, float(np.nanmax(np.abs(shown), initial=1.0)))
    x = left + np.arange(scores.shape[1] + 1) * unit / sheet.wide
    y = top + np.arange(scores.shape[0] + 1) * unit
    sheet.heatmap(Grid(x, y), np.where(np.isnan(shown), 0, np.nan), Scale((sheet.colors.hole,) * 2), hover=False, lines=lines)
    sheet.heatmap(Grid(x, y), shown, Scale(sheet.colors.scores, -bound, bound), lines=lines)
    sheet.frame(x[0], y[0], x[-1], y[-1], sheet.colors.ink, 3)


def _rows(sheet: Sheet, finished: int, n: int, n_block: int, row: int, place: Place) -> None:
    """The contexts at the right of the map: finished rows, those with running sums, those to come."""
    colors, (out, width) = sheet.colors, place.out
    if sheet.phone:
        sheet.write(out + width / 2, place.top + n * place.unit + 12, "contexts", 13, colors.muted)
    else:
        sheet.write(out + width / 2, place.top - 16, "contexts", 13, colors.muted)
    sheet.bar(out, place.top, out + width, place.top + n * place.unit, colors.hole)
    if finished:
        sheet.bar(out, place.top, out + width, place.top + finished * place.unit, colors.bar)
        if finished * place.unit >= 24 and not sheet.phone:
            sheet.write(out + width / 2, place.top + finished * place.unit / 2, "done", 13, ink_on(colors.bar))
    if finished < n:
        y0, y1 = place.top + row * place.unit, place.top + min(row + n_block, n) * place.unit
        sheet.frame(out, y0, out + width, y1, colors.ink, 3)
