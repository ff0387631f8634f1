"""One token’s key in few bits, twice, on one ruler: where every channel has levels of its own, and where all channels share them. The
same numbers stand in both; brown is how far each of them goes to its level, and beside them how large that is for all keys.
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number

AXIS, BAR, APART = 0.045, 0.085, 0.03  # of the width have the ruler's numbers, what a grouping comes to, and what is between two
AXIS_ON_PHONE, BAR_ON_PHONE = 0.09, 0.17
TOP, HEIGHT, UNDER = 34.0, 250.0, 30.0  # pixels above the numbers, of them, and of what says what they are
HEIGHT_ON_PHONE = 128.0  # there one grouping stands beneath the other, and both above the question
LEAST_APART, N_TICKS = 4.0, 6  # pixels between levels that are drawn one by one; numbers of the ruler
LARGEST = 0.8  # of the height has the bar of the larger error


class Grouped(NamedTuple):
    """One way to share a low and a high. of: what is seen; low, high, rounded: (d,) of each number; error: of all keys."""

    name: str
    of: str
    low: np.ndarray
    high: np.ndarray
    rounded: np.ndarray
    error: float


def bit_errors(
    sheet: Sheet, numbers: np.ndarray, panels: Sequence[Grouped], n_levels: int, says: str = "", known: bool = True
) -> SheetFigure:
    """numbers: (d,), one token's key. panels: the ways to share, beside each other, on a phone beneath. says: the headline; known: whether
    the errors may be seen."""
    phone = sheet.on_phone()
    axis, aside = (AXIS_ON_PHONE, BAR_ON_PHONE) if phone else (AXIS, BAR)
    room = HEIGHT_ON_PHONE if phone else sheet.row(HEIGHT, 1, HEIGHT, 2 * HEIGHT)
    least, most = (float(edge([getattr(p, name) for p in panels])) for edge, name in ((np.min, "low"), (np.max, "high")))
    ends = least, max(most, least + 1e-6)
    wide = 1 - axis - aside if phone else (1 - axis - 2 * aside - APART) / 2
    worst, small = max((panel.error for panel in panels), default=0.0), 13 if phone else 15
    for k, panel in enumerate(panels):
        left, top = (axis, TOP + k * (TOP + room + UNDER)) if phone else (axis + k * (wide + aside + APART), TOP)
        across, bottom = (left, left + wide), top + room
        sheet.write(left, top - 20, f"<b>{panel.name}</b>", 15 if phone else 18, anchor="middle right")
        _ruler(sheet, across, ends, (top, bottom), phone or not k)
        _numbers(sheet, numbers, panel, across, lambda x, edges=(top, bottom): np.interp(x, ends, edges[::-1]), n_levels, known)
        sheet.write(left, bottom + 18, panel.of, small, sheet.colors.muted, "middle right")
        middle = left + wide + 0.55 * aside
        _error(sheet, (middle, top, bottom), panel.error if known else None, worst)
    return under_headline(sheet, says).figure(bottom + UNDER)


def _ruler(sheet: Sheet, across: tuple[float, float], ends: tuple[float, float], down: tuple[float, float], named: bool) -> None:
    """Thin lines at round numbers. named: whether these are written."""
    (left, right), (low, high) = across, ends
    step, lines = nice_step(high - low, N_TICKS), ""
    for k in range(ceil(low / step), floor(high / step) + 1):
        y = float(np.interp(k * step, ends, down[::-1]))
        lines += f"M{left:.5f},{y:.2f}L{right:.5f},{y:.2f}"
        if named:
            sheet.write(left - 7 / sheet.wide, y, number(k * step, 6), 13, sheet.colors.muted, "middle left")
    sheet.line(lines, sheet.colors.line)


def _numbers(
    sheet: Sheet, numbers: np.ndarray, panel: Grouped, across: tuple[float, float], down, n_levels: int, known: bool
) -> None:
    """Each number as a dot in its range, which is pale and has its levels where there is room to draw them, and how far it goes. down: from
    a number to pixels."""
    (left, right), colors = across, sheet.colors
    wide, alone = (right - left) / len(numbers), bool(np.ptp(panel.low) or np.ptp(panel.high))
    x, half = left + (np.arange(len(numbers)) + 0.5) * wide, (0.42 if alone else 0.5) * wide
    y, low, high, to = map(down, (numbers, panel.low, panel.high, panel.rounded))
    ranges = list(zip((x - half).tolist(), high.tolist(), (x + half).tolist(), low.tolist(), strict=True))
    sheet.bars(ranges, colors.hole)
    rungs = [
        f"M{x0:.5f},{at:.2f}L{x1:.5f},{at:.2f}"
        for x0, top, x1, bottom in ranges
        for at in (np.linspace(bottom, top, n_levels).tolist() if bottom - top >= LEAST_APART * (n_levels - 1) else ())
    ]
    sheet.line("".join(rungs), colors.muted, 2.0 if n_levels <= 4 else 1.2)
    size = min(15.0, max(3.0, 0.6 * wide * sheet.wide))
    if known:
        far = zip(x.tolist(), y.tolist(), to.tolist(), strict=True)
        thick = 0.25 * size / sheet.wide
        sheet.bars([(at - thick, min(a, b), at + thick, max(a, b)) for at, a, b in far], colors.wasted)
    sheet.dots(x, y, size, colors.key, (colors.surface, 1))


def _error(sheet: Sheet, place: tuple[float, float, float], error: float | None, worst: float) -> None:
    """The error of all keys as a bar with its number, a question mark where it would stand while it is asked for. place: its middle, and
    from where to where it may reach."""
    (x, top, bottom), colors, phone = place, sheet.colors, sheet.phone
    half, size = (0.05 if phone else 0.025), 20 if phone else 26
    high = 0.0 if error is None else LARGEST * (bottom - top) * error / (worst or 1.0)
    sheet.bars([(x - half, bottom - high, x + half, bottom)] * (error is not None), colors.wasted)
    sheet.line(f"M{x - 1.2 * half:.5f},{bottom:.2f}L{x + 1.2 * half:.5f},{bottom:.2f}", colors.muted, 2.0)
    sheet.write(x, bottom - high - 0.75 * size, "<b>?</b>" if error is None else f"<b>{error:.2g}</b>", size)
    sheet.write(x, bottom + 18, "error" if phone else "all keys’ error", 13 if phone else 15, colors.muted)
