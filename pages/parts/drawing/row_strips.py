"""Lines of segments: what happened to every token's row of the cache, one strip a pass. Shared by the figures about work.

Any length fits: a few passes are drawn cell by cell, with a sign in each so that nothing is told by colour alone; many become
one area a kind, of which at most MAX_STRIPS strips are drawn.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import Palette, ink_on
from pages.parts.drawing.sheet import Sheet, rectangle

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
    """Draw passes beneath each other, a token a column, into a box: x0 and width in shares of the sheet's width, y0 and height in
    pixels."""
    wide, tall = width / n_columns, height / len(rows)

    def box(i: int, start: float, end: float) -> Box:
        return x0 + start * wide, y0 + i * tall, x0 + end * wide, y0 + (i + 1) * tall

    _draw(sheet, rows, box, (wide * sheet.wide, tall))


def upright(
    sheet: Sheet, x0: float, y0: float, width: float, height: float, passes: Sequence[Sequence[Segment]], n_rows: int
) -> None:
    """The same turned: passes beside each other, a token a row, as everywhere where a row is a token."""
    wide, tall = width / len(passes), height / n_rows

    def box(i: int, start: float, end: float) -> Box:
        return x0 + i * wide, y0 + start * tall, x0 + (i + 1) * wide, y0 + end * tall

    _draw(sheet, passes, box, (tall, wide * sheet.wide))


def _draw(
    sheet: Sheet, lines: Sequence[Sequence[Segment]], box: Callable[[int, float, float], Box], pixels: tuple[float, float]
) -> None:
    """Lines of segments. box: of a line's part from one token up to another; pixels: of a token along its line, and of a line."""
    fills, (along, across) = kind_colors(sheet.colors), pixels
    parted = along >= 7 and across >= 7  # cells that stand alone
    paths: dict[str, list[str]] = {}
    for i, line in enumerate(lines):
        for start, end, kind in line:
            if parted:
                paths.setdefault(kind, []).extend(_with_room_around(box(i, j, j + 1), sheet.wide) for j in range(start, end))
            elif end > start:
                # A single new row among thousands is thinner than a pixel: it is drawn two pixels wide, and so seen.
                least = start + 2.5 / along if kind == "new" else end
                paths.setdefault(kind, []).append(rectangle(*box(i, start, max(end, least))))
    for kind in sorted(paths, key=lambda k: k == "new"):  # "new" on top
        sheet.path("".join(paths[kind]), fills[kind])
    size = min(15.0, 0.88 * along, 0.88 * across)
    if size >= 9:
        for i, line in enumerate(lines):
            for start, end, kind in line:
                for j in range(start, end) if SIGNS[kind] else ():
                    left, top, right, bottom = box(i, j, j + 1)
                    sheet.write((left + right) / 2, (top + bottom) / 2, SIGNS[kind], size, ink_on(fills[kind]))


def legend(sheet: Sheet, y: float, names: Mapping[str, str], x: float = 0.0) -> None:
    """A line that says what the kinds mean, each with its colour and sign. names: kind -> words."""
    fills = kind_colors(sheet.colors)
    for kind, name in names.items():
        if SIGNS[kind]:
            sheet.write(x + 8 / sheet.wide, y, SIGNS[kind], 13, ink_on(fills[kind]))
        x = sheet.swatch(x, y, fills[kind], name)


def _with_room_around(box: Box, wide: float) -> str:
    """A cell with a little room around it. wide: pixels of the sheet."""
    left, top, right, bottom = box
    return rectangle(left + 0.8 / wide, top + 0.8, right - 0.8 / wide, bottom - 0.8)
