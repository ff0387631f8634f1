"""The growing map: every head's weights, old rows as they were computed and dimmed, the rows of this pass in the colour of "new".

The room for the rows to come is laid out from the start, so that a new row appears beneath the old ones and moves none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from engine.answer import Rows
from pages.parts.figures.canvas import WIDTH, Sheet, in_cell, rectangle, short
from pages.parts.figures.mosaic import Piece, draw
from pages.parts.figures.palette import palette, text_colors
from pages.parts.words import number, percent

LEFT, BLOCKS = 0.105, 0.675  # shares of the width: row labels, the heads' blocks; the next word takes the rest
HEIGHT = 396
MIN_WIDTH = 860  # with less, numbers outgrow their cells and words the space at the left: the figure scrolls instead


class Drawn(NamedTuple):
    """What all heads draw together: cells of old rows, cells of new rows, holes."""

    old: list[Piece]
    new: list[Piece]
    holes: list[str]


def growing_map(
    rows: Rows,
    n_prompt: int,
    words: Sequence[str],
    heads: Sequence[str],
    vocabulary: Sequence[str],
    probs: np.ndarray | None,
    chosen: int | None,
    dark: bool = False,
    zoom: float = 1.0,
) -> go.Figure:
    """Weights and contexts of all rows so far, and the chance of each next word.

    rows: what was computed, row by row; the last rows.n_new are new. words: (n,). vocabulary: (n_vocab,) with logits of the
    last row in rows.logits and probs (n_vocab,) or None when they are not numbers; chosen: which one the answer goes on with.
    A cell of the prompt's square that the mask hides is a hole; what did not exist when a row was computed stays blank.
    """
    colors = palette(dark)
    sheet = Sheet(colors, zoom)
    n_head, n = rows.context.shape
    across = 1 if n_head == 1 else 2 if n_head <= 4 else 4
    bands = -(-n_head // across)
    room = capacity(n, n_prompt)
    head_room, context_w = 42.0, 0.07 if across < 4 else 0.05
    cell_h = float(np.clip((HEIGHT - bands * head_room) / (bands * room), 1.6, 34))
    block = BLOCKS / across
    cell_x = min((block - context_w - 0.015) / room, 60 / WIDTH)
    size = in_cell(0, cell_x * WIDTH, cell_h)[1]
    first_new = n - rows.n_new
    fresh = colors.prefill if first_new == 0 else colors.accent
    scales = ((colors.surface, colors.cached), (colors.surface, fresh))
    drawn = Drawn([], [], [])
    for h in range(n_head):
        band, at = divmod(h, across)
        x0, y0 = LEFT + at * block, band * (room * cell_h + head_room) + head_room
        _names(sheet, x0, y0, cell_x, heads[h], n, room * cell_x, cell_x * WIDTH)
        if at == 0:
            _row_labels(sheet, y0, cell_h, n_prompt, first_new, words, fresh)
        _block(sheet, rows, h, n_prompt, first_new, (x0, y0, cell_x, cell_h), scales, size, drawn)
        _contexts(sheet, rows, h, first_new, x0 + n * cell_x + 0.008, y0, cell_h, fresh)
    if drawn.holes:
        sheet.path("".join(drawn.holes), colors.hole)
    draw(sheet, drawn.old, scales[0], 0, 1, lines=size >= 8.5)
    draw(sheet, drawn.new, scales[1], 0, 1, lines=size >= 8.5)
    _next_word(sheet, rows, words, vocabulary, probs, chosen)
    _legend(sheet, first_new, fresh)
    return sheet.figure(max(bands * (room * cell_h + head_room) + 6, 300), min_width=MIN_WIDTH)


def capacity(n: int, n_prompt: int) -> int:
    """For how many rows room is laid out: it grows in leaps, so that most steps move nothing.

    >>> [capacity(n, 4) for n in (4, 6, 7, 64)]
    [6, 6, 8, 64]
    """
    return min(next((n_prompt + k for k in (2, 4, 8, 16, 32) if n_prompt + k >= n), 64), 64)


def _names(sheet: Sheet, x0, y0, cell_x, name, n, width, cell_w) -> None:
    """The head's name and the positions above its columns."""
    sheet.write(x0, y0 - 28, f"<b>{short(name, max(width, 0.1) * WIDTH, 14)}</b>", 14, anchor="middle right")
    if cell_w >= 15:
        for j in range(n):
            sheet.write(x0 + (j + 0.5) * cell_x, y0 - 9, str(j + 1), 12, sheet.colors.muted)


def _row_labels(sheet: Sheet, y0, cell_h, n_prompt, first_new, words, fresh) -> None:
    """Position and word of each row, and a bar for each pass: one for the whole prompt, one for every decoded row."""
    colors, n = sheet.colors, len(words)
    sheet.bar(LEFT - 0.011, y0 + 1, LEFT - 0.005, y0 + n_prompt * cell_h - 1, colors.prefill)
    for i in range(n_prompt, n):
        sheet.bar(LEFT - 0.011, y0 + i * cell_h + 1, LEFT - 0.005, y0 + (i + 1) * cell_h - min(1, cell_h / 4), colors.decode)
    size = min(14.0, 0.78 * cell_h)
    for i in range(n) if size >= 8 else (n - 1,):
        new = i >= first_new
        text = short(f"{i + 1} {words[i]}", (LEFT - 0.02) * WIDTH, max(size, 13.0 if size < 8 else size))
        y = y0 + (i + 0.5) * cell_h
        color = fresh if new else colors.muted
        sheet.write(LEFT - 0.018, y, f"<b>{text}</b>" if new else text, max(size, 8) if size >= 8 else 13, color, "middle left")


def _block(sheet: Sheet, rows: Rows, h, n_prompt, first_new, place, scales, size, drawn: Drawn) -> None:
    """One head's weights: old rows in grey, new ones in colour, holes where the prompt's mask hides a later token."""
    x0, y0, cell_x, cell_h = place
    weights = rows.weights[h]
    n, gap = len(weights), 0.5 if size >= 8.5 else 0
    drawn.holes.extend(
        rectangle(x0 + j * cell_x, y0 + i * cell_h + gap, x0 + n_prompt * cell_x, y0 + (i + 1) * cell_h - gap)
        for i in range(n_prompt)
        for j in np.flatnonzero(rows.hidden[h, i])[:1]
    )
    x = x0 + np.arange(n + 1) * cell_x
    for start, stop, scale, pieces in ((0, first_new, scales[0], drawn.old), (first_new, n, scales[1], drawn.new)):
        if stop > start:
            shown = np.where(rows.hidden[h, start:stop], np.nan, weights[start:stop])
            pieces.append((shown, x, y0 + np.arange(start, stop + 1) * cell_h))
            if size >= 8.5:
                _numbers(sheet, shown, rows.empty[h, start:stop], x, y0 + start * cell_h, cell_h, size, scale)
    if first_new:
        out = 0 if cell_h >= 8 else 2.5  # around a thin row, not over it
        sheet.frame(x0, y0 + first_new * cell_h - out, x0 + n * cell_x, y0 + n * cell_h + out, scales[1][1], 1.5 if out else 2.5)


def _numbers(sheet: Sheet, shown, empty, x, top, cell_h, size, scale) -> None:
    """The weight in each cell; "none" where the row gives no weight at all."""
    inks = text_colors(scale, np.clip(np.nan_to_num(shown), 0, 1))
    nothing = "none" if (x[1] - x[0]) * WIDTH >= 25 else "–"
    for i, j in zip(*np.nonzero(~np.isnan(shown)), strict=True):
        if not empty[i] or j == 0:
            text = nothing if empty[i] else in_cell(shown[i, j], (x[1] - x[0]) * WIDTH, cell_h)[0]
            sheet.write(
                (x[j] + x[j + 1]) / 2, top + (i + 0.5) * cell_h, text, min(size, 12) if empty[i] else size, str(inks[i, j])
            )


def _contexts(sheet: Sheet, rows: Rows, h, first_new, x, y0, cell_h, fresh) -> None:
    """The context that a row gives, at its end."""
    colors = sheet.colors
    sheet.write(x, y0 - 9, "context", 12, colors.muted, "middle right")
    for i, value in enumerate(rows.context[h]):
        new, size = i >= first_new, min(15.0, 0.75 * cell_h)
        last = i == len(rows.context[h]) - 1
        if size < 8 and not last:
            continue
        text = "none" if rows.empty[h, i] else number(value)
        color = fresh if new else colors.muted
        sheet.write(
            x, y0 + (i + 0.5) * cell_h, f"<b>{text}</b>" if new else text, max(size, 14 if last else 8), color, "middle right"
        )


def _next_word(sheet: Sheet, rows: Rows, words, vocabulary, probs, chosen) -> None:
    """Logits and chances after the last row, the word that the answer goes on with in the accent colour."""
    colors = sheet.colors
    left, top = LEFT + BLOCKS + 0.012, 12
    sheet.write(left, top, f"<b>next word</b> after “{short(words[-1], 90, 14)}”", 14, anchor="middle right")
    if probs is None:
        sheet.write(left, top + 30, "not a number: a NaN row", 13, colors.accent, "middle right")
        sheet.write(left, top + 48, "spoils every logit", 13, colors.accent, "middle right")
        return
    step = min(50.0, 210 / len(vocabulary))
    size = min(15.0, step * 0.66)
    for w, word in enumerate(vocabulary):
        y, color = top + 14 + w * step, colors.accent if w == chosen else colors.ink
        name = short(word, 0.1 * WIDTH, size)
        cells = (
            (left, name, "middle right"),
            (0.905, number(rows.logits[w]), "middle left"),
            (0.997, percent(probs[w]), "middle left"),
        )
        for x, text, anchor in cells:
            sheet.write(x, y + size * 0.6, f"<b>{text}</b>" if w == chosen else text, size, color, anchor)
        if step > 24:
            y0 = y + size * 1.35
            sheet.bar(left, y0, 1, y0 + 8, colors.hole)
            sheet.bar(left, y0, left + (1 - left) * float(probs[w]), y0 + 8, colors.accent if w == chosen else colors.bar)


def _legend(sheet: Sheet, first_new, fresh) -> None:
    """What the colours of rows and bars mean."""
    colors, left = sheet.colors, LEFT + BLOCKS + 0.012
    entries = [("one prefill pass", colors.prefill), ("a decode pass for each row", colors.decode)]
    if first_new:
        entries = [("the new row", fresh), ("old rows, not computed again", colors.cached), *entries]
    for k, (text, color) in enumerate(entries):
        y = 272 + 24 * k
        sheet.bar(left, y - 7, left + 0.006 if k >= len(entries) - 2 else left + 0.015, y + 7, color)
        sheet.write(left + 0.022, y, text, 13, colors.ink, "middle right")
