"""Two turns of a chat beneath each other, a token as wide in both: what was said, and what of it comes from the cache at the second."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle

LEFT, HIGH, BETWEEN = 0.135, 254.0, 10.0  # share of the width for names; pixels of all strips, and between two
NAME, HIGH_ON_PHONE = 24.0, 342.0  # pixels of a name above its strip, where there is no room beside it
NUMBER, WORDS, SMALL = 26.0, 16.0, 13.0  # type sizes of how many tokens, and of what becomes of them
BOLD = 1.1  # times as wide as regular type
BLOCK_GAP = 4.0  # pixels between blocks
NAMED = {"": "First turn", "kept": "Second turn", "first": "Clock time first", "last": "Clock time last"}


class Turn(NamedTuple):
    """A prompt. name: one of NAMED; kinds: of row_strips.SIGNS, for each token, "" where that is to be found; says: what a kind means
    here, "" of which it is to be found; times: where a clock time's tokens stand, and how it reads."""

    name: str
    kinds: Sequence[str]
    says: Mapping[str, str]
    times: Sequence[int] = ()
    time: str = ""


def turn_strips(sheet: Sheet, turns: Sequence[Turn], n_most: int, block_size: int, says: str = "") -> SheetFigure:
    """n_most: tokens of the longest turn that will be drawn. says: what the turns come to."""
    phone = sheet.on_phone()
    left, name, whole = (0.0, NAME, HIGH_ON_PHONE) if phone else (LEFT, 0.0, HIGH)
    high, cell = (whole + BETWEEN) / len(turns), (1 - left) / n_most
    row = high - name - BETWEEN
    for k, turn in enumerate(turns):
        y, sought = k * high + name, "" in turn.kinds
        middle = y - 13 if phone else y + (0.24 if sought else 0.5) * row
        sheet.write(0, middle, bold(NAMED[turn.name]), 16, anchor="middle right")
        if sought:
            _asks(sheet, middle if phone else y + 0.66 * row, turn.says[""])
        _strip(sheet, turn, (left, y, cell, row), block_size)
    return under_headline(sheet, says).figure(whole + 4, min_width=0 if phone else 700)


def _asks(sheet: Sheet, y: float, of: str) -> None:
    """The number that is asked for, at the left, on a phone at the right."""
    wide = (1.2 * NUMBER * ems("?") + 8) / sheet.wide
    right = 1 - (16 * ems(of)) / sheet.wide if sheet.phone else wide
    sheet.write(right - wide, y, bold("?"), 1.2 * NUMBER, anchor="middle right")
    sheet.write(right, y + 3, of, 16, anchor="middle right")


def _strip(sheet: Sheet, turn: Turn, place: Box, block_size: int) -> None:
    """One turn: each run of tokens of a kind as one area that says how many they are, each token's key and value at its foot; empty
    places of those that are to be found. place: left and upper edge, a token's width, the height."""
    left, y, cell, row = place
    colors, fills, foot, at = sheet.colors, grounds(sheet.colors), y + row - edge(row), 0
    for kind, run in groupby(turn.kinds):
        n = len(list(run))
        x0, x1 = left + at * cell, left + (at + n) * cell - 2 / sheet.wide
        ends = [BLOCK_GAP if (j + 1) % block_size == 0 else 1.0 for j in range(at, at + n)]
        top = foot if kind else y
        cells = [
            (x0 + k * cell, top, x0 + (k + 1) * cell - min(gap / sheet.wide, 0.15 * cell), y + row) for k, gap in enumerate(ends)
        ]
        at += n
        if not kind:
            sheet.line("".join(rectangle(*box) for box in cells), colors.muted, 1.0)
            continue
        sheet.bar(x0, y, x1, y + row, fills[kind])
        cache_rows(sheet, {"read" if kind == "again" else "kept": cells}, "lying")
        if kind == "again":
            sheet.line(rectangle(x0, y, x1, y + row), colors.wasted, 2.0)
        stops = [at - n - 1, *(j for j in turn.times if at - n <= j < at), at]  # between them is room for words
        free, start = max((stop - last - 1, last + 1) for last, stop in pairwise(stops))
        _says(sheet, (left + start * cell, y, left + (start + free) * cell, foot), n, turn.says[kind], ink_on(fills[kind]))
    _clock(sheet, turn, (left, y, cell, foot if all(turn.kinds) else y + row))


def _clock(sheet: Sheet, turn: Turn, place: Box) -> None:
    """The tokens of a clock time, which is written in them where it has room. place: left and upper edge, a token's width, the foot."""
    left, y, cell, foot = place
    for j in turn.times:
        sheet.bar(left + j * cell, y, left + (j + 1) * cell - 2 / sheet.wide, foot, sheet.colors.ink)
    if turn.times and SMALL * ems(turn.time) + 4 <= len(turn.times) * cell * sheet.wide:
        middle = left + (turn.times[0] + turn.times[-1] + 1) / 2 * cell - 1 / sheet.wide
        sheet.write(middle, (y + foot) / 2, turn.time, SMALL, sheet.colors.surface)


def _says(sheet: Sheet, box: Box, n: int, what: str, ink: str) -> None:
    """How many, in large type, and what becomes of them, beside that or its last word beneath; of both what has room."""
    x0, top, x1, foot = box
    number, room = NUMBER * BOLD * ems(str(n)), (x1 - x0) * sheet.wide - 10
    x, last = x0 + 6 / sheet.wide, what.split(" ")[-1]
    beside, beneath = number + 6 + WORDS * ems(what) <= room, max(number, SMALL * ems(last)) <= room
    if beside or beneath:
        sheet.write(
            x,
            top + (0.5 if beside else 0.4) * (foot - top),
            bold(str(n)),
            NUMBER if beside else 0.8 * NUMBER,
            ink,
            "middle right",
        )
        if beside:
            sheet.write(x + (6 + number) / sheet.wide, (top + foot) / 2 + 2, what, WORDS, ink, "middle right")
        else:
            sheet.write(x, foot - 7, last, SMALL, ink, "middle right")
    elif 0.6 * number <= room + 8:
        sheet.write((x0 + x1) / 2, (top + foot) / 2, bold(str(n)), 0.6 * NUMBER, ink)
