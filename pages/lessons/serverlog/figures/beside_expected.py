"""Printed beside expected, a line each: how many times one is the other, on a logarithmic scale whose middle is agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.amounts import times

MOST_DOUBLINGS, MOST_LABELS = 12, 8  # to a side of the line of agreement; what is further away ends there
LEFT, RIGHT, ROW = 0.43, 0.91, 62.0


@dataclass(frozen=True)
class Line:
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool


def beside_expected(sheet: Sheet, lines: Sequence[Line], names: tuple[str, str], room: tuple[int, int] = (3, 3)) -> SheetFigure:
    """names: what the two columns of numbers are called, as ("printed", "expected"). room: doublings to the left and to the right of
    agreement that are there at least."""
    colors = sheet.colors
    off = [log2(max(line.ratio, 1e-9)) for line in lines if line.ratio is not None]
    less, more = (
        min(MOST_DOUBLINGS, max(least, *map(ceil, side), 0)) for least, side in zip(room, ([-x for x in off], off), strict=True)
    )
    one = (RIGHT - LEFT) / (less + more)
    middle, bottom = LEFT + less * one, 34 + ROW * len(lines)
    every = -(-(less + more) // MOST_LABELS)
    for k in range(-less, more + 1):
        at = middle + k * one
        sheet.bar(at - 0.0006, 26, at + 0.0006, bottom, colors.ink if k == 0 else colors.hole)
        if k % every == 0:
            sheet.write(at, bottom + 14, "equal" if k == 0 else f"× {2**k:,}" if k > 0 else f"÷ {2**-k:,}", 13, colors.muted)
    for k, line in enumerate(lines):
        y = 30 + ROW * (k + 0.5)
        sheet.write(0, y - 15, f"<b>{short(line.what, 0.30 * WIDTH, 15)}</b>", 15, anchor="middle right")
        widths = f"{names[0]} {line.printed}, {names[1]} {line.expected}"
        size = min(14.0, (LEFT - 0.01) * WIDTH / (LETTER * len(widths)))
        sheet.write(0, y + 9, widths, size, colors.muted, "middle right")
        if line.ratio is None:
            sheet.write(middle + 0.015, y, "?", 20, colors.muted, "middle right")
            continue
        color = colors.value if line.good else colors.wasted
        end = middle + one * max(-less, min(more, log2(max(line.ratio, 1e-9))))
        low, high = sorted((middle, end))
        sheet.bar(min(low, middle - 0.003), y - 13, max(high, middle + 0.003), y + 13, color)
        beside = max(high, middle) + 0.012
        sheet.write(beside, y, f"<b>{'✓' if line.good else times(line.ratio)}</b>", 17, color, "middle right")
    return sheet.figure(bottom + 26, min_width=560)
