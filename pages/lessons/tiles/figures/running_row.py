"""One row of attention block by block: the scores that have been read, and beneath them what runs along: the sum of their exponentials
before a block, a piece for each key, and the same below the largest score of now, with this block's pieces behind it. What is left of
the sum before may end anywhere while that is asked; what the block adds is seen from the start."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.answers import may_end_anywhere
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT, RIGHT, PHONE_RIGHT = 0.165, 0.9, 0.8  # where the keys begin; where the longest block ends, the sum behind it
SCORES, CELL = 72.0, 40.0  # pixels: above the scores, of them
STRIP, WEDGE, GAP = 68.0, 52.0, 26.0  # of a sum, between the two, and between them and the scores
NAME = 30.0  # of what a sum is, above it on a phone
TOTAL, FACTOR, PIECE = 26.0, 30.0, 17.0  # type sizes of a sum, of what it is multiplied by, and of a key in it
PALE = 0.4  # what is left of the colour of what was summed before


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, asked: int | None, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    asked: the one whose correction is asked for; None once all of them may be shown. values: (n, 1), of the keys.
    """
    phone, n, gap = sheet.on_phone(), tiles[-1].stop, 0.01
    left = 0.0 if phone else LEFT
    cell = (1 - left - gap * (len(tiles) - 1)) / n
    edges = [left + tile.start * cell + gap * b for b, tile in enumerate(tiles)]
    headline(sheet, _large(tiles, at, values, asked))
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, SCORES, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= at, bound)
    end = edges[at] + cell * (tiles[at].stop - tiles[at].start)
    sheet.frame(max(edges[at] - 0.003, 0.001), SCORES - 3, min(end + 0.003, 0.999), SCORES + CELL + 3, sheet.colors.ink, 2)
    if not phone:
        sheet.write(LEFT - 0.016, SCORES + CELL / 2, "<b>scores</b>", 17, anchor="middle left")
    return sheet.figure(_summed(sheet, tiles, at, words, asked, left) + 6)


def _waits(b: int, asked: int | None) -> bool:
    """Whether what is summed with a block waits for the answer: from the one that is asked on."""
    return asked is not None and 0 < asked <= b


def _factor(tiles: Sequence[Tile], b: int) -> str:
    """What all before a block is multiplied by."""
    jump = float(tiles[b - 1].top[0] - tiles[b].top[0])
    return "× 1" if jump == 0 else f"× {e_to(jump, 2)}"


def _large(tiles: Sequence[Tile], at: int, values: np.ndarray, asked: int | None) -> str:
    """The headline: by what the sums before are multiplied; of the first block, and at the end, the context."""
    tile = tiles[at]
    if _waits(at, asked):
        before, now = (float(tiles[b].top[0]) for b in (at - 1, at))
        was = "still" if before == now else f"{number(before)}, now"
        return f"Largest score: {was} {number(now)}"
    context = logit_text(tile.context[0, 0], values[: tile.stop])
    if at + 1 == len(tiles):
        return f"Whole row read: context {context}"
    return f"What was summed before: {_factor(tiles, at)}" if at else f"Keys read: {tile.stop}, context {context}"


def _summed(sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], asked: int | None, left: float) -> float:
    """The sum before this block, up to a line that is the same for all blocks; beneath it what is left of each of its pieces, and behind
    the line this block's; all to one scale. Returns where they end."""
    colors, (above, right) = sheet.colors, (NAME, PHONE_RIGHT) if sheet.phone else (0.0, RIGHT)
    most = max((float(tile.total[0]) for tile in tiles[:-1]), default=0.0)
    unit = (right - left) / (most + max(_added(tiles, b) for b in range(len(tiles))))
    line, before = left + unit * most, SCORES + CELL + GAP + above
    after, new = before + STRIP + WEDGE + above, tiles[at].start
    ends = _piece_ends(tiles, at, new, line, unit)
    _name(sheet, after, tiles[at], "with this block", True)
    if at:
        _name(sheet, before, tiles[at - 1], "summed before", False)
        _carried_over(sheet, tiles, at, words, asked, (line, left, unit, before, after - above))
    if hidden := _waits(at, asked):
        may_end_anywhere(sheet, (line, after, left, after + STRIP), faded(colors, colors.prefill, PALE))
    _pieces(sheet, ends[new if hidden else 0 :], after, words[new if hidden else 0 :], 0 if hidden else new)
    if not hidden:
        _total(sheet, ends[-1], after, tiles[at], True)
    return after + STRIP


def _carried_over(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], asked: int | None, place: tuple[float, ...]
) -> None:
    """What was summed before, and on its way to what is left of it, by what it is multiplied. place: where it ends, and the longest
    begins, its scale, and from where on down the way goes, and up to where."""
    colors, (line, left, unit, before, low) = sheet.colors, place
    new, high, waits = tiles[at].start, before + STRIP, _waits(at, asked)
    old, kept = (_piece_ends(tiles, b, new, line, unit)[: new + 1] for b in (at - 1, at))
    if _waits(at - 1, asked):
        may_end_anywhere(sheet, (line, before, left, high), faded(colors, colors.prefill, PALE))
    else:
        _pieces(sheet, old, before, words, new)
        _total(sheet, line, before, tiles[at - 1], False)
    if not waits:
        sheet.path(
            f"M{old[0]:.5f},{high:.1f}L{line:.5f},{high:.1f}L{line:.5f},{low:.1f}L{kept[0]:.5f},{low:.1f}Z",
            faded(colors, colors.prefill, 0.12),
        )
        ways = "".join(f"M{a:.5f},{high:.1f}L{b:.5f},{low:.1f}" for a, b in zip(old, kept, strict=True))
        sheet.line(ways, colors.muted, 1.2)
    text, x = "× ?" if waits else _factor(tiles, at), line + 14 / sheet.wide
    size = FACTOR if not waits else 1.5 * FACTOR
    x = min(x, 1 - 1.1 * size * ems(text) / sheet.wide)
    sheet.write(x, (high + low) / 2, bold(text), size, anchor="middle right")


def _added(tiles: Sequence[Tile], b: int) -> float:
    """What a block adds to the sum."""
    return float(np.exp(tiles[b].scores[0] - tiles[b].top[0]).sum())


def _name(sheet: Sheet, y: float, tile: Tile, name: str, strong: bool) -> None:
    """What a sum is, at its left, on a phone above it."""
    colors, largest = sheet.colors, f"largest score {number(tile.top[0])}"
    ink = colors.ink if strong else colors.muted
    if sheet.phone:
        sheet.write(0, y - 14, f"{bold(name, strong)}, {largest}", 15, ink, "middle right")
    else:
        sheet.write(LEFT - 0.016, y + STRIP / 2 - 11, bold(name, strong), 17, ink, "middle left")
        sheet.write(LEFT - 0.016, y + STRIP / 2 + 12, largest, 15, colors.muted, "middle left")


def _total(sheet: Sheet, x: float, y: float, tile: Tile, strong: bool) -> None:
    """A sum's number, behind it."""
    said, ink = bold(number(tile.total[0], 3), strong), sheet.colors.ink if strong else sheet.colors.muted
    sheet.write(x + 8 / sheet.wide, y + STRIP / 2, said, TOTAL, ink, "middle right")


def _piece_ends(tiles: Sequence[Tile], b: int, n_before: int, line: float, unit: float) -> list[float]:
    """Where the exponentials of all keys that are read begin, one behind the other, and where the last one ends; so many of them end at
    the line."""
    scores = np.concatenate([tile.scores[0] for tile in tiles[: b + 1]])
    sums = unit * np.cumsum([0.0, *np.exp(scores - tiles[b].top[0])])
    return (line - sums[n_before] + sums).tolist()


def _pieces(sheet: Sheet, ends: Sequence[float], y: float, words: Sequence[str], new: int) -> None:
    """A sum, a piece for each key; from the key `new` on they are this block's."""
    colors, thin = sheet.colors, 2 / sheet.wide
    for j, (a, b) in enumerate(pairwise(ends)):
        color = colors.prefill if j >= new else faded(colors, colors.prefill, PALE)
        sheet.bar(a, y, max(b - (thin if b - a > 3 * thin else 0.0), a + 0.5 * thin), y + STRIP, color)
        room = (b - a) * sheet.wide - 14
        size = min(PIECE, room / (1.1 * max(1.0, ems(words[j]))))
        if size >= 13 or room >= NARROW:
            sheet.write(
                (a + b - thin) / 2, y + STRIP / 2, bold(short(words[j], room, max(size, 13))), max(size, 13), ink_on(color)
            )


def _keys(sheet: Sheet, grid: Grid, tile: Tile, words: Sequence[str], read: bool, bound: float) -> None:
    """A block's words and scores; what is not read yet is an outline."""
    colors, pixels = sheet.colors, grid.wide * sheet.wide
    for j, x in enumerate(grid.across.tolist(), tile.start):
        label = short(words[j], pixels - 2, 16) if pixels >= NARROW else str(j + 1)
        if pixels >= 18 or j % 2 == 0:
            sheet.write(x, SCORES - 15, bold(label, read), 16 if pixels >= NARROW else 13, colors.ink if read else colors.muted)
    written = texts(tile.scores[:1], np.ones(tile.scores[:1].shape, bool), sign=True)
    size = min(20.0, pixels / (LETTER * max(3.0, *map(ems, written[0]), *map(len, written[0]))))
    fits = Texts(written, size) if size >= 13 else None
    if read:
        cells(sheet, grid, tile.scores[:1], Scale(colors.scores, -bound, bound), fits, hover=False)
        return
    boxes = (grid.box(0, j) for j in range(tile.stop - tile.start))
    sheet.line("".join(rectangle(x0 + 0.001, y0 + 1, x1 - 0.001, y1 - 1) for x0, y0, x1, y1 in boxes), colors.line, 1.5, "dot")
    if fits:
        for x, text in zip(grid.across.tolist(), written[0], strict=True):
            sheet.write(x, grid.down[0], text, size, colors.muted)
