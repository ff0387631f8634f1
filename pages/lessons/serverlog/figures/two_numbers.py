"""What a log prints and what is expected, as a pair of bars, and whether they agree; while a number is asked for, what it is a part of, cut
into pieces."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import times

NAMES, BARS, END = 0.0, 0.34, 0.6  # where names and bars begin, and the longest bar ends
LARGE, BESIDE = 24.0, 14.0  # type sizes of a number, and of whose it is
ASKED = 1.7  # times as high as another is the row of what is asked for
PIECES = 40  # that what is divided is cut into: there are more tokens than can be seen


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    sizes: of both numbers, 0 for one that is not there; how: the sum that is expected; whole: what is divided, while its part is
    asked for."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    sizes: tuple[float, float] = (0.0, 0.0)
    how: str = ""
    whole: str = ""


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, of which what is asked for takes most of the room; on a phone its name stands above it."""
    narrow = sheet.on_phone()
    units = max(1.0, len(lines) + (ASKED - 1) * sum(bool(line.whole) for line in lines))
    one, colors, top = sheet.row(282, units, 70 if not narrow else 104, 110), sheet.colors, 4.0
    for k, line in enumerate(lines):
        row = one * (ASKED if line.whole else 1)
        if k:
            sheet.bar(0, top, 1, top + 1, colors.hole)
        middle = top + row / 2 + (22 if narrow else 0)
        wide = (0.94 if narrow else BARS - 0.03) * sheet.wide
        at = top + 16 if narrow else middle - (11 if line.how else 0)
        sheet.write(NAMES, at, f"<b>{short(line.what, wide, 18)}</b>", 18, anchor="middle right")
        if line.how:
            sheet.write(NAMES, at + 22, short(line.how, wide, 14), 14, colors.muted, "middle right")
        if line.whole:
            _divided(sheet, line, middle)
        else:
            _pair(sheet, line, middle, min(24.0, row / 4.2))
        top += row
    return sheet.figure(top)


def _pair(sheet: Sheet, line: Line, middle: float, tall: float) -> None:
    """Printed above expected, in one scale, with their numbers at the bars' ends, and by how much they differ."""
    colors, narrow, most = sheet.colors, sheet.phone, max(line.sizes) or 1.0
    left, end, last = (0.0, 0.34, 0.69) if narrow else (BARS, END, 0.86)
    sides = zip((-1, 1), line.sizes, (line.printed, line.expected), ("printed", "expected"), strict=True)
    for side, size, said, whose in sides:
        y = middle + side * (tall / 2 + 2)
        x = left + (end - left) * max(size / most, 0.01)
        if size:
            sheet.bar(left, y - tall / 2, x, y + tall / 2, colors.ink if side < 0 else colors.cached)
        at, pixels = x + 0.012, (last - x - 0.02) * sheet.wide
        number = min(LARGE if not narrow else 18.0, 1.1 * tall, pixels / (1.1 * ems(said) + 0.6 * ems(whose) + 0.4))
        sheet.write(at, y, f"<b>{said}</b>", number, anchor="middle right")
        beside = at + (1.1 * ems(said) + 0.4) * number / sheet.wide
        sheet.write(beside, y + 2, whose, min(BESIDE, max(13.0, 0.6 * number)), colors.muted, "middle right")
    if line.ratio is not None:
        said, color = ("✓", colors.ink) if line.good else (f"✗ {times(line.ratio)}", colors.wasted)
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
