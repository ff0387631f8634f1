"""What one decode step reads: the weights that its tokens meet, and the caches at a few lengths of context, to one scale."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.sheet import Sheet, SheetFigure

LEFT, RIGHT, ROW = 0.24, 0.8, 44.0


def step_reads(sheet: Sheet, weights: float, caches: Sequence[tuple[str, float]], outlined: str = "") -> SheetFigure:
    """weights: bytes. caches: what and bytes. outlined: the name of the one that an answer found, "" before."""
    colors = sheet.colors
    most = max(weights, *(n for _, n in caches), 1)
    bars = [("weights that are met", weights, colors.bar), *((what, n, colors.key) for what, n in caches)]
    for k, (what, n_bytes, color) in enumerate(bars):
        y, marked = 8 + k * ROW, what == outlined
        end = LEFT + (RIGHT - LEFT) * n_bytes / most
        sheet.bar(LEFT, y + 6, end, y + ROW - 6, color)
        if marked:
            sheet.frame(LEFT, y + 4, end, y + ROW - 4, colors.ink)
        name = f"<b>✓ {what}</b>" if marked else what
        sheet.write(LEFT - 0.012, y + ROW / 2, name, 15, anchor="middle left")
        sheet.write(end + 0.01, y + ROW / 2, f"<b>{decimal_bytes(n_bytes)}</b>", 15, anchor="middle right")
    return sheet.figure(16 + len(bars) * ROW, min_width=600)
