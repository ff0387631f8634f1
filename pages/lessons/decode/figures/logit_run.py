"""The loop in one picture: the logit of every word at every step, and which of them is the highest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number


def logit_run(
    sheet: Sheet, logits: np.ndarray, probs: np.ndarray, first: int, vocabulary: Sequence[str], answered: bool = True
) -> SheetFigure:
    """Logits (n_steps, n_vocab) as numbers on cells whose colour is the chance, probs of the same shape.

    first: how many tokens there are at the first step. The likeliest word of each step is framed and named above it.
    answered: whether more than the first step is shown, with an arrow at the second, which a question was about.
    """
    colors = sheet.colors
    n_steps, n_vocab = logits.shape
    left = 0.115
    cell = (0.997 - left) / n_steps
    cell_h = min(44.0, 280 / n_vocab)
    top = 64.0
    if not answered:
        logits, probs = logits[:1], probs[:1]
        sheet.bar(left + cell, top, 0.997, top + n_vocab * cell_h, colors.hole)
        sheet.write((left + cell + 0.997) / 2, top + n_vocab * cell_h / 2, "?", 28)
        n_steps = 1
    x, y = left + np.arange(n_steps + 1) * cell, top + np.arange(n_vocab + 1) * cell_h
    sheet.heatmap(Grid(x, y), probs.T, Scale(colors.weights))
    inks = text_colors(colors.weights, np.nan_to_num(probs))
    size = min(16.0, 0.62 * cell_h, cell * WIDTH / (5 * 0.53))
    sheet.write(0, 12, "<b>tokens</b> so far", 13.5, anchor="middle right")
    sheet.write(0, 44, "<b>next word</b>", 13.5, anchor="middle right")
    for w, word in enumerate(vocabulary):
        sheet.write(
            left - 0.01, top + (w + 0.5) * cell_h, short(word, 0.1 * WIDTH, min(15, size)), min(15, size), anchor="middle left"
        )
    for t in range(n_steps):
        centre = left + (t + 0.5) * cell
        sheet.write(centre, 12, str(first + t), 13.5, colors.muted)
        if not np.isfinite(logits[t]).all():
            sheet.write(centre, 44, "NaN", 14)
            continue
        best = int(np.argmax(logits[t]))
        sheet.write(centre, 44, f"<b>{short(vocabulary[best], cell * WIDTH, 14)}</b>", 14, colors.accent)
        if t == 1:
            sheet.write(centre, top + n_vocab * cell_h + 12, "▲ asked", 13)
        sheet.frame(x[t], y[best], x[t + 1], y[best + 1], colors.accent, 3)
        for w in range(n_vocab):
            text = number(logits[t, w])
            sheet.write(centre, top + (w + 0.5) * cell_h, f"<b>{text}</b>" if w == best else text, size, str(inks[t, w]))
    return sheet.figure(top + n_vocab * cell_h + 24, min_width=640)
