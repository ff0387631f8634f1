"""One row of attention block by block: the scores that have been read; beneath them the sum of their exponentials before a block, and
beneath that the sum with it, as one bar: what is left of the old one, below the largest score of now, ends where the block's begins. While
it is asked what is left, that part is open, with a mark at each length that it may have."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

SPAN, PHONE_SPAN = (0.11, 0.88), (0.19, 0.765)  # where the longest sum before begins, and where the longest block's ends
SCORES, CELL = 72.0, 36.0  # pixels: above the scores, of them
STRIP, GAP, FIRST, MARKS = (
    54.0,
    44.0,
    50.0,
    26.0,
)  # of a bar; between the two; from the scores to the first; beneath, of its lengths
NAME, TOTAL, FACTOR, PIECE, MAY = 17.0, 26.0, 34.0, 17.0, 16.0  # type sizes; MAY: of a length that a sum may have
PALE, PALER = 0.4, 0.15  # what is left of the colour of what was summed before, and of its way to what is left of it
LEAST = 14.0  # type size of a factor


class Jump(NamedTuple):
    """The block whose correction is asked for, from 0, and the power of e by which what was summed before it may shrink or grow."""

    block: int
    power: float


class Ruler(NamedTuple):
    """Where what was summed before ends and a block begins, and how wide 1 is, both of the width; y: where each of the two bars begins."""

    joint: float
    unit: float
    y: tuple[float, float]

    def x(self, length: float) -> float:
        return self.joint + self.unit * length


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, asked: Jump | None, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    asked: the correction that is asked for; None once all of them may be shown. values: (n, 1), of the keys.
    """
    sheet.on_phone()
    n, gap = tiles[-1].stop, 0.01
    cell = (1 - gap * (len(tiles) - 1)) / n
    edges = [tile.start * cell + gap * b for b, tile in enumerate(tiles)]
    headline(sheet, *_large(tiles, at, values, asked))
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, SCORES, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= at, bound)
    end = edges[at] + cell * (tiles[at].stop - tiles[at].start)
    sheet.frame(max(edges[at] - 0.003, 0.001), SCORES - 3, min(end + 0.003, 0.999), SCORES + CELL + 3, sheet.colors.ink, 2)
    left, right = PHONE_SPAN if sheet.phone else SPAN
    before = max(float(tile.total[0]) for tile in tiles[:-1] or tiles)
    unit = (right - left) / (before + max([sum(_exponentials(tile, tile)) for tile in tiles[1:]], default=0.0))
    first = SCORES + CELL + FIRST
    _summed(sheet, Ruler(left + before * unit, unit, (first, first + STRIP + GAP)), tiles, at, words, asked)
    return sheet.figure(first + 2 * STRIP + GAP + MARKS)


def _waits(b: int, asked: Jump | None) -> bool:
    """Whether what is summed with a block waits for the answer: from the one that is asked on."""
    return asked is not None and 0 < asked.block <= b


def _exponentials(tile: Tile, now: Tile) -> list[float]:
    """What a block's keys add, below the largest score of a later one."""
    return np.exp(tile.scores[0] - now.top[0]).tolist()


def _factor(power: float) -> str:
    """What a sum is multiplied by."""
    return f"× {e_to(power, 2)}" if power else "× 1"


def _large(tiles: Sequence[Tile], at: int, values: np.ndarray, asked: Jump | None) -> tuple[str, str | None]:
    """The headline, and a shorter one: what comes while that is asked, then by what the sums before are multiplied; of the first block,
    and at the end, the context."""
    tile, jump = tiles[at], float(tiles[at - 1].top[0] - tiles[at].top[0]) if at else 0.0
    if _waits(at, asked):
        larger = "A larger score" if jump else "No larger score"
        return f"{larger} comes: what becomes of the sum before it?", "What becomes of the sum?"
    context = logit_text(tile.context[0, 0], values[: tile.stop])
    if at + 1 == len(tiles):
        return f"Whole row read: context {context}", None
    return f"What was summed before: {_factor(jump)}" if at else f"Keys read: {tile.stop}, context {context}", None


def _summed(sheet: Sheet, ruler: Ruler, tiles: Sequence[Tile], at: int, words: Sequence[str], asked: Jump | None) -> None:
    """The sum before this block; beneath it what is left of each of its pieces, and behind that this block's: one bar."""
    colors, (before, now), tile, waits = sheet.colors, ruler.y, tiles[at], _waits(at, asked)
    earlier, pale = tiles[: max(at, 1)], faded(colors, colors.prefill, PALE)
    old, kept = ([x for tile in earlier for x in _exponentials(tile, then)] for then in (earlier[-1], tile))
    name = "summed before" if at else "summed"
    _name(sheet, ruler.x(-sum(old)), before, (name, f"largest score {number(earlier[-1].top[0])}"), colors.muted)
    if _waits(at - 1, asked):
        _open_bar(sheet, ruler, before)
    else:
        _pieces(sheet, ruler, before, (-sum(old), *old), words, pale if at else colors.prefill)
        _total(sheet, ruler.joint, before, earlier[-1], not at)
    if not at:
        return
    added = _exponentials(tile, tile)
    _name(sheet, ruler.joint, now, ("this block’s", f"largest score {number(tile.top[0])}"), colors.ink)
    _pieces(sheet, ruler, now, (0.0, *added), words[tile.start :], colors.prefill)
    if waits:
        _open_bar(sheet, ruler, now)
        _may_end(sheet, ruler, sum(old), asked.power, at == asked.block)
        return
    begin, end = ruler.x(-sum(old)), ruler.x(-sum(kept))
    way = f"M{begin:.5f},{before + STRIP:.1f}L{ruler.joint:.5f},{before + STRIP:.1f}L{ruler.joint:.5f},{now:.1f}L{end:.5f},{now:.1f}Z"
    sheet.path(way, faded(colors, colors.prefill, PALER))
    _pieces(sheet, ruler, now, (-sum(kept), *kept), words, pale)
    _total(sheet, ruler.x(sum(added)), now, tile, True)
    said, x = _factor(float(earlier[-1].top[0] - tile.top[0])), end - 12 / sheet.wide
    sheet.write(x, now + STRIP / 2, bold(said), max(LEAST, min(FACTOR, x * sheet.wide / (1.1 * ems(said)))), anchor="middle left")


def _open_bar(sheet: Sheet, ruler: Ruler, y: float) -> None:
    """The outline of a bar whose beginning is to be found."""
    end = ruler.joint - 1 / sheet.wide
    sheet.line(f"M0.002,{y}L{end:.5f},{y}L{end:.5f},{y + STRIP}L0.002,{y + STRIP}", sheet.colors.muted, 1.5, "dash")


def _may_end(sheet: Sheet, ruler: Ruler, old: float, power: float, marked: bool) -> None:
    """A question mark where what is left of a sum is to be found; marked: with each length that it has when it is multiplied by what there
    is to choose from, beneath it by what where there is room; one beyond the edge is an arrow."""
    powers, y = (power, 0.0, -power), ruler.y[1]
    ends = [ruler.x(-old * np.exp(x)) if np.log(old) + x < 100 else -np.inf for x in powers]
    gaps = [(b - a, (a + b) / 2) for a, b in pairwise([*ends[1:], ruler.joint])]
    wide, middle = max(gaps)
    sheet.write(middle, y + STRIP / 2, "<b>?</b>", max(LEAST, min(FACTOR, wide * sheet.wide / 0.7)))
    if not marked:
        return
    beyond = int(ends[0] < 0.002)
    for x in ends[beyond:]:
        sheet.line(f"M{x:.5f},{y}L{x:.5f},{y + STRIP}", sheet.colors.ink, 2.5)
    names = [f"← {_factor(powers[0])}" if beyond else _factor(powers[0]), *map(_factor, powers[1:])]
    halves = [0.55 * MAY * ems(name) / sheet.wide for name in names]
    places = [max(x, half) for x, half in zip(ends, halves, strict=True)]
    if all(b - a > u + v + 6 / sheet.wide for (a, b), (u, v) in zip(pairwise(places), pairwise(halves), strict=True)):
        for x, said in zip(places, names, strict=True):
            sheet.write(x, y + STRIP + 0.6 * MARKS, said, MAY)


def _name(sheet: Sheet, x: float, y: float, said: tuple[str, str], ink: str) -> None:
    """What a bar is, above it, and more of it where there is room."""
    name, more = said
    size = 15.0 if sheet.phone else NAME
    whole = f"{name}, {more}"
    fits = (1 - x) * sheet.wide >= 1.07 * size * ems(whole)
    x = min(x, 1 - 1.1 * size * ems(name) / sheet.wide)
    sheet.write(x, y - 15, f"{bold(name)}, {more}" if fits else bold(name), size, ink, "middle right")


def _total(sheet: Sheet, x: float, y: float, tile: Tile, strong: bool) -> None:
    """A sum's number, behind it."""
    said, ink = bold(number(tile.total[0], 3), strong), sheet.colors.ink if strong else sheet.colors.muted
    sheet.write(x + 8 / sheet.wide, y + STRIP / 2, said, TOTAL, ink, "middle right")


def _pieces(sheet: Sheet, ruler: Ruler, y: float, lengths: Sequence[float], words: Sequence[str], color: str) -> None:
    """A bar, a piece for each key. lengths: where it begins, then of the pieces."""
    thin = 2 / sheet.wide
    for (a, b), word in zip(pairwise(ruler.x(x) for x in np.cumsum(lengths)), words, strict=False):
        sheet.bar(a, y, max(b - (thin if b - a > 3 * thin else 0.0), a + 0.5 * thin), y + STRIP, color)
        room = (b - a) * sheet.wide - 14
        size = min(PIECE, room / (1.1 * max(1.0, ems(word))))
        if size >= 13 or room >= NARROW:
            said = bold(short(word, room, max(size, 13)))
            sheet.write((a + b - thin) / 2, y + STRIP / 2, said, max(size, 13), ink_on(color))


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
