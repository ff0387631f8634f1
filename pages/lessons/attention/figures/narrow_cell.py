"""One cell for a phone: the row that asks, its scores, what the mask leaves, its weights and the values beneath each other, a column for
each key; and down the selected column one arrow, from the score over the weight and the value to the context that it becomes a part of.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.lessons.attention.figures.attention_map import hidden_score, seen, stages
from pages.parts.drawing.cells import LEAST as LEAST_LARGE
from pages.parts.drawing.cells import SMALL, Texts, cells, holes, row_names, selectable, shares, texts, write_in
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import value_cells
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, short
from pages.parts.text.digits import context_of
from pages.parts.text.format import entered

LEFT, RIGHT = 0.26, 0.994  # shares of the width: between them the keys, left of them what the rows are called
HEAD, MAP, BAND, GAP = 42.0, 92.0, 30.0, 20.0  # pixels: above the scores, of all scores, of a row beneath them, between two rows
TYPE = 15.0
ARROW = 3.0  # pixels of its line


class Band(NamedTuple):
    """A row of cells beneath the scores: what it is called, how it is made, its cells in colour, what is written in them and whether it
    is hidden."""

    name: str
    how: str
    z: np.ndarray
    scale: Scale
    words: np.ndarray
    hidden: np.ndarray


def narrow_cell(sheet: Sheet, layer: Attention, words: Sequence[str], name: str, cell: tuple[int, int, int]) -> SheetFigure:
    """words: (n,); name: of the head. cell: (head, query row, key), which is followed; the scores' cells select another."""
    sheet.on_phone()
    colors, (head, query, key), n = sheet.colors, cell, len(words)
    grid = Grid.of(LEFT, HEAD, ((RIGHT - LEFT) / n, float(np.clip(MAP / n, 9, 24))), (n, n))
    sheet.write(0, 10, f"<b>head {short(name, 0.6 * sheet.wide - 40, 14)}</b>", 14, anchor="middle right")
    _column_names(sheet, grid, words, key)
    bands = _bands(sheet, layer, head, query)
    _scores(sheet, layer, head, grid, (query, key))
    row_names(sheet, LEFT - 0.02, grid, words, max(SMALL, min(14.0, grid.tall)), query, colors.query)
    top, places = float(grid.y[-1]) + GAP, []
    for band in bands:
        places.append(Grid(grid.x, np.array([top, top + BAND])))
        _band(sheet, places[-1], band, key)
        top += BAND + GAP
    ends = [(float(grid.y[query + 1]), float(places[0].y[0]))]
    ends += [(float(above.y[1]), float(below.y[0])) for above, below in pairwise(places)]
    ends += [(float(places[-1].y[1]), top + 2)]
    for y0, y1 in ends if layer.mask[head, query, key] else ends[:1]:  # where the mask hides it the way ends there
        _arrow(sheet, float(grid.across[key]), y0, y1)
    _context(sheet, layer, (head, query), float(grid.across[key]), top + 18)
    selected = selectable(0, (query, key), "scores", words, words)
    return sheet.figure(top + 38, min_width=300, grid=selected)


def _column_names(sheet: Sheet, grid: Grid, words: Sequence[str], key: int) -> None:
    """The keys above their columns; where these are narrow, the selected one alone."""
    pixels, colors = grid.wide * sheet.wide, sheet.colors
    tinted = f"<span style='color:{colors.query}'>Q</span> <span style='color:{colors.key}'>Kᵀ</span> / √d"
    sheet.write(RIGHT, 10, f"<b>scores</b>  {tinted}", TYPE, anchor="middle left")
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        if pixels >= 30:
            sheet.write(x, HEAD - 11, bold(short(word, pixels - 2, 13), j == key), 13, colors.key if j == key else colors.muted)
        elif j == key:
            x = min(max(x, LEFT + 32 / sheet.wide), RIGHT - 32 / sheet.wide)
            sheet.write(x, HEAD - 11, bold(short(word, 62, 13)), 13, colors.key)


def _scores(sheet: Sheet, layer: Attention, head: int, grid: Grid, cell: tuple[int, int]) -> None:
    """The scores of all rows, of which the row that asks is outlined and the selected cell more so."""
    z, scale = stages(layer.scores[head], layer.weights[head], layer.mask[head], sheet.colors)[0]
    said = texts(z, sign=True)
    said[cell[0] + 1 :, cell[1]] = ""  # beneath the arrow
    size = min(14.0, 0.8 * grid.tall, (grid.wide * sheet.wide - 3) / (LETTER * max(1, *map(len, said.ravel()))))
    cells(sheet, grid, z, scale, Texts(said, size) if size >= SMALL - 1 else None)
    sheet.frame(*grid.row(cell[0]), sheet.colors.ink, 1.5)
    sheet.frame(*grid.box(*cell), sheet.colors.ink, 3.5)


def _bands(sheet: Sheet, layer: Attention, head: int, query: int) -> tuple[Band, ...]:
    """What becomes of one row of the scores."""
    mask, weights, empty = layer.mask[head, query], layer.weights[head, query], bool(layer.empty[head, query])
    values = layer.v[layer.kv_head(head), : len(mask), 0]
    row = slice(query, query + 1)
    _, masked, weighed = stages(layer.scores[head, row], layer.weights[head, row], layer.mask[head, row], sheet.colors)
    left = texts(masked[0], sign=True)
    left[:, ~mask] = hidden_score(layer)
    pixels = (RIGHT - LEFT) * sheet.wide / len(mask)
    taken = shares(weighed[0], pixels, BAND, TYPE, least=SMALL - 1)
    said = taken.words if taken else texts(weighed[0])
    if empty:
        said[:] = ""
    sizes, tint = value_cells(sheet.colors, values)
    entries = np.array([[f"× {entered(v)}" for v in values]], object)
    return (
        Band("mask", "later: hidden" if not mask.all() else "hides none", *masked, left, ~mask),
        Band("weights", "softmax", *weighed, said, ~seen(mask, weights)),
        Band("values", "× its weight", sizes[None], tint, entries, np.zeros_like(mask)),
    )


def _band(sheet: Sheet, grid: Grid, band: Band, key: int) -> None:
    """One row, its name before it; where no number can be read in its cells, that of the selected one stands there."""
    colors, pixels = sheet.colors, grid.wide * sheet.wide
    if band.hidden.any():
        sheet.path(holes(grid, band.hidden[None]), colors.hole)
    size = min(TYPE, (pixels - 3) / max(1, *map(ems, band.words.ravel())))
    read = size >= SMALL - 1
    cells(sheet, grid, band.z, band.scale, hover=False)
    if read:
        inks = np.where(np.isnan(band.z), colors.muted, band.scale.inks(band.z))
        write_in(sheet, grid, Texts(band.words, size), inks)
    sheet.frame(*grid.box(0, key), colors.ink, 3.5)
    y, room = float(grid.down[0]), (LEFT - 0.02) * sheet.wide
    how = band.how if read else str(band.words[0, key])
    sheet.write(LEFT - 0.02, y - 8, bold(band.name), TYPE, colors.value if band.name == "values" else None, "middle left")
    sheet.write(LEFT - 0.02, y + 9, short(how, room, SMALL), SMALL, colors.muted if read else colors.ink, "middle left")


def _arrow(sheet: Sheet, x: float, top: float, bottom: float) -> None:
    """Down from one cell to the next."""
    tip, half = bottom - 2, 7 / sheet.wide
    sheet.line(f"M{x:.5f},{top + 1:.2f}L{x:.5f},{tip - 6:.2f}", sheet.colors.ink, ARROW, layer="above")
    sheet.path(f"M{x - half:.5f},{tip - 9:.2f}L{x + half:.5f},{tip - 9:.2f}L{x:.5f},{tip:.2f}Z", sheet.colors.ink)


def _context(sheet: Sheet, layer: Attention, row: tuple[int, int], x: float, y: float) -> None:
    """What the row makes of all values, where the arrow ends."""
    said, size = context_of(layer, *row), LEAST_LARGE
    half = (ems(said) * size * 1.07 / 2 + 4) / sheet.wide
    x = min(max(x, LEFT + half), 1 - half)
    sheet.write(x, y, bold(said), size, sheet.colors.muted if said == "none" else sheet.colors.ink)
    sheet.write(LEFT - 0.02, y, "<b>context</b>", TYPE, anchor="middle left")
