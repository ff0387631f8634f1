"""What each token is worth, and beneath it, from the same edge and to the same scale, what is taken of it: a value may be twenty times
another, and both weigh the same.

A line a token, its weight at the right; beneath them all what is taken adds up to. Until the answer a weight is an edge without length.
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
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems
from pages.parts.text.digits import share_said
from pages.parts.text.format import entered

TOKENS, VALUES, WEIGHTS = (0.004, 0.112), (0.13, 0.68), (0.735, 0.997)  # shares of the width
NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS = (0.0, 0.195), (0.215, 0.67), (0.71, 1.0)
ROOM, PHONE_ROOM, LOWEST, HIGHEST = 252.0, 226.0, 15.0, 84.0  # pixels of all rows, and of one
VALUE, TAKEN = (0.06, 0.5), (0.56, 0.92)  # of a row's height: of what a token is worth, and of what is taken of it
NUMBER, ASKED = 26.0, 40.0  # type sizes of a number and of a question mark, at most
BENEATH, SUM = 58.0, 28.0  # pixels of the sum beneath the rows, and of its bar
PALE = 0.45  # what is left of the colour of a value, of which a part is taken, and of a token that is not asked about


class Bar(NamedTuple):
    """A number as a bar from zero, and in words at its end, "" where it is not written."""

    length: float
    said: str
    color: str
    strong: bool


class Scale(NamedTuple):
    """Where zero stands, and how wide 1 is, of the width."""

    zero: float
    unit: float


def weighed_values(
    sheet: Sheet, looks: RowByHand, result: str, words: Sequence[str], compared: tuple[int, int], asked: Asked, told: bool
) -> SheetFigure:
    """looks: of the last token, which sees all. result: the context. compared: the two tokens that are asked about. told: whether
    weights are drawn, or to be found."""
    n, phone, colors = len(words), sheet.on_phone(), sheet.colors
    tokens, across, weighed = (NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS) if phone else (TOKENS, VALUES, WEIGHTS)
    tall = float(np.clip(PHONE_ROOM / n, LOWEST, 56.0)) if phone else sheet.row(ROOM, n, LOWEST, HIGHEST)
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    token_boxes(sheet, place, words, tokens, {n - 1}, sheet.wide)
    taken = ", taken" if phone else ", and beneath it value × weight"
    for (left, _), name, ink in (across, f"<b>value</b>{taken * told}", colors.value), (weighed, "<b>weight</b>", colors.ink):
        sheet.write(left, HEAD - 14, name, 16, ink, "middle right")
    shares, values = looks.weights.tolist(), [float(v) for v in looks.values]
    weigh, worth = [*map(share_said, shares)], [*map(entered, values)]
    parts = [w * v for w, v in zip(shares, values, strict=True)]
    # What softmax leaks is 0.
    made = ["0" if w == "0" else product_said(x).removeprefix("= ") for w, x in zip(weigh, parts, strict=True)]
    scale = _scale(sheet, across, (min(0.0, *values), max(0.0, *values)), max(map(ems, worth)), tall)
    of_weights = _scale(sheet, weighed, (0.0, 1.0), max(map(ems, weigh)), tall)
    top, end = float(place.tops[0]), float(place.tops[-1])
    for i in range(n):
        strong = i in compared
        pale, full = (faded(colors, colors.value, share * (1.0 if strong else PALE)) for share in (PALE, 1.0))
        _bar(sheet, place, i, VALUE, scale, Bar(values[i], worth[i], pale if told else full, strong))
        if told:
            _bar(sheet, place, i, TAKEN, scale, Bar(parts[i], made[i], full, strong))
        _weight(sheet, place, i, of_weights, Bar(shares[i], weigh[i] if told else TO_FIND, colors.prefill, strong))
    sheet.line(f"M{scale.zero:.5f},{top:.1f}L{scale.zero:.5f},{end + BENEATH - 6:.1f}", colors.ink, 2)
    _sum(sheet, result if told and result != TO_FIND else "", sum(parts), scale, (*across, end))
    answer_rows(sheet, asked, Grid(np.array([tokens[0], weighed[1]]), place.tops), across[0] - 0.006)
    return sheet.figure(end + BENEATH, min_width=0 if phone else 760)


def _scale(sheet: Sheet, across: Span, reach: tuple[float, float], room: float, tall: float) -> Scale:
    """Bars of numbers from the low to the high one, and behind the longest its number. room: of the widest, in type sizes."""
    (left, right), (low, high) = across, reach
    unit = (right - left - (1.12 * _size(tall) * room + 12) / sheet.wide) / ((high - low) or 1.0)
    return Scale(left - low * unit, unit)


def _size(tall: float) -> float:
    """The type size of a number in a row so high; none where that could not be read."""
    return max(LEAST, min(NUMBER, 0.42 * tall)) if tall > LEAST else 0.0


def _bar(sheet: Sheet, place: Place, i: int, lane: tuple[float, float], scale: Scale, bar: Bar) -> None:
    """One bar in its lane of the row, and its number at its end where there is room."""
    top, bottom = (float(place.tops[i]) + share * place.tall for share in lane)
    zero, tip = scale.zero, scale.zero + bar.length * scale.unit
    sheet.bar(min(zero, tip), top, max(zero, tip), bottom, bar.color)
    size = min(_size(place.tall), 1.05 * (bottom - top)) if lane == TAKEN else _size(place.tall)
    if size >= LEAST:
        ink = sheet.colors.ink if bar.strong else sheet.colors.muted
        sheet.write(max(zero, tip) + 7 / sheet.wide, (top + bottom) / 2, bold(bar.said, bar.strong), size, ink, "middle right")


def _weight(sheet: Sheet, place: Place, i: int, scale: Scale, bar: Bar) -> None:
    """A token's weight as the part of a whole one that is filled; until it is known an edge."""
    colors, (top, bottom) = sheet.colors, (float(place.tops[i]) + share * place.tall for share in (VALUE[0], TAKEN[1]))
    x, size, told = scale.zero, _size(place.tall), bar.said != TO_FIND
    if told:
        color = bar.color if bar.strong else faded(colors, bar.color, PALE)
        sheet.share_bar((x, top, x + scale.unit, bottom), min(bar.length, 1.0), color)
        x += scale.unit
    else:
        sheet.line(f"M{x:.5f},{top:.1f}L{x:.5f},{bottom:.1f}", colors.muted, 2)
        size = min(ASKED, 0.8 * place.tall) if bar.strong else 0.0
    if size:
        ink = colors.ink if bar.strong else colors.muted
        sheet.write(x + 7 / sheet.wide, place.middle(i), bold(bar.said, bar.strong), size, ink, "middle right")


def _sum(sheet: Sheet, result: str, context: float, scale: Scale, place: tuple[float, float, float]) -> None:
    """What is taken adds up to, to the scale of the values, beneath a line under all of them. place: left, right, and the rows' end."""
    left, right, top = place
    y, colors = top + 8 + (BENEATH - 8) / 2, sheet.colors
    sheet.line(f"M{left},{top + 4}H{right}", colors.ink, 2)
    sheet.write(left - 10 / sheet.wide, y, "<b>context</b>", 13 if sheet.phone else 16, anchor="middle left")
    if not result:
        return
    tip = scale.zero + context * scale.unit
    sheet.bar(min(scale.zero, tip), y - SUM / 2, max(scale.zero, tip), y + SUM / 2, colors.value)
    x = max(scale.zero, tip) + 9 / sheet.wide
    size = min(LARGE, 0.95 * (1 - x) * sheet.wide / (1.12 * ems(result)))
    sheet.write(x, y, bold(result), size, anchor="middle right")
