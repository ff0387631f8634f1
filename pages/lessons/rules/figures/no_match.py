"""A row that matches nothing: the keys that were tried, and of which shares of the weight, and which values, the context would be made in
each way to go on."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.digits import share_said
from pages.parts.text.format import entered

LEFT, APART = 0.27, 0.035  # shares of the width: where the keys begin, and between two ways to go on
WHOLE, WHOLE_OF_MANY = 0.62, 0.5  # of a way's own width, all of the weight
HEAD, KEYS, KEYS_ON_PHONE, SAID = 54.0, 44.0, 26.0, 34.0  # pixels: of words, of keys, and of what the areas are
TITLE, SHARES, YOURS, ROOM, PHONE_ROOM = 26.0, 20.0, 22.0, 168.0, 62.0  # of a way: its name, its shares, a guess, and its columns
LEAST = 13.0
AREAS = "as high as the value, as wide as its share of the weight: the area is the context"
AREAS_ON_PHONE = "height: value; width: its share; area: context"


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
    """outcomes: one of which, `right`, comes out; each is pressed as an answer. They stand beside each other, on a phone beneath."""
    phone, n, many = sheet.on_phone(), len(words), len(outcomes)
    left, tall = (0.0, KEYS_ON_PHONE) if phone else (LEFT, KEYS)
    _keys(sheet, tried, Grid.of(left, HEAD, ((0.998 - left) / n, tall), (1, n)), words)
    top = HEAD + tall + SAID
    sheet.write(0, top - 14, AREAS_ON_PHONE if phone else AREAS, LEAST if phone else 15, sheet.colors.muted, "middle right")
    room = PHONE_ROOM if phone else ROOM + 0.9 * sheet.spare
    wide, high = (1.0 if phone else (1 - APART * (many - 1)) / many), TITLE + room + SHARES + YOURS
    for k, outcome in enumerate(outcomes):
        x0, y0 = (0.0, top + k * high) if phone else (k * (wide + APART), top)
        box = x0, y0 + 2, min(x0 + wide, 0.998), y0 + high - YOURS
        _outcome(sheet, tried, outcome, box, (asked.known, k == right))
        if asked.names:
            yours = (box[2], box[3] + 10, "middle left") if phone else None
            answer_part(sheet, asked, k, box, yours)
    return sheet.figure(box[3] + YOURS, min_width=0 if phone else 720)


def _keys(sheet: Sheet, tried: Tried, grid: Grid, words: Sequence[str]) -> None:
    """Each token with its place, and whether its key matches: none does, of those that may be seen."""
    colors, pixels, seen = sheet.colors, grid.wide * sheet.wide, set(tried.visible)
    if not sheet.phone:
        name = short(words[tried.row], (LEFT - 0.02) * sheet.wide - 60, 17)
        sheet.write(LEFT - 0.02, grid.down[0], f"<b>“{name}” asks</b>", 17, colors.prefill, "middle left")
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        if pixels >= 30 or j % 4 == 0:
            sheet.write(x, HEAD - 34, str(j + 1), LEAST, colors.muted)
        if pixels >= 30:
            size = 17.0 if pixels > 70 else LEAST
            ink = colors.prefill if j == tried.row else colors.ink
            sheet.write(x, HEAD - 13, bold(short(word, pixels - 4, size), j == tried.row), size, ink)
        fill = colors.scores[1] if j in seen else colors.hole
        x0, y0, x1, y1 = grid.box(0, j)
        sheet.bar(x0 + 1 / sheet.wide, y0, x1 - 1 / sheet.wide, y1, fill)
        if pixels > 64:
            said, size = ("no match", 17.0) if j in seen else ("hidden", 15.0)
            sheet.write(x, grid.down[0], said, size, ink_on(fill) if j in seen else colors.muted)


def _outcome(sheet: Sheet, tried: Tried, outcome: Outcome, box: Box, told: tuple[bool, bool]) -> None:
    """One way to go on: all of the weight as a line, each value that has a share as a column on it, and the context as a level across
    them. told: whether it is known what comes out, and whether it is this."""
    colors, phone, (known, right), pad = sheet.colors, sheet.phone, told, 8 / sheet.wide
    strong, n = right or not known, len(outcome.taken)
    (x0, y0, x1, y1), why = box, outcome.option.split(": ")[-1]
    size = min(13.5 if phone else 16.0, ((x1 - x0) * sheet.wide - 16) / (1.07 * ems(why)))
    ink = colors.ink if strong else colors.muted
    sheet.write(x0 + pad, y0 + 13, bold(plain(why), strong), max(12.0, size), ink, "middle right")
    left, right_, top = x0 + pad, x0 + (WHOLE if x1 - x0 > 0.25 else WHOLE_OF_MANY) * (x1 - x0), y0 + TITLE + 12
    values = [float(x) for x in tried.values if np.isfinite(x)]
    least, most = min(0.0, *values), max(0.0, *values)
    zero = top + (y1 - SHARES - top) * most / ((most - least) or 1.0)
    per = (y1 - SHARES - top) / ((most - least) or 1.0)
    if not n:
        said = "each 0 / 0" if isnan(outcome.total) else "no share for any"
        _untaken(sheet, tried, (left, zero, right_), per, strong)
        sheet.write((left + right_) / 2, y1 - SHARES + 10, said, LEAST if phone else 14, colors.muted)
    each = (right_ - left) * outcome.total / max(n, 1)
    for k, j in enumerate(outcome.taken):
        column = left + k * each, zero - tried.values[j] * per, left + (k + 1) * each, zero
        _column(sheet, column, (tried.values[j], outcome.total / n), strong)
    sheet.bar(left, zero - 0.75, right_, zero + 0.75, colors.muted)
    y = (top + y1 - SHARES) / 2
    if n:
        level = zero - outcome.total * sum(tried.values[j] for j in outcome.taken) / n * per
        way, (color, width) = (
            f"M{left:.5f},{level:.2f}L{right_ + 0.012:.5f},{level:.2f}",
            (colors.ink, 2.5) if strong else (colors.muted, 1.5),
        )
        sheet.line(way, color, width, "" if known and right else "dot", layer="above")
        y = min(max(level, top + 8), y1 - SHARES - 10)
    text = f"{outcome.context}{'?' * (not known)}"
    large_number(sheet, (right_ + 0.02, x1), y, text, color="" if strong else colors.muted)


def _untaken(sheet: Sheet, tried: Tried, line: tuple[float, float, float], per: float, strong: bool) -> None:
    """The values that the row may see, beside each other on the line, and none is taken: outlines. line: its left end, its height and
    its right end; per: pixels of a value's 1."""
    left, zero, right = line
    colors, each = sheet.colors, (right - left) / max(len(tried.visible), 1)
    color = colors.value if strong else colors.bar
    for k, j in enumerate(tried.visible):
        value = tried.values[j]
        if not np.isfinite(value):
            continue
        x0, x1, end = left + (k + 0.03) * each, left + (k + 0.97) * each, zero - value * per
        top, bottom = sorted((zero, end))
        sheet.line(rectangle(x0, top, x1, bottom), color, 2.0 if strong else 1.2, "dash")
        if strong:  # it is not taken: crossed out
            sheet.line(f"M{x0:.5f},{top:.2f}L{x1:.5f},{bottom:.2f}M{x0:.5f},{bottom:.2f}L{x1:.5f},{top:.2f}", color, 2.0)
        number, size = entered(value), LEAST if sheet.phone or each * sheet.wide < 40 else 17.0
        if ems(number) * size < each * sheet.wide - 6:
            inside = abs(end - zero) > size + 6
            y = max(zero, end) - 0.6 * size if inside else min(zero, end) - 0.6 * size
            sheet.write((x0 + x1) / 2, y, number, size, colors.muted)


def _column(sheet: Sheet, column: Box, of: tuple[float, float], strong: bool) -> None:
    """One value's column, with the value in it and its share beneath, where these fit. of: the value and the share."""
    (x0, y, x1, zero), (value, share) = column, of
    low, high = min(y, zero), max(y, zero)
    pixels, gap = (x1 - x0) * sheet.wide, min(1.0, (x1 - x0) * sheet.wide / 4) / sheet.wide
    sheet.bar(x0 + gap, low, x1 - gap, high, faded(sheet.colors, sheet.colors.value, 0.45 if strong else 0.2))
    number, size = entered(value), 17.0 if pixels > 40 and not sheet.phone else LEAST
    if ems(number) * size < pixels - 4:
        inside = high - low > size + 6
        at = high - 0.6 * size if inside else low - 0.6 * size if value >= 0 else high + 0.6 * size
        sheet.write((x0 + x1) / 2, at, bold(number), size)
    said = share_said(share)
    if ems(said) * LEAST < pixels - 4 and share > 0.005:
        sheet.write((x0 + x1) / 2, max(zero, high) + 10, said, LEAST, sheet.colors.muted)
