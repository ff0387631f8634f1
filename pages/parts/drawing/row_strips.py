"""Rows of the cache wherever they are drawn, and lines of them: what happened to every token's row, one strip a pass.

A row that is kept is a key beside a value, in their colours, paler where it is only read. One that is computed again is pale, in a brown
outline; one that is computed for the first time has the colour of its phase. Any length fits: a few passes are drawn cell by cell, with a
sign in each so that nothing is told by colour alone; many become one area a kind, of which at most MAX_STRIPS strips are drawn.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from pages.parts.drawing.grid import Box, inside
from pages.parts.drawing.palette import DARK, Palette, faded, ink_on
from pages.parts.drawing.sheet import Sheet, rectangle

MAX_STRIPS = 40
PALE = 0.55  # of its colour has a key or value that is computed again
PALER = 0.3  # of its colour has one that is only read
PALER_ON_BLACK = 0.42  # the same in dark mode
SWATCH = 16.0  # pixels of a kind in the legend, across
SIGNS = {"prefill": "+", "new": "+", "again": "↻", "kept": "", "read": "", "reserved": ""}
Segment = tuple[int, int, str]  # from column, up to column, kind
Strip = Sequence[Segment]  # of one pass


def grounds(colors: Palette, look: str = "upright") -> dict[str, str]:
    """What words and signs stand on in a row of each kind."""
    again = colors.wasted if look == "full" else faded(colors, colors.wasted, 0.3)
    return {
        "prefill": colors.prefill, "new": colors.decode, "again": again, "kept": colors.hole, "read": colors.hole,
        "reserved": colors.hole,
    }  # fmt: skip


def cache_rows(sheet: Sheet, found: Mapping[str, Sequence[Box]], look: str = "upright") -> None:
    """Rows of the cache, a box each, or many that lie together. found: those of each kind.

    look: "upright", a row's key at the left of its value, as where a row is a token; "lying", its key above its value, where tokens stand
    side by side; "worded", the same as an edge at the foot of a box in which something is written; "plain", of what is no key and value;
    "full", the same in all of its colour.
    """
    colors = sheet.colors
    for kind in sorted(found, key=lambda k: k == "new"):  # "new" on top
        boxes, pair = found[kind], kind in ("kept", "read", "again") and look not in ("plain", "full")
        if look == "worded" or not pair:
            sheet.bars(boxes, grounds(colors, look)[kind])
        if pair or (look == "worded" and kind != "reserved"):
            feet = [(x0, y1 - edge(y1 - y0), x1, y1) for x0, y0, x1, y1 in boxes] if look == "worded" else boxes
            halves = [_halves(box, sheet.wide, look != "upright") for box in feet]
            share = {"again": PALE, "read": PALER_ON_BLACK if colors == DARK else PALER}.get(kind, 1.0)
            for part, color in enumerate((colors.key, colors.value)):
                sheet.bars([half[part] for half in halves], faded(colors, color, share))
        if kind == "again" and boxes and look != "full":
            thin = min(min((x1 - x0) * sheet.wide, y1 - y0) for x0, y0, x1, y1 in boxes) < 14
            sheet.line("".join(rectangle(*box) for box in boxes), colors.wasted, 1.0 if thin else 2.0)


def edge(height: float) -> float:
    """Pixels of a row's key and value, above each other at the foot of a box that has something written in it."""
    return min(28.0, 0.34 * height)


def _halves(box: Box, wide: float, lying: bool) -> tuple[Box, Box]:
    """A row's key and its value, a little apart where there is room: two parts, also where colours are not seen. wide: pixels of the
    sheet."""
    x0, y0, x1, y1 = box
    if lying:
        middle, apart = (y0 + y1) / 2, min(0.5, (y1 - y0) / 12)
        return (x0, y0, x1, middle - apart), (x0, middle + apart, x1, y1)
    middle, apart = (x0 + x1) / 2, min(0.5, (x1 - x0) * wide / 12) / wide
    return (x0, y0, middle - apart, y1), (middle + apart, y0, x1, y1)


def sampled(n: int) -> list[int]:
    """Which of n passes are drawn: all, or MAX_STRIPS of them from the first to the last."""
    return np.unique(np.linspace(0, n - 1, min(n, MAX_STRIPS)).round().astype(int)).tolist()


def strips(sheet: Sheet, place: Box, passes: Sequence[Strip], n: int, look: str = "upright") -> None:
    """Draw passes of at most n tokens beside each other, a token a row, as everywhere where a row is a token; with the look "lying"
    beneath each other, a token a column. place: left and upper edge, width and height; look: as cache_rows knows it."""
    (left, top, width, height), lying = place, look == "lying"
    wide, tall = (width / n, height / len(passes)) if lying else (width / len(passes), height / n)
    along, across = (wide * sheet.wide, tall) if lying else (tall, wide * sheet.wide)  # pixels of a token, and of a pass

    def box(i: int, start: float, end: float) -> Box:
        (a, b), (c, d) = ((start, end), (i, i + 1)) if lying else ((i, i + 1), (start, end))
        return left + a * wide, top + c * tall, left + b * wide, top + d * tall

    parted = along >= 7 and across >= 7  # cells that stand alone
    found: dict[str, list[Box]] = {}
    for i, strip in enumerate(passes):
        for start, end, kind in strip:
            if parted:
                found.setdefault(kind, []).extend(inside(box(i, j, j + 1), 0.8 / sheet.wide, 0.8) for j in range(start, end))
            elif end > start:
                # A single new row among thousands is thinner than a pixel: it is drawn two pixels wide, and so seen.
                least = start + 2.5 / along if kind == "new" else end
                aside = min(0.8, 0.1 * across)  # what parts a pass from the next one
                dx, dy = (0.0, aside) if lying else (aside / sheet.wide, 0.0)
                found.setdefault(kind, []).append(inside(box(i, start, max(end, least)), dx, dy))
    cache_rows(sheet, found, look)
    size = min(15.0, 0.88 * along, 0.88 * across)
    signed = [(i, *some) for i, strip in enumerate(passes) for some in strip if SIGNS[some[2]]] if size >= 9 else []
    for i, start, end, kind in signed:
        ink = ink_on(grounds(sheet.colors, look)[kind])
        for j in range(start, end):
            x0, y0, x1, y1 = box(i, j, j + 1)
            sheet.write((x0 + x1) / 2, (y0 + y1) / 2, SIGNS[kind], size, ink)


def legend(sheet: Sheet, y: float, names: Mapping[str, str], x: float = 0.0, look: str = "upright") -> float:
    """A line that says what the kinds mean, each with its look, and its sign where the rows have room for theirs; returns where it ends.
    names: kind -> words."""
    signs = {text for _, _, text, *_ in sheet.words}
    for kind, name in names.items():
        cache_rows(sheet, {kind: [(x, y - 8, x + SWATCH / sheet.wide, y + 8)]}, look)
        if SIGNS[kind] and SIGNS[kind] in signs:
            sheet.write(x + SWATCH / 2 / sheet.wide, y, SIGNS[kind], 13, ink_on(grounds(sheet.colors, look)[kind]))
        x = sheet.swatch(x, y, "", name)
    return x
