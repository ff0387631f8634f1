"""One row of attention block by block: the scores that have been read, and the running numbers after each block."""

from collections.abc import Sequence

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.cells import Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT, RIGHT = 0.215, 0.985
WORDS, SCORES, CELL, RISE, FIRST, ROW = 14.0, 26.0, 34.0, (94.0, 134.0), 148.0, 30.0
NAMES = (
    "× all summed before", "sum of exponentials", "sum of weighted values", "<b>= context so far</b>",
)  # fmt: skip


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, answered: bool, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    answered: whether the corrections are shown. values: (n, 1), of the keys.
    """
    colors = sheet.colors
    n, n_block = len(words), tiles[0].stop
    gap = 0.012 if len(tiles) > 1 else 0.0
    cell = (RIGHT - LEFT - gap * (len(tiles) - 1)) / n
    edges = [LEFT + j * cell + gap * (j // n_block) for j in range(n)]
    for j, word in enumerate(words):
        label = short(word, cell * WIDTH - 2, 13) if cell * WIDTH >= 34 else str(j + 1)
        sheet.write(edges[j] + cell / 2, WORDS, label, 13, colors.muted)
    sheet.write(LEFT - 0.012, SCORES + CELL / 2, "scores", 14.5, anchor="middle left")
    sheet.write(LEFT - 0.012, sum(RISE) / 2, "largest score so far", 14.5, anchor="middle left")
    for r, name in enumerate(NAMES):
        sheet.write(LEFT - 0.012, FIRST + (r + 0.5) * ROW, name, 14.5, anchor="middle left")
    for b, tile in enumerate(tiles):
        left, right = edges[tile.start], edges[tile.stop - 1] + cell
        _scores(sheet, tile, left, cell, bound)
        _numbers(sheet, tile, tiles[b - 1] if b else None, (left, right), b == at, answered, values)
        if b == at:
            sheet.frame(left - 0.003, SCORES - 2, right + 0.003, FIRST + len(NAMES) * ROW + 2, colors.ink, 2)
    _rise(sheet, tiles, [(edges[tile.start], edges[tile.stop - 1] + cell) for tile in tiles], at)
    return sheet.figure(FIRST + len(NAMES) * ROW + 8, min_width=720)


def _rise(sheet: Sheet, tiles: Sequence[Tile], where: Sequence[tuple[float, float]], at: int) -> None:
    """The largest score so far as a line that can only rise, thick as far as the row is read, with its number at each block."""
    colors, tops = sheet.colors, [float(tile.top[0]) for tile in tiles]
    low, high = min(tops), max(tops)

    def y(top: float) -> float:
        return sum(RISE) / 2 if high == low else RISE[1] - (RISE[1] - RISE[0]) * (top - low) / (high - low)

    path = ""
    for b, ((left, right), top) in enumerate(zip(where, tops, strict=True)):
        path += f"L{left:.5f},{y(tops[b - 1]):.1f}L{left:.5f},{y(top):.1f}" if b else f"M{left:.5f},{y(top):.1f}"
        path += f"L{right:.5f},{y(top):.1f}"
        if b == at or b == len(tiles) - 1:
            sheet.line(path, colors.ink if b == at else colors.muted, 4 if b == at else 1.5)
        size = min(18.0, (right - left) * WIDTH / (LETTER * max(3, len(number(top, 2)))))
        sheet.write(
            (left + right) / 2, y(top) - 15, f"<b>{number(top, 2)}</b>", max(size, 13), colors.ink if b <= at else colors.muted
        )


def _scores(sheet: Sheet, tile: Tile, left: float, cell: float, bound: float) -> None:
    """A block's scores."""
    n = tile.stop - tile.start
    grid = Grid.of(left, SCORES, (cell, CELL), (1, n))
    words = texts(tile.scores[:1], np.ones((1, n), bool), sign=True)
    size = min(15.0, cell * WIDTH / (LETTER * max(3, *map(len, words[0]))))
    written = Texts(words, max(size, 12)) if size >= 11 else None
    cells(sheet, grid, tile.scores[:1], Scale(sheet.colors.scores, -bound, bound), written, hover=False)


def _numbers(
    sheet: Sheet, tile: Tile, before: Tile | None, where: tuple[float, float], now: bool, answered: bool, values
) -> None:
    """The running numbers after a block, as a column beneath it."""
    colors, middle = sheet.colors, sum(where) / 2
    jump = 0.0 if before is None else float(before.top[0] - tile.top[0])
    correction = "–" if before is None else "?" if not answered else "1" if jump == 0 else e_to(jump, 2)
    sums = (number(tile.total[0], 4), *(logit_text(x[0, 0], values[: tile.stop]) for x in (tile.summed, tile.context)))
    texts = (correction, *sums)
    for r, text in enumerate(texts):
        y, last = FIRST + (r + 0.5) * ROW, r == len(texts) - 1
        size = min(24.0 if last and now else 16.0, (where[1] - where[0] + 0.008) * WIDTH / (LETTER * max(len(text), 1)))
        color = colors.ink if now else colors.muted
        sheet.write(middle, y, f"<b>{text}</b>" if last or (now and r == 0) else text, max(size, 12), color)
