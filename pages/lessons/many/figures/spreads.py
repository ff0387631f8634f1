"""How long people wait under each policy: a dot for each request on a scale of powers of ten, and how long half of them and all
of them waited."""

from collections.abc import Mapping, Sequence
from math import floor, log10

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.amounts import seconds

LEFT, GAP, RIGHT = 0.13, 0.085, 0.995
# Pixels above the rows, of a row, and of its line of words on a phone.
TOP, TOP_ON_PHONE, ROW_ON_PHONE, NAME = 56.0, 46.0, 42.0, 17.0
GROWN = 1.2  # times as wide as it is laid out words may become on a large screen: they stay within an outline around their row
DOT = 3.0  # pixels of a column of dots on a phone
WORDS = 0.36  # of a row's height take its numbers, which no line of the scale crosses


def spreads(
    sheet: Sheet, waits: Mapping[str, tuple[np.ndarray, np.ndarray]], chosen: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """waits: policy -> seconds until the first token, and the longest ones between two, (n,) each; nan for what has none.

    asked: whose longest wait is the shortest; until that is known there are question marks on the scale that it will have.
    """
    colors, height, narrow = sheet.colors, sheet.row(232, len(waits), 50, 84), sheet.on_phone()
    first, head = (0.005, TOP_ON_PHONE) if narrow else (LEFT, TOP)
    height = ROW_ON_PHONE if narrow else height
    width = RIGHT - first if narrow else (RIGHT - LEFT - GAP) / 2
    titles = ("until the first token (TTFT)", "longest wait between two tokens")
    below = head + len(waits) * height + (26 if narrow else 40)  # of the first side, where the second one stands beneath it
    above = headline(sheet, *_large(waits, asked.known)) + 2
    for side, (title, color) in enumerate(zip(titles, (colors.prefill, colors.decode), strict=True)):
        left, top = (first, above + side * below) if narrow else (LEFT + side * (width + GAP), above)
        every = np.concatenate([both[side] for both in waits.values()])
        every = every[every > 0]
        low, high = (floor(log10(every.min())), floor(log10(every.max())) + 1) if len(every) else (-3, 0)
        sheet.write(left, top + 14, title, 18, color, "middle right")
        _decades(sheet, (left, width), (low, high), [(top + head + k * height, height) for k in range(len(waits))])
        for k, both in enumerate(waits.values()):
            values = both[side][both[side] > 0]
            if len(values) and (asked.known or not side):
                at = left + width * (np.log10(values) - low) / (high - low)
                (_swarm if narrow else _strip)(sheet, at, values, (top + head + k * height, height, left, left + width), color)
        for k in range(len(asked.names) * side):
            box = left, top + head + k * height + 1 - 4 * narrow, left + width, top + head + (k + 1) * height - 2
            if not asked.known:
                y = top + head + (k + 0.68) * height
                _draw_unknown(sheet, (box[0] + 0.01, y - 0.22 * height, box[2] - 0.01, y + 0.22 * height))
            yours = (1.0, top + 14, "middle left") if narrow else (left - 6 / sheet.wide, (box[1] + box[3]) / 2, "middle left")
            answer_part(sheet, asked, k, box, yours, ticked=not narrow)
        if side:
            hint(sheet, asked, 1, top + (31 if narrow else 38))
        for k, name in enumerate(waits) if narrow or not side else ():
            y = top + head + (NAME / 2 if narrow else (k + 0.5) * height) + k * height * narrow
            where = (0.0, y, "middle right") if narrow else (left - 0.015, y, "middle left")
            sheet.write(*where[:2], bold(name, name == chosen), 15 if narrow else 17, colors.ink, where[2])
    return sheet.figure(above + below * (1 + narrow) - (0 if narrow else 14), min_width=0 if narrow else 720)


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
    return (f"First token within {seconds(longest[0][best])}, or {seconds(longest[0][worst])}",)


def _draw_unknown(sheet: Sheet, box: Box) -> None:
    """A policy whose waits are asked for: they may lie anywhere on the scale."""
    sheet.line(rectangle(*box), sheet.colors.muted, 1.2, "dash")
    sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, "<b>?</b>", 22)


def _decades(sheet: Sheet, across: tuple[float, float], powers: tuple[int, int], rows: Sequence) -> None:
    """A thin line at each power of ten from the lower to the upper one. across: where they begin, and how wide; rows: top and height of
    each, whose words are left free."""
    lines, (low, high), (left, width) = "", powers, across
    for power in range(low, high + 1):
        x = left + width * (power - low) / (high - low)
        lines += "".join(f"M{x:.5f},{top + WORDS * tall:.2f}L{x:.5f},{top + tall:.2f}" for top, tall in rows)
        anchor = "middle left" if power == high else "middle right" if power == low else "middle center"
        sheet.write(x, sum(rows[-1]) + 13, seconds(10.0**power), 14, sheet.colors.muted, anchor)
    sheet.line(lines, sheet.colors.hole)


def _strip(sheet: Sheet, x: np.ndarray, values: np.ndarray, box: tuple[float, float, float, float], color: str) -> None:
    """The requests of one policy: dots one above the other where they are many, and how long half of them and all of them waited. box:
    its top, its height and where its words must begin and end."""
    top, height, left, right = box
    order = np.argsort(x, kind="stable")
    y = top + height * 0.84 - (0.618 * np.arange(len(x)) % 1) * height * 0.36  # no rows of dots
    sheet.dots(x[order].tolist(), y.tolist(), 6, color, (color, 0))
    middle, worst = float(np.median(values)), float(values.max())
    places = np.interp((middle, worst), np.sort(values), np.sort(x)).tolist()
    for place in places:
        sheet.bar(place - 0.0012, top + height * 0.4, place + 0.0012, top + height * 0.9, sheet.colors.ink)
    size = 17
    texts = f"half within <b>{seconds(middle)}</b>", f"all within <b>{seconds(worst)}</b>"
    wide = [GROWN * ems(text.replace("<b>", "").replace("</b>", "")) * size / sheet.wide for text in texts]
    end = min(max(places[1], left + sum(wide) + 0.026), right)  # the second ends there, the first to its left
    sheet.write(end, top + height * 0.2, texts[1], size, anchor="middle left")
    first = max(left + wide[0] + 0.005, min(places[0], end - wide[1] - 0.018))  # not beyond the left of its row
    sheet.write(first, top + height * 0.2, texts[0], size, sheet.colors.muted, "middle left")


def _swarm(sheet: Sheet, x: np.ndarray, values: np.ndarray, box: tuple[float, float, float, float], color: str) -> None:
    """The same on a phone: dots in columns, as high as there are many, and both numbers on the line of the policy's name. box: its top,
    its height, and where dots may lie."""
    top, height, left, right = box
    column = np.clip(np.floor((x - left) * sheet.wide / DOT), 0, (right - left) * sheet.wide // DOT - 1)
    level = np.zeros(len(x))
    for one in np.unique(column):
        level[column == one] = np.arange(np.count_nonzero(column == one))
    pitch = min(DOT, (height - NAME - 6) / max(1.0, level.max()))
    bottom = top + height - 4
    sheet.dots((left + (column + 0.5) * DOT / sheet.wide).tolist(), (bottom - level * pitch).tolist(), 2.4, color, (color, 0))
    middle, worst = float(np.median(values)), float(values.max())
    for place in np.interp((middle, worst), np.sort(values), np.sort(x)).tolist():
        sheet.bar(place - 0.002, top + NAME + 2, place + 0.002, bottom + 3, sheet.colors.ink)
    sheet.write(0.67, top + NAME / 2, f"half in <b>{seconds(middle)}</b>", 13, sheet.colors.muted, "middle left")
    sheet.write(right, top + NAME / 2, f"all in <b>{seconds(worst)}</b>", 13, anchor="middle left")
