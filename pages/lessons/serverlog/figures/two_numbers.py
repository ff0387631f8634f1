"""What a log prints, as a bar that fills the outline of what is expected, a row each; where the two agree, beside it the bar's end,
enlarged until it is seen by how much they do not. Above a token's, the cache that it is a part of.

What is counted is cut into as many parts: 1.56 sequences into one and a half, 80 layers into 80.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.amounts import times
from pages.parts.text.format import percent

BARS, END = 0.27, 0.86  # where bars begin, and where the longest of a row ends
LEAST, MOST, ROUND = 24.0, 46.0, 44.0  # pixels of a bar, and above and beneath it for its two numbers
LARGE = 20.0  # type size of a number
MOST_PARTS = 100  # that are told apart
PIECES = 40  # that the cache is cut into: there are more tokens than can be seen
STRIP = 104.0  # pixels of the cache above its token's row
SCALE = "filled: printed · outlined: expected · each row from 0"
SHORT_END, LENS = 0.44, (0.52, 0.83)  # where the longest bar ends beside its enlarged end, and where that lies
SHORT_ON_PHONE, LENS_ON_PHONE = 0.54, (0.6, 0.8)  # the same on a phone
SPANS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # of what is expected that the enlarged end goes to either side
SCALE_OF_ENDS = "filled: printed · outlined: expected"


class Line(NamedTuple):
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    how: the sum that is expected; whole: what is divided, of a part; parts: how many of a thing it counts, 0 where it counts none."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    how: str = ""
    whole: str = ""
    parts: float = 0.0

    @property
    def asked(self) -> bool:
        """Whether its number is still asked for."""
        return bool(self.whole) and self.printed == "?"


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A row a line, what is a part of something first; on a phone its name stands above it."""
    narrow = sheet.on_phone()
    order = sorted(lines, key=lambda line: not line.whole)
    n_whole, pairs = sum(bool(line.whole) for line in order), [line for line in order if not line.asked]
    row = sheet.row(250 - (STRIP + 12) * n_whole, max(1, len(pairs)), 118 if narrow else 74, 118 if narrow else 110)
    top, span = headline(sheet, _large(pairs)) + 4, _span(pairs)
    for line in order[:n_whole]:
        top = _divided(sheet, line, top)
    if pairs:
        sheet.write(_lane(sheet, span)[0], top + 9, SCALE_OF_ENDS if span else SCALE, 13, sheet.colors.muted, "middle right")
        if span:
            said = f"its end, enlarged: from −{percent(span, 1)} to +{percent(span, 1)}"
            place = (1.0, top + 9, f"end: ±{percent(span, 1)}") if narrow else (LENS[0], top + 9, said)
            sheet.write(*place, 13, sheet.colors.muted, "middle left" if narrow else "middle right")
        top += 22
    for line in pairs:
        middle, tall = top + (80 if narrow else row / 2), LEAST if narrow else min(max(LEAST, row - ROUND - 10), MOST)
        _name(sheet, line, top, row)
        _bar(sheet, line, middle, tall, _lane(sheet, span))
        if span and _agrees(line):
            _enlarged_end(sheet, line, (middle - tall / 2, middle + tall / 2), span)
        top += row
    return sheet.figure(top)


def _large(pairs: Sequence[Line]) -> str:
    """The headline: how many of the comparisons agree.

    >>> good, bad = Line("", "", "", 1.0, True), Line("", "", "", 2.0, False)
    >>> _large([good, good]), _large([good, bad]), _large([good]), _large([])
    ('All 2 agree', '1 of 2 agrees', 'The two numbers agree', 'What the log prints')
    """
    known = [line.good for line in pairs if line.ratio is not None]
    n = sum(known)
    if not known:
        return "What the log prints"
    if len(known) == 1:
        return f"The two numbers {'agree' if n else 'differ'}"
    return f"All {n} agree" if n == len(known) else f"{n} of {len(known)} {'agrees' if n == 1 else 'agree'}"


def _lane(sheet: Sheet, span: float) -> tuple[float, float]:
    """Where a row's bars begin, and where the longest ends."""
    if sheet.phone:
        return 0.0, SHORT_ON_PHONE if span else END
    return BARS, SHORT_END if span else END


def _agrees(line: Line) -> bool:
    """Whether by how much two numbers differ is too little to be seen in their bar, and is known."""
    return line.good and line.ratio is not None and abs(line.ratio - 1) <= SPANS[-1]


def _span(lines: Sequence[Line]) -> float:
    """How far the enlarged ends go to either side: as far as that of the line that differs most; 0 where none agrees."""
    gaps = [abs(line.ratio - 1) for line in lines if _agrees(line)]
    return next((span for span in SPANS if max(gaps) <= 0.9 * span), SPANS[-1]) if gaps else 0.0


def _enlarged_end(sheet: Sheet, line: Line, down: tuple[float, float], span: float) -> None:
    """The bar's end: what is printed up to where it ends, a line where it is expected to, and how far apart they are."""
    colors, (y, low), (left, right) = sheet.colors, down, LENS_ON_PHONE if sheet.phone else LENS
    begins, ends = _lane(sheet, span)
    expected = (left + right) / 2
    printed = expected + (line.ratio - 1) / span * (right - left) / 2
    end = begins + (ends - begins) * min(1.0, 1 / line.ratio)
    y0, y1 = y - 6, low + 6
    sheet.line(f"M{end:.5f},{y:.1f}L{left:.5f},{y0:.1f}M{end:.5f},{low:.1f}L{left:.5f},{y1:.1f}", colors.muted, 1.2)
    fills = ((colors.key, y0, (y0 + y1) / 2), (colors.value, (y0 + y1) / 2, y1)) if line.whole else ((colors.bar, y0, y1),)
    for color, top, bottom in fills:
        sheet.bar(left, top, printed, bottom, color)
    sheet.line(rectangle(left, y0, right, y1), colors.muted, 1.2)
    sheet.line(f"M{expected:.5f},{y0 - 5:.1f}L{expected:.5f},{y1 + 5:.1f}", colors.ink, 2.5, layer="above")
    by = line.ratio - 1
    said = "equal" if abs(by) < 5e-6 else f"{'+' if by > 0 else '−'}{percent(abs(by), 2)}"
    sheet.write(right + 10 / sheet.wide, (y0 + y1) / 2, f"<b>{said}</b>", 15 if sheet.phone else 17, anchor="middle right")


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


def _bar(sheet: Sheet, line: Line, middle: float, tall: float, lane: tuple[float, float]) -> None:
    """What is printed, what is more than expected of it in brown, in the outline of what is expected; the two numbers above and beneath."""
    colors, narrow, (left, end) = sheet.colors, sheet.phone, lane
    large = 17.0 if narrow else LARGE
    if line.ratio is None:
        sheet.write(left, middle, f"<b>{line.printed}</b> printed", large, anchor="middle right")
        return
    y, low = middle - tall / 2, middle + tall / 2
    printed, expected = (left + max(1.5 / sheet.wide, (end - left) * x / max(1.0, line.ratio)) for x in (line.ratio, 1.0))
    same = printed if line.good else min(printed, expected)
    fills = ((colors.key, y, middle), (colors.value, middle, low)) if line.whole else ((colors.bar, y, low),)
    for color, top, bottom in fills:
        sheet.bars(_parts(line, left, (left, same), printed, (top, bottom), sheet.wide), color)
    if not line.good and printed > expected:
        sheet.bars(_parts(line, left, (expected, printed), printed, (y, low), sheet.wide), colors.wasted)
    sheet.frame(left, y, printed if line.good else expected, low, colors.ink, 2)
    color = colors.ink if line.good else colors.wasted
    sheet.write(left, y - 14, f"<b>{line.printed}</b> printed", large, color, "middle right")
    sheet.write(left, low + 13, f"{line.expected} expected", 14, colors.muted, "middle right")


def _parts(
    line: Line, left: float, across: tuple[float, float], printed: float, down: tuple[float, float], wide: int
) -> list[tuple[float, float, float, float]]:
    """What of a bar lies in `across`, cut into the parts that it counts, where they can be told apart."""
    one = (printed - left) / line.parts if 1 < line.parts <= MOST_PARTS else 0.0
    if one * wide < 4:
        return [(across[0], down[0], across[1], down[1])]
    cuts = [left + one * k for k in range(int(line.parts) + 2)]
    boxes = [(max(a, across[0]), min(b - 2 / wide, across[1])) for a, b in pairwise(cuts)]
    return [(a, down[0], b, down[1]) for a, b in boxes if b > a]


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
