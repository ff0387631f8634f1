"""Every token asks one head at once: a row each, a cell for each key that it meets, and at the right what the row makes of the values.

The cells show weights, or the scores of which softmax makes them. A row that is asked about is covered.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from engine.experiments.rows import largest_values
from pages.parts.drawing.cells import Texts, cells, holes, not_all_zeros, row_names, write_in
from pages.parts.drawing.grid import Grid, Scale, diverging
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, plain, rectangle, short
from pages.parts.text.digits import context_text, share_said
from pages.parts.text.format import entered, numbers

HEAD, FOOT = 54.0, 26.0  # pixels above the cells, and beneath them
ROOM, PHONE_ROOM = 268.0, 190.0  # of all rows
WIDE, NARROW = (0.1, 0.84), (0.2, 0.79)  # shares of the width: of the cells; the contexts stand right of them
LEAST = 13.0  # type size
NONE = "none"  # what a row makes that no key fits, where that is no number


def every_row(
    sheet: Sheet, layer: Attention, head: int, words: Sequence[str], name: str, scores: bool = False, hidden: int | None = None
) -> SheetFigure:
    """words: (n,); name: what the head looks at. scores: whether the cells show these instead of weights. hidden: a row that is
    still to be found. The last row, which answers, is outlined."""
    colors, n, phone = sheet.colors, len(words), sheet.on_phone()
    left, right = NARROW if phone else WIDE
    tall = sheet.row(PHONE_ROOM if phone else ROOM, n, 12.0, 84.0)
    grid = Grid.of(left, HEAD, ((right - left) / n, tall), (n, n))
    mask, weights = layer.mask[head], layer.weights[head]
    shown = mask & (np.arange(n) != hidden)[:, None]
    if path := holes(grid, ~mask & (np.arange(n) != hidden)[:, None]):
        sheet.path(path, colors.hole)
    z = layer.scores[head] if scores else weights
    scale = diverging(colors.scores, z) if scores else Scale(colors.weights)
    said = np.full((n, n), "", object)
    said[shown] = numbers(z[shown]) if scores else [share_said(w) for w in weights[shown].tolist()]
    said = said if scores else not_all_zeros(said, np.where(shown, weights, np.nan))
    pixels = grid.wide * sheet.wide
    longest = max(2, *map(len, said.ravel().tolist()))
    size = min(24.0, 0.5 * tall, (pixels - 4) / (LETTER * longest))
    cells(sheet, grid, np.where(shown, z, np.nan), scale, Texts(said, size) if size >= LEAST - 1 else None)
    _why_hidden(sheet, grid, mask, hidden)
    _names(sheet, grid, words, f"head {head + 1}", name)
    _contexts(sheet, layer, head, grid, hidden)
    if hidden is not None:
        sheet.line("".join(rectangle(*grid.box(hidden, j)) for j in range(n)), colors.bar, 1.2, "dot")
        sheet.write_all(grid.across, float(grid.down[hidden]), ["?"] * n, min(24.0, 0.6 * tall))
        sheet.write(1, grid.down[hidden], "?", min(24.0, 0.6 * tall), anchor="middle left")
    sheet.frame(*grid.row(n - 1), colors.ink, 2.5)
    entries = [f"× {entered(v)}" for v in layer.v[layer.kv_head(head), :, 0]]
    size = min(17.0, (pixels - 2) / (LETTER * max(map(len, entries))))
    if size >= LEAST - 1 and not scores:
        sheet.write_all(grid.across, float(grid.y[-1]) + 15, map(bold, entries), size, colors.value)
    return sheet.figure(float(grid.y[-1]) + FOOT, min_width=700)


def _why_hidden(sheet: Sheet, grid: Grid, mask: np.ndarray, hidden: int | None) -> None:
    """Says of hidden cells why they are hidden, once a row."""
    if grid.tall < 24 or sheet.phone:
        return
    n = len(mask)
    words = np.full((n, n), "", object)
    for i in range(n):
        later = np.flatnonzero(~mask[i])
        if len(later) and i != hidden:
            words[i, later[0]] = "later"
    if grid.wide * sheet.wide > 50:
        write_in(sheet, grid, Texts(words, 15.0), sheet.colors.muted)


def _names(sheet: Sheet, grid: Grid, words: Sequence[str], head: str, name: str) -> None:
    """What the head looks at, the keys above the columns, the queries before the rows."""
    colors, left = sheet.colors, float(grid.x[0])
    title = f"<b>{head}</b> looks at <b>{plain(name)}</b>"
    sheet.write(0 if sheet.phone else left, 12, title, 16, anchor="middle right")
    sheet.write(1, HEAD - 14, "<b>context</b>", LEAST if sheet.phone else 15, anchor="middle left")
    size, pixels = LEAST if sheet.phone else 15, grid.wide * sheet.wide
    if pixels >= 36:
        for x, word in zip(grid.across, words, strict=True):
            sheet.write(x, HEAD - 14, bold(short(word, pixels - 4, size)), size, colors.key)
    if not sheet.phone:
        asks, is_asked = (
            f"<span style='color:{color}'>{name}</span>" for color, name in ((colors.query, "query"), (colors.key, "key"))
        )
        sheet.write(left - 0.01, HEAD - 14, f"{asks} · {is_asked}", 14, anchor="middle left")
    row_names(sheet, left - 0.012, grid, words, max(12.0, min(17.0, 0.8 * grid.tall)), len(words) - 1, colors.query)


def _contexts(sheet: Sheet, layer: Attention, head: int, grid: Grid, hidden: int | None) -> None:
    """What each row makes of the values, that of the last one large."""
    colors, largest, n = sheet.colors, largest_values(layer), len(grid.down)
    for i, context in enumerate(layer.context[head, :, 0]):
        if i == hidden or (grid.tall < 12 and i < n - 1):
            continue
        strong, none = i == n - 1, layer.empty[head, i]
        text = NONE if none else context_text(context, largest[head, i])
        size = min(18.0 if none else 34.0 if strong else 20.0, max(LEAST, 0.8 * grid.tall))
        if sheet.phone:
            size = min(size, 70 / (LETTER * len(text)))
        sheet.write(1, grid.down[i], bold(text, strong), size, colors.muted if none else colors.ink, "middle left")
