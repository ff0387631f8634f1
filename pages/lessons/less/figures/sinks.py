"""A text behind caches of equal size, with and without its first tokens: perplexities, and every head's weight on the first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number

TOP, ROW = 44.0, 38.0
HEADS_LEFT, HEADS_SIDE = 0.79, 190.0


def sinks(
    sheet: Sheet,
    name: str,
    bars: Sequence[tuple[str, float | None]],
    published: Sequence[tuple[str, float]],
    to_first: np.ndarray,
) -> SheetFigure:
    """bars: perplexity behind each cache, None where it waits for an answer; published: of a large model, none where they wait.

    to_first: (n_layer, n_head) mean weight on the first token.
    """
    colors = sheet.colors
    sheet.write(0, 12, f"<b>perplexity</b>, {short(name, 200, 14.5)}", 14.5, anchor="middle right")
    _bars(sheet, bars, 0.155, 0.365)
    sheet.write(0.44, 12, "<b>the same</b> of Llama-2-13B", 14.5, anchor="middle right")
    if published:
        _bars(sheet, published, 0.61, 0.70)
    else:
        sheet.write(0.58, TOP + 1.5 * ROW, "?", 22, colors.muted)
    sheet.write(HEADS_LEFT, 12, "<b>weight on token 1</b>", 14.5, anchor="middle right")
    _heads(sheet, to_first)
    return sheet.figure(TOP + max(len(bars) * ROW, HEADS_SIDE) + 8, min_width=760)


def _bars(sheet: Sheet, bars: Sequence[tuple[str, float | None]], left: float, right: float) -> None:
    """Named bars from 0, the longest as long as there is room."""
    colors, most = sheet.colors, max((p for _, p in bars if p), default=1.0)
    for r, (name, p) in enumerate(bars):
        y = TOP + (r + 0.5) * ROW
        sheet.write(left - 0.01, y, name, 14, anchor="middle left")
        sheet.bar(left, y - 11, right, y + 11, colors.hole)
        if p is None:
            sheet.write((left + right) / 2, y, "?", 15, colors.muted)
            continue
        sheet.bar(left, y - 11, left + (right - left) * p / most, y + 11, colors.prefill if r == 0 else colors.bar)
        sheet.write(right + 0.008, y, f"<b>{number(p, 2) if p < 1000 else f'{p:,.0f}'}</b>", 14.5, anchor="middle right")


def _heads(sheet: Sheet, to_first: np.ndarray) -> None:
    """A cell a head, a row a layer, with its number where there is room."""
    colors, (n_layer, n_head) = sheet.colors, to_first.shape
    x = np.linspace(HEADS_LEFT + 0.05, 1, n_head + 1)
    height = min(34.0, (HEADS_SIDE - 22) / n_layer)
    y = TOP + np.arange(n_layer + 1) * height
    sheet.heatmap(Grid(x, y), to_first, Scale(colors.weights), lines=height > 5)
    width = (x[1] - x[0]) * WIDTH
    inks = text_colors(colors.weights, np.clip(to_first, 0, 1))
    for i, j in np.ndindex(to_first.shape) if width >= 30 and height >= 17 else ():
        share = f"{to_first[i, j]:.2f}".removeprefix("0")
        sheet.write((x[j] + x[j + 1]) / 2, (y[i] + y[i + 1]) / 2, share, 13, str(inks[i, j]))
    every = -(-n_layer // 8)
    for i in range(0, n_layer, every):
        sheet.write(HEADS_LEFT + 0.04, (y[i] + y[i + 1]) / 2, str(i + 1), 12.5, colors.muted, "middle left")
    sheet.write(1, y[-1] + 12, "layers down, heads across", 12.5, colors.muted, "middle left")
