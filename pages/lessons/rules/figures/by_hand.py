"""By hand: one token looks back, a row for each head: whose values it takes, and the one line of arithmetic that follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.parts.drawing.cells import chosen, holes
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import EDGE, LETTER, WIDTH, Sheet, SheetFigure, bold, ems, plain, short
from pages.parts.text.format import entered, number

LEFT, TOKENS, GAP = 0.185, 0.43, 0.02  # where the tokens begin, how wide they are, how far behind them the arithmetic begins
EACH, MOST = 0.072, 0.52  # of the width, for each of many tokens, and for all of them at most
LARGE, SMALL = 15.0, 13.0  # type of a token's name, and the smallest that it may have rather than be cut
BOLD = 1.07  # how much wider a bold letter is
HEAD = 82  # pixels above the first head
NARROWEST = 640  # pixels that the figure gets at least
TO_FIND = "?"
LATER = (
    "comes later:<br>hidden",
    "comes<br>later:<br>hidden",
    "hidden",
)  # the first that fits into the cells that the mask hides


class HeadLine(NamedTuple):
    """One head. looks: of the token that looks back; name: what it looks at, in words; text and result: the arithmetic.

    A result of TO_FIND is one that the reader is to find.
    """

    looks: RowByHand
    name: str
    text: str
    result: str


def by_hand(
    sheet: Sheet,
    lines: Sequence[HeadLine],
    query: int,
    words: Sequence[str],
    marked: int | None = None,
    shares: int | None = None,
) -> SheetFigure:
    """query: the token that looks (from 0). words: (n,). marked: the head whose result is pointed at. shares: the head whose
    weights stand beside its values."""
    colors, n, n_head = sheet.colors, len(words), len(lines)
    grid = Grid.of(LEFT, HEAD, (across(n) / n, sheet.row(184, n_head, 23, 46)), (n_head, n))
    size = min(18.0, 0.5 * grid.tall, grid.wide * WIDTH / (4 * LETTER))
    _tokens(sheet, lines[0].looks.values, query, words, grid, size)
    weights = np.full((n_head, n), np.nan)
    for h, line in enumerate(lines):
        visible = list(line.looks.visible)
        weights[h, visible] = line.looks.weights[visible]
    hidden = np.array([~np.isin(np.arange(n), line.looks.visible) for line in lines])
    sheet.path(holes(grid, hidden, 1) or "M0,0Z", colors.hole)
    if hidden.any():
        later, high = (n - 1 - query) * grid.wide, n_head * grid.tall
        said = next((text for text in LATER if _fits(text, later * NARROWEST, high)), "")
        sheet.write(grid.x[-1] - later / 2, HEAD + high / 2, said, 13, colors.muted)
    scale = Scale((colors.surface, *colors.weights[1:]))
    sheet.heatmap(grid, weights, scale)
    for h, line in enumerate(lines):
        _values(sheet, line.looks, grid.rows(h, h + 1), scale, size, h == shares)
        _arithmetic(sheet, h, line, grid)
        _, y0, _, y1 = grid.row(h)
        if h == marked:
            x = 0.993 - (max(len(line.result), 2) + 1) * LETTER * 19 / WIDTH
            sheet.frame(x, y0 + 3, EDGE - 0.002, y1 - 3, colors.query if line.result == TO_FIND else colors.value, 3)
        if h:
            sheet.bar(0, y0 - 0.5, 1, y0 + 0.5, colors.hole)
    sheet.frame(grid.x[query], 20, grid.x[query + 1], grid.y[-1], colors.ink)
    return sheet.figure(
        float(grid.y[-1]) + 8, NARROWEST, grid=chosen(0, (0, query), "weight", [line.name for line in lines], words)
    )


def across(n: int) -> float:
    """The share of the width that n tokens take.

    >>> [across(n) for n in (1, 4, 7, 16)]
    [0.43, 0.43, 0.504, 0.52]
    """
    return min(max(TOKENS, round(EACH * n, 3)), MOST)


def _fits(text: str, wide: float, high: float) -> bool:
    """Whether lines of type of 13 pixels stand within so many pixels."""
    lines = text.split("<br>")
    return max(map(len, lines)) * LETTER * 13 < wide and len(lines) * 1.3 * 13 < high


def _tokens(sheet: Sheet, values: Sequence[float], query: int, words: Sequence[str], grid: Grid, size: float) -> None:
    """Position, word and value of every token, and what stands at the right."""
    colors, pixels = sheet.colors, grid.wide * WIDTH
    fits = (pixels - 4) / (BOLD * max(map(ems, words)))  # of the one that looks every letter is bold
    label = min(LARGE, pixels / (3.2 * LETTER), max(fits, SMALL))
    for y, name in ((10, "position"), (34, "token"), (60, "value")):
        sheet.write(LEFT - 0.012, y, name, 13.5, colors.muted, "middle left")
    for j, x in enumerate(grid.across):
        sheet.write(x, 10, str(j + 1), 13, colors.muted)
        sheet.write(x, 34, bold(short(words[j], (pixels - 4) / (BOLD if j == query else 1), label), j == query), label)
        sheet.write(x, 60, bold(entered(values[j])), size, colors.value)
    sheet.write(grid.x[-1] + GAP, 34, f"what “{short(words[query], 130, 15)}” gets", 15, anchor="middle right")
    sheet.write(0.998, 34, "<b>context</b>", 15, anchor="middle left")


def _share(looks: RowByHand, j: int) -> str:
    """A weight as by hand: 1/6 where all that are seen have the same, else a number."""
    n = len(looks.seen)
    return f"1/{n}" if n > 1 and number(looks.weights[j], 4) == number(1 / n, 4) else number(looks.weights[j])


def _values(sheet: Sheet, looks: RowByHand, row: Grid, scale: Scale, size: float, shares: bool) -> None:
    """The values that one head takes, with the weights they are taken by where asked for; a dot for what it does not take."""
    inks, y = scale.inks(looks.weights), row.down[0]
    for j in looks.visible:
        x, share, fits = row.across[j], bold(_share(looks, j)), size
        text = bold(entered(looks.values[j]))
        if j not in looks.seen:
            sheet.write(x, y, "·", 15, str(inks[j]))
            continue
        if shares:
            text = f"{share} × {entered(looks.values[j])}"
            fits = min(size, (row.wide * WIDTH - 2) / (LETTER * (len(text) - 7)))
        sheet.write(x, y, text if fits >= 9 else share, max(fits, 9.0), str(inks[j]))


def _arithmetic(sheet: Sheet, h: int, line: HeadLine, grid: Grid) -> None:
    """One head's number and what it looks at, the arithmetic and the result."""
    colors, y, row, result = sheet.colors, grid.down[h], grid.tall, line.result
    label = min(15.0, 0.6 * row)
    sheet.write(0, y, f"<b>{h + 1}</b>  {short(line.name, LEFT * WIDTH - 34, label)}", label, colors.ink, "middle right")
    right = grid.x[-1] + GAP
    room = (0.985 - right) * WIDTH - (len(result) + 1) * LETTER * 19
    fits = min(16.0, 0.62 * row, room / (LETTER * max(len(line.text), 1)))
    sheet.write(right, y, plain(line.text), fits, colors.ink, "middle right")
    color = colors.query if result == TO_FIND else colors.muted if result in ("none", "NaN") else colors.ink
    sheet.write(0.998, y, bold(result), min(19.0, 0.7 * row), color, "middle left")
