"""The cache at one step: the keys and values that are kept, what the newest query does with them once, and the work saved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.cells import Texts, cells, texts, waiting
from pages.parts.drawing.grid import Grid, Scale, diverging
from pages.parts.drawing.machine_rows import key_cells, value_cells
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, capacity, plain, short
from pages.parts.text.digits import context_text

KEYS, VALUES, STATE, SCORES, WEIGHTS, AGAIN = 0.115, 0.435, 0.5, 0.575, 0.64, 0.78  # left edges, as shares of the width
KEYS_END = VALUES - 0.012
COLUMN = 0.056  # width of a column that holds one number
TOP, HEIGHT = 104.0, 187.0
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more


class CacheStep(NamedTuple):
    """What is shown. layer: the attention of this step's pass, its last rows are new; head: whose query, called `name`.

    words: (n,). computed, so_far: key/value rows of this step and of all steps, (with cache,
    without).
    """

    layer: Attention
    head: int
    name: str
    words: tuple[str, ...]
    n_prompt: int
    computed: tuple[int, int]
    so_far: tuple[int, int]

    @property
    def first_new(self) -> int:
        """The first row that this pass computed."""
        return len(self.words) - self.layer.q.shape[1]

    @property
    def columns(self) -> int:
        """How many of a key's entries are shown."""
        return min(capacity(len(self.words), self.n_prompt), self.layer.k.shape[2])


def cache_grid(sheet: Sheet, step: CacheStep, answered: bool = True, pointed: bool = False) -> SheetFigure:
    """Keys and values of all n tokens, the last query's scores and weights over them, and what a run without a cache repeats.

    answered: whether it shows what is kept; else only what the newest token has. pointed: whether the rows held were asked for.
    """
    colors, n, room = sheet.colors, len(step.words), capacity(len(step.words), step.n_prompt)
    grid = Grid.of(SCORES, TOP, (COLUMN, sheet.row(HEIGHT, room, 4.4, 34)), (n, 1))
    size = max(min(15.0, 0.68 * grid.tall), LEAST * (grid.tall >= LINE))
    fresh = colors.prefill if step.first_new == 0 else colors.accent
    _query(sheet, step, answered)
    first = 0 if answered else n - 1
    _kept(sheet, step, first, grid.rows(first, n), size)
    _once(sheet, step, grid, size)
    if answered:
        _again(sheet, step, grid, size, fresh)
        sheet.frame(KEYS - 0.003, TOP, VALUES + COLUMN + 0.003, grid.y[-1], colors.ink, 2)
        sheet.frame(KEYS - 0.003, grid.y[step.first_new], VALUES + COLUMN + 0.003, grid.y[-1], fresh, 3)
    elif n > 1:
        waiting(sheet, (KEYS, TOP, VALUES + COLUMN, grid.y[-2]))
    _names(sheet, step, grid, size, fresh, answered)
    line = TOP + room * grid.tall + 18
    if answered:
        _sums(sheet, step, line, pointed)
    return sheet.figure(line + 36, min_width=640)


def _query(sheet: Sheet, step: CacheStep, answered: bool) -> None:
    """What is kept, what is not; and the query, laid over the keys that it meets."""
    colors, (layer, head) = sheet.colors, step[:2]
    headings = (KEYS, "<b>kept</b>: the cache"), (SCORES, "<b>used once</b>, not kept"), (AGAIN, "<b>without a cache</b>")
    for x, text in headings if answered else ():
        sheet.write(x, TOP - 36, text, 14.5, anchor="middle right")
    q = np.maximum(layer.q[head, -1:, : step.columns], 0)
    tints = Scale((faded(colors, colors.query, 0.15), colors.query))
    sheet.heatmap(Grid(_key_edges(step), np.array([22.0, 42.0])), q / (q.max() or 1), tints)
    sheet.write(KEYS - 0.01, 32, "<b>query</b>", 13.5, colors.query, "middle left")
    more = f", first {step.columns} of {layer.k.shape[2]} entries" if step.columns < layer.k.shape[2] else ""
    asks = f"of “{short(step.words[-1], 90, 13)}” in head {plain(step.name)}{': <b>used once</b>, not kept' if answered else ''}"
    sheet.write(KEYS, 9, asks, 13, colors.query, "middle right")
    titles = ((KEYS, f"<b>key</b>{more}", colors.key), (VALUES, "<b>value</b>", colors.value), (SCORES, "score", colors.ink),
              (WEIGHTS, "weight", colors.ink), (AGAIN, "<b>key</b> and <b>value</b>", colors.ink))  # fmt: skip
    for x, text, color in titles if answered else titles[:-1]:
        sheet.write(x, TOP - 13, text, 13.5, color, "middle right")
    sheet.bar(KEYS, TOP - 4, KEYS_END, TOP - 1.5, colors.key)
    sheet.bar(VALUES, TOP - 4, VALUES + COLUMN, TOP - 1.5, colors.value)


def _key_edges(step: CacheStep) -> np.ndarray:
    return np.linspace(KEYS, KEYS_END, step.columns + 1)


def _kept(sheet: Sheet, step: CacheStep, first: int, rows: Grid, size: float) -> None:
    """Rows of the cache from `first` on: the keys' first entries and the values."""
    kv_head, colors = step.layer.kv_head(step.head), sheet.colors
    k, v = step.layer.k[kv_head][:, : step.columns], step.layer.v[kv_head, :, 0]
    (lit, key_scale), (sizes, value_scale) = key_cells(colors, k), value_cells(colors, v)
    keys, values = Grid(_key_edges(step), rows.y), Grid(np.array([VALUES, VALUES + COLUMN]), rows.y)
    room = size >= LEAST and keys.wide * WIDTH >= 2.4 * LETTER * size
    written = Texts(texts(k[first:]), size) if room else None
    cells(sheet, keys, lit[first:], key_scale, written, lines=rows.tall >= 12)
    numbers = Texts(texts(v[first:, None]), size) if size >= LEAST else None
    cells(sheet, values, sizes[first:, None], value_scale, numbers, lines=rows.tall >= 12)


def _once(sheet: Sheet, step: CacheStep, rows: Grid, size: float) -> None:
    """The last query's scores and weights, each beside the key that it met."""
    (layer, head), colors = step[:2], sheet.colors
    scores, weights = layer.scores[head, -1][:, None], np.where(layer.mask[head, -1], layer.weights[head, -1], np.nan)[:, None]
    for left, z, scale in ((SCORES, scores, diverging(colors.scores, scores)), (WEIGHTS, weights, Scale(colors.weights))):
        written = Texts(texts(z, sign=scale.low < 0), size) if size >= LEAST else None
        cells(sheet, Grid(np.array([left, left + COLUMN]), rows.y), z, scale, written, lines=rows.tall >= 12)


def _again(sheet: Sheet, step: CacheStep, rows: Grid, size: float, fresh: str) -> None:
    """What a run without a cache computes in this step: the new rows, and all old ones over again."""
    n, x0, x1, gap = len(step.words), AGAIN, AGAIN + 0.17, 0.5 if rows.tall >= 9 else 0
    for start, stop, color, text in (
        (0, step.first_new, sheet.colors.wasted, "computed again"), (step.first_new, n, fresh, "new"),
    ):  # fmt: skip
        sheet.bars(((x0, rows.y[i] + gap, x1, rows.y[i + 1] - gap) for i in range(start, stop)), color)
        if size >= LEAST:
            sheet.write_all((x0 + x1) / 2, rows.down[start:stop], [text] * (stop - start), min(size, 13.5), ink_on(color))


def _names(sheet: Sheet, step: CacheStep, rows: Grid, size: float, fresh: str, answered: bool) -> None:
    """Each row's position and word, and whether it is new; of low rows every second or more."""
    n, every, size = len(step.words), int(np.ceil(LINE / rows.tall)), max(size, LEAST)
    for i in (*range(0, n - every, every), n - 1):
        new = i >= (step.first_new if answered else n - 1)
        label, color = short(f"{i + 1} {step.words[i]}", (KEYS - 0.015) * WIDTH, size), fresh if new else sheet.colors.muted
        sheet.write(KEYS - 0.01, rows.down[i], bold(label, new), size, color, "middle left")
        if answered:
            sheet.write(STATE, rows.down[i], "<b>new</b>" if new else "cached", min(13.0, size), color, "middle right")


def _sums(sheet: Sheet, step: CacheStep, y: float, pointed: bool) -> None:
    """How many rows were computed, with a cache and without, and the context that came of them."""
    for x, now, so_far, asked in zip((KEYS, AGAIN), step.computed, step.so_far, (pointed, False), strict=True):
        sheet.write(x, y, f"computed now: <b>{now}</b>", 15, anchor="middle right")
        sheet.write(x, y + 22, f"in all steps: <b>{so_far}{' ◀' * asked}</b>", 15, anchor="middle right")
    value = "none" if step.layer.empty[step.head, -1] else context_text(step.layer.context[step.head, -1, 0])
    sheet.write(SCORES, y, "weights × V, added up:", 13.5, sheet.colors.muted, "middle right")
    sheet.write(SCORES, y + 22, f"context <b>{value}</b>", 15, anchor="middle right")
