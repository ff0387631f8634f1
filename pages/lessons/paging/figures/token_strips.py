"""Prompts as rows of tokens, cut into blocks: of each token whether it was taken from a cache, run, or run again.

Long prompts go on in further lines; a line always ends where a block does, and a small gap parts the blocks.
"""

from collections.abc import Mapping, Sequence

from pages.lessons.paging.figures.shared_beginning import Lane
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import SIGNS, cache_rows, edge, grounds, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short

LEAST_COLUMNS = 12  # tokens in a line, at least
USUAL_COLUMNS = 28  # tokens in a line, unless lines would be too many
MOST_LINES = 8  # in all
GAP = 4.0  # pixels between blocks
WORDED = 24  # pixels of a cell that has room for its word
ROOMY = 4  # lines in all up to which cells are high
COLUMNS_ON_PHONE, MOST_LINES_ON_PHONE = 8, 12  # tokens in a line, each with its word, and lines in all with so few


def token_strips(
    sheet: Sheet, lanes: Sequence[Lane], block_size: int, names: Mapping[str, str], says: str = "", short_one: str | None = None
) -> SheetFigure:
    """The prompts beneath each other. names: what the kinds mean, for the legend. says, short_one: the headline, and
    a shorter one for a phone."""
    phone, lengths = sheet.on_phone(), [len(lane.words) for lane in lanes]
    columns = columns_on_phone(lengths, block_size) if phone else columns_for(lengths, block_size)
    n_lines = sum(-(-n // columns) for n in lengths)
    if sheet.wide / columns >= WORDED:
        height = (42.0 if n_lines <= 8 else 27.0) if phone else 54.0 if n_lines <= 2 else 44.0 if n_lines <= ROOMY else 26.0
    else:
        height = (34.0 if n_lines <= 8 else 22.0) if phone else 34.0 if n_lines <= ROOMY else 21.0
    y = 4.0
    for lane in lanes:
        sheet.write(0, y + 9, f"{bold(lane.name)}: {lane.said}", 14 if phone else 15, anchor="middle right")
        y += 22
        for start in range(0, len(lane.words), columns):
            _line(sheet, lane, range(start, min(start + columns, len(lane.words))), columns, block_size, y, height)
            y += height + 5
        y += 4
    if not phone:
        legend(sheet, y + 10, names, look="lying")
        return under_headline(sheet, says, short_one).figure(y + 24, min_width=730)
    return under_headline(sheet, says, short_one).figure(_legend_on_phone(sheet, names, y) + 3)


def _legend_on_phone(sheet: Sheet, names: Mapping[str, str], y: float) -> float:
    """What the kinds mean, two in a line where they fit; returns where that ends."""
    kinds = list(names.items())
    for k in range(0, len(kinds), 2):
        long = sum(len(name) for _, name in kinds[k : k + 2]) > 32
        for some in [kinds[k : k + 1], kinds[k + 1 : k + 2]] if long else [kinds[k : k + 2]]:
            legend(sheet, y + 10, dict(some), look="lying")
            y += 21 * bool(some)
    return y


def columns_on_phone(lengths: Sequence[int], block_size: int) -> int:
    """Tokens in a line on a phone: whole blocks of a few tokens, or an even part of a long one; more where lines would be too many.

    >>> columns_on_phone([12, 11], 4), columns_on_phone([12, 11], 16), columns_on_phone([12, 11], 3), columns_on_phone([96, 96], 4)
    (8, 8, 6, 16)
    """
    parts = -(-block_size // COLUMNS_ON_PHONE)
    least = columns = -(-block_size // parts) if parts > 1 else block_size * (COLUMNS_ON_PHONE // block_size)
    while sum(-(-n // columns) for n in lengths) > max(MOST_LINES_ON_PHONE, len(lengths)):
        columns += least
    return columns


def columns_for(lengths: Sequence[int], block_size: int) -> int:
    """Tokens in a line: whole blocks, as many as the longest prompt needs, USUAL_COLUMNS at most unless lines would be too many.

    >>> columns_for([15, 14], 4), columns_for([9, 9], 16), columns_for([30, 40], 4), columns_for([96, 96], 4)
    (16, 16, 28, 28)
    """
    wanted = min(USUAL_COLUMNS, max(LEAST_COLUMNS, *lengths))
    columns = max(block_size, -(-wanted // block_size) * block_size)
    while sum(-(-n // columns) for n in lengths) > max(MOST_LINES, len(lengths)):
        columns += block_size
    return columns


def _line(sheet: Sheet, lane: Lane, places: range, columns: int, block_size: int, y: float, height: float) -> None:
    """Some tokens side by side."""
    fills, cell = grounds(sheet.colors), 1 / columns
    wide = cell * sheet.wide
    worded = wide >= WORDED
    free = height - edge(height) if worded else height
    boxes: dict[str, list[Box]] = {}
    for i in places:
        x0, kind = (i - places.start) * cell, lane.kinds[i]
        ends = GAP if (i + 1) % block_size == 0 else min(1.0, 0.1 * wide)
        x1 = x0 + cell - min(ends, 0.4 * wide) / sheet.wide
        boxes.setdefault(kind, []).append((x0, y, x1, y + height))
        ink, middle, signed = ink_on(fills[kind]), (x0 + x1) / 2, free > 26
        size = min(13.0 if sheet.phone and wide < 44 else 15.0 if wide > 40 else 12.5, 0.8 * free)
        if worded:
            sheet.write(middle, y + free * (0.75 if signed else 0.5), short(lane.words[i], wide - 4, size), size, ink)
        if signed and wide >= 12 and SIGNS[kind]:
            sheet.write(middle, y + free * (0.3 if worded else 0.5), SIGNS[kind], 13 if sheet.phone else 12, ink)
    cache_rows(sheet, boxes, "worded" if worded else "lying")
