"""One row of attention block by block: the scores that have been read, as bars their exponentials below the largest so far, what each
block multiplies all earlier ones by, and the three numbers that run along."""

from collections.abc import Sequence

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT, RIGHT, PANEL = 0.15, 0.735, 0.78  # where the keys begin and end, and the running numbers begin
SCORES, CELL, TOP, BARS, UNDER = (
    28.0,
    42.0,
    106.0,
    104.0,
    58.0,
)  # pixels: of the scores, above the bars, of a bar of 1, and beneath it
FACTOR = 40.0  # type of what the block that is read multiplies all before it by: the largest of the figure
NAMES = ("largest score so far", "sum of exponentials", "context so far")
SHORT = ("largest", "sum", "context")


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, asked: int | None, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    asked: the one whose correction is asked for; None once all of them may be shown. values: (n, 1), of the keys.
    """
    phone, n, gap = sheet.on_phone(), tiles[-1].stop, 0.01
    left, right = (0.0, 1.0) if phone else (LEFT, RIGHT)
    cell = (right - left - gap * (len(tiles) - 1)) / n
    edges = [left + tile.start * cell + gap * b for b, tile in enumerate(tiles)]
    answered, large = asked is None, at if asked is None else asked
    risen = 0 if answered else max((b for b in range(1, at + 1) if tiles[b].top[0] > tiles[b - 1].top[0]), default=0)
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, SCORES, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= at, bound)
        _bars(sheet, (x, cell), tile, float(tiles[at].top[0]) if b <= at else None, b < risen, answered)
        _correction(sheet, tiles[b - 1] if b else None, tile, (x, x + cell * (tile.stop - tile.start)), (b == large, answered))
    bottom = TOP + BARS
    if large:
        _before(sheet, left, edges[large] - gap, bottom + UNDER / 2 + 2)
    sheet.bar(left, bottom, right, bottom + 1.5, sheet.colors.muted)
    x0, x1 = edges[at], edges[at] + cell * (tiles[at].stop - tiles[at].start)
    sheet.frame(max(x0 - 0.003, 0.001), SCORES - 3, min(x1 + 0.003, 0.999), bottom + 4, sheet.colors.ink, 2)
    numbers = (
        number(tiles[at].top[0]),
        number(tiles[at].total[0], 4),
        logit_text(tiles[at].context[0, 0], values[: tiles[at].stop]),
    )
    if phone:
        for k, (name, text) in enumerate(zip(SHORT, numbers, strict=True)):
            sheet.write(k / 3, bottom + UNDER + 26, name, 14, sheet.colors.muted, "middle right")
            sheet.write(k / 3, bottom + UNDER + 52, bold(text), min(20.0, 100 / (1.07 * ems(text))), anchor="middle right")
        return sheet.figure(bottom + UNDER + 70)
    for y, name in ((SCORES + CELL / 2, "scores"), (TOP + 0.42 * BARS, "exponentials")):
        sheet.write(LEFT - 0.016, y, f"<b>{name}</b>", 16, anchor="middle left")
    sheet.write(LEFT - 0.016, TOP + 0.42 * BARS + 22, "of score − largest", 14, sheet.colors.muted, "middle left")
    for k, (name, text) in enumerate(zip(NAMES, numbers, strict=True)):
        y = SCORES + 16 + k * 84
        large = 30.0 if k == 2 else 22.0
        sheet.write(PANEL, y, name, 16, sheet.colors.muted, "middle right")
        size = min(large, (1 - PANEL) * sheet.wide / (1.07 * ems(text)))
        sheet.write(PANEL, y + 34, bold(text), size, anchor="middle right")
    return sheet.figure(bottom + UNDER + 4)


def _keys(sheet: Sheet, grid: Grid, tile: Tile, words: Sequence[str], read: bool, bound: float) -> None:
    """A block's words and scores; what is not read yet is an outline."""
    colors, pixels = sheet.colors, grid.wide * sheet.wide
    for j, x in enumerate(grid.across.tolist(), tile.start):
        label = short(words[j], pixels - 2, 15) if pixels >= NARROW else str(j + 1)
        if pixels >= 18 or j % 2 == 0:
            sheet.write(x, SCORES - 15, bold(label, read), 15 if pixels >= NARROW else 13, colors.ink if read else colors.muted)
    written = texts(tile.scores[:1], np.ones(tile.scores[:1].shape, bool), sign=True)
    size = min(20.0, pixels / (LETTER * max(3.0, *map(ems, written[0]), *map(len, written[0]))))
    fits = Texts(written, size) if size >= 13 else None
    if read:
        cells(sheet, grid, tile.scores[:1], Scale(colors.scores, -bound, bound), fits, hover=False)
        return
    sheet.line("".join(rectangle(*_inset(grid.box(0, j))) for j in range(tile.stop - tile.start)), colors.line, 1.5, "dot")
    if fits:
        for x, text in zip(grid.across.tolist(), written[0], strict=True):
            sheet.write(x, grid.down[0], text, size, colors.muted)


def _inset(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """A little smaller, so that neighbours have an outline each."""
    return box[0] + 0.001, box[1] + 1, box[2] - 0.001, box[3] - 1


def _bars(sheet: Sheet, where: tuple[float, float], tile: Tile, top: float | None, waits: bool, answered: bool) -> None:
    """The exponentials of a block's scores, below the largest score so far; an outline of 1 for what is not read yet, and a question
    mark in it where what has become of them is asked. where: the left edge, and the width of a key."""
    (x, cell), colors, bottom = where, sheet.colors, TOP + BARS
    boxes = [(x + (j + 0.16) * cell, x + (j + 0.84) * cell) for j in range(tile.stop - tile.start)]
    if top is None or waits:
        path = "".join(rectangle(a, TOP, b, bottom) for a, b in boxes)
        sheet.line(path, colors.muted if waits else colors.line, 1.5, "dash" if waits else "dot")
        for a, b in boxes if waits and cell * sheet.wide >= 14 else ():
            sheet.write((a + b) / 2, TOP + BARS / 2, "<b>?</b>", 24 if cell * sheet.wide >= 30 else 14)
        return
    shares = np.exp(tile.scores[0] - top)
    sheet.bars(
        [(a, bottom - max(1.5, BARS * share), b, bottom) for (a, b), share in zip(boxes, shares, strict=True)], colors.prefill
    )
    for (a, b), share, score in zip(boxes, shares.tolist(), tile.scores[0].tolist(), strict=True):
        said = "1" if share == 1 else e_to(score - top, 2) if share < 0.005 else number(share)
        if ems(said) * 16 <= cell * sheet.wide and (answered or share == 1):  # another power would tell what is asked
            sheet.write((a + b) / 2, bottom - BARS * share - 13, bold(said, share == 1), 16)


def _correction(sheet: Sheet, before: Tile | None, tile: Tile, where: tuple[float, float], how: tuple[bool, bool]) -> None:
    """What a block multiplies all that was summed before it by. how: whether it is the large one, whether it may be said."""
    large, answered = how
    if before is None or not (large or answered):
        return
    jump = float(before.top[0] - tile.top[0])
    text = "?" if not answered else "1" if jump == 0 else e_to(jump, 2)
    loud = large or text != "1"
    size = min(FACTOR if large else 20.0, (where[1] - where[0] + 0.006) * sheet.wide / (1.07 * ems(f"× {text}")))
    if size >= 13:
        y, color = TOP + BARS + UNDER / 2 + 2, sheet.colors.ink if loud else sheet.colors.muted
        sheet.write(sum(where) / 2, y, bold(f"× {text}", loud), size, color)


def _before(sheet: Sheet, left: float, right: float, y: float) -> None:
    """All that was summed before, as an arrow to what it is multiplied by."""
    colors, said = sheet.colors, "all summed before"
    sheet.line(f"M{left:.5f},{y - 10:.2f}L{left:.5f},{y:.2f}L{right:.5f},{y:.2f}", colors.ink, 2)
    sheet.line(
        f"M{right - 7 / sheet.wide:.5f},{y - 6:.2f}L{right:.5f},{y:.2f}L{right - 7 / sheet.wide:.5f},{y + 6:.2f}", colors.ink, 2
    )
    if (right - left) * sheet.wide > ems(said) * 15 + 12:
        sheet.write((left + right) / 2, y - 13, said, 15, colors.muted)
