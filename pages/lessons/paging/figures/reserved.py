"""What is set aside for each sequence and what of it holds tokens: in one piece at the left, in pages at the right."""

from collections.abc import Sequence

from engine.caches.reservations import MEASURED, in_one_piece, in_pages
from pages.parts.drawing.answers import outline
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, rectangle
from pages.parts.text.format import number, percent

LEFT, PANEL, GAP, TOP = 0.075, 0.44, 0.045, 34.0
LEFT_ON_PHONE, BETWEEN = 0.13, 22.0  # there the two stand beneath each other, with so many pixels between them


def reserved(
    sheet: Sheet,
    lengths: Sequence[int],
    longest: int,
    block_size: int,
    last: tuple[int, float | None, float | None] | None = None,
) -> SheetFigure:
    """lengths: tokens of each sequence, at most `longest`, for which the left way sets aside room. last: a block's tokens, how many of
    them the last one leaves empty on average, None as long as that is asked, and how many were guessed to be."""
    colors, phone = sheet.colors, sheet.on_phone()
    left, panel = (LEFT_ON_PHONE, 1 - LEFT_ON_PHONE) if phone else (LEFT, PANEL)
    row = min(18.0, 120 / len(lengths)) if phone else min(34.0, (170 - 32) / len(lengths))
    under = row * len(lengths)
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
        x, top = (left, TOP + k * (under + 66 + TOP + BETWEEN)) if phone else (left + k * (PANEL + GAP), TOP)
        bottom = top + under
        sheet.write(x, top - 22, f"<b>{title}</b>", 15, anchor="middle right")
        for i, (n, room) in enumerate(zip(lengths, rooms, strict=True)):
            y = top + i * row
            sheet.path(rectangle(x, y + 1.5, x + room / most * panel, y + row - 1.5), colors.hole, colors.muted, 1)
            cache_rows(sheet, {"kept": [(x, y + 1.5, x + n / most * panel, y + row - 1.5)]}, "lying")
            if (k == 0 or phone) and row >= 15:
                sheet.write(x - 8 / sheet.wide, y + row / 2, f"{n:,}", 13, colors.muted, "middle left")
        x, beside = (0.0, 96 / sheet.wide) if phone else (x, x + 116 / WIDTH)
        sheet.write(x, bottom + 26, f"<b>{percent(sum(lengths) / total)}</b>", 30 if phone else 25, anchor="middle right")
        sheet.write(beside, bottom + (26 if phone else 20), f"of {total:,} slots hold tokens", 14, anchor="middle right")
        at = (0, bottom + 53) if phone else (beside, bottom + 39)
        sheet.write(*at, f"measured by vLLM’s authors, 2023: {measured}", 13, colors.muted, "middle right")
    sheet.write(0, 12, "tokens", 13, colors.muted, "middle right")
    y = bottom + (84 if phone else 42)
    if phone:
        legend(sheet, y, {"kept": "holds a token"}, left, "lying")
        sheet.swatch(left + 0.42, y, colors.hole, "set aside, empty")
    else:
        _in_the_room(sheet, lengths, longest / most, row, most)
    if last and not (phone and last[1] is None):
        y = _last_block(sheet, last, left, y + 22)
    pieces, blocks = (percent(sum(lengths) / total) for _, _, total, _ in ways)
    says = f"Blocks fill {blocks} of their room, pieces {pieces}"
    return under_headline(sheet, says).figure(y + 14, min_width=0 if phone else 800)


def _in_the_room(sheet: Sheet, lengths: Sequence[int], end: float, row: float, most: int) -> None:
    """What a room without tokens is, in the emptiest of them; nothing where rows are too low. end: of a room, as a share of the panel."""
    i, said = min(range(len(lengths)), key=lambda k: lengths[k]), "set aside, empty"
    begins = lengths[i] / most
    if row >= 15 and (end - begins) * PANEL * WIDTH > 13 * ems(said) + 24:
        y = TOP + (i + 0.5) * row
        sheet.write(LEFT + (begins + end) / 2 * PANEL, y, said, 13)


def _last_block(sheet: Sheet, last: tuple[int, float | None, float | None], left: float, top: float) -> float:
    """A sequence's last block, as it is on average: what it leaves empty is framed, dashed what was guessed; until that is known the one
    slot that is held for certain. Returns where it ends."""
    (size, empty, guess), right = last, 0.62 if not sheet.phone else 1.0
    y0, y1 = top + 22, top + 44
    slot = (right - left) / size
    sheet.write(left, top + 8, f"a last block of {size:,}, on average", 14, sheet.colors.muted, "middle right")
    sheet.bar(left, y0, right, y1, sheet.colors.hole)
    if empty is None:
        cache_rows(sheet, {"kept": [(left, y0, left + slot, y1)]}, "lying")
        sheet.line(rectangle(left + slot, y0, right, y1), sheet.colors.muted, 1.5, "dash")
        sheet.write(right + 10 / WIDTH, (y0 + y1) / 2, "<b>?</b> empty", 15, anchor="middle right")
        return y1 + 8
    cache_rows(sheet, {"kept": [(left, y0, right - empty * slot, y1)]}, "lying")
    said = (right, top + 8, "middle left") if sheet.phone else (right + 10 / WIDTH, (y0 + y1) / 2, "middle right")
    outline(sheet, (right - empty * slot, y0, right, y1), True, False, said, "")
    sheet.write(*said[:2], f"<b>✓ {number(empty)} empty</b>", 15, anchor=said[2])
    if guess is not None:
        first = right - min(max(guess, 0.0), size) * slot
        outline(sheet, (first, y0 - 5, right, y1 + 5), False, True, (right, y1 + 14, "middle left"))
    return y1 + 8
