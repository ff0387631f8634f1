"""What is set aside for each sequence and what of it holds tokens: in one piece at the left, in pages at the right."""

from collections.abc import Sequence

from engine.caches.reservations import MEASURED, in_one_piece, in_pages
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, rectangle
from pages.parts.text.format import percent

LEFT, PANEL, GAP, TOP = 0.075, 0.44, 0.045, 34.0


def reserved(sheet: Sheet, lengths: Sequence[int], longest: int, block_size: int) -> SheetFigure:
    """lengths: tokens of each sequence, at most `longest`, for which the left way sets aside room."""
    colors = sheet.colors
    row = min(25.0, 170 / len(lengths))
    bottom = TOP + row * len(lengths)
    low, high = (percent(share) for share in MEASURED["earlier"])
    ways = (
        (f"room for {longest:,} tokens each", [longest] * len(lengths), in_one_piece(lengths, longest), f"{low} to {high}"),
        (
            f"blocks of {block_size:,} as they are needed",
            [in_pages([n], block_size) for n in lengths],
            in_pages(lengths, block_size),
            percent(MEASURED["paged"]),
        ),
    )
    most = max(longest, *ways[1][1])
    for k, (title, rooms, total, measured) in enumerate(ways):
        x = LEFT + k * (PANEL + GAP)
        sheet.write(x, 12, f"<b>{title}</b>", 15, anchor="middle right")
        for i, (n, room) in enumerate(zip(lengths, rooms, strict=True)):
            y = TOP + i * row
            sheet.path(rectangle(x, y + 1.5, x + room / most * PANEL, y + row - 1.5), colors.hole, colors.muted, 1)
            sheet.bar(x, y + 1.5, x + n / most * PANEL, y + row - 1.5, colors.cached)
            if k == 0 and row >= 15:
                sheet.write(x - 8 / WIDTH, y + row / 2, f"{n:,}", 13, colors.muted, "middle left")
        sheet.write(x, bottom + 26, f"<b>{percent(sum(lengths) / total)}</b>", 25, anchor="middle right")
        sheet.write(x + 116 / WIDTH, bottom + 20, f"of {total:,} slots hold tokens", 14, anchor="middle right")
        sheet.write(
            x + 116 / WIDTH, bottom + 39, f"measured by vLLM’s authors, 2023: {measured}", 13, colors.muted, "middle right"
        )
    sheet.write(0, 12, "tokens", 13, colors.muted, "middle right")
    y = bottom + 66
    for x, fill, name in ((LEFT, colors.cached, "holds a token"), (LEFT + 0.17, colors.hole, "set aside, empty")):
        sheet.swatch(x, y, fill, name)
    return sheet.figure(y + 14, min_width=800)
