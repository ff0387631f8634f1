"""One token's key, channel by channel, and the levels to which its numbers go in few bits: those that all channels of the token share,
or those of each channel itself. How far a number has to go stands between the two."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.sheet import Sheet, SheetFigure

TOP, HEIGHT, APART = (
    74.0,
    190.0,
    0.05,
)  # where the numbers begin, pixels of them, and the share of the width between two groupings
HEIGHT_ON_PHONE = 120.0
MOST_DRAWN = 16  # levels that are drawn one by one: more are an area


class Grouped(NamedTuple):
    """One way to share a low and a high. rounded: the key's channels as they come back; levels: (n, channels), from low to high; error:
    of all keys, None while it is asked for."""

    name: str
    rounded: np.ndarray
    levels: np.ndarray
    error: float | None


def bit_errors(sheet: Sheet, key: np.ndarray, panels: Sequence[Grouped]) -> SheetFigure:
    """key: a token's, one number a channel. panels: the ways to share, beside each other, on a phone beneath."""
    phone = sheet.on_phone()
    low, high = (edge([edge(panel.levels) for panel in panels]) for edge in (np.min, np.max))
    wide, tall = (1.0, HEIGHT_ON_PHONE) if phone else ((1 - APART) / 2, HEIGHT)
    bottom = 0.0
    for k, panel in enumerate(panels):
        left, top = (0.0, k * (TOP + tall + 22)) if phone else (k * (wide + APART), 0.0)
        sheet.write(left, top + 12, f"<b>{panel.name}</b>", 15 if phone else 17, anchor="middle right")
        said = "?" if panel.error is None else f"{panel.error:.3f}"
        large_number(sheet, (left, left + wide), top + 44, said, "relative error of all keys")
        ends, bottom = (top + TOP + tall, top + TOP), top + TOP + tall
        down = [np.interp(numbers, (low, high), ends) for numbers in (key, panel.rounded, panel.levels)]
        _panel(sheet, (left, wide / len(key)), *down)
    legend = [f"a dot: one of the {len(key)} channels of a key", "at it: how far it goes to a level"]
    for line in legend if phone else ["; ".join(legend)]:
        sheet.write(0, bottom + 14, line, 14, sheet.colors.muted, "middle right")
        bottom += 20
    return sheet.figure(bottom + 4)


def _panel(sheet: Sheet, columns: tuple[float, float], key: np.ndarray, rounded: np.ndarray, levels: np.ndarray) -> None:
    """Levels as lines, numbers as dots, and between a dot and its level how far it is moved, all in pixels down. columns: where the first
    one begins, and the width of each."""
    (left, wide), colors = columns, sheet.colors
    x = left + (np.arange(len(key)) + 0.5) * wide
    if len(levels) <= MOST_DRAWN:
        lines = zip(np.tile(x, len(levels)).tolist(), levels.ravel().tolist(), strict=True)
        sheet.line("".join(f"M{at - wide / 2:.5f},{y:.2f}L{at + wide / 2:.5f},{y:.2f}" for at, y in lines), colors.muted, 1.8)
    else:
        sheet.bars(
            [(at - 0.3 * wide, y1, at + 0.3 * wide, y0) for at, y0, y1 in zip(x, levels[0], levels[-1], strict=True)], colors.hole
        )
    moved = zip(x.tolist(), key.tolist(), rounded.tolist(), strict=True)
    sheet.line("".join(f"M{at:.5f},{y0:.2f}L{at:.5f},{y1:.2f}" for at, y0, y1 in moved), colors.ink, 3)
    sheet.dots(x, key, min(13.0, max(3.0, 0.6 * wide * sheet.wide)), colors.key)
