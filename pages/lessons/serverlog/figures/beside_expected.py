"""Printed beside expected, a line each: how many times one is the other, on a logarithmic scale whose middle is agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import times

MOST_DOUBLINGS, MOST_LABELS = 12, 8  # to a side of the line of agreement; what is further away ends there
LEFT, RIGHT = 0.36, 0.83
LARGE = 32.0  # type size of the factor


@dataclass(frozen=True)
class Line:
    """One comparison in words. ratio: printed over expected, None while it is not shown; good: whether nothing needs a reason.
    note: what is in it besides. sizes: of both numbers, 0 for one that is not there; how: the sum that is expected; whole: what is
    divided, while its part is asked for."""

    what: str
    printed: str
    expected: str
    ratio: float | None
    good: bool
    note: str = ""
    sizes: tuple[float, float] = (0.0, 0.0)
    how: str = ""
    whole: str = ""


def beside_expected(sheet: Sheet, lines: Sequence[Line], names: tuple[str, str], room: tuple[int, int] = (3, 3)) -> SheetFigure:
    """names: what the two columns of numbers are called, as ("printed", "expected"). room: doublings to the left and to the right of
    agreement that are there at least."""
    colors, narrow = sheet.colors, sheet.on_phone()
    left, right = (0.03, 0.7) if narrow else (LEFT, RIGHT)
    row = 128.0 if narrow else sheet.row(270, len(lines), 84, 130)
    off = [log2(max(line.ratio, 1e-9)) for line in lines if line.ratio is not None]
    less, more = (
        min(MOST_DOUBLINGS, max(least, *map(ceil, side), 0)) for least, side in zip(room, ([-x for x in off], off), strict=True)
    )
    one, bottom = (right - left) / (less + more), 8 + row * len(lines)
    middle = left + less * one
    _scale(sheet, (middle, one), (less, more), bottom, MOST_LABELS // (1 + narrow))
    furthest = max(off, key=abs, default=0)
    for k, line in enumerate(lines):
        y, half = 8 + row * (k + 0.5), 17.0 if narrow else 0.24 * row
        top = y - 52 if narrow else y - 24
        y = y + 28 if narrow else y
        sheet.write(
            0, top, f"<b>{short(line.what, (0.98 if narrow else LEFT - 0.02) * sheet.wide, 17)}</b>", 17, anchor="middle right"
        )
        said = (f"{names[0]} {line.printed}, {names[1]} {line.expected}", line.note)
        for at, text in zip((top + 25, top + 47), said, strict=True):
            size = min(15.0, (0.98 if narrow else LEFT - 0.02) * sheet.wide / (ems(text) + 1))
            sheet.write(0, at, text, size, colors.muted, "middle right")
        if line.ratio is None:
            sheet.write(middle + 0.015, y, "?", LARGE, colors.muted, "middle right")
            continue
        away = log2(max(line.ratio, 1e-9))
        end = middle + one * max(-less, min(more, away))
        low, high = sorted((middle, end if abs(end - middle) > 0.003 else middle + 0.003))
        sheet.bar(low, y - half, high, y + half, colors.ink if away == furthest else colors.muted)
        text, beside = "✓" if line.good else times(line.ratio), high + 0.014
        size = min(LARGE, (1 - beside) * sheet.wide / (1.05 * ems(text)))
        sheet.write(beside, y, f"<b>{text}</b>", size, colors.ink, "middle right")
    return sheet.figure(bottom + 48, min_width=0 if narrow else 560)


def _scale(sheet: Sheet, place: tuple[float, float], sides: tuple[int, int], bottom: float, most: int) -> None:
    """The line of agreement, and doublings beneath the bars. place: of agreement, and of a doubling; most: labels to a side."""
    (middle, one), (less, more) = place, sides
    every = -(-(less + more) // most)
    for k in range(-less, more + 1):
        at = middle + k * one
        sheet.bar(
            at - 0.0006,
            2 if k == 0 and not sheet.phone else bottom - 6,
            at + 0.0006,
            bottom,
            sheet.colors.ink if k == 0 else sheet.colors.muted,
        )
        if k % every == 0:
            name = "equal" if k == 0 else f"× {2**k:,}" if k > 0 else f"÷ {2**-k:,}"
            sheet.write(at, bottom + 14, name, 14, sheet.colors.muted)
    end = middle + more * one
    scale = "logarithmic scale: each tick is twice the one before"
    sheet.write(
        end, bottom + 36, "logarithmic: each tick doubles" if sheet.phone else scale, 14, sheet.colors.muted, "middle left"
    )
