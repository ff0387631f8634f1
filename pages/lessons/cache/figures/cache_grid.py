"""The cache at one step: the keys and values that are kept, what the newest query does with them once, and the work saved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.palette import ink_on, text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, capacity, plain, rectangle, short
from pages.parts.text.format import context_text, number

KEYS, VALUES, STATE, SCORES, WEIGHTS, AGAIN = 0.115, 0.435, 0.5, 0.575, 0.64, 0.78  # left edges, as shares of the width
COLUMN = 0.056  # width of a column that holds one number
TOP, HEIGHT = 104.0, 168.0
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more
TINT = 0.16  # how much of its row's colour a key's 0 has


def cache_grid(
    sheet: Sheet,
    layer: Attention,
    head: int,
    n_prompt: int,
    words: Sequence[str],
    name: str,
    computed: tuple[int, int],
    so_far: tuple[int, int],
    answered: bool = True,
    pointed: bool = False,
) -> SheetFigure:
    """Keys and values of all n tokens, the last query's scores and weights over them, and what a run without a cache repeats.

    layer: the attention of this step's pass; its last rows are new. head: whose query is shown, called `name`. words: (n,).
    computed, so_far: key/value rows of this step and of all steps, (with cache, without).
    answered: whether it shows what is kept; else only what the newest token has. pointed: whether the rows held were asked for.
    """
    colors = sheet.colors
    kv_head, n_new = layer.kv_head(head), layer.q.shape[1]
    k, v = layer.k[kv_head], layer.v[kv_head, :, 0]
    n = len(k)
    first_new, room = n - n_new, capacity(n, n_prompt)
    cell_h = float(np.clip(HEIGHT / room, 4.4, 34))
    rows = TOP + (np.arange(n) + 0.5) * cell_h
    size = max(min(15.0, 0.68 * cell_h), LEAST * (cell_h >= LINE))
    every = int(np.ceil(LINE / cell_h))
    bottom = TOP + room * cell_h
    _headings(sheet, layer, head, room, words[-1], name, answered)
    fresh = colors.prefill if first_new == 0 else colors.accent
    shown = ((0, first_new, colors.cached), (first_new, n, fresh)) if answered else ((n - 1, n, fresh),)
    for start, stop, color in shown:
        if stop > start:
            _kept(sheet, k, v, start, stop, room, cell_h, size, color)
    _once(sheet, layer, head, rows, cell_h, size)
    if answered:
        _again(sheet, n, first_new, cell_h, size, fresh)
        sheet.frame(KEYS - 0.003, TOP, VALUES + COLUMN + 0.003, TOP + n * cell_h, colors.ink, 2)
    elif n > 1:
        sheet.bar(KEYS, TOP, VALUES + COLUMN, TOP + (n - 1) * cell_h, colors.hole)
        sheet.write((KEYS + VALUES + COLUMN) / 2, TOP + (n - 1) * cell_h / 2, "?", 26)
    for i in (*range(0, n - every, every), n - 1):
        new = i >= (first_new if answered else n - 1)
        label = short(f"{i + 1} {words[i]}", (KEYS - 0.015) * WIDTH, max(size, 12))
        color = fresh if new else colors.muted
        sheet.write(KEYS - 0.01, rows[i], f"<b>{label}</b>" if new else label, max(size, 12), color, "middle left")
        if answered:
            state = "<b>new</b>" if new else "cached"
            sheet.write(STATE, rows[i], state, min(13.0, max(size, 12)), color, "middle right")
    line = bottom + 18
    if not answered:
        return sheet.figure(line + 36, min_width=640)
    for x, column in ((KEYS, 0), (AGAIN, 1)):
        sheet.write(x, line, f"computed now: <b>{computed[column]}</b>", 15, anchor="middle right")
        sheet.write(
            x,
            line + 22,
            f"in all steps: <b>{so_far[column]}{' ◀' if pointed and x == KEYS else ''}</b>",
            15,
            anchor="middle right",
        )
    value = "none" if layer.empty[head, -1] else context_text(layer.context[head, -1, 0])
    sheet.write(SCORES, line, "weights × V, added up:", 13.5, colors.muted, "middle right")
    sheet.write(SCORES, line + 22, f"context <b>{value}</b>", 15, anchor="middle right")
    return sheet.figure(line + 36, min_width=640)


def _headings(sheet: Sheet, layer: Attention, head: int, room: int, word: str, name: str, answered: bool) -> None:
    """What is kept, what is not; and the query, laid over the keys that it meets."""
    colors = sheet.colors
    headings = (KEYS, "<b>kept</b>: the cache"), (SCORES, "<b>used once</b>, not kept"), (AGAIN, "<b>without a cache</b>")
    for x, text in headings if answered else ():
        sheet.write(x, TOP - 36, text, 14.5, anchor="middle right")
    columns = min(room, layer.k.shape[2])
    width = (VALUES - 0.012 - KEYS) / columns
    q = layer.q[head, -1, :columns]
    bound = max(float(np.abs(q).max()), 1e-9)
    sheet.heatmap(
        Grid(KEYS + np.arange(columns + 1) * width, np.array([22.0, 42.0])), q[None], Scale(colors.scores, -bound, bound)
    )
    sheet.write(KEYS - 0.01, 32, "<b>query</b>", 13.5, colors.query, "middle left")
    more = f", first {columns} of {layer.k.shape[2]} entries" if columns < layer.k.shape[2] else ""
    asks = f"of “{short(word, 90, 13)}” in head {plain(name)}{': <b>used once</b>, not kept' if answered else ''}"
    sheet.write(KEYS, 9, asks, 13, colors.query, "middle right")
    sheet.write(KEYS, TOP - 13, f"<b>key</b>{more}", 13.5, colors.key, "middle right")
    sheet.write(VALUES, TOP - 13, "<b>value</b>", 13.5, colors.value, "middle right")
    sheet.write(SCORES, TOP - 13, "score", 13.5, anchor="middle right")
    sheet.write(WEIGHTS, TOP - 13, "weight", 13.5, anchor="middle right")
    if answered:
        sheet.write(AGAIN, TOP - 13, "<b>key</b> and <b>value</b>", 13.5, anchor="middle right")
    sheet.bar(KEYS, TOP - 4, VALUES - 0.012, TOP - 1.5, colors.key)
    sheet.bar(VALUES, TOP - 4, VALUES + COLUMN, TOP - 1.5, colors.value)


def _kept(sheet: Sheet, k, v, start, stop, room, cell_h, size, color) -> None:
    """Rows of the cache in one state: the keys' first entries and the values."""
    columns = min(room, k.shape[1])
    low = -1.0 if k.min() < 0 else 0.0
    shown = (k[start:stop, :columns] - low) / (1 - low)
    scale = (sheet.colors.surface, color)
    edges = TOP + np.arange(start, stop + 1) * cell_h
    width = (VALUES - 0.012 - KEYS) / columns
    tinted = TINT + (1 - TINT) * shown
    keys = (Grid(KEYS + np.arange(columns + 1) * width, edges), tinted)
    values = (Grid(np.array([VALUES, VALUES + COLUMN]), edges), np.ones((stop - start, 1)))
    sheet.heatmap(*mosaic([keys, values]), Scale(scale), lines=cell_h >= 12)
    middles = (edges[:-1] + edges[1:]) / 2
    if size >= LEAST and width * WIDTH >= 2.4 * LETTER * size:
        inks = text_colors(scale, tinted)
        for i, j in np.ndindex(*shown.shape):
            sheet.write(KEYS + (j + 0.5) * width, middles[i], number(k[start + i, j]), size, str(inks[i, j]))
    ink = ink_on(color)
    for i, y in enumerate(middles if size >= LEAST else ()):
        sheet.write(VALUES + COLUMN / 2, y, number(v[start + i]), size, ink)


def _once(sheet: Sheet, layer: Attention, head: int, rows, cell_h, size) -> None:
    """The last query's scores and weights, each beside the key that it met."""
    colors = sheet.colors
    scores, mask, weights = layer.scores[head, -1], layer.mask[head, -1], layer.weights[head, -1]
    edges = np.append(rows - cell_h / 2, rows[-1] + cell_h / 2)
    bound = max(1.0, float(np.abs(scores).max()))
    for left, cells, scale, low, high in (
        (SCORES, scores, colors.scores, -bound, bound),
        (WEIGHTS, np.where(mask, weights, np.nan), colors.weights, 0.0, 1.0),
    ):
        sheet.heatmap(Grid(np.array([left, left + COLUMN]), edges), cells[:, None], Scale(scale, low, high), lines=cell_h >= 12)
        inks = text_colors(scale, np.clip((np.nan_to_num(cells) - low) / (high - low), 0, 1))
        for i, y in enumerate(rows if size >= LEAST else ()):
            if not np.isnan(cells[i]):
                sheet.write(left + COLUMN / 2, y, number(cells[i], sign=low < 0), size, str(inks[i]))


def _again(sheet: Sheet, n, first_new, cell_h, size, fresh) -> None:
    """What a run without a cache computes in this step: the new rows, and all old ones over again."""
    colors, width = sheet.colors, 0.17
    for start, stop, color, text in ((0, first_new, colors.wasted, "computed again"), (first_new, n, fresh, "new")):
        if stop == start:
            continue
        gap = 0.5 if cell_h >= 9 else 0
        cells = [
            rectangle(AGAIN, TOP + i * cell_h + gap, AGAIN + width, TOP + (i + 1) * cell_h - gap) for i in range(start, stop)
        ]
        sheet.path("".join(cells), color)
        ink = ink_on(color)
        for i in range(start, stop) if size >= LEAST else ():
            sheet.write(AGAIN + width / 2, TOP + (i + 0.5) * cell_h, text, min(size, 13.5), ink)
