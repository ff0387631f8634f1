"""An answer without a cache, a line a pass: the rows that it computes, brown where they had been computed before."""

from collections.abc import Sequence

from pages.parts.drawing.row_strips import Segment, legend, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short

LEFT, RIGHT, TOP = 0.085, 0.86, 74.0  # shares of the width: the passes' names, where the cells end; pixels above the cells
NAMES = {"prefill": "computed for the first time", "new": "the new word's row", "again": "computed again"}


def stairs(sheet: Sheet, names: Sequence[str], written: Sequence[str], n_prompt: int) -> SheetFigure:
    """names: of all columns; written: the word that each pass gives."""
    n_pass, n = len(written), len(names)
    left, right = (0.07, 0.86) if sheet.on_phone() else (LEFT, RIGHT)
    row, wide = sheet.row(238, n_pass, 24, 60), (right - left) / n
    rows: list[list[Segment]] = [[(0, n_prompt, "prefill")]]
    rows += [[(0, n_prompt + k - 1, "again"), (n_prompt + k - 1, n_prompt + k, "new")] for k in range(1, n_pass)]
    strips(sheet, left, TOP, right - left, row * n_pass, rows, n)
    for j, word in enumerate(names):
        ink = sheet.colors.decode if j >= n_prompt else sheet.colors.ink
        sheet.slanted(left + (j + 0.3) * wide, TOP - 5, short(word, 90, 14), 14, ink)
    for k in range(n_pass):
        y = TOP + (k + 0.5) * row
        sheet.write(left - 0.01, y, str(k + 1) if sheet.phone else f"pass {k + 1}", 15, sheet.colors.muted, "middle left")
        end = left + (n_prompt + k) * wide
        comes = bold(short(written[k], 44, 14)) if sheet.phone else f"→ {bold(short(written[k], 110, 16))}"
        sheet.write(end + 6 / sheet.wide, y, comes, 14 if sheet.phone else 16, sheet.colors.decode, "middle right")
    bottom = TOP + n_pass * row + 20
    if not sheet.phone:
        legend(sheet, bottom, NAMES, LEFT)
        return sheet.figure(bottom + 16, min_width=760)
    for k, (kind, name) in enumerate(NAMES.items()):
        legend(sheet, bottom + 22 * k, {kind: name})
    return sheet.figure(bottom + 60)
