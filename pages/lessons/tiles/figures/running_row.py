"""One row of attention block by block: the sum of exponentials before a block, beneath it the sum with it, as one bar that begins at the
same edge: what is left of the old one, below the largest score of now, and behind it the block's, which stands above its scores. While it
is asked what is left, a bar for each length that it may have stands there."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Grid, Names, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, bold_ems, ems, rectangle, short, type_size
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

SPAN = 0.84  # of the width have the longest sum and the longest block together, at most
PHONE_SPAN = 0.74
GAP = 0.01  # of the width, between two blocks of the row
STRIP = 50.0  # pixels of a bar
WEDGE = 66.0  # pixels from the bar before a block down to the bar with it
BAND = 34.0  # pixels from there to the scores
CELL = 36.0  # pixels of the scores
RIVAL = 34.0  # pixels of a length that a sum may have
PITCH = 42.0  # pixels from one such length to the next
ABOVE = 12.0  # pixels above the first of them
NAME = 17.0  # type size of what a bar is
TOTAL = 30.0  # type size of a sum
FACTOR = 36.0  # type size of what is left of the old sum
PIECE = 18.0  # type size of a word in its part of a bar, at most
MAY = 22.0  # type size of a length that a sum may have
PALE, PALER = 0.4, 0.15  # what is left of the colour of what was summed before, and of its way to what is left of it
FAR = 50.0  # a power of e from which on a bar is beyond every edge


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Names, bound: float, values: np.ndarray, asked: tuple[int, float, Asked]
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours; values: (n, 1),
    of the keys.

    asked: the block whose correction is asked for, from 0, the power of e by which what was summed before it may grow or shrink, and how it
    is asked: it grows, stays or shrinks. Until that is known the figure waits there.
    """
    sheet.on_phone()
    block, power, question = asked
    waits, read = not question.known and 0 < block <= at, at
    at = block if waits else at
    top = headline(sheet, *_large(tiles, at, values, waits)) + 28
    longest = max(float(tile.total[0]) for tile in tiles[:-1] or tiles)
    longest += max([sum(_exponentials(tile, tile)) for tile in tiles[1:]], default=0.0)
    unit = (PHONE_SPAN if sheet.phone else SPAN) / longest
    now, scores = top + STRIP + WEDGE, top + 2 * STRIP + WEDGE + BAND
    old = [x for tile in tiles[:at] for x in _exponentials(tile, tiles[at - 1])]
    _name(sheet, top - 14, "summed before", f"largest score {number(tiles[at - 1].top[0])}" if at else "")
    _pieces(sheet, unit, top, (0.0, *old), words, faded(sheet.colors, sheet.colors.prefill, PALE))
    _total(sheet, unit * sum(old), top, float(tiles[at - 1].total[0]) if at else 0.0)
    cell = (1 - GAP * (len(tiles) - 1)) / tiles[-1].stop
    edges = [tile.start * cell + GAP * b for b, tile in enumerate(tiles)]
    ends = edges[at], edges[at] + cell * (tiles[at].stop - tiles[at].start)
    if waits:
        _rivals(sheet, unit * sum(old), top + STRIP + ABOVE, power, question)
    else:
        _summed(sheet, unit, now, tiles[: at + 1], words, ends)
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, scores, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= read, bound)
    sheet.frame(max(ends[0] - 0.003, 0.001), scores - 3, min(ends[1] + 0.003, 0.999), scores + CELL + 3, sheet.colors.ink, 2)
    return sheet.figure(scores + CELL + 30)


def _exponentials(tile: Tile, now: Tile) -> list[float]:
    """What a block's keys add, below the largest score of a later one."""
    return np.exp(tile.scores[0] - now.top[0]).tolist()


def _factor(power: float) -> str:
    """What a sum is multiplied by."""
    return f"× {e_to(power, 2)}" if power else "× 1"


def _large(tiles: Sequence[Tile], at: int, values: np.ndarray, waits: bool) -> tuple[str, str | None]:
    """The headline, and a shorter one: what comes while that is asked, then by what the sums before are multiplied; of the first block,
    and at the end, the context."""
    tile, jump = tiles[at], float(tiles[at - 1].top[0] - tiles[at].top[0]) if at else 0.0
    if waits:
        larger = "A larger score" if jump else "No larger score"
        return f"{larger} comes: what becomes of the sum so far?", "What becomes of the sum?"
    context = logit_text(tile.context[0, 0], values[: tile.stop])
    if at + 1 == len(tiles):
        return f"Whole row read: context {context}", None
    return f"What was summed before: {_factor(jump)}" if at else f"Keys read: {tile.stop}, context {context}", None


def _summed(sheet: Sheet, unit: float, y: float, tiles: Sequence[Tile], words: Names, ends: tuple[float, float]) -> None:
    """What is left of each piece of the sum before the last block, and behind that this block's: one bar. ends: of the block's scores."""
    colors, (*earlier, tile) = sheet.colors, tiles
    pale, paler = (faded(colors, colors.prefill, share) for share in (PALE, PALER))
    kept, added = [x for one in earlier for x in _exponentials(one, tile)], _exponentials(tile, tile)
    joint, end = unit * sum(kept), unit * (sum(kept) + sum(added))
    low, under = y + STRIP, y + STRIP + BAND - 4
    sheet.path(f"M{joint:.5f},{low:.1f}L{end:.5f},{low:.1f}L{ends[1]:.5f},{under:.1f}L{ends[0]:.5f},{under:.1f}Z", paler)
    _pieces(sheet, unit, y, (0.0, *kept), words, pale)
    _pieces(sheet, unit, y, (sum(kept), *added), words[tile.start :], colors.prefill)
    _total(sheet, end, y, float(tile.total[0]))
    if earlier:
        old, high = unit * float(earlier[-1].total[0]), y - WEDGE
        sheet.path(f"M0,{high:.1f}L{old:.5f},{high:.1f}L{joint:.5f},{y:.1f}L0,{y:.1f}Z", paler)
        x, jump = max(old, (old + joint) / 2) + 14 / sheet.wide, float(earlier[-1].top[0] - tile.top[0])
        said, size = _factor(jump), 28.0 if sheet.phone else FACTOR
        size = type_size(said, (1 - x) * sheet.wide, size)
        sheet.write(x, high + 0.36 * WEDGE, bold(said), size, anchor="middle right")
        largest = f"largest score {number(tile.top[0])}"
        sheet.write(x, high + 0.82 * WEDGE, largest, 15 if sheet.phone else NAME, anchor="middle right")


def _rivals(sheet: Sheet, old: float, top: float, power: float, asked: Asked) -> None:
    """A bar for each length that the sum before may have, which can be pressed; one beyond the edge is open there."""
    size = 17.0 if sheet.phone else MAY
    for k, times in enumerate((power, 0.0, -power)):
        end, y = old * float(np.exp(min(times, FAR))), top + k * PITCH
        beyond, low = end > 1, y + RIVAL
        end = 1.0 if beyond else max(end, 3 / sheet.wide)
        sheet.bar(0, y, end, low, faded(sheet.colors, sheet.colors.prefill, PALER))
        way = (
            f"M0.001,{y:.1f}L{end:.5f},{y:.1f}" + ("M" if beyond else "L") + f"{end:.5f},{low:.1f}L0.001,{low:.1f}L0.001,{y:.1f}"
        )
        sheet.line(way, sheet.colors.prefill, 1.5)
        said = f"{_factor(times)}?" + "  →" * beyond
        inside = end + (1.1 * size * ems(said) + 16) / sheet.wide > 1
        x = end + (-10 if inside else 10) / sheet.wide
        sheet.write(x, y + RIVAL / 2, said, size, anchor=f"middle {'left' if inside else 'right'}")
        answer_part(sheet, asked, k, (0, y, end, low))


def _name(sheet: Sheet, y: float, name: str, more: str) -> None:
    """What a bar is, above it."""
    size = 15.0 if sheet.phone else NAME
    sheet.write(0, y, bold(name) + f", {more}" * bool(more), size, anchor="middle right")


def _total(sheet: Sheet, x: float, y: float, total: float) -> None:
    """A sum's number, behind it."""
    sheet.write(x + 10 / sheet.wide, y + STRIP / 2, bold(number(total, 3)), 24.0 if sheet.phone else TOTAL, anchor="middle right")


def _pieces(sheet: Sheet, unit: float, y: float, lengths: Sequence[float], words: Names, color: str) -> None:
    """A bar, a piece for each key. lengths: where it begins, then of the pieces."""
    thin = 2 / sheet.wide
    for (a, b), word in zip(pairwise(unit * x for x in np.cumsum(lengths).tolist()), words, strict=False):
        sheet.bar(a, y, max(b - (thin if b - a > 3 * thin else 0.0), a + 0.5 * thin), y + STRIP, color)
        room = (b - a) * sheet.wide - 14
        size = min(PIECE, room / max(1.0, bold_ems(word)))
        if size >= 13 or room >= NARROW:
            said = bold(short(word, room, max(size, 13)))
            sheet.write((a + b - thin) / 2, y + STRIP / 2, said, max(size, 13), ink_on(color))


def _keys(sheet: Sheet, grid: Grid, tile: Tile, words: Names, read: bool, bound: float) -> None:
    """A block's words and scores; what is not read yet is an outline."""
    colors, pixels = sheet.colors, grid.wide * sheet.wide
    for j, x in enumerate(grid.across.tolist(), tile.start):
        label = short(words[j], pixels - 2, 16) if pixels >= NARROW else str(j + 1)
        if pixels >= 18 or j % 2 == 0:
            sheet.write(
                x, grid.y[-1] + 17, bold(label, read), 17 if pixels >= NARROW else 13, colors.ink if read else colors.muted
            )
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
