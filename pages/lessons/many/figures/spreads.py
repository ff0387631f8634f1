"""How long people wait under each policy, on one scale of powers of ten: a dot for each request, above its policy's line how long it
waited for its first token and beneath it how long between two; beside the last of them how long that is."""

from collections.abc import Mapping
from math import log10

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.axes import powers
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold
from pages.parts.text.amounts import seconds

LEFT, RIGHT = 0.125, 0.995
TITLE, BELOW, NAME = 38.0, 28.0, 19.0  # pixels of what both sides are, of the scale, and of a policy's name on a phone
ROW_ON_PHONE, APART, EDGE = 73.0, 2.0, 3.0  # pixels of a row, and free beside its line and at its ends
DOT, DOT_ON_PHONE = 5.0, 3.0  # pixels of one, and of a column of them
SAID, SAID_ON_PHONE = 104.0, 72.0  # pixels free beyond the scale, for the number of the last dot
SIDES = ("▲ until the first token (TTFT)", "▼ longest wait between two tokens")
ON_PHONE = ("▲ first token (TTFT)", "▼ longest between two")


def spreads(
    sheet: Sheet, waits: Mapping[str, tuple[np.ndarray, np.ndarray]], chosen: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """waits: policy -> seconds until the first token, and the longest ones between two, (n,) each; nan for what has none.

    asked: whose longest wait is the shortest; until that is known its place beneath each line is empty.
    """
    phone, colors = sheet.on_phone(), (sheet.colors.prefill, sheet.colors.decode)
    height = ROW_ON_PHONE if phone else sheet.row(262, len(waits), 60, 110)
    left, above = 0.0 if phone else LEFT, headline(sheet, *_large(waits, asked.known)) + 2
    for side, color in enumerate(colors):
        title, size = (ON_PHONE, 15) if phone else (SIDES, 18)
        sheet.write(left + side * (RIGHT - left) * 0.48, above + 14, bold(title[side]), size, color, "middle right")
    place = _scale(sheet, waits, (left, above + TITLE, RIGHT, above + TITLE + len(waits) * height))
    for k, (name, both) in enumerate(waits.items()):
        top, bottom = above + TITLE + k * height, above + TITLE + (k + 1) * height
        line = (top + bottom + NAME * phone) / 2
        for side, color in enumerate(colors):
            lane = (left, line + APART, RIGHT, bottom - EDGE) if side else (left, top + NAME * phone + EDGE, RIGHT, line - APART)
            if asked.known or not side:
                _dots(sheet, place, both[side], lane, color)
            else:
                x0, y0, x1, y1 = lane
                sheet.line(f"M{x0:.5f},{y0:.2f}V{y1:.2f}H{x1:.5f}V{y0:.2f}", sheet.colors.muted, 1.5, "dash")
                sheet.write((left + RIGHT) / 2, sum(lane[1::2]) / 2, bold("?"), 22, color)
        sheet.line(f"M{left:.5f},{line:.2f}H{RIGHT:.5f}", sheet.colors.muted)
        x, y, anchor = (4 / sheet.wide, top + NAME / 2 + 2, "middle right") if phone else (left - 0.012, line, "middle left")
        sheet.write(x, y, bold(name, name == chosen), 14 if phone else 17, anchor=anchor)
        if asked.names:
            yours = (1.0, y, anchor) if phone else (x, y + 22, anchor)
            answer_part(sheet, asked, k, (left, top + NAME * phone + 1, RIGHT, bottom - 1), (*yours[:2], "middle left"))
    return sheet.figure(above + TITLE + len(waits) * height + BELOW, min_width=0 if phone else 720)


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
        sheet.write(x, bottom + 13, seconds(10.0**power), 14, sheet.colors.muted)
    sheet.line(lines, sheet.colors.hole)
    return left - ten * low, ten


def _dots(sheet: Sheet, place: tuple[float, float], values: np.ndarray, lane: Box, color: str) -> None:
    """A dot for each, in columns as high as there are many, away from the policy's line; beside the last one its number."""
    values = values[values > 0]
    if not len(values):
        return
    dot, (left, top, _, bottom) = DOT_ON_PHONE if sheet.phone else DOT, lane
    x = place[0] + place[1] * np.log10(values)
    column, level = np.floor((x - left) * sheet.wide / dot), np.zeros(len(x))
    for one in np.unique(column):
        level[column == one] = np.arange(np.count_nonzero(column == one))
    step = min(dot, (bottom - top - dot) / max(1.0, level.max()))
    up = color == sheet.colors.prefill
    y = (bottom - dot / 2 if up else top + dot / 2) + level * step * (-1 if up else 1)
    sheet.dots((left + (column + 0.5) * dot / sheet.wide).tolist(), y.tolist(), dot, color, (color, 0))
    said = bold(f"≤ {seconds(float(values.max()))}")
    sheet.write(float(x.max()) + 9 / sheet.wide, (top + bottom) / 2, said, 15 if sheet.phone else 19, anchor="middle right")
