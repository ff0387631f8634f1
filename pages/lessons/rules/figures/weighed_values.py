"""What each token is worth as a bar, times its weight in a slot as large as any other's, is what is taken of it: the dark part of its bar.

A line a token; beneath them all what is taken adds up to. Until the answer those that are asked about have a slot, with a "?".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.lessons.rules.figures.look import TO_FIND
from pages.lessons.rules.figures.products import product_said, shares_said
from pages.parts.drawing.answers import Asked, answer_rows
from pages.parts.drawing.cells import LARGE, Texts, cells
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, Span, token_boxes
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, rectangle, type_size
from pages.parts.text.format import entered

# Shares of the width
TOKENS = (0.004, 0.112)
VALUES = (0.13, 0.715)
SLOTS = (0.745, 0.88)
TAKEN = (0.915, 1.0)
NARROW_TOKENS = (0.0, 0.195)
NARROW_VALUES = (0.215, 0.62)
NARROW_SLOTS = (0.66, 0.785)
NARROW_TAKEN = (0.84, 1.0)
ROOM = 252.0  # pixels of all rows
PHONE_ROOM = 226.0
LOWEST = 15.0  # pixels of a row, at least
HIGHEST = 84.0  # pixels of a row, at most
BAR, SLOT = (0.16, 0.84), (0.1, 0.9)  # of a row's height
NUMBER, ASKED = 26.0, 40.0  # type sizes of a number and of a question mark, at most
BENEATH, SUM = 58.0, 34.0  # pixels of the sum beneath the rows, and of its bar
PALE = 0.45  # what is left of the colour of a value, of which a part is taken, and of a token that is not asked about


class Reach(NamedTuple):
    """Where zero stands, and how wide 1 is, of the width."""

    zero: float
    unit: float

    def bar(self, length: float, top: float, bottom: float) -> Box:
        """A number from zero on."""
        tip = self.zero + length * self.unit
        return min(self.zero, tip), top, max(self.zero, tip), bottom


def weighed_values(
    sheet: Sheet, looks: RowByHand, result: str, words: Sequence[str], compared: tuple[int, int], asked: Asked, told: bool
) -> SheetFigure:
    """looks: of the last token, which sees all. result: the context. compared: the two tokens that are asked about. told: whether
    weights are drawn, or to be found."""
    n, phone, colors = len(words), sheet.on_phone(), sheet.colors
    narrow = NARROW_TOKENS, NARROW_VALUES, NARROW_SLOTS, NARROW_TAKEN
    tokens, across, slots, taken = narrow if phone else (TOKENS, VALUES, SLOTS, TAKEN)
    tall = float(np.clip(PHONE_ROOM / n, LOWEST, 56.0)) if phone else sheet.row(ROOM, n, LOWEST, HIGHEST)
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    token_boxes(sheet, place, words, tokens, {n - 1}, sheet.wide)
    for x, name, ink in (
        (across[0], "value", colors.value),
        (slots[0], "weight", colors.ink),
        (taken[0], "taken" * told, colors.value),
    ):
        sheet.write(x, HEAD - 14, bold(name), 16, ink, "middle right")
    shares, values = looks.weights.tolist(), [float(v) for v in looks.values]
    weigh, worth = shares_said(shares, values), [*map(entered, values)]
    parts = [w * v for w, v in zip(shares, values, strict=True)]
    # What softmax leaves is 0.
    made = [
        "0" if text == "0" else product_said(w, v).removeprefix("= ") for text, w, v in zip(weigh, shares, values, strict=True)
    ]
    size = max(LEAST, min(NUMBER, 0.42 * tall))
    reach = _reach(sheet, across, values, size * max(map(bold_ems, worth)))
    smaller = type_size(max((x.removeprefix("≈ ") for x in made), key=ems), (1 - taken[0]) * sheet.wide, size, LEAST)
    _slots(sheet, place, slots, (looks.weights, weigh), compared, told)
    for i in range(n):
        strong, y = i in compared, place.middle(i)
        ink = colors.ink if strong else colors.muted
        pale, full = (faded(colors, colors.value, share * (1.0 if strong else PALE)) for share in (PALE, 1.0))
        lane = [float(place.tops[i]) + share * tall for share in BAR]
        whole = reach.bar(values[i], *lane)
        sheet.bar(*whole, pale if told else full)
        sheet.write(whole[2] + 7 / sheet.wide, y, bold(worth[i], strong), size, ink, "middle right")
        if told or strong:
            sheet.write(slots[0] - 13 / sheet.wide, y, "×", min(size, 20.0), colors.muted)
        if told:
            sheet.bar(*reach.bar(parts[i], *lane), full)
            sheet.write(
                (slots[1] + taken[0]) / 2, y, "=" if "≈" not in made[i] + weigh[i] else "≈", min(size, 20.0), colors.muted
            )
            sheet.write(taken[0], y, bold(made[i].removeprefix("≈ "), strong), smaller, ink, "middle right")
    end = float(place.tops[-1])
    sheet.line(f"M{reach.zero:.5f},{place.tops[0]:.1f}L{reach.zero:.5f},{end + told * (BENEATH - 6):.1f}", colors.ink, 2)
    if told:
        _sum(sheet, result.replace(TO_FIND, ""), sum(parts), reach, (across[0], taken[0], end))
    ends = [taken[0] + smaller * bold_ems(text) / sheet.wide for text in made]
    answer_rows(sheet, asked, Grid(np.array([tokens[0], 1.0]), place.tops), across[0] - 0.006, ends)
    return sheet.figure(end + BENEATH, min_width=760)


def _reach(sheet: Sheet, across: Span, values: Sequence[float], room: float) -> Reach:
    """Bars of all values from zero, and behind the longest its number, so many pixels wide."""
    (left, right), low, high = across, min(0.0, *values), max(0.0, *values)
    unit = (right - left - (room + 12 + 28) / sheet.wide) / ((high - low) or 1.0)
    return Reach(left - low * unit, unit)


def _slots(
    sheet: Sheet, place: Place, across: Span, weights: tuple[np.ndarray, list[str]], compared: tuple[int, int], told: bool
) -> None:
    """A slot a token, all of one size: the weight in its tint, until it is known those of the two that are asked about alone. weights:
    numbers, and in words."""
    (left, right), colors, (shares, said) = across, sheet.colors, weights
    if told:
        size = min(NUMBER, 0.6 * place.tall, (right - left) * sheet.wide / (max(map(bold_ems, said)) + 0.4))
        for i in range(place.n):
            lane = np.array([place.tops[i] + share * place.tall for share in SLOT])
            written = Texts(np.array([[bold(said[i], i in compared)]], object), max(size, LEAST))
            cells(sheet, Grid(np.array(across), lane), shares[i : i + 1, None], Scale(colors.weights), written, hover=False)
    slots = range(place.n) if told else sorted(set(compared))
    edges = [[float(place.tops[i]) + share * place.tall for share in SLOT] for i in slots]
    sheet.line("".join(rectangle(left, top, right, bottom) for top, bottom in edges), colors.muted, 1.5, "" if told else "dash")
    for i in slots if not told else ():
        sheet.write((left + right) / 2, place.middle(i), bold(TO_FIND), max(LEAST, min(ASKED, 0.7 * place.tall)))


def _sum(sheet: Sheet, result: str, context: float, reach: Reach, place: tuple[float, float, float]) -> None:
    """What is taken adds up to, to the scale of the values, beneath a line under all of them. place: where values begin and what is
    taken of them, and the rows' end."""
    left, x, top = place
    y, colors = top + 8 + (BENEATH - 8) / 2, sheet.colors
    sheet.line(f"M{left},{top + 4}H1", colors.ink, 2)
    sheet.write(left - 10 / sheet.wide, y, "<b>context</b>", 13 if sheet.phone else 16, anchor="middle left")
    if result:
        sheet.bar(*reach.bar(context, y - SUM / 2, y + SUM / 2), colors.value)
        x = min(x, 1 - 20.0 * bold_ems(result) / sheet.wide)  # a long one begins further left
        sheet.write(x, y, bold(result), type_size(result, (1 - x) * sheet.wide, LARGE), anchor="middle right")
