"""By hand: one token looks back, a row for each head: whose values it takes, and the one line of arithmetic that follows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import EDGE, LETTER, WIDTH, Sheet, SheetFigure, plain, rectangle, short
from pages.parts.text.format import entered, number

LEFT, TOKENS, RIGHT = 0.185, 0.43, 0.635  # where the tokens begin, how wide they are, where the arithmetic begins
HEAD = 82  # pixels above the first head
NARROWEST = 640  # pixels that the figure gets at least
LATER = (
    "comes later:<br>hidden",
    "comes<br>later:<br>hidden",
    "hidden",
)  # the first that fits into the cells that the mask hides


def by_hand(
    sheet: Sheet,
    looks: Sequence[RowByHand],
    query: int,
    words: Sequence[str],
    heads: Sequence[str],
    lines: Sequence[tuple[str, str]],
    marked: int | None = None,
    shares: int | None = None,
) -> SheetFigure:
    """looks: one a head, of the token at `query` (from 0). words: (n,). heads: what each looks at, in words.

    lines: for each head the arithmetic and its result; a result of "?" is one that the reader is to find.
    marked: the head whose result is pointed at. shares: the head whose weights stand beside its values.
    """
    colors = sheet.colors
    n, n_head = len(words), len(looks)
    row, cell = float(np.clip(184 / n_head, 23, 46)), TOKENS / n
    x_edges = LEFT + np.arange(n + 1) * cell
    y_edges = HEAD + np.arange(n_head + 1) * row
    size = min(18.0, 0.5 * row, cell * WIDTH / (4 * LETTER))
    _tokens(sheet, looks[0].values, query, words, x_edges, cell, size)
    hidden = ""
    weights = np.full((n_head, n), np.nan)
    for h, look in enumerate(looks):
        visible = list(look.visible)
        weights[h, visible] = look.weights[visible]
        gone = np.setdiff1d(np.arange(n), visible)
        if gone.size:  # a causal mask hides one run, the last ones
            hidden += rectangle(x_edges[gone[0]], y_edges[h] + 1, x_edges[gone[-1] + 1], y_edges[h + 1] - 1)
    sheet.path(hidden or "M0,0Z", colors.hole)
    later = (n - 1 - query) * cell
    if hidden:
        said = next((text for text in LATER if _fits(text, later * NARROWEST, n_head * row)), "")
        sheet.write(float(x_edges[n]) - later / 2, HEAD + n_head * row / 2, said, 13, colors.muted)
    shown = np.nan_to_num(weights, nan=0.0) + np.where(np.isnan(weights), np.nan, 0)
    sheet.heatmap(Grid(x_edges, y_edges), shown, Scale((colors.surface, *colors.weights[1:])))
    for h, look in enumerate(looks):
        _head(sheet, h, look, x_edges, cell, float(y_edges[h]), row, size, heads[h], lines[h], h == shares)
        if h == marked:
            x = 0.993 - (max(len(lines[h][1]), 2) + 1) * LETTER * 19 / WIDTH
            sheet.frame(
                x, y_edges[h] + 3, EDGE - 0.002, y_edges[h + 1] - 3, colors.value if lines[h][1] != "?" else colors.query, 3
            )
        if h:
            sheet.bar(0, y_edges[h] - 0.5, 1, y_edges[h] + 0.5, colors.hole)
    sheet.frame(x_edges[query], 20, x_edges[query + 1], float(y_edges[-1]), colors.ink)
    grid = {
        "curves": [0],
        "selected": [0, 0, query],
        "stages": ["weight"],
        "rows": [str(h) for h in heads],
        "columns": [str(w) for w in words],
    }
    return sheet.figure(float(y_edges[-1]) + 8, min_width=NARROWEST, grid=grid)


def _fits(text: str, wide: float, high: float) -> bool:
    """Whether lines of type of 13 pixels stand within so many pixels."""
    lines = text.split("<br>")
    return max(map(len, lines)) * LETTER * 13 < wide and len(lines) * 1.3 * 13 < high


def _tokens(sheet: Sheet, values, query, words, x_edges, cell, size) -> None:
    """Position, word and value of every token; what comes after the one that looks is dimmed."""
    colors = sheet.colors
    label = min(15.0, cell * WIDTH / (3.2 * LETTER))
    for y, name in ((10, "position"), (34, "token"), (60, "value")):
        sheet.write(LEFT - 0.012, y, name, 13.5, colors.muted, "middle left")
    for j, word in enumerate(words):
        x = float(x_edges[j] + cell / 2)
        sheet.write(x, 10, str(j + 1), 13, colors.muted)
        name = short(word, cell * WIDTH - 4, label)
        sheet.write(x, 34, f"<b>{name}</b>" if j == query else name, label, colors.ink)
        sheet.write(x, 60, f"<b>{entered(values[j])}</b>", size, colors.value)
    sheet.write(RIGHT, 34, f"what “{short(words[query], 130, 15)}” gets", 15, anchor="middle right")
    sheet.write(0.998, 34, "<b>context</b>", 15, anchor="middle left")


def _head(sheet: Sheet, h, look, x_edges, cell, top, row, size, name, line, shares=False) -> None:
    """One head: what it looks at, the values that it takes, the arithmetic and the result."""
    colors, y = sheet.colors, top + row / 2
    label = min(15.0, 0.6 * row)
    sheet.write(0, y, f"<b>{h + 1}</b>  {short(name, LEFT * WIDTH - 34, label)}", label, colors.ink, "middle right")
    inks = text_colors((colors.surface, *colors.weights[1:]), np.clip(np.nan_to_num(look.weights), 0, 1))
    for j in look.visible:
        x = float(x_edges[j] + cell / 2)
        if j in look.seen:
            text = (
                f"<b>{number(look.weights[j])}</b> × {entered(look.values[j])}" if shares else f"<b>{entered(look.values[j])}</b>"
            )
            fits = min(size, (cell * WIDTH - 2) / (LETTER * (len(text) - 7))) if shares else size
            sheet.write(x, y, text if fits >= 9 else f"<b>{number(look.weights[j])}</b>", max(fits, 9.0), str(inks[j]))
        else:
            sheet.write(x, y, "·", 15, str(inks[j]))
    text, result = line
    room = (0.985 - RIGHT) * WIDTH - (len(result) + 1) * LETTER * 19
    fits = min(16.0, 0.62 * row, room / (LETTER * max(len(text), 1)))
    sheet.write(RIGHT, y, plain(text), fits, colors.ink, "middle right")
    color = colors.query if result == "?" else colors.muted if result in ("none", "NaN") else colors.ink
    sheet.write(0.998, y, f"<b>{result}</b>", min(19.0, 0.7 * row), color, "middle left")
