"""A row that matches nothing: each way to go on beside the others, as the values that it takes, standing on their tokens, and as the
context that it makes of them, a bar to the same scale. A phone has the ways beneath each other on one set of tokens."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, open_place
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short, type_size
from pages.parts.text.format import entered

APART = 26.0  # pixels between two ways
BARS = 0.6  # of a way's width have its tokens' bars
PHONE_BARS = 0.62
SAID = 20.0  # pixels of what a way is
HEAD = 46.0  # pixels of the numbers above its bars
FOOT = 76.0  # pixels of all that stands beneath them
PHONE_HEAD = 43.0  # pixels above a way's bars on a phone
PHONE_FOOT = 5.0  # pixels beneath them
PHONE_NAMES = 46.0  # pixels of the names, which stand beneath the last way alone
ROOM, PHONE_ROOM = 205.0, 76.0  # of the bars
UNDER, WIDEST = 18.0, 110.0  # beneath bars that go down, for their numbers; and of the widest bar
MOST = 34.0  # type size of a context
LEAST, NAMED = 13.0, 34.0  # type size, and pixels of a bar that has room for a word


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


class Field(NamedTuple):
    """Where one way stands: its box, where the tokens' bars end, and how high values are: pixels of the line of 0, and of one."""

    box: tuple[float, float, float, float]
    bars: Grid
    zero: float
    one: float

    def y(self, value: float) -> float:
        return self.zero - self.one * value


def no_match(
    sheet: Sheet, tried: Tried, words: Sequence[str], outcomes: Sequence[Outcome], asked: Asked = NOT_ASKED, right: int = 0
) -> SheetFigure:
    """outcomes: one of which, `right`, comes out; each is pressed as an answer."""
    phone, (fields, height) = sheet.on_phone(), _fields(sheet, tried, len(outcomes))
    for k, (outcome, field) in enumerate(zip(outcomes, fields, strict=True)):
        strong = k == right or not asked.known
        _bars(sheet, tried, outcome, field, strong)
        if not phone or k + 1 == len(outcomes):
            _beneath(sheet, tried, words, field)
        _context(sheet, tried, outcome, field, (asked.known, strong, not phone or k + 1 == len(outcomes)))
        if asked.names:
            _, y0, x1, y1 = field.box
            x, y = (x1 - 4 / sheet.wide, y0 + 10) if phone else (x1 - 8 / sheet.wide, y1 - 12)
            answer_part(sheet, asked, k, field.box, (x, y, "middle left"))
    return sheet.figure(height, min_width=720)


def _fields(sheet: Sheet, tried: Tried, many: int) -> tuple[list[Field], float]:
    """Where the ways stand, all to one scale, and how high that is."""
    phone, n = sheet.phone, len(tried.values)
    low, high = min(0.0, *tried.values, 0), max(0.0, *tried.values, 0)
    tall = PHONE_ROOM if phone else sheet.row(ROOM, 1, ROOM, 520)
    one = (tall - (UNDER if low < 0 else 0.0)) / ((high - low) or 1.0)
    head, foot = (PHONE_HEAD, PHONE_FOOT) if phone else (SAID + HEAD, FOOT)
    wide = 1.0 if phone else (1.0 - (max(many, 2) - 1) * APART / sheet.wide) / max(many, 2)
    fields = []
    for k in range(many):
        x0, y0 = (0.0, k * (head + tall + foot + 8)) if phone else (k * (wide + APART / sheet.wide), 0.0)
        inset = (4 if phone else 14) / sheet.wide
        x = x0 + inset + (wide * (PHONE_BARS if phone else BARS)) / n * np.arange(n + 1)
        zero = y0 + head + one * high
        fields.append(
            Field((x0 + 2 / sheet.wide, y0 + 2, x0 + wide, y0 + head + tall + foot), Grid(x, np.array([y0, y0])), zero, one)
        )
    return fields, fields[-1].box[3] + (PHONE_NAMES if phone else 4)


def _bars(sheet: Sheet, tried: Tried, outcome: Outcome, field: Field, strong: bool) -> None:
    """Each value as a bar on its token: green where it is taken, an outline where it is not, and over those that are taken the line
    at which they level out."""
    colors, pixels = sheet.colors, field.bars.wide * sheet.wide
    gap = max(0.12 * field.bars.wide, (field.bars.wide - WIDEST / sheet.wide) / 2)
    x0, y0, x1, _ = field.box
    way = outcome.option.split(": ")[-1]
    size = type_size(way, (x1 - x0) * sheet.wide - 24, LEAST if sheet.phone else 18.0, 12.5)
    sheet.write(field.bars.x[0], y0 + SAID / 2 + 4, bold(plain(way), strong), size, _ink(sheet, strong), "middle right")
    tops, fill = [], faded(colors, colors.value, 0.55 if strong else 0.22)
    for j, value in enumerate(tried.values):
        left, _, right, _ = field.bars.box(0, j)
        path = rectangle(left + gap, field.y(max(value, 0.0)), right - gap, field.y(min(value, 0.0)))
        if j in outcome.taken:
            sheet.path(path, fill)
        else:
            sheet.line(path, colors.bar, 1.2, "dot")
        tops.append(field.y(value) + (-11 if value >= 0 else 11))
    if outcome.taken:
        first, level = float(field.bars.x[min(outcome.taken)]), field.y(mean(tried, outcome))
        sheet.line(f"M{first:.5f},{level:.2f}L{x1 - 10 / sheet.wide:.5f},{level:.2f}", _ink(sheet, strong), 2, "dash")
    for j, (x, y, value) in enumerate(zip(field.bars.across, tops, tried.values, strict=True)):
        number, size, taken = entered(value), 16.0 if pixels > 44 else LEAST, j in outcome.taken
        if pixels <= 22 or ems(number) * size >= pixels - 2 or (sheet.phone and outcome.taken and not taken):
            continue
        if outcome.taken and abs(y - level) < 11:  # the line would go through it
            y = level - 12 if value < 0 or field.zero - field.y(value) < 18 else field.y(value) + 10
        ink = ink_on(fill) if taken and min(field.y(value), field.zero) < y < field.zero else _ink(sheet, strong and taken)
        sheet.write(x, y, bold(number, taken), size, ink)
    sheet.line(f"M{field.bars.x[0]:.5f},{field.zero:.2f}L{x1 - 10 / sheet.wide:.5f},{field.zero:.2f}", colors.muted, 1.2)


def _beneath(sheet: Sheet, tried: Tried, words: Sequence[str], field: Field) -> None:
    """The tokens, the one that asks in the colour of its phase; and beneath them which it may see, none of which matches."""
    colors, grid, seen = sheet.colors, field.bars, sorted(tried.visible)
    pixels, bottom = grid.wide * sheet.wide, field.box[3] - (0 if sheet.phone else FOOT)
    size = min(17.0, max(LEAST, pixels / 3.6)) if not sheet.phone else LEAST
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        ink = colors.prefill if j == tried.row else colors.ink
        if pixels >= NAMED:
            sheet.write(x, bottom + 14, bold(short(word, pixels - 3, size), j == tried.row), size, ink)
        elif j == tried.row or (j % 4 == 0 and abs(j - tried.row) > 1):
            sheet.write(x, bottom + 14, bold(str(j + 1), j == tried.row), LEAST, ink)
    hidden = [j for j in range(len(words)) if j not in seen]
    y = bottom + (25 if sheet.phone else 30)
    for places, said, color in ((seen, "no match", colors.ink), (hidden, "hidden", colors.muted)):
        if not places:
            continue
        left, right = grid.x[places[0]], grid.x[places[-1] + 1]
        sheet.bar(left + 2 / sheet.wide, y, right - 2 / sheet.wide, y + 3, color if places is seen else colors.bar)
        where, anchor = (left, "middle right") if places is seen and hidden else ((left + right) / 2, "middle center")
        if ems(said) * 14 < (right - left) * sheet.wide + (14 if sheet.phone else 28):
            at = where + (2 / sheet.wide if anchor == "middle right" else 0)
            sheet.write(at, y + (12 if sheet.phone else 17), said, LEAST if sheet.phone else 14, color, anchor)


def _context(sheet: Sheet, tried: Tried, outcome: Outcome, field: Field, told: tuple[bool, bool, bool]) -> None:
    """What the values that are taken level out at, carried over to a bar of its own. told: whether it is known what comes out,
    whether it is this, or may be, and whether its name stands beneath it."""
    colors, (known, strong, named) = sheet.colors, told
    left, right = float(field.bars.x[-1]) + 18 / sheet.wide, field.box[2] - 10 / sheet.wide
    level = field.y(mean(tried, outcome)) if outcome.taken else field.zero
    if outcome.taken:
        low, high = sorted((level, field.zero))
        sheet.bar(left, low, right, high, colors.value if strong else faded(colors, colors.value, 0.3))
    else:
        open_place(sheet, left, field.zero - 10, right, field.zero)
    text = f"{outcome.context}{'?' * (not known)}"
    top = min(level, field.zero) - 8
    above = top - field.box[1] - SAID - 6  # up to what is said of this way
    size = min(type_size(text, (right - left) * sheet.wide + 8, 26.0 if sheet.phone else MOST, 14.0), max(above, 14.0))
    sheet.write((left + right) / 2, top - 0.5 * size, bold(text), size, _ink(sheet, strong))
    if named:
        foot = field.box[3] + (0 if sheet.phone else -FOOT) + 14
        sheet.write(
            (left + right) / 2, foot, bold("context"), LEAST if sheet.phone else 16, colors.value if strong else colors.muted
        )


def mean(tried: Tried, outcome: Outcome) -> float:
    """The context of one that takes values: each by the same share."""
    return outcome.total * float(np.mean([tried.values[j] for j in outcome.taken]))


def _ink(sheet: Sheet, strong: bool) -> str:
    return sheet.colors.ink if strong else sheet.colors.muted
