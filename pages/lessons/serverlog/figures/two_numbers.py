"""What a log prints, what its other lines and a model's shape make of it, and between the two a gauge of how far they are apart, by one
measure in every row: what may be. What agrees lies in the band in the middle. The last may be still to be worked out, from its sum.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.headline import BOLD, headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle, short
from pages.parts.text.amounts import times
from pages.parts.text.format import number, percent

HEADS = 24.0  # pixels of what the sides of the gauges mean, above them
ROW, MOST, ON_PHONE = 54.0, 116.0, 84.0  # pixels of a row, at least and at most
GAUGE, GAUGE_ON_PHONE = (0.315, 0.665), (0.0, 1.0)  # where it begins and ends: beside it both numbers, on a phone above it
CELL = 0.295  # until where the number of the log stands
WIDEST = 2.2  # times what may be from the middle to an end; what is farther apart ends there, as an arrow
LARGE, LARGE_ON_PHONE = 36.0, 20.0  # type sizes: of both numbers, of what is compared, and of all else
NAME, SAID, SAID_ON_PHONE = 17.0, 14.0, 13.0
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


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, what is a part of something last."""
    narrow, order = sheet.on_phone(), sorted(lines, key=lambda line: bool(line.whole))
    top = headline(sheet, how_many_agree(lines), how_many_agree(lines, short=True)) + 6
    if any(line.ratio is not None for line in lines):
        top += HEADS
        begins, low, high, ends = _gauge(sheet)
        for x, words in (((begins + low) / 2, "less"), ((low + high) / 2, "agrees"), ((high + ends) / 2, "more")):
            sheet.write(x, top - 11, words, 13 if narrow else 15, sheet.colors.muted)
    row = ON_PHONE if narrow else sheet.row(284 - top, len(order), ROW, MOST)
    for k, line in enumerate(order):
        _row(sheet, line, top + k * row, row)
    return sheet.figure(top + row * len(order))


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
    if len(known) == 1 < len(lines):
        return f"1 {'agrees' if n else 'differs'}, {len(lines) - 1} without a verdict"
    if len(known) == 1:
        return f"The two numbers {'agree' if n else 'differ'}"
    return f"All {n} agree" if n == len(known) else f"{n} of {len(known)} {'agrees' if n == 1 else 'agree'}"


def _gauge(sheet: Sheet) -> tuple[float, float, float, float]:
    """Where it begins, where the band of what agrees does, where that ends, and where the gauge does."""
    begins, ends = GAUGE_ON_PHONE if sheet.phone else GAUGE
    middle, half = (begins + ends) / 2, (ends - begins) / 2 / WIDEST
    return begins, middle - half, middle + half, ends


def _row(sheet: Sheet, line: Line, top: float, row: float) -> None:
    """What is compared, both numbers of it, and the gauge."""
    colors, narrow = sheet.colors, sheet.phone
    right, size = GAUGE[1] + 0.02, LARGE_ON_PHONE if narrow else min(LARGE, 0.44 * row)
    sheet.line(f"M0,{top:.1f}L1,{top:.1f}", colors.line)
    if narrow:
        sheet.write(0.02, top + 12, f"<b>{short(line.what, 0.96 * sheet.wide, BOLD * 16)}</b>", 16, anchor="middle right")
        _sum(sheet, line, top + 12, (0.02, top + 0.75 * row), 0.9 * LARGE_ON_PHONE)
        _amount(sheet, line.printed, "by the log", (0.02, top + 33), (size, 0.5), colors.ink)
        if line.asked:
            return None
        _amount(sheet, line.expected, "expected", (0.98, top + 33), (size, 0.48), colors.muted)
        return _difference(sheet, line, top + 48, top + row - 6)
    high, low = top + 0.2 * row, top + 0.68 * row
    sheet.write(0.01, high, f"<b>{short(line.what, (CELL - 0.02) * sheet.wide, BOLD * NAME)}</b>", NAME, anchor="middle right")
    _amount(sheet, line.printed, "by the log", (0.01, low), (size, CELL - 0.01), colors.ink)
    _sum(sheet, line, high, (GAUGE[0], low), size)
    if line.asked:
        return None
    how = _in_lines(line.how, (1 - right) * sheet.wide / SAID)
    if len(how) > 1:
        high, low, size = top + 10, top + 0.5 * (row + 33), min(size, 0.6 * (row - 33))
    for k, part in enumerate(how):
        sheet.write(right, high + 15 * k, short(part, (1 - right) * sheet.wide, SAID), SAID, colors.muted, "middle right")
    _amount(sheet, line.expected, "expected", (right, low), (size, 1 - right), colors.muted)
    return _difference(sheet, line, top, top + row)


def _sum(sheet: Sheet, line: Line, beside: float, asked: tuple[float, float], size: float) -> None:
    """What the log's number is divided out of: large where that is to be done, else small beside its name; on a phone the
    expected one would stand beneath it."""
    if not line.whole:
        return None
    n_bytes, tokens = line.whole.split(" for ")
    if line.asked:
        size = min(size, (1 - asked[0]) * sheet.wide / ems(f"= {n_bytes} ÷ {tokens}"))
        return sheet.write(*asked, f"= {n_bytes} ÷ {tokens}", size, anchor="middle right")
    if sheet.phone:
        return None
    room = (CELL - 0.03) * sheet.wide - BOLD * NAME * ems(line.what)
    return sheet.write(CELL, beside, short(f"{n_bytes} ÷ {tokens}", room, SAID), SAID, sheet.colors.muted, "middle left")


def _in_lines(how: str, room: float) -> list[str]:
    """A sum, in two lines where one has no room for it, which is in units of its type size.

    >>> _in_lines("4,096 cells · 80 layers · 4,096 bytes", 15), _in_lines("80 layers", 15), _in_lines("", 15)
    (['4,096 cells · 80 layers', '· 4,096 bytes'], ['80 layers'], [])
    """
    spaces = [k for k, letter in enumerate(how) if letter == " " and ems(how[:k]) <= room]
    if ems(how) <= room or not spaces:
        return [how] * bool(how)
    at = next((k for k in reversed(spaces) if how[k + 1] in "·+÷" or how[k - 1] == ","), spaces[-1])
    return [how[:at], how[at + 1 :]]


def _amount(sheet: Sheet, text: str, whose: str, at: tuple[float, float], within: tuple[float, float], color: str) -> None:
    """A large number, and behind it, where there is room, whose it is. within: its type size at most, and of the width."""
    (x, y), (most, share) = at, within
    size = min(most, share * sheet.wide / (BOLD * ems(text)))
    said = SAID_ON_PHONE if sheet.phone else SAID
    beside, needs = (size * ems(text) + 10) / sheet.wide, 1.06 * said * ems(whose) / sheet.wide
    anchor, on = ("middle left", -1) if x > 0.5 and sheet.phone else ("middle right", 1)
    if beside + needs < share:
        near, far = (0.0, beside) if on > 0 else (-needs, 0.0)
        sheet.write(x + far, y + 0.13 * size, whose, said, sheet.colors.muted, anchor)
    else:
        near = 0.0
    return sheet.write(x + near, y, f"<b>{text}</b>", size, color, anchor)


def _difference(sheet: Sheet, line: Line, top: float, bottom: float) -> None:
    """The gauge: a band for what agrees, and in it, or beyond it in brown, where the log's number lies; and that in words."""
    colors, narrow, (begins, low, high, ends) = sheet.colors, sheet.phone, _gauge(sheet)
    centre, tall = (low + high) / 2, bottom - top
    y, said = top + tall * (0.5 if narrow else 0.4), SAID_ON_PHONE if narrow else SAID
    if line.ratio is None:
        sheet.line(rectangle(low, top + 3, high, bottom - 3), colors.bar, 1.6, "dash")
        return sheet.write(centre, (top + bottom) / 2, "no verdict", said, colors.muted)
    sheet.bar(low, top, high, bottom, colors.hole)
    beneath = bottom if narrow else top + 0.64 * tall
    more = 0 if line.good else 1 if line.ratio > 1 else -1
    sheet.line(f"M{centre if more > 0 else begins:.5f},{y:.1f}L{centre if more < 0 else ends:.5f},{y:.1f}", colors.line, 2)
    sheet.line(f"M{centre:.5f},{top:.1f}L{centre:.5f},{beneath:.1f}", colors.ink, 2)
    x, words, dot = centre + (high - centre) * _times_allowed(line), _in_words(line, narrow), 20 if narrow else 26
    if line.good:
        sheet.dots([x], [y], dot, colors.ink, (colors.surface, 3))
        at, anchor = ((1, y + 11), "middle left") if narrow else ((centre, top + 0.82 * tall), "middle center")
        return sheet.write(*at, words, said, colors.muted if narrow else colors.ink, anchor)
    if abs(_times_allowed(line)) < WIDEST:
        sheet.bar(min(centre, x), y - THICK, max(centre, x), y + THICK, colors.wasted)
        sheet.dots([x], [y], dot, colors.wasted, (colors.surface, 3))
    else:
        sheet.path(_arrow(centre, x, x - more * 18 / sheet.wide, y), colors.wasted)
    size = min(22.0 if narrow else 0.36 * tall, 28.0, (low - begins) * sheet.wide / (BOLD * ems(words)))
    beside = (high + ends) / 2 if (more > 0) != narrow else (begins + low) / 2  # on a phone across from the bar
    return sheet.write(beside, y if narrow else top + 0.82 * tall, f"<b>{words}</b>", size, colors.wasted)


def _arrow(begins: float, ends: float, head: float, y: float) -> str:
    """A thick one, as a path. head: where that begins."""
    upper = f"M{begins:.5f},{y - THICK:.1f}L{head:.5f},{y - THICK:.1f}L{head:.5f},{y - 2 * THICK:.1f}L{ends:.5f},{y:.1f}"
    return f"{upper}L{head:.5f},{y + 2 * THICK:.1f}L{head:.5f},{y + THICK:.1f}L{begins:.5f},{y + THICK:.1f}Z"


def _times_allowed(line: Line) -> float:
    """How far what is printed is from what is expected, in what may be: from -WIDEST to WIDEST."""
    by = line.ratio - 1
    if abs(by) < EVEN and line.good:
        return 0.0
    return max(-WIDEST, min(WIDEST, by / line.allowed if line.allowed else by * float("inf")))


def _in_words(line: Line, short: bool) -> str:
    """How far the two are apart."""
    by = line.ratio - 1
    signed = f"{'+' if by > 0 else '−'}{percent(abs(by), 2)}"
    if not line.good:
        return times(line.ratio) if abs(by) >= 0.1 else signed
    if abs(by) < EVEN:
        return "equal"
    allowed = f"within ±{number(100 * line.allowed, 2)}%" if line.allowed >= 1e-4 else "within ±0.01%"
    return allowed if short else f"{signed}, {allowed}"
