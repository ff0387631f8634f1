"""What a log prints against what is expected: one line down the figure is what is expected, beside it in each row a band as far as the
two may lie apart and still agree, and a dot where what is printed lies. Above them the cache that a token is a part of.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.amounts import times
from pages.parts.text.format import number, percent

PIECES = 40  # that the cache is cut into: there are more tokens than can be seen
STRIP, STRIP_ON_PHONE = 80.0, 92.0  # pixels of the cache above the rows
ROW, MOST, ON_PHONE = 52.0, 96.0, 88.0  # pixels of a row, at least and at most
HEADS = 24.0  # and of what stands above the rows
NUMBERS, LANE, LAST = 0.27, (0.46, 0.9), 1.0  # where the two numbers begin, the bands lie, and how far apart they are ends
LANE_ON_PHONE = (0.0, 0.76)
WIDE = 0.76  # of a lane is the band


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    how: the sum that is expected; whole: what is divided, of a part; allowed: how far apart the two may lie, of what is expected."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    how: str = ""
    whole: str = ""
    allowed: float = 0.0

    @property
    def asked(self) -> bool:
        """Whether its number is still asked for."""
        return bool(self.whole) and self.printed == "?"


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, what is a part of something first; on a phone its name and numbers stand above its band."""
    narrow, whole = sheet.on_phone(), [line for line in lines if line.whole]
    order = sorted(lines, key=lambda line: not line.whole)
    row = ON_PHONE if narrow else sheet.row(280 - HEADS - 48 - STRIP * bool(whole), len(order), ROW, MOST)
    top = headline(sheet, how_many_agree(lines), how_many_agree(lines, short=True)) + 6
    for line in whole[:1]:
        top = _divided(sheet, line, top)
    left, right = LANE_ON_PHONE if narrow else LANE
    middle, first = (left + right) / 2, top + HEADS
    sheet.write(middle, top + 9, "expected", 14, sheet.colors.muted)
    if any(line.ratio is not None for line in lines):
        sheet.write(LAST, top + 9, "in the band they agree", 14, sheet.colors.muted, "middle left")
    low = first + row * len(order)
    gaps = [(first, low)] if not narrow else [(first + row * k + 46, first + row * k + 78) for k in range(len(order))]
    for line in order:
        _row(sheet, line, top + HEADS, row)
        top += row
    path = "".join(f"M{middle:.5f},{a:.1f}L{middle:.5f},{b:.1f}" for a, b in gaps)
    sheet.line(path, sheet.colors.ink, 2)
    return sheet.figure(low + 4)


def how_many_agree(lines: Sequence[Line], short: bool = False) -> str:
    """The headline: how many of the comparisons agree.

    >>> good, bad, asked = Line("", "", "", 1.0, True), Line("", "", "", 2.0, False), Line("", "?", "?", None, False, whole="all")
    >>> how_many_agree([good, good]), how_many_agree([good, bad]), how_many_agree([good]), how_many_agree([Line("", "1", "?", None, True)])
    ('All 2 agree', '1 of 2 agrees', 'The two numbers agree', 'What the log prints')
    >>> how_many_agree([good, asked]), how_many_agree([good, bad, asked]), how_many_agree([asked])
    ('1 agrees, one is to be worked out', '1 agrees, 1 differs, one is to be worked out', 'One token takes ?')
    """
    known = [line.good for line in lines if line.ratio is not None]
    n, asked = sum(known), any(line.asked for line in lines)
    if asked:
        agree, differ = f"{n} agree{'s' * (n == 1)}, " * (n > 0), f"{len(known) - n} differ{'s' * (len(known) - n == 1)}, "
        rest = "one is open" if short else "one is to be worked out"
        return f"{agree}{differ * (n < len(known))}{rest}" if known else "One token takes ?"
    if not known:
        return "What the log prints"
    if len(known) == 1:
        return f"The two numbers {'agree' if n else 'differ'}"
    return f"All {n} agree" if n == len(known) else f"{n} of {len(known)} {'agrees' if n == 1 else 'agree'}"


def _row(sheet: Sheet, line: Line, top: float, row: float) -> None:
    """What is compared and its two numbers, the band within which they agree, where what is printed lies in it or beyond, and how far
    that is from what is expected."""
    colors, narrow = sheet.colors, sheet.phone
    (left, right), at = LANE_ON_PHONE if narrow else LANE, top + (62 if narrow else row / 2)
    middle, half = (left + right) / 2, (right - left) * WIDE / 2
    tall = 11.0 if narrow else min(18.0, row / 2 - 12)
    _words(sheet, line, top, at)
    if line.ratio is None and not line.asked:
        sheet.write(left + 8 / sheet.wide, at, "no verdict", 15, colors.muted, "middle right")
        return
    sheet.bar(middle - half, at - tall, middle + half, at + tall, colors.hole)
    if line.asked:
        sheet.line(rectangle(middle - half, at - tall, middle + half, at + tall), colors.muted, 1.2, "dash")
        sheet.write(LAST, at, "<b>?</b>", 26, anchor="middle left")
        return
    by, color = line.ratio - 1, colors.ink if line.good else colors.wasted
    off = by / line.allowed if line.allowed else 0.0 if not by else 2.0 * (1 if by > 0 else -1)
    within = max(-1.0, min(1.0, off))
    ends = (right if by > 0 else left) if not line.good else middle + within * half
    sheet.line(f"M{middle:.5f},{at:.1f}L{ends:.5f},{at:.1f}", color, 4)
    sheet.dots([ends], [at], 12 if narrow else 17, color)
    far = "equal" if abs(by) < 5e-6 else f"{'+' if by > 0 else '−'}{percent(abs(by), 2)}"
    y = at - (9 if line.allowed else 0)
    sheet.write(LAST, y, f"<b>{far if line.good else times(line.ratio)}</b>", 17 if narrow else 22, color, "middle left")
    if line.allowed:
        of = f"of ±{number(100 * line.allowed, 2)}%" if line.allowed >= 1e-4 else "of less than ±0.01%"
        sheet.write(LAST, y + (19 if narrow else 22), of, 13, colors.muted, "middle left")


def _words(sheet: Sheet, line: Line, top: float, at: float) -> None:
    """What is compared, the sum that is expected, and the two numbers; on a phone above its band."""
    colors, narrow, wide = sheet.colors, sheet.phone, sheet.wide
    two = bool(line.how) and not narrow
    name = short(line.what, (0.98 if narrow else NUMBERS - 0.02) * wide, 18)
    sheet.write(0, top + 10 if narrow else at - 11 * two, f"<b>{name}</b>", 16 if narrow else 18, anchor="middle right")
    if two:
        sheet.write(0, at + 12, short(line.how, (NUMBERS - 0.02) * wide, 14), 14, colors.muted, "middle right")
    printed = line.printed if line.asked else f"<b>{line.printed}</b> by the log"
    expected = "" if line.asked else f"{line.expected} expected"
    if narrow:
        both = "<b>?</b> by the log · ? expected" if line.asked else f"{printed} · {expected}"
        sheet.write(0, top + 32, both, 15, anchor="middle right")
        return
    sheet.write(NUMBERS, at - 11, "<b>?</b> by the log" if line.asked else printed, 18, anchor="middle right")
    sheet.write(NUMBERS, at + 12, expected or "? expected", 14, colors.muted, "middle right")


def _divided(sheet: Sheet, line: Line, top: float) -> float:
    """The bytes of all tokens, cut into pieces, and one of them enlarged, with its bytes unless they are asked for;
    returns where it ends."""
    colors, narrow, tall = sheet.colors, sheet.phone, 32.0
    right, one, other = (0.56, 0.64, 0.72) if narrow else (0.68, 0.735, 0.785)
    wide, gap = right / PIECES, (2 if not narrow else 1) / sheet.wide
    y0, low, high = top + 34, top + 12, top + (72 if not narrow else 78)
    for half, color in ((0, colors.key), (1, colors.value)):
        first, large = y0 + half * tall / 2, low + half * (high - low) / 2
        pieces = [(k * wide, first, (k + 1) * wide - gap, first + tall / 2) for k in range(PIECES)]
        sheet.bars([*pieces, (one, large, other, large + (high - low) / 2)], color)
    last = right - gap
    sheet.line(f"M{last:.5f},{y0:.1f}L{one:.5f},{low:.1f}M{last:.5f},{y0 + tall:.1f}L{one:.5f},{high:.1f}", colors.muted, 1.4)
    sheet.write(0, top + 16, f"<b>{line.whole}</b>", 15 if narrow else 18, anchor="middle right")
    if narrow:
        sheet.write(other + 0.02, (low + high) / 2 - 10, "one token", 14, colors.muted, "middle right")
        size = 26.0 if line.asked else 14.0
        sheet.write(other + 0.02, (low + high) / 2 + 12, f"<b>{line.printed}</b>", size, anchor="middle right")
        return top + STRIP_ON_PHONE
    after = "<b>one token: ?</b>" if line.asked else f"one token: <b>{line.printed}</b>"
    sheet.write(other + 0.012, (low + high) / 2, after, 20, anchor="middle right")
    return top + STRIP
