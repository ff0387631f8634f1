"""What a question of the quiz gives, in amounts: bars on one scale, counts in large type with what they count, contexts beside W."""

from typing import NamedTuple

import numpy as np

from pages.lessons.quiz.figures.tokens import NAME, WHETHER, WORD
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, bold, bold_ems, ems, short, type_size
from pages.parts.text.format import number

LARGE = 30.0  # type size of a count, at most
SQUARE = 9.0  # pixels of a square that stands for one, at most
MOST_SQUARES = 128  # that are drawn, of more none
BESIDE, ACROSS = 0.22, 0.34  # shares of the width: names of bars, on a phone


class Bars(NamedTuple):
    """Amounts on one scale, each with its name and as it is written. hidden: how many of the last are hidden by the mask."""

    names: tuple[str, ...]
    sizes: tuple[float, ...]
    said: tuple[str, ...]
    hidden: int = 0
    asks: str = WHETHER


class Tiles(NamedTuple):
    """Numbers in large type, each with what it counts. squares: as many as each counts, 0 where none are drawn."""

    said: tuple[str, ...]
    names: tuple[str, ...]
    squares: tuple[int, ...] = ()
    asks: str = WHETHER


class Product(NamedTuple):
    """The heads' contexts, and W: (heads, words)."""

    contexts: tuple[float, ...]
    w: tuple[tuple[float, ...], ...]
    words: tuple[str, ...]
    asks: str = WHETHER


def draw_bars(sheet: Sheet, given: Bars, box: Box) -> None:
    """Rows from the top, from a common zero; what is negative to its left."""
    colors, (left, top, right, bottom), n = sheet.colors, box, len(given.sizes)
    beside = left + (ACROSS if sheet.phone else BESIDE)
    size = min(WORD, 0.7 * (bottom - top) / n)
    room = (max(map(bold_ems, given.said)) * size + 18) / sheet.wide
    low, high = min(0.0, *given.sizes), max(0.0, *given.sizes)
    start, end = beside + (room if low < 0 else 0), right - room
    scale = (end - start) / ((high - low) or 1.0)
    zero, rows = start - low * scale, np.linspace(top, bottom, n + 1)
    for k, (name, amount, said) in enumerate(zip(given.names, given.sizes, given.said, strict=True)):
        y, half = float(rows[k] + rows[k + 1]) / 2, min(20.0, 0.36 * float(rows[1] - rows[0]))
        hidden = k >= n - given.hidden
        name = f"{name}, hidden" if hidden else name
        sheet.write(beside - 0.012, y, short(name, (beside - left - 0.012) * sheet.wide, size), size, colors.muted, "middle left")
        x = zero + amount * scale
        if amount:
            sheet.bar(min(zero, x), y - half, max(zero, x), y + half, colors.hole if hidden else colors.bar)
        at, anchor = (x - 0.008, "middle left") if amount < 0 else (x + 0.008, "middle right")
        sheet.write(at, y, bold(said, not hidden), size, colors.muted if hidden else colors.ink, anchor)
    if low < 0:
        sheet.line(f"M{zero:.5f},{top:.2f}L{zero:.5f},{bottom:.2f}", colors.muted)


def draw_tiles(sheet: Sheet, given: Tiles, box: Box) -> None:
    """Beside each other, on a phone at most three: the number, its name, and as many squares as it counts."""
    left, top, right, bottom = box
    n, across = len(given.said), min(len(given.said), 3 if sheet.phone else 6)
    lines = -(-n // across)
    wide, high = (right - left) / across, (bottom - top) / lines
    pixels = wide * sheet.wide - 10
    small = NAME if not sheet.phone else 13.0
    large = type_size(max(given.said, key=ems), pixels, LARGE, 15.0)
    squares = lines == 1 and given.squares
    for k, (said, name) in enumerate(zip(given.said, given.names, strict=True)):
        x, y = left + (k % across) * wide, top + (k // across) * high + (0 if squares else max(0.0, high - 70) / 2)
        sheet.write(x, y + 24, bold(said), large, anchor="middle right")
        sheet.write(x, y + 54, short(name, pixels, small), small, sheet.colors.muted, "middle right")
        if squares and 0 < given.squares[k] <= MOST_SQUARES:
            _squares(sheet, given.squares[k], (x, y + 72, x + wide - 12 / sheet.wide, bottom))


def _squares(sheet: Sheet, n: int, box: Box) -> None:
    """So many squares from the left, in as many rows as they take."""
    left, top, right, bottom = box
    side = SQUARE
    while side > 3 and -(-n // max(1, int((right - left) * sheet.wide / (side + 2)))) * (side + 2) > bottom - top:
        side -= 1
    across = max(1, int((right - left) * sheet.wide / (side + 2)))
    step = (side + 2) / sheet.wide
    sheet.bars(
        (
            (left + (k % across) * step, top + (k // across) * (side + 2), left + (k % across) * step + side / sheet.wide,
             top + (k // across) * (side + 2) + side)
            for k in range(n)
        ),
        sheet.colors.bar,
    )  # fmt: skip


def draw_product(sheet: Sheet, given: Product, box: Box) -> None:
    """A row a head: its context, and its numbers in W, a column a word."""
    colors, (left, top, right, bottom), n = sheet.colors, box, len(given.contexts)
    names = left + (0.0 if sheet.phone else 0.085)
    wide = (right - names) / (len(given.words) + 1.4)
    y = np.linspace(top + 30, bottom - 4, n + 1)
    heads = Grid(np.array([names, names + wide]), y)
    w = Grid(np.linspace(right - len(given.words) * wide, right, len(given.words) + 1), y)
    size = min(22.0, 0.62 * heads.tall, (wide * sheet.wide - 8) / max(ems(number(c)) for c in given.contexts))
    sheet.write(float(heads.across[0]), top + 14, "context", NAME, colors.value)
    for j, word in enumerate(given.words):
        sheet.write(float(w.across[j]), top + 14, short(word, wide * sheet.wide - 2, WORD - 2), WORD - 2)
    for i, context in enumerate(given.contexts):
        x0, y0, x1, y1 = heads.box(i, 0)
        if not sheet.phone:
            sheet.write(names - 0.012, (y0 + y1) / 2, f"head {i + 1}", NAME, colors.muted, "middle left")
        sheet.bar(x0, y0 + 1, x1, y1 - 1, colors.value)
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, bold(number(context)), size, ink_on(colors.value))
        sheet.write((x1 + float(w.x[0])) / 2, (y0 + y1) / 2, "×", size, colors.muted)
        for j, one in enumerate(given.w[i]):
            a, b, c, d = w.box(i, j)
            sheet.bar(a + 1 / sheet.wide, b + 1, c - 1 / sheet.wide, d - 1, colors.hole)
            sheet.write((a + c) / 2, (b + d) / 2, number(one), size)
