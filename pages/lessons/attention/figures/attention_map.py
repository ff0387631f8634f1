"""The attention map: scores, masked scores and softmax weights of every head, contexts and the next word beside them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.model import ForwardPass
from pages.lessons.attention.figures.row_written_out import row_written_out
from pages.parts.drawing.cells import Texts, cells, chosen, holes, row_names, texts
from pages.parts.drawing.grid import Grid, Scale, diverging
from pages.parts.drawing.next_word import NextWord, next_word
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, plain, short
from pages.parts.text.digits import context_of
from pages.parts.text.format import number, numbers

LEFT, HEADS, RIGHT = 0.085, 0.70, 0.215  # shares of the width: row labels, the heads' blocks, the result
RESULT = LEFT + HEADS + 0.012  # where contexts and next word begin
STAGES = ("scores", "masked", "weights")
MOST_HOVERS = 260  # cells of which hovering says more than the number


class Layout(NamedTuple):
    """Where the heads lie. grids: of each stage, all heads side by side with a column between; size: of a cell's number.

    above: what stands above a head's columns, nothing where they are too narrow; numbered: whether that is positions.
    """

    grids: list[Grid]
    starts: np.ndarray
    cell_x: float
    cell_h: float
    size: float
    above: list[str]
    numbered: bool

    @property
    def legible(self) -> bool:
        """Whether numbers stand in the cells."""
        return self.size >= 8.5


def attention_map(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    next_: NextWord,
    selected: tuple[int, int, int] | None = None,
    room: float | None = None,
) -> SheetFigure:
    """One layer as a picture: three stages down (scores, masked, weights), the heads across, contexts and next word at the right.

    words: (n,) what stands at each key position; the last n_new are the queries. heads: (n_head,) names. selected: (head, query
    row, key) to outline. A cell that the mask hides is a hole in the surface; numbers stand in the cells where they can be read,
    and otherwise the selected row is written out beneath. room: pixels that the rows share where there is no more, and no row is
    written out then.
    """
    layer, colors = run.layers[-1], sheet.colors
    n_head, n_new, n = layer.scores.shape
    place = _layout(sheet, layer, words, selected is not None, room)
    hover = hovering(layer, words, heads) if layer.scores.size <= MOST_HOVERS else [True] * 3
    for stage, (z, scale) in enumerate(stages(layer.scores, layer.weights, layer.mask, colors)):
        grid, wide = place.grids[stage], _side_by_side(z)
        if stage:
            shown = layer.mask if stage == 1 else seen(layer.mask, layer.weights)
            sheet.path("".join(_holes(shown, grid)) or "M0,0Z", colors.hole)
        written = Texts(_side_by_side(_words(stage, z, layer)), place.size) if place.legible else None
        cells(sheet, grid, wide, scale, written, hover[stage], lines=place.legible)
        _queries(sheet, place, grid, words[n - n_new :], n - n_new)
    _headings(sheet, place, heads, n, layer)
    weights = place.grids[2]
    if place.legible:
        x, y = np.broadcast_arrays(place.starts[:, None] + n * place.cell_x + 0.003, weights.down)
        totals = numbers(layer.weights.sum(axis=2), 3 if place.cell_x * WIDTH > 30 else 1)
        sheet.write_all(x.ravel(), y.ravel(), totals, 12, colors.muted, "middle right")
    _contexts(sheet, layer, weights)
    bottom = float(weights.y[0]) - 34
    next_word(sheet, next_._replace(digits=3), RESULT, min(54.0, (bottom - 24) / max(1, len(next_.words))))
    height = float(weights.y[-1]) + 6
    if selected is not None:
        for grid in place.grids:
            sheet.frame(*grid.box(selected[1], selected[0] * (n + 1) + selected[2]), colors.ink)
        if not place.legible and room is None:
            height = row_written_out(sheet, layer, selected, (words, heads), height + 8, LEFT + HEADS)
    columns = [f"{heads[h]}, {words[j]}" if j < n else "" for h in range(n_head) for j in range(n + 1)]
    cell = None if selected is None else (selected[1], selected[0] * (n + 1) + selected[2])
    grid = chosen(2, cell, STAGES, words[n - n_new :], columns)
    return sheet.figure(height, min_width=860 if place.legible else 520, grid=grid)


def cell_of_column(column: int, n: int) -> tuple[int, int] | None:
    """(head, key) of a heatmap column of `attention_map`, or None for the gap between two heads."""
    head, key = divmod(column, n + 1)
    return (head, key) if key < n else None


def stages(scores: np.ndarray, weights: np.ndarray, mask: np.ndarray, colors: Palette) -> list[tuple[np.ndarray, Scale]]:
    """Scores, masked scores and weights, NaN where the mask hides, each with its colours; all of one shape."""
    visible, of_scores = np.where(mask, 1.0, np.nan), diverging(colors.scores, scores)
    weighed = np.where(seen(mask, weights), weights, np.nan)
    return [(scores, of_scores), (scores * visible, of_scores), (weighed, Scale(colors.weights))]


def seen(mask: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Which weights are shown: those that the mask lets through, and what is not 0 though hidden: a leak through −10⁹, NaN of 0 / 0."""
    return mask | (weights != 0)


def hovering(layer: Attention, words: Sequence[str], heads: Sequence[str], part: slice = slice(None)) -> list[list[list[str]]]:
    """What hovering says in each stage, laid out as the heatmaps are; nothing between two heads. part: the heads that are shown."""
    mask, scores, weights = layer.mask[part], layer.scores[part], layer.weights[part]
    stages_of = (
        (scores, np.zeros_like(mask), ""),
        (scores, ~mask, f"{hidden_score(layer)}, hidden by the mask"),
        (weights, ~seen(mask, weights), "0, hidden by the mask"),
    )
    (n_head, n_new, n), names, of_heads = mask.shape, [plain(word) for word in words], [plain(head) for head in heads]
    places = [divmod(column, n + 1) for column in range(n_head * (n + 1) - 1)]

    def sentence(stage: int, head: int, i: int, j: int) -> str:
        numbers, hidden, instead = stages_of[stage]
        number = instead if hidden[head, i, j] else f"{numbers[head, i, j]:.4g}"
        return f"{of_heads[head]}<br>“{names[n - n_new + i]}” → “{names[j]}”<br>{STAGES[stage]} {number}"

    return [[[sentence(k, h, i, j) if j < n else "" for h, j in places] for i in range(n_new)] for k in range(len(STAGES))]


def _layout(sheet: Sheet, layer: Attention, words: Sequence[str], selected: bool, room: float | None) -> Layout:
    n_head, n_new, n = layer.scores.shape
    gap = 0.75 if n <= 8 else 1.5  # between heads, in cells; it carries the row sums
    cell_x = HEADS / (n_head * (n + gap))
    wide = cell_x * WIDTH
    cell_h = sheet.row(room or 288, 3 * n_new, 4 if room else 6.5, 28)
    size = min(15.0, 0.62 * cell_h, wide / (4 * LETTER))
    if selected and size < 8.5 and room is None:
        cell_h = sheet.row(264, 3 * n_new, 5.5, 28)  # room for the selected row beneath
    starts = LEFT + np.arange(n_head) * (n + gap) * cell_x
    edges = np.concatenate([s + np.arange(n + 1) * cell_x for s in starts])  # a head's cells, then a column that holds NaN
    numbered = max(map(len, words)) * LETTER * 12 + 4 > wide  # columns too narrow for their words
    above = [str(j) if numbered else short(word, wide, 12) for j, word in enumerate(words, 1)] if wide > 16 else []
    tops = 22 + 17 * bool(above) + np.arange(3) * (n_new * cell_h + 25)
    grids = [Grid(edges, top + np.arange(n_new + 1) * cell_h) for top in tops]
    return Layout(grids, starts, cell_x, cell_h, size, above, numbered)


def _side_by_side(z: np.ndarray) -> np.ndarray:
    """(n_head, n_new, n) -> (n_new, n_head · (n + 1) − 1): the heads next to each other, an empty column between."""
    n_head, n_new, n = z.shape
    wide = np.full((n_head, n_new, n + 1), "", object) if z.dtype == object else np.full((n_head, n_new, n + 1), np.nan)
    wide[:, :, :n] = z
    return wide.transpose(1, 0, 2).reshape(n_new, n_head * (n + 1))[:, :-1]


def _holes(mask: np.ndarray, grid: Grid) -> list[str]:
    """The hidden cells of each head."""
    n = mask.shape[2]
    return [holes(grid.columns(h * (n + 1), h * (n + 1) + n), ~head) for h, head in enumerate(mask)]


def hidden_score(layer: Attention) -> str:
    """What a hidden score becomes: −∞, or −10⁹ where that gives some hidden token a weight after all."""
    return "−10⁹" if (layer.weights[~layer.mask] > 0).any() else "−∞"


def future(layer: Attention) -> str:
    """What becomes of the scores of later tokens, beside the name of the stage: nothing where no mask hides any."""
    return "nothing hidden" if layer.mask.all() else f"future {hidden_score(layer)}"


def _words(stage: int, z: np.ndarray, layer: Attention) -> np.ndarray:
    """The number in each cell; −∞ in a hole of the masked stage, nothing in a hole of the weights, "none" in an empty row."""
    shown = (np.ones_like(layer.mask), layer.mask, seen(layer.mask, layer.weights))[stage]
    words = texts(z, shown, sign=stage < 2)
    if stage == 1:
        words[~layer.mask] = hidden_score(layer)
    elif stage == 2:
        words[layer.mask & layer.empty[:, :, None]] = "none"
    return words


def _queries(sheet: Sheet, place: Layout, grid: Grid, words: Sequence[str], first: int) -> None:
    """The rows' names, as many as can be read; the last row is the one that chooses a word."""
    if place.cell_h < 5:
        return
    size, shown = max(12.0, min(13.5, 0.72 * place.cell_h)), 0 if place.cell_h >= 13 else len(words) - 1
    numbered = place.numbered and place.above
    names = [f"{first + i + 1} {word}" if numbered else word for i, word in enumerate(words)]
    row_names(sheet, LEFT - 0.006, grid.rows(shown, len(words)), names[shown:], size)


def _headings(sheet: Sheet, place: Layout, heads: Sequence[str], n: int, layer: Attention) -> None:
    """The stages' names at the left, what each does beside it, and the heads and what names their columns above the first."""
    colors, block = sheet.colors, n * place.cell_x
    lines = [float(grid.y[0]) - 11 for grid in place.grids]
    for stage, name in enumerate(STAGES):
        sheet.write(0, lines[stage] - (9 if stage == 0 and place.above else 0), f"<b>{name}</b>", 14, anchor="middle right")
    sheet.write(
        LEFT,
        lines[1],
        "nothing is hidden here" if layer.mask.all() else f"a token may not look at what comes later: {hidden_score(layer)}",
        12.5,
        colors.muted,
        "middle right",
    )
    sheet.write(LEFT, lines[2], "softmax of each row; beside it the row’s sum", 12.5, colors.muted, "middle right")
    for start, head in zip(place.starts, heads, strict=True):
        sheet.write(start + block / 2, 10, short(head, block * WIDTH, 12.5), 12.5, colors.muted)
        for j, word in enumerate(place.above):
            sheet.write(start + (j + 0.5) * place.cell_x, lines[0] + 1, word, 12, colors.muted)


def _contexts(sheet: Sheet, layer: Attention, grid: Grid) -> None:
    """Contexts beside the weights they come from: a row for each query, a column for each head."""
    colors, (n_head, n_new) = sheet.colors, layer.context.shape[:2]
    width, row_size = (1 - RESULT) / n_head, 0.85 * grid.tall if layer.context.shape[1] > 1 else 15.0
    top, size = float(grid.y[0]), max(12.0, min(15.0, 0.42 * width * WIDTH, 15.0 if row_size < 11 else row_size))
    sheet.write(RESULT, top - 29, "<b>context</b> of each head", 14, anchor="middle right")
    for h in range(n_head):
        sheet.write(RESULT + (h + 0.5) * width, top - 11, str(h + 1), 12, colors.muted)
        for i in range(n_new) if row_size >= 11 else (n_new - 1,):  # of too many rows the last: it chooses the next word
            empty = layer.empty[h, i]
            text = context_of(layer, h, i) if empty or width * WIDTH > 34 else number(layer.context[h, i, 0], 1)
            ink = colors.muted if empty else colors.ink
            sheet.write(RESULT + (h + 0.5) * width, grid.down[i], bold(text, i == n_new - 1), size, ink)
