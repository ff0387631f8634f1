"""One token’s key in few bits, twice, at one scale: where every channel has levels of its own, and where all channels share them. The
same dots stand in both; brown is how far each of them goes to its level, and at the right how large that is for all keys.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import ends_to_find
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure

BARS = 0.22  # of the width have the two errors
APART = 0.02  # of the width, between what stands side by side
BARS_ON_PHONE = 0.27  # of the width
ENDS, ENDS_ON_PHONE = 50.0, 34.0  # pixels at the right of the dots, of what the ends of the last range are called
TOP = 34.0  # pixels above the dots
HEIGHT = 236.0  # pixels of the dots
UNDER = 24.0  # pixels of the numbers of their channels
LAST = 22.0  # pixels of the line that says of what these are channels
HEIGHT_ON_PHONE = 124.0  # there one grouping stands beneath the other, and both above the question
LEAST_APART = 4.0  # pixels between levels that are drawn one by one
LARGEST = 0.82  # of the height has the bar of the larger error


class Key(NamedTuple):
    """Of one token's key the channels that are drawn, from 0, their numbers, and how many channels it has."""

    channels: np.ndarray
    numbers: np.ndarray
    of: int


class Grouped(NamedTuple):
    """One way to share a low and a high. by: what has its own; low, high, rounded: of each number; error: of all keys."""

    name: str
    by: str
    low: np.ndarray
    high: np.ndarray
    rounded: np.ndarray
    error: float


def bit_errors(
    sheet: Sheet, key: Key, panels: Sequence[Grouped], n_levels: int, says: str = "", known: bool = True
) -> SheetFigure:
    """panels: the ways to share, beside each other, on a phone beneath. says: the headline; known: whether the errors may be seen."""
    phone = sheet.on_phone()
    aside, names = (BARS_ON_PHONE, ENDS_ON_PHONE) if phone else (BARS, ENDS)
    room = HEIGHT_ON_PHONE if phone else sheet.row(HEIGHT, 1, HEIGHT, 2 * HEIGHT)
    least, most = (float(edge([getattr(p, name) for p in panels])) for edge, name in ((np.min, "low"), (np.max, "high")))
    ends = least, max(most, least + 1e-6)
    wide = 1 - aside - APART if phone else (1 - aside - 2 * APART) / 2
    inner = wide - names / sheet.wide
    for k, panel in enumerate(panels):
        left, top = (0.0, TOP + k * (TOP + room + UNDER)) if phone else (k * (wide + APART), TOP)
        bottom = top + room
        sheet.write(left, top - 20, f"<b>{panel.name}</b>", 15 if phone else 18, anchor="middle right")
        x = left + (np.arange(len(key.numbers)) + 0.5) * inner / len(key.numbers)
        _rounded(sheet, key, panel, x, lambda n, edges=(bottom, top): np.interp(n, ends, edges), n_levels, known)
        sheet.write_all(x, bottom + 14, [str(channel + 1) for channel in key.channels.tolist()], 13 if phone else 16)
    _errors(sheet, panels, (1 - aside, TOP, 1.0, bottom), known)
    some = f"{len(key.numbers)} of the {key.of} " * (len(key.numbers) < key.of) + "channels of a token’s key"
    sheet.write(0, bottom + UNDER + (10 if phone else 12), some, 13 if phone else 16, anchor="middle right")
    return under_headline(sheet, says).figure(bottom + UNDER + LAST)


def _rounded(sheet: Sheet, key: Key, panel: Grouped, x: np.ndarray, down, n_levels: int, known: bool) -> None:
    """Each number as a dot in its range, which is pale and has its levels where there is room to draw them; once it is known, the way to
    its level. x: of each; down: from a number to pixels."""
    colors, pitch = sheet.colors, float(x[1] - x[0]) if len(x) > 1 else 0.1
    half = (0.36 if np.ptp(panel.low) or np.ptp(panel.high) else 0.5) * pitch
    y, low, high, to = map(down, (key.numbers, panel.low, panel.high, panel.rounded))
    ranges = list(zip((x - half).tolist(), high.tolist(), (x + half).tolist(), low.tolist(), strict=True))
    sheet.bars(ranges, colors.hole)
    apart = (low - high) / (n_levels - 1)
    rungs = ""
    for (x0, top, x1, bottom), room in zip(ranges, apart.tolist(), strict=True):
        for at in np.linspace(bottom, top, n_levels).tolist() if room >= LEAST_APART else ():
            rungs += f"M{x0:.5f},{at:.2f}L{x1:.5f},{at:.2f}"
    sheet.line(rungs, colors.muted, 2.5 if n_levels <= 4 else 1.2)
    if low[-1] - high[-1] > 20:
        for name, edge in (("high", high[-1]), ("low", low[-1])):
            sheet.write(x[-1] + half + 6 / sheet.wide, edge, name, 13 if sheet.phone else 17, anchor="middle right")
    size = min(16.0, max(3.0, 0.36 * pitch * sheet.wide))
    if known:
        thick, reach = 0.4 * size / sheet.wide, 0.36 * pitch
        way = list(zip(x.tolist(), y.tolist(), to.tolist(), (apart >= LEAST_APART).tolist(), strict=True))
        sheet.bars([(at - thick, min(a, b), at + thick, max(a, b)) for at, a, b, _ in way], colors.wasted)
        levels = "".join(f"M{at - reach:.5f},{b:.2f}L{at + reach:.5f},{b:.2f}" for at, _, b, seen in way if seen)
        sheet.line(levels, colors.ink, 4.0)
    sheet.dots(x, y, size, colors.key, (colors.surface, 1))


def _errors(sheet: Sheet, panels: Sequence[Grouped], box: tuple[float, float, float, float], known: bool) -> None:
    """The error of all keys with either grouping, two bars side by side, without an end while they are asked for."""
    (left, top, right, bottom), colors, phone = box, sheet.colors, sheet.phone
    wide, worst, size = (right - left) / len(panels), max(panel.error for panel in panels), 20 if phone else 34
    sheet.write((left + right) / 2, top - 20, "error" if phone else "<b>all keys’ error</b>", 15 if phone else 18)
    bars = []
    for k, panel in enumerate(panels):
        x, high = left + (k + 0.5) * wide, LARGEST * (bottom - top) * (panel.error / (worst or 1.0) if known else 0.8)
        bars.append((x - 0.38 * wide, bottom - high, x + 0.38 * wide, bottom))
        if known:
            sheet.write(x, bottom - high - 0.7 * size, f"<b>{panel.error:.2g}</b>", size)
        sheet.write(x, bottom + 14, panel.by, 13 if phone else 16)
    if known:
        sheet.bars(bars, colors.wasted)
    else:
        ends_to_find(sheet, bars, colors.wasted, up=True)
        sheet.write((left + right) / 2, top + 0.2 * (bottom - top), "<b>?</b>", 46 if phone else 64)
    sheet.line(f"M{left:.5f},{bottom:.2f}L{right:.5f},{bottom:.2f}", colors.muted, 2.0)
