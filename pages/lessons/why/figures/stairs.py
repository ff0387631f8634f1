"""An answer without a cache, a line a pass: the rows that it computes, brown where they had been computed before."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.drawing.row_strips import Segment, legend, strips
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short

LEFT, RIGHT, TOP = 0.085, 0.86, 74.0  # shares of the width: the passes' names, where the cells end; pixels above the cells
NAMES = {"prefill": "computed for the first time", "new": "the new word's row", "again": "computed again"}


def stairs(sheet: Sheet, names: Sequence[str], written: Sequence[str], n_prompt: int, shown: int) -> SheetFigure:
    """names: of all columns; written: the word that each pass gives. shown: how many passes are drawn, the others still to come."""
    n_pass, n = len(written), len(names)
    row, wide = sheet.row(238, n_pass, 24, 60), (RIGHT - LEFT) / n
    rows: list[list[Segment]] = [[(0, n_prompt, "prefill")]]
    rows += [[(0, n_prompt + k - 1, "again"), (n_prompt + k - 1, n_prompt + k, "new")] for k in range(1, shown)]
    rows += [[] for _ in range(n_pass - shown)]
    strips(sheet, LEFT, TOP, RIGHT - LEFT, row * n_pass, rows, n)
    for j, word in enumerate(names):
        ink = sheet.colors.decode if j >= n_prompt else sheet.colors.ink
        hidden = j >= n_prompt + shown - 1
        text = "?" if hidden else short(word, 90, 14)
        sheet.slanted(LEFT + (j + 0.3) * wide, TOP - 5, text, 14, ink)
    for k in range(n_pass):
        y = TOP + (k + 0.5) * row
        sheet.write(LEFT - 0.01, y, f"pass {k + 1}", 15, sheet.colors.muted, "middle left")
        end = LEFT + (n_prompt + k) * wide
        if k < shown:
            sheet.write(end + 8 / WIDTH, y, f"→ {bold(short(written[k], 110, 16))}", 16, sheet.colors.decode, "middle right")
        else:
            sheet.write((LEFT + end) / 2, y, "?", 20)
    bottom = TOP + n_pass * row + 20
    legend(sheet, bottom, NAMES, LEFT)
    return sheet.figure(bottom + 16, min_width=760)
