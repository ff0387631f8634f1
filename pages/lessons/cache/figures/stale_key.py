"""One head, one new query, four caches: the stale key, the recomputed one, the patched one, and the key that needs no patch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.broken_caches import StaleKey
from pages.parts.drawing.cells import Texts, cells, texts, waiting
from pages.parts.drawing.grid import Grid, diverging
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, short
from pages.parts.text.digits import context_text, side_by_side, told_apart
from pages.parts.text.format import number

LEFT, CELLS, RIGHT = 0.22, 0.40, 0.655
CELL, STEP, TOP = 30.0, 36.0, 60.0  # pixels: of a cell, from row to row, above the first
VERSIONS = (
    ("cached", "<b>with the cache</b>", "an old key still says “I am the last”"),
    ("whole", "<b>recomputed</b>", "every key asked again"),
    ("patched", "<b>patched</b>", "an old row rewritten: not append-only"),
    ("principled", "<b>key = position</b>", "rule “self”: no key to correct"),
)


def stale_key(sheet: Sheet, stale: StaleKey, words: Sequence[str], answered: bool = True) -> SheetFigure:
    """The new row's scores in each version with the context they give; below, what recomputing does to the old rows.

    words: (n,), the new token last. answered: whether the stale key is pointed at, and the two better versions are shown.
    """
    colors, h, n = sheet.colors, stale.head, len(words)
    grid = Grid.of(LEFT, TOP, (min(CELLS / n, 0.085), STEP), (len(VERSIONS), n))
    size = min(15.0, grid.wide * WIDTH / (3.4 * LETTER))
    _words(sheet, grid, words, h)
    scores = np.stack([getattr(stale, version).scores[h, -1] for version, *_ in VERSIONS])
    contexts, right = stale.contexts, stale.whole.context[h, -1, 0]
    said = side_by_side(contexts)
    for i, (_, name, why) in enumerate(VERSIONS if answered else VERSIONS[:2]):
        row = Grid(grid.x, grid.y[i] + np.array([0, CELL]))
        if answered or i:
            written = Texts(texts(scores[i : i + 1], sign=True), size) if size >= 12 else None
            cells(sheet, row, scores[i : i + 1], diverging(colors.scores, scores), written)
        else:
            waiting(sheet, row.edges, 20)
        y, wrong = row.down[0], abs(contexts[i] - right) > 1e-6
        sheet.write(LEFT - 0.012, y, name, 15, anchor="middle left")
        sheet.write(RIGHT, y, f"<b>{said[i]}</b>{' ✗' if wrong else ''}", 19, anchor="middle right")
        if answered:
            sheet.write(RIGHT + 0.085, y, why, 13.5, colors.ink if wrong else colors.muted, "middle right")
    if not answered:
        return sheet.figure(TOP + 2 * STEP, min_width=640)
    for i, color in ((0, colors.ink), (2, colors.wasted)):  # the stale key, and the one that was rewritten
        x0, y0, x1, _ = grid.box(i, n - 2)
        sheet.frame(x0, y0, x1, y0 + CELL, color, 3.5)
    return sheet.figure(_old_rows(sheet, stale, grid, float(grid.y[-1]) + 34, max(size, 12)), min_width=640)


def _words(sheet: Sheet, grid: Grid, words: Sequence[str], head: int) -> None:
    """Words and positions above the columns, the new one in the colour of "new"."""
    colors, pixels = sheet.colors, grid.wide * WIDTH
    sheet.write(0, 12, f"<b>scores</b> of “{short(words[-1], 100, 14.5)}”, head {head + 1}", 14.5, anchor="middle right")
    sheet.write(RIGHT, 12, "<b>context</b>", 14.5, anchor="middle right")
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        new, label = j == len(words) - 1, short(word, max(pixels, 8), 12.5) if pixels >= 30 else str(j + 1)
        sheet.write(x, TOP - 13, bold(label, new), 12.5, colors.accent if new else colors.muted)
        if pixels >= 30:
            sheet.write(x, TOP - 30, str(j + 1), 12, colors.muted)


def _old_rows(sheet: Sheet, stale: StaleKey, grid: Grid, top: float, size: float) -> float:
    """The head's context at every position, before the new token and recomputed with it; returns the figure's height."""
    h, n = stale.head, len(grid.across)
    before, after = stale.before.context[h, :, 0], stale.whole.context[h, :, 0]
    both = np.array([before, after[:-1]])
    moved = ~np.isclose(*both, atol=1e-6, equal_nan=True)
    sheet.write(0, top - 15, f"<b>contexts</b> of head {h + 1} with that key", 14.5, anchor="middle right")
    for i, (name, contexts) in enumerate((("before the new token", before), ("recomputed with it", after))):
        y = top + i * (CELL + 4) + CELL / 2
        sheet.write(LEFT - 0.012, y, name, 14, anchor="middle left")
        for j, context in enumerate(contexts):
            other = j < n - 1 and moved[j]
            text = number(context, 1) if size <= 12 else told_apart(*both[:, j])[i] if other else context_text(context)
            sheet.write(grid.across[j], y, bold(text, other), size)
    last = np.flatnonzero(moved)
    text = f"position {last[-1] + 1} moved: an old row did change" if last.size else "here no old row moved"
    color = sheet.colors.ink if last.size else sheet.colors.muted
    sheet.write(RIGHT, top + CELL * 1.5 + 4, text, 14, color, "middle right")
    return top + 2 * (CELL + 4) + 6
