"""The next word: the likeliest ones as bars, and what the model would have said after each layer (the logit lens)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import percent

MOST_ROWS, GUESSES, BARS = 13, 4, 7


def layer_guesses(
    sheet: Sheet,
    lens: np.ndarray,
    words: Callable[[Sequence[int]], Sequence[str]],
    intact: np.ndarray | None = None,
    hidden: bool = False,
) -> SheetFigure:
    """lens: (n_layer + 1, n_vocab) chances after the embedding and each layer. words: token ids to text.

    intact: (n_vocab,) the chances before heads were removed, drawn as a line on each bar. hidden: words and chances wait.
    """
    top, height = 50.0, 220.0
    if hidden:
        _waiting(sheet, len(lens), top, height)
        return sheet.figure(top + height + 8, min_width=690)
    _guesses(sheet, lens, words, top, height)
    _bars(sheet, lens[-1], intact, words, top, height)
    return sheet.figure(top + height + 8, min_width=690)


def _waiting(sheet: Sheet, n: int, top: float, height: float) -> None:
    """A row for the embedding and each layer, and the bars, without what they say."""
    colors, n_rows = sheet.colors, min(n, MOST_ROWS)
    rows = np.unique(np.round(np.linspace(0, n - 1, n_rows)).astype(int))
    cell_h = min(height / len(rows), 58.0)
    for r, layer in enumerate(rows):
        middle = top + (r + 0.5) * cell_h
        sheet.write(0.105, middle, "embedding" if layer == 0 else f"layer {layer}", min(14.5, 0.9 * cell_h), anchor="middle left")
        sheet.bar(0.115, top + r * cell_h + 1, 0.565, top + (r + 1) * cell_h - 1, colors.hole)
        sheet.write(0.34, middle, "?", 15, colors.muted)
    step = height / BARS
    for r in range(BARS):
        sheet.bar(0.70, top + (r + 0.5) * step - 10, 0.93, top + (r + 0.5) * step + 10, colors.hole)
        sheet.write(0.69, top + (r + 0.5) * step, "?", 15, colors.muted, "middle left")
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    sheet.write(0.605, 11, "<b>next word</b>", 15, anchor="middle right")


def _guesses(sheet: Sheet, lens: np.ndarray, words, top: float, height: float) -> None:
    """The likeliest words after each layer; where the one that wins in the end stands among them, it is outlined."""
    colors, n = sheet.colors, len(lens)
    rows = np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_ROWS))).astype(int))
    cell_h = min(height / len(rows), 58.0)
    left, right = 0.115, 0.565
    width = (right - left) / GUESSES
    order = np.argsort(-lens[rows], axis=1, kind="stable")[:, :GUESSES]
    chances = np.take_along_axis(lens[rows], order, axis=1)
    size = min(15.0, max(12.0, 0.5 * cell_h))
    y = top + np.arange(len(rows) + 1) * cell_h
    sheet.heatmap(Grid(left + np.arange(order.shape[1] + 1) * width, y), chances, Scale(colors.weights), hover=False)
    inks = text_colors(colors.weights, chances)
    winner = int(np.argmax(lens[-1]))
    names = {int(i): w for i, w in zip(order.ravel(), words(order.ravel()), strict=True)}
    for r, layer in enumerate(rows):
        middle = (y[r] + y[r + 1]) / 2
        name = "embedding" if layer == 0 else f"layer {layer}"
        sheet.write(left - 0.01, middle, f"<b>{name}</b>" if layer == n - 1 else name, min(14.5, size + 1), anchor="middle left")
        for c in range(order.shape[1]):
            token, x = int(order[r, c]), left + (c + 0.5) * width
            word, ink = short(names[token], width * WIDTH - 44, size), str(inks[r, c])
            sheet.write(x, middle, f"{f'<b>{word}</b>' if token == winner else word} {chances[r, c]:.2f}", size, ink)
            if token == winner:
                sheet.frame(left + c * width + 0.002, y[r] + 2, left + (c + 1) * width - 0.002, y[r + 1] - 2, colors.ink, 2)
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    sheet.write(0, 33, "read with the last norm and head, as if the model ended there", 12.5, colors.muted, "middle right")


def _bars(sheet: Sheet, probs: np.ndarray, intact: np.ndarray | None, words, top: float, height: float) -> None:
    """The likeliest next words, with the line where each stood before heads were removed."""
    colors = sheet.colors
    base = probs if intact is None else np.maximum(probs, intact)
    order = np.argsort(-base, kind="stable")[: min(BARS, len(probs))]
    order = order[np.argsort(-probs[order], kind="stable")]
    left, right, step = 0.70, 0.93, height / BARS
    for r, (token, word) in enumerate(zip(order, words(order), strict=True)):
        y, best = top + (r + 0.5) * step, r == 0
        color = colors.ink
        name = short(word, 0.115 * WIDTH, 16)
        sheet.write(left - 0.01, y, f"<b>{name}</b>" if best else name, 16, color, "middle left")
        sheet.bar(left, y - 10, right, y + 10, colors.hole)
        sheet.bar(left, y - 10, left + (right - left) * float(probs[token]), y + 10, colors.prefill if best else colors.bar)
        if intact is not None:
            at = left + (right - left) * float(intact[token])
            sheet.bar(at - 0.0015, y - 14, at + 0.0015, y + 14, colors.ink)
        sheet.write(1, y, percent(float(probs[token])), 15, color, "middle left")
    sheet.write(0.605, 11, "<b>next word</b>", 15, anchor="middle right")
    said = "out of all words" if intact is None else "the line: before heads were removed"
    sheet.write(0.605, 33, said, 12.5, colors.muted, "middle right")
