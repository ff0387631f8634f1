"""Printed beside expected, a line each: how many times one is the other, on a logarithmic scale whose middle is agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.amounts import times

DOUBLINGS = 3  # shown to each side of the middle; what is further away ends there
LEFT, RIGHT, ROW = 0.43, 0.91, 62.0


@dataclass(frozen=True)
class Line:
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool


def beside_expected(sheet: Sheet, lines: Sequence[Line], names: tuple[str, str]) -> SheetFigure:
    """names: what the two columns of numbers are called, as ("printed", "expected")."""
    colors = sheet.colors
    middle, bottom = (LEFT + RIGHT) / 2, 34 + ROW * len(lines)
    for k in range(-DOUBLINGS, DOUBLINGS + 1):
        at = middle + (RIGHT - LEFT) / 2 * k / DOUBLINGS
        sheet.bar(at - 0.0006, 26, at + 0.0006, bottom, colors.ink if k == 0 else colors.hole)
        sheet.write(at, bottom + 14, "equal" if k == 0 else f"× {2**k}" if k > 0 else f"÷ {2**-k}", 13, colors.muted)
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
        share = max(-1.0, min(1.0, log2(max(line.ratio, 1e-9)) / DOUBLINGS))
        end = middle + (RIGHT - LEFT) / 2 * share
        low, high = sorted((middle, end))
        sheet.bar(min(low, middle - 0.003), y - 13, max(high, middle + 0.003), y + 13, color)
        beside = max(high, middle) + 0.012
        sheet.write(beside, y, f"<b>{'✓' if line.good else times(line.ratio)}</b>", 17, color, "middle right")
    return sheet.figure(bottom + 26, min_width=560)
