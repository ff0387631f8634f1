"""The contexts of every head at every position, in two readings of the rules side by side; cells that differ are outlined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, plain, short
from pages.parts.text.format import context_text

NAMES, GAP = 0.095, 0.035  # shares of the width: the heads' names of each table, between two tables


def context_tables(
    sheet: Sheet,
    layers: Sequence[Attention],
    differ: np.ndarray,
    words: Sequence[str],
    heads: Sequence[Sequence[str]],
    titles: Sequence[tuple[str, str]],
    hidden: np.ndarray | None = None,
) -> SheetFigure:
    """layers: the two readings. differ: (n_head, n) the cells to mark; hidden: those still to be found.
    heads: names of the heads in each. titles: name and rule.

    Up to eight positions stand side by side, more beneath each other.
    """
    colors = sheet.colors
    n_head, n = differ.shape
    beside = n <= 8
    width = (1 - GAP) / 2 if beside else 1.0
    row, cell = float(np.clip(184 / n_head, 22, 42) if beside else np.clip(136 / n_head, 17, 42)), (width - NAMES - 0.004) / n
    size = max(12.0, min(18.0, (0.55 if beside else 0.68) * row, cell * WIDTH / (5.2 * LETTER)))
    head = 76 if beside else 54  # stacked, the rule has room behind the name
    height = head + n_head * row
    for t, layer in enumerate(layers):
        x0, y0 = (t * (width + GAP), 0.0) if beside else (0.0, t * (height + 22))
        left, top = x0 + NAMES, y0 + head
        below = (x0, 32) if beside else (x0 + 0.31, 10)
        for x, y, text, bold, color in ((x0, 10, titles[t][0], True, colors.ink), (*below, titles[t][1], False, colors.muted)):
            shown = short(text, (x0 + width - x) * WIDTH, 15 if bold else 13.5)
            sheet.write(x, y0 + y, f"<b>{shown}</b>" if bold else shown, 15 if bold else 13.5, color, "middle right")
        for j, word in enumerate(words):
            label = max(12.0, min(14.0, cell * WIDTH / (3 * LETTER)))
            sheet.write(left + (j + 0.5) * cell, top - 16, short(word, cell * WIDTH - 2, label), label, colors.muted)
        for h in range(n_head):
            y = top + (h + 0.5) * row
            sheet.bar(x0, top + h * row - 0.5, x0 + width, top + h * row + 0.5, colors.hole)
            sheet.write(
                x0, y, short(heads[t][h], NAMES * WIDTH - 6, 14), max(12.0, min(14.0, 0.7 * row)), colors.ink, "middle right"
            )
            for j in range(n):
                none, marked = bool(layer.empty[h, j]), bool(differ[h, j])
                open_ = hidden is not None and hidden[h, j]
                text = "?" if open_ else "none" if none else plain(context_text(layer.context[h, j, 0]))
                color = colors.muted if none or open_ else colors.ink
                sheet.write(left + (j + 0.5) * cell, y, f"<b>{text}</b>" if marked else text, size, color)
                if marked:
                    x = left + j * cell
                    sheet.frame(x + 0.002, top + h * row + 2, x + cell - 0.002, top + (h + 1) * row - 2, colors.ink, 2)
    return sheet.figure(height + 6 if beside else 2 * height + 28, min_width=680)
