"""Several caches of one text beneath each other: which tokens each has kept, with their weights, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import Texts, cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold

NAME, TOP = 0.195, 60.0
GAP = 0.012


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there; facts: what
    stands in the columns at the right, the last two what it holds and the result; held: of what the largest of them holds; changed:
    whether the result is another than that of the whole cache."""

    name: str
    weights: np.ndarray
    facts: tuple[str, ...]
    changed: bool = False
    held: float = 0.0


def kept_rows(
    sheet: Sheet,
    rows: Sequence[KeptRow],
    words: Sequence[str],
    title: str,
    heads: Sequence[tuple[str, float]],
    row_height: float = 40.0,
) -> SheetFigure:
    """words: the text's tokens, the newest last. heads: of each column at the right its name and its share of the width.

    The last column is the result, in bold; a changed one carries a sign.
    """
    right = 1 - sum(share for _, share in heads) - GAP
    grid = Grid(np.linspace(NAME, right, len(words) + 1), TOP + np.arange(len(rows) + 1) * row_height)
    column_names(sheet, grid, TOP - 16, words, 12.5, newest=True)
    sheet.write(0, 12, title, 14, sheet.colors.muted, "middle right")
    for r, row in enumerate(rows):
        _strip(sheet, row, Grid(grid.x, grid.y[r : r + 2] + np.array([3, -3])))
    at = right + GAP
    for column, (name, share) in enumerate(heads):
        at += share
        sheet.write(at, TOP - 16, bold(name), 13.5, sheet.colors.muted, "middle left")
        for y, row in zip(grid.down, rows, strict=True):
            fact, last = row.facts[column], column == len(heads) - 1
            if last:
                text = f"{fact}{' ≠' * row.changed}"
                size = max(13.0, min(20.0, (share * WIDTH - 8) / (LETTER * max(1, len(text)))))
                color = sheet.colors.accent if row.changed else sheet.colors.ink
                sheet.write(at, y, bold(text), size, color, "middle left")
                continue
            if row.held and column == len(heads) - 2:
                box = (at - share + 0.02, y + 9, at, y + 14)
                sheet.share_bar(box, row.held, sheet.colors.cached)
                y -= 4
            size = 14.5 if len(fact) * 14.5 * LETTER <= share * WIDTH - 6 else 13.0
            sheet.write(at, y, fact, size, anchor="middle left")
    return sheet.figure(TOP + len(rows) * row_height + 2, min_width=760)


def _strip(sheet: Sheet, row: KeptRow, grid: Grid) -> None:
    """One cache: what is gone is a hole, what is kept has the colour of its weight, and a frame all around."""
    colors, pixels, kept, top, bottom = sheet.colors, grid.wide * WIDTH, ~np.isnan(row.weights), *grid.y.tolist()
    sheet.write(NAME - 0.012, grid.down[0], row.name, 14, anchor="middle left")
    z = row.weights[None]
    written = shares(z, pixels, grid.tall, 14) or Texts(np.full(z.shape, "", object), 13.0)
    written.words[0, ~kept] = "–"
    cells(sheet, grid, z, Scale(colors.weights), written if pixels >= 22 else None, hover=False, lines=pixels > 6)
    for start, stop in _runs(kept):
        sheet.frame(grid.x[start], top, grid.x[stop], bottom, colors.cached, 1.5)
    for start, stop in _runs(~kept):
        sheet.bar(grid.x[start], top, grid.x[stop], bottom, colors.hole)


def _runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
