"""One head, one new query, four caches: the stale key, the recomputed one, the patched one, and the key that needs no patch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.broken_caches import StaleKey
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number

LEFT, CELLS, RIGHT = 0.22, 0.40, 0.655
VERSIONS = (
    ("cached", "<b>with the cache</b>", "an old key still says “I am the last”"),
    ("whole", "<b>recomputed</b>", "every key asked again"),
    ("patched", "<b>patched</b>", "an old row rewritten: not append-only"),
    ("principled", "<b>key = position</b>", "rule “self”: no key to correct"),
)


def stale_key(sheet: Sheet, found: StaleKey, words: Sequence[str], answered: bool = True) -> SheetFigure:
    """The new row's scores in each version with the context they give; below, what recomputing does to the old rows.

    words: (n,), the new token last. answered: whether the stale key is pointed at, and the two better versions are shown.
    """
    colors = sheet.colors
    h, n = found.head, len(words)
    width = min(CELLS / n, 0.085)
    x = LEFT + np.arange(n + 1) * width
    cell_h, step, top = 30.0, 36.0, 60.0
    size = min(15.0, width * WIDTH / (3.4 * LETTER))
    sheet.write(0, 12, f"<b>scores</b> of “{short(words[-1], 100, 14.5)}”, head {h + 1}", 14.5, anchor="middle right")
    sheet.write(RIGHT, 12, "<b>context</b>", 14.5, anchor="middle right")
    for j, word in enumerate(words):
        new = j == n - 1
        label = short(word, max(width * WIDTH, 8), 12.5) if width * WIDTH >= 30 else str(j + 1)
        sheet.write(
            (x[j] + x[j + 1]) / 2, top - 13, f"<b>{label}</b>" if new else label, 12.5, colors.accent if new else colors.muted
        )
        if width * WIDTH >= 30:
            sheet.write((x[j] + x[j + 1]) / 2, top - 30, str(j + 1), 12, colors.muted)
    scores = np.stack([getattr(found, version).scores[h, -1] for version, *_ in VERSIONS])
    bound = max(1.0, float(np.abs(scores).max()))
    inks = text_colors(colors.scores, np.clip((scores + bound) / (2 * bound), 0, 1))
    right = found.whole.context[h, -1, 0]
    versions = VERSIONS if answered else VERSIONS[:2]
    for i, (version, name, why) in enumerate(versions):
        y = top + i * step
        layer = getattr(found, version)
        if not (answered or i):
            sheet.bar(x[0], y, x[-1], y + cell_h, colors.hole)
            sheet.write((x[0] + x[-1]) / 2, y + cell_h / 2, "?", 20)
        else:
            sheet.heatmap(Grid(x, np.array([y, y + cell_h])), scores[i : i + 1], Scale(colors.scores, -bound, bound))
        sheet.write(LEFT - 0.012, y + cell_h / 2, name, 15, anchor="middle left")
        if size >= 12 and (answered or i):
            for j in range(n):
                sheet.write((x[j] + x[j + 1]) / 2, y + cell_h / 2, number(scores[i, j], sign=True), size, str(inks[i, j]))
        context = layer.context[h, -1, 0]
        wrong = abs(context - right) > 1e-6
        color = colors.ink
        sheet.write(RIGHT, y + cell_h / 2, f"<b>{number(context)}</b>{' ✗' if wrong else ''}", 19, color, "middle right")
        if answered:
            sheet.write(RIGHT + 0.085, y + cell_h / 2, why, 13.5, color if wrong else colors.muted, "middle right")
    if not answered:
        return sheet.figure(top + 2 * step, min_width=640)
    at = n - 2
    for i in (0, 2):  # the stale key, and the one that was rewritten
        y = top + i * step
        sheet.frame(x[at], y, x[at + 1], y + cell_h, colors.ink if i == 0 else colors.wasted, 3.5)
    height = _old_rows(sheet, found, x, top + len(VERSIONS) * step + 34, cell_h, size)
    return sheet.figure(height, min_width=640)


def _old_rows(sheet: Sheet, found: StaleKey, x, top, cell_h, size) -> float:
    """The head's context at every position, before the new token and recomputed with it; returns the figure's height."""
    colors, h, n = sheet.colors, found.head, len(x) - 1
    before = np.append(found.before.context[h, :, 0], np.nan)
    after = found.whole.context[h, :, 0]
    sheet.write(0, top - 15, f"<b>contexts</b> of head {h + 1} with that key", 14.5, anchor="middle right")
    for i, (name, contexts) in enumerate((("before the new token", before), ("recomputed with it", after))):
        y = top + i * (cell_h + 4) + cell_h / 2
        sheet.write(LEFT - 0.012, y, name, 14, anchor="middle left")
        for j in range(n):
            if np.isnan(contexts[j]) and i == 0 and j == n - 1:
                continue
            moved = j < n - 1 and not np.isclose(before[j], after[j], atol=1e-6, equal_nan=True)
            text = number(contexts[j], 2 if size > 11 else 1)
            color = colors.ink
            sheet.write((x[j] + x[j + 1]) / 2, y, f"<b>{text}</b>" if moved else text, max(size, 12), color)
    moved = [j for j in range(n - 1) if not np.isclose(before[j], after[j], atol=1e-6, equal_nan=True)]
    text = f"position {moved[-1] + 1} moved: an old row did change" if moved else "here no old row moved"
    sheet.write(RIGHT, top + cell_h * 1.5 + 4, text, 14, colors.ink if moved else colors.muted, "middle right")
    return top + 2 * (cell_h + 4) + 6
