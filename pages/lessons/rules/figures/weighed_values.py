"""What each token is worth and what it weighs, side by side: a value may be twenty times another, and both weigh the same.

A line a token: its value as a bar, what that is multiplied with as another, and at the end what all of them add up to.
"""

from collections.abc import Sequence

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.lessons.rules.figures.look import TO_FIND
from pages.parts.drawing.answers import Asked, answer_rows
from pages.parts.drawing.cells import LARGE
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, Span, token_boxes
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.digits import share_said
from pages.parts.text.format import entered

TOKENS, VALUES, WEIGHTS, CONTEXT = (0.004, 0.125), (0.15, 0.5), (0.56, 0.845), 0.998  # shares of the width
NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS = (0.0, 0.235), (0.26, 0.6), (0.66, 1.0)
ROOM, PHONE_ROOM, LOWEST, HIGHEST = 292.0, 226.0, 15.0, 84.0  # pixels of all rows, and of one
NUMBER, BENEATH = 24.0, 44.0  # type size of a value and of a weight, at most; pixels of the context beneath the rows, on a phone
PALE = 0.4  # what is left of the colour of a token that is not asked about


def weighed_values(
    sheet: Sheet, looks: RowByHand, result: str, words: Sequence[str], compared: tuple[int, int], asked: Asked, told: bool
) -> SheetFigure:
    """looks: of the last token, which sees all. result: the context. compared: the two tokens that are asked about. told: whether
    weights are drawn, or to be found."""
    n, phone, colors = len(words), sheet.on_phone(), sheet.colors
    tokens, values, weights = (NARROW_TOKENS, NARROW_VALUES, NARROW_WEIGHTS) if phone else (TOKENS, VALUES, WEIGHTS)
    tall = float(np.clip(PHONE_ROOM / n, LOWEST, 56.0)) if phone else sheet.row(ROOM, n, LOWEST, HIGHEST)
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    top, bottom = HEAD, float(place.tops[-1])
    token_boxes(sheet, place, words, tokens, {n - 1}, sheet.wide)
    sheet.write(values[0], HEAD - 14, "<b>value</b>", 16, colors.value, "middle right")
    sheet.write(weights[0], HEAD - 14, "<b>weight</b>", 16, anchor="middle right")
    _bars(sheet, place, values, looks.values, compared, colors.value)
    if told:
        _bars(sheet, place, weights, looks.weights, compared, colors.prefill, share_said)
    else:
        sheet.line(rectangle(weights[0], top + 4, weights[1], bottom - 4), colors.muted, 1.5, "dash")
        sheet.write(sum(weights) / 2, (top + bottom) / 2, "<b>?</b>", min(64.0, 0.8 * (bottom - top)))
    known = told and result != TO_FIND
    if phone:
        if known:
            sheet.write(0, bottom + 24, "<b>context</b>", 16, anchor="middle right")
            sheet.write(weights[1], bottom + 24, bold(result), LARGE, anchor="middle left")
    elif known:
        _context(sheet, result, (weights[1] + 0.012, top, CONTEXT, bottom))
    answer_rows(sheet, asked, Grid(np.array([tokens[0], weights[1]]), place.tops), values[0] - 0.006)
    return sheet.figure(bottom + (BENEATH if phone else 10), min_width=0 if phone else 760)


def _bars(
    sheet: Sheet, place: Place, across: Span, sizes: Sequence[float], strong: tuple[int, int], color: str, said=entered
) -> None:
    """A number of each token as a bar from zero, and itself at the bar's end; of the `strong` two in full colour."""
    left, right = across
    low, high = min(0.0, *sizes), max(0.0, *sizes)
    written = [said(float(x)) for x in sizes]
    size = min(NUMBER, 0.7 * place.tall) if place.tall > LEAST else 0.0
    room = (1.12 * size * max(map(ems, written)) + 10) / sheet.wide  # beside the longest bar
    room = min(room, 0.45 * (right - left))
    unit = (right - left - room) / ((high - low) or 1.0)
    zero = left - low * unit
    gap = min(0.2 * place.tall, 12.0)
    for i, (x, text) in enumerate(zip(sizes, written, strict=True)):
        y, tip = place.middle(i), zero + float(x) * unit
        fill = color if i in strong else faded(sheet.colors, color, PALE)
        sheet.bar(
            min(zero, tip),
            float(place.tops[i]) + gap,
            max(zero, tip, zero + 2 / sheet.wide),
            float(place.tops[i + 1]) - gap,
            fill,
        )
        if size:
            ink = sheet.colors.ink if i in strong else sheet.colors.muted
            sheet.write(max(zero, tip) + 7 / sheet.wide, y, bold(text, i in strong), size, ink, "middle right")


def _context(sheet: Sheet, result: str, box: tuple[float, float, float, float]) -> None:
    """What the values times their weights add up to, behind a brace round all of them."""
    x0, top, right, bottom = box
    y, reach = (top + bottom) / 2, 0.014
    sheet.line(f"M{x0},{top + 4}H{x0 + reach}V{bottom - 4}H{x0}M{x0 + reach},{y}H{x0 + 2 * reach}", sheet.colors.muted, 2)
    room = (right - x0 - 2 * reach) * sheet.wide - 8
    sheet.write(right, y, bold(result), max(18.0, min(44.0, room / (1.12 * ems(result)))), anchor="middle left")
    sheet.write(right, HEAD - 14, "<b>context</b>", 16, anchor="middle left")
