"""How many times what is expected a log's numbers are, on one scale; while a number is asked for, what it is a part of, cut into pieces."""

from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from pages.parts.drawing.sheet import Sheet, SheetFigure, short
from pages.parts.text.amounts import times

NAMES, BARS, END = 0.0, 0.34, 0.86  # where names and the scale begin, and where it ends
LAST, NAMED = (
    3,
    {-3: "1/8", -2: "1/4", -1: "1/2", 0: "<b>as expected</b>"},
)  # doublings that the scale shows, and what some are called
LARGE = 22.0  # type size of a number
ASKED = 1.7  # times as high as another is the row of what is asked for
PIECES = 40  # that what is divided is cut into: there are more tokens than can be seen


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    how: the sum that is expected; whole: what is divided, while its part is asked for; others: the ratio that there would be if
    something else were so, and what that is."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    how: str = ""
    whole: str = ""
    others: Sequence[tuple[float, str]] = ()


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, of which what is asked for takes most of the room; on a phone its name stands above it."""
    narrow = sheet.on_phone()
    units = max(1.0, len(lines) + (ASKED - 1) * sum(bool(line.whole) for line in lines))
    one, colors = sheet.row(258, units, 70 if not narrow else 104, 110), sheet.colors
    order = sorted(lines, key=lambda line: not line.whole)  # what is asked for leads
    asked = one * ASKED if order and order[0].whole else 0.0
    if len(lines) > bool(asked):
        _scale(sheet, asked + 14)
    top = 0.0 if asked else 26.0
    for line in order:
        row = one * (ASKED if line.whole else 1)
        middle = top + row / 2 + (22 if narrow else 0)
        wide = (0.94 if narrow else BARS - 0.03) * sheet.wide
        at = top + 16 if narrow else middle - (11 if line.how else 0)
        sheet.write(NAMES, at, f"<b>{short(line.what, wide, 18)}</b>", 18, anchor="middle right")
        if line.how:
            sheet.write(NAMES, at + 22, short(line.how, wide, 14), 14, colors.muted, "middle right")
        if line.whole:
            _divided(sheet, line, middle)
        else:
            _ratio(sheet, line, middle)
        top += row + 26 * bool(line.whole)
    return sheet.figure(top)


def _scale(sheet: Sheet, y: float) -> None:
    """What the lines of each row are: halves and doubles of what is expected, which is the strong one in the middle."""
    for k in range(-LAST, LAST + 1):
        if not sheet.phone or k % LAST == 0:
            sheet.write(_at(sheet, 2.0**k), y, NAMED.get(k, f"{2**k} ×"), 13, sheet.colors.muted)


def _at(sheet: Sheet, ratio: float) -> float:
    """Where so many times what is expected lies; beyond the last line what is more than that."""
    left, right = (0.04, 0.86) if sheet.phone else (BARS, END)
    return (left + right) / 2 + (right - left) / 2 * max(-1.05, min(1.05, log2(ratio) / LAST))


def _ratio(sheet: Sheet, line: Line, middle: float) -> None:
    """A dot where the log's number lies beside the expected one, open ones where it would lie if something else were so, and whether
    they agree."""
    colors, narrow = sheet.colors, sheet.phone
    large = 18.0 if narrow else LARGE
    if line.ratio is None:
        sheet.write(_at(sheet, 1.0) + 0.012, middle, f"<b>{line.printed}</b> printed", large, anchor="middle right")
        return
    color = colors.ink if line.good else colors.wasted
    for k in range(-LAST, LAST + 1):
        at, half = _at(sheet, 2.0**k), (0.5 if k else 1.5) / sheet.wide
        sheet.bar(at - half, middle - 24, at + half, middle + 24, colors.ink if k == 0 else colors.line)
    x, one = _at(sheet, line.ratio) if line.ratio > 0 else _at(sheet, 2.0 ** -(LAST + 1)), _at(sheet, 1.0)
    for ratio, name in () if narrow else line.others:
        other = _at(sheet, ratio)
        if abs(other - x) > 0.08 and abs(other - one) > 0.08:
            sheet.dots([other], [middle], 12, colors.surface, (colors.muted, 2), [name])
            sheet.write(other + 10 / sheet.wide, middle, name, 13, colors.muted, "middle right")
    sheet.dots([x], [middle], 19, color, (colors.surface, 2), [f"printed {line.printed}, expected {line.expected}"])
    right = x < 0.66
    sheet.write(
        x + (15 if right else -15) / sheet.wide, middle - 12, f"<b>{line.printed}</b>", large, color,
        "middle right" if right else "middle left",
    )  # fmt: skip
    sheet.write(one + 15 / sheet.wide, middle + 14, f"expected {line.expected}", 14, colors.muted, "middle right")
    said = "✓" if line.good else f"✗ {times(line.ratio)}"
    sheet.write(1, middle, f"<b>{said}</b>", 20 if narrow else 34, color, "middle left")


def _divided(sheet: Sheet, line: Line, middle: float) -> None:
    """The bytes of all tokens, cut into pieces, and one of them enlarged: it is asked for."""
    colors, narrow, tall = sheet.colors, sheet.phone, 34.0
    left, right = (0.0, 0.6) if narrow else (BARS, 0.74)
    wide, gap = (right - left) / PIECES, (2 if not narrow else 1) / sheet.wide
    y0, y1 = middle - 4, middle - 4 + tall
    one, other = (0.68 if narrow else 0.785), (0.76 if narrow else 0.825)  # of the token that is enlarged
    low, high = middle - 34, middle + 46
    for half, color in ((0, colors.key), (1, colors.value)):
        top = y0 + half * tall / 2
        pieces = [(left + k * wide, top, left + (k + 1) * wide - gap, top + tall / 2) for k in range(PIECES)]
        large = low + half * (high - low) / 2
        sheet.bars([*pieces, (one, large, other, large + (high - low) / 2)], color)
    last = right - gap
    sheet.line(f"M{last:.5f},{y0:.1f}L{one:.5f},{low:.1f}M{last:.5f},{y1:.1f}L{one:.5f},{high:.1f}", colors.muted, 1.4)
    sheet.write(left, y0 - 16, f"<b>{line.whole}</b>", 15 if narrow else 18, anchor="middle right")
    sheet.write((one + other) / 2, high + 13, "one token", 14, colors.muted)
    sheet.write(other + 0.02, (low + high) / 2, "<b>= ?</b>", 34, anchor="middle right")
