"""Caches of one text beneath each other, a row each: the newest token's weights on what they keep, a gap where nothing is kept, and the
word that comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short

LEFT, RIGHT, WIDEST = 0.21, 0.76, 0.115  # where the tokens begin and end, and the widest of their columns
TOP, ROW, CELL = 50.0, 52.0, 40.0  # pixels above the rows, of one, and of its cells
ROW_ON_PHONE, CELL_ON_PHONE, MOST_WORD = 62.0, 28.0, 26.0  # and type size of the word that comes out


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there. n_bytes: what it holds.
    word: what comes out, changed: whether that is another than the whole cache's."""

    name: str
    weights: np.ndarray
    n_bytes: str
    word: str
    changed: bool = False


def kept_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str) -> SheetFigure:
    """rows: the cache that keeps everything first. words: the text's tokens, the newest last. head: whose weights they are."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, right = (0.0, 1.0) if phone else (LEFT, RIGHT)
    wide = min((right - left) / len(words), 1.0 if phone else WIDEST)
    x, row, tall = left + wide * np.arange(len(words) + 1), *((ROW_ON_PHONE, CELL_ON_PHONE) if phone else (ROW, CELL))
    if not phone:
        sheet.write(1, 12, "next word", 15, colors.muted, "middle left")
    sheet.write(0, 12, f"weights of head <b>{plain(head)}</b>", 15, colors.muted, "middle right")
    column_names(sheet, Grid(x, np.array([TOP - 20.0, TOP])), TOP - 16, words, 14)
    for k, kept in enumerate(rows):
        top = TOP + k * row + (row - tall if phone else 0)
        grid = Grid(x, np.array([top, top + tall]))
        z, pixels = kept.weights[None], wide * sheet.wide
        cells(sheet, grid, z, Scale(colors.weights), shares(z, pixels, tall, 17, 13), hover=False, lines=pixels > 6)
        there = ~np.isnan(kept.weights)
        sheet.line("".join(rectangle(x[a], top, x[b], top + tall) for a, b in runs(there)), colors.line, 1)
        y = top + tall / 2
        gone = "".join(f"M{x[a] + 0.004:.5f},{y:.2f}L{x[b] - 0.004:.5f},{y:.2f}" for a, b in runs(~there))
        sheet.line(gone, colors.muted, 1.6, "dot")
        _named(sheet, kept, (top, top + tall))
    return sheet.figure(TOP + len(rows) * row)


def _named(sheet: Sheet, kept: KeptRow, edges: tuple[float, float]) -> None:
    """What a row is called and holds, and its word: above it on a phone, else at both sides."""
    (top, bottom), colors, phone = edges, sheet.colors, sheet.phone
    y = top - 15 if phone else (top + bottom) / 2
    color = colors.accent if kept.changed else colors.ink
    text = f"{kept.word}{' ≠' * kept.changed}"
    size = max(13.0, min(17.0 if phone else MOST_WORD, (0.4 if phone else 0.22) * sheet.wide / (1.07 * ems(text))))
    sheet.write(1, y, bold(plain(text)), size, color, "middle left")
    if phone:
        sheet.write(0, y, bold(short(kept.name, 0.55 * sheet.wide, 14)), 14, anchor="middle right")
        return
    sheet.write(0, y - 10, bold(short(kept.name, LEFT * sheet.wide - 12, 16)), 16, anchor="middle right")
    sheet.write(0, y + 11, f"{kept.n_bytes} bytes", 14, colors.muted, "middle right")


def runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
