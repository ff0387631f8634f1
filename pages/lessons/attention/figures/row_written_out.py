"""The selected row of the attention map in numbers, beneath a map whose cells are too small for them."""

from __future__ import annotations

import numpy as np

from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, plain, short
from pages.parts.text.format import number


def row_written_out(sheet: Sheet, layer, selected, words, heads, top: float, width: float) -> float:
    """Write it below `top`, `width` wide (a share of the sheet); returns the figure's new height."""
    colors = sheet.colors
    head, query, key = selected
    n = layer.scores.shape[2]
    cell = width / (n + 1.6)
    first = 1.6 * cell
    title = f"<b>{plain(heads[head])}</b>, row “{plain(words[n - layer.scores.shape[1] + query])}”"
    sheet.write(0, top + 8, title, 13.5, anchor="middle right")
    weights = layer.weights[head, query]
    y_edges = top + np.array([58.0, 80.0])
    sheet.heatmap(weights[None], first + np.arange(n + 1) * cell, y_edges, colors.weights, 0, 1)
    inks = text_colors(colors.weights, np.clip(np.nan_to_num(weights), 0, 1))
    for y, name in ((30, ""), (48, "masked"), (69, "weight"), (91, "× value")):
        sheet.write(first - 0.006, top + y, name, 12.5, colors.muted, "middle left")
    for j in range(n):
        x = first + (j + 0.5) * cell
        sheet.write(x, top + 30, short(words[j], cell * WIDTH, 12), 12, colors.muted)
        sheet.write(x, top + 48, number(layer.masked[head, query, j], sign=True), 13, colors.muted)
        sheet.write(x, top + 69, number(weights[j]), 13, str(inks[j]))
        sheet.write(x, top + 91, number(layer.v[layer.kv_head(head), j, 0]), 13)
    sheet.frame(first + key * cell, top + 58, first + (key + 1) * cell, top + 80, colors.ink)
    return top + 102
