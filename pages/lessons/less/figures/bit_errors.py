"""One token's key, channel by channel, and the levels to which its numbers go in few bits: those that all channels of the token share,
or those of each channel itself. Beneath, to one scale in both, how far each number has to go."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.format import number

LEFT, APART = 0.045, 0.05  # of the width have the axis, and what is between two groupings
LEFT_ON_PHONE = 0.1
TOP, HEIGHT, MOVED = 66.0, 116.0, 52.0  # pixels above the numbers, of them, and of how far they go
HEIGHT_ON_PHONE, MOVED_ON_PHONE = 96.0, 40.0  # there one way to share stands beneath the other, and both above the question
BETWEEN, UNDER = 20.0, 24.0  # pixels above how far they go, and beneath a grouping
MOST_DRAWN = 16  # levels that are drawn one by one: more are an area


class Grouped(NamedTuple):
    """One way to share a low and a high. rounded: the key's channels as they come back; levels: (n, channels), from low to high; error:
    of all keys, None while it is asked for."""

    name: str
    rounded: np.ndarray
    levels: np.ndarray
    error: float | None


def bit_errors(sheet: Sheet, key: np.ndarray, panels: Sequence[Grouped], says: str = "") -> SheetFigure:
    """key: a token's, one number a channel. panels: the ways to share, beside each other, on a phone beneath. says: how the two compare."""
    phone = sheet.on_phone()
    low, high = (edge([edge(panel.levels) for panel in panels]) for edge in (np.min, np.max))
    most = max(float(np.abs(panel.rounded - key).max()) for panel in panels)
    axis, wide = (LEFT_ON_PHONE, 1.0) if phone else (LEFT, (1 - APART) / 2)
    room, moved = (HEIGHT_ON_PHONE, MOVED_ON_PHONE) if phone else (HEIGHT, MOVED)
    tall = TOP + room + BETWEEN + moved + UNDER
    for k, panel in enumerate(panels):
        left, top = (0.0, k * tall) if phone else (k * (wide + APART), 0.0)
        sheet.write(left, top + 12, f"<b>{panel.name}</b>", 15 if phone else 17, anchor="middle right")
        said = "?" if panel.error is None else f"{panel.error:.3f}"
        large_number(sheet, (left, left + wide), top + 42, said, "relative error of all keys")
        field = (left + axis, left + wide, top + TOP, top + TOP + room)
        _axis(sheet, left + axis, (float(low), float(high)), field[2:])
        down = [np.interp(numbers, (low, high), field[:1:-1]) for numbers in (key, panel.rounded, panel.levels)]
        _levels(sheet, field, *down)
        _moves(sheet, (*field, moved), None if panel.error is None else np.abs(panel.rounded - key), len(key), most)
    bottom = (2 * tall if phone else tall) - UNDER + 18
    lines = [f"a dot: one of the {len(key)} channels of a key", "a line: a level that it may go to"]
    for line in lines if phone else ["; ".join(lines)]:
        sheet.write(0, bottom, line, 13 if phone else 14, sheet.colors.muted, "middle right")
        bottom += 18
    return under_headline(sheet, says).figure(bottom - 6)


def _axis(sheet: Sheet, x: float, ends: tuple[float, float], edges: tuple[float, float]) -> None:
    """The smallest and the largest level, and 0 where it lies well between."""
    (low, high), (top, bottom), colors = ends, edges, sheet.colors
    near = 0.12 * (high - low)
    for value in (low, high, *([0.0] if low + near < 0 < high - near else [])):
        y = float(np.interp(value, (low, high), (bottom, top)))
        sheet.write(x - 6 / sheet.wide, y, number(value, 1), 13, colors.muted, "middle left")
    sheet.line(f"M{x:.5f},{top:.2f}L{x:.5f},{bottom:.2f}", colors.line, 1)


def _levels(
    sheet: Sheet, field: tuple[float, float, float, float], key: np.ndarray, rounded: np.ndarray, levels: np.ndarray
) -> None:
    """Levels as lines, numbers as dots, and between a dot and its level how far it is moved, all in pixels down. field: its edges."""
    (left, right, _, _), colors = field, sheet.colors
    wide = (right - left) / len(key)
    x = left + (np.arange(len(key)) + 0.5) * wide
    if len(levels) <= MOST_DRAWN:
        lines = zip(np.tile(x, len(levels)).tolist(), levels.ravel().tolist(), strict=True)
        sheet.line("".join(f"M{at - wide / 2:.5f},{y:.2f}L{at + wide / 2:.5f},{y:.2f}" for at, y in lines), colors.muted, 1.5)
    else:
        sheet.bars(
            [(at - 0.3 * wide, y1, at + 0.3 * wide, y0) for at, y0, y1 in zip(x, levels[0], levels[-1], strict=True)], colors.hole
        )
    moved = zip(x.tolist(), key.tolist(), rounded.tolist(), strict=True)
    sheet.line("".join(f"M{at:.5f},{y0:.2f}L{at:.5f},{y1:.2f}" for at, y0, y1 in moved), colors.ink, 2)
    sheet.dots(x, key, min(12.0, max(3.0, 0.6 * wide * sheet.wide)), colors.key)


def _moves(sheet: Sheet, field: tuple[float, float, float, float, float], far: np.ndarray | None, n: int, most: float) -> None:
    """How far each number goes, of the farthest in both groupings, `most`, as high as the room; an outline while what it comes to is asked
    for. field: the edges of what is above it, and its own height."""
    (left, right, _, bottom, high), colors = field, sheet.colors
    y0, y1, wide = bottom + BETWEEN, bottom + BETWEEN + high, (right - left) / n
    if far is None:
        sheet.line(rectangle(left, y0, right, y1), colors.muted, 1.5, "dash")
        sheet.write((left + right) / 2, (y0 + y1) / 2, "how far each goes: ?", 15, colors.muted)
        return
    sheet.write(right, y0 - 6, "how far each goes", 13, colors.muted, "middle left")
    boxes = [
        (left + (c + 0.15) * wide, y1 - high * share, left + (c + 0.85) * wide, y1)
        for c, share in enumerate((far / (most or 1.0)).tolist())
    ]
    sheet.bars(boxes, colors.wasted)
    sheet.bar(left, y0, right, y0 + 1, colors.hole)
    sheet.write(left - 6 / sheet.wide, y0, number(most, 1), 13, colors.muted, "middle left")
    sheet.bar(left, y1, right, y1 + 1.2, colors.muted)
