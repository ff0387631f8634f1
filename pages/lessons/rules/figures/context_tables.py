"""What two readings of the rules do not share: each context that differs, as a row in either program, of what it looks at and what
comes out; and beneath them all contexts as a small map, on which those that are the same are faded."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.cells import SMALL, cells, column_names, large_number, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, short

MOST = 2  # contexts that are shown; the map has the others, too
NAMES, APART, RESULT = 0.2, 0.05, 92.0  # shares of the width: programs' names, between two blocks; pixels of what comes out
LARGE, AWAY = 32.0, 10.0  # its type size, and pixels between it and the row
MAP = "which contexts differ: a row is a head, a column a token"
ROWS, ROW_ON_PHONE = 160.0, 64.0  # pixels of the programs' rows, of one
HEAD, FOOT = 52.0, 88.0  # above the first, beneath the last
WHOSE = 18.0  # pixels of the program's name above its row on a phone


class Reading(NamedTuple):
    """One reading of the rules: its only layer, its own name, and what it says."""

    layer: Attention
    name: str
    rules: Sequence[str]


class Differs(NamedTuple):
    """A context that the two do not share: where it is, and what each makes of it. A result of "?" is one that is asked for."""

    head: int
    row: int
    name: str
    results: tuple[str, str]


def context_tables(
    sheet: Sheet, readings: Sequence[Reading], differ: np.ndarray, found: Sequence[Differs], words: Sequence[str]
) -> SheetFigure:
    """differ: (n_head, n) of all contexts; found: those of them that are shown, of which MOST have room; words: (n,)."""
    narrow, found = sheet.on_phone(), found[:MOST]
    row, top = ROW_ON_PHONE if narrow else sheet.row(ROWS, 2, 60, 100), 0.0
    if not found:
        return sheet.figure(_same(sheet, differ, 34) + FOOT, min_width=300 if narrow else 680)
    wide = 1.0 if narrow else (1 - NAMES - APART * (len(found) - 1)) / len(found)
    for k, it in enumerate(found):
        left = 0.0 if narrow else NAMES + k * (wide + APART)
        top = k * (HEAD + 2 * row + 14) if narrow else 0.0
        _block(sheet, readings, it, words, (left, top, wide if narrow else min(wide, 0.42), row))
    bottom = top + HEAD + 2 * row
    if not narrow:
        _programs(sheet, readings, row)
    _same(sheet, differ, bottom + 40)
    return sheet.figure(bottom + FOOT, min_width=300 if narrow else 680)


def _programs(sheet: Sheet, readings: Sequence[Reading], row: float) -> None:
    """The two programs' names and what they say, at the left of their rows."""
    for y, reading in zip((HEAD, HEAD + row), readings, strict=True):
        room = (NAMES - 0.02) * sheet.wide
        middle = y + row / 2 - 9 * len(reading.rules)
        sheet.write(0, middle, bold(short(reading.name, room / 1.07, 18)), 18, anchor="middle right")
        for i, said in enumerate(reading.rules):
            sheet.write(0, middle + 24 + 20 * i, short(said, room, 15), 15, sheet.colors.muted, "middle right")
        sheet.bar(0, y - 0.5, 1, y + 0.5, sheet.colors.hole)


def _block(
    sheet: Sheet, readings: Sequence[Reading], it: Differs, words: Sequence[str], place: tuple[float, float, float, float]
) -> None:
    """One context: the row of its weights in either program, and what comes out. place: left, top, width, height of a row."""
    colors, (left, top, wide, row), n = sheet.colors, place, len(words)
    whose = WHOSE * sheet.phone
    name = short(it.name, wide * sheet.wide / 1.07, 16)
    sheet.write(left, top + 12, bold(name), 16, anchor="middle right")
    across = wide - RESULT / sheet.wide
    strip = Grid.of(left, top + HEAD, (across / n, row), (2, n))
    column_names(sheet, strip, top + 38, words, 13.5)
    sheet.write(left + wide - 6 / sheet.wide, top + 38, "context", 13.5, colors.muted, "middle left")
    for k, (reading, result) in enumerate(zip(readings, it.results, strict=True)):
        gap = 4.0 if sheet.phone else 0.12 * row
        grid = Grid(strip.x, np.array([strip.y[k] + gap + whose, strip.y[k + 1] - gap]))
        if whose:
            sheet.write(left, float(strip.y[k]) + 12, short(reading.name, 250, 13), 13, colors.muted, "middle right")
        layer, end = reading.layer, (left + wide - 6 / sheet.wide, float(grid.down[0]))
        if result == "?":
            sheet.bar(*grid.edges, colors.hole)
            sheet.write(float(grid.x.mean()), end[1], "which share of each?", SMALL + 2, colors.muted)
        else:
            z = np.where(layer.mask[it.head, it.row], layer.weights[it.head, it.row], np.nan)[None]
            sheet.bars([grid.box(0, j) for j in np.flatnonzero(np.isnan(z[0]))], colors.hole)
            cells(sheet, grid, z, Scale(colors.weights), shares(z, grid.wide * sheet.wide, grid.tall, 17.0))
            sheet.frame(*grid.edges, colors.line, 1)
        size = min(LARGE, (RESULT - 6 - AWAY) / (1.12 * max(1.0, ems(result))))
        ink = colors.muted if result in ("none", "NaN") else colors.ink
        sheet.write(*end, bold(plain(result)), size, ink, "middle left")


def _same(sheet: Sheet, differ: np.ndarray, y: float) -> float:
    """How many contexts are the same in both, with a map of all: a row a head, a column a token. Returns where the map ends."""
    colors, (n_head, n) = sheet.colors, differ.shape
    tall, wide = min(11.0, 56.0 / n_head), min(22.0, 130.0 / n)
    grid = Grid.of(0, y - n_head * tall / 2, (wide / sheet.wide, tall), (n_head, n))
    sheet.heatmap(grid, differ.astype(float), Scale((colors.hole, colors.ink)), hover=False)
    left = float(grid.x[-1]) + 16 / sheet.wide
    sheet.write(0, float(grid.y[-1]) + 13, MAP, 13, colors.muted, "middle right")
    same = differ.size - int(differ.sum())
    large_number(
        sheet, (left, 1.0), y, f"{same} of {differ.size}", "are the same" if sheet.phone else "contexts are the same in both"
    )
    return float(grid.y[-1])
