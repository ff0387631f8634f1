"""The way of one cell: the scores of all rows, and beneath them, of the row that asks, what the mask leaves, its weights, the values and
what these add to the context, a column for each key. Down the selected column goes one arrow; on a wide screen what is done on the way
stands beside it. Where the mask hides the cell its way ends, but for a row that is filled.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.toy.by_hand import weights_by_hand
from pages.lessons.attention.figures.attention_map import calmer, hidden_score, hovering, seen, stages
from pages.parts.drawing.cells import LEAST as LEAST_LARGE
from pages.parts.drawing.cells import SMALL, cells, holes, selectable, texts
from pages.parts.drawing.grid import Grid, Names, Scale
from pages.parts.drawing.machine_rows import value_cells
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short
from pages.parts.text.digits import context_of, side_by_side, summed
from pages.parts.text.format import entered
from pages.parts.text.softmax_residue import MOST_TO_A_HALF, half_by_hand, residue

ROWS, LANE = 8.6, 0.42  # so many rows share a screen's room; the way between two of them, as a share of one
WIDEST, BESIDE = 0.2, 0.025  # shares of the width: of a column, at most, and from the last one to what stands beside it


class Look(NamedTuple):
    """left, right: shares of the width between which the keys stand; head: pixels above the scores; tall: of the row that asks and of what
    becomes of it; most: of another row; name, number, strong: type sizes of what rows are called, of numbers, and of the one that is
    followed; line: pixels of the arrow."""

    left: float
    right: float
    head: float
    tall: float
    most: float
    name: float
    number: float
    strong: float
    line: float


class Band(NamedTuple):
    """A row of cells: what it is called, how it is made, its cells in colour, what is written in them and whether it is hidden."""

    name: str
    how: str
    z: np.ndarray
    scale: Scale
    words: Names
    hidden: np.ndarray


def cell_way(
    sheet: Sheet, layer: Attention, words: Names, name: str, cell: tuple[int, int, int], equations: Names, closed: str = ""
) -> SheetFigure:
    """words: (n,); name: of the head. cell: (head, query row, key), which is followed; the scores' cells select another. equations: of the
    score, of the mask and of the weight. closed: what all scores of the row become, where no key matches and they do not stay."""
    (head, query, key), n, look = cell, len(words), _look(sheet)
    high = np.full(n, np.clip(1.6 * look.tall / max(n - 1, 1), 9.0, look.most))
    high[query] = look.tall
    grid = Grid(
        look.left + np.arange(n + 1) * min((look.right - look.left) / n, WIDEST if not sheet.phone else 1.0),
        look.head + np.concatenate([[0.0], np.cumsum(high)]),
    )
    score, *bands = _bands(sheet, layer, head, query, closed)
    tops = grid.y[-1] + look.tall * (LANE + (1 + LANE) * np.arange(len(bands)))
    places = [grid.rows(query, query + 1), *(Grid(grid.x, np.array([top, top + look.tall])) for top in tops)]
    _other_rows(sheet, layer, grid, words, name, cell, look)
    for band, place in zip((score, *bands), places, strict=True):
        _band(sheet, place, band, key, look)
    ways = [(float(above.y[1]), float(below.y[0])) for above, below in pairwise(places)]
    for y0, y1 in ways if layer.mask[head, query, key] or layer.weights[head, query, key] else ways[:1]:
        _arrow(sheet, float(grid.across[key]), y0, y1, look.line)
    if not sheet.phone:
        _beside(sheet, places, equations)
    bottom = _context(sheet, layer, (head, query), bands[-1].words, places[-1])
    return sheet.figure(bottom, min_width=700, on_phone=300, grid=selectable(0, (query, key), "scores", words, words))


def _look(sheet: Sheet) -> Look:
    if sheet.on_phone():
        return Look(0.26, 0.994, 26.0, 28.0, 18.0, 14.0, 15.0, 17.0, 3.0)
    tall = sheet.row(384.0, ROWS, 36.0, 84.0)
    return Look(0.13, 0.67, 34.0, tall, 0.5 * tall, 18.0, 20.0, 28.0, 5.0)


def _other_rows(
    sheet: Sheet, layer: Attention, grid: Grid, words: Names, name: str, cell: tuple[int, int, int], look: Look
) -> None:
    """The scores of all rows, pale and without numbers, their names, and the keys above their columns; where these are narrow, the
    selected one alone."""
    colors, (head, query, key), right, y = sheet.colors, cell, look.left - 0.015, 0.55 * look.head
    z, scale = stages(layer.scores[head], layer.weights[head], layer.mask[head], colors)[0]
    cells(sheet, grid, z, calmer(calmer(scale)), None, hovering(0, layer, words, [name], slice(head, head + 1)))
    for i, (middle, tall, word) in enumerate(zip(grid.down, np.diff(grid.y), words, strict=True)):
        size = look.name if i == query else min(look.name, 0.8 * float(tall))
        if size >= SMALL:
            ink = colors.query if i == query else colors.ink
            cut = short(word, right * sheet.wide, size, strong=True)
            sheet.write(right, middle, bold(cut, i == query), size, ink, "middle left")
    pixels = grid.wide * sheet.wide
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        wide, size = (pixels - 2, min(look.name, 0.3 * pixels)) if pixels >= 34 else (64.0, 13.0)
        half, ink = wide / sheet.wide / 2, colors.key if j == key else colors.ink
        if pixels >= 34 or j == key:
            x = min(max(x, look.left + half), look.right - half)
            sheet.write(x, y, bold(short(word, wide, max(13.0, size), strong=True), j == key), max(13.0, size), ink)


def _bands(sheet: Sheet, layer: Attention, head: int, query: int, closed: str = "") -> tuple[Band, ...]:
    """One row of the scores, and what becomes of it."""
    colors, mask, weights = sheet.colors, layer.mask[head, query], layer.weights[head, query]
    values, row, none = layer.v[layer.kv_head(head), : len(mask), 0], slice(query, query + 1), np.zeros_like(mask)
    score, masked, weighed = stages(layer.scores[head, row], weights[None], layer.mask[head, row], colors)
    scores = texts(score[0][0], sign=True)
    shown = texts(weighed[0][0])
    shown[seen(mask, weights) & np.isnan(weights)] = "NaN"
    if layer.empty[head, query]:
        shown[:] = ""
        shown[0] = "none"
    tint, most = value_cells(colors, values), float(np.abs(values).max())
    parts = np.where(mask | (weights != 0), weights * values, np.nan)
    taken = np.where(weights_by_hand(weights) > 0, np.nan_to_num(parts), 0.0)  # what softmax leaks is 0
    halves = [half_by_hand(x, 2, min(residue((x,)), MOST_TO_A_HALF)) for x in taken.tolist()]
    added = side_by_side(halves, least=residue(values))
    shown[(shown == "0") & (np.array(added) != "0")] = "≈ 0"  # what it takes of a value is written
    there = ~np.isnan(parts) & ~layer.empty[head, query]
    signs = np.where(np.cumsum(there) > 1, [f"{'−' * (x[0] == '−') or '+'} " for x in added], "")
    said = [(sign + x.lstrip("−" * bool(sign))) * bool(some) for sign, x, some in zip(signs, added, there, strict=True)]
    return (
        Band("", "", *score, scores, none),
        Band(
            "mask",
            "empty row" if closed else "later: hidden" if not mask.all() else "hides none",
            *masked,
            np.where(mask, closed or scores, hidden_score(layer)),
            ~mask,
        ),
        Band("weights", "softmax", *weighed, shown, ~seen(mask, weights)),
        Band("values", "× its weight", tint[0][None], tint[1], [entered(v) for v in values], none),
        Band("context", "", (value_cells(colors, parts, most)[0] + 0 * parts)[None], tint[1], said, np.isnan(parts)),
    )


def _band(sheet: Sheet, grid: Grid, band: Band, key: int, look: Look) -> None:
    """One row, its name before it; where no number can be read in its cells, that of the selected one stands there."""
    colors, pixels, (y,) = sheet.colors, grid.wide * sheet.wide, grid.down
    if band.hidden.any():
        sheet.path(holes(grid, band.hidden[None]), colors.hole)
    cells(sheet, grid, band.z, band.scale, hover=False)
    words = band.words if pixels > 50 else [word.removeprefix("+ ") for word in band.words]
    size = min(look.number, (pixels - 3) / max(1, *map(ems, words)))
    inks = np.where(np.isnan(band.z), colors.muted, band.scale.inks(band.z))[0]
    if read := size >= (SMALL - 1 if sheet.phone else 13):
        for j, (x, word, ink) in enumerate(zip(grid.across, words, inks, strict=True)):
            large = max(size, min(look.strong, (pixels - 8) / max(1.0, bold_ems(word)))) if j == key else size
            sheet.write(x, y, bold(word, j == key), large, ink)
    sheet.frame(*grid.box(0, key), colors.ink, look.line)
    right, apart = look.left - 0.015, 0.55 * look.name
    how = band.how if read else str(words[key])
    if band.name:
        ink = colors.value if band.name == "values" else colors.ink
        sheet.write(right, y - apart * bool(how), bold(band.name), look.name, ink, "middle left")
        sheet.write(right, y + apart, how, SMALL + 2 * (not sheet.phone), anchor="middle left")


def _beside(sheet: Sheet, places: Sequence[Grid], equations: Names) -> None:
    """What is done at the rows, after them."""
    x, plain_text = float(places[0].x[-1]) + BESIDE, f"q · k / √d = {equations[0]}"
    size = max(13.0, min(23.0, *(0.94 * (1 - x) * sheet.wide / ems(said) for said in (plain_text, *equations[1:]))))
    q, k = (
        f"<b><span style='color:{color}'>{name}</span></b>"
        for name, color in (("q", sheet.colors.query), ("k", sheet.colors.key))
    )
    for place, said in zip(places, (f"{q} · {k} / √d = {equations[0]}", *equations[1:]), strict=False):
        sheet.write(x, place.down[0], said, size, anchor="middle right")


def _arrow(sheet: Sheet, x: float, top: float, bottom: float, line: float) -> None:
    """Down from one cell to the next."""
    tip, half, high = bottom - 2, 2.4 * line / sheet.wide, min(2.8 * line, 0.8 * (bottom - top))
    sheet.line(f"M{x:.5f},{top + 1:.2f}L{x:.5f},{tip - 0.6 * high:.2f}", sheet.colors.ink, line, layer="above")
    sheet.path(f"M{x - half:.5f},{tip - high:.2f}L{x + half:.5f},{tip - high:.2f}L{x:.5f},{tip:.2f}Z", sheet.colors.ink)


def _context(sheet: Sheet, layer: Attention, row: tuple[int, int], parts: Names, grid: Grid) -> float:
    """What the parts add up to, after them, on a phone beneath; returns where that ends."""
    said, written, bottom = (
        context_of(layer, *row),
        [part.replace(" ", "").lstrip("+") for part in parts if part],
        float(grid.y[1]),
    )
    sign = summed(written, said).split()[-1] if len(written) > 1 and said[-1].isdigit() else "="
    text = bold(said if said == "none" else f"{sign} {said}")
    if sheet.phone:
        sheet.write(grid.x[0], bottom + 22, text, LEAST_LARGE, anchor="middle right")
        return bottom + 40
    sheet.write(float(grid.x[-1]) + BESIDE, grid.down[0], text, 38.0, anchor="middle right")
    return bottom + 8
