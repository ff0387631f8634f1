"""Two turns of a chat beneath each other, a token as wide in both: what was said, and what of it comes from the cache at the second."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from pages.parts.drawing.answers import number_to_find
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short

LEFT, ROW, BETWEEN = 0.135, 56.0, 10.0  # share of the width for names; pixels of a strip, and between two
NAME, ROW_ON_PHONE = 22.0, 56.0  # pixels of a name above its strip, where there is no room beside it
NUMBER, WORDS, SMALL = 26.0, 16.0, 13.0  # type sizes of how many tokens, and of what becomes of them
BOLD = 1.1  # times as wide as regular type
BLOCK_GAP = 4.0  # pixels between blocks
NAMED = {"": "First turn", "kept": "Second turn", "first": "Clock time first", "last": "Clock time last"}


class Turn(NamedTuple):
    """A prompt. name: one of NAMED; kinds: of row_strips.SIGNS, for each token; says: what a kind means
    here; times: where a clock time's tokens stand."""

    name: str
    kinds: Sequence[str]
    says: Mapping[str, str]
    times: Sequence[int] = ()


def turn_strips(
    sheet: Sheet, turns: Sequence[Turn], n_most: int, block_size: int, sought: tuple[str, str], says: str = ""
) -> SheetFigure:
    """n_most: tokens of the longest turn that will be drawn. sought: the word that stands in front then, and what is to be found, in
    place of two turns that are not there yet. says: what the turns come to."""
    phone = sheet.on_phone()
    left, name, row = (0.0, NAME, ROW_ON_PHONE) if phone else (LEFT, 0.0, ROW)
    high, cell = name + row + BETWEEN, (1 - left) / n_most
    for k, turn in enumerate(turns):
        y = k * high + name
        sheet.write(0, y - 12 if phone else y + row / 2, bold(NAMED[turn.name]), 16, anchor="middle right")
        _strip(sheet, turn, (left, y, cell, row), block_size)
    if len(turns) == 2:
        y = 2 * high
        if not phone:
            sheet.write(0, 3 * high - BETWEEN / 2, bold(NAMED["first"]), 16, anchor="middle right")
        _to_find(sheet, (left, y + (4 if phone else 0), 1.0, 4 * high - BETWEEN), *sought)
    return under_headline(sheet, says).figure(4 * high - BETWEEN + 4, min_width=0 if phone else 700)


def _strip(sheet: Sheet, turn: Turn, place: Box, block_size: int) -> None:
    """One turn: each run of tokens of a kind as one area that says how many they are, each token's key and value at its foot. place: left
    and upper edge, a token's width, the height."""
    left, y, cell, row = place
    colors, fills, foot, at = sheet.colors, grounds(sheet.colors), y + row - edge(row), 0
    for kind, run in groupby(turn.kinds):
        n = len(list(run))
        x0, x1 = left + at * cell, left + (at + n) * cell - 2 / sheet.wide
        sheet.bar(x0, y, x1, y + row, fills[kind])
        ends = [BLOCK_GAP if (j + 1) % block_size == 0 else 1.0 for j in range(at, at + n)]
        feet = [
            (x0 + k * cell, foot, x0 + (k + 1) * cell - min(gap / sheet.wide, 0.15 * cell), y + row) for k, gap in enumerate(ends)
        ]
        cache_rows(sheet, {"read" if kind == "again" else "kept": feet}, "lying")
        if kind == "again":
            sheet.line(rectangle(x0, y, x1, y + row), colors.wasted, 2.0)
        stops = [at - 1, *(j for j in turn.times if at <= j < at + n), at + n]  # between them is room for words
        free, start = max((stop - last - 1, last + 1) for last, stop in pairwise(stops))
        _says(sheet, (left + start * cell, y, left + (start + free) * cell, foot), n, turn.says[kind], ink_on(fills[kind]))
        at += n
    for j in turn.times:
        sheet.bar(left + j * cell, y, left + (j + 1) * cell - 2 / sheet.wide, foot, colors.ink)


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


def _to_find(sheet: Sheet, box: Box, word: str, asks: str) -> None:
    """The place of what is asked for, behind the word that is new in front."""
    left, top, right, bottom = box
    wide = min(0.3 * (right - left), (NUMBER * BOLD * ems(word) + 28) / sheet.wide)
    sheet.bar(left, top, left + wide, bottom, sheet.colors.ink)
    text = short(word, wide * sheet.wide - 12, NUMBER)
    sheet.write(left + wide / 2, (top + bottom) / 2, bold(text), NUMBER, sheet.colors.surface)
    number_to_find(sheet, (left + wide + 6 / sheet.wide, top, right, bottom), asks)
