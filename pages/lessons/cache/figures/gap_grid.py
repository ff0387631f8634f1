"""Differences as a picture: where two runs that should be the same are not, and how far they are apart.

Only cells that differ are drawn, the stronger the larger the difference, whatever its unit; 0 and what rounding leaves is the
same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.answers import NOT_ASKED, Asked, hint, part
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number

LABEL, LABEL_ON_PHONE, SPACE, TOP = 0.16, 0.38, 0.03, 62.0
ALIKE = 0.24  # times as wide as another block is one in which all is the same
SHOWN = 0.1  # a smaller difference has as many digits as it needs


@dataclass(frozen=True)
class Block:
    """One grid: gaps (n_rows, n_columns), NaN for a cell that does not exist, with names; title stands above it.

    outlined: rows that were asked about, all but the newest column of them; waits: these are question marks, until somebody has
    predicted.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    gaps: np.ndarray
    waits: bool = False
    outlined: Sequence[int] = ()


def gap_grid(sheet: Sheet, blocks: Sequence[Block], caption: str = "", asked: Asked = NOT_ASKED) -> SheetFigure:
    """Blocks of the same rows side by side, on a phone beneath each other. caption: what they show; asked: which of the outlined rows
    differ."""
    phone, n_rows = sheet.on_phone(), len(blocks[0].rows)
    label = LABEL_ON_PHONE if phone else LABEL
    parts = [ALIKE if _alike(block) and not phone else 1.0 for block in blocks]
    whole = 1 - label - SPACE * (len(blocks) - 1) * (not phone)
    cell_h, left, top = 30.0 if phone else sheet.row(276, n_rows, 12, 60), label, TOP
    for k, (block, wide) in enumerate(zip(blocks, parts, strict=True)):
        wide *= whole / (1 if phone else sum(parts))
        grid = Grid.of(left, top, (wide / len(block.columns), cell_h), (n_rows, len(block.columns)))
        sheet.write(0 if phone else left, top - 50, f"<b>{block.title}</b>", 17, anchor="middle right")
        _block(sheet, _without_answer(block) if block.waits else block, grid)
        if phone or not k:
            _rows(sheet, block.rows, grid)
        _asked(sheet, block, grid, asked)
        if not _alike(block):
            _columns(sheet, block.columns, grid)
            if caption:
                x, y = (0, top - 28) if phone else (left + 0.1, top - 50)
                sheet.write(x, y, caption, 13 if phone else 15, sheet.colors.muted, "middle right")
        left, top = (left, float(grid.y[-1]) + TOP + 14) if phone else (left + wide + SPACE, top)
    return sheet.figure(float(grid.y[-1]) + 6, min_width=0 if phone else 600 if len(blocks) == 1 else 860)


def _alike(block: Block) -> bool:
    """Whether nothing differs in it, which is told."""
    return not block.waits and bool((block.gaps <= ROUNDING).all())


def _asked(sheet: Sheet, block: Block, grid: Grid, asked: Asked) -> None:
    """The outlined rows, which are answers: what they hold may be the same or another."""
    for k, row in enumerate(block.outlined):
        box = grid.columns(0, len(block.columns) - 1).row(row)
        if block.waits:
            said, size = "<b>the same or not?</b>", min(20.0, 0.7 * grid.tall)
            sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, said, size)
        if asked != NOT_ASKED:
            part(sheet, asked, k, box, ((box[0] + box[2]) / 2, box[3] - 9, "middle center"))
    if block.outlined:
        hint(sheet, asked, 1, float(grid.y[0]) - 50)


def _off(gap: float) -> str:
    """A difference as it is read from afar; hovering has its digits."""
    return number(gap, 1) if gap >= SHOWN else gap_text(gap)


def _without_answer(block: Block) -> Block:
    """The block without what was asked about."""
    gaps = np.array(block.gaps, float)
    gaps[list(block.outlined), :-1] = np.nan
    return replace(block, gaps=gaps)


def _block(sheet: Sheet, block: Block, grid: Grid) -> None:
    """The differences in their cells; what only rounding changes is the "same"."""
    size = min(24.0, 0.62 * grid.tall, grid.wide * sheet.wide / (5.6 * LETTER))
    words = [[bold(_off(gap)) if gap > ROUNDING else "" for gap in row] for row in block.gaps.tolist()]
    written = Texts(np.array(words, object), size) if size >= 12 else None
    colors, scale = sheet.colors, Scale((sheet.colors.surface, faded(sheet.colors, sheet.colors.wasted, 0.75)))
    cells(sheet, grid, _strength(block.gaps), scale, written, _hover(block), size >= 12)
    alike = block.gaps <= ROUNDING
    if _alike(block):
        sheet.line("".join(rectangle(*grid.row(i)) for i in range(len(block.rows))), colors.bar, 1)
        sheet.write_all((grid.x[0] + grid.x[-1]) / 2, grid.down, ["<b>same</b>"] * len(block.rows), min(18.0, 0.7 * grid.tall))
    elif (small := min(14.0, size, grid.wide * sheet.wide / 2.6)) >= 12:
        for i, j in np.argwhere(alike).tolist():
            sheet.write(grid.across[j], grid.down[i], "same", small, colors.muted)
    for i in block.outlined:
        sheet.frame(*grid.columns(0, len(block.columns) - 1).row(i), sheet.colors.ink, 2)


def _rows(sheet: Sheet, names: Sequence[str], grid: Grid) -> None:
    """The rows' names, left of them."""
    for y, name in zip(grid.down, names, strict=True):
        size = min(17.0, 0.7 * grid.tall, (LABEL_ON_PHONE if sheet.phone else LABEL) * sheet.wide / (ems(name) + 1))
        sheet.write(grid.x[0] - 0.008, y, name, max(12.0, size), anchor="middle left")


def _columns(sheet: Sheet, names: Sequence[str], grid: Grid) -> None:
    """As many names as fit above their columns, that of the newest one always."""
    n, pixels = len(names), grid.wide * sheet.wide
    newest = n - 1
    every = max(1, -(-n * 40 // max(1, int(n * pixels))))
    for j, name in enumerate(names):
        if j != newest and (j % every or newest - j < every):
            continue
        at_end = every > 1 and j == n - 1  # wider than its column: it ends where the figure does
        text = short(name, pixels * ((every + 1) / 2 if at_end else every), 13)
        color = sheet.colors.accent if j == newest else sheet.colors.muted
        x, anchor = (grid.x[j + 1], "middle left") if at_end else (grid.across[j], "middle center")
        sheet.write(x, grid.y[0] - 12, bold(text, j == newest), 13, color, anchor)


def _strength(gaps: np.ndarray) -> np.ndarray:
    """From 0 to 1: 0 for no difference but rounding, then by powers of ten from a thousandth to ten."""
    with np.errstate(divide="ignore"):
        power = np.log10(np.where(np.isnan(gaps), 1, gaps))
    real = np.clip((power + 3.5) / 4.5, 0.25, 1)
    return np.where(np.isnan(gaps), np.nan, np.where(gaps > ROUNDING, real, 0.0))


def _hover(block: Block) -> list[list[str]]:
    """What hovering says: the place and the difference."""
    return [
        [f"{row}, {short(column, 300, 13)}: max |Δ| = {gap_text(gap)}" for column, gap in zip(block.columns, gaps, strict=True)]
        for row, gaps in zip(block.rows, block.gaps, strict=True)
    ]
