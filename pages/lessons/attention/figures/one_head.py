"""One head large, as one line of arithmetic: masked scores, weights, the context that they give, and the next word.

The row that is followed is outlined in each map.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.cost.units import rounded
from engine.model import ForwardPass
from engine.toy.by_hand import weights_by_hand
from engine.toy.rules import LITTLE
from pages.lessons.attention.figures.attention_map import STAGES, calmer, future, hidden_score, hovering, row_edges, seen, stages
from pages.lessons.attention.figures.row_ends import contexts, next_word
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.cells import Texts, cells, holes, not_all_zeros, row_names, selectable, texts, write_in
from pages.parts.drawing.grid import Grid, Names
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, short, type_size
from pages.parts.text.digits import in_brackets
from pages.parts.text.format import entered, number

LEFT = 0.085  # of the width have the names of the rows
GAP = 0.022  # of the width, between the weights and the contexts
CONTEXT = 0.12  # of the width have the contexts
NEXT = 0.15  # of the width has the next word
LARGER = 1.25  # so much wider than a map before them are the weights, of which the values are taken
APART = 0.045  # of the width, between the scores and the weights
LEAST = 13.0  # type size, the smallest
TITLE = 17.0  # type size of what a map shows
KEY = 16.0  # type size of the words above its columns, at most
TALLEST = 72.0  # pixels of a row
MOST = 20.0  # type size of numbers
LARGE = 30.0  # type size of the numbers of the row that is followed
NAME = 24.0  # type size of that row's name
HEAD = 50  # pixels above the cells


class Marks(NamedTuple):
    """What a step shows beside the numbers.

    room: pixels of all rows. follow: how many of the weights follow a
    value, and how many were guessed to, once that is answered: "none", "one", "column" or "all"; column: that value's; moved: which
    contexts follow it. supposed: whether it is still asked about. voters: how many heads vote for the next word.
    """

    room: float = 216.0
    follow: tuple[str, str] | tuple[()] = ()
    column: int = 0
    moved: tuple[bool, ...] = ()
    supposed: bool = False
    voters: int = 0


def one_head(
    sheet: Sheet,
    run: ForwardPass,
    words: Names,
    heads: Names,
    selected: tuple[int, int, int],
    next_: NextWord | None = None,
    marks: Marks = Marks(),  # noqa: B008  a tuple
) -> SheetFigure:
    """words: (n,); heads: names. selected: (head, query row, key), whose row is outlined. next_: left out where there is none.

    What the mask hides is a hole; numbers stand in the cells where they can be read.
    """
    layer, (head, query, key) = run.layers[-1], selected
    n = layer.scores.shape[2]
    tall = sheet.row(marks.room, n, 13, TALLEST)
    grids = [Grid(np.linspace(*span, n + 1), row_edges(HEAD, n, tall, query, LEAST)) for span in columns()]
    arrays = [part[head].tobytes() for part in (layer.scores, layer.weights, layer.mask, layer.empty)]
    texts_ = (tuple(words), heads[head], hidden_score(layer), future(layer))
    sheet.draw_once(
        ("one head", *arrays, *texts_, selected, marks.room), lambda: _maps(sheet, layer, words, heads, selected, grids)
    )
    contexts(sheet, layer, (head, query), grids[-1], CONTEXT * WIDTH, marks.moved)
    _follow(sheet, grids[-1], query, marks)
    _values(sheet, layer, head, grids[-1], marks)
    if next_:
        next_word(sheet, next_, grids[-1], NEXT * WIDTH, marks.voters)
    stages_ = STAGES[-len(grids) :]
    grid = selectable(len(grids) - 1, (query, key), stages_, words, [f"{heads[head]}, {word}" for word in words])
    return sheet.figure(float(grids[-1].y[-1]) + 32, min_width=860 if next_ else 700, grid=grid)


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


def _maps(
    sheet: Sheet, layer: Attention, words: Names, heads: Names, selected: tuple[int, int, int], grids: Sequence[Grid]
) -> None:
    """The two maps, of which no value is a part."""
    colors, (head, query, _) = sheet.colors, selected
    part = slice(head, head + 1)
    _titles(sheet, grids, future(layer))
    sheet.write(LEFT - 0.008, 10, f"<b>head {head + 1}</b>", TITLE, anchor="middle left")
    shown = layer.mask[head], seen(layer.mask[head], layer.weights[head])
    if path := "".join(holes(grid, ~cells_shown) for grid, cells_shown in zip(grids, shown, strict=True)):
        sheet.path(path, colors.hole)
    drawn = list(enumerate(stages(layer.scores[head], layer.weights[head], layer.mask[head], colors)))[1:]
    for grid, (stage, (z, scale)) in zip(grids, drawn, strict=True):
        scale = calmer(scale)  # a row’s frame is enough: pale, a 1 has the colour of a half
        cells(sheet, grid, z, scale, None, hovering(stage, layer, words, heads[part], part))
        for written in _numbers(stage, z, layer, head, grid, query):
            write_in(sheet, grid, written, scale.inks(z))
        _key_words(sheet, words, grid)
        sheet.frame(*grid.row(query), colors.ink, 2.5)
    label = min(16.0, max(0.8 * float(np.diff(grids[0].y).min()), LEAST))
    large = type_size(words[query], (LEFT - 0.008) * WIDTH, NAME, label)
    for start, stop, size in ((0, query, label), (query, query + 1, large), (query + 1, len(words), label)):
        strong = 0 if size == large and start == query else None
        row_names(sheet, LEFT - 0.008, grids[0].rows(start, stop), words[start:stop], size, strong)
    sheet.write(grids[-1].x[0] - APART / 2, grids[-1].down[query], "→", 28)  # the way of the row that is followed


def columns() -> list[tuple[float, float]]:
    """Where the masked scores and the weights stand, in shares of the width."""
    block = (1 - LEFT - APART - GAP - CONTEXT - NEXT) / (1 + LARGER)
    return [(LEFT, LEFT + block), (LEFT + block + APART, LEFT + APART + block * (1 + LARGER))]


def _titles(sheet: Sheet, grids: Sequence[Grid], hidden: str) -> None:
    """What each map shows and of what it is made."""
    query, key = (
        f"<span style='color:{color}'>{name}</span>" for name, color in (("query", sheet.colors.query), ("key", sheet.colors.key))
    )
    for grid, title in zip(grids, (f"<b>scores</b>  {query} · {key}", "<b>weights</b>  softmax"), strict=True):
        sheet.write(grid.x[0], 10, title, TITLE, anchor="middle right")
    # Pixels that are left when it is presented.
    room = float(grids[0].x[-1] - grids[0].x[0]) * WIDTH * min(1, ACROSS / WIDTH / sheet.zoom)
    if TITLE * (ems("scores query · key") + ems(hidden) + 0.5) <= room:
        sheet.write(grids[0].x[-1], 10, hidden, TITLE, sheet.colors.muted, "middle left")


def _key_words(sheet: Sheet, words: Names, grid: Grid) -> None:
    """The words above the columns, where there is room."""
    pixels, longest = grid.wide * WIDTH, max(words, key=len)
    room = pixels * min(1, ACROSS / WIDTH / sheet.zoom)  # that is left when it is presented
    size = max(LEAST / sheet.zoom, min(KEY, 0.9 * room / (LETTER * len(longest))))
    if pixels > 30 or short(longest, min(1.12 * pixels, room), max(size, LEAST)) == longest:
        for x, word in zip(grid.across, words, strict=True):
            sheet.write(x, HEAD - 13, short(word, min(1.12 * pixels, room), max(size, LEAST)), size, sheet.colors.muted)


def _numbers(stage: int, z: np.ndarray, layer: Attention, head: int, grid: Grid, query: int) -> list[Texts]:
    """The number in each cell; −∞ where the mask hides a score, "none" in a row without weights. Left out where too small. query: of the
    row that is followed, whose numbers are large, and none stand in what is hidden from another one."""
    mask, empty = layer.mask[head], layer.empty[head]
    words = texts(z, mask if stage == 1 else seen(mask, layer.weights[head]), sign=stage == 1)
    if stage == 2:
        words = not_all_zeros(words, z)
    widest = (grid.wide * WIDTH - 3) / (LETTER * max(2, *map(len, words.ravel())))
    if stage == 2:
        words[empty] = ""
        words[empty & mask[:, 0], 0] = "none"
    of_row = np.arange(len(words)) == query
    if stage == 1:
        words[~mask & of_row[:, None]] = hidden_score(layer)
    written = []
    for rows, most in ((~of_row, MOST), (of_row, LARGE)):
        size = min(most, 0.62 * float(np.diff(grid.y)[rows].min(initial=np.inf)), widest)
        if rows.any() and size >= LEAST - 1:
            written.append(Texts(np.where(rows[:, None], words, ""), size))
    return written


def _values(sheet: Sheet, layer: Attention, head: int, grid: Grid, marks: Marks) -> None:
    """Beneath the weights, the values that they are taken of."""
    colors, values, y = sheet.colors, layer.v[layer.kv_head(head), :, 0], float(grid.y[-1]) + 15
    entries = [f"× {entered(v)}{' → ?' * (marks.supposed and j == marks.column)}" for j, v in enumerate(values)]
    size = min(20.0, (grid.wide * WIDTH - 2) / (LETTER * max(map(len, entries))))
    if size >= LEAST - 1:
        sheet.write_all(grid.across, y, map(bold, entries), size, colors.value)
        if any(marks.moved) or marks.supposed:
            x0, _, x1, _ = grid.box(0, marks.column)
            sheet.frame(x0, y - 12, x1, y + 12, colors.value, 3.0 if marks.supposed else 1.5)


def written_sum(weights: np.ndarray, values: np.ndarray) -> str:
    """What a context is made of, in short: what has less than half a hundredth of the weight is not written, but where it makes a
    hundredth of the context or more of what is there, as “…”; "" where nothing is.

    >>> written_sum(np.array([0.5, 0.5]), np.array([10.0, -4.0])), written_sum(np.array([0.994, 0.006]), np.array([2.5, 2.5]))
    ('= 0.5·10 + 0.5·(−4)', '= 0.994·2.5 + 0.006·2.5')
    >>> written_sum(np.array([0.9966, 0.0034]), np.array([2.5, 2.5])), written_sum(np.array([1.0, 1e-7]), np.array([3.0, 4.0]))
    ('≈ 1·2.5', '= 1·3')
    >>> written_sum(np.array([0.0003, 0.0003]), np.array([10.0, 1.0]))
    ''
    >>> written_sum(np.array([0.0005, 0.49975, 0.49975]), np.array([900.0, 2.0, 5.0]))
    '≈ 0.5·2 + 0.5·5 + …'
    """
    kept, matched = weights >= 0.005, weights_by_hand(weights) > 0
    if not kept.any():
        return ""
    digits = 2 if weights[kept].min() >= 0.1 else 3
    written = np.array([rounded(w, digits) for w in weights.tolist()]) * kept
    terms = [
        f"{number(w, 3)}·{in_brackets(entered(v))}" for w, v in zip(written[kept].tolist(), values[kept].tolist(), strict=True)
    ]
    shown = terms if len(terms) <= 3 else [terms[0], "…", terms[-1]]
    unnamed = abs(float((weights * values)[matched & ~kept].sum()))
    shown = [*shown, *["…"] * bool(unnamed > 0.01 * abs(float(weights[matched] @ values[matched])))]
    off = abs(weights - written)[matched] @ abs(values[matched])  # of what is written
    same = off <= LITTLE * abs(values[matched]).max()
    return f"{'=' if same else '≈'} {' + '.join(shown)}"
