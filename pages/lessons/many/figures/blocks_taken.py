"""One machine's blocks as a strip: a beginning that is there once for all, what each request takes besides, and how many have room."""

from typing import NamedTuple

from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.format import quantity

TOP, TALL = 22.0, 26.0  # pixels above the strip, and of it
LEFT, RIGHT = 0.1, 0.985  # as the rows above it
MOST_CELLS = 256  # blocks that are drawn one by one
LEAST_CELL = 4.0  # pixels of one of them; of narrower ones the lines between would be all that is seen
STRONG, WEAK = 0.95, 0.55  # of the colour of the requests, in turns


class Taken(NamedTuple):
    """n_blocks: of one machine. of_one: what a request takes until its last token, n_shared: of them those of the beginning that all have
    once; together: requests that have room, None while that is asked for."""

    n_blocks: int
    of_one: int
    n_shared: int
    together: int | None


def blocks_taken(sheet: Sheet, taken: Taken) -> SheetFigure:
    """The strip from the first block to the last."""
    phone, colors, (n_blocks, of_one, n_shared, together) = sheet.on_phone(), sheet.colors, taken
    left, right = (0.0, 1.0) if phone else (LEFT, RIGHT)
    scale, bottom = (right - left) / max(1, n_blocks), TOP + TALL
    own, shared = (of_one - n_shared) * scale, left + min(n_shared, n_blocks) * scale
    sheet.bar(left, TOP, right, bottom, colors.hole)
    sheet.bar(left, TOP, shared, bottom, colors.muted)
    drawn = 1 if together is None else together
    for k in range(drawn if own * sheet.wide >= 3 else min(drawn, 1)):
        x = min(shared + k * own, right)
        sheet.bar(x, TOP, min(x + own, right), bottom, faded(colors, colors.cached, WEAK if k % 2 else STRONG))
    if own * sheet.wide < 3:  # too many to be told apart
        sheet.bar(shared, TOP, min(shared + drawn * own, right), bottom, colors.cached)
    end = min(shared + drawn * own, right)
    if n_blocks <= MOST_CELLS and scale * sheet.wide >= LEAST_CELL:
        cuts = [x for x in (left + k * scale for k in range(n_blocks + 1)) if together is not None or x <= end]
        sheet.line("".join(f"M{x:.5f},{TOP:.2f}L{x:.5f},{bottom:.2f}" for x in cuts), colors.surface, 1, layer="above")
    begins = f"{n_shared:,} {'' if phone else 'there '}once for all, " if n_shared else ""
    said = f"{quantity(n_blocks, 'block')}: {begins}{of_one - n_shared:,} {'each' if phone else 'for each request'}"
    sheet.write(left, 10, said, 13 if phone else 15, anchor="middle right")
    if together is None:
        sheet.line(rectangle(end, TOP, right, bottom) if end < right else "", colors.muted, 1.5, "dash", layer="above")
        sheet.write((end + right) / 2, (TOP + bottom) / 2, "<b>?</b>", 22)
    else:
        sheet.write(right, 10, f"<b>{together:,}</b>", 22, anchor="middle left")
    return sheet.figure(bottom + 4)
