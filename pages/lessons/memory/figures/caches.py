"""The caches of several models for one length, as bars to one scale, with the multiplication of what a token adds."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short

LEFT, RIGHT, TOP = 0.3, 0.8, 30.0
LARGE, OTHER = 34.0, 22.0  # type sizes of the chosen model's bytes, and of the others'


class Kept(NamedTuple):
    """A model, what of it decides about the size of its cache, the bytes that the next token adds, and those of all tokens."""

    name: str
    why: str
    next_bytes: int
    n_bytes: int


def caches(sheet: Sheet, of: str, kept: Sequence[Kept]) -> SheetFigure:
    """A row for each, the first in ink: it is the chosen one. of: of how many sequences and tokens the bytes are. On a phone names stand
    above the bars."""
    colors, narrow, most = sheet.colors, sheet.on_phone(), max(1, *(one.n_bytes for one in kept))
    left, right = (0.0, 0.66) if narrow else (LEFT, RIGHT)
    row = 92.0 if narrow else sheet.row(276, len(kept), 62, 104)
    sheet.write(0, 10, short(of, sheet.wide, 15), 15, colors.muted, "middle right")
    for k, one in enumerate(kept):
        y = TOP + (k + 0.5) * row + 12 * narrow
        room = (0.99 if narrow else LEFT - 0.02) * sheet.wide
        at = y - 46 if narrow else y - 11
        sheet.write(0, at, bold(short(one.name, 0.92 * room, 17)), 17, anchor="middle right")
        size = max(13.0, min(15.0, room / (ems(one.why) + 0.5)))
        sheet.write(0, at + 22, short(one.why, room, size), size, colors.muted, "middle right")
        end, half = left + (right - left) * one.n_bytes / most, 15 if narrow else 0.27 * row
        sheet.bar(left, y - half, max(end, left + 0.002), y + half, colors.bar if k else colors.ink)
        large = (LARGE if k == 0 else OTHER) * (0.75 if narrow else 1)
        sheet.write(end + 0.012, y - 10 * (not narrow), bold(decimal_bytes(one.n_bytes)), large, anchor="middle right")
        if not narrow:
            beside = f"next token: {one.next_bytes:,} B"
            sheet.write(end + 0.012, y + 16, beside, 13.5, colors.muted, "middle right")
    return sheet.figure(TOP + row * len(kept), min_width=0 if narrow else 760)
