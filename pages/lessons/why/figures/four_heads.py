"""What the last word takes from which word in each head of a layer: a row a head, on a phone a column, and the word it takes most from."""

from collections.abc import Collection, Sequence

import numpy as np

from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short

TOP, FOOT = 62.0, 12.0  # pixels above the rows, and beneath them
LEFT, RIGHT, MOST = (
    0.085,
    0.83,
    0.85,
)  # shares of the width: where cells begin and end, where the word stands that is taken most from
PHONE_LEFT, PHONE_TOP, LINE = 0.2, 30.0, 20.0
ROOM = 216.0  # of all rows
SEEN = 0.05  # a share that is written
LARGE = 28.0


def four_heads(sheet: Sheet, words: Sequence[str], looks: np.ndarray, hidden: Collection[int], strong: str = "") -> SheetFigure:
    """words: (n,), the last of which looks. looks: (n_head, n) its weights. hidden: heads of which they are to be found. strong: the
    word that is sought, in the colour of what is found where it is taken most from."""
    if sheet.on_phone():
        return _narrow(sheet, words, looks, hidden, strong)
    colors, (n_head, n) = sheet.colors, looks.shape
    tall = sheet.row(ROOM, n_head, 20.0, 74.0)
    grid = Grid.of(LEFT, TOP, ((RIGHT - LEFT) / n, tall), (n_head, n))
    pixels = grid.wide * sheet.wide
    sheet.write(LEFT, 12, f"what “{short(words[-1], 120, 16)}” takes from each word", 16, anchor="middle right")
    sheet.write(MOST, TOP - 18, bold("most from"), 16, anchor="middle right")
    longest = max(ems(word) for word in words)
    size = max(12.0, min(16.0, (pixels - 2) / max(2.0, longest)))
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        last = j == n - 1
        sheet.write(x, TOP - 18, bold(short(word, pixels - 2, size), last), size, colors.prefill if last else colors.ink)
    _cells(sheet, grid, looks, hidden, min(17.0, (pixels - 3) / (LETTER * 4)))
    for h, y in enumerate(grid.down):
        sheet.write(LEFT - 0.012, y, f"head {h + 1}", 16, anchor="middle left")
        text, found = _most(words, looks[h], h in hidden)
        large = min(LARGE, 0.6 * tall)
        text = short(text, (1 - MOST) * sheet.wide, large)
        sheet.write(MOST, y, bold(text), large, colors.prefill if found == strong else colors.muted, "middle right")
    return sheet.figure(float(grid.y[-1]) + FOOT, min_width=760)


def _narrow(sheet: Sheet, words: Sequence[str], looks: np.ndarray, hidden: Collection[int], strong: str) -> SheetFigure:
    """The same for a phone: words beneath each other, a column a head."""
    colors, (n_head, n) = sheet.colors, looks.shape
    grid = Grid.of(PHONE_LEFT, PHONE_TOP, ((0.998 - PHONE_LEFT) / n_head, LINE), (n, n_head))
    for h, x in enumerate(grid.across):
        sheet.write(x, PHONE_TOP - 14, f"head {h + 1}", 14)
    for j, (y, word) in enumerate(zip(grid.down, words, strict=True)):
        ink = colors.prefill if j == n - 1 else colors.ink
        sheet.write(PHONE_LEFT - 0.02, y, bold(short(word, 62, 13.5), j == n - 1), 13.5, ink, "middle left")
    _cells(sheet, grid, looks, hidden, 13.0, upright=True)
    bottom = float(grid.y[-1])
    sheet.write(PHONE_LEFT - 0.02, bottom + 20, bold("most"), 14, anchor="middle left")
    for h, x in enumerate(grid.across):
        text, found = _most(words, looks[h], h in hidden)
        ink = colors.prefill if found == strong else colors.muted
        sheet.write(x, bottom + 20, bold(short(text, grid.wide * sheet.wide - 4, 18)), 18, ink)
    return sheet.figure(bottom + 40)


def _most(words: Sequence[str], looks: np.ndarray, hidden: bool) -> tuple[str, str]:
    """The word that a head takes most from, as it is written, and as it is; question marks as long as it is to be found."""
    word = words[int(looks.argmax())]
    return ("?", "?") if hidden else (word, word)


def _cells(sheet: Sheet, grid: Grid, looks: np.ndarray, hidden: Collection[int], size: float, upright: bool = False) -> None:
    """The weights in colour, in per cent where they are large enough; an outline where they are to be found."""
    shown = looks.astype(float).copy()
    shown[list(hidden)] = np.nan
    said = np.full(looks.shape, "", object)
    for h, j in np.argwhere(np.nan_to_num(shown) >= SEEN):
        said[h, j] = f"{looks[h, j]:.0%}"
    z, text = (shown.T, said.T) if upright else (shown, said)
    cells(sheet, grid, z, Scale(sheet.colors.weights), Texts(text, size) if size >= 11 else None)
    for h in range(len(looks)):
        box = (*grid.box(0, h)[:3], float(grid.y[-1])) if upright else grid.row(h)
        sheet.line(rectangle(*box), sheet.colors.bar, 1.2, "dot" if h in hidden else "")
        if h in hidden:
            sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, "?", 28)
