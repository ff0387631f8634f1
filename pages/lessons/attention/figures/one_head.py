"""One head large, as one line of arithmetic: scores, masked scores, weights, the context that they give, and the next word.

context = softmax(Q Kᵀ / √d) V, with every factor above the cells that it makes. The row that is followed is outlined in each map.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.experiments.rows import largest_values
from engine.model import ForwardPass
from engine.toy.rules import LITTLE
from pages.lessons.attention.figures.attention_map import STAGES, future, hidden_score, hovering, seen, stages
from pages.lessons.attention.figures.cell_way import cells_followed, draw_way, inks, mute
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.cells import Texts, cells, holes, row_names, selectable, texts, write_in
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.next_word import NextWord, next_word
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, plain, short
from pages.parts.text.digits import context_text, in_brackets
from pages.parts.text.format import entered, number

LEFT, GAP, CONTEXT, NEXT = 0.085, 0.022, 0.105, 0.185  # shares: row labels, between two maps, contexts, the next word
LARGER = 1.25  # so much wider than the two maps before them are the weights, of which the values are taken
LEAST = 13.0  # type size
HEAD = 50  # pixels above the cells
Sum = tuple[str, tuple[str, ...]]  # with its numbers, and the rule in words: in many, in fewer


class Marks(NamedTuple):
    """What a step shows beside the numbers.

    cell: the selected cell and the way that its number goes. made: how the selected cell's score and its weight come about, beneath
    their maps. room: pixels of all rows. follow: how many of the weights follow a value, and how many were guessed to, once that is
    answered: "none", "one", "column" or "all"; column: that value's; moved: which contexts follow it.
    """

    cell: bool = False
    made: tuple[Sum, ...] = ()
    room: float = 216.0
    follow: tuple[str, str] | tuple[()] = ()
    column: int = 0
    moved: tuple[bool, ...] = ()


def one_head(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    selected: tuple[int, int, int],
    next_: NextWord | None = None,
    marks: Marks = Marks(),  # noqa: B008  a tuple
) -> SheetFigure:
    """words: (n,); heads: names. selected: (head, query row, key), whose row is outlined. next_: left out where there is none.

    What the mask hides is a hole; numbers stand in the cells where they can be read.
    """
    layer, (head, query, key) = run.layers[-1], selected
    n = layer.scores.shape[2]
    tall = sheet.row(marks.room, n, 13, 72)
    grids = [Grid.of(left, HEAD, ((right - left) / n, tall), (n, n)) for left, right in columns(next_ is not None)]
    arrays = [part[head].tobytes() for part in (layer.scores, layer.weights, layer.mask, layer.empty)]
    texts_ = (tuple(words), heads[head], hidden_score(layer), future(layer))
    sheet.draw_once(
        ("one head", *arrays, *texts_, selected, next_ is None, marks.cell, marks.room),
        lambda: _maps(sheet, layer, words, heads, selected, grids, marks.cell),
    )
    _contexts(sheet, layer, head, query, grids[2], marks.moved)
    _follow(sheet, grids[2], query, marks)
    bottom = float(grids[2].y[-1])
    write_made(sheet, marks.made, [(grid.x[0], bottom + 16, (grid.x[-1] - grid.x[0] + GAP / 2) * WIDTH) for grid in grids])
    _values(sheet, layer, head, grids[2], marks)
    if next_:
        shown = next_.likeliest(max(3, int((bottom - 28) / 21)))
        next_word(sheet, shown, 1 - NEXT + 0.02, min(100.0, (bottom - 28) / len(shown.words)), size=15)
    grid = selectable(2, (query, key), STAGES, words, [f"{heads[head]}, {word}" for word in words])
    return sheet.figure(bottom + (44 if marks.made else 30), min_width=860 if next_ else 700, grid=grid)


def _follow(sheet: Sheet, grid: Grid, query: int, marks: Marks) -> None:
    """Which of the weights follow a value, and which were guessed to; none has no place, and is said above them."""
    column = grid.columns(marks.column, marks.column + 1)
    boxes = {"one": column.rows(query, query + 1).edges, "column": column.edges, "all": grid.edges}
    for some in dict.fromkeys(marks.follow):
        right, guessed = (some == known for known in marks.follow)
        if some in boxes:
            yours = boxes[some][2] + 4 / WIDTH, float(grid.y[0]) - 11, "middle right"
            outline(sheet, boxes[some], right, guessed, yours if some == "all" else None, "yours" if some == "all" else "")
        else:
            said = f"{'✓ ' * right}none{' changes' * right}{f', {YOURS}' * (guessed and not right)}"
            sheet.write(grid.x[-1], 10, bold(said, right), 13.5, sheet.colors.ink if right else sheet.colors.muted, "middle left")


def write_made(sheet: Sheet, made: Sequence[Sum], places: Sequence[tuple[float, float, float]]) -> None:
    """Of each number its sum, and beneath it the rule, in as many words as there is room for. places: (x, y, pixels) of each."""
    for (x, y, room), (sum_, rules) in zip(places, made, strict=False):
        size = min(16.0, room / (1.04 * ems(sum_)))
        if size >= LEAST - 1:
            sheet.write(x, y, f"<b>{plain(sum_)}</b>", size, anchor="middle right")
        grows = 1.4 if sheet.presented else 1
        if fits := next((rule for rule in rules if grows * ems(rule) * LEAST <= room), ""):
            sheet.write(x, y + 19, plain(fits), LEAST, sheet.colors.muted, "middle right")


def _maps(
    sheet: Sheet,
    layer: Attention,
    words: Sequence[str],
    heads: Sequence[str],
    selected: tuple[int, int, int],
    grids: Sequence[Grid],
    of_cell: bool,
) -> None:
    """The three maps, of which no value is a part. of_cell: whether the selected cell’s way is drawn."""
    colors, (head, query, key) = sheet.colors, selected
    part = slice(head, head + 1)
    _titles(sheet, grids, future(layer), of_cell)
    sheet.write(LEFT - 0.008, 10, f"<b>head {head + 1}</b>", 15, anchor="middle left")
    shown = layer.mask[head], seen(layer.mask[head], layer.weights[head])
    if path := "".join(holes(grid, ~cells_shown) for grid, cells_shown in zip(grids[1:], shown, strict=True)):
        sheet.path(path, colors.hole)
    there = (
        cells_followed(len(words), query, key) if of_cell else np.ones_like(layer.mask[head])
    )  # a row’s frame is enough: pale, a 1 has the colour of a half
    for stage, (z, scale) in enumerate(stages(layer.scores[head], layer.weights[head], layer.mask[head], colors)):
        grid = grids[stage]
        cells(sheet, grid, z, scale, None, hovering(stage, layer, words, heads[part], part))
        if written := _numbers(stage, z, layer, head, grid):
            write_in(sheet, grid, written, inks(colors, scale, z, there))
        _key_words(sheet, words, key, grid, colors.key if of_cell and not stage else colors.ink)
        sheet.frame(*(grid.box(query, key) if of_cell else grid.row(query)), colors.ink, 4.0 if of_cell else 2.5)
    mute(sheet, grids, there)
    if of_cell:
        draw_way(sheet, grids, (query, key), bool(layer.mask[head, query, key]))
    label = min(16.0, max(0.8 * grids[0].tall, LEAST))
    row_names(sheet, LEFT - 0.008, grids[0], words, label, query, colors.query if of_cell else colors.ink)
    for grid in grids[1:] if not of_cell else ():  # the way of the row that is followed
        sheet.write(grid.x[0] - GAP / 2, grid.down[query], "→", 17)


def columns(with_next: bool = True) -> list[tuple[float, float]]:
    """Where scores, masked scores and weights stand, in shares of the width. with_next: whether the next word stands beside them."""
    block = (1 - LEFT - 3 * GAP - CONTEXT - NEXT * with_next) / (2 + LARGER)
    starts = LEFT + np.arange(3) * (block + GAP)
    return [(left, left + block * wide) for left, wide in zip(starts.tolist(), (1, 1, LARGER), strict=True)]


def _titles(sheet: Sheet, grids: Sequence[Grid], hidden: str, formula: bool) -> None:
    """What each map shows and of what it is made; where a cell is followed, the factors of softmax(Q Kᵀ / √d) V."""

    def tinted(text: str, color: str) -> str:
        return f"<span style='color:{color}'>{text}</span>"

    colors = sheet.colors
    query, key, rest = ("Q", "Kᵀ", " / √d") if formula else ("query ·", "key", "")
    score = f"{tinted(query, colors.query)} {tinted(key, colors.key)}{rest}"
    for k, (grid, name, factor) in enumerate(zip(grids, STAGES, (score, hidden, "softmax"), strict=True), 1):
        sheet.write(grid.x[0], 10, f"<b>{f'{k} ' * formula}{name}</b>  {factor}", 15, anchor="middle right")
    values = f" · {tinted('V', colors.value)}" if formula else ""
    sheet.write(grids[2].x[-1] + 0.014, 10, f"<b>{'4 ' * formula}context</b>{values}", 15, anchor="middle right")


def _key_words(sheet: Sheet, words: Sequence[str], key: int, grid: Grid, selected: str) -> None:
    """The words above the columns, or that of the selected one where there is no room for all."""
    pixels, longest = grid.wide * WIDTH, max(map(len, words))
    room = pixels * min(1, ACROSS / WIDTH / sheet.zoom)  # that is left when it is presented
    fits = pixels > 30 or pixels / (LETTER * max(longest, 3)) >= LEAST * 0.82
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        strong = j == key
        if fits:
            size = max(LEAST / sheet.zoom, min(12.5, 0.9 * room / (LETTER * longest)))
            name, roomy = short(word, 1.12 * pixels, size), LETTER * len(word) * size < 0.9 * pixels
            sheet.write(x, HEAD - 13, bold(name, strong and roomy), size, selected if strong else sheet.colors.muted)
        elif strong:
            sheet.write(x, HEAD - 13, short(word, 60, LEAST), LEAST, selected)


def _numbers(stage: int, z: np.ndarray, layer: Attention, head: int, grid: Grid) -> Texts | None:
    """The number in each cell; −∞ where the mask hides a score, "none" in a row without weights. Left out where too small."""
    mask, empty = layer.mask[head], layer.empty[head]
    words = texts(z, (np.ones_like(mask), mask, seen(mask, layer.weights[head]))[stage], sign=stage < 2)
    size = min(18.0, 0.62 * grid.tall, (grid.wide * WIDTH - 3) / (LETTER * max(2, *map(len, words.ravel()))))
    if stage == 1:
        words[~mask] = hidden_score(layer)
    elif stage == 2:
        words[empty] = ""
        words[empty & mask[:, 0], 0] = "none"
    return Texts(words, size) if size >= LEAST - 1 else None


def _contexts(sheet: Sheet, layer: Attention, head: int, query: int, grid: Grid, moved: Sequence[bool]) -> None:
    """This head's context of each row, the row that is followed large. moved: which of them follow a value."""
    colors, x, largest = sheet.colors, grid.x[-1] + 0.018, largest_values(layer)
    for i, context in enumerate(layer.context[head, :, 0]):
        strong, empty, follows = i == query, layer.empty[head, i], bool(moved) and moved[i]
        text = "none" if empty else context_text(context, largest[head, i])
        size = min(
            34.0 if strong else 16.0, max(0.85 * grid.tall, LEAST), max(LEAST, (CONTEXT - 0.02) * WIDTH / (LETTER * len(text)))
        )
        sheet.write(
            x,
            grid.down[i],
            bold(text, strong or follows),
            size,
            colors.value if follows else colors.ink if strong and not empty else colors.muted,
            "middle right",
        )
        if follows and grid.tall >= 2.5 * LEAST:
            sheet.write(x, grid.down[i] + 0.5 * (size + 19), "<b>follows</b>", 16, colors.value, "middle right")


def _values(sheet: Sheet, layer: Attention, head: int, grid: Grid, marks: Marks) -> None:
    """Beneath the weights the values that they are taken of."""
    colors, values, y = sheet.colors, layer.v[layer.kv_head(head), :, 0], float(grid.y[-1]) + 15
    entries = [f"× {entered(v)}" for v in values]
    size = min(16.0, (grid.wide * WIDTH - 2) / (LETTER * max(map(len, entries))))
    if size >= LEAST - 1:
        sheet.write_all(grid.across, y, map(bold, entries), size, colors.value)
        if any(marks.moved):
            at = grid.columns(marks.column, marks.column + 1)
            sheet.frame(float(at.x[0]), y - 12, float(at.x[1]), y + 12, colors.value, 1.5)


def written_sum(weights: np.ndarray, values: np.ndarray) -> str:
    """What a context is made of, in short: what has less than half a hundredth of the weight is not written; "" where nothing is.

    >>> written_sum(np.array([0.5, 0.5]), np.array([10.0, -4.0])), written_sum(np.array([0.994, 0.006]), np.array([2.5, 2.5]))
    ('= 0.5·10 + 0.5·(−4)', '≈ 0.99·2.5 + 0.01·2.5')
    >>> written_sum(np.array([0.9966, 0.0034]), np.array([2.5, 2.5])), written_sum(np.array([1.0, 1e-7]), np.array([3.0, 4.0]))
    ('≈ 1·2.5', '= 1·3')
    """
    kept = [(w, v) for w, v in zip(weights.tolist(), values.tolist(), strict=True) if w >= 0.005]
    terms = [f"{number(w)}·{in_brackets(entered(v))}" for w, v in kept]
    shown = terms if len(terms) <= 3 else [terms[0], "…", terms[-1]]
    off = abs(weights - np.where(weights >= 0.005, weights.round(2), 0)) @ abs(values)  # of what is written
    return f"{'=' if off <= LITTLE * abs(values).max() else '≈'} {' + '.join(shown)}" if terms else ""
