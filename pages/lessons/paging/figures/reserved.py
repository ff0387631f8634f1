"""What is set aside for each sequence and what of it holds tokens: in one piece at the left, in blocks at the right, to one scale."""

from collections.abc import Sequence

from engine.caches.reservations import in_pages
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.format import percent

LEFT = 0.075  # of the width, where the room in one piece begins
PANEL = 0.44  # of the width has either kind of room
GAP = 0.045  # of the width, between the two
TOP = 48.0  # pixels above the rows
LEFT_ON_PHONE, BETWEEN = 0.15, 18.0  # there the two stand beneath each other, with so many pixels between them
ROWS = 174.0  # pixels of all rows
MOST = 58.0  # pixels of a row, at most
ROWS_ON_PHONE = 132.0
MOST_ON_PHONE = 33.0
LARGE = 40.0  # type size of the share that holds tokens
LARGE_ON_PHONE = 28.0
NAME = 18.0  # type size of what it is a share of
WORDED = 15.0  # pixels of a row that has room for words


def reserved(sheet: Sheet, lengths: Sequence[int], longest: int, block_size: int) -> SheetFigure:
    """lengths: tokens of each sequence, at most `longest`, for which the left way sets aside room."""
    colors, phone = sheet.colors, sheet.on_phone()
    left, panel = (LEFT_ON_PHONE, 1 - LEFT_ON_PHONE) if phone else (LEFT, PANEL)
    row = min(MOST_ON_PHONE, ROWS_ON_PHONE / len(lengths)) if phone else min(MOST, ROWS / len(lengths))
    under = row * len(lengths)
    pieces, blocks = [longest] * len(lengths), [in_pages([n], block_size) for n in lengths]
    most, shares = max(longest, *blocks), [percent(sum(lengths) / sum(rooms)) for rooms in (pieces, blocks)]
    titles = f"room for {longest:,} tokens each", f"blocks of {block_size:,} as they are needed"
    for k, (title, rooms, share) in enumerate(zip(titles, (pieces, blocks), shares, strict=True)):
        x, top = (left, TOP + k * (under + TOP + BETWEEN)) if phone else (left + k * (PANEL + GAP), TOP)
        sheet.write(0 if phone else x, top - 22, bold(title), 15 if phone else NAME, anchor="middle right")
        sheet.write(x + panel, top - 26, bold(share), LARGE_ON_PHONE if phone else LARGE, anchor="middle left")
        for i, (n, room) in enumerate(zip(lengths, rooms, strict=True)):
            y0, y1 = top + i * row + 1.5, top + (i + 1) * row - 1.5
            sheet.path(rectangle(x, y0, x + room / most * panel, y1), colors.hole, colors.muted, 1)
            cache_rows(sheet, {"kept": [(x, y0, x + n / most * panel, y1)]}, "lying")
            if (k == 0 or phone) and row >= WORDED:
                sheet.write(x - 8 / sheet.wide, (y0 + y1) / 2, f"{n:,}", 13 if phone else 16, anchor="middle left")
    if not phone:
        sheet.write(LEFT - 8 / sheet.wide, TOP - 22, "tokens", 16, anchor="middle left")
    _in_the_room(sheet, lengths, longest / most, (left, panel), row, most)
    says = f"Blocks fill {shares[1]} of their room, pieces {shares[0]}"
    return under_headline(sheet, says).figure(top + under + 6, min_width=800)


def _in_the_room(sheet: Sheet, lengths: Sequence[int], end: float, across: tuple[float, float], row: float, most: int) -> None:
    """What a room without tokens is, in the emptiest of them; nothing where rows are too low. end: of a room, as a share of the panel;
    across: where that begins, and how wide it is."""
    i, said, (left, panel) = min(range(len(lengths)), key=lambda k: lengths[k]), "set aside, empty", across
    begins, size = lengths[i] / most, 13 if sheet.phone else 16
    if row >= WORDED and (end - begins) * panel * sheet.wide > size * ems(said) + 24:
        sheet.write(left + (begins + end) / 2 * panel, TOP + (i + 0.5) * row, said, size)
