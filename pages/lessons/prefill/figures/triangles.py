"""The same products in several ways, each a lane along one line of time: one token at a time, in chunks, all at once.

A pass takes one place on that line, however many rows it computes: what it computes stands there, in the rows of its tokens. A
frame moves one cover to the right.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.model import ForwardPass
from pages.parts.drawing.answers import open_place
from pages.parts.drawing.cells import LARGE, large_number
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems, short, type_size
from pages.parts.text.format import plural, quantity

LEFT, PHONE_LEFT = 0.275, 0.19  # shares of the width: how many passes and the words, on a phone the words alone
NAMED = 0.165  # of how many passes
STEP_MS = 900
ROOM, ROOM_OF_TWO, PHONE_ROOM = 300.0, 262.0, 230.0  # pixels of the rows of all lanes
ABOVE, BETWEEN = 1.25 * LARGE, 24.0  # on a phone of what stands over a lane; of two lanes
LEAST_NAME, MOST_NAME = 13.0, 17.0  # type sizes of the words
LEAST_CELL = 7.0  # pixels of a cell that has an edge of its own


Ways = Sequence[tuple[str, Sequence[ForwardPass]]]  # of each its name and its passes


class View(NamedTuple):
    """Of the last way: whether what it computes is drawn, or to be found; and whether how long it takes is."""

    last: bool = True
    timed: bool = True


def in_how_many(ways: Ways, told: bool) -> tuple[str, str]:
    """The headline, and for a phone a shorter one: how many passes the first way takes and the last. told: whether it may say how many
    products they compute."""
    first, last = ways[0][1], ways[-1][1]
    one, other = (sum(p.counts.scores for p in way) for way in (first, last))
    passes, together = quantity(len(first), "pass"), f"{len(last)}"
    if len(first) == 1:
        return ("one token is one pass",) * 2
    if not told:
        return f"one token at a time takes {passes}, all at once {together}", f"{passes} or {together}?"
    if one == other:
        return (
            f"the same {quantity(one, 'product')}, in {passes} or {together}",
            f"{quantity(one, 'product')}, in {passes} or {together}",
        )
    return (f"{quantity(one, 'product')} in {passes}, {other:,} in {together}",) * 2


def triangles(
    sheet: Sheet,
    ways: Ways,
    words: Sequence[str],
    notes: Sequence[str],
    view: View = View(),  # noqa: B008
) -> SheetFigure:
    """What each of `ways` computes, pass by pass: a name and the passes that make it up, over the same n tokens.

    notes: what is said of each, after its name. Frame t shows what is there after t passes.
    """
    n, left, n_steps = len(words), PHONE_LEFT if sheet.on_phone() else LEFT, max(len(passes) for _, passes in ways)
    right, slot = 0.998, (0.998 - left) / n_steps
    above, tall = (
        ABOVE * sheet.phone,
        sheet.row(PHONE_ROOM if sheet.phone else ROOM if len(ways) > 2 else ROOM_OF_TWO, n * len(ways), 5.0, 60.0),
    )
    y = 8.0
    for (name, passes), note in zip(ways, notes, strict=True):
        grid = Grid.of(left, y + above, (slot / n, tall), (n, n))
        _written_left(sheet, grid, len(passes), name, note)
        _names(sheet, left - 0.008, grid, words)
        box = left, float(grid.y[0]), left + slot if view.timed else right, float(grid.y[-1])
        if passes is ways[-1][1] and not (view.last and view.timed):
            open_place(sheet, *box)
            sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, "<b>?</b>", min(60.0, 0.8 * (box[3] - box[1])))
        else:
            _passes(sheet, grid, passes, slot)
        y = box[3] + BETWEEN
    y -= 0.4 * BETWEEN
    sheet.write(left - 0.008, y + 8, "time", 17, anchor="middle left")
    sheet.line(
        f"M{left},{y + 8}H{right}M{right - 0.008},{y + 3}L{right},{y + 8}L{right - 0.008},{y + 13}", sheet.colors.muted, 1.5
    )
    if not view.timed:
        return sheet.figure(y + 18, min_width=860)
    base = sheet.shapes[:]
    veils = [_veil(left + t * slot, left + n_steps * slot, above + 6, y - 2, sheet) for t in range(n_steps + 1)]
    frames = [{"name": f"after {t} of {n_steps} steps", "layout": {"shapes": [*base, veil]}} for t, veil in enumerate(veils)]
    return sheet.figure(y + 18, min_width=860, frames=frames, step_ms=STEP_MS, start=n_steps)


def _written_left(sheet: Sheet, grid: Grid, n: int, name: str, note: str) -> None:
    """In how many passes, and how, left of a lane; on a phone over it."""
    _, top, _, bottom = grid.edges
    passes, number = plural(n, "pass"), f"{n:,}"
    if sheet.phone:
        said = f"{passes}, {name}{': ' * bool(note)}{note}"
        large_number(sheet, (float(grid.x[0]), 1.0), top - 0.5 * ABOVE, number, said, sheet.colors.prefill)
        return
    y = (top + bottom) / 2 - 18
    large_number(sheet, (0.0, NAMED), y - 4, number, "", sheet.colors.prefill)
    sheet.write(bold_ems(number) * LARGE / sheet.wide + 0.008, y, f"<b>{passes}</b>", 20, sheet.colors.prefill, "middle right")
    sheet.write(0, y + 27, name, type_size(name, NAMED * sheet.wide, 18.0, strong=False), anchor="middle right")
    sheet.write(0, y + 50, note, type_size(note, NAMED * sheet.wide, 18.0, strong=False), anchor="middle right")


def _names(sheet: Sheet, right: float, grid: Grid, words: Sequence[str]) -> None:
    """The rows' words, of low rows the first and the last."""
    size = float(np.clip(0.7 * grid.tall, LEAST_NAME, MOST_NAME))
    for k, (y, word) in enumerate(zip(grid.down, words, strict=True)):
        if grid.tall > LEAST_NAME or k in (0, len(words) - 1):
            room = (right - (0 if sheet.phone else NAMED)) * sheet.wide
            sheet.write(right, y, short(word, room, size), size, anchor="middle left")


def _passes(sheet: Sheet, grid: Grid, passes: Sequence[ForwardPass], slot: float) -> None:
    """Each pass in its place on the line of time: a cell for each product that counts, in what it has rows and columns for."""
    n, first, (left, _, _, _) = len(grid.y) - 1, 0, grid.edges
    grounds: list[Box] = []
    found: list[Box] = []
    gap = min(6.0 / sheet.wide, 0.2 * slot)
    wide, edge = (slot - gap) / n, (1 / sheet.wide, 0.5) if slot * sheet.wide / n >= LEAST_CELL else (0.0, 0.0)
    for k, p in enumerate(passes):
        x = left + k * slot
        rows = range(first, first + p.n_new)
        first = rows.stop
        grounds.append((x, float(grid.y[rows.start]), x + slot - gap, float(grid.y[rows.stop])))
        for i, looks in zip(rows, p.layers[-1].mask[0], strict=True):
            top, bottom = float(grid.y[i]) + edge[1], float(grid.y[i + 1]) - edge[1]
            seen = np.flatnonzero(looks)
            columns = [(j, j + 1) for j in seen] if edge[0] else [(seen[0], seen[-1] + 1)] * bool(len(seen))
            found += [(x + a * wide, top, x + b * wide - edge[0], bottom) for a, b in columns]
    if grid.tall > LEAST_NAME:  # from a row's word to its cells
        to = "".join(f"M{left},{at:.2f}H{box[0]:.5f}" for box in grounds for at in grid.down if box[1] < at < box[3])
        sheet.line(to, sheet.colors.line)
    sheet.bars(grounds, sheet.colors.hole)
    sheet.bars(found, sheet.colors.prefill)


def _veil(x0: float, x1: float, y0: float, y1: float, sheet: Sheet) -> dict:
    """What lies over all passes that are to come."""
    return {
        "type": "rect", "x0": round(x0, 5), "y0": round(y0, 2), "x1": round(x1, 5), "y1": round(y1, 2), "layer": "above",
        "fillcolor": sheet.colors.surface, "line": {"width": 0},
    }  # fmt: skip
