"""A text behind caches of equal size, with and without its first tokens: perplexities, and every head's weight on the first."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number

TOP, ROW = 44.0, 38.0
HEADS_LEFT, HEADS_SIDE = 0.79, 190.0


def sinks(
    sheet: Sheet,
    name: str,
    bars: Sequence[tuple[str, float | None]],
    published: Sequence[tuple[str, float]],
    to_first: np.ndarray,
) -> SheetFigure:
    """bars: perplexity behind each cache, None where it waits for an answer; published: of a large model, none where they wait.

    to_first: (n_layer, n_head) mean weight on the first token.
    """
    colors = sheet.colors
    sheet.write(0, 12, f"<b>perplexity</b>, {short(name, 200, 14.5)}", 14.5, anchor="middle right")
    _bars(sheet, bars, 0.155, 0.365)
    sheet.write(0.44, 12, "<b>the same</b> of Llama-2-13B", 14.5, anchor="middle right")
    if published:
        _bars(sheet, published, 0.61, 0.70)
    else:
        sheet.write(0.58, TOP + 1.5 * ROW, "?", 22, colors.muted)
    sheet.write(HEADS_LEFT, 12, "<b>weight on token 1</b>", 14.5, anchor="middle right")
    _heads(sheet, to_first)
    return sheet.figure(TOP + max(len(bars) * ROW, HEADS_SIDE) + 8, min_width=760)


def _bars(sheet: Sheet, bars: Sequence[tuple[str, float | None]], left: float, right: float) -> None:
    """Named bars from 0, the longest as long as there is room."""
    colors, most = sheet.colors, max((p for _, p in bars if p), default=1.0)
    for r, (name, p) in enumerate(bars):
        y = TOP + (r + 0.5) * ROW
        sheet.write(left - 0.01, y, name, 14, anchor="middle left")
        sheet.share_bar((left, y - 11, right, y + 11), (p or 0) / most, colors.accent if r == 0 else colors.bar)
        if p is None:
            sheet.write((left + right) / 2, y, "?", 15, colors.muted)
            continue
        sheet.write(right + 0.008, y, f"<b>{number(p, 2) if p < 1000 else f'{p:,.0f}'}</b>", 14.5, anchor="middle right")


def _heads(sheet: Sheet, to_first: np.ndarray) -> None:
    """A cell a head, a row a layer, with its number where there is room."""
    n_layer, n_head = to_first.shape
    left, height = HEADS_LEFT + 0.05, min(34.0, (HEADS_SIDE - 22) / n_layer)
    grid = Grid.of(left, TOP, ((1 - left) / n_head, height), to_first.shape)
    words = np.array([[f"{share:.2f}".removeprefix("0") for share in row] for row in to_first], object)
    written = Texts(words, 13) if grid.wide * WIDTH >= 30 and height >= 17 else None
    cells(sheet, grid, to_first, Scale(sheet.colors.weights), written, lines=height > 5)
    for i in range(0, n_layer, -(-n_layer // 8)):
        sheet.write(HEADS_LEFT + 0.04, grid.down[i], str(i + 1), 12.5, sheet.colors.muted, "middle left")
    sheet.write(1, grid.y[-1] + 12, "layers down, heads across", 12.5, sheet.colors.muted, "middle left")
