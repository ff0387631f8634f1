"""The growing map: every head's weights, old rows as they were computed and dimmed, the rows of this pass in the colour of "new".

The room for the rows to come is laid out from the start, so that a new row appears beneath the old ones and moves none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.rows import Rows
from pages.lessons.decode.figures.passes import LEAST, LEFT, MIN_WIDTH, PassCells, pass_bars
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.next_word import NextWord, next_word
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, capacity, short
from pages.parts.text.format import context_text

BLOCKS = 0.675  # share of the width: the heads' blocks; the next word takes the rest
HEIGHT, HEAD = 300, 37.0  # pixels of all heads, and above each
NEW_ROW = 21.0  # pixels at least: the newest row can be read however many lie above it
RESULT = LEFT + BLOCKS + 0.012


def growing_map(
    sheet: Sheet,
    rows: Rows,
    n_prompt: int,
    words: Sequence[str],
    heads: Sequence[str],
    next_: NextWord,
    pointed: int | None = None,
) -> SheetFigure:
    """Weights and contexts of all rows so far, and the chance of each next word.

    rows: what was computed, row by row; the last rows.n_new are new. words: (n,). pointed: the head whose newest context was
    asked for. A cell of the prompt's square that the mask hides is a hole; what did not exist when a row was computed stays blank.
    """
    colors, (n_head, n) = sheet.colors, rows.context.shape
    across, first_new = 1 if n_head == 1 else 2 if n_head <= 4 else 4, n - rows.n_new
    bands, room, context_w = -(-n_head // across), capacity(n, n_prompt), 0.07 if across < 4 else 0.05
    cell_h = float(np.clip((HEIGHT / bands - HEAD - NEW_ROW) / (room - 1), 1.6, 30))
    heights = np.full(n, cell_h)
    heights[first_new:] = cell_h if first_new == 0 else max(cell_h, NEW_ROW)
    edges, band_h = np.concatenate([[0], np.cumsum(heights)]), HEAD + (room - 1) * cell_h + max(cell_h, NEW_ROW)
    block = BLOCKS / across
    cell_x = min((block - context_w - 0.015) / room, 60 / WIDTH)
    fresh = colors.prefill if first_new == 0 else colors.accent
    drawn = PassCells()
    for h in range(n_head):
        band, at = divmod(h, across)
        grid = Grid(LEFT + at * block + np.arange(n + 1) * cell_x, band * band_h + HEAD + edges)
        _names(sheet, grid, heads[h], max(room * cell_x, 0.1) * WIDTH)
        if at == 0:
            pass_bars(sheet, grid.rows(0, n_prompt), (grid.rows(i, i + 1) for i in range(n_prompt, n)))
            _row_names(sheet, grid, words, first_new, fresh)
        drawn.hide(rows, h, grid.rows(0, n_prompt), n_prompt)
        if first_new:
            drawn.add(sheet, rows, h, 0, grid.rows(0, first_new), colors.cached)
        drawn.add(sheet, rows, h, first_new, grid.rows(first_new, n), fresh)
        if first_new:
            sheet.frame(*grid.rows(first_new, n).whole, fresh, 1.5)
        _contexts(sheet, rows, h, grid, fresh, h == pointed)
    drawn.draw(sheet, lines=cell_h >= LEAST)
    next_word(sheet, next_._replace(color=colors.accent), RESULT, min(44.0, 190 / len(next_.words)), top=12)
    _legend(sheet, first_new, fresh)
    return sheet.figure(max(bands * band_h + 4, 290), min_width=MIN_WIDTH)


def _names(sheet: Sheet, grid: Grid, name: str, pixels: float) -> None:
    """The head's name and the positions above its columns."""
    sheet.write(grid.x[0], grid.y[0] - 25, bold(short(name, pixels, 14)), 14, anchor="middle right")
    sheet.write(grid.x[-1] + 0.008, grid.y[0] - 9, "context", 12, sheet.colors.muted, "middle right")
    if grid.wide * WIDTH >= 15:
        sheet.write_all(grid.across, grid.y[0] - 9, map(str, range(1, len(grid.x))), 12, sheet.colors.muted)


def _lines(grid: Grid, share: float, most: float) -> list[tuple[int, float]]:
    """The rows that can be read, and always the last one, with their type sizes."""
    sizes = np.minimum(most, share * np.diff(grid.y)).tolist()
    return [(i, max(size, LEAST)) for i, size in enumerate(sizes) if size >= LEAST or i == len(sizes) - 1]


def _row_names(sheet: Sheet, grid: Grid, words: Sequence[str], first_new: int, fresh: str) -> None:
    """Position and word of each row."""
    for i, size in _lines(grid, 0.78, 14.0):
        text, new = short(f"{i + 1} {words[i]}", (LEFT - 0.02) * WIDTH, 14), i >= first_new
        sheet.write(LEFT - 0.018, grid.down[i], bold(text, new), size, fresh if new else sheet.colors.muted, "middle left")


def _contexts(sheet: Sheet, rows: Rows, h: int, grid: Grid, fresh: str, pointed: bool) -> None:
    """The context that a row gives, at its end; an arrow at the one that was asked for."""
    n = len(grid.down)
    for i, size in _lines(grid, 0.75, 15.0):
        new, text = i >= n - rows.n_new, "none" if rows.empty[h, i] else context_text(rows.context[h, i])
        text += " ◀" * (new and pointed and i == n - 1)
        ink = fresh if new else sheet.colors.muted
        sheet.write(grid.x[-1] + 0.008, grid.down[i], bold(text, new), size, ink, "middle right")


def _legend(sheet: Sheet, first_new: int, fresh: str) -> None:
    """What the colours of rows and bars mean."""
    colors = sheet.colors
    entries = [("one prefill pass", colors.prefill, 0.006), ("a decode pass for each row", colors.decode, 0.006)]
    if first_new:
        entries = [("the new row", fresh, 0.015), ("old rows, not computed again", colors.cached, 0.015), *entries]
    for k, (text, color, wide) in enumerate(entries):
        y = 218 + 21 * k
        sheet.bar(RESULT, y - 7, RESULT + wide, y + 7, color)
        sheet.write(RESULT + 0.022, y, text, 13, colors.ink, "middle right")
