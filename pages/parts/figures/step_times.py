"""Measured time beside counted work: one more token behind a cache, and the whole sequence again, at growing lengths."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from engine.stopwatch import Lap
from pages.parts.figures.canvas import Sheet
from pages.parts.figures.palette import palette
from pages.parts.figures.strips import times

BARS = (0.085, 0.50)


def step_times(laps: Sequence[Lap], dark: bool = False, zoom: float = 1.0) -> go.Figure:
    """A row a length: both times as bars with their milliseconds, then the ratio of times, operations and K/V rows."""
    colors = palette(dark)
    sheet = Sheet(colors, zoom)
    left, right = BARS
    longest = max(lap.recomputed_s for lap in laps)
    columns = ((0.655, "<b>time</b>"), (0.815, "<b>operations</b>"), (0.985, "<b>K/V rows</b>"))
    sheet.write(left - 0.012, 30, "tokens", 13, colors.muted, "middle left")
    sheet.write(left, 30, "milliseconds for one more token", 13, colors.muted, "middle right")
    sheet.write(0.985, 9, "without a cache ÷ with one", 13, colors.muted, "middle left")
    for x, name in columns:
        sheet.write(x, 30, name, 14, anchor="middle left")
    step = 52
    for i, lap in enumerate(laps):
        y = 50 + i * step
        sheet.bar(0, y - 4, 1, y - 3, colors.hole)
        sheet.write(left - 0.012, y + 20, f"<b>{lap.n_tokens}</b>", 16, anchor="middle left")
        for seconds, y_bar, color in ((lap.recomputed_s, y + 3, colors.wasted), (lap.cached_s, y + 24, colors.cached)):
            end = left + max(0.002, (right - left - 0.075) * seconds / longest)
            sheet.bar(left, y_bar, end, y_bar + 17, color)
            sheet.write(end + 0.007, y_bar + 8.5, _ms(seconds), 13, anchor="middle right")
        for (x, _), factor in zip(columns, (lap.speed_up, lap.flop_ratio, lap.n_tokens), strict=True):
            measured = x == columns[0][0]
            text = times(factor)
            sheet.write(x, y + 20, f"<b>{text}</b>" if measured else text, 18 if measured else 15,
                        colors.accent if measured else colors.ink, "middle left")  # fmt: skip
    bottom = 50 + len(laps) * step
    names = (left, colors.wasted, "the whole sequence again"), (left + 0.23, colors.cached, "one row behind the cache")
    for x, color, name in names:
        sheet.bar(x, bottom + 4, x + 0.016, bottom + 20, color)
        sheet.write(x + 0.023, bottom + 12, name, 13, colors.muted, "middle right")
    return sheet.figure(bottom + 26, min_width=620)


def _ms(seconds: float) -> str:
    """Milliseconds with three significant digits."""
    return f"{1e3 * seconds:.3g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"
