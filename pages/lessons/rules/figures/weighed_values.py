"""What each token is worth, times what it weighs: a value may be twenty times another, and both weigh the same.

A line a token: its value as a bar, its weight as the part of a slot that is filled, and behind them that part of the value; beneath,
what these add up to.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.lessons.rules.figures.look import TO_FIND
from pages.lessons.rules.figures.products import product_said
from pages.parts.drawing.answers import Asked, answer_rows
from pages.parts.drawing.cells import LARGE
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, Span, token_boxes
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.digits import share_said
from pages.parts.text.format import entered

TOKENS, VALUES, WEIGHTS, PRODUCTS = (0.004, 0.112), (0.13, 0.415), (0.455, 0.67), (0.712, 0.997)  # shares of the width
NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS, NARROW_PRODUCTS = (0.0, 0.195), (0.215, 0.44), (0.495, 0.715), (0.775, 1.0)
ROOM, PHONE_ROOM, LOWEST, HIGHEST = 252.0, 226.0, 15.0, 84.0  # pixels of all rows, and of one
NUMBER, SIGN, ASKED = 26.0, 22.0, 34.0  # type sizes of a number, a sign and a question mark, at most
BENEATH = 50.0  # pixels of the sum beneath the rows
PALE = 0.4  # what is left of the colour of a token that is not asked about


class Bars(NamedTuple):
    """A column of numbers as bars. low, high: what its width is for; said: the numbers in words, "" where none is; room: of the widest,
    in type sizes; told: whether the bars are drawn; slots: up to where each may be filled, none where they are not drawn."""

    sizes: Sequence[float]
    low: float
    high: float
    said: Sequence[str]
    room: float
    color: str
    told: bool = True
    slots: Sequence[float] = ()


def weighed_values(
    sheet: Sheet, looks: RowByHand, result: str, words: Sequence[str], compared: tuple[int, int], asked: Asked, told: bool
) -> SheetFigure:
    """looks: of the last token, which sees all. result: the context. compared: the two tokens that are asked about. told: whether
    weights are drawn, or to be found."""
    n, phone, colors = len(words), sheet.on_phone(), sheet.colors
    spans = (NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS, NARROW_PRODUCTS) if phone else (TOKENS, VALUES, WEIGHTS, PRODUCTS)
    tall = float(np.clip(PHONE_ROOM / n, LOWEST, 56.0)) if phone else sheet.row(ROOM, n, LOWEST, HIGHEST)
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    token_boxes(sheet, place, words, spans[0], {n - 1}, sheet.wide)
    names = ("value", colors.value), ("weight", colors.ink), ("taken" if phone else "value × weight", colors.value)
    for (left, _), (name, ink) in zip(spans[1:], names, strict=True):
        sheet.write(left, HEAD - 14, bold(name), 16, ink, "middle right")
    shares, values = looks.weights.tolist(), [float(v) for v in looks.values]
    weigh, worth, parts = (
        [*map(share_said, shares)],
        [*map(entered, values)],
        [w * v for w, v in zip(shares, values, strict=True)],
    )
    made = ("= 0" if w == "0" else product_said(x) for w, x in zip(weigh, parts, strict=True))  # what softmax leaks is 0
    signs, products = zip(*(text.split(" ", 1) for text in made), strict=True)
    none, asks = [""] * n, ["?" * (i in compared) for i in range(n)]
    low, high, room = min(0.0, *values), max(0.0, *values), max(map(ems, [*worth, *products]))
    _bars(sheet, place, spans[1], Bars(values, low, high, worth, room, colors.value), compared)
    weights = Bars(shares, 0.0, 1.0, weigh if told else asks, max(map(ems, weigh)), colors.prefill, told, [1.0] * n)
    _bars(sheet, place, spans[2], weights, compared)
    _bars(sheet, place, spans[3], Bars(parts, low, high, products if told else none, room, colors.value, told, values), compared)
    for k, said in ((2, ["×"] * n), (3, signs if told else ["="] * n)):
        for i, size in place.readable(SIGN):
            sheet.write((spans[k - 1][1] + spans[k][0]) / 2, place.middle(i), said[i], size, colors.muted)
    _sum(sheet, result if told and result != TO_FIND else "", spans[3], float(place.tops[-1]))
    answer_rows(sheet, asked, Grid(np.array([spans[0][0], spans[3][1]]), place.tops), spans[1][0] - 0.006)
    return sheet.figure(float(place.tops[-1]) + BENEATH, min_width=0 if phone else 760)


def _bars(sheet: Sheet, place: Place, across: Span, bars: Bars, strong: tuple[int, int]) -> None:
    """A number of each token as a bar from zero, and itself at its end; of the `strong` two in full colour."""
    (left, right), colors = across, sheet.colors
    size = min(NUMBER, 0.6 * place.tall, 0.5 * (right - left) * sheet.wide / (1.12 * bars.room))
    size = max(size, LEAST) if place.tall > LEAST else 0.0
    unit = (right - left - (1.12 * size * bars.room + 10) / sheet.wide) / ((bars.high - bars.low) or 1.0)
    zero, gap = left - bars.low * unit, min(0.2 * place.tall, 12.0)
    for i, (x, text) in enumerate(zip(bars.sizes, bars.said, strict=True)):
        top, bottom, tip, end = float(place.tops[i]) + gap, float(place.tops[i + 1]) - gap, zero + float(x) * unit, zero
        if len(bars.slots):
            end = zero + bars.slots[i] * unit
            sheet.bar(min(zero, end), top, max(zero, end), bottom, colors.hole)
        if bars.told:
            fill = bars.color if i in strong else faded(colors, bars.color, PALE)
            sheet.bar(min(zero, tip), top, max(zero, tip, zero + 2 / sheet.wide), bottom, fill)
        if size and text:
            at, ink = max(zero, tip if bars.told else zero, end) + 7 / sheet.wide, colors.ink if i in strong else colors.muted
            written = min(ASKED, 0.8 * place.tall) if text == "?" else size
            sheet.write(at, place.middle(i), bold(text, i in strong), written, ink, "middle right")


def _sum(sheet: Sheet, result: str, across: Span, top: float) -> None:
    """What the parts add up to, beneath a line under all of them; a slot as long as it is to be found."""
    (left, right), y, tall = across, top + 8 + (BENEATH - 8) / 2, BENEATH - 16
    sheet.line(f"M{left},{top + 4}H{right}", sheet.colors.ink, 2)
    sheet.write(left - 10 / sheet.wide, y, "<b>context</b>", 16, anchor="middle left")
    if not result:
        sheet.line(rectangle(left, y - tall / 2, left + 2 * tall / sheet.wide, y + tall / 2), sheet.colors.muted, 1.5, "dash")
    else:
        size = min(LARGE, 0.95 * (right - left) * sheet.wide / (1.12 * ems(result)))
        sheet.write(left, y, bold(result), size, anchor="middle right")
