"""The attention map for a phone: heads beneath each other, of each the masked scores and beside them the weights and contexts."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.attention import Attention
from engine.model import ForwardPass
from pages.lessons.attention.figures.attention_map import calmer, future, row_edges, seen, stages
from pages.parts.drawing.cells import LEAST, NONE, Texts, cells, holes, selectable, shares, texts, write_in
from pages.parts.drawing.grid import Grid, Names, Scale
from pages.parts.drawing.next_word import SPOILED, NextWord, next_word_beneath
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, bold_ems, ems, plain, short, type_size
from pages.parts.text.digits import context_of
from pages.parts.text.format import entered, percent
from pages.parts.text.softmax_residue import by_hand

ACROSS = 340  # pixels that the figure gets
LEFT = 0.17  # of the width have the names of the rows
MAP = 0.325  # of the width has each of the two maps; what is left has the contexts
GAP = 0.02  # of the width, between the two maps
TYPE = 14.0  # type size of titles, of numbers in low rows, and of the context that is followed at least
LARGE = 18.0  # type size of numbers in high rows, at most
VALUE = 15.0  # type size of the values beneath the weights, at most
NUMBER = 11.0  # type size of a number in a cell, at least
ROWS, ROWS_ALONE = (160.0, 26.0), (190.0, 48.0)  # pixels that a head's rows share, and of each at most; of one head alone


def narrow_map(
    sheet: Sheet, run: ForwardPass, words: Names, heads: Mapping[int, str], next_: NextWord, selected: tuple[int, int, int]
) -> SheetFigure:
    """words: (n,); heads: the names of those that are drawn. selected: (head, query row, key). One head alone is larger, and beneath it
    stands the likeliest next word.

    Traces stand in the order masked, weights of the first head, then of the next: what a selected cell's trace number means.
    """
    layer, n, top, alone = run.layers[-1], len(words), 8.0, len(heads) == 1
    room, most = ROWS_ALONE if alone else ROWS
    tall = float(np.clip(room / n, 9, most))
    for head, name in heads.items():
        down = row_edges(top + 34, n, tall, selected[1], 9) if alone else top + 34 + tall * np.arange(n + 1)
        grids = [Grid(np.linspace(x, x + MAP, n + 1), down) for x in (LEFT, LEFT + MAP + GAP)]
        sheet.write(0, top + 6, f"<b>head {plain(name)}</b>", TYPE, anchor="middle right")
        _maps(sheet, layer, head, grids, selected[1] if head == selected[0] else None, alone)
        _contexts(sheet, layer, head, words, grids[0], selected[1] if alone else None)
        top = float(down[-1]) + 14 + alone * _values(sheet, layer, head, grids[1])
    height = _likeliest(sheet, next_, top) if alone else next_word_beneath(sheet, next_, top)
    at = 2 * list(heads).index(selected[0]) + 1 if selected[0] in heads else 0
    stage_names = [f"{name}, {stage}" for name in heads.values() for stage in ("masked", "weights")]
    grid = selectable(at, selected[1:] if at else None, stage_names, words, words)
    return sheet.figure(height, on_phone=300, grid=grid)


def _likeliest(sheet: Sheet, next_: NextWord, top: float) -> float:
    """The likeliest next word and its chance, large; returns where they end."""
    y, large = top + 16, LEAST
    sheet.write(0, y, "<b>next word</b>", TYPE, anchor="middle right")
    if next_.probs is None:
        sheet.write(0, y + 20, " ".join(SPOILED), 13, sheet.colors.muted, "middle right")
        return y + 34
    chance, accent = percent(next_.probs[next_.strong]), sheet.colors.accent
    left = 1 - (large * bold_ems(chance) + 14) / ACROSS
    word = short(next_.words[next_.strong], (left - 0.3) * ACROSS, large, strong=True)
    sheet.write(left, y, bold(word), large, accent, "middle left")
    sheet.write(1, y, bold(chance), large, accent, "middle left")
    return y + 20


def _maps(sheet: Sheet, layer: Attention, head: int, grids: Sequence[Grid], query: int | None, alone: bool) -> None:
    """One head's two maps. query: the row to outline, None for none; of a head alone it is followed: its numbers are large."""
    colors, mask = sheet.colors, layer.mask[head]
    _, *shown = stages(layer.scores[head], layer.weights[head], mask, colors)
    hidden = ~mask, ~seen(mask, layer.weights[head])
    both = f"scores, {future(layer)}"
    titles = both if NONE * ems(both) < MAP * ACROSS else "scores", "weights"
    for grid, title, hole, (z, scale) in zip(grids, titles, hidden, shown, strict=True):
        sheet.write(grid.x[0], grid.y[0] - 10, title, NONE, colors.muted, "middle right")
        if path := holes(grid, hole, 0):
            sheet.path(path, colors.hole)
        scale = calmer(scale)
        cells(sheet, grid, z, scale)
        followed = np.arange(len(z)) == (query if alone else None)
        for rows in (~followed, followed):
            if rows.any() and (written := _numbers(z, scale, layer.empty[head], grid, rows)):
                write_in(sheet, grid, written, scale.inks(z))
        if query is not None:
            sheet.frame(*grid.row(query), colors.ink)
    sheet.write(1, grids[0].y[0] - 10, "context", NONE, colors.muted, "middle left")


def _numbers(z: np.ndarray, scale: Scale, empty: np.ndarray, grid: Grid, rows: np.ndarray) -> Texts | None:
    """The number in each cell of some rows, where there is room for all of them."""
    wide, tall = grid.wide * ACROSS, float(np.diff(grid.y)[rows].min())
    most = TYPE if tall < LARGE / 0.3 else LARGE
    if scale.low < 0:
        words, most = texts(z), min(most, 0.66 * tall)
    else:
        words, most = shares(z, wide, tall, most, least=NUMBER) or (texts(z), 0)
        words[empty] = ""
    size = min(most, (wide - 2) / (LETTER * max(1, *map(len, words.ravel()))))
    words[~rows] = ""
    return Texts(words, size) if size >= NUMBER else None


def _values(sheet: Sheet, layer: Attention, head: int, grid: Grid) -> float:
    """Beneath the weights the values that they are taken of, where there is room; returns the pixels that they take."""
    entries = [f"×{entered(v)}" for v in layer.v[layer.kv_head(head), :, 0]]
    size = type_size(max(entries, key=ems), grid.wide * ACROSS - 2, VALUE)
    if size < 13:
        return 0.0
    sheet.write_all(grid.across, float(grid.y[-1]) + 13, map(bold, entries), size, sheet.colors.value)
    return 18.0


def _contexts(sheet: Sheet, layer: Attention, head: int, words: Names, grid: Grid, large: int | None) -> None:
    """The rows' names and contexts, as many as can be read. large: the row whose context is."""
    colors, last = sheet.colors, len(words) - 1
    for i in range(last + 1) if np.diff(grid.y).min() >= NONE else (last if large is None else large,):
        y, name = grid.down[i], short(words[i], (LEFT - 0.02) * ACROSS, NONE)
        sheet.write(LEFT - 0.015, y, bold(name, i == large), NONE, colors.ink if i == large else colors.muted, "middle left")
        context = layer.context[head, i, 0]
        text = "none" if layer.empty[head, i] else by_hand(context, 1 if abs(context) >= 1 else 2)
        # What is less than a tenth is written with the digits it takes.
        text = context_of(layer, head, i) if text in ("0", "−0") else text
        strong, most = (last, TYPE) if large is None else (large, LEAST)
        size = type_size(text, (0.98 - LEFT - 2 * MAP - GAP) * ACROSS, most, TYPE) if i == strong else NONE
        sheet.write(1, y, bold(text, i == strong), size, colors.ink, "middle left")
