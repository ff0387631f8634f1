"""The selected row of the attention map in numbers, beneath a map whose cells are too small for them."""

from collections.abc import Sequence

from engine.attention import Attention
from pages.parts.drawing.cells import Texts, cells, texts
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import WIDTH, Sheet, plain, short
from pages.parts.text.format import number


def row_written_out(
    sheet: Sheet,
    layer: Attention,
    selected: tuple[int, int, int],
    names: tuple[Sequence[str], Sequence[str]],
    top: float,
    width: float,
) -> float:
    """Write it below `top`, `width` wide (a share of the sheet); returns the figure's new height. names: of tokens and heads."""
    colors, (words, heads), (head, query, key) = sheet.colors, names, selected
    n = layer.scores.shape[2]
    cell = width / (n + 1.6)
    grid = Grid.of(1.6 * cell, top + 58, (cell, 22), (1, n))
    title = f"<b>{plain(heads[head])}</b>, row “{plain(words[n - layer.scores.shape[1] + query])}”"
    sheet.write(0, top + 8, title, 13.5, anchor="middle right")
    weights = layer.weights[head, query][None]
    cells(sheet, grid, weights, Scale(colors.weights), Texts(texts(weights, weights == weights), 13))
    for y, name in ((48, "masked"), (69, "weight"), (91, "× value")):
        sheet.write(1.6 * cell - 0.006, top + y, name, 12.5, colors.muted, "middle left")
    for j, x in enumerate(grid.across):
        sheet.write(x, top + 30, short(words[j], cell * WIDTH, 12), 12, colors.muted)
        sheet.write(x, top + 48, number(layer.masked[head, query, j], sign=True), 13, colors.muted)
        sheet.write(x, top + 91, number(layer.v[layer.kv_head(head), j, 0]), 13)
    sheet.frame(*grid.box(0, key), colors.ink)
    return top + 102
