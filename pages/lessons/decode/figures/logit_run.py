"""The loop in one picture: the logit of every word at every step, and which of them is the highest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.cells import Texts, cells, texts, waiting
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, short

LEFT, RIGHT, TOP = 0.115, 0.997, 64.0


def logit_run(
    sheet: Sheet, logits: np.ndarray, probs: np.ndarray, first: int, vocabulary: Sequence[str], answered: bool = True
) -> SheetFigure:
    """Logits (n_steps, n_vocab) as numbers on cells whose colour is the chance, probs of the same shape.

    first: how many tokens there are at the first step. The likeliest word of each step is framed and named above it.
    answered: whether more than the first step is shown, with an arrow at the second, which a question was about.
    """
    colors, (n_steps, n_vocab) = sheet.colors, logits.shape
    grid = Grid.of(LEFT, TOP, ((RIGHT - LEFT) / n_steps, sheet.row(262, n_vocab, 20, 88)), (n_vocab, n_steps))
    if not answered:
        waiting(sheet, grid.columns(1, n_steps).edges, 28)
        logits, probs, grid = logits[:1], probs[:1], grid.columns(0, 1)
    size = min(18.0, 0.62 * grid.tall, grid.wide * WIDTH / (5 * LETTER))
    known, best = np.isfinite(logits).all(axis=1), np.argmax(logits, axis=1)
    words = texts(logits.T, np.tile(known, (n_vocab, 1)))
    for t in np.flatnonzero(known):
        words[best[t], t] = bold(words[best[t], t])
    cells(sheet, grid, probs.T, Scale(colors.weights), Texts(words, size))
    sheet.write(0, 12, "<b>tokens</b> so far", 13.5, anchor="middle right")
    sheet.write(0, 44, "<b>next word</b>", 13.5, anchor="middle right")
    for y, word in zip(grid.down, vocabulary, strict=True):
        sheet.write(LEFT - 0.01, y, short(word, 0.1 * WIDTH, min(16, size)), min(16, size), anchor="middle left")
    for t, x in enumerate(grid.across):
        sheet.write(x, 12, str(first + t), 13.5, colors.muted)
        if not known[t]:
            sheet.write(x, 44, "NaN", 14)
            continue
        sheet.write(x, 44, bold(short(vocabulary[best[t]], grid.wide * WIDTH, 14)), 14, colors.accent)
        if t == 1:
            sheet.write(x, grid.y[-1] + 12, "▲ asked", 13)
        sheet.frame(*grid.box(best[t], t), colors.accent, 3)
    return sheet.figure(float(grid.y[-1]) + 24, min_width=640)
