"""An answer without a cache, a line a pass: the words that it computes, brown where they had been computed before."""

from collections.abc import Sequence

from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import SIGNS, Segment, kind_colors, legend, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short

LEFT, RIGHT, TOP = 0.085, 0.86, 74.0  # shares of the width: the passes' names, where the cells end; pixels above the cells
NAMES = {"prefill": "computed for the first time", "new": "the new word, for the first time", "again": "computed again"}
LINE = 22.0  # pixels of a word on a phone


def stairs(sheet: Sheet, names: Sequence[str], written: Sequence[str], n_prompt: int) -> SheetFigure:
    """names: of all columns; written: the word that each pass gives."""
    if sheet.on_phone():
        return _turned(sheet, names, written, n_prompt)
    n_pass, n, (left, right) = len(written), len(names), (LEFT, RIGHT)
    row, wide = sheet.row(265, n_pass, 24, 60), (right - left) / n
    rows: list[list[Segment]] = [[(0, n_prompt, "prefill")]]
    rows += [[(0, n_prompt + k - 1, "again"), (n_prompt + k - 1, n_prompt + k, "new")] for k in range(1, n_pass)]
    strips(sheet, left, TOP, right - left, row * n_pass, rows, n)
    for j, word in enumerate(names):
        ink = sheet.colors.decode if j >= n_prompt else sheet.colors.ink
        sheet.slanted(left + (j + 0.3) * wide, TOP - 5, short(word, 90, 14), 14, ink)
    for k in range(n_pass):
        y = TOP + (k + 0.5) * row
        sheet.write(left - 0.01, y, f"pass {k + 1}", 15, sheet.colors.muted, "middle left")
        end = left + (n_prompt + k) * wide
        sheet.write(end + 6 / sheet.wide, y, f"→ {bold(short(written[k], 110, 16))}", 16, sheet.colors.decode, "middle right")
    bottom = TOP + n_pass * row + 20
    legend(sheet, bottom, NAMES, LEFT)
    return sheet.figure(bottom + 16, min_width=760)


def _turned(sheet: Sheet, names: Sequence[str], written: Sequence[str], n_prompt: int) -> SheetFigure:
    """The same for a phone: the words beneath each other, the passes side by side, and beneath each the word that it gives."""
    colors, n_pass, (left, top) = sheet.colors, len(written), (0.22, 26.0)
    wide, fills = (1 - left) / n_pass, kind_colors(sheet.colors)
    for j, word in enumerate(names):
        ink = colors.decode if j >= n_prompt else colors.ink
        sheet.write(left - 0.02, top + (j + 0.5) * LINE, short(word, 70, 14), 14, ink, "middle left")
    for k in range(n_pass):
        x, newest = left + k * wide, n_prompt + k - 1
        sheet.write(x + wide / 2, 12, f"pass {k + 1}", 13, colors.muted)
        for j in range(newest + 1):
            kind, y = "prefill" if not k else "new" if j == newest else "again", top + j * LINE
            sheet.bar(x + 0.003, y + 1, x + wide - 0.003, y + LINE - 1, fills[kind])
            sheet.write(x + wide / 2, y + LINE / 2, SIGNS[kind], 13, ink_on(fills[kind]))
        sheet.write(x + wide / 2, top + (newest + 1.5) * LINE, bold(short(written[k], wide * sheet.wide, 14)), 14, colors.decode)
    bottom = top + (len(names) + 2) * LINE
    for k, (kind, name) in enumerate(NAMES.items()):
        legend(sheet, bottom + 22 * k, {kind: name})
    return sheet.figure(bottom + 60)
