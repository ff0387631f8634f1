"""The contexts of all rows before and after something was done: where a number is another one, it stands beside what it was."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import row_names
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.digits import context_text, gap_text, weight
from pages.parts.text.format import number, plural

LEFT, LEFT_ON_PHONE, VERDICT = 0.095, 0.2, 0.14  # shares of the width: the words, what became of a row
VIEW, LAYER2 = 0.34, 0.13  # what a row may look at, and what a second layer makes of it, where there is room
MOST_HEADS, MOST_ROWS = 5, 8  # for which there is
VIEW_ON_PHONE, FEW_HEADS, FEW_ROWS = 0.25, 4, 6  # what a row may look at there, of how few
APART, LIT = 5.0, 0.16  # pixels between two rows of it; what is left of the accent where a row changes
LINED, TWO_LINES = 46.0, 30.0  # pixels of rows with room for two lines: of the large numbers, and of what is said of a row
HEAD, LOW_HEAD, PHONE_HEAD, PHONE_ROW = 52.0, 34.0, 66.0, 46.0
BAR, THICK, INSET = 7.0, 10.0, 0.012  # pixels of a number as a bar, beneath it, and where there is more room; where both begin
UNDER = 11.0  # pixels from the middle of a row to its bars, at most: they belong to the numbers, however high the row is
LARGE, LARGE_ON_PHONE, WAS = 32.0, 20.0, 0.62  # type size of a number that is another, at most; times that: of what it was
ARROW = "→"


class Table(NamedTuple):
    """The contexts of all rows: (n, n_head), none: where a head saw nothing; title: what they are, plain text.

    largest: (n, n_head) of the values that each is made of. sees: (n, n) what the mask lets each row look at; other: (n, n) the
    part of it that makes the difference; None shows neither.
    """

    contexts: np.ndarray
    none: np.ndarray
    title: str
    sees: np.ndarray | None = None
    other: np.ndarray | None = None
    largest: np.ndarray | None = None

    def text(self, i: int, h: int) -> str:
        """One context as it is written."""
        if self.none[i, h]:
            return "none"
        return context_text(self.contexts[i, h], *(() if self.largest is None else (self.largest[i, h],)))


def rows_found(moved: np.ndarray | None, n: int) -> str:
    """How many of n rows change. moved: (n,) which do; None while that is asked.

    >>> rows_found(np.array([True, False]), 2), rows_found(np.array([False]), 1), rows_found(None, 4)
    ('1 of 2 rows changes', '0 of 1 row changes', '? of 4 rows change')
    """
    k = 2 if moved is None else int(moved.sum())
    return f"{'?' if moved is None else k} of {n} {plural(n, 'row')} {plural(k if n > 1 else 1, 'changes', 'change')}"


def rows_compared(
    sheet: Sheet,
    tables: tuple[Table, Table],
    changed: np.ndarray,
    words: Sequence[str],
    heads: Sequence[str],
    height: float = 290.0,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """tables: before and after. changed: (n, n_head) True where a number is another, by more than rounding.

    asked: whether the first row, or the last, is left as it is; what becomes of these two is still to be found until that is known.
    """
    phone, colors, (n, n_head) = sheet.on_phone(), sheet.colors, changed.shape
    roomy = n_head <= MOST_HEADS and n <= MOST_ROWS and tables[0].sees is not None and not phone
    before, after = (table.contexts for table in tables)
    gaps = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))  # a NaN that stays one is no change
    hidden = ~np.bool_(asked.known) & np.isin(np.arange(n), (0, n - 1))
    seen = changed & ~(gaps < 0.005) & ~hidden[:, None]  # a leak of softmax reads the same: the row says so, no frame does
    plain_enough = roomy and bool((seen == changed)[~hidden].all())  # keys and values at the end say what became of a row
    small = phone and n_head <= FEW_HEADS and n <= FEW_ROWS and tables[0].sees is not None
    left, view, layer2 = (LEFT_ON_PHONE, VIEW_ON_PHONE * small, 0) if phone else (LEFT, VIEW * roomy, LAYER2 * roomy)
    verdict, tall = 0 if phone else 0.02 if plain_enough else VERDICT, PHONE_ROW if phone else sheet.row(height, n, 14.5, 80)
    cell = (1 - left - view - layer2 - verdict) / n_head, tall
    grid = Grid.of(left + view, PHONE_HEAD if phone else HEAD if roomy or asked.names else LOW_HEAD, cell, (n, n_head))
    if roomy or small:  # a row that changes is lit from what it looks at to what becomes of it
        lit = [grid.row(i) for i in np.flatnonzero(seen.any(axis=1))]
        sheet.bars(((left, y0 + 2, 1.0, y1 - 2) for _, y0, _, y1 in lit), faded(colors, colors.accent, LIT))
    else:
        boxes = (grid.box(i, h) for i, h in np.argwhere(seen))
        outlines = "".join(rectangle(x0, y0 + 3, x1 - 0.004, y1 - 3) for x0, y0, x1, y1 in boxes)
        sheet.path(outlines or "M0,0Z", faded(colors, colors.accent, LIT), colors.accent, 1.5)
    barred = tall >= LINED and not phone and not roomy
    _titles(sheet, tables, grid, heads, barred)
    for i, h in np.ndindex(n, n_head):
        x0, y0, x1, y1 = grid.box(i, h)
        y1 -= 1.2 * BAR * barred + max(0.0, min(8.0, 0.5 * (tall - 60))) * barred
        waits = bool(hidden[i]) and (small or (roomy and tall >= LINED))
        texts = tables[0].text(i, h), "?" if waits else tables[1].text(i, h)
        _number(sheet, texts, (x0, y0, x1, y1), bool(seen[i, h]) or waits, barred)
    if barred:
        _bars(sheet, grid, np.array([before, np.where(hidden[:, None], before, after)]), seen)
    row_names(sheet, left - 0.012, grid, words, max(12.0, min(18.0, 0.72 * tall)))
    sheet.bars(((0, y - 0.5, 1, y + 0.5) for y in grid.y[1:]), colors.hole)
    if roomy or small:
        _views(sheet, tables[1], grid, words, view)
    if roomy:
        _layer2(sheet, grid, changed.any(axis=1), hidden)
    for i in np.flatnonzero(~hidden) if verdict == VERDICT else ():
        said = _verdict(changed[i], gaps[i], np.isnan(before[i]).sum() > np.isnan(after[i]).sum())
        _write_verdict(sheet, 1 - layer2 - 0.02 * roomy, grid.down[i], said, tall)
    for y in grid.down[hidden] if not roomy and not small else ():
        sheet.write(1.0, y, "<b>?</b>", min(28.0, 0.8 * tall), anchor="middle left")
    _answers(sheet, asked, Grid(np.array([left - 0.006, grid.x[-1] + 0.003]), grid.y), view)
    return sheet.figure(float(grid.y[-1]) + 6, min_width=0 if phone else 860)


def _titles(sheet: Sheet, tables: tuple[Table, Table], grid: Grid, heads: Sequence[str], barred: bool) -> None:
    """The heads, which begin where their bars do; on a phone what was done, too, which has no room in the headline there."""
    (was, now), small = (bold(plain(table.title)) for table in tables), 13 if sheet.phone else 15
    if sheet.phone:
        sheet.write(0, 10, was, 15, anchor="middle right")
        sheet.write(0, 30, f"beneath it {now}, where that is another number", 13, sheet.colors.accent, "middle right")
    for left, x, name in zip(grid.x, grid.across, heads, strict=False):
        at, anchor = (left + INSET, "middle right") if barred else (x, "middle center")
        room = grid.wide * sheet.wide * (1 - barred * INSET / grid.wide)
        sheet.write(at, grid.y[0] - 14, short(name, room, small), small, sheet.colors.muted, anchor)


def _number(sheet: Sheet, texts: Sequence[str], box: Box, new: bool, barred: bool) -> None:
    """A context: as it was; where it is another one, that one larger beside it, on a phone beneath. barred:
    whether a bar lies beneath it, at whose beginning it begins."""
    (x0, y0, x1, y1), colors, (was, now) = box, sheet.colors, texts
    tall = y1 - y0
    # Type grows when it is presented: in the pixels that there are then.
    pixels = sheet.wide * min(1.0, ACROSS / sheet.wide / sheet.zoom)
    room = (x1 - x0 - barred * INSET) * pixels - 8
    x, y, small = (x0 + x1) / 2 - 0.002, (y0 + y1) / 2, 16.0 if sheet.phone else 20.0 if barred else 26.0
    if not new:
        at, anchor = (x0 + INSET, "middle right") if barred else (x, "middle center")
        return sheet.write(at, y, was, min(small, max(0.62 * tall, 12.0), room / (1.1 * ems(was))), colors.muted, anchor)
    if sheet.phone or (not barred and tall >= LINED):
        large, ink = (LARGE_ON_PHONE, colors.accent) if sheet.phone else (min(LARGE, 0.46 * tall), colors.ink)
        up, down = (11, 10) if sheet.phone else (0.26 * tall, 0.16 * tall)
        sheet.write(x, y - up, was, min(16.0, room / (1.1 * ems(was))), colors.muted)
        return sheet.write(x, y + down, bold(now), min(large, room / (1.1 * ems(now))), ink)
    before = f"{was} {ARROW}"
    size = min(LARGE, 0.66 * tall, 0.86 * room / (1.1 * ems(now) + WAS * ems(before)))
    middle = x + 0.5 * size * (WAS * ems(before) - 1.1 * ems(now)) / sheet.wide
    if barred:
        middle = x0 + INSET + max(12.0, WAS * size) * ems(before) / pixels
    sheet.write(middle, y, before, max(12.0, WAS * size), colors.muted, "middle left")
    return sheet.write(middle + 0.004, y, bold(now), size, colors.ink, "middle right")


def _bars(sheet: Sheet, grid: Grid, both: np.ndarray, seen: np.ndarray) -> None:
    """Each number as a bar from zero beneath it, all on one scale; the part by which it is another one in the colour of what is new.
    both: (2, n, n_head), before and after."""
    finite, colors = both[np.isfinite(both)], sheet.colors
    low, high = min(0.0, *finite, 0.0), max(0.0, *finite, 0.0)
    if high <= low:
        return
    gone = faded(colors, colors.accent, 0.35)  # what a number has lost
    parts: dict[str, list[Box]] = {colors.bar: [], colors.accent: [], gone: []}
    for i, h in np.ndindex(both.shape[1:]):
        x0, y0, x1, y1 = grid.box(i, h)
        left, wide, ends = x0 + INSET, x1 - x0 - 0.028, both[:, i, h]
        if not np.isfinite(ends).all():
            continue
        zero, was, now = (left + wide * (float(x) - low) / (high - low) for x in (0.0, *ends))
        top = min(y1 - 2.2 * BAR, (y0 + y1) / 2 + UNDER)
        bottom = top + (min(max(THICK, 0.3 * (y1 - y0)), y1 - top - 4) if y1 - top > 2.2 * THICK else BAR)
        same = (now if abs(now - zero) < abs(was - zero) else was) if (was - zero) * (now - zero) > 0 else was
        shown = (
            [(zero, same, colors.bar), (same, now, colors.accent), (same, was, gone)] if seen[i, h] else [(zero, was, colors.bar)]
        )
        for a, b, color in shown:
            parts[color].append((min(a, b), top, max(a, b), bottom))
    for color, boxes in parts.items():
        sheet.bars(boxes, color)


def _answers(sheet: Sheet, asked: Asked, rows: Grid, view: float) -> None:
    """The first and the last row, which can be pressed; which was, and which is right, stands beneath its word, above low rows."""
    for k in range(len(asked.names)):
        box = rows.row(-k % len(rows.down))
        lined = rows.tall >= LINED
        yours = (box[0] - 0.012, box[3] - 9, "middle left") if lined else (1, rows.y[0] - 14, "middle left")
        answer_part(sheet, asked, k, box, yours, ticked=lined)
    at = (rows.x[-1], rows.y[0] - 56, "middle left") if sheet.phone else (rows.x[0] + view, rows.y[0] - 40, "middle right")
    hint(sheet, asked, *at)


def _views(sheet: Sheet, table: Table, rows: Grid, words: Sequence[str], room: float) -> None:
    """Left of each row, `room` wide, what it may look at, a cell a token; what makes the difference stands out."""
    colors, n, size = sheet.colors, len(table.sees), 13 if sheet.phone else 15
    left, wide = rows.x[0] - room, (room - (0.02 if sheet.phone else 0.03)) / n
    gap, between = min(APART, rows.tall / 8), (2 if sheet.phone else 4) / sheet.wide
    boxes = {
        (i, j): (left + j * wide, rows.y[i] + gap, left + (j + 1) * wide - between, rows.y[i + 1] - gap)
        for i, j in np.ndindex(table.sees.shape)
    }
    if not sheet.phone:
        sheet.write(left, rows.y[0] - 38, "may look at", 15, colors.muted, "middle right")
        for j, word in enumerate(words):
            new = bool((table.other & table.sees)[:, j].any())
            name = short(word, wide * sheet.wide - 6, size)
            sheet.write(left + (j + 0.5) * wide, rows.y[0] - 14, bold(name, new), size, colors.ink if new else colors.muted)
    for cells, color in (
        (~table.sees, colors.hole), (table.sees & ~table.other, faded(colors, colors.prefill, 0.45)),
        (table.sees & table.other, colors.accent),
    ):  # fmt: skip
        sheet.bars((boxes[i, j] for i, j in np.argwhere(cells).tolist()), color)


def _layer2(sheet: Sheet, rows: Grid, changed: np.ndarray, hidden: np.ndarray) -> None:
    """The key and the value that a next layer makes of each row: what it made before stays, an outline, or is another, filled."""
    colors, left, wide = sheet.colors, 1 - LAYER2 + 0.02, (LAYER2 - 0.02) / 2
    half = rows.tall / 2 - min(APART, rows.tall / 8)
    sheet.write(1, 12, "<b>in layer 2</b>: filled = changed", 15, anchor="middle left")
    for k, (name, color) in enumerate((("key", colors.key), ("value", colors.value))):
        x0, x1 = left + k * wide, left + (k + 1) * wide - 0.004
        sheet.write((x0 + x1) / 2, rows.y[0] - 14, name, 15, color)
        boxes = np.array([(x0, y - half, x1, y + half) for y in rows.down])
        if same := "".join(rectangle(*box) for box in boxes[~changed & ~hidden].tolist()):
            sheet.line(same, faded(colors, color, 0.55), 1.2)
        sheet.bars(boxes[changed & ~hidden].tolist(), color)
    for y in rows.down[hidden]:
        sheet.line(rectangle(left, y - half, 0.996, y + half), colors.muted, 1.5, "dot")
        sheet.write((left + 0.996) / 2, y, "<b>?</b>", min(34.0, 1.4 * half))


def _write_verdict(sheet: Sheet, x: float, y: float, said: tuple[str, str], tall: float) -> None:
    """A verdict, which ends at x: in two lines where the row is high enough."""
    (verdict, by), lined = said, tall >= TWO_LINES
    color, size = sheet.colors.accent if by else sheet.colors.muted, 16 if lined else min(13.0, max(12.0, 0.72 * tall))
    lines = [verdict, by] if by and lined else [f"{verdict} {by}".rstrip()]
    for k, line in enumerate(lines):
        sheet.write(x, y + 20 * k - 10 * (len(lines) - 1), line, size, color, "middle left")


def _verdict(changed: np.ndarray, gaps: np.ndarray, known_now: bool) -> tuple[str, str]:
    """What became of one row, and by how much, "" where it did not change. known_now: whether a NaN has become a number."""
    if not changed.any():
        return ("rounding" if 0 < gaps.max() <= ROUNDING else f"by {gap_text(gaps.max())}" if gaps.any() else "identical"), ""
    if np.isnan(gaps).any():
        return "<b>changed</b>", f"{'from' if known_now else 'to'} NaN"
    least, gap = (number(g) if g >= 0.005 else weight(g) for g in (gaps[changed].min(), gaps.max()))
    return "<b>changed</b>", f"by {'' if least == gap else 'up to '}{gap}"
