"""One row of attention block by block: the scores that have been read, as bars their exponentials below the largest so far, and beneath
them what runs along: the sum before a block as a strip, how much of it is left, and this block's exponentials behind that; on a phone as
numbers."""

from collections.abc import Sequence

import numpy as np

from engine.caches import Tile
from pages.parts.drawing.cells import NARROW, Texts, cells, texts
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logit_text
from pages.parts.text.format import e_to, number

LEFT = 0.19  # where the keys begin
SCORES, CELL, TOP, BARS = 68.0, 36.0, 134.0, 76.0  # pixels: above the scores, of them, above the bars, of a bar of 1
LINE, LINE_ON_PHONE, NAME = 32.0, 30.0, 18.0  # of a number that runs along, and of its name above it on a phone
NAMES = ("largest score so far", "all summed before", "sum of exponentials", "context so far")
STRIP, WEDGE, STRIPS = (
    28.0,
    38.0,
    (LEFT, 0.7),
)  # pixels of a strip, and between the two; where they begin, and where the longest ends
UNREAD = 16.0  # type size of what is said of the blocks to come
NOW, BEFORE, CONTEXT = 20.0, 16.0, 28.0  # type sizes of the block that is read, of those before, and of the context


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
    ends = [x + cell * (tile.stop - tile.start) for x, tile in zip(edges, tiles, strict=True)]
    answered, bottom = asked is None, TOP + BARS
    headline(sheet, _large(_numbers(tiles, at, values, asked), tiles[at].stop, at + 1 == len(tiles)))
    risen = 0 if answered else max((b for b in range(1, at + 1) if tiles[b].top[0] > tiles[b - 1].top[0]), default=0)
    for b, (tile, x) in enumerate(zip(tiles, edges, strict=True)):
        _keys(sheet, Grid.of(x, SCORES, (cell, CELL), (1, tile.stop - tile.start)), tile, words, b <= at, bound)
        _bars(sheet, (x, cell), tile, float(tiles[at].top[0]) if b <= at else None, b < risen, answered)
    sheet.bar(left, bottom, ends[at], bottom + 1.5, sheet.colors.muted)
    if (1 - ends[at]) * sheet.wide > 7 * UNREAD:
        sheet.write((ends[at] + 1) / 2, TOP + BARS / 2, "not read yet", UNREAD, sheet.colors.muted)
    end = bottom + 12 + len(NAMES) * (LINE_ON_PHONE + NAME if phone else LINE)
    left, right = max(edges[at] - 0.003, 0.001), min(ends[at] + 0.003, 0.999)
    sheet.frame(left, SCORES - 3, right, bottom + 4, sheet.colors.ink, 2)
    for k, name in enumerate(NAMES if phone else ()):
        y = bottom + 8 + (k + 0.5) * (LINE_ON_PHONE + NAME)
        sheet.write(0, y - LINE_ON_PHONE / 2, name, 13, sheet.colors.muted, "middle right")
        for b in range(at + 1):
            text = _numbers(tiles, b, values, None if answered else asked)[k]
            _number(sheet, text, (edges[b], ends[b]), y + NAME / 2, b == at)
    if not phone:
        said = [_numbers(tiles, b, values, None if answered else asked) for b in range(max(0, at - 1), at + 1)]
        _summed(sheet, tiles, at, said, bottom + 18)
        for y, name in ((SCORES + CELL / 2, "scores"), (TOP + 0.42 * BARS, "exponentials")):
            sheet.write(LEFT - 0.016, y, f"<b>{name}</b>", 16, anchor="middle left")
        sheet.write(LEFT - 0.016, TOP + 0.42 * BARS + 21, "of score − largest", 14, sheet.colors.muted, "middle left")
    return sheet.figure(end + 4)


def _large(said: tuple[str, str, str, str], n_read: int, last: bool) -> str:
    """The headline: by what the sums before are multiplied; of the first block, and at the end, the context.

    >>> _large(("1", "× 1", "2", "3"), 4, True), _large(("1", "× e⁻²", "2", "3"), 2, False), _large(("1", "", "2", "3"), 1, False)
    ('Whole row read: context 3', 'What was summed before: × e⁻²', 'Keys read: 1, context 3')
    """
    _, factor, _, context = said
    if last and context != "?":
        return f"Whole row read: context {context}"
    return f"What was summed before: {factor}" if factor else f"Keys read: {n_read}, context {context}"


def _summed(sheet: Sheet, tiles: Sequence[Tile], at: int, said: Sequence[tuple[str, str, str, str]], top: float) -> None:
    """The sum before this block, as a strip, what of it is left beneath that, and behind that this block's exponentials; all to one scale.
    said: the numbers behind the block before, where there is one, and behind this one; a question mark where they wait."""
    colors, (left, right), waits = sheet.colors, STRIPS, said[-1][2] == "?"
    unit = (right - left) / max(float(tile.total[0]) for tile in tiles)
    after = top + STRIP + WEDGE if at else top + STRIP + WEDGE / 2
    before = float(tiles[at - 1].total[0]) if at else 0.0
    left_of_it = before * float(np.exp(tiles[at - 1].top[0] - tiles[at].top[0])) if at else 0.0
    old, kept, end = left + unit * before, left + unit * left_of_it, left + unit * float(tiles[at].total[0])
    if at:
        open_ = said[0][3] == "?"
        _strip_before(sheet, (left, top, right if open_ else old, top + STRIP), open_)
        _said_of_sum(sheet, ("summed before", *said[0]), (old, top), colors.muted)
        to = old if waits else kept
        way = f"M{left:.5f},{top + STRIP:.1f}L{left:.5f},{after:.1f}M{old:.5f},{top + STRIP:.1f}L{to:.5f},{after:.1f}"
        sheet.line(way * (not open_) or "M0,0Z", colors.muted, 1.2, "dash" if waits else "")
        middle = left + max(0.25 * (old + to - 2 * left), 0.03)
        sheet.write(middle, top + STRIP + WEDGE / 2, bold(said[-1][1]), NOW)
    if waits:
        sheet.line(rectangle(left, after, right, after + STRIP), colors.muted, 1.5, "dash")
        sheet.write((left + right) / 2, after + STRIP / 2, "<b>?</b>", 24)
    else:
        sheet.bar(left, after, kept, after + STRIP, faded(colors, colors.prefill, 0.45))
        sheet.bar(kept, after, end, after + STRIP, colors.prefill)
    _said_of_sum(sheet, ("with this block", *said[-1]), (right if waits else end, after), colors.ink)


def _strip_before(sheet: Sheet, box: Box, waits: bool) -> None:
    """What was summed before, or an outline where that waits as well."""
    if waits:
        sheet.line(rectangle(*box), sheet.colors.muted, 1.5, "dash")
    else:
        sheet.bar(*box, faded(sheet.colors, sheet.colors.prefill, 0.45))


def _said_of_sum(sheet: Sheet, said: tuple[str, str, str, str, str], at: tuple[float, float], color: str) -> None:
    """What a strip is, at its left, below the largest score that it is of; its length at its end, and the context at the right."""
    (name, largest, _, total, context), (end, y) = said, at
    strong = color == sheet.colors.ink
    sheet.write(LEFT - 0.016, y + STRIP / 2 - 9, bold(name, strong), 15, color, "middle left")
    sheet.write(LEFT - 0.016, y + STRIP / 2 + 10, f"below a largest score of {largest}", 13, sheet.colors.muted, "middle left")
    from_total = end + (8 + 22 * ems(total)) / sheet.wide
    room = max(13.0, (1 - from_total) * sheet.wide / (1.1 * ems(f"context {context}")))
    if total != "?":
        sheet.write(end + 8 / sheet.wide, y + STRIP / 2, bold(total, strong), 20 if strong else 16, color, "middle right")
    sheet.write(1, y + STRIP / 2, f"context {bold(context, strong)}", min(CONTEXT if strong else NOW, room), color, "middle left")


def _numbers(tiles: Sequence[Tile], b: int, values: np.ndarray, asked: int | None) -> tuple[str, str, str, str]:
    """What runs along, behind a block; what its correction is, and what that tells, waits from the one that is asked on."""
    tile, waits = tiles[b], asked is not None and asked <= b and asked > 0
    jump = float(tiles[b - 1].top[0] - tile.top[0]) if b else 0.0
    factor = "" if not b else "× ?" if waits else "× 1" if jump == 0 else f"× {e_to(jump, 2)}"
    so_far = ("?", "?") if waits else (number(tile.total[0], 4), logit_text(tile.context[0, 0], values[: tile.stop]))
    return (number(tile.top[0]), factor, *so_far)


def _number(sheet: Sheet, text: str, edges: tuple[float, float], y: float, now: bool) -> None:
    """A number beneath its block; one that is wider is left out, but that of the block that is read, which stands out."""
    pixels = (edges[1] - edges[0]) * sheet.wide
    size = min(NOW if now else BEFORE, pixels / (1.07 * max(ems(text), 0.5)))
    if size >= 13 or now:
        wide = 1.07 * ems(text) * max(size, 13) / sheet.wide / 2
        x = min(max(sum(edges) / 2, wide), 1 - wide)
        sheet.write(x, y, bold(text, now), max(size, 13), sheet.colors.ink if now else sheet.colors.muted)


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
    boxes = (grid.box(0, j) for j in range(tile.stop - tile.start))
    sheet.line("".join(rectangle(x0 + 0.001, y0 + 1, x1 - 0.001, y1 - 1) for x0, y0, x1, y1 in boxes), colors.line, 1.5, "dot")
    if fits:
        for x, text in zip(grid.across.tolist(), written[0], strict=True):
            sheet.write(x, grid.down[0], text, size, colors.muted)


def _bars(sheet: Sheet, where: tuple[float, float], tile: Tile, top: float | None, waits: bool, answered: bool) -> None:
    """The exponentials of a block's scores, below the largest score so far, none of what is not read yet; an outline of 1 with a
    question mark where what has become of them is asked. where: the left edge, and the width of a key."""
    (x, cell), colors, bottom = where, sheet.colors, TOP + BARS
    boxes = [(x + (j + 0.16) * cell, x + (j + 0.84) * cell) for j in range(tile.stop - tile.start)]
    if top is None:
        return
    if waits:
        sheet.line("".join(rectangle(a, TOP, b, bottom) for a, b in boxes), colors.muted, 1.5, "dash")
        for a, b in boxes if cell * sheet.wide >= 14 else ():
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
