"""What a log prints above what its other lines and a model's shape make of it, as two bars of one scale: all that is expected ends at
one line, and what is printed ends there, too, or short of it, or beyond. The first may be one token, cut out of the cache above it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.answers import may_end_anywhere
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle, short
from pages.parts.text.amounts import times
from pages.parts.text.format import number, percent

PIECES = 40  # that the cache is cut into: there are more tokens than can be seen
STRIP, OPENS = 30.0, 20.0  # pixels of the cache above the rows, and of the way from one piece of it to one token
ROW, MOST, ON_PHONE, BETWEEN = (
    54.0,
    110.0,
    84.0,
    12.0,
)  # pixels of a row, at least and at most, and of what parts it from the next
NAME_ON_PHONE = 20.0  # and of its name, above its bars
LANE, LANE_ON_PHONE = (0.225, 0.83), (0.0, 0.68)  # where bars begin, and where the longest ends
LEAST, FARTHEST = 1.03, 3.0  # times what is expected the longest bar is, at least and at most
NAME, NUMBER, LARGE, SAID = (
    17.0,
    21.0,
    34.0,
    14.0,
)  # type sizes: of what is compared and printed, of what is asked, and within bars


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
    """A row a line, what is a part of something first; on a phone its name stands above its bars."""
    narrow, whole = sheet.on_phone(), [line for line in lines if line.whole]
    order = sorted(lines, key=lambda line: not line.whole)
    top = headline(sheet, how_many_agree(lines), how_many_agree(lines, short=True)) + 6
    (left, right), known = LANE_ON_PHONE if narrow else LANE, [line.ratio for line in lines if line.ratio is not None]
    end = left + (right - left) / min(FARTHEST, max([LEAST, *known]))
    above = NAME_ON_PHONE if narrow else 0.0
    if whole:
        top = _whole(sheet, whole[0].whole, top, (left, end, _end(whole[0], left, end, right)))
    row = ON_PHONE if narrow else sheet.row(278 - top, len(order), ROW, MOST)
    ends = ""
    for line in order:
        _row(sheet, line, top + above, (row - BETWEEN - above) / 2, (left, end, right))
        if line.asked or line.ratio is not None:
            beyond = 0 if narrow else BETWEEN / 2
            ends += f"M{end:.5f},{top + above - beyond:.1f}L{end:.5f},{top + row - BETWEEN + beyond:.1f}"
        top += row
    if ends:
        sheet.line(ends, sheet.colors.ink, 2.5, layer="above")
    return sheet.figure(top - BETWEEN + 6)


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


def _row(sheet: Sheet, line: Line, top: float, tall: float, across: tuple[float, float, float]) -> None:
    """What is compared; what is printed of it, above what is expected; and how far these are apart. tall: pixels of a bar; across: where
    bars begin, where all that is expected ends, and where the lane does."""
    colors, narrow, (left, end, right) = sheet.colors, sheet.phone, across
    middle, low, begins = top + tall, top + 2 * tall, left + 10 / sheet.wide
    name = short(line.what, (0.99 if narrow else left - 0.012) * sheet.wide, 1.06 * NAME)
    sheet.write(0, top - 11 if narrow else middle, f"<b>{name}</b>", 16 if narrow else NAME, anchor="middle right")
    size = LARGE if line.asked else 15 if narrow else NUMBER
    sheet.write(1, middle if line.asked else top + tall / 2, f"<b>{line.printed}</b>", size, anchor="middle left")
    known = line.ratio is not None
    if known or line.asked:
        sheet.bar(left, middle, end, low, colors.hole)
    else:
        may_end_anywhere(sheet, (left, middle, end, low), colors.hole)
    sheet.write(begins, middle + tall / 2, _expected(line, (end - left) * sheet.wide - 20), SAID, anchor="middle right")
    fills = _halves(sheet, top, middle) if line.whole else [(colors.bar, (top, middle))]
    ends = _end(line, left, end, right)
    for color, (a, b) in fills:
        if line.asked:
            may_end_anywhere(sheet, (left, a, right, b), color)
        else:
            sheet.bar(left, a, ends if line.good else min(ends, end), b, color)
    if not line.whole and (min(ends, end) - left) * sheet.wide > SAID * ems("by the log") + 20:
        sheet.write(begins, top + tall / 2, "by the log", SAID, ink_on(colors.bar), "middle right")
    if known:
        _difference(sheet, line, (end, top, ends, middle), middle + tall / 2)


def _end(line: Line, left: float, end: float, right: float) -> float:
    """Where the bar of what is printed ends; that of what is expected where that is not known."""
    return end if line.ratio is None else max(left + 0.002, min(left + (end - left) * line.ratio, right))


def _expected(line: Line, room: float) -> str:
    """What the lower bar is, with the sum where there is room for it."""
    if line.asked:
        return "expected: ?"
    if line.ratio is None:
        said, least = f"{line.how}: no verdict", "no verdict"
    else:
        least = f"expected: {line.expected}"
        said = f"expected: {line.how}{'' if line.how.startswith(line.expected) else f' = {line.expected}'}"
    return next(
        (text for text in (said * bool(line.how), least) if text and SAID * ems(text) < room), least.removeprefix("expected: ")
    )


def _difference(sheet: Sheet, line: Line, between: Box, y: float) -> None:
    """How far what is printed ends from the end of what is expected: in brown where that needs a reason, at y in words."""
    colors, (end, top, ends, middle), by = sheet.colors, between, line.ratio - 1
    if not line.good and ends > end:
        sheet.bar(end, top, ends, middle, colors.wasted)
        if line.ratio > FARTHEST:
            a, b = ends - 22 / sheet.wide, ends - 12 / sheet.wide
            sheet.line(f"M{a:.5f},{middle:.1f}L{b:.5f},{top:.1f}", colors.surface, 4)
    elif not line.good:
        sheet.bar(ends, top, end, middle, faded(colors, colors.wasted, 0.25))
        sheet.line(rectangle(ends, top, end, middle), colors.wasted, 1.6, "dash")
    if not line.good:
        return sheet.write(1, y, f"<b>{times(line.ratio)}</b>", NAME, colors.wasted, "middle left")
    far = f"{'+' if by > 0 else '−'}{percent(abs(by), 2)}, " * (not sheet.phone)
    said = (
        "equal"
        if abs(by) < 5e-6
        else f"{far}within ±{number(100 * line.allowed, 2)}%"
        if line.allowed >= 1e-4
        else "within ±0.01%"
    )
    return sheet.write(1, y, said, SAID, colors.muted, "middle left")


def _halves(sheet: Sheet, top: float, bottom: float) -> list[tuple[str, tuple[float, float]]]:
    """The colours of a part of the cache, and how far down each: keys above values."""
    middle = (top + bottom) / 2
    return [(sheet.colors.key, (top, middle)), (sheet.colors.value, (middle, bottom))]


def _whole(sheet: Sheet, said: str, top: float, across: tuple[float, float, float]) -> float:
    """The cache, cut into pieces, and the first of them opening to one token beneath; returns where that begins. across: where the cache
    begins, where all that is expected ends, and where the token does."""
    colors, (left, end, opens) = sheet.colors, across
    if sheet.phone:
        sheet.write(0, top + 9, f"<b>{said}</b>", 15, anchor="middle right")
        top += 22
    else:
        for k, part in enumerate(said.split(" for ")):
            words = f"for {part}" if k else f"<b>{part}</b>"
            sheet.write(0, top + STRIP / 2 + 19 * (k - 0.5), words, SAID if k else NAME, anchor="middle right")
    bottom, wide, gap = top + STRIP, (max(end, opens) - left) / PIECES, 1.5 / sheet.wide
    for color, (a, b) in _halves(sheet, top, bottom):
        sheet.bars([(left + k * wide, a, left + (k + 1) * wide - gap, b) for k in range(PIECES)], color)
    low = bottom + OPENS + (NAME_ON_PHONE if sheet.phone else 0)
    first = left + wide - gap
    way = f"M{left:.5f},{bottom + 2:.1f}L{first:.5f},{bottom + 2:.1f}L{opens:.5f},{low - 2:.1f}L{left:.5f},{low - 2:.1f}Z"
    sheet.path(way, colors.hole)
    return bottom + OPENS
