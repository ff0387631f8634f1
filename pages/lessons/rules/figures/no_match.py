"""A row that matches nothing: the values, the keys that were tried, and beneath them, each way to go on as a row, which shares of the
weight the values would get and the context that this makes."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.digits import share_said
from pages.parts.text.format import entered

LEFT, RIGHT, PHONE_RIGHT = 0.27, 0.77, 0.76  # shares of the width: where the tokens' columns begin and end
BESIDE, YOURS = 0.02, 0.91  # from where they end to the contexts, and where these end at the latest
HEAD, GIVEN, PHONE_GIVEN = 54.0, 36.0, 26.0  # pixels: of words, of a row of values or of keys
ABOVE, APART, PHONE_APART = 30.0, 14.0, 32.0  # above the ways to go on, and between them
ROOM, PHONE_ROOM = 178.0, 112.0  # of all ways' rows
LEAST = 13.0


class Outcome(NamedTuple):
    """What may come out. option: as the question has it; context: the number; taken: which values have a share, from 0, all of them the
    same; total: what these shares add up to."""

    option: str
    context: str
    taken: tuple[int, ...]
    total: float = 1.0


class Tried(NamedTuple):
    """The row that asks, from 0, the tokens' values, and the places of those that it may see."""

    row: int
    values: Sequence[float]
    visible: Sequence[int]


def no_match(
    sheet: Sheet, tried: Tried, words: Sequence[str], outcomes: Sequence[Outcome], asked: Asked = NOT_ASKED, right: int = 0
) -> SheetFigure:
    """outcomes: one of which, `right`, comes out; each is pressed as an answer. They stand beneath each other, under their tokens."""
    phone, n, many = sheet.on_phone(), len(words), len(outcomes)
    left, end, given, apart = (0.0, PHONE_RIGHT, PHONE_GIVEN, PHONE_APART) if phone else (LEFT, RIGHT, GIVEN, APART)
    x = left + (end - left) / n * np.arange(n + 1)
    _given(sheet, tried, Grid(x, HEAD + given * np.arange(3)), words)
    sheet.write(end + BESIDE, HEAD - 13, bold("context"), 16, sheet.colors.value, "middle right")
    tall = PHONE_ROOM / max(many, 3) if phone else sheet.row(ROOM, max(many, 3), 26.0, 74.0)
    y0 = HEAD + 2 * given + ABOVE
    for k, outcome in enumerate(outcomes):
        row = Grid(x, np.array([y0, y0 + tall]))
        _outcome(sheet, tried, outcome, row, (asked.known, k == right))
        if asked.names:
            box = 2 / sheet.wide, y0 - (PHONE_APART - 10 if phone else 5), 1.0, y0 + tall + 5
            yours = (1.0, y0 - 12, "middle left") if phone else (0.994, y0 + tall / 2, "middle left")
            answer_part(sheet, asked, k, box, yours)
        y0 += tall + apart
    return sheet.figure(y0 - apart + 10, min_width=0 if phone else 720)


def _given(sheet: Sheet, tried: Tried, grid: Grid, words: Sequence[str]) -> None:
    """Each token with its place and its value, and whether its key matches: none does, of those that may be seen."""
    colors, pixels, seen = sheet.colors, grid.wide * sheet.wide, set(tried.visible)
    if not sheet.phone:
        name = short(words[tried.row], (LEFT - 0.02) * sheet.wide - 60, 17)
        sheet.write(LEFT - 0.02, grid.down[0], bold("value"), 17, colors.value, "middle left")
        sheet.write(LEFT - 0.02, grid.down[1], f"<b>“{name}” asks</b>", 17, colors.prefill, "middle left")
    large = 17.0 if pixels > 70 else LEAST
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        if pixels >= 30 or j % 4 == 0:
            sheet.write(x, HEAD - 34, str(j + 1), LEAST, colors.muted)
        if pixels >= 30:
            ink = colors.prefill if j == tried.row else colors.ink
            sheet.write(x, HEAD - 13, bold(short(word, pixels - 4, large), j == tried.row), large, ink)
        gap, number = 1 / sheet.wide, entered(tried.values[j])
        fills = faded(colors, colors.value, 0.45), colors.scores[1] if j in seen else colors.hole
        for fill, (x0, y0, x1, y1) in zip(fills, (grid.box(0, j), grid.box(1, j)), strict=True):
            sheet.bar(x0 + gap, y0 + 1, x1 - gap, y1 - 1, fill)
        if ems(number) * large < pixels - 4:
            sheet.write(x, grid.down[0], bold(number), large)
        if pixels > 56:
            said, size = ("no match", min(large, 15.0)) if j in seen else ("hidden", min(large, 15.0))
            sheet.write(x, grid.down[1], said, size, ink_on(fills[1]) if j in seen else colors.muted)


def _outcome(sheet: Sheet, tried: Tried, outcome: Outcome, row: Grid, told: tuple[bool, bool]) -> None:
    """One way to go on: each token's cell filled as far as its value has a share of the weight, and the context that this makes. told:
    whether it is known what comes out, and whether it is this."""
    colors, phone, (known, right), y = sheet.colors, sheet.phone, told, row.down[0]
    strong, why = right or not known, outcome.option.split(": ")[-1]
    ink = colors.ink if strong else colors.muted
    size = min(LEAST if phone else 16.0, ((0.7 if phone else LEFT - 0.02) * sheet.wide - 4) / (1.07 * ems(why)))
    at = (0.0, float(row.y[0]) - 12, "middle right") if phone else (LEFT - 0.02, y, "middle left")
    sheet.write(*at[:2], bold(plain(why), strong), max(12.0, size), ink, at[2])
    for j in range(len(tried.values)):
        _cell(sheet, tried, outcome, (j, row), strong)
    text = f"{outcome.context}{'?' * (not known)}"
    large_number(sheet, (float(row.x[-1]) + BESIDE, 0.998 if phone else YOURS), y, text, color="" if strong else colors.muted)


def _cell(sheet: Sheet, tried: Tried, outcome: Outcome, of: tuple[int, Grid], strong: bool) -> None:
    """One token's: filled from its foot to its share, which is written with its value; one without a share stays empty. of: the token,
    from 0, and the row."""
    (j, row), colors = of, sheet.colors
    (x0, y0, x1, y1), gap = row.box(0, j), 1 / sheet.wide
    x0, x1 = x0 + gap, x1 - gap
    taken, pixels = j in outcome.taken, (x1 - x0) * sheet.wide
    share = outcome.total / len(outcome.taken) if taken else 0.0
    if taken:
        sheet.bar(x0, y1 - share * (y1 - y0), x1, y1, faded(colors, colors.prefill, 0.5 if strong else 0.22))
    sheet.line(rectangle(x0, y0, x1, y1), colors.muted if strong else colors.bar, 1.2)
    ink, weight = (colors.ink if strong else colors.muted), share_said(share)
    if taken:
        texts = f"{weight} × <b>{entered(tried.values[j])}</b>", weight
        lengths = ems(f"{weight} × {entered(tried.values[j])}") * 1.05, ems(weight)
    elif j in tried.visible:
        texts = ("0 / 0" if isnan(outcome.total) else "no share",)
        lengths, ink = (ems(texts[0]),), colors.muted
    else:
        return
    for text, long in zip(texts, lengths, strict=True):
        size = min(19.0 if pixels > 90 else LEAST, (pixels - 4) / long)
        if size >= 11.5:
            return sheet.write((x0 + x1) / 2, float(row.down[0]), text, size, ink)
