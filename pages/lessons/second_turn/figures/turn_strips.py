"""Two turns of a chat beneath each other, a token as wide in both: what was said, and what of it comes from the cache at the second."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, plain, rectangle, type_size

LEFT = 0.165  # of the width have the names
HIGH = 264.0  # pixels of all strips
BETWEEN = 8.0  # pixels between two strips
NAME, HIGH_ON_PHONE = 24.0, 364.0  # pixels of a name above its strip, where there is no room beside it
ABOVE = 24.0  # pixels above a strip in which a clock time is written
NUMBER = 30.0  # type size of how many tokens
WORDS = 20.0  # type size of what becomes of them
SMALL = 13.0  # type size of the last word of that, where it stands beneath
SOUGHT = 44.0  # of the question mark
BLOCK_GAP = 4.0  # pixels between blocks
NAMED = {"": "First turn", "kept": "Second turn", "first": "Clock time first", "last": "Clock time last"}


class Turn(NamedTuple):
    """A prompt. name: one of NAMED; kinds: of row_strips.SIGNS, for each token, "" where that is to be found; says: what a kind means
    here, "" of which it is to be found; times: how a clock time reads, and where its tokens stand."""

    name: str
    kinds: Sequence[str]
    says: Mapping[str, str]
    times: Sequence[tuple[str, range]] = ()


def turn_strips(
    sheet: Sheet, turns: Sequence[Turn], n_most: int, block_size: int, says: str = "", on_phone: str | None = None
) -> SheetFigure:
    """n_most: tokens of the longest turn that will be drawn. says, on_phone: what the turns come to."""
    phone = sheet.on_phone()
    left, name, whole = (0.0, NAME, HIGH_ON_PHONE) if phone else (LEFT, 0.0, HIGH)
    cell, timed = (1 - left) / n_most, ABOVE * sum(bool(turn.times) for turn in turns)
    row = (whole + BETWEEN - timed) / len(turns) - name - BETWEEN
    y = 0.0
    for turn in turns:
        above = ABOVE * bool(turn.times)
        at, size = (y + 12, 16) if phone else (y + above + 0.5 * row, 20)
        sheet.write(0, at, bold(NAMED[turn.name]), size, anchor="middle right")
        y += name + above
        _strip(sheet, turn, (left, y, cell, row), block_size)
        _clock(sheet, turn, (left, y, cell, row if "" in turn.kinds else row - edge(row)))
        y += row + BETWEEN
    return under_headline(sheet, says, on_phone).figure(whole + 4, min_width=700)


def _open_strip(sheet: Sheet, place: Box, n: int, of: str, block_size: int) -> None:
    """Of a turn of n tokens how many come from the cache is to be found: one open place, at whose foot its blocks are marked."""
    left, y, cell, row = place
    right, middle = left + n * cell, left + n * cell / 2
    open_place(sheet, left, y, right, y + row)
    if ends := [left + k * cell for k in range(block_size, n, block_size)]:
        sheet.line("".join(f"M{x:.5f},{y + row - 10:.2f}L{x:.5f},{y + row:.2f}" for x in ends), sheet.colors.muted, 1.5)
    sheet.write(middle - 4 / sheet.wide, y + row / 2, bold("?"), min(SOUGHT, 0.7 * row), anchor="middle left")
    sheet.write(middle + 6 / sheet.wide, y + row / 2 + 3, of, 16 if sheet.phone else WORDS, anchor="middle right")


def _strip(sheet: Sheet, turn: Turn, place: Box, block_size: int) -> None:
    """One turn: each run of tokens of a kind as one area that says how many they are, each token's key and value at its foot; one open
    place where that is to be found. place: left and upper edge, a token's width, the height."""
    if "" in turn.kinds:
        _open_strip(sheet, place, len(turn.kinds), turn.says[""], block_size)
        return
    left, y, cell, row = place
    colors, fills, foot, at = sheet.colors, grounds(sheet.colors), y + row - edge(row), 0
    for kind, run in groupby(turn.kinds):
        n = len(list(run))
        x0, x1 = left + at * cell, left + (at + n) * cell - 2 / sheet.wide
        ends = [BLOCK_GAP if (j + 1) % block_size == 0 else 1.0 for j in range(at, at + n)]
        gaps = [min(gap / sheet.wide, 0.15 * cell) for gap in ends]
        cells = [(x0 + k * cell, foot, x0 + (k + 1) * cell - gap, y + row) for k, gap in enumerate(gaps)]
        at += n
        sheet.bar(x0, y, x1, y + row, fills[kind])
        cache_rows(sheet, {"read" if kind == "again" else "kept": cells}, "lying")
        if kind == "again":
            sheet.line(rectangle(x0, y, x1, y + row), colors.wasted, 2.0)
        times = [j for _, places in turn.times for j in places if at - n <= j < at]
        stops = [at - n - 1, *times, at]  # between them is room for words
        free, start = max((stop - last - 1, last + 1) for last, stop in pairwise(stops))
        _says(sheet, (left + start * cell, y, left + (start + free) * cell, foot), n, turn.says[kind], ink_on(fills[kind]))


def _clock(sheet: Sheet, turn: Turn, place: Box) -> None:
    """The tokens of each clock time, which is written above them. place: left and upper edge, a token's width, the height."""
    left, y, cell, high = place
    for word, at in turn.times:
        x0, x1 = left + at.start * cell, left + at.stop * cell - 2 / sheet.wide
        sheet.bar(x0, y - 5, x1, y + high, sheet.colors.ink)
        size = 15.0 if sheet.phone else 18.0
        half = bold_ems(word) * size / 2 / sheet.wide
        sheet.write(min(max((x0 + x1) / 2, half), 1 - half), y - 15, bold(plain(word)), size)


def _says(sheet: Sheet, box: Box, n: int, what: str, ink: str) -> None:
    """How many, in large type, and what becomes of them, beside that or on a phone its last word beneath; of both what has room."""
    x0, top, x1, foot = box
    number, room = NUMBER * bold_ems(str(n)), (x1 - x0) * sheet.wide - 10
    x, last = x0 + 6 / sheet.wide, what.split(" ")[-1]
    size = type_size(what, room - number - 6, WORDS, strong=False)
    beside, beneath = size >= 14, sheet.phone and max(number, SMALL * ems(last)) <= room
    if beside or beneath:
        share, large = (0.5, NUMBER) if beside else (0.4, 0.8 * NUMBER)
        sheet.write(x, top + share * (foot - top), bold(str(n)), large, ink, "middle right")
        if beside:
            sheet.write(x + (6 + number) / sheet.wide, (top + foot) / 2 + 2, what, size, ink, "middle right")
        else:
            sheet.write(x, foot - 7, last, SMALL, ink, "middle right")
    elif 0.6 * number <= room + 8:
        sheet.write((x0 + x1) / 2, (top + foot) / 2, bold(str(n)), 0.6 * NUMBER, ink)
