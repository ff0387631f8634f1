"""The numbers that share a low and a high, and the levels to which they go in few bits: those of one channel, of all tokens of a group,
and those of one token, of all channels. Both stand on one scale, every number as wide as any other. One number is in both; brown is how
far each of them has to go.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number

LEFT, APART = 0.05, 0.03  # of the width have the levels' numbers, and what is between two groupings
LEFT_ON_PHONE = 0.1
LEAST_WIDE = 0.34  # of the room for both has a grouping of few numbers, for its words
TOP, HEIGHT, UNDER = 52.0, 206.0, 36.0  # pixels above the numbers, of them, and of what says what they are
HEIGHT_ON_PHONE = 120.0  # there one way to share stands beneath the other, and both above the question
MOST_DRAWN, LINE = 16, 15.0  # levels that are drawn one by one: more are an area; pixels between two that have their numbers


class Grouped(NamedTuple):
    """One way to share a low and a high. of: what the numbers are; rounded: they as they come back; levels: from low to high; both: which
    of them is in the other group, too."""

    name: str
    of: str
    numbers: np.ndarray
    rounded: np.ndarray
    levels: np.ndarray
    both: int


def bit_errors(sheet: Sheet, panels: Sequence[Grouped], says: str = "", known: bool = True) -> SheetFigure:
    """panels: the ways to share, beside each other, on a phone beneath. says: how the two compare; known: whether it may be seen."""
    phone = sheet.on_phone()
    all_levels = np.concatenate([panel.levels for panel in panels])
    ends = float(all_levels.min()), float(all_levels.max())
    axis, room = (LEFT_ON_PHONE, HEIGHT_ON_PHONE) if phone else (LEFT, sheet.row(HEIGHT, 1, HEIGHT, 2 * HEIGHT))
    tall, left, ringed = TOP + room + UNDER, 0.0, []
    for k, (panel, wide) in enumerate(zip(panels, _widths(panels, phone), strict=True)):
        top = k * tall * phone
        edges, across = (top + TOP, top + TOP + room), (left + axis, left + axis + wide)
        sheet.write(left, top + 12, f"<b>{panel.name}</b>", 15 if phone else 17, anchor="middle right")
        ringed.append(_group(sheet, panel, across, lambda x, edges=edges: np.interp(x, ends, edges[::-1]), known))
        _name_levels(sheet, panel, across, lambda x, edges=edges: np.interp(x, ends, edges[::-1]), k == 0)
        sheet.write(across[0], edges[1] + 19, panel.of, 13 if phone else 14, sheet.colors.muted, "middle right")
        left = 0.0 if phone else across[1] + APART
    if not phone and len(ringed) > 1:
        (x0, y0), *_, (x1, y1) = ringed
        sheet.line(f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}", sheet.colors.ink, 1.5, "dot")
    bottom = (len(panels) if phone else 1) * tall
    brown = "; brown: how far each goes" * known
    sheet.write(0, bottom + 8, f"ringed: in both groups{brown}", 13 if phone else 14, sheet.colors.muted, "middle right")
    return under_headline(sheet, says).figure(bottom + 18)


def _widths(panels: Sequence[Grouped], phone: bool) -> list[float]:
    """Of the numbers of each way: by how many they are, on a phone all that there is."""
    if phone:
        return [1 - LEFT_ON_PHONE] * len(panels)
    n = np.array([len(panel.numbers) for panel in panels])
    shares = np.clip(n / n.sum(), LEAST_WIDE, None)
    return list((1 - len(n) * LEFT - (len(n) - 1) * APART) * shares / shares.sum())


def _name_levels(sheet: Sheet, panel: Grouped, across: tuple[float, float], down, says: bool) -> None:
    """What the levels are worth, where there is room for all, else the lowest and the highest; over the highest what they are."""
    (left, right), colors, y = across, sheet.colors, down(panel.levels)
    apart = float(y[0] - y[-1]) / max(1, len(y) - 1)
    for k in range(len(y)) if apart >= LINE else (0, len(y) - 1):
        sheet.write(left - 6 / sheet.wide, float(y[k]), number(float(panel.levels[k]), 1), 13, colors.muted, "middle left")
    if says:
        few, highest = len(y) <= MOST_DRAWN, int(np.argmax(panel.numbers))
        x, anchor = (left, "middle right") if 2 * highest >= len(panel.numbers) else (right, "middle left")
        said = "a level that all of them share" if few else "the levels that all of them share"
        sheet.write(x, float(y[-1]) - 13, said, 13 if sheet.phone else 14, colors.muted, anchor)


def _group(sheet: Sheet, panel: Grouped, across: tuple[float, float], down, known: bool) -> tuple[float, float]:
    """Levels as lines across all numbers, these as dots, and from each to its level how far it goes, once that is not asked for.
    down: from a number to pixels. Returns where the one is that is in both groups."""
    (left, right), colors = across, sheet.colors
    wide = (right - left - 10 / sheet.wide) / len(panel.numbers)
    x, y, to, levels = left + (np.arange(len(panel.numbers)) + 0.5) * wide, *map(down, panel[2:5])
    if len(levels) <= MOST_DRAWN:
        sheet.line("".join(f"M{left:.5f},{at:.2f}L{right:.5f},{at:.2f}" for at in levels.tolist()), colors.muted, 2.5)
    else:
        sheet.bar(left, float(levels[-1]), right, float(levels[0]), colors.hole)
    size = min(14.0, max(3.0, 0.7 * wide * sheet.wide))
    half = 0.5 * size / sheet.wide
    if known:
        ends = zip(x.tolist(), y.tolist(), to.tolist(), strict=True)
        sheet.bars([(at - half, min(a, b), at + half, max(a, b)) for at, a, b in ends], colors.wasted)
    sheet.dots(x, y, size, colors.key, (colors.surface, 1))
    sheet.dots(x[[panel.both]], y[[panel.both]], size + 8, colors.key, (colors.ink, 3))
    return float(x[panel.both]), float(y[panel.both])
