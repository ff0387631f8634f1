"""Rows of segments: what happened to every token's row of the cache, one strip a pass. Shared by the figures about work.

Any length fits: a few passes are drawn cell by cell, with a sign in each so that nothing is told by colour alone; many become
one area a kind, of which at most MAX_STRIPS strips are drawn.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from pages.parts.drawing.palette import Palette, ink_on
from pages.parts.drawing.sheet import Sheet

MAX_STRIPS = 40
SIGNS = {"prefill": "+", "new": "+", "again": "↻", "kept": "", "reserved": ""}
Segment = tuple[int, int, str]  # from column, up to column, kind


def kind_colors(colors: Palette) -> dict[str, str]:
    """The colour of each kind of cell."""
    return {
        "prefill": colors.prefill, "new": colors.decode, "again": colors.wasted, "kept": colors.cached, "reserved": colors.hole,
    }  # fmt: skip


def sampled(n: int) -> list[int]:
    """Which of n passes are drawn: all, or MAX_STRIPS of them from the first to the last."""
    return np.unique(np.linspace(0, n - 1, min(n, MAX_STRIPS)).round().astype(int)).tolist()


def strips(
    sheet: Sheet, x0: float, y0: float, width: float, height: float, rows: Sequence[Sequence[Segment]], n_columns: int
) -> None:
    """Draw rows of segments into a box: x0 and width in shares of the sheet's width, y0 and height in pixels."""
    fills = kind_colors(sheet.colors)
    cell_w, cell_h = width / n_columns, height / len(rows)
    wide = cell_w * sheet.wide
    parted = wide >= 7 and cell_h >= 7  # cells that stand alone
    paths: dict[str, list[str]] = {}
    for i, row in enumerate(rows):
        y, y1 = y0 + i * cell_h, y0 + (i + 1) * cell_h
        for start, end, kind in row:
            if parted:
                paths.setdefault(kind, []).extend(
                    _box(x0 + j * cell_w + 0.0008, y + 0.8, x0 + (j + 1) * cell_w - 0.0008, y1 - 0.8) for j in range(start, end)
                )
            elif end > start:
                # A single new row among thousands is thinner than a pixel: it is drawn two pixels wide, and so seen.
                right = max(x0 + end * cell_w, x0 + start * cell_w + (2.5 / sheet.wide if kind == "new" else 0))
                paths.setdefault(kind, []).append(_box(x0 + start * cell_w, y, min(right, x0 + width), y1))
    for kind in sorted(paths, key=lambda k: k == "new"):  # "new" on top
        sheet.path("".join(paths[kind]), fills[kind])
    size = min(15.0, 0.95 * cell_h, 0.95 * wide)
    if size >= 9:
        for i, row in enumerate(rows):
            for start, end, kind in row:
                for j in range(start, end) if SIGNS[kind] else ():
                    x, y = x0 + (j + 0.5) * cell_w, y0 + (i + 0.5) * cell_h
                    sheet.write(x, y, SIGNS[kind], size, ink_on(fills[kind]))


def legend(sheet: Sheet, y: float, names: Mapping[str, str], x: float = 0.0) -> None:
    """A line that says what the kinds mean, each with its colour and sign. names: kind -> words."""
    fills = kind_colors(sheet.colors)
    for kind, name in names.items():
        if SIGNS[kind]:
            sheet.write(x + 8 / sheet.wide, y, SIGNS[kind], 13, ink_on(fills[kind]))
        x = sheet.swatch(x, y, fills[kind], name)


def _box(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{x0:.4f},{y0:.1f}H{x1:.4f}V{y1:.1f}H{x0:.4f}Z"
