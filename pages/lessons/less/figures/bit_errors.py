"""The numbers that share a low and a high, and the levels to which they go in few bits: those of one channel, of all tokens of a group,
and those of one token, of all channels. One number is in both; brown is how far each of them has to go, on one scale.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number

LEFT, APART = 0.045, 0.05  # of the width have the axis, and what is between two groupings
LEFT_ON_PHONE = 0.1
TOP, HEIGHT, UNDER = 66.0, 184.0, 30.0  # pixels above the numbers, of them, and of what says what they are
HEIGHT_ON_PHONE = 120.0  # there one way to share stands beneath the other, and both above the question
MOST_DRAWN = 16  # levels that are drawn one by one: more are an area


class Grouped(NamedTuple):
    """One way to share a low and a high. of: what the numbers are; rounded: they as they come back; levels: from low to high; both: which
    of them is in the other group, too; error: of all keys, None while it is asked for."""

    name: str
    of: str
    numbers: np.ndarray
    rounded: np.ndarray
    levels: np.ndarray
    both: int
    error: float | None


def bit_errors(sheet: Sheet, panels: Sequence[Grouped], says: str = "") -> SheetFigure:
    """panels: the ways to share, beside each other, on a phone beneath. says: how the two compare."""
    phone = sheet.on_phone()
    all_levels = np.concatenate([panel.levels for panel in panels])
    low, high = float(all_levels.min()), float(all_levels.max())
    axis, wide = (LEFT_ON_PHONE, 1.0) if phone else (LEFT, (1 - APART) / 2)
    room = HEIGHT_ON_PHONE if phone else HEIGHT
    tall = TOP + room + UNDER
    for k, panel in enumerate(panels):
        left, top = (0.0, k * tall) if phone else (k * (wide + APART), 0.0)
        sheet.write(left, top + 12, f"<b>{panel.name}</b>", 15 if phone else 17, anchor="middle right")
        said = "?" if panel.error is None else f"{panel.error:.3f}"
        large_number(sheet, (left, left + wide), top + 42, said, "relative error of the keys")
        edges = (top + TOP, top + TOP + room)
        _axis(sheet, left + axis, (low, high), edges)
        _group(sheet, panel, (left + axis, left + wide), lambda x, edges=edges: np.interp(x, (low, high), edges[::-1]))
        sheet.write(left + axis, edges[1] + 17, panel.of, 13 if phone else 14, sheet.colors.muted, "middle right")
    bottom = len(panels) * tall if phone else tall
    brown = "; brown: how far each goes" * any(panel.error is not None for panel in panels)
    drawn = all(len(panel.levels) <= MOST_DRAWN for panel in panels)
    lines = [
        "a line: a level that all of them share" if drawn else "grey: the levels that all of them share",
        f"ringed: in both groups{brown}",
    ]
    for line in lines if phone else ["; ".join(lines)]:
        sheet.write(0, bottom + 8, line, 13 if phone else 14, sheet.colors.muted, "middle right")
        bottom += 18
    return under_headline(sheet, says).figure(bottom)


def _axis(sheet: Sheet, x: float, ends: tuple[float, float], edges: tuple[float, float]) -> None:
    """The smallest and the largest level, and 0 where it lies well between."""
    (low, high), (top, bottom), colors = ends, edges, sheet.colors
    near = 0.12 * (high - low)
    for value in (low, high, *([0.0] if low + near < 0 < high - near else [])):
        y = float(np.interp(value, (low, high), (bottom, top)))
        sheet.write(x - 6 / sheet.wide, y, number(value, 1), 13, colors.muted, "middle left")
    sheet.line(f"M{x:.5f},{top:.2f}L{x:.5f},{bottom:.2f}", colors.line, 1)


def _group(sheet: Sheet, panel: Grouped, across: tuple[float, float], down) -> None:
    """Levels as lines across all numbers, these as dots, and from each to its level how far it goes, once that is not asked for.
    down: from a number to pixels."""
    (left, right), colors = across, sheet.colors
    wide = (right - left - 10 / sheet.wide) / len(panel.numbers)
    x, y, to, levels = left + (np.arange(len(panel.numbers)) + 0.5) * wide, *map(down, panel[2:5])
    if len(levels) <= MOST_DRAWN:
        sheet.line("".join(f"M{left:.5f},{at:.2f}L{right:.5f},{at:.2f}" for at in levels.tolist()), colors.muted, 2)
    else:
        sheet.bar(left, float(levels[-1]), right, float(levels[0]), colors.hole)
    half = min(0.3 * wide, 7 / sheet.wide)
    if panel.error is not None:
        ends = zip(x.tolist(), y.tolist(), to.tolist(), strict=True)
        sheet.bars([(at - half, min(a, b), at + half, max(a, b)) for at, a, b in ends], colors.wasted)
    size = min(12.0, max(3.0, 0.6 * wide * sheet.wide))
    sheet.dots(x, y, size, colors.key, (colors.surface, 1))
    sheet.dots(x[[panel.both]], y[[panel.both]], size + 8, colors.key, (colors.ink, 3))
