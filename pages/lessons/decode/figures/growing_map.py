"""The growing map: every head's weights, old rows as they were computed and dimmed, the rows of this pass in the colour of "new".

The room for the rows to come is laid out from the start, so that a new row appears beneath the old ones and moves none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.experiments.rows import Rows
from pages.parts.drawing.mosaic import Piece, draw
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, capacity, in_cell, rectangle, short
from pages.parts.text.format import number, percent

LEFT, BLOCKS = 0.105, 0.675  # shares of the width: row labels, the heads' blocks; the next word takes the rest
HEIGHT = 300
NEW_ROW = 21.0  # pixels at least: the newest row can be read however many lie above it
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
MIN_WIDTH = 860  # with less, numbers outgrow their cells and words the space at the left: the figure scrolls instead


class Drawn(NamedTuple):
    """What all heads draw together: cells of old rows, cells of new rows, holes."""

    old: list[Piece]
    new: list[Piece]
    holes: list[str]


def growing_map(
    sheet: Sheet,
    rows: Rows,
    n_prompt: int,
    words: Sequence[str],
    heads: Sequence[str],
    vocabulary: Sequence[str],
    probs: np.ndarray | None,
    chosen: int | None,
    pointed: int | None = None,
) -> SheetFigure:
    """Weights and contexts of all rows so far, and the chance of each next word.

    rows: what was computed, row by row; the last rows.n_new are new. words: (n,). vocabulary: (n_vocab,) with logits of the
    last row in rows.logits and probs (n_vocab,) or None when they are not numbers; chosen: which one the answer goes on with.
    pointed: the head whose newest context was asked for.
    A cell of the prompt's square that the mask hides is a hole; what did not exist when a row was computed stays blank.
    """
    colors = sheet.colors
    n_head, n = rows.context.shape
    across = 1 if n_head == 1 else 2 if n_head <= 4 else 4
    bands = -(-n_head // across)
    room = capacity(n, n_prompt)
    head_room, context_w = 37.0, 0.07 if across < 4 else 0.05
    cell_h = float(np.clip((HEIGHT / bands - head_room - NEW_ROW) / (room - 1), 1.6, 30))
    first_new = n - rows.n_new
    heights = np.full(n, cell_h)
    heights[first_new:] = cell_h if first_new == 0 else max(cell_h, NEW_ROW)
    edges = np.concatenate([[0], np.cumsum(heights)])
    band_h = head_room + (room - 1) * cell_h + max(cell_h, NEW_ROW)
    block = BLOCKS / across
    cell_x = min((block - context_w - 0.015) / room, 60 / WIDTH)
    fresh = colors.prefill if first_new == 0 else colors.accent
    scales = ((colors.surface, colors.cached), (colors.surface, fresh))
    drawn = Drawn([], [], [])
    for h in range(n_head):
        band, at = divmod(h, across)
        x0, y0 = LEFT + at * block, band * band_h + head_room
        _names(sheet, x0, y0, cell_x, heads[h], n, room * cell_x, cell_x * WIDTH)
        if at == 0:
            _row_labels(sheet, y0 + edges, n_prompt, first_new, words, fresh)
        _block(sheet, rows, h, n_prompt, first_new, (x0, y0 + edges, cell_x), scales, drawn)
        _contexts(sheet, rows, h, first_new, x0 + n * cell_x + 0.008, y0 + edges, fresh, h == pointed)
    if drawn.holes:
        sheet.path("".join(drawn.holes), colors.hole)
    draw(sheet, drawn.old, scales[0], 0, 1, lines=cell_h >= 12)
    draw(sheet, drawn.new, scales[1], 0, 1, lines=cell_h >= 12)
    _next_word(sheet, rows, words, vocabulary, probs, chosen)
    _legend(sheet, first_new, fresh)
    return sheet.figure(max(bands * band_h + 4, 290), min_width=MIN_WIDTH)


def _names(sheet: Sheet, x0, y0, cell_x, name, n, width, cell_w) -> None:
    """The head's name and the positions above its columns."""
    sheet.write(x0, y0 - 25, f"<b>{short(name, max(width, 0.1) * WIDTH, 14)}</b>", 14, anchor="middle right")
    if cell_w >= 15:
        for j in range(n):
            sheet.write(x0 + (j + 0.5) * cell_x, y0 - 9, str(j + 1), 12, sheet.colors.muted)


def _row_labels(sheet: Sheet, y, n_prompt, first_new, words, fresh) -> None:
    """Position and word of each row, and a bar for each pass: one for the whole prompt, one for every decoded row."""
    colors, n = sheet.colors, len(words)
    sheet.bar(LEFT - 0.011, y[0] + 1, LEFT - 0.005, y[n_prompt] - 1, colors.prefill)
    passes = ((y[i] + 1, y[i + 1] - min(1, (y[i + 1] - y[i]) / 4)) for i in range(n_prompt, n))
    if n > n_prompt:
        sheet.path("".join(rectangle(LEFT - 0.011, top, LEFT - 0.005, bottom) for top, bottom in passes), colors.decode)
    for i in range(n):
        new, size = i >= first_new, min(14.0, 0.78 * (y[i + 1] - y[i]))
        if size < LEAST and i < n - 1:
            continue
        text = short(f"{i + 1} {words[i]}", (LEFT - 0.02) * WIDTH, 14)
        place = (LEFT - 0.018, (y[i] + y[i + 1]) / 2, f"<b>{text}</b>" if new else text)
        sheet.write(*place, max(size, LEAST), fresh if new else colors.muted, "middle left")


def _block(sheet: Sheet, rows: Rows, h, n_prompt, first_new, place, scales, drawn: Drawn) -> None:
    """One head's weights: old rows in grey, new ones in colour, holes where the prompt's mask hides a later token."""
    x0, y, cell_x = place
    weights = rows.weights[h]
    n, gap = len(weights), 0.5 if y[1] - y[0] >= LEAST else 0
    drawn.holes.extend(
        rectangle(x0 + j * cell_x, y[i] + gap, x0 + n_prompt * cell_x, y[i + 1] - gap)
        for i in range(n_prompt)
        for j in np.flatnonzero(rows.hidden[h, i])[:1]
    )
    x = x0 + np.arange(n + 1) * cell_x
    for start, stop, scale, pieces in ((0, first_new, scales[0], drawn.old), (first_new, n, scales[1], drawn.new)):
        if stop > start:
            shown = np.where(rows.hidden[h, start:stop], np.nan, weights[start:stop])
            pieces.append((shown, x, y[start : stop + 1]))
            _numbers(sheet, shown, rows.empty[h, start:stop], x, y[start : stop + 1], scale)
    if first_new:
        sheet.frame(x0, y[first_new], x[-1], y[n], scales[1][1], 1.5)


def _numbers(sheet: Sheet, shown, empty, x, y, scale) -> None:
    """The weight in each cell where it can be read; "none" where the row gives no weight at all."""
    width, height = (x[1] - x[0]) * WIDTH, y[1] - y[0]
    size = in_cell(0, width, height)[1]
    if size < LEAST:
        return
    inks = text_colors(scale, np.clip(np.nan_to_num(shown), 0, 1))
    across, down = np.meshgrid((x[:-1] + x[1:]) / 2, (y[:-1] + y[1:]) / 2)
    seen = ~np.isnan(shown)
    told, nothing = seen & ~empty[:, None], seen & empty[:, None] & (np.arange(shown.shape[1]) == 0)
    texts = [in_cell(weight, width, height)[0] for weight in shown[told].tolist()]
    sheet.write_all(across[told], down[told], texts, size, inks[told])
    texts = ["none" if width >= 25 else "–"] * int(nothing.sum())
    sheet.write_all(across[nothing], down[nothing], texts, LEAST, inks[nothing])


def _contexts(sheet: Sheet, rows: Rows, h, first_new, x, y, fresh, pointed) -> None:
    """The context that a row gives, at its end; an arrow at the one that was asked for."""
    colors, n = sheet.colors, len(rows.context[h])
    sheet.write(x, y[0] - 9, "context", 12, colors.muted, "middle right")
    for i, value in enumerate(rows.context[h]):
        new, size = i >= first_new, min(15.0, 0.75 * (y[i + 1] - y[i]))
        if size < LEAST and i < n - 1:
            continue
        text = "none" if rows.empty[h, i] else number(value)
        text = f"<b>{text}{' ◀' if pointed and i == n - 1 else ''}</b>" if new else text
        sheet.write(x, (y[i] + y[i + 1]) / 2, text, max(size, LEAST), fresh if new else colors.muted, "middle right")


def _next_word(sheet: Sheet, rows: Rows, words, vocabulary, probs, chosen) -> None:
    """Logits and chances after the last row, the word that the answer goes on with in the accent colour."""
    colors = sheet.colors
    left, top = LEFT + BLOCKS + 0.012, 12
    sheet.write(left, top, f"<b>next word</b> after “{short(words[-1], 90, 14)}”", 14, anchor="middle right")
    if probs is None:
        sheet.write(left, top + 30, "not a number: a NaN row", 13, colors.ink, "middle right")
        sheet.write(left, top + 48, "spoils every logit", 13, colors.ink, "middle right")
        return
    step = min(44.0, 190 / len(vocabulary))
    size = min(15.0, max(LEAST, step * 0.66))
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
        y = 218 + 21 * k
        sheet.bar(left, y - 7, left + 0.006 if k >= len(entries) - 2 else left + 0.015, y + 7, color)
        sheet.write(left + 0.022, y, text, 13, colors.ink, "middle right")
