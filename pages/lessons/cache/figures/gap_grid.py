"""Where what is kept would be computed otherwise: layer by layer and position by position the rows. Without the mask the new token leads
back to what is made of older ones, and from there down to what is made of that: lines as wide as what they change."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, type_size
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number

LABEL = 0.19  # of the width have the names
LABEL_ON_PHONE = 0.0
TOP = 34.0  # pixels above the rows
FOOT = 24.0  # pixels beneath them
ROOM = 290.0  # pixels of all rows with the lines between them
LOWEST = 30.0  # pixels of a row with the lines beneath it, at least
HIGHEST = 110.0  # pixels of both, at most
CELL = 0.56  # of these the row has
ON_PHONE = 44.0  # pixels of a row on a phone
BETWEEN = 44.0  # pixels between two rows there
NAMED = 20.0  # of these, for the name that stands beneath a row
WIDEST = 9.0  # pixels across of the widest line back
BUNDLE = 0.5  # of the height between two rows has a bundle of such lines, at most
MOST = 16.0  # pixels across of any line, at most
TINT = 0.65  # of brown has what is off by most
SHOWN = 0.1  # a smaller difference has as many digits as it needs
LEAST = 12.0
SCALE, SCALE_ON_PHONE = "brown: off by, at most", "off by at most"


class Gaps(NamedTuple):
    """gaps: (n_rows, n), how far each row is at each position from what would be computed now; rows, words: their names. kept: rows of
    keys and values, all but whose newest column is asked about; waits: whether these are still to be found. says: what changes, in few
    words."""

    rows: Sequence[str]
    words: Sequence[str]
    gaps: np.ndarray
    kept: Sequence[int] = ()
    waits: bool = False
    says: str = ""


def gap_grid(sheet: Sheet, found: Gaps, asked: Asked = NOT_ASKED) -> SheetFigure:
    """Kept rows have the look of keys and values, the newest one that of a new row; what changes is brown. asked: which of the kept rows
    differ."""
    n_rows, n = found.gaps.shape
    label = LABEL_ON_PHONE if sheet.on_phone() else LABEL
    tall = sheet.row(ROOM, n_rows, LOWEST, HIGHEST)
    high, between = (ON_PHONE, BETWEEN) if sheet.phone else (CELL * tall, (1 - CELL) * tall)
    edges = label + np.arange(n + 1) * (0.998 - label) / n
    tops = [TOP + i * (high + between) for i in range(n_rows)]
    rows = [Grid(edges, np.array([y, y + high])) for y in tops]
    column_names(sheet, rows[0], TOP - 14, found.words, 13.5 if sheet.phone else 16, newest=True)
    for i, row in enumerate(rows):
        _name(sheet, found, row, i)
        if i:
            _lines(sheet, found, rows[i - 1 : i + 1], i)
        _row(sheet, found, row, i)
    for k, kept in enumerate(found.kept):
        row = rows[kept]
        box = float(edges[0]), float(row.y[0]), float(edges[n - 1]), float(row.y[1])
        if asked != NOT_ASKED:
            beneath = (float(edges[n - 1]) - 0.012, row.y[1] + 10, "middle left")
            answer_part(sheet, asked, k, box, beneath if sheet.phone else (edges[0] - 0.012, row.down[0] + 20, "middle left"))
    bottom = float(rows[-1].y[1]) + NAMED * sheet.phone
    hint(sheet, asked, 0.998, bottom + 14)
    return under_headline(sheet, found.says).figure(bottom + FOOT, min_width=600)


def _name(sheet: Sheet, found: Gaps, row: Grid, i: int) -> None:
    """What a row is, at its left, on a phone beneath it; once, what brown is."""
    name, once = found.rows[i], i == min(1, len(found.rows) - 1)
    if sheet.phone:
        said = f"{bold(name)}{f', {SCALE_ON_PHONE}' * once}"
        sheet.write(0, row.y[1] + 10, said, 14, anchor="middle right")
        return
    size = type_size(max(found.rows, key=ems), (LABEL - 0.02) * sheet.wide, 17.0)
    sheet.write(row.x[0] - 0.012, row.down[0], bold(name), size, anchor="middle left")
    if once:
        sheet.write(row.x[0] - 0.012, row.down[0] - 22, SCALE, 13, sheet.colors.muted, "middle left")


def _most(found: Gaps) -> float:
    """The largest difference that a number says, of what is made of the kept rows where there is some."""
    made = np.delete(found.gaps, list(found.kept), axis=0)
    known = found.gaps if not made.size else made
    return float(np.max(known, where=np.isfinite(known), initial=0.0))


def _lines(sheet: Sheet, found: Gaps, rows: Sequence[Grid], i: int) -> None:
    """From the row above: into what is made of all its rows, from the newest back to each that it changes; into keys and values, from each
    straight down, thin where nothing has changed or where that is to be found."""
    (above, row), gaps, most, colors = rows, found.gaps, _most(found), sheet.colors
    n, y0, y1 = gaps.shape[1], float(above.y[1]), float(row.y[0])
    named = NAMED * sheet.phone  # what lies straight beneath the row above
    sizes = np.where(np.isfinite(gaps[i, :-1]), gaps[i, :-1], most).tolist()
    if i in found.kept:
        for j, size in enumerate(sizes):
            x, changed = float(row.across[j]), not found.waits and not gaps[i, j] <= ROUNDING
            wide = min(MOST, max(2.0, WIDEST * size / most if most else 2.0)) if changed else 1.5
            _arrow(sheet, f"M{x:.5f},{y0 + 2 + named:.1f}", (x, y1), wide, colors.wasted if changed else colors.muted)
        return
    all_of_them = sum(sizes)
    unit = min(WIDEST / most, BUNDLE * (y1 - y0 - named) / all_of_them) if most and all_of_them else 0.0
    total, done = all_of_them * unit + n, 0.0
    # The farthest on top and at the left: no two of them cross.
    for j, size in enumerate(sizes):
        if gaps[i, j] <= ROUNDING:
            continue
        wide = max(0.8, size * unit)
        x = float(row.across[-1]) + (done - total / 2 + wide / 2) / sheet.wide
        y = y0 + (named - 2 if sheet.phone else 0.26 * (y1 - y0)) + done + wide / 2
        _arrow(
            sheet, f"M{x:.5f},{y0 + 1:.1f}V{y:.1f}H{float(row.across[j]):.5f}", (float(row.across[j]), y1), wide, colors.wasted
        )
        done += wide + 1


def _arrow(sheet: Sheet, path: str, to: tuple[float, float], wide: float, color: str) -> None:
    """A line along a path and down to a point."""
    x, y = to
    half = (max(4.0, wide / 2 + 2.5)) / sheet.wide
    tip = max(5.0, 0.6 * wide + 2)
    sheet.line(f"{path}L{x:.5f},{y - tip:.1f}", color, wide)
    sheet.path(f"M{x - half:.5f},{y - tip - 1:.1f}L{x + half:.5f},{y - tip - 1:.1f}L{x:.5f},{y - 1:.1f}Z", color)


def _row(sheet: Sheet, found: Gaps, row: Grid, i: int) -> None:
    """What a row keeps, or what is made of it; in each what it is off by, brown by how much; in those that wait one question."""
    gaps, n, most, colors = found.gaps[i], row.x.size - 1, _most(found), sheet.colors
    kept, (top, bottom) = i in found.kept, row.y.tolist()
    boxes = [(row.x[j] + 1 / sheet.wide, top, row.x[j + 1] - 1 / sheet.wide, bottom) for j in range(n)]
    look, foot = ("worded", edge(bottom - top)) if kept else ("plain", 0.0)
    cache_rows(sheet, {"kept" if kept else "reserved": boxes[:-1], "new": boxes[-1:]}, look)
    free = bottom - top - foot
    middle, first = top + free / 2, n - 1 if found.waits and kept else 0
    if first:
        x = (float(row.x[0]) + float(row.x[first])) / 2
        sheet.write(x, middle, "<b>the same or not?</b>", min(20.0, 0.4 * (bottom - top)))
    for j in range(first, n):
        gap, real = float(gaps[j]), not gaps[j] <= ROUNDING
        share = (min(1.0, gap / most) if np.isfinite(gap) and most else 1.0) if real else 0.0
        ground = grounds(colors)["new" if j == n - 1 else "kept"]
        if real and j < n - 1:
            ground = faded(colors, colors.wasted, 0.2 + (TINT - 0.2) * share)
            x0, _, x1, _ = boxes[j]
            sheet.bar(x0, top, x1, bottom - foot, ground)
        said = (number(gap, 1) if SHOWN <= gap < np.inf else gap_text(gap)) if real else "same"
        high = min(24.0 if real else 16.0, max(0.62 * free, min(LEAST, 0.85 * free)))
        size = type_size(said, row.wide * sheet.wide - 4, high)
        if size >= LEAST:
            sheet.write(row.across[j], middle, bold(said, real), size, ink_on(ground))
