"""What a log prints above what is expected, a pair of bars a row on one scale from 0; above a token's, the cache that it is a part of."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.amounts import times

BARS, END = 0.34, 0.66  # where bars begin, and where the longest of a row ends
TALL, MOST_TALL, GAP = 15.0, 0.24, 3.0  # pixels of a bar at least, and of its row at most, and pixels between two
LARGE = 20.0  # type size of a number
PIECES = 40  # that the cache is cut into: there are more tokens than can be seen
STRIP = 104.0  # pixels of the cache above its token's row
SCALE = "the two bars of a row: one scale, from 0"


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    how: the sum that is expected; whole: what is divided, of a part; others: the ratio that there would be if something else were so,
    and what that is."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    how: str = ""
    whole: str = ""
    others: Sequence[tuple[float, str]] = ()

    @property
    def asked(self) -> bool:
        """Whether its number is still asked for."""
        return bool(self.whole) and self.printed == "?"


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, what is a part of something first; on a phone its name stands above it."""
    narrow = sheet.on_phone()
    order = sorted(lines, key=lambda line: not line.whole)
    n_whole, pairs = sum(bool(line.whole) for line in order), [line for line in order if not line.asked]
    row = sheet.row(284 - (STRIP + 12) * n_whole, max(1, len(pairs)), 98 if narrow else 74, 110)
    top = 0.0
    for line in order[:n_whole]:
        top = _divided(sheet, line, top)
    if pairs:
        sheet.write(_lane(sheet)[0], top + 9, SCALE, 13, sheet.colors.muted, "middle right")
        top += 22
    for line in pairs:
        _name(sheet, line, top, row)
        _pair(sheet, line, top + row / 2 + 20 * narrow, TALL if narrow or line.others else max(TALL, MOST_TALL * row))
        top += row
    return sheet.figure(top)


def _lane(sheet: Sheet) -> tuple[float, float]:
    """Where a row's bars begin, and where the longest ends."""
    return (0.0, 0.5) if sheet.phone else (BARS, END)


def _name(sheet: Sheet, line: Line, top: float, row: float) -> None:
    """What is compared, the sum that is expected, and whether the two agree."""
    colors, narrow = sheet.colors, sheet.phone
    wide, at = (0.8 if narrow else BARS - 0.03) * sheet.wide, top + 12 if narrow else top + row / 2 - 11 * bool(line.how)
    sheet.write(0, at, f"<b>{short(line.what, wide, 18)}</b>", 18, anchor="middle right")
    if line.how:
        sheet.write(0, at + 22, short(line.how, wide * (1.2 if narrow else 1), 14), 14, colors.muted, "middle right")
    if line.ratio is not None:
        said = "✓" if line.good else f"✗ {times(line.ratio)}"
        color = colors.ink if line.good else colors.wasted
        sheet.write(1, at if narrow else top + row / 2, f"<b>{said}</b>", 20 if narrow else 30, color, "middle left")


def _pair(sheet: Sheet, line: Line, middle: float, tall: float) -> None:
    """Two bars, `tall` pixels each, what they differ by in brown, and beneath how far that would reach if something else were so."""
    colors, narrow, (left, end) = sheet.colors, sheet.phone, _lane(sheet)
    large = 17.0 if narrow else LARGE
    if line.ratio is None:
        sheet.write(left, middle, f"<b>{line.printed}</b> printed", large, anchor="middle right")
        return
    others = () if narrow else line.others
    high = 2 * tall + GAP + 13 * len(others)
    y, most = middle - high / 2, max(1.0, line.ratio, *(ratio for ratio, _ in others))
    printed, expected = (left + max(1.5 / sheet.wide, (end - left) * x / most) for x in (line.ratio, 1.0))
    low, same = y + tall, printed if line.good else min(printed, expected)
    if line.whole:
        sheet.bar(left, y, same, y + tall / 2, colors.key)
        sheet.bar(left, y + tall / 2, same, low, colors.value)
    else:
        sheet.bar(left, y, same, low, colors.ink)
    if not line.good and printed > expected:
        sheet.bar(expected, y, printed, low, colors.wasted)
    elif not line.good:
        sheet.line(rectangle(printed, y + 1, expected, low - 1), colors.wasted, 1.6, "dot", "above")
    sheet.bar(left, low + GAP, expected, low + GAP + tall, colors.bar)
    after, space = max(printed, expected if not line.good else 0), 9 / sheet.wide
    word = "" if narrow else " printed"
    color = colors.ink if line.good else colors.wasted
    sheet.write(after + space, y + tall / 2, f"<b>{line.printed}</b>{word}", large, color, "middle right")
    sheet.write(expected + space, low + GAP + tall / 2 + 2, f"{line.expected} expected", 14, colors.muted, "middle right")
    for k, (ratio, name) in enumerate(others):
        at, down = left + (end - left) * ratio / most, low + GAP + tall + 9 + 13 * k
        sheet.line(f"M{left:.5f},{down:.1f}L{at:.5f},{down:.1f}", colors.muted, 1.2, "dot")
        sheet.bar(at - 0.8 / sheet.wide, down - 4, at + 0.8 / sheet.wide, down + 4, colors.muted)
        sheet.write(at + space, down, f"{times(ratio)} with {name}", 13, colors.muted, "middle right")


def _divided(sheet: Sheet, line: Line, top: float) -> float:
    """The bytes of all tokens, cut into pieces, and one of them enlarged, with its bytes unless they are asked for;
    returns where it ends."""
    colors, narrow, tall = sheet.colors, sheet.phone, 34.0
    left, right = (0.0, 0.5) if narrow else (BARS, 0.7)
    wide, gap = (right - left) / PIECES, (2 if not narrow else 1) / sheet.wide
    named = narrow and line.asked
    if line.asked:
        sheet.write(0, top + (12 if narrow else STRIP / 2), f"<b>{line.what}</b>", 18, anchor="middle right")
    y0 = top + 40 + 26 * named
    y1 = y0 + tall
    one, other = (0.57, 0.64) if narrow else (0.745, 0.785)  # of the token that is enlarged
    low, high = y0 - 30, y1 + 12
    for half, color in ((0, colors.key), (1, colors.value)):
        first = y0 + half * tall / 2
        pieces = [(left + k * wide, first, left + (k + 1) * wide - gap, first + tall / 2) for k in range(PIECES)]
        large = low + half * (high - low) / 2
        sheet.bars([*pieces, (one, large, other, large + (high - low) / 2)], color)
    last = right - gap
    sheet.line(f"M{last:.5f},{y0:.1f}L{one:.5f},{low:.1f}M{last:.5f},{y1:.1f}L{one:.5f},{high:.1f}", colors.muted, 1.4)
    sheet.write(left, y0 - 16, f"<b>{line.whole}</b>", 15 if narrow else 18, anchor="middle right")
    sheet.write((one + other) / 2, high + 12, "one token", 14, colors.muted)
    size = 34.0 if line.asked else 16.0 if narrow else LARGE
    sheet.write(other + 0.015, (low + high) / 2, f"<b>= {line.printed}</b>", size, anchor="middle right")
    return top + STRIP + 26 * named + 12
