"""How long people wait under each policy, on one scale of powers of ten: a dot for each request, in columns, on a phone a band from the
shortest to the longest; first how long it waited for its first token, then how long at most between two. Beside the last its number."""

from collections.abc import Mapping
from math import log10

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.axes import powers
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems
from pages.parts.text.amounts import seconds

LEFT, RIGHT = 0.135, 0.995
TITLE = 44.0  # pixels of what is shown
BELOW = 28.0  # pixels of the scale
NAME = 22.0  # pixels of a policy's name on a phone
ROW_ON_PHONE, EDGE = 76.0, 3.0  # pixels of a row, and free at its ends
DOT, PALE = 7.0, 0.4  # pixels of a dot and of a column of them; how much of its colour has a band
SAID, SAID_ON_PHONE = 110.0, 76.0  # pixels free beyond the scale, for the number of the last dot
SIDES = ("until the first token (TTFT)", "longest wait between two tokens")
ON_PHONE = ("first token (TTFT)", "longest between two")


def spreads(
    sheet: Sheet, waits: Mapping[str, tuple[np.ndarray, np.ndarray]], chosen: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """waits: policy -> seconds until the first token, and the longest ones between two, (n,) each; nan for what has none.

    asked: whose longest wait is the shortest; until that is known those are not drawn.
    """
    phone, colors = sheet.on_phone(), (sheet.colors.prefill, sheet.colors.decode)
    height = ROW_ON_PHONE if phone else sheet.row(262, len(waits), 60, 110)
    left, above = 0.0 if phone else LEFT, headline(sheet, *_large(waits, asked.known)) + 2
    for side, color in enumerate(colors):
        title, size = (ON_PHONE[side], 16) if phone else (SIDES[side], 20)
        x = left + side * (RIGHT - left) * (0.47 if phone else 0.4)
        sheet.write(x, above + 16, bold(title), size, color, "middle right")
        if side and not asked.known:
            sheet.write(x + (size * bold_ems(title) + 8) / sheet.wide, above + 16, bold("?"), 1.7 * size, color, "middle right")
    place = _scale(sheet, waits, (left, above + TITLE, RIGHT, above + TITLE + len(waits) * height))
    for k, (name, both) in enumerate(waits.items()):
        top, bottom = above + TITLE + k * height, above + TITLE + (k + 1) * height
        first, last = top + NAME * phone + EDGE, bottom - EDGE
        middle = (first + last) / 2
        for side, color in enumerate(colors[: 1 + asked.known]):
            lane = middle + 3 if side else first, middle - 1 if asked.known and not side else last
            (_band if phone else _dots)(sheet, place, both[side], lane, color)
        sheet.line(f"M{left:.5f},{last:.2f}H{RIGHT:.5f}", sheet.colors.muted)
        x, y, anchor = (0.0, top + NAME / 2 + 2, "middle right") if phone else (left - 0.012, (top + bottom) / 2, "middle left")
        sheet.write(x, y, bold(name, name == chosen), 16 if phone else 19, anchor=anchor)
        if asked.names:
            yours = (1.0, y, anchor) if phone else (x, y + 22, anchor)
            answer_part(sheet, asked, k, (left, top + NAME * phone + 1, RIGHT, bottom - 1), (*yours[:2], "middle left"))
    return sheet.figure(above + TITLE + len(waits) * height + BELOW, min_width=720)


def policies_with(values: Mapping[str, float], value: float) -> list[str]:
    """The policies whose number is this one, but for a thousandth of it."""
    return [name for name, x in values.items() if abs(x - value) <= 1e-3 * value]


def _large(waits: Mapping[str, tuple[np.ndarray, np.ndarray]], known: bool) -> tuple[str, ...]:
    """The headline, and a shorter one for a phone: how long all wait at most under the best policy between two tokens; as long as that is
    asked, for the first one."""
    longest = [{name: float(np.nanmax(both[side])) for name, both in waits.items() if (both[side] > 0).any()} for side in (0, 1)]
    if known and longest[1]:
        least = min(longest[1].values())
        best, *more = policies_with(longest[1], least)
        said, most = "Several alike" if more else best.capitalize(), seconds(least)
        return f"{said}: at most {most} between two tokens", f"{said}: ≤ {most} between tokens"
    if not longest[0]:
        return ("Nobody waits for a token",)
    best, worst = (pick(longest[0], key=longest[0].get) for pick in (min, max))
    one, other = (seconds(longest[0][x]) for x in (best, worst))
    return (f"First token within {one}" + f", or {other}" * (one != other),)


def _scale(sheet: Sheet, waits: Mapping[str, tuple[np.ndarray, np.ndarray]], box: Box) -> tuple[float, float]:
    """Lines at powers of ten, which are there before dots are known. Returns where one second lies, and how far it is to ten."""
    left, top, right, bottom = box
    every = np.concatenate([one for both in waits.values() for one in both])
    every = every[every > 0]
    low = log10(every.min()) - 0.1 if len(every) else -3.0
    high = max(log10(every.max()) if len(every) else 0.0, low + 1)
    ten = (right - left - (SAID_ON_PHONE if sheet.phone else SAID) / sheet.wide) / (high - low)
    lines = ""
    for power in powers(10**low, 10**high):
        x = left + ten * (power - low)
        lines += f"M{x:.5f},{top:.2f}V{bottom:.2f}"
        anchor = "middle center" if x * sheet.wide > 24 else "middle right"
        sheet.write(x, bottom + 13, seconds(10.0**power), 14, sheet.colors.muted, anchor)
    sheet.line(lines, sheet.colors.hole)
    sheet.write(right, bottom + 13, "logarithmic", 14, sheet.colors.muted, "middle left")
    return left - ten * low, ten


def _dots(sheet: Sheet, place: tuple[float, float], values: np.ndarray, down: tuple[float, float], color: str) -> None:
    """A dot for each, in columns as high as there are many."""
    values = values[values > 0]
    if not len(values):
        return
    top, bottom = down
    x = place[0] + place[1] * np.log10(values)
    column, level = np.floor(x * sheet.wide / DOT), np.zeros(len(x))
    for one in np.unique(column):
        level[column == one] = np.arange(np.count_nonzero(column == one))
    step = min(DOT, (bottom - top - DOT) / max(1.0, level.max()))
    y = bottom - DOT / 2 - level * step
    sheet.dots(((column + 0.5) * DOT / sheet.wide).tolist(), y.tolist(), DOT, color, (color, 0))
    _number(sheet, float(values.max()), (float(x.max()), (top + bottom) / 2), color)


def _band(sheet: Sheet, place: tuple[float, float], values: np.ndarray, down: tuple[float, float], color: str) -> None:
    """From the shortest to the longest, the median and the longest as lines."""
    values = values[values > 0]
    if not len(values):
        return
    top, bottom = down
    first, middle, last = (place[0] + place[1] * log10(float(at)) for at in (values.min(), np.median(values), values.max()))
    sheet.bar(first, top, last, bottom - 2, faded(sheet.colors, color, PALE))
    for x in (middle, last):
        sheet.bar(x - 2 / sheet.wide, top, x + 2 / sheet.wide, bottom - 2, color)
    _number(sheet, float(values.max()), (last, (top + bottom) / 2), color)


def _number(sheet: Sheet, longest: float, at: tuple[float, float], color: str) -> None:
    """How long the longest is, beside it."""
    sheet.write(at[0] + 9 / sheet.wide, at[1], bold(f"≤ {seconds(longest)}"), 16 if sheet.phone else 20, color, "middle right")
