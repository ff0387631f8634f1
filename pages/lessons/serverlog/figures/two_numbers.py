"""What a log prints beside what its other lines and a model's shape make of it, and on one ruler for all rows how far apart the two are, in
per cent of what is expected: each row's band is how far they may be. One of them may be still to be worked out, from its sum.
"""

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from pages.parts.drawing.headline import BOLD, headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.amounts import times
from pages.parts.text.format import number

HEADS, FOOT = 22.0, 26.0  # pixels above the rows, of what the bands mean, and beneath them, of the ruler's numbers
ROW, MOST, ON_PHONE = 54.0, 110.0, 92.0  # pixels of a row, at least and at most
RULER, RULER_ON_PHONE, NUMBERS = (
    (0.47, 0.985),
    (0.0, 1.0),
    0.44,
)  # where it begins and ends, and until where numbers stand beside it
EQUAL, TICKS = -4, -3  # powers of ten: up to which a difference is in the middle of the ruler, and its first tick
LARGE, LARGE_ON_PHONE, NAME, SAID, SAID_ON_PHONE = 34.0, 21.0, 17.0, 16.0, 14.0  # type sizes
THICK = 7.0  # pixels of the bar of a difference, half of them
EVEN = 5e-6  # of what is expected two numbers are apart that are called equal


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


class _Ruler:
    """Differences along the width, by their powers of ten, less at the left and more at the right."""

    def __init__(self, sheet: Sheet, lines: Sequence[Line]):
        far = [x for line in lines for x in (line.allowed, abs(line.ratio - 1) if line.ratio else 0.0)]
        self.begins, self.ends = RULER_ON_PHONE if sheet.phone else RULER
        self.top = next((power for power in (-1, 0) if max(far, default=0) <= 10.0**power), 1)
        self.middle, self.half = (self.begins + self.ends) / 2, 0.96 * (self.ends - self.begins) / 2

    def x(self, by: float) -> float:
        """Where a difference lies; one beyond the ends, there."""
        share = (log10(max(abs(by), 10.0**EQUAL)) - EQUAL) / (self.top - EQUAL)
        return self.middle + (1 if by > 0 else -1) * min(share, 1.0) * self.half

    def numbers(self, sheet: Sheet, bottom: float) -> None:
        """It, beneath the rows, and what it is numbered with."""
        size, y = SAID_ON_PHONE if sheet.phone else SAID, bottom + 14
        sheet.line(f"M{self.begins:.5f},{bottom:.1f}L{self.ends:.5f},{bottom:.1f}", sheet.colors.muted, 1.5)
        sheet.write(self.middle, y, "equal", size, sheet.colors.ink)
        for power in range(TICKS + sheet.phone, self.top + 1):
            for sign, by in (("−", -(10.0**power)), ("+", 10.0**power))[power > 0 :]:
                said = f"{sign}{number(100 * 10.0**power, 1)}%"
                sheet.line(f"M{self.x(by):.5f},{bottom:.1f}L{self.x(by):.5f},{bottom - 5:.1f}", sheet.colors.muted, 1.5)
                half = 0.55 * size * ems(said) / sheet.wide  # a wide one ends where the ruler does
                sheet.write(min(max(self.x(by), half), 1 - half), y, said, size, sheet.colors.muted)


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, what is a part of something last."""
    phone, order = sheet.on_phone(), sorted(lines, key=lambda line: bool(line.whole))
    top, ruler = headline(sheet, how_many_agree(lines), how_many_agree(lines, short=True)) + 6, _Ruler(sheet, lines)
    known = any(line.ratio is not None for line in lines)
    if known:
        top += HEADS
        sheet.write(ruler.middle, top - 11, "agrees", SAID_ON_PHONE if phone else SAID, sheet.colors.muted)
    row = ON_PHONE if phone else sheet.row(284 - top - FOOT * known, len(order), ROW, MOST)
    for k, line in enumerate(order):
        y = top + k * row
        _numbers(sheet, line, y, row)
        _difference(sheet, line, ruler, *((y + 54, y + row - 8) if phone else (y + 4, y + row - 4)))
    bottom = top + row * len(order)
    if known:
        ruler.numbers(sheet, bottom)
    return sheet.figure(bottom + FOOT * known)


def how_many_agree(lines: Sequence[Line], short: bool = False) -> str:
    """The headline: how many of the comparisons agree.

    >>> good, bad, asked = Line("", "", "", 1.0, True), Line("", "", "", 2.0, False), Line("", "?", "?", None, False, whole="all")
    >>> how_many_agree([good, good]), how_many_agree([good, bad]), how_many_agree([good]), how_many_agree([Line("", "1", "?", None, True)])
    ('Both agree', '1 of 2 agrees', 'The two numbers agree', 'What the log prints')
    >>> silent = Line("", "1", "?", None, False)
    >>> how_many_agree([good, silent]), how_many_agree([bad, silent, silent]), how_many_agree([good, good, silent])
    ('1 agrees, 1 without a verdict', '1 differs, 2 without a verdict', '2 of 2 agree, 1 without a verdict')
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
    silent = len(lines) - len(known)
    if len(known) == 1:
        return (
            f"1 {'agrees' if n else 'differs'}, {silent} without a verdict"
            if silent
            else f"The two numbers {'agree' if n else 'differ'}"
        )
    if n == len(known) and not silent:
        return "Both agree" if n == 2 else f"All {n} agree"
    return f"{n} of {len(known)} {'agrees' if n == 1 else 'agree'}" + f", {silent} without a verdict" * (silent > 0)


def _numbers(sheet: Sheet, line: Line, top: float, row: float) -> None:
    """What is compared, what the log prints of it, large, and what is expected; or the sum that it is to be worked out by."""
    phone, muted = sheet.phone, sheet.colors.muted
    right, name, said = (1.0, 16.0, SAID_ON_PHONE) if phone else (NUMBERS, NAME, SAID)
    high, low, size = (
        (top + 12, top + 37, LARGE_ON_PHONE) if phone else (top + 0.25 * row, top + 0.67 * row, min(LARGE, 0.42 * row))
    )
    sheet.write(0, high, bold(short(line.what, right * sheet.wide, BOLD * name)), name, anchor="middle right")
    how = line.whole.replace(" for ", " ÷ ") or line.how
    after = (BOLD * name * ems(line.what) + 14) / sheet.wide
    if how and not line.asked and not phone and right - after > 8 * said / sheet.wide:
        sheet.write(after, high, short(how, (right - after) * sheet.wide, said - 1), said - 1, muted, "middle right")
    second = f"= {how}" if line.asked else f"expected {line.expected}".removesuffix("expected ?")
    wide = BOLD * size * ems(line.printed) + 12 + 1.05 * said * ems(second)
    size *= min(1.0, (right * sheet.wide - 12 - 1.05 * said * ems(second)) / (BOLD * size * ems(line.printed)))
    sheet.write(0, low, bold(line.printed), size, anchor="middle right")
    x, larger = (BOLD * size * ems(line.printed) + 12) / sheet.wide, line.asked and 1.4 * wide < right * sheet.wide
    where = (1.0, "middle left") if phone and not line.asked else (x, "middle right")
    sheet.write(where[0], low + 0.13 * size, second, said * (1.3 if larger else 1), muted, where[1])


def _difference(sheet: Sheet, line: Line, ruler: _Ruler, top: float, bottom: float) -> None:
    """How far what is printed is from what is expected: a dot in the band of how far it may be, or a brown one beyond; an open one while it
    is asked for."""
    colors, y, said = sheet.colors, (top + bottom) / 2, SAID_ON_PHONE if sheet.phone else SAID
    if line.ratio is None and not line.asked:
        return sheet.write(ruler.middle, y, "no verdict", said, colors.muted)
    least = 9 / sheet.wide
    band = max(least, ruler.x(line.allowed) - ruler.middle)
    if line.ratio is not None or line.allowed:
        sheet.bar(ruler.middle - band, top, ruler.middle + band, bottom, colors.hole)
    sheet.line(f"M{ruler.middle:.5f},{top:.1f}L{ruler.middle:.5f},{bottom:.1f}", colors.ink, 2)
    dot = 20 if sheet.phone else 26
    if line.asked:
        return sheet.dots([ruler.middle], [y], dot, colors.surface, (colors.ink, 2.5))
    by = line.ratio - 1
    side = 1 if by > 0 else -1
    x = ruler.middle if abs(by) < EVEN and line.good else ruler.x(by)
    if line.good:
        sheet.dots([x], [y], dot, colors.ink, (colors.surface, 3))
        at = x + side * (0.5 * dot + 8) / sheet.wide
        words = _in_words(line).removesuffix("equal")  # which the ruler says beneath
        return sheet.write(at, y, words, said, colors.ink, "middle right" if side > 0 else "middle left")
    x = ruler.middle + side * max(abs(x - ruler.middle), band + 2 * least)
    if abs(by) <= 10.0**ruler.top:
        sheet.bar(min(ruler.middle, x), y - THICK, max(ruler.middle, x), y + THICK, colors.wasted)
        sheet.dots([x], [y], dot, colors.wasted, (colors.surface, 3))
    else:
        sheet.path(_arrow(ruler.middle, x, x - side * 18 / sheet.wide, y), colors.wasted)
    at, anchor = ruler.middle - side * 2 * least, "middle left" if side > 0 else "middle right"  # across from the bar
    return sheet.write(at, y, bold(_in_words(line)), 22.0 if sheet.phone else 28.0, colors.wasted, anchor)


def _arrow(begins: float, ends: float, head: float, y: float) -> str:
    """A thick one, as a path. head: where that begins."""
    upper = f"M{begins:.5f},{y - THICK:.1f}L{head:.5f},{y - THICK:.1f}L{head:.5f},{y - 2 * THICK:.1f}L{ends:.5f},{y:.1f}"
    return f"{upper}L{head:.5f},{y + 2 * THICK:.1f}L{head:.5f},{y + THICK:.1f}L{begins:.5f},{y + THICK:.1f}Z"


def _in_words(line: Line) -> str:
    """How far the two are apart.

    >>> [_in_words(Line("", "", "", ratio, True)) for ratio in (0.9993, 1.0001, 1.00003, 1.0)]
    ['−0.1%', '+0.01%', 'under 0.01%', 'equal']
    >>> [_in_words(Line("", "", "", ratio, False)) for ratio in (2.5, 1.0213)]
    ['×2.50', '+2.13%']
    """
    by = line.ratio - 1
    if not line.good and abs(by) >= 0.1:
        return times(line.ratio)
    if abs(by) < 5e-5:
        return "equal" if line.good and abs(by) < EVEN else "under 0.01%"
    return f"{number(100 * by, 1 if line.good and abs(by) >= 5e-4 else 2, sign=True)}%"
