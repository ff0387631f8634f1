"""One row of attention block by block: the scores that have been read, and the running numbers after each block."""

from collections.abc import Sequence

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.cells import Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT, RIGHT = 0.215, 0.985
WORDS, SCORES, CELL, RISE, FIRST, ROW = 14.0, 26.0, 34.0, (94.0, 134.0), 148.0, 30.0
MOST_TILES, MOST_KEYS = 4, 8  # blocks on a phone, and keys in them: the one that is read, and those before it
NAMED, RISE_ON_PHONE = 17.0, (108.0, 138.0)  # pixels of a name above its numbers there, and where the largest score runs
NAMES = (
    "× all summed before", "sum of exponentials", "sum of weighted values", "<b>= context so far</b>",
)  # fmt: skip


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, answered: bool, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    answered: whether the corrections are shown. values: (n, 1), of the keys.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    seen = _seen(tiles, at) if phone else range(len(tiles))
    shown, first, n_block = [tiles[b] for b in seen], tiles[seen[0]].start, tiles[0].stop
    gap, (start, end) = 0.012 if len(shown) > 1 else 0.0, (0.01, 0.99) if phone else (LEFT, RIGHT)
    cell = (end - start - gap * (len(shown) - 1)) / (shown[-1].stop - first)
    edges = {j: start + (j - first) * cell + gap * ((j - first) // n_block) for j in range(first, shown[-1].stop)}
    for j, x in edges.items():
        label = short(words[j], cell * sheet.wide - 2, 13) if cell * sheet.wide >= 34 else str(j + 1)
        sheet.write(x + cell / 2, WORDS, label, 13, colors.muted)
    bottom = _names(sheet)
    where = [(edges[tile.start], edges[tile.stop - 1] + cell) for tile in shown]
    for b, tile, (left, right) in zip(seen, shown, where, strict=True):
        _scores(sheet, tile, left, cell, bound)
        _numbers(sheet, tile, tiles[b - 1] if b else None, (left, right), b == at, answered, values)
        if b == at:
            for y0, y1 in _framed(sheet, bottom):
                sheet.frame(left - 0.003, y0, right + 0.003, y1, colors.ink, 2)
    _rise(sheet, shown, where, at - seen[0])
    return sheet.figure(bottom + 8, min_width=0 if phone else 720)


def _seen(tiles: Sequence[Tile], at: int) -> range:
    """Which blocks a phone has room for: the one that is read, those before it, and behind it where these are few."""
    most = max(1, min(MOST_TILES, MOST_KEYS // tiles[0].stop))
    stop = min(len(tiles), max(at + 1, most))
    return range(max(0, stop - most), stop)


def _names(sheet: Sheet) -> float:
    """What the rows are: before them, on a phone above each; returns where the rows end."""
    if not sheet.phone:
        sheet.write(LEFT - 0.012, SCORES + CELL / 2, "scores", 14.5, anchor="middle left")
        sheet.write(LEFT - 0.012, sum(RISE) / 2, "largest score so far", 14.5, anchor="middle left")
    else:
        sheet.write(0.012, SCORES + CELL + 12, "largest score so far", 13, sheet.colors.muted, "middle right")
    for r, name in enumerate(NAMES):
        at = (0.012, _middle(sheet, r) - 20, name, 13, sheet.colors.muted, "middle right")
        sheet.write(*at if sheet.phone else (LEFT - 0.012, _middle(sheet, r), name, 14.5, None, "middle left"))
    return FIRST + len(NAMES) * (ROW + NAMED * sheet.phone)


def _framed(sheet: Sheet, bottom: float) -> list[tuple[float, float]]:
    """From where to where the block that is read is framed: as one, on a phone its scores and numbers, between which names stand."""
    if not sheet.phone:
        return [(SCORES - 2, bottom + 2)]
    rows = [_middle(sheet, r) for r in range(len(NAMES))]
    return [(SCORES - 2, SCORES + CELL + 2), *((y - 12, y + 13) for y in rows)]


def _middle(sheet: Sheet, row: int) -> float:
    """Where the numbers of a row stand."""
    return FIRST + (row + 0.5) * ROW + (row + 1) * NAMED * sheet.phone


def _rise(sheet: Sheet, tiles: Sequence[Tile], where: Sequence[tuple[float, float]], at: int) -> None:
    """The largest score so far as a line that can only rise, thick as far as the row is read, with its number at each block."""
    colors, tops = sheet.colors, [float(tile.top[0]) for tile in tiles]
    low, high, (up, down) = min(tops), max(tops), RISE_ON_PHONE if sheet.phone else RISE

    def y(top: float) -> float:
        return (up + down) / 2 if high == low else down - (down - up) * (top - low) / (high - low)

    path = ""
    for b, ((left, right), top) in enumerate(zip(where, tops, strict=True)):
        path += f"L{left:.5f},{y(tops[b - 1]):.1f}L{left:.5f},{y(top):.1f}" if b else f"M{left:.5f},{y(top):.1f}"
        path += f"L{right:.5f},{y(top):.1f}"
        if b == at or b == len(tiles) - 1:
            sheet.line(path, colors.ink if b == at else colors.muted, 4 if b == at else 1.5)
        size = min(18.0, (right - left) * sheet.wide / (LETTER * max(3, len(number(top, 2)))))
        sheet.write(
            (left + right) / 2, y(top) - 15, f"<b>{number(top, 2)}</b>", max(size, 13), colors.ink if b <= at else colors.muted
        )


def _scores(sheet: Sheet, tile: Tile, left: float, cell: float, bound: float) -> None:
    """A block's scores."""
    n = tile.stop - tile.start
    grid = Grid.of(left, SCORES, (cell, CELL), (1, n))
    words = texts(tile.scores[:1], np.ones((1, n), bool), sign=True)
    size, least = min(15.0, cell * sheet.wide / (LETTER * max(3, *map(len, words[0])))), 13 if sheet.phone else 12
    written = Texts(words, max(size, least)) if size >= 11 else None
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
        y, last = _middle(sheet, r), r == len(texts) - 1
        room = (where[1] - where[0] + 0.008) * sheet.wide
        size = min(24.0 if last and now else 16.0, room / (LETTER * max(len(text), 1)))
        color = colors.ink if now else colors.muted
        sheet.write(
            middle, y, f"<b>{text}</b>" if last or (now and r == 0) else text, max(size, 13 if sheet.phone else 12), color
        )
