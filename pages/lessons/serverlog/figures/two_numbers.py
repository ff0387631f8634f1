"""What a log prints and what is expected, a pair of bars for each sum and whether they agree; while a number is asked for, what it is a
part of, cut into pieces."""

from collections.abc import Sequence

from pages.lessons.serverlog.figures.beside_expected import Line
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import times

NAMES, BARS, END = 0.0, 0.34, 0.6  # where names and bars begin, and the longest bar ends
LARGE, BESIDE = 24.0, 14.0  # type sizes of a number, and of whose it is
PIECES = 40  # that what is divided is cut into: there are more tokens than can be seen


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line; on a phone its name stands above the bars."""
    narrow = sheet.on_phone()
    row, colors = sheet.row(282, len(lines), 78 if not narrow else 112, 110), sheet.colors
    for k, line in enumerate(lines):
        top = 4 + k * row
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
    return sheet.figure(4 + row * len(lines))


def _pair(sheet: Sheet, line: Line, middle: float, tall: float) -> None:
    """Printed above expected, in one scale, with their numbers at the bars' ends, and the verdict."""
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
        sheet.write(
            at + (1.1 * ems(said) + 0.4) * number / sheet.wide,
            y + 2,
            whose,
            min(BESIDE, max(13.0, 0.6 * number)),
            colors.muted,
            "middle right",
        )
    said, color = verdict(line), colors.wasted if line.ratio is not None and not line.good else colors.ink
    sheet.write(1, middle, said, 16 if narrow else 22, color, "middle left")


def _divided(sheet: Sheet, line: Line, middle: float) -> None:
    """The bytes of all tokens, cut into pieces, one of which is asked for."""
    colors, narrow = sheet.colors, sheet.phone
    left, right, tall = 0.0 if narrow else BARS, 0.86, 36.0
    wide, gap = (right - left) / PIECES, 2 / sheet.wide
    y0, y1 = middle - 6, middle - 6 + tall
    for half, color in ((0, colors.key), (1, colors.value)):
        top = y0 + half * tall / 2
        pieces = [(left + k * wide, top, left + (k + 1) * wide - gap, top + tall / 2) for k in range(PIECES)]
        sheet.bars(pieces, color)
    x0, x1 = right - wide - gap / 2, right - gap / 2
    sheet.frame(x0, y0 - 3, x1, y1 + 3, colors.ink, 2.5)
    sheet.write(left, y0 - 14, f"<b>{line.whole}</b>", 18, anchor="middle right")
    if not narrow:
        sheet.write(right, y0 - 14, "one token", 14, colors.muted, "middle left")
    sheet.write(1, (y0 + y1) / 2, "<b>= ?</b>", 30, anchor="middle left")


def verdict(line: Line) -> str:
    """Whether they agree; by how much they differ.

    >>> verdict(Line("a", "1", "1", 1.0, True)), verdict(Line("a", "1", "?", None, True))
    ('✓ agree', '')
    """
    if line.ratio is None:
        return ""
    return "✓ agree" if line.good else f"<b>✗ {times(line.ratio)}</b>"
