"""The split point: the same tokens as prefill with decoded rows beneath it, and as one prefill, column under column."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.experiments.rows import Rows
from pages.lessons.decode.figures.passes import LEFT, MIN_WIDTH, PassCells, pass_bars
from pages.parts.drawing.answers import NOT_ASKED, Asked, hint, part
from pages.parts.drawing.cells import waiting
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import LEAST
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short
from pages.parts.text.digits import context_text, gap_text
from pages.parts.text.format import number, plural

HEADS, HEIGHT = 0.655, 330
RIGHT = LEFT + HEADS + 0.012  # where the contexts begin
FIRST, BETWEEN = 56.0, 50  # pixels above the first way, and between the two
GAP = 4.0  # pixels between two passes
VEILED = 0.22  # of its colour has a cell whose number is still to be found
READ = 14.0  # pixels of a row that has a question mark of its own


def split_point(
    sheet: Sheet,
    ways: tuple[Rows, Rows],
    n_prefill: int,
    gap: float,
    words: Sequence[str],
    heads: Sequence[str],
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """Weights and contexts of n tokens, computed in two ways. gap: the largest difference between the two.

    ways: a prefill of n_prefill tokens and one decode pass for each further one; one prefill of all n.
    asked: whether the last of the old rows comes out different, or one before it; once that is known, those of the second way are
    shown, outlined in both.
    """
    n_head, n = ways[0].context.shape
    spread, decoded = 0.75 if n <= 8 else 1.5, n - n_prefill
    cell_x = min(HEADS / (n_head * (n + spread)), 56 / WIDTH)
    cell_h = sheet.row(HEIGHT - 96 - GAP * min(decoded, 12), 2 * n, 1.6, 34)
    first = _passes(FIRST, cell_h, [n_prefill] + [1] * decoded, GAP if decoded <= 12 else 0)
    second = _passes(float(first[-1][-1]) + BETWEEN, cell_h, [n], 0)
    columns = [LEFT + h * (n + spread) * cell_x + np.arange(n + 1) * cell_x for h in range(n_head)]
    steps = f"{decoded} decode {plural(decoded, 'step')}: {1 + decoded} passes"
    _headings(sheet, columns, heads)
    for y, title in ((FIRST - 44, f"over {_tokens(n_prefill)}, then {steps}"), (second[0][0] - 16, f"over {_tokens(n)}: 1 pass")):
        sheet.write(0, y, f"<b>prefill</b> {title}", 14.5, anchor="middle right")
    drawn = PassCells()
    for rows, edges in zip(ways, (first, second), strict=True):
        _labels(sheet, edges, words)
        if not asked.known and edges is second:
            _new_row_alone(sheet, drawn, rows, [Grid(x, second[0]) for x in columns])
            continue
        for h, x in enumerate(columns):
            grids = [Grid(x, y) for y in edges]
            drawn.hide(rows, h, grids[0], len(grids[0].down))
            for k, grid in enumerate(grids):
                at = 0 if k == 0 else len(grids[0].down) + k - 1
                drawn.add(sheet, rows, h, at, grid, sheet.colors.decode if k else sheet.colors.prefill)
            _contexts(sheet, rows, h, edges)
            if asked.known:
                sheet.frame(x[0], edges[0][0], x[-1], _ends(edges)[n - 2], sheet.colors.ink, 2)
    drawn.draw(sheet, lines=cell_h >= LEAST)
    if asked != NOT_ASKED:
        for k, (start, stop) in enumerate(((0, n - 2), (n - 2, n - 1))[-len(asked.names) :]):
            box = columns[0][0] - 0.004, second[0][start], columns[-1][-1] + 0.004, second[0][stop]
            part(sheet, asked, k, box, (0.42, second[0][0] - 16, "middle right"))
        hint(sheet, asked, 1, second[0][0] - 18)
    if asked.known:
        sheet.write(1, second[0][0] - 18, f"<b>largest difference: {gap_text(gap)}</b>", 19, anchor="middle left")
    return sheet.figure(second[0][-1] + 6, min_width=MIN_WIDTH)


def _new_row_alone(sheet: Sheet, drawn: PassCells, rows: Rows, grids: Sequence[Grid]) -> None:
    """The one prefill before the old rows are told: what its mask hides, its newest row, and of the others the cells without their
    numbers, with a question mark where a row's contexts will stand."""
    old, tall, down = len(grids[0].down) - 1, grids[0].tall, grids[0].y
    for h, grid in enumerate(grids):
        sheet.bar(*grid.rows(0, old).edges, faded(sheet.colors, sheet.colors.prefill, VEILED))
        drawn.hide(rows, h, grid, old + 1)
        drawn.add(sheet, rows, h, old, grid.rows(old, old + 1), sheet.colors.prefill)
        _contexts(sheet, rows, h, [grid.y], from_row=old)
    asked = pairwise(down[: old + 1]) if tall >= READ else [(down[0], down[old])]
    for top, bottom in asked:
        waiting(sheet, (RIGHT, float(top) + 1, 1, float(bottom) - 1), max(LEAST, min(22.0, 0.8 * tall)))
    if tall >= READ:
        lines = "".join(f"M{grid.x[0]:.5f},{y:.2f}H{grid.x[-1]:.5f}" for grid in grids for y in down[1 : old + 1])
        sheet.line(lines, sheet.colors.surface, 1)


def _passes(top: float, cell_h: float, sizes: Sequence[int], gap: float) -> list[np.ndarray]:
    """The edges of the rows of each pass, with gaps between passes."""
    starts = np.cumsum([0, *sizes])
    return [top + k * gap + np.arange(a, b + 1) * cell_h for k, (a, b) in enumerate(pairwise(starts))]


def _ends(edges: Sequence[np.ndarray]) -> list[float]:
    """Where each row ends."""
    return [float(y) for part in edges for y in part[1:]]


def _tokens(n: int) -> str:
    return "1 token" if n == 1 else f"{n} tokens"


def _headings(sheet: Sheet, columns: Sequence[np.ndarray], heads: Sequence[str]) -> None:
    """The heads' names and the positions above their columns, and the heads' numbers above their contexts."""
    colors, width = sheet.colors, (1 - RIGHT) / len(heads)
    for h, (x, name) in enumerate(zip(columns, heads, strict=True)):
        sheet.write((x[0] + x[-1]) / 2, FIRST - 24, short(name, (x[-1] - x[0]) * WIDTH, 12.5), 12.5, colors.muted)
        sheet.write(RIGHT + (h + 0.5) * width, FIRST - 10, str(h + 1), 12, colors.muted)
        if (x[1] - x[0]) * WIDTH >= 15:
            sheet.write_all((x[:-1] + x[1:]) / 2, FIRST - 9, map(str, range(1, len(x))), 12, colors.muted)
    sheet.write(RIGHT, FIRST - 28, "<b>context</b> of each head", 14, anchor="middle right")


def _labels(sheet: Sheet, edges: Sequence[np.ndarray], words: Sequence[str]) -> None:
    """Position and word of each row, and the bars of the passes."""
    prompt, *decoded = (Grid(np.zeros(2), y) for y in edges)
    size, split = min(14.0, 0.78 * prompt.tall), len(prompt.down)
    pass_bars(sheet, prompt, decoded)
    down = [*prompt.down, *(grid.down[0] for grid in decoded)]
    for i in range(len(down)) if size >= LEAST else (len(down) - 1,):
        label = short(f"{i + 1} {words[i]}", (LEFT - 0.02) * WIDTH, max(size, LEAST))
        color = sheet.colors.prefill if i < split else sheet.colors.decode
        sheet.write(LEFT - 0.018, down[i], label, max(size, LEAST), color, "middle left")


def _contexts(sheet: Sheet, rows: Rows, h: int, edges: Sequence[np.ndarray], from_row: int = 0) -> None:
    """One head's context for each row from `from_row` on, under its number."""
    n_head, n = rows.context.shape
    width, cell_h = (1 - RIGHT) / n_head, float(edges[0][1] - edges[0][0])
    size = min(15.0, 0.8 * cell_h, 0.42 * width * WIDTH)
    for i in range(from_row, n) if size >= LEAST else (n - 1,):
        roomy = width * WIDTH > 34
        written = context_text(rows.context[h, i], rows.largest[h, i]) if roomy else number(rows.context[h, i], 1)
        text = "none" if rows.empty[h, i] else written
        color = sheet.colors.decode if i >= len(edges[0]) - 1 else sheet.colors.prefill
        y = _ends(edges)[i] - cell_h / 2
        sheet.write(RIGHT + (h + 0.5) * width, y, bold(text, i == n - 1), max(size, LEAST), color)
