"""What a log prints beside what its other lines and a model's shape make of it. What agrees takes one thin line; what differs is two bars
of one scale. What one token takes is a slot of the cache, drawn out of it: empty while that is to be worked out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short, type_size
from pages.parts.text.amounts import times
from pages.parts.text.format import number, plural

ROW = 70.0  # pixels of a row, at least
MOST = 128.0  # pixels of a row, at most
ON_PHONE = 96.0  # pixels of a row
NAMES = 28.0  # pixels of a row above its two bars
BETWEEN = 3.0  # pixels between these
GAP = 12.0  # pixels beneath them
TRACK = 0.86  # until where bars reach, a verdict beside them; on a phone it stands above their end
NAME = 18.0  # type size of what a number is
SAID = 16.0  # type size of what is said of it
LARGE = 28.0  # type size of how far two numbers differ, at most
THIN = 36.0  # pixels of a line that agrees
WHOLE = 0.3  # of a slot's room has the cache
DRAWN_OUT = 0.2  # of that room has the way out of it
SLOTS = 60  # of the cache that are drawn, at most
PHONE_SLOTS = 24
FIRST = 0.4  # of them lie before the one that is drawn out
TORN = 10.0  # times as long as the other a bar is at most; a longer one is torn
ONE = "one token takes"
EVEN = 5e-6  # of what is expected two numbers are apart that are called equal


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    how: the sum that is expected; whole: what is divided, of a part, and tokens: into how many."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    how: str = ""
    whole: str = ""
    tokens: float = 0.0

    @property
    def asked(self) -> bool:
        """Whether its number is still asked for."""
        return bool(self.whole) and self.printed == "?"


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """What one token takes first, then a row a line, what agrees last."""
    phone = sheet.on_phone()
    top = headline(sheet, how_many_agree(lines), how_many_agree(lines, short=True)) + 6
    thin = [line.good and line.ratio is not None and not line.whole for line in lines]
    thin = thin if not all(thin) else [False] * len(lines)
    shares = [0.0 if small else 2.2 if line.whole else 1.0 for small, line in zip(thin, lines, strict=True)]
    row = ON_PHONE if phone else sheet.row(300 - top - THIN * sum(thin), sum(shares), ROW, MOST)
    for line, small, share in sorted(zip(lines, thin, shares, strict=True), key=lambda one: -one[2]):
        high = THIN if small else share * row
        if small:
            _agreeing(sheet, line, top + 0.5 * high)
        elif line.whole:
            _slot(sheet, line, top, top + high - GAP)
        else:
            _named(sheet, line, top + 0.5 * NAMES)
            _pair(sheet, line, top + NAMES, top + high - GAP)
        top += high
    return sheet.figure(top - 0.5 * GAP)


def how_many_agree(lines: Sequence[Line], short: bool = False) -> str:
    """The headline: what one token takes, as long as that is asked; then how many of the comparisons agree.

    >>> good, bad, asked = Line("", "", "", 1.0, True), Line("", "", "", 2.0, False), Line("", "?", "?", None, False, whole="all")
    >>> how_many_agree([good, good]), how_many_agree([good, bad]), how_many_agree([good]), how_many_agree([Line("", "1", "?", None, True)])
    ('Both agree', '1 of 2 agrees', 'The two numbers agree', 'What the log prints')
    >>> silent = Line("", "1", "?", None, False)
    >>> how_many_agree([good, silent]), how_many_agree([bad, silent, silent]), how_many_agree([good, good, silent])
    ('1 agrees, 1 without a verdict', '1 differs, 2 without a verdict', '2 of 2 agree, 1 without a verdict')
    >>> how_many_agree([good, asked._replace(whole="3.81 GiB for 31,232 tokens")]), how_many_agree([asked], short=True)
    ('3.81 GiB for 31,232 tokens: ? a token', 'One token takes ?')
    """
    known = [line.good for line in lines if line.ratio is not None]
    n = sum(known)
    if asked := [line for line in lines if line.asked]:
        return "One token takes ?" if short else f"{asked[0].whole}: ? a token"
    if not known:
        return "What the log prints"
    silent = len(lines) - len(known)
    rest = f", {silent} without a verdict" * (silent > 0)
    if len(known) == 1:
        return f"1 {'agrees' if n else 'differs'}{rest}" if silent else f"The two numbers {'agree' if n else 'differ'}"
    if n == len(known) and not silent:
        return "Both agree" if n == 2 else f"All {n} agree"
    return f"{n} of {len(known)} {plural(n, 'agrees', 'agree')}{rest}"


def _agreeing(sheet: Sheet, line: Line, y: float) -> None:
    size, wide = SAID if sheet.phone else NAME, sheet.wide
    _, by = _verdict(line)
    sheet.write(1.0, y, by, size, anchor="middle left")
    if sheet.phone:
        until = 1 - (1.1 * size * max(ems(by), 2.5) + 12) / wide
        sheet.write(until, y, line.printed, size, anchor="middle left")
        until -= (1.1 * size * ems(line.printed) + 12) / wide
    else:
        until = 0.36
        for x, who, amount in ((until, "the log says", line.printed), (0.62, "expected", line.expected)):
            sheet.write(x, y, f"{who} {bold(amount)}", size, anchor="middle right")
    sheet.write(0, y, bold("✓"), size, anchor="middle right")
    sheet.write(24 / wide, y, bold(short(line.what, until * wide - 36, size, strong=True)), size, anchor="middle right")


def _slot(sheet: Sheet, line: Line, top: float, bottom: float) -> None:
    """The cache, cut into its tokens, and one of them drawn out of it: what the log and the shape say that it takes."""
    colors, wide, size = sheet.colors, sheet.wide, SAID if sheet.phone else NAME
    y0 = top + NAMES
    y1 = y0 + WHOLE * (bottom - y0)
    y2 = y1 + DRAWN_OUT * (bottom - y0)
    for x, said, anchor in zip((0, 1), line.whole.split(" for "), ("middle right", "middle left"), strict=True):
        sheet.write(x, top + 0.45 * NAMES, bold(said), size, anchor=anchor)
    n = int(min(max(line.tokens, 1), PHONE_SLOTS if sheet.phone else SLOTS))
    at, gap = int(FIRST * n), min(3.0, 0.2 * wide / n) / wide
    # There more are than are drawn.
    more = range(int(0.7 * n), int(0.7 * n) + (3 if sheet.phone else 4)) if line.tokens > n else ()
    if more:
        sheet.dots([(more[0] + (k + 1) * len(more) / 4) / n for k in range(3)], [(y0 + y1) / 2] * 3, 7, colors.muted)
    slots = [(k / n, y0, (k + 1) / n - gap * (k < n - 1), y1) for k in range(n)]
    left, _, right, _ = slots[at]
    sheet.path(f"M{left:.5f},{y1:.1f}L{right:.5f},{y1:.1f}L1,{y2:.1f}L0,{y2:.1f}Z", colors.hole)
    sheet.bars([slot for k, slot in enumerate(slots) if k not in more and (k != at or not line.asked)], colors.cached)
    if line.asked:
        open_place(sheet, *slots[at])
        open_place(sheet, 1 / wide, y2, 1 - 1 / wide, bottom)
        small, large = (20.0, 44.0) if sheet.phone else (28.0, 64.0)
        middle, x = (y2 + bottom) / 2, 0.5 + 0.5 * (small * ems(ONE) - large) / wide
        sheet.write(x, middle, ONE, small, anchor="middle left")
        sheet.write(x + 0.5 * large / wide, middle, bold("?"), large)
    elif line.good or line.ratio is None:
        sheet.bar(0, y2, 1, bottom, colors.cached)
        middle, ink = (y2 + bottom) / 2, ink_on(colors.cached)
        large = 24.0 if sheet.phone else 34.0
        sheet.write(0.5, middle - 0.5 * large, bold(line.printed), large, ink)
        said = f"expected {line.expected}, {_in_words(line)}" if line.good else "no verdict"
        sheet.write(0.5, middle + 0.62 * large, said, size, ink)
    else:
        _pair(sheet, line, y2, bottom)
        if sheet.phone:  # elsewhere it stands beside the two
            sheet.write(0.5, (y1 + y2) / 2, " ".join(_verdict(line)), 14.0)


def _named(sheet: Sheet, line: Line, y: float) -> None:
    """What is compared, and the sum that is expected; on a phone, which has no room for that, the verdict."""
    size = SAID if sheet.phone else NAME
    name = short(line.what, (0.6 if sheet.phone else TRACK) * sheet.wide, size, strong=True)
    sheet.write(0, y, bold(name), size, anchor="middle right")
    if sheet.phone:
        word, by = _verdict(line)
        sheet.write(1.0, y, " ".join(filter(None, (word, by))), 14.0, anchor="middle left")
    after = NAME * bold_ems(line.what) + 16
    if line.how and not sheet.phone and (room := TRACK * sheet.wide - after) > 8 * SAID:
        sheet.write(after / sheet.wide, y, short(line.how, room, SAID), SAID, sheet.colors.muted, "middle right")


def _ink(sheet: Sheet, line: Line) -> str:
    """Brown for what differs."""
    return sheet.colors.ink if line.good or line.ratio is None else sheet.colors.wasted


def _pair(sheet: Sheet, line: Line, top: float, bottom: float) -> None:
    """The bar of the log above the expected one, and beside them whether they agree."""
    colors, track = sheet.colors, 1.0 if sheet.phone else TRACK
    thick, ratio = (bottom - top - BETWEEN) / 2, 1.0 if line.ratio is None else line.ratio
    log, other = (max(share, 1 / TORN) for share in (min(ratio, 1.0), min(1 / max(ratio, 1e-9), 1.0)))
    for y, end, color, who, amount in (
        (top, log, _ink(sheet, line), "log" if sheet.phone else "the log says", line.printed),
        (bottom - thick, other, colors.bar, "expected", line.expected),
    ):
        if amount != "?":
            _bar(sheet, (0.0, y, track * end, y + thick), color, who, amount)
            if not 1 / TORN <= ratio <= TORN and end == 1.0:
                x, lean = 0.6 * track, 8 / sheet.wide
                sheet.line(f"M{x - lean:.5f},{y + thick + 2:.1f}L{x + lean:.5f},{y - 2:.1f}", colors.surface, 9)
    if not sheet.phone:
        x, middle, (word, by) = TRACK + 16 / sheet.wide, top + thick + BETWEEN / 2, _verdict(line)
        middle -= thick / 2 * (line.ratio is None)
        sheet.write(x, middle - 13 * bool(by), bold(word), 20.0, _ink(sheet, line), "middle right")
        size = SAID if line.good else type_size(by, sheet.wide * (1 - x) - 4, LARGE)
        sheet.write(x, middle + 13, bold(by, not line.good), size, _ink(sheet, line), "middle right")


def _bar(sheet: Sheet, box: Box, color: str, who: str, amount: str) -> None:
    """A bar with what it is in it, or behind its end where it is too short; less is said where there is no room for all."""
    x0, y0, x1, y1 = box
    sheet.bar(*box, color)
    size, pad = min(20.0, 0.66 * (y1 - y0)), 12 / sheet.wide
    size = max(size, 13.0)
    for said in (f"{who} {bold(amount)}", bold(amount)):
        wide = 1.04 * size * (ems(f"{who} ") * (said[0] != "<") + bold_ems(amount)) / sheet.wide
        if wide + 2 * pad < x1 - x0:
            return sheet.write(x0 + pad, (y0 + y1) / 2, said, size, ink_on(color), "middle right")
        if x1 + pad + wide < (1.0 if sheet.phone else TRACK):
            return sheet.write(x1 + pad, (y0 + y1) / 2, said, size, anchor="middle right")
    return None


def _verdict(line: Line) -> tuple[str, str]:
    """Whether the two agree, and how far they are apart.

    >>> [_verdict(Line("", "", "", ratio, good)) for ratio, good in ((1.0, True), (0.999, True), (2.5, False), (None, False))]
    [('equal', ''), ('agrees', '−0.1%'), ('differs', '×2.50'), ('no verdict', '')]
    """
    if line.ratio is None:
        return "no verdict", ""
    by = _in_words(line)
    return ("equal", "") if by == "equal" else ("agrees" if line.good else "differs", by)


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
