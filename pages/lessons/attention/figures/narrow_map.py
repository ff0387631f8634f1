"""The attention map for a phone: heads beneath each other, of each the masked scores and beside them the weights and contexts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.model import ForwardPass
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, in_cell, plain, rectangle, short
from pages.parts.text.format import number, percent

ACROSS = 340  # pixels that the figure gets
LEFT, MAP, GAP = 0.17, 0.325, 0.02  # shares: row labels, each of the two maps, what parts them; the rest is for contexts
STAGES = ("masked", "weights")
TYPE, SMALL = 14.0, 12.0


def narrow_map(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    shown: Sequence[int],
    vocabulary: Sequence[str],
    probs: np.ndarray | None,
    selected: tuple[int, int, int],
    after: np.ndarray | None = None,
) -> SheetFigure:
    """words: (n,); heads: all names; shown: which of them are drawn. vocabulary with probs (n_vocab,), None where no logit is a
    number. selected: (head, query row, key). after: (n,) contexts of the one head that is shown, after an edit.

    Traces stand in the order masked, weights of the first head, then of the next: what a selected cell's trace number means.
    """
    layer = run.layers[-1]
    n = layer.scores.shape[2]
    cell_h = float(np.clip(160 / n, 9, 26))
    top = 8.0
    for head in shown:
        top = _head(sheet, layer, words, heads[head], head, top, cell_h, selected, after)
    height = _next_word(sheet, run, vocabulary, probs, str(words[-1]), top)
    grid = {
        "curves": list(range(2 * len(shown))),
        "selected": [2 * list(shown).index(selected[0]) + 1, selected[1], selected[2]] if selected[0] in shown else None,
        "stages": [f"{heads[head]}, {stage}" for head in shown for stage in STAGES],
        "rows": [str(w) for w in words],
        "columns": [str(w) for w in words],
    }
    return sheet.figure(height, min_width=300, grid=grid)


def _head(sheet: Sheet, layer, words, name: str, head: int, top: float, cell_h: float, selected, after) -> float:
    """One head's two maps with its contexts; returns where the next one begins."""
    colors, n = sheet.colors, layer.scores.shape[2]
    cell_x = MAP / n
    tops = top + 34 + np.arange(n + 1) * cell_h
    starts = LEFT + np.array([0, MAP + GAP])
    sheet.write(0, top + 6, f"<b>head {plain(name)}</b>", TYPE, anchor="middle right")
    for x, title in zip(starts, ("scores, future −∞", "weights"), strict=True):
        sheet.write(x, top + 24, title, SMALL, colors.muted, "middle right")
    sheet.write(1, top + 24, "context", SMALL, colors.muted, "middle left")
    visible = np.where(layer.mask[head], 1.0, np.nan)
    bound = max(1.0, float(np.abs(layer.scores).max()))
    parts = ((layer.scores[head], colors.scores, -bound, bound), (layer.weights[head], colors.weights, 0.0, 1.0))
    for x, (z, scale, low, high) in zip(starts, parts, strict=True):
        holes = [(i, j) for i, j in np.argwhere(~layer.mask[head])]
        edges = x + np.arange(n + 1) * cell_x
        if holes:
            sheet.path("".join(rectangle(edges[j], tops[i], edges[j + 1], tops[i + 1]) for i, j in holes), colors.hole)
        sheet.heatmap(z * visible, edges, tops, scale, low, high)
        _numbers(sheet, z, layer.mask[head], layer.empty[head], x, cell_x, tops, (scale, low, high))
        if head == selected[0]:
            sheet.frame(edges[0], tops[selected[1]], edges[-1], tops[selected[1] + 1], colors.ink)
    for i, word in enumerate(words):
        y, last = (tops[i] + tops[i + 1]) / 2, i == n - 1
        if cell_h >= SMALL or last:
            sheet.write(LEFT - 0.015, y, short(word, (LEFT - 0.02) * ACROSS, SMALL), SMALL, colors.muted, "middle left")
            now = number(layer.context[head, i, 0], 1)
            then = now if after is None else number(after[i], 1)
            unmoved = "none" if layer.empty[head, i] else now
            text, color = (unmoved, colors.ink) if then == now else (f"→ {then}", colors.accent)
            sheet.write(1, y, f"<b>{text}</b>" if last else text, TYPE if last else SMALL, color, "middle left")
    return float(tops[-1]) + 14


def _numbers(sheet: Sheet, z, mask, empty, left: float, cell_x: float, tops, colors) -> None:
    """The number in each cell that has room for it."""
    (scale, low, high), wide, tall = colors, cell_x * ACROSS, float(tops[1] - tops[0])
    inks = text_colors(scale, np.clip((np.nan_to_num(z) - low) / (high - low), 0, 1))
    for i, j in np.argwhere(mask & ~empty[:, None] if low == 0 else mask):
        text, size = in_cell(float(z[i, j]), wide, tall, TYPE)
        size = min(size, (wide - 2) / (LETTER * len(text)))
        if size >= SMALL - 1:
            sheet.write(left + (j + 0.5) * cell_x, (tops[i] + tops[i + 1]) / 2, text, size, str(inks[i, j]))


def _next_word(sheet: Sheet, run: ForwardPass, vocabulary, probs, last_word: str, top: float) -> float:
    """Logits and chances of the last row beneath the heads; returns the figure's height."""
    colors, line = sheet.colors, 24
    sheet.write(0, top + 8, f"<b>next word</b> after “{short(last_word, 120, TYPE)}”", TYPE, anchor="middle right")
    if probs is None:
        sheet.write(0, top + 8 + line, "not a number: one NaN row spoils every logit", SMALL, colors.muted, "middle right")
        return top + 16 + 2 * line
    best = int(np.argmax(run.logits[-1]))
    for w, word in enumerate(vocabulary):
        y, bold = top + 8 + (w + 1) * line, ("<b>", "</b>") if w == best else ("", "")
        sheet.write(0, y, short(word, 90, TYPE).join(bold), TYPE, anchor="middle right")
        sheet.write(0.46, y, number(run.logits[-1, w]), TYPE, colors.muted, "middle left")
        sheet.write(1, y, percent(probs[w]).join(bold), TYPE, anchor="middle left")
        sheet.bar(0.5, y - 4, 0.8, y + 4, colors.hole)
        sheet.bar(0.5, y - 4, 0.5 + 0.3 * float(probs[w]), y + 4, colors.ink if w == best else colors.bar)
    return top + 20 + (len(vocabulary) + 1) * line
