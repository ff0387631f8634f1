"""How long people wait under each policy: a dot for each request on a scale of powers of ten, and at the last of them how long it
waited."""

from collections.abc import Mapping
from math import log10

import numpy as np

from pages.parts.drawing.answers import HINT, NOT_ASKED, Asked, answer_part
from pages.parts.drawing.axes import powers
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle
from pages.parts.text.amounts import seconds

LEFT, GAP, RIGHT = 0.13, 0.045, 0.995
TOP, ROW_ON_PHONE, NAME = 36.0, 42.0, 16.0  # pixels above the rows, of a row, and of its name on a phone
DOT, ON_PHONE = 6.0, 3.0  # pixels of one, and of a column of them on a phone
SAID, SAID_ON_PHONE = 96.0, 58.0  # pixels free beyond the scale, for the number of the last dot
Row = tuple[float, float, float, float]


def spreads(
    sheet: Sheet, waits: Mapping[str, tuple[np.ndarray, np.ndarray]], chosen: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """waits: policy -> seconds until the first token, and the longest ones between two, (n,) each; nan for what has none.

    asked: whose longest wait is the shortest; until that is known one question mark stands for all of these.
    """
    colors, height, narrow = sheet.colors, sheet.row(236, len(waits), 50, 100), sheet.on_phone()
    height = ROW_ON_PHONE if narrow else height
    first = 0.0 if narrow else LEFT
    width = RIGHT - first if narrow else (RIGHT - LEFT - GAP) / 2
    titles = ("until the first token (TTFT)", "longest wait between two tokens")
    below = TOP + len(waits) * height + 30  # of the first side, where the second one stands beneath it
    above = headline(sheet, *_large(waits, asked.known)) + 2
    for side, (title, color) in enumerate(zip(titles, (colors.prefill, colors.decode), strict=True)):
        left, top = (first, above + side * below) if narrow else (LEFT + side * (width + GAP), above)
        rows = [(left, top + TOP + k * height, left + width, top + TOP + (k + 1) * height) for k in range(len(waits))]
        sheet.write(left, top + 14, bold(title), 18, color, "middle right")
        known = asked.known or not side
        _side(sheet, [both[side] for both in waits.values()], rows, color, known)
        if not known:
            _draw_unknown(sheet, (left, rows[0][1], left + width, rows[-1][3]), asked.open)
        for k in range(len(asked.names) * side):
            yours = (1.0, top + 14, "middle left") if narrow else (left - 6 / sheet.wide, sum(rows[k][1::2]) / 2, "middle left")
            answer_part(sheet, asked, k, (rows[k][0], rows[k][1] + 1, rows[k][2], rows[k][3] - 1), yours, ticked=not narrow)
        for name, row in zip(waits, rows, strict=True) if narrow or (not side) else ():
            x, y, anchor = (
                (4 / sheet.wide, row[1] + NAME / 2 + 2, "middle right")
                if narrow
                else (left - 0.015, sum(row[1::2]) / 2, "middle left")
            )
            sheet.write(x, y, bold(name, name == chosen), 14 if narrow else 17, colors.ink, anchor)
    return sheet.figure(above + below * (1 + narrow), min_width=0 if narrow else 720)


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


def _draw_unknown(sheet: Sheet, box: Row, hinted: bool) -> None:
    """What is asked for: all of its dots may lie anywhere on the scale."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    sheet.line(rectangle(*box), sheet.colors.muted, 1.5, "dash")
    sheet.write(x, y, bold("?"), 64)
    if hinted:
        sheet.write(box[2] - 8 / sheet.wide, box[1] + 14, HINT, 13.5, sheet.colors.muted, "middle left")


def _side(sheet: Sheet, waits: list[np.ndarray], rows: list[Row], color: str, known: bool) -> None:
    """One of both waits under each policy, all on one scale, which is there before its dots are known."""
    every = np.concatenate(waits)
    every = every[every > 0]
    low = log10(every.min()) - 0.1 if len(every) else -3.0
    high = max(log10(every.max()) if len(every) else 0.0, low + 1)
    left, top, right, bottom = rows[0][0], rows[0][1], rows[0][2], rows[-1][3]
    width = right - left - (SAID_ON_PHONE if sheet.phone else SAID) / sheet.wide
    lines = ""
    for power in powers(10**low, 10**high):
        x = left + width * (power - low) / (high - low)
        lines += f"M{x:.5f},{top:.2f}L{x:.5f},{bottom:.2f}"
        sheet.write(x, bottom + 13, seconds(10.0**power), 14, sheet.colors.muted)
    sheet.line(lines, sheet.colors.hole)
    for values, row in zip(waits, rows, strict=True):
        values = values[values > 0]
        if known and len(values):
            x = left + width * (np.log10(values) - low) / (high - low)
            y = _columns(sheet, x, row) if sheet.phone else _strewn(x, row)
            last = float(x.max())
            sheet.dots(x.tolist(), y.tolist(), ON_PHONE if sheet.phone else DOT, color, (color, 0))
            middle = (row[1] + NAME * sheet.phone + row[3]) / 2
            sheet.write(
                last + 9 / sheet.wide,
                middle,
                bold(seconds(float(values.max()))),
                15 if sheet.phone else 20,
                anchor="middle right",
            )


def _strewn(x: np.ndarray, row: Row) -> np.ndarray:
    """How far down each dot lies: no rows of dots."""
    y = np.empty(len(x))
    y[np.argsort(x, kind="stable")] = 0.14 + 0.618 * np.arange(len(x)) % 1 * 0.72
    return row[1] + (row[3] - row[1]) * y


def _columns(sheet: Sheet, x: np.ndarray, row: Row) -> np.ndarray:
    """The same on a phone: columns as high as there are many."""
    column = np.floor((x - row[0]) * sheet.wide / ON_PHONE)
    level = np.zeros(len(x))
    for one in np.unique(column):
        level[column == one] = np.arange(np.count_nonzero(column == one))
    return row[3] - 4 - level * min(ON_PHONE, (row[3] - row[1] - NAME - 6) / max(1.0, level.max()))
