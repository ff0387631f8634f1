"""One head of a trained model, enlarged: which earlier word each word looks at, the words written at both edges."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.cells import Texts, cells, selectable, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, bold_ems, ems, plain, short, type_size
from pages.parts.text.format import SEEN

LEFT, RIGHT = 0.17, 0.99
BESIDE = 540  # pixels that this figure usually gets: it stands beside the small maps
MOST_LABELS = 40  # of words at an edge
NUMBER, WORD = 22.0, 18.0  # type sizes, where there is room
MOST_HOVERS = 1300  # cells that say their words when hovered over; larger maps say the weight


def one_head(
    sheet: Sheet, weights: np.ndarray, hidden: np.ndarray, words: Sequence[str], title: str, selected: tuple[int, int]
) -> SheetFigure:
    """weights: (n, n) of one head; hidden: (n, n), True where the mask hides; words: (n,). selected: (query, key) to outline.

    Numbers stand in the cells where they can be read; the map of a long text is a picture without them.
    """
    colors, n, (query, key) = sheet.colors, len(words), selected
    pixels, left = (sheet.wide, LEFT + 0.03) if sheet.on_phone() else (BESIDE, LEFT)
    flat = 13 * max(map(bold_ems, words)) <= (RIGHT - left) / n * pixels
    top = 54.0 if flat else 90.0
    grid = Grid.of(left, top, ((RIGHT - left) / n, (268 - top) / n), (n, n))
    high = 1.0 if n <= MOST_LABELS else max(0.1, round(float(np.where(hidden, 0, weights)[n // 4 :].max()), 2))
    size = min(NUMBER, 0.55 * grid.tall, grid.wide * pixels / (4.6 * LETTER))
    shown, hover = np.where(hidden, np.nan, weights), True
    if n * n <= MOST_HOVERS:
        cut = [short(word, 160, 13) for word in words]
        numbers = np.where(hidden, 0.0, weights).tolist()
        hover = [[f"“{a}” → “{b}”: {w:.3f}" for b, w in zip(cut, row, strict=True)] for a, row in zip(cut, numbers, strict=True)]
    sheet.bar(*grid.edges, colors.hole)
    written = Texts(texts(weights, ~hidden & (weights >= SEEN)), size) if size >= 12 else None
    cells(sheet, grid, np.round(shown, 4), Scale(colors.weights, 0, high), written, hover, lines=grid.tall >= 9)
    _row_names(sheet, grid, words, query)
    _column_names(sheet, grid, words, key, flat)
    large = type_size(title, (0.72 if high < 1 else 0.98) * pixels, 24.0, 15.0)
    sheet.write(0, 12, bold(plain(title)), large, anchor="middle right")
    if high < 1:
        sheet.write(RIGHT, 11, f"darkest: {high:.2f} and more", 12.5, colors.muted, "middle left")
    sheet.frame(*grid.box(query, key), colors.ink, 2.5)
    return sheet.figure(272, min_width=380, grid=selectable(0, selected, "weight", words, words))


def _kept(n: int, every: int, strong: int) -> list[int]:
    """Which of n names are written: the strong one, and every so many of the others that stand clear of it."""
    return [i for i in range(n) if i == strong or (i % every == 0 and abs(i - strong) >= every)]


def _row_names(sheet: Sheet, grid: Grid, words: Sequence[str], query: int) -> None:
    """The words at the left, as many as have room."""
    n, pixels = len(words), sheet.wide if sheet.phone else BESIDE
    down = max(1, int(np.ceil(14 / grid.tall)))
    size = min(WORD, max(13.0, 0.8 * grid.tall * down))
    for i in _kept(n, down, query):
        fits = type_size(words[i], (grid.x[0] - 0.015) * pixels, size, 13.0)
        word = bold(short(words[i], (grid.x[0] - 0.015) * pixels, fits), i == query)
        sheet.write(grid.x[0] - 0.012, grid.down[i], word, fits, anchor="middle left")


def _column_names(sheet: Sheet, grid: Grid, words: Sequence[str], key: int, flat: bool) -> None:
    """The words above, as many as have room; slanted where they are longer than their columns."""
    pixels = sheet.wide if sheet.phone else BESIDE
    size = type_size(max(words, key=ems), 0.96 * grid.wide * pixels, WORD, 13.0)
    every = max(1, -(-len(words) // MOST_LABELS), int(np.ceil(13 / (grid.wide * pixels))))
    for i in _kept(len(words), every, key):
        word = bold(plain(words[i]) if flat else short(words[i], 78, 13), i == key)
        if flat:
            sheet.write(grid.across[i], grid.y[0] - 12, word, size)
        else:
            sheet.slanted(grid.across[i] - min(4 / pixels, grid.wide / 2), grid.y[0] - 3, word, 13, sheet.colors.ink)
