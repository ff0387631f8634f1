"""The split point: one head of the same tokens as prefill with decoded rows beneath it, and as one prefill, row beside row; between
both stand their contexts, and whether they are the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING, gaps
from engine.experiments.rows import Rows
from pages.lessons.decode.figures.passes import PassCells
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint, open_place
from pages.parts.drawing.cells import NARROW, SMALL, column_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import LEAST
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short, type_size
from pages.parts.text.digits import context_text
from pages.parts.text.format import plural, quantity

HEIGHT = 276.0  # pixels of the rows on a projector
FIRST, FOOT = 58.0, 36.0  # pixels above the rows, and beneath them
LOWEST = 12.0  # pixels of a row, at least
HIGHEST = 68.0  # pixels of a row, at most
ON_PHONE = 200.0  # pixels of all rows
VEILED = 0.32  # of its colour has a cell whose number is still to be found
READ = 14.0  # pixels of a row that is parted from the next one
CONTEXT, SOUGHT = 32.0, 72.0  # type sizes of a context at most, and of the question mark
SIGN = 0.544  # share of the width: between the contexts of both ways
BAR = 0.006  # share of the width: of the bar of a pass, and of what parts it from the cells


class Place(NamedTuple):
    """Where one way stands: its rows' names end at `names`, none where that is 0; its cells; its contexts; its top."""

    names: float
    cells: tuple[float, float]
    contexts: tuple[float, float]
    top: float


class Way(NamedTuple):
    """One way of computing the rows: what came out, the edges between its passes as row numbers, and whether its old rows wait."""

    rows: Rows
    passes: list[tuple[int, int]]
    waits: bool


def split_point(
    sheet: Sheet, ways: tuple[Rows, Rows], n_prefill: int, words: Sequence[str], shown: tuple[int, str], asked: Asked = NOT_ASKED
) -> SheetFigure:
    """Weights and contexts of n tokens in one head, computed in two ways.

    shown: which head, and its name. ways: a prefill of n_prefill tokens and one decode pass for each further one; one prefill of all n.
    asked: whether the last of the old rows comes out different, or one before it; once that is known, those of the second way are
    shown, and beside each pair whether the two are the same.
    """
    narrow, n, (head, name) = sheet.on_phone(), len(words), shown
    decoded = n - n_prefill
    tall = max(LOWEST, min(40.0, ON_PHONE / n)) if narrow else sheet.row(HEIGHT, n, LOWEST, HIGHEST)
    places = _places(narrow, FIRST + n * tall + 18)
    split, whole = [(0, n_prefill), *((i, i + 1) for i in range(n_prefill, n))], [(0, n)]
    both = Way(ways[0], split, False), Way(ways[1], whole, not asked.known)
    steps = f"{decoded} × decode" if narrow else f"{decoded} decode {plural(decoded, 'step')}: {1 + decoded} passes"
    titles = f"over {quantity(n_prefill, 'token')}, then {steps}", f"over {quantity(n, 'token')}: 1 pass"
    drawn = PassCells()
    for way, place, title in zip(both, places, titles, strict=True):
        grid = Grid(
            place.cells[0] + (place.cells[1] - place.cells[0]) / n * np.arange(n + 1), place.top + FIRST + tall * np.arange(n + 1)
        )
        start = 0.0 if narrow else place.cells[0] - 2 * BAR
        sheet.write(start, place.top + 12, f"<b>prefill</b> {title}", 15 if narrow else 17, anchor="middle right")
        sheet.write(place.contexts[1], place.top + 42, "<b>context</b>", 15, anchor="middle left")
        _column_names(sheet, grid, way, words)
        _draw_way(sheet, drawn, way, grid, head)
        _names(sheet, way, place, grid, words)
        _contexts(sheet, way, place, grid, head)
    if not narrow:
        _signs(sheet, ways, head, grid, asked.known)
    drawn.draw(sheet, lines=tall >= LEAST)
    if not narrow:  # on a phone the buttons beneath say it
        sheet.write(0, 42, bold(short(f"head {name}", 0.1 * sheet.wide, 15)), 15, anchor="middle right")
    return _foot(sheet, asked, places[1], grid)


def _places(narrow: bool, below: float) -> tuple[Place, Place]:
    """Where the two ways stand: beside each other, on a phone the second `below` the first."""
    if narrow:
        return Place(0.2, (0.24, 0.8), (0.812, 1.0), 0.0), Place(0.2, (0.24, 0.8), (0.812, 1.0), below)
    return Place(0.088, (0.112, 0.436), (0.448, 0.522), 0.0), Place(0.0, (0.67, 0.996), (0.56, 0.634), 0.0)


def _signs(sheet: Sheet, ways: tuple[Rows, Rows], head: int, grid: Grid, known: bool) -> None:
    """Between the two contexts of a row whether they are the same, if the second one may be known; of those that differ by less than is
    written that they are nearly so."""
    apart = gaps(*(rows.context[head] for rows in ways))
    apart[ways[0].empty[head] != ways[1].empty[head]] = np.inf  # none is no 0
    for i, y in enumerate(grid.down):
        if known or i == len(grid.down) - 1:
            written = {context_text(rows.context[head, i], rows.largest[head, i]) for rows in ways}
            sign = "=" if apart[i] <= ROUNDING else "≈" if len(written) == 1 and np.isfinite(apart[i]) else "≠"
            size = max(SMALL, min(CONTEXT, 0.62 * grid.tall))
            sheet.write(SIGN, y, sign, size, sheet.colors.muted if sign == "=" else sheet.colors.ink)


def _foot(sheet: Sheet, asked: Asked, place: Place, grid: Grid) -> SheetFigure:
    """What can be pressed of the second way, and beneath it how to answer."""
    n, y = len(grid.down), float(grid.y[-1]) + 20
    for k, (start, stop) in enumerate(((0, n - 2), (n - 2, n - 1))[-len(asked.names) :] if asked != NOT_ASKED else ()):
        box = min(place.cells[0], place.contexts[0]) - 0.004, float(grid.y[start]), 1.0, float(grid.y[stop])
        answer_part(sheet, asked, k, box, (box[0], y, "middle right"), ticked=False)
    hint(sheet, asked, 1, y)
    return sheet.figure(float(grid.y[-1]) + FOOT, min_width=720, on_phone=300)


def _draw_way(sheet: Sheet, drawn: PassCells, way: Way, grid: Grid, head: int) -> None:
    """The weights of one way, each pass in its colour; of rows that wait the cells without their numbers."""
    colors, n = sheet.colors, len(grid.down)
    first = way.passes[0][1]
    if way.waits:
        sheet.bar(*grid.rows(0, n - 1).edges, faded(colors, colors.prefill, VEILED))
        drawn.hide(way.rows, head, grid, n)
        drawn.add(sheet, way.rows, head, n - 1, grid.rows(n - 1, n), colors.prefill)
        if grid.tall >= READ:
            lines = "".join(f"M{grid.x[0]:.5f},{y:.2f}H{grid.x[-1]:.5f}" for y in grid.y[1:n])
            sheet.line(lines, colors.surface, 1)
        return
    drawn.hide(way.rows, head, grid.rows(0, first), first)
    for k, (start, stop) in enumerate(way.passes):
        drawn.add(sheet, way.rows, head, start, grid.rows(start, stop), colors.decode if k else colors.prefill)
    if first < n:  # a pale orange is brown in the dark
        sheet.frame(*grid.rows(first, n).edges, colors.decode, 2)


def _column_names(sheet: Sheet, grid: Grid, way: Way, words: Sequence[str]) -> None:
    """The words above the cells, those of decoded rows in their colour."""
    first = way.passes[0][1]
    late = grid.tall >= READ and grid.wide * sheet.wide >= NARROW
    n, size = (first if late else len(words)), 15.0
    column_names(sheet, grid.columns(0, n), float(grid.y[0]) - 16, words[:n], size)
    for j in range(n, len(words)):
        word = bold(short(words[j], grid.wide * sheet.wide - 2, size))
        sheet.write(grid.across[j], float(grid.y[0]) - 16, word, size, sheet.colors.decode)


def _names(sheet: Sheet, way: Way, place: Place, grid: Grid, words: Sequence[str]) -> None:
    """A bar for each pass, and where there is room for them the words of its rows."""
    size, x = min(17.0, max(LEAST, 0.7 * grid.tall)), place.cells[0] - 2 * BAR
    for k, (start, stop) in enumerate(way.passes):
        color = sheet.colors.decode if k else sheet.colors.prefill
        end = min(2.0, grid.tall / 8)
        sheet.bar(x, float(grid.y[start]) + end, x + BAR, float(grid.y[stop]) - end, color)
        for i in range(start, stop) if place.names and grid.tall >= LOWEST else ():
            name = short(words[i], place.names * sheet.wide, size)
            sheet.write(place.names, grid.down[i], bold(name, i == len(words) - 1), size, color, "middle left")


def _contexts(sheet: Sheet, way: Way, place: Place, grid: Grid, head: int) -> None:
    """The head's context of each row, large; of those that wait one open place, with their weights."""
    n, room, rows = len(grid.down), (place.contexts[1] - place.contexts[0]) * sheet.wide, way.rows
    for i in range(n):
        if way.waits and i < n - 1:
            continue
        text = "none" if rows.empty[head, i] else context_text(rows.context[head, i], rows.largest[head, i])
        size = type_size(text, room, min(CONTEXT, 0.62 * grid.tall), SMALL)
        color = sheet.colors.decode if i >= way.passes[0][1] else sheet.colors.prefill
        sheet.write(place.contexts[1], grid.down[i], bold(text, i == n - 1), size, color, "middle left")
    if way.waits and n > 1:
        left, right = min(place.contexts[0], grid.x[0]), max(place.contexts[1], grid.x[-1])
        top, bottom, aside = float(grid.y[0]), float(grid.y[n - 1]) - 2, 4 / sheet.wide
        open_place(sheet, left - aside, top, min(right + aside, 1 - 1 / sheet.wide), bottom)
        sheet.write((left + right) / 2, (top + bottom) / 2, bold("?"), max(SMALL, min(SOUGHT, 0.8 * (bottom - top))))
