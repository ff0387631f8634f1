"""What a conversation's cache is multiplied from, and all that one decode step reads: the parameters, then the keys and values."""

from collections.abc import Sequence

from engine.cost import binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor, product
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.multiplication import HEIGHT, multiplication
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle

TITLE, TOP, BAR = HEIGHT + 40, HEIGHT + 64, 150.0  # pixels down to the title and to the bar, and of the bar on a projector
LABEL = 240.0  # pixels that its words take
LEAST = 2.0  # pixels: less would not be seen


def one_step_reads(
    sheet: Sheet, factors: Sequence[Factor], weight_bytes: float, stored_bytes: float, most_bytes: float
) -> SheetFigure:
    """factors: of the cache of so many tokens. weight_bytes: of the parameters that a step reads; stored_bytes: of all.

    most_bytes: of the largest cache that can be asked for, as far as the axis goes, so that it stands while a cache grows.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    cache_bytes, bottom = int(product(factors)), TOP + BAR + 0.9 * sheet.spare
    multiplication(sheet, factors, cache_bytes)
    sheet.write(
        0, TITLE, "<b>one decode step reads all of it, and the parameters</b>", 13.5 if phone else 16, anchor="middle right"
    )
    most = 1.02 * (weight_bytes + most_bytes)
    x = weight_bytes / most
    end = max((weight_bytes + cache_bytes) / most, x + LEAST / sheet.wide)
    middle = (x + end) / 2
    for x0, x1, color in ((0.0, x, colors.bar), (x, middle, colors.key), (middle, end, colors.value)):
        sheet.bar(x0, TOP, x1, bottom, color)
    longest = (weight_bytes + most_bytes) / most
    if (longest - end) * sheet.wide > 8:
        sheet.line(rectangle(end, TOP, longest, bottom), colors.muted, 1, "dot")
    if (longest - end) * sheet.wide > LABEL:
        sheet.write((end + longest) / 2, (TOP + bottom) / 2, "as far as the longest conversation", 14, colors.muted)
    byte_ticks(sheet, most, bottom)
    entries = (("parameters read", weight_bytes, (colors.bar,)), ("keys and values", cache_bytes, (colors.key, colors.value)))
    for k, (what, n_bytes, fills) in enumerate(entries):
        left, top = (0.0, bottom + 50 + 24 * k) if phone else (k * 0.48, bottom + 50)
        for j, fill in enumerate(fills):
            sheet.bar(left + j * 14 / sheet.wide, top - 7, left + (12 + j * 14) / sheet.wide, top + 7, fill)
        other = f" of {decimal_bytes(stored_bytes)} stored" if k == 0 else f" = {binary_bytes(n_bytes)}"
        text = f"{what}: <b>{decimal_bytes(n_bytes)}</b>{other}"
        sheet.write(left + (2 + 14 * len(fills)) / sheet.wide, top, text, 14 if phone else 15, colors.ink, "middle right")
    return sheet.figure(top + 16, min_width=0 if phone else 730)
