"""One head of a trained model, enlarged: which earlier word each word looks at, the words written at both edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.hover import Columns, Hover, Rows, Value
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, plain, short
from pages.parts.text.format import number

WIDTH = 540  # pixels that this figure usually gets: it stands beside the small maps
MOST_LABELS = 40  # of words at an edge
MOST_HOVERS = 1300  # cells that say their words when hovered over; larger maps say the weight


def one_head(
    sheet: Sheet, weights: np.ndarray, hidden: np.ndarray, words: Sequence[str], title: str, selected: tuple[int, int]
) -> SheetFigure:
    """weights: (n, n) of one head; hidden: (n, n), True where the mask hides; words: (n,). selected: (query, key) to outline.

    Numbers stand in the cells where they can be read; the map of a long text is a picture without them.
    """
    colors, n = sheet.colors, len(words)
    left = 0.15
    cell_x = (0.97 - left) / n
    every = max(1, -(-n // MOST_LABELS), int(np.ceil(13 / (cell_x * WIDTH))))
    flat = max(map(len, words)) * LETTER * 12.5 <= cell_x * WIDTH
    top = 46.0 if flat else 82.0
    cell_h = (268 - top) / n
    down = max(1, int(np.ceil(14 * n / (268 - top))))
    high = 1.0 if n <= MOST_LABELS else max(0.1, round(float(np.where(hidden, 0, weights)[n // 4 :].max()), 2))
    x, y = left + np.arange(n + 1) * cell_x, top + np.arange(n + 1) * cell_h
    size = min(14.0, 0.62 * cell_h, cell_x * WIDTH / (4.2 * LETTER))
    numbers = size >= 12
    shown = np.where(hidden, np.nan, weights)
    labels = True
    if n * n <= MOST_HOVERS:
        cut = [short(word, 160, 13) for word in words]
        labels = Hover(("“", Rows(cut), "” → “", Columns(cut), "”: ", Value(digits=3, hidden=hidden, instead="0.000")))
    sheet.bar(left, top, x[-1], y[-1], colors.hole)
    sheet.heatmap(Grid(x, y), np.round(shown, 4), Scale(colors.weights, 0, high), labels, lines=cell_h >= 9)
    if numbers:
        inks = text_colors(colors.weights, np.nan_to_num(shown))
        for i, j in zip(*np.nonzero(~hidden), strict=True):
            sheet.write((x[j] + x[j + 1]) / 2, (y[i] + y[i + 1]) / 2, number(weights[i, j]), size, str(inks[i, j]))
    label = min(14.0, max(12.0, 0.8 * cell_h * down))
    query, key = selected
    for i in range(n):
        if i == query or (i % down == 0 and abs(i - query) >= down):
            word = short(words[i], (left - 0.015) * WIDTH, label)
            sheet.write(left - 0.012, (y[i] + y[i + 1]) / 2, f"<b>{word}</b>" if i == query else word, label,
                        colors.ink if i == query else colors.muted, "middle left")  # fmt: skip
        if i == key or (i % every == 0 and abs(i - key) >= every):
            word, color = short(words[i], 78, 12.5), colors.ink if i == key else colors.muted
            word = f"<b>{plain(words[i])}</b>" if i == key and flat else f"<b>{word}</b>" if i == key else word
            if flat:
                sheet.write((x[i] + x[i + 1]) / 2, top - 10, word, 12.5, color)
            else:
                sheet.slanted((x[i] + x[i + 1]) / 2 - min(4 / WIDTH, cell_x / 2), top - 3, word, 12.5, color)
    sheet.write(0, 11, f"<b>{plain(title)}</b>", 15, anchor="middle right")
    if high < 1:
        sheet.write(0.97, 11, f"darkest: {high:.2f} and more", 12.5, colors.muted, "middle left")
    sheet.frame(x[key], y[query], x[key + 1], y[query + 1], colors.ink, 2.5)
    grid = {"curves": [0], "selected": [0, query, key], "stages": ["weight"], "rows": list(words), "columns": list(words)}
    return sheet.figure(272, min_width=380, grid=grid)
