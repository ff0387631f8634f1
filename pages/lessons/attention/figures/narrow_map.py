"""The attention map for a phone: heads beneath each other, of each the masked scores and beside them the weights and contexts."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.attention import Attention
from engine.model import ForwardPass
from pages.lessons.attention.figures.attention_map import calmer, future, seen, stages
from pages.parts.drawing.cells import LEAST, SMALL, Texts, cells, holes, selectable, shares, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.next_word import SPOILED, NextWord, next_word_beneath
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, plain, short
from pages.parts.text.format import percent
from pages.parts.text.leaked import by_hand

ACROSS = 340  # pixels that the figure gets
LEFT, MAP, GAP = 0.17, 0.325, 0.02  # shares: row labels, each of the two maps, what parts them; the rest is for contexts
TYPE = 14.0
ROWS, ROWS_ALONE = (160.0, 26.0), (176.0, 44.0)  # pixels that a head's rows share, and of each at most; of one head alone


def narrow_map(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Mapping[int, str],
    next_: NextWord,
    selected: tuple[int, int, int],
) -> SheetFigure:
    """words: (n,); heads: the names of those that are drawn. selected: (head, query row, key). One head alone is larger, and beneath it
    stands the likeliest next word.

    Traces stand in the order masked, weights of the first head, then of the next: what a selected cell's trace number means.
    """
    layer, n, top, alone = run.layers[-1], len(words), 8.0, len(heads) == 1
    room, most = ROWS_ALONE if alone else ROWS
    tall = float(np.clip(room / n, 9, most))
    for head, name in heads.items():
        grids = [Grid.of(x, top + 34, (MAP / n, tall), (n, n)) for x in (LEFT, LEFT + MAP + GAP)]
        sheet.write(0, top + 6, f"<b>head {plain(name)}</b>", TYPE, anchor="middle right")
        _maps(sheet, layer, head, grids, selected[1] if head == selected[0] else None)
        _contexts(sheet, layer, head, words, grids[0], selected[1] if alone else None)
        top = float(grids[0].y[-1]) + 14
    height = _likeliest(sheet, next_, top) if alone else next_word_beneath(sheet, next_, top)
    at = 2 * list(heads).index(selected[0]) + 1 if selected[0] in heads else 0
    stage_names = [f"{name}, {stage}" for name in heads.values() for stage in ("masked", "weights")]
    grid = selectable(at, selected[1:] if at else None, stage_names, words, words)
    return sheet.figure(height, min_width=300, grid=grid)


def _likeliest(sheet: Sheet, next_: NextWord, top: float) -> float:
    """The likeliest next word and its chance, large; returns where they end."""
    y, large = top + 16, LEAST
    sheet.write(0, y, "<b>next word</b>", TYPE, anchor="middle right")
    if next_.probs is None:
        sheet.write(0, y + 20, " ".join(SPOILED), 13, sheet.colors.muted, "middle right")
        return y + 34
    chance, accent = percent(next_.probs[next_.strong]), sheet.colors.accent
    left = 1 - (1.07 * ems(chance) * large + 14) / ACROSS
    word = short(next_.words[next_.strong], (left - 0.3) * ACROSS / 1.07, large)
    sheet.write(left, y, bold(word), large, accent, "middle left")
    sheet.write(1, y, bold(chance), large, accent, "middle left")
    return y + 20


def _maps(sheet: Sheet, layer: Attention, head: int, grids: Sequence[Grid], query: int | None) -> None:
    """One head's two maps. query: the row to outline, None for none."""
    colors, mask = sheet.colors, layer.mask[head]
    _, *shown = stages(layer.scores[head], layer.weights[head], mask, colors)
    hidden = ~mask, ~seen(mask, layer.weights[head])
    titles = f"scores, {future(layer)}", "weights"
    for grid, title, hole, (z, scale) in zip(grids, titles, hidden, shown, strict=True):
        sheet.write(grid.x[0], grid.y[0] - 10, title, SMALL, colors.muted, "middle right")
        if path := holes(grid, hole, 0):
            sheet.path(path, colors.hole)
        scale = calmer(scale)
        cells(sheet, grid, z, scale, _numbers(z, scale, layer.empty[head], grid))
        if query is not None:
            sheet.frame(*grid.row(query), colors.ink)
    sheet.write(1, grids[0].y[0] - 10, "context", SMALL, colors.muted, "middle left")


def _numbers(z: np.ndarray, scale: Scale, empty: np.ndarray, grid: Grid) -> Texts | None:
    """The number in each cell, where there is room for all of them."""
    wide = grid.wide * ACROSS
    if scale.low < 0:
        words, most = texts(z), min(TYPE, 0.66 * grid.tall)
    else:
        words, most = shares(z, wide, grid.tall, TYPE, least=SMALL - 1) or (texts(z), 0)
        words[empty] = ""
    size = min(most, (wide - 2) / (LETTER * max(1, *map(len, words.ravel()))))
    return Texts(words, size) if size >= SMALL - 1 else None


def _contexts(sheet: Sheet, layer: Attention, head: int, words: Sequence[str], grid: Grid, large: int | None) -> None:
    """The rows' names and contexts, as many as can be read. large: the row whose context is."""
    colors, last = sheet.colors, len(words) - 1
    for i in range(last + 1) if grid.tall >= SMALL else (last if large is None else large,):
        y, name = grid.down[i], short(words[i], (LEFT - 0.02) * ACROSS, SMALL)
        sheet.write(LEFT - 0.015, y, name, SMALL, colors.muted, "middle left")
        text = "none" if layer.empty[head, i] else by_hand(layer.context[head, i, 0], 1)
        strong, most = (last, TYPE) if large is None else (large, (0.98 - LEFT - 2 * MAP - GAP) * ACROSS / (1.07 * ems(text)))
        size = (min(LEAST, max(TYPE, most)) if large is not None else TYPE) if i == strong else SMALL
        sheet.write(1, y, bold(text, i == strong), size, colors.ink, "middle left")
