"""What each row may look at, and its contexts, a tile each: one that something made another is dark, with what it was above it; at the
right, whether the row is new or stays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, open_place
from pages.parts.drawing.grid import Box, Grid, inside
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, plain, short, type_size
from pages.parts.text.digits import context_text, gap_text
from pages.parts.text.format import plural

# Shares of the width
LEFT = 0.095  # of the words
LEFT_ON_PHONE = 0.17
VERDICT = 0.12  # of what becomes of a row
VERDICT_ON_PHONE = 0.14
VIEW = 0.36  # of what a row may look at
LESS_VIEW = 0.24  # the same beside more than MOST_HEADS heads
VIEW_ON_PHONE = 0.22
MOST_HEADS = 5
FEW_HEADS = 4  # heads up to which a phone shows what a row may look at
FEW_ROWS = 6  # rows up to which it does
APART = 3.0  # pixels around a tile
BETWEEN = 0.022  # of the width, between what a row may look at and its contexts
MANY_ROWS, LESS = 8, 0.86  # beyond which lists of tokens are higher, and so much is left for the rows
TWO_LINES = 38.0  # pixels of rows in which a number stands beneath what it was
HEAD = 58.0  # pixels above the rows
PHONE_HEAD = 46.0
PHONE_ROW = 54.0  # pixels of a row on a phone
LARGE = 36.0  # type size of a number that is another, at most
LEAST = 12.0  # type size, the smallest
LEAST_ON_PHONE = 13.0
WAS = 0.62  # times as large as a number is the one before it
NARROW = 34.0  # pixels of a cell that has no room for a word
PALE = 0.3  # what is left of the blue of a cell that was there before
ARROW = "→"


class Table(NamedTuple):
    """The contexts of all rows: (n, n_head), none: where a head saw nothing; title: what they are, plain text.

    sees: (n, n) what the mask lets each row look at; other: (n, n) the part of it that makes the difference. largest: (n, n_head)
    of the values that each is made of.
    """

    contexts: np.ndarray
    none: np.ndarray
    title: str
    sees: np.ndarray
    other: np.ndarray
    largest: np.ndarray | None = None

    def text(self, i: int, h: int) -> str:
        """One context as it is written."""
        if self.none[i, h]:
            return "none"
        return context_text(self.contexts[i, h], *(() if self.largest is None else (self.largest[i, h],)))


def rows_found(moved: np.ndarray | None, n: int, by: str = "") -> str:
    """How many of n rows change. moved: (n,) which do; None while that is asked. by: how much, at least, where others do by less.

    >>> rows_found(np.array([True, False]), 2), rows_found(np.array([False]), 1), rows_found(None, 4)
    (': 1 of 2 rows changes', ': 0 of 1 row changes', ': which rows stay?')
    """
    if moved is None:
        return f": {plural(n, 'does the row stay?', 'which rows stay?')}"
    k = int(moved.sum())
    return f": {k} of {n} {plural(n, 'row')} {plural(k if n > 1 else 1, 'changes', 'change')}{by}"


def rows_compared(
    sheet: Sheet,
    tables: tuple[Table, Table],
    changes: tuple[np.ndarray, np.ndarray],
    words: Sequence[str],
    heads: Sequence[str],
    height: float = 290.0,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """tables: before and after. changes: (n, n_head) True where a number is another, by more than rounding; (n,) rows that change hardly.

    asked: whether the first row, or the last, stays as it is; what is after is to be found until that is known.
    """
    phone, colors, (changed, hardly) = sheet.on_phone(), sheet.colors, changes
    n, n_head = changed.shape
    before, after = (table.contexts for table in tables)
    gaps = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))  # a NaN that stays one is no change
    changed = changed & asked.known
    # What reads the same, as a leak of softmax does, is no other number on the page: its row says by how much it changes.
    seen = changed & np.array([[tables[0].text(i, h) != tables[1].text(i, h) for h in range(n_head)] for i in range(n)])
    left, verdict = (LEFT_ON_PHONE, VERDICT_ON_PHONE) if phone else (LEFT, VERDICT)
    view = VIEW_ON_PHONE * (n_head <= FEW_HEADS and n <= FEW_ROWS) if phone else VIEW if n_head <= MOST_HEADS else LESS_VIEW
    tall = PHONE_ROW if phone else sheet.row(height if n <= MANY_ROWS else LESS * height, n, 13.2, 160)
    grid = Grid.of(left + view, PHONE_HEAD if phone else HEAD, ((1 - left - view - verdict) / n_head, tall), (n, n_head))
    _titles(sheet, tables, grid, heads, asked.known)
    gap = (APART / sheet.wide * min(1.0, grid.wide * sheet.wide / 60), min(APART, tall / 12))
    tiles = {at: inside(grid.box(*at), *gap) for at in np.ndindex(n, n_head)}
    sheet.bars((tiles[at] for at in tiles if not seen[at]), colors.hole)
    sheet.bars((tiles[at] for at in tiles if seen[at]), colors.ink)
    widest = max((tables[1].text(*at) for at in tiles if seen[at]), key=ems, default="")
    for at, box in tiles.items():
        _number(sheet, (tables[0].text(*at), tables[1].text(*at)), box, bool(seen[at]), widest)
    size = max(LEAST, min(15.0 if phone else 20.0, 0.72 * tall))
    for y, word in zip(grid.down, words, strict=True):
        sheet.write(left - 0.012, y, short(word, (left - 0.012) * sheet.wide, size), size, anchor="middle left")
    if view:
        _views(sheet, tables[1], grid, words, view)
    new, most = seen.any(axis=1) & ~hardly, np.where(changed, gaps, 0.0).max(axis=1)
    _verdicts(sheet, Grid(np.array([float(grid.x[-1]) + 0.008, 1.0]), grid.y), new, most, asked.known)
    _answers(sheet, asked, Grid(np.array([left - 0.006, float(grid.x[-1]) + 0.003]), grid.y))
    return sheet.figure(float(grid.y[-1]) + 6, min_width=860)


def _titles(sheet: Sheet, tables: tuple[Table, Table], grid: Grid, heads: Sequence[str], known: bool) -> None:
    """Whose contexts stand there."""
    was, small, x0 = plain(tables[0].title), 13 if sheet.phone else 17, float(grid.x[0])
    size, y = (14, grid.y[0] - 34) if sheet.phone else (18, grid.y[0] - 42)
    sheet.write((x0 + grid.x[-1]) / 2, y, bold(f"contexts{'' if known else f', {was}'}"), size)
    for x, name in zip(grid.across, heads, strict=True):
        sheet.write(x, grid.y[0] - 14, short(name, grid.wide * sheet.wide - 2, small), small)


def _number(sheet: Sheet, texts: Sequence[str], box: Box, new: bool, widest: float) -> None:
    """A context: as it was; where it is another one, that one larger, beneath it or, in low rows, beside it where there is room.
    widest: of the new ones, in units of their type, which is the same for all of them."""
    (x0, y0, x1, y1), colors, (was, now) = box, sheet.colors, texts
    tall, on = y1 - y0, sheet.colors.surface
    # Type grows when it is presented: in the pixels that there are then.
    room = (x1 - x0) * sheet.wide * min(1.0, ACROSS / sheet.wide / sheet.zoom) - (2 if sheet.phone else 8)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    if not new:
        most = min(16.0 if sheet.phone else 28.0, max(0.62 * tall, LEAST))
        return sheet.write(x, y, was, type_size(was, room, most), colors.ink)
    before = was if sheet.phone else f"{was} {ARROW}"
    if tall >= TWO_LINES:
        small = type_size(before, room, min(18.0, 0.28 * tall))
        fits = small >= (LEAST_ON_PHONE if sheet.phone else LEAST)
        sheet.write_all(x, y - 0.27 * tall, [before] * fits, small, on)
        large = type_size(widest, room, min(LARGE, 0.46 * tall), LEAST)
        return sheet.write(x, y + 0.16 * tall * fits, bold(now), large, on)
    size = min(LARGE, max(LEAST, 0.66 * tall), 0.9 * room / (bold_ems(now) + WAS * ems(before)))
    if WAS * size < 0.75 * LEAST:
        return sheet.write(x, y, bold(now), type_size(now, room, 0.66 * tall, LEAST), on)
    small = max(LEAST, WAS * size)
    if size * bold_ems(now) + small * ems(before) > room:
        return sheet.write(x, y, bold(now), type_size(now, room, min(LARGE, max(LEAST, 0.66 * tall))), on)
    middle = x + 0.5 * (small * ems(before) - size * bold_ems(now)) / sheet.wide
    sheet.write(middle - 0.002, y, before, small, on, "middle left")
    return sheet.write(middle + 0.002, y, bold(now), size, on, "middle right")


def _answers(sheet: Sheet, asked: Asked, rows: Grid) -> None:
    """The first and the last row, which can be pressed; which was, and which is right, stands beneath its word, above low rows."""
    lined = rows.tall >= TWO_LINES
    for k in range(len(asked.names)):
        box = rows.row(-k % len(rows.down))
        yours = (box[0] - 0.012, box[3] - 9, "middle left") if lined else (1, rows.y[0] - 14, "middle left")
        answer_part(sheet, asked, k, box, yours, ticked=lined)


def _views(sheet: Sheet, table: Table, rows: Grid, words: Sequence[str], room: float) -> None:
    """Left of each row, `room` wide, what it may look at, a cell a token; what makes the difference stands out."""
    colors, n, size = sheet.colors, len(table.sees), 13 if sheet.phone else 17
    left, wide = rows.x[0] - room, (room - BETWEEN) / n
    gap, between = min(APART, rows.tall / 8), (2 if sheet.phone else 4) / sheet.wide
    boxes = {
        (i, j): (left + j * wide, rows.y[i] + gap, left + (j + 1) * wide - between, rows.y[i + 1] - gap)
        for i, j in np.ndindex(table.sees.shape)
    }
    sheet.write(
        left, rows.y[0] - (34 if sheet.phone else 42), bold("may look at"), 14 if sheet.phone else 18, anchor="middle right"
    )
    new, roomy = (table.other & table.sees).any(axis=0), wide * sheet.wide >= NARROW
    alone = np.flatnonzero(new).tolist() if new.sum() == 1 else []  # its name may be wider than its column
    for j in range(n) if roomy else alone:
        name = short(words[j], wide * sheet.wide - 6 if roomy else 2 * wide * sheet.wide, size)
        sheet.write(left + (j + 0.5) * wide, rows.y[0] - 14, bold(name, bool(new[j])), size)
    for cells, color in (
        (~table.sees, colors.hole), (table.sees & ~table.other, faded(colors, colors.prefill, PALE)),
        (table.sees & table.other, colors.prefill),
    ):  # fmt: skip
        sheet.bars((boxes[i, j] for i, j in np.argwhere(cells).tolist()), color)


def _verdicts(sheet: Sheet, rows: Grid, new: np.ndarray, most: np.ndarray, known: bool) -> None:
    """What becomes of each row: new; by how much it is another one, where that is little; or stays. One open place while that is to be
    found. most: (n,) by how much at most a context of a row changes."""
    colors, (x0, top, x1, bottom) = sheet.colors, rows.edges
    x, pixels = (x0 + x1) / 2, (x1 - x0) * sheet.wide
    if not known:
        open_place(sheet, x0 + 0.004, top + APART, x1, bottom - APART)
        return sheet.write(x, (top + bottom) / 2, bold("?"), min(96.0, 0.7 * (bottom - top), 1.2 * pixels))
    for i, y in enumerate(rows.down):
        said = "new" if new[i] else f"by {gap_text(most[i])}" if most[i] else "stays"
        size = type_size(said, pixels - 4, min(26.0, 0.6 * rows.tall), LEAST)
        sheet.write(x, y, bold(said, bool(new[i])), size, colors.ink if new[i] else colors.muted)
