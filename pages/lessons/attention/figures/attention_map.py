"""The attention map: of every head its weights, large, beneath them its context, and beneath all the next word."""

from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.model import ForwardPass
from pages.parts.drawing.cells import Texts, cells, holes, row_names, selectable, shares
from pages.parts.drawing.grid import Grid, Names, Scale, diverging
from pages.parts.drawing.next_word import NextWord, next_word_across
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, plain, short, type_size
from pages.parts.text.digits import context_of

LEFT, HEADS = 0.085, 0.915  # shares of the width: row labels, the heads' blocks
STAGES = ("scores", "masked", "weights")
MOST_HOVERS = 260  # cells of which hovering says more than the number
NAME, LARGE_CONTEXT = 13.0, 30.0  # type sizes


class Layout(NamedTuple):
    """Where the heads lie. grid: all of them side by side with a column between.

    above: what stands above a head's columns, nothing where they are too narrow; numbered: whether that is positions.
    """

    grid: Grid
    starts: np.ndarray
    cell_x: float
    above: list[str]
    numbered: bool


FOLLOWED = 2.2  # times as high as another row is the one that is followed


def attention_map(
    sheet: Sheet,
    run: ForwardPass,
    words: Names,
    heads: Names,
    next_: NextWord,
    selection: tuple[tuple[int, int, int] | None, bool] = (None, True),
    room: float = 236.0,
) -> SheetFigure:
    """One layer as a picture: the weights of the heads across, beneath these the context that each head makes of the last row, and
    beneath all of them the next word.

    words: (n,) what stands at each key position; the last n_new are the queries. heads: (n_head,) names. selection: (head, query
    row, key), and whether it is outlined. room: pixels that the rows share. A cell that the mask hides is a hole in the surface;
    numbers stand in the weights where they can be read.
    """
    layer, colors, (selected, outlined) = run.layers[-1], sheet.colors, selection
    n_head, n_new, n = layer.scores.shape
    place = _layout(sheet, layer, words, room)
    weights = place.grid
    hover = hovering(2, layer, words, heads) if layer.scores.size <= MOST_HOVERS else True
    z, scale = stages(layer.scores, layer.weights, layer.mask, colors)[2]
    visible = enumerate(seen(layer.mask, layer.weights))
    hidden = "".join(holes(weights.columns(h * (n + 1), h * (n + 1) + n), ~head) for h, head in visible)
    sheet.path(hidden or "M0,0Z", colors.hole)
    written = _numbers(layer, z, place.cell_x * WIDTH, weights.tall)
    cells(sheet, weights, _side_by_side(z), scale, written, hover, lines=weights.tall > 4)
    _queries(sheet, place, weights, words[n - n_new :], n - n_new)
    _headings(sheet, place, heads, n)
    height = next_word_across(sheet, next_._replace(digits=3), LEFT, _contexts(sheet, place, layer))
    for h in range(n_head):
        sheet.frame(*weights.columns(h * (n + 1), h * (n + 1) + n).row(n_new - 1), colors.ink, 1.5)
    cell = None if selected is None else (selected[1], selected[0] * (n + 1) + selected[2])
    if cell and outlined:
        sheet.frame(*weights.box(*cell), colors.ink)
    columns = [f"{heads[h]}, {words[j]}" if j < n else "" for h in range(n_head) for j in range(n + 1)]
    grid = selectable(0, cell, STAGES[2], words[n - n_new :], columns)
    return sheet.figure(height, min_width=860 if n <= 8 else 520, grid=grid)


def cell_of_column(column: int, n: int) -> tuple[int, int] | None:
    """(head, key) of a heatmap column of `attention_map`, or None for the gap between two heads."""
    head, key = divmod(column, n + 1)
    return (head, key) if key < n else None


def stages(scores: np.ndarray, weights: np.ndarray, mask: np.ndarray, colors: Palette) -> list[tuple[np.ndarray, Scale]]:
    """Scores, masked scores and weights, NaN where the mask hides, each with its colours; all of one shape."""
    visible, of_scores = np.where(mask, 1.0, np.nan), diverging(colors.scores, scores)
    weighed = np.where(seen(mask, weights), weights, np.nan)
    return [(scores, of_scores), (scores * visible, of_scores), (weighed, Scale(colors.weights))]


def calmer(scale: Scale) -> Scale:
    """Scores in paler colours, where what they become is to stand out; weights as they are."""
    return scale._replace(low=2 * scale.low, high=2 * scale.high) if scale.low < 0 else scale


def row_edges(top: float, n: int, tall: float, followed: int, least: float) -> np.ndarray:
    """Where n rows begin and end that have `tall` pixels each, but for the one that is followed, which takes from all the others until it
    is FOLLOWED times as high as they are; none has less than `least`."""
    shares = np.ones(n)
    shares[followed] = FOLLOWED
    return top + np.concatenate([[0.0], np.cumsum(shares * max(n * tall / shares.sum(), least))])


def seen(mask: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Which weights are shown: those that the mask lets through, and what is not 0 though hidden: a leak through −10⁹, NaN of 0 / 0."""
    return mask | (weights != 0)


def hovering(stage: int, layer: Attention, words: Names, heads: Names, part: slice = slice(None)) -> list[list[str]]:
    """What hovering says in that stage, laid out as its heatmap is; nothing between two heads. part: the heads that are shown."""
    mask, scores, weights = layer.mask[part], layer.scores[part], layer.weights[part]
    numbers, hidden, instead = (
        (scores, np.zeros_like(mask), ""),
        (scores, ~mask, f"{hidden_score(layer)}, hidden by the mask"),
        (weights, ~seen(mask, weights), "0, hidden by the mask"),
    )[stage]
    (n_head, n_new, n), names, of_heads = mask.shape, [plain(word) for word in words], [plain(head) for head in heads]
    places = [divmod(column, n + 1) for column in range(n_head * (n + 1) - 1)]

    def sentence(head: int, i: int, j: int) -> str:
        number = instead if hidden[head, i, j] else f"{numbers[head, i, j]:.4g}".replace("nan", "NaN").replace("-", "−")
        return f"{of_heads[head]}<br>“{names[n - n_new + i]}” → “{names[j]}”<br>{STAGES[stage]} {number}"

    return [[sentence(h, i, j) if j < n else "" for h, j in places] for i in range(n_new)]


def _layout(sheet: Sheet, layer: Attention, words: Names, room: float) -> Layout:
    n_head, n_new, n = layer.scores.shape
    gap = 0.5 if n <= 8 else 1.5  # between heads, in cells
    cell_x = HEADS / (n_head * (n + gap))
    wide, tall = cell_x * WIDTH, sheet.row(room, n_new, 5, 64)
    starts = LEFT + np.arange(n_head) * (n + gap) * cell_x
    edges = np.concatenate([s + np.arange(n + 1) * cell_x for s in starts])  # a head's cells, then a column that holds NaN
    numbered = max(map(len, words)) * LETTER * NAME + 4 > wide  # columns too narrow for their words
    above = [str(j) if numbered else short(word, wide, NAME) for j, word in enumerate(words, 1)] if wide > 18 else []
    grid = Grid(edges, 24.0 + 17 * bool(above) + np.arange(n_new + 1) * tall)
    return Layout(grid, starts, cell_x, above, numbered)


def _side_by_side(z: np.ndarray) -> np.ndarray:
    """(n_head, n_new, n) -> (n_new, n_head · (n + 1) − 1): the heads next to each other, an empty column between."""
    n_head, n_new, n = z.shape
    wide = np.full((n_head, n_new, n + 1), "", object) if z.dtype == object else np.full((n_head, n_new, n + 1), np.nan)
    wide[:, :, :n] = z
    return wide.transpose(1, 0, 2).reshape(n_new, n_head * (n + 1))[:, :-1]


def hidden_score(layer: Attention) -> str:
    """What a hidden score becomes: −∞, or −10⁹ where that gives some hidden token a weight after all."""
    return "−10⁹" if (layer.weights[~layer.mask] > 0).any() else "−∞"


def future(layer: Attention) -> str:
    """What becomes of the scores of later tokens, beside the name of the stage: nothing where no mask hides any."""
    return "nothing hidden" if layer.mask.all() else f"future {hidden_score(layer)}"


def _numbers(layer: Attention, z: np.ndarray, wide: float, tall: float) -> Texts | None:
    """The weights in cells of so many pixels, one "none" in an empty row; None where they cannot be read."""
    written = shares(z, wide, tall, 18)
    if not written:
        return None
    words = written.words
    words[seen(layer.mask, layer.weights) & np.isnan(z)] = "NaN"
    words[layer.empty] = ""
    words[layer.empty & layer.mask[:, :, 0], 0] = "none"
    return Texts(_side_by_side(words), written.size)


def _queries(sheet: Sheet, place: Layout, grid: Grid, words: Names, first: int) -> None:
    """The rows' names, as many as can be read; the last row, in bold, is the one that chooses a word."""
    size, last = max(NAME, min(16.0, 0.72 * grid.tall)), len(words) - 1
    shown = 0 if grid.tall >= NAME else last
    numbered = place.numbered and place.above
    names = [f"{first + i + 1} {word}" if numbered else word for i, word in enumerate(words)]
    row_names(sheet, LEFT - 0.006, grid.rows(shown, len(words)), names[shown:], size, last - shown)


def _headings(sheet: Sheet, place: Layout, heads: Names, n: int) -> None:
    """What is shown, and above each head its name and what names its columns."""
    colors, block, top = sheet.colors, n * place.cell_x, float(place.grid.y[0])
    sheet.write(LEFT - 0.006, 10, "<b>weights</b>", 15, anchor="middle left")
    for start, head in zip(place.starts, heads, strict=True):
        sheet.write(start + block / 2, 10, bold(short(head, block * WIDTH, 17)), 17)
        for j, word in enumerate(place.above):
            sheet.write(start + (j + 0.5) * place.cell_x, top - 10, word, NAME, colors.muted)


def _contexts(sheet: Sheet, place: Layout, layer: Attention) -> float:
    """Beneath each head's weights the context that it makes of the last row, large; returns where that ends."""
    colors, n = sheet.colors, layer.scores.shape[2]
    y, block = float(place.grid.y[-1]) + 24, n * place.cell_x
    sheet.write(LEFT - 0.006, y, "<b>context</b>", 15, anchor="middle left")
    for h, start in enumerate(place.starts):
        empty, text = layer.empty[h, -1], context_of(layer, h, -1)
        size = type_size(text, 1.1 * block * WIDTH, LARGE_CONTEXT, NAME)
        sheet.write(start + block / 2, y, bold(text), size, colors.muted if empty else colors.ink)
    return y + 24
