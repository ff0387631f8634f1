"""One row of attention block by block: the scores that have been read, and beneath them on one ruler the sum of their exponentials
before a block, what is left of it below the largest score of now, and what the block adds, a piece for each key. While it is asked what
is left, its bar is open, with a mark at each length that it may have."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT, RIGHT, PHONE_RIGHT, OPEN = (
    0.165,
    0.87,
    0.72,
    0.998,
)  # where the keys and the bars begin; where the longest ends, and one that is open
SCORES, CELL = 72.0, 36.0  # pixels: above the scores, of them
STRIP, GAP, FIRST = 46.0, 16.0, 20.0  # of a bar, between two, and between the scores and the first
NAME, RULER = 24.0, 24.0  # of what a bar is, above it on a phone; beneath the bars
TOTAL, FACTOR, PIECE, MAY = (
    26.0,
    34.0,
    17.0,
    16.0,
)  # type sizes: of a sum, a factor, a key in a bar, and a length that it may have
PALE = 0.4  # what is left of the colour of what was summed before


class Jump(NamedTuple):
    """The block whose correction is asked for, from 0, and the power of e by which what was summed before it may shrink or grow."""

    block: int
    power: float


class Ruler(NamedTuple):
    """Where the bars begin, how wide 1 is, both of the width, and where the longest ends; y: where each of the three begins."""

    left: float
    unit: float
    right: float
    y: tuple[float, float, float]

    def x(self, length: float) -> float:
        return self.left + self.unit * length


def running_row(
    sheet: Sheet, tiles: Sequence[Tile], at: int, words: Sequence[str], bound: float, asked: Jump | None, values: np.ndarray
) -> SheetFigure:
    """tiles: the tiles of one row, all of them; at: the one read last, from 0. bound: the largest |score| of the colours.

    asked: the correction that is asked for; None once all of them may be shown. values: (n, 1), of the keys.
    """
    phone, n, gap = sheet.on_phone(), tiles[-1].stop, 0.01
    left = 0.0 if phone else LEFT
    cell = (1 - left - gap * (len(tiles) - 1)) / n
    edges = [left + tile.start * cell + gap * b for b, tile in enumerate(tiles)]
    headline(sheet, *_large(tiles, at, values, asked))
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, SCORES, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= at, bound)
    end = edges[at] + cell * (tiles[at].stop - tiles[at].start)
    sheet.frame(max(edges[at] - 0.003, 0.001), SCORES - 3, min(end + 0.003, 0.999), SCORES + CELL + 3, sheet.colors.ink, 2)
    if not phone:
        sheet.write(LEFT - 0.016, SCORES + CELL / 2, "<b>scores</b>", 17, anchor="middle left")
    right, above = (PHONE_RIGHT, NAME) if phone else (RIGHT, 0.0)
    sums = [0.0, *(float(tile.total[0]) for tile in tiles[:-1])]
    unit = (right - left) / max(*sums, *(sum(_exponentials(tile, tile)) for tile in tiles))
    first, step = SCORES + CELL + FIRST + above, STRIP + GAP + above
    ruler = Ruler(left, unit, right, (first, first + step, first + 2 * step))
    _ticks(sheet, ruler)
    _summed(sheet, ruler, tiles, at, words, asked)
    return sheet.figure(ruler.y[2] + STRIP + RULER)


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


def _ticks(sheet: Sheet, ruler: Ruler) -> None:
    """The ruler, behind all bars."""
    most, bottom = (ruler.right - ruler.left) / ruler.unit, ruler.y[2] + STRIP
    step = max(nice_step(most, 4 if sheet.phone else 8), 0.5)
    for k in range(int(most / step + 1e-9) + 1):
        x = ruler.x(k * step)
        sheet.line(f"M{x:.5f},{ruler.y[0] - 6:.1f}L{x:.5f},{bottom + 6:.1f}", sheet.colors.line, 1)
        sheet.write(x, bottom + 15, number(k * step, 4), 13, sheet.colors.muted, "middle center" if k else "middle right")


def _summed(sheet: Sheet, ruler: Ruler, tiles: Sequence[Tile], at: int, words: Sequence[str], asked: Jump | None) -> None:
    """The sum before this block; what is left of each of its pieces; and this block's pieces: all from one edge and to one scale."""
    colors, (before, left_of, added), tile = sheet.colors, ruler.y, tiles[at]
    pale, waits = faded(colors, colors.prefill, PALE), _waits(at, asked)
    _name(sheet, ruler, added, "this block’s" if at else "summed", f"largest score {number(tile.top[0])}", colors.ink)
    _pieces(sheet, ruler, added, _exponentials(tile, tile), words[tile.start :], colors.prefill)
    if not at:
        _total(sheet, ruler.x(float(tile.total[0])), added, tile, True)
        return
    earlier = tiles[:at]
    old, kept = ([x for tile in earlier for x in _exponentials(tile, now)] for now in (earlier[-1], tile))
    _name(sheet, ruler, before, "summed before", f"largest score {number(earlier[-1].top[0])}", colors.muted)
    if _waits(at - 1, asked):
        _open_bar(sheet, ruler, before)
    else:
        _pieces(sheet, ruler, before, old, words, pale)
        _total(sheet, ruler.x(sum(old)), before, earlier[-1], False)
    if waits:
        _open_bar(sheet, ruler, left_of)
        if at == asked.block:
            _may_end(sheet, ruler, sum(old), asked.power)
    else:
        _pieces(sheet, ruler, left_of, kept, words, pale)
        if not sheet.phone:  # there the factor stands between the two
            ways = zip(np.cumsum([0.0, *old]), np.cumsum([0.0, *kept]), strict=True)
            lines = (f"M{ruler.x(a):.5f},{before + STRIP:.1f}L{ruler.x(b):.5f},{left_of:.1f}" for a, b in ways)
            sheet.line("".join(lines), colors.muted, 1.2)
        _total(sheet, ruler.right + 0.03, (left_of + added) / 2, tile, True)
        x, far = ruler.right + 0.01, ruler.right + 0.02
        sheet.line(f"M{x},{left_of}L{far},{left_of}L{far},{added + STRIP}L{x},{added + STRIP}", colors.muted, 1.5)
    jump = float(earlier[-1].top[0] - tile.top[0])
    _name(sheet, ruler, left_of, "× ?" if waits else _factor(jump), "", colors.ink, FACTOR)


def _open_bar(sheet: Sheet, ruler: Ruler, y: float) -> None:
    """The outline of a bar whose end is to be found."""
    left, right = ruler.left + 1 / sheet.wide, OPEN
    sheet.line(f"M{right:.5f},{y}L{left:.5f},{y}L{left:.5f},{y + STRIP}L{right:.5f},{y + STRIP}", sheet.colors.muted, 1.5, "dash")


def _may_end(sheet: Sheet, ruler: Ruler, old: float, power: float) -> None:
    """A mark at each length that is left of a sum when it is multiplied by what there is to choose from, by what it is where there is
    room; one beyond the end of the ruler is an arrow."""
    powers, y = (-power, 0.0, power), ruler.y[1]
    ends = [ruler.x(old * np.exp(x)) if x <= 0 or np.log(old) + x < 100 else np.inf for x in powers]
    names = [_factor(x) for x in powers]
    beyond = ends[2] > OPEN
    room = [b - a for a, b in pairwise([*ends[:2], min(ends[2], OPEN)])]
    needs = [(1.1 * MAY * ems(name) + 14) / sheet.wide for name in names]
    for x in ends[: 3 - beyond]:
        sheet.line(f"M{x:.5f},{y}L{x:.5f},{y + STRIP}", sheet.colors.ink, 2.5)
    if room[0] > needs[0] and room[1] > needs[1] + beyond * (needs[2] + 0.02):
        for x, name in zip(ends[:2], names[:2], strict=True):
            sheet.write(x + 8 / sheet.wide, y + STRIP / 2, name, MAY, anchor="middle right")
        where, anchor = (OPEN, "middle left") if beyond else (ends[2] + 8 / sheet.wide, "middle right")
        sheet.write(where, y + STRIP / 2, f"{names[2]} →" if beyond else names[2], MAY, anchor=anchor)


def _name(sheet: Sheet, ruler: Ruler, y: float, name: str, more: str, ink: str, size: float = 17.0) -> None:
    """What a bar is, at its left, on a phone above it."""
    if sheet.phone:
        said = f"{bold(name)}, {more}" if more else bold(name)
        sheet.write(0, y - 13, said, 15 if more else 20, ink, "middle right")
        return
    x, middle = ruler.left - 0.016, y + STRIP / 2
    sheet.write(x, middle - (11 if more else 0), bold(name), size, ink, "middle left")
    if more:
        sheet.write(x, middle + 12, more, 15, sheet.colors.muted, "middle left")


def _total(sheet: Sheet, x: float, y: float, tile: Tile, strong: bool) -> None:
    """A sum's number, behind it."""
    said, ink = bold(number(tile.total[0], 3), strong), sheet.colors.ink if strong else sheet.colors.muted
    sheet.write(x + 8 / sheet.wide, y + STRIP / 2, said, TOTAL, ink, "middle right")


def _pieces(sheet: Sheet, ruler: Ruler, y: float, lengths: Sequence[float], words: Sequence[str], color: str) -> None:
    """A bar, a piece for each key."""
    thin = 2 / sheet.wide
    for (a, b), word in zip(pairwise(ruler.x(x) for x in np.cumsum([0.0, *lengths])), words, strict=False):
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
