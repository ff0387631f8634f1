"""From contexts to logits: the context of each head, the matrix W, and what each head adds to each word's logit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import context_text, number, percent, side_by_side

LEFT, CONTEXT, GAP = 0.105, 0.075, 0.045  # shares of the width: head names, contexts, the signs × and =


def word_map(
    sheet: Sheet,
    context: np.ndarray,
    w_vocab: np.ndarray,
    added: np.ndarray,
    probs: np.ndarray | None,
    heads: Sequence[str],
    words: Sequence[str],
    off: Sequence[int] = (),
    selected: tuple[int, int] | None = None,
) -> SheetFigure:
    """context: (n_head,); w_vocab, added: (n_head, n_vocab), the columns of `added` sum to the logits.

    probs: (n_vocab,), or None where the logits are not numbers. off: heads that are switched off (their rows of `added` are 0).
    selected: (head, word) of W to outline; cells of W can be selected.
    """
    colors = sheet.colors
    n_head, n_vocab = w_vocab.shape
    block = (1 - LEFT - CONTEXT - 2 * GAP) / 2
    cell = block / n_vocab
    top, row = 58.0, float(np.clip(200 / n_head, 25, 46))
    y_edges = top + np.arange(n_head + 1) * row
    rows = y_edges[:-1] + row / 2
    starts = (LEFT + CONTEXT + GAP, LEFT + CONTEXT + 2 * GAP + block)
    size = min(18.0, 0.55 * row, cell * WIDTH / (4.6 * LETTER))
    titles = ("W: what one unit of context adds", "context × W: what each head adds")
    for x0, z, title in zip(starts, (w_vocab, added), titles, strict=True):
        bound = max(float(np.nanmax(np.abs(z), initial=0)), 1e-9)
        sheet.write(x0, 12, f"<b>{title}</b>", 15, anchor="middle right")
        edges = x0 + np.arange(n_vocab + 1) * cell
        sheet.heatmap(Grid(edges, y_edges), z, Scale(colors.scores, -bound, bound))
        inks = text_colors(colors.scores, np.clip(np.nan_to_num(z) / (2 * bound) + 0.5, 0, 1))
        for w, word in enumerate(words):
            sheet.write(x0 + (w + 0.5) * cell, 41, short(word, cell * WIDTH, min(15.0, size)), min(15.0, size), colors.muted)
            for h in range(n_head):
                text = "off" if z is added and h in off else number(z[h, w], 3) if z is w_vocab else context_text(z[h, w])
                sheet.write(x0 + (w + 0.5) * cell, rows[h], text, size, str(inks[h, w]))
    sheet.write(LEFT + CONTEXT / 2, 12, "<b>context</b>", 15)
    for h, name in enumerate(heads):
        label = min(15.0, 0.6 * row)
        sheet.write(LEFT - 0.01, rows[h], short(name, (LEFT - 0.01) * WIDTH, label), label, colors.muted, "middle left")
        value = f"<s>{context_text(context[h])}</s>" if h in off else f"<b>{context_text(context[h])}</b>"
        sheet.write(LEFT + CONTEXT / 2, rows[h], value, min(18.0, 0.6 * row), colors.muted if h in off else colors.ink)
    for x, sign in ((LEFT + CONTEXT + GAP / 2, "×"), (starts[1] - GAP / 2, "=")):
        sheet.write(x, top + n_head * row / 2, sign, 20, colors.muted)
    bottom = _results(sheet, added, probs, starts[1], cell, y_edges[-1], size)
    if selected is not None:
        h, w = selected
        x0 = starts[0] + w * cell
        sheet.frame(x0, y_edges[h], x0 + cell, y_edges[h + 1], colors.ink, 3)
    grid = {
        "curves": [0],
        "selected": None if selected is None else [0, *selected],
        "stages": ["W"],
        "rows": [str(name) for name in heads],
        "columns": [str(word) for word in words],
    }
    return sheet.figure(bottom, min_width=660, grid=grid)


def _results(sheet: Sheet, added: np.ndarray, probs: np.ndarray | None, x0: float, cell: float, y: float, size: float) -> float:
    """The column sums, which are the logits, and the probabilities beneath; returns the height used."""
    colors, logits = sheet.colors, added.sum(axis=0)
    sheet.bar(x0, y + 5, x0 + len(logits) * cell, y + 7, colors.muted)
    sheet.write(x0 - 0.012, y + 26, "<b>logit</b>, the sum", 15, anchor="middle left")
    sheet.write(x0 - 0.012, y + 54, "<b>probability</b>, after softmax", 15, anchor="middle left")
    best = None if probs is None else int(np.argmax(logits))
    lines = (
        side_by_side(logits.tolist()),
        ["NaN" if probs is None else percent(p) for p in (logits if probs is None else probs)],
    )
    for below, texts in zip((26, 54), lines, strict=True):
        fits = min(19.0, 1.1 * size, 0.96 * cell * WIDTH / (LETTER * max(map(len, texts))))
        if fits < 12 and below == 54 and probs is not None:
            texts = [f"{p:.0%}" for p in probs]
        for w, text in enumerate(texts):
            color = colors.ink if w == best or best is None else colors.muted
            sheet.write(x0 + (w + 0.5) * cell, y + below, f"<b>{text}</b>" if w == best else text, max(fits, 12.0), color)
    return y + 70
