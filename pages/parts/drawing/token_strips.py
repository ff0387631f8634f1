"""Prompts as rows of tokens, cut into blocks: of each token whether it was taken from a cache, run, or run again.

Long prompts go on in further lines; a line always ends where a block does, and a small gap parts the blocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import SIGNS, cache_rows, edge, grounds, legend
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, short

LEAST_COLUMNS, USUAL_COLUMNS, MOST_LINES = 12, 28, 8  # tokens in a line, lines in all
GAP = 4.0  # pixels between blocks
WORDED = 24  # pixels of a cell that has room for its word
ROOMY = 4  # lines in all up to which cells are high, and blocks are named beneath
MOST_ROWS, ROW = 16, 25.0  # tokens of prompts that stand beside each other on a phone, and pixels of one
COLUMNS_ON_PHONE, MOST_LINES_ON_PHONE = 8, 12  # tokens in a line, each with its word, and lines in all with so few


@dataclass(frozen=True)
class Strip:
    """A prompt. kinds: one of row_strips.SIGNS for each word; notes: a few letters for each full block, written beneath it."""

    title: str
    words: Sequence[str]
    kinds: Sequence[str]
    notes: Sequence[str] = ()


def token_strips(sheet: Sheet, strips: Sequence[Strip], block_size: int, names: Mapping[str, str], says: str = "") -> SheetFigure:
    """The prompts beneath each other. names: what the kinds mean, for the legend. says: what they come to."""
    phone, lengths = sheet.on_phone(), [len(s.words) for s in strips]
    if phone and len(strips) in (2, 3) and COLUMNS_ON_PHONE < max(lengths) <= MOST_ROWS:
        return under_headline(sheet, says).figure(_side_by_side(sheet, strips, block_size, names))
    columns = columns_on_phone(lengths, block_size) if phone else columns_for(lengths, block_size)
    n_lines = sum(-(-len(s.words) // columns) for s in strips)
    if sheet.wide / columns >= WORDED:
        height = (42.0 if n_lines <= 8 else 27.0) if phone else 54.0 if n_lines <= 2 else 44.0 if n_lines <= ROOMY else 26.0
    else:
        height = (34.0 if n_lines <= 8 else 22.0) if phone else 34.0 if n_lines <= ROOMY else 21.0
    noted = n_lines <= ROOMY and any(s.notes for s in strips)
    y = 4.0
    for strip in strips:
        for line in _title(strip.title, phone):
            sheet.write(0, y + 9, line, 14 if phone else 15, anchor="middle right")
            y += 22
        for start in range(0, len(strip.words), columns):
            _line(sheet, strip, range(start, min(start + columns, len(strip.words))), columns, block_size, y, height)
            if noted:
                _notes(sheet, strip, start, columns, block_size, y + height + 9)
            y += height + (20 if noted else 5)
        y += 4
    if not phone:
        legend(sheet, y + 10, names, look="lying")
        return under_headline(sheet, says).figure(y + 24, min_width=730)
    return under_headline(sheet, says).figure(_legend_on_phone(sheet, names, y) + 3)


def _legend_on_phone(sheet: Sheet, names: Mapping[str, str], y: float) -> float:
    """What the kinds mean, two in a line where they fit; returns where that ends."""
    kinds = list(names.items())
    for k in range(0, len(kinds), 2):
        long = sum(len(name) for _, name in kinds[k : k + 2]) > 32
        for some in [kinds[k : k + 1], kinds[k + 1 : k + 2]] if long else [kinds[k : k + 2]]:
            legend(sheet, y + 10, dict(some), look="lying")
            y += 21 * bool(some)
    return y


def _side_by_side(sheet: Sheet, strips: Sequence[Strip], block_size: int, names: Mapping[str, str]) -> float:
    """Two or three prompts on a phone that have no room in one line: turned, a token a row, so that each stands beside the others'.
    Returns where they end."""
    fills, cell = grounds(sheet.colors), 1 / len(strips)
    parts = [strip.title.partition(": ") for strip in strips]  # what stands before may be bold, and is not parted
    titles = [[before, *fill(after, int(cell * sheet.wide / 7.6)).split("\n")] for before, _, after in parts]
    top = 6 + 18.0 * max(map(len, titles))
    for k, (strip, lines) in enumerate(zip(strips, titles, strict=True)):
        left, right = k * cell, (k + 1) * cell - 0.014
        for j, line in enumerate(lines):
            sheet.write(left, 9 + 18 * j, line, 14, anchor="middle right")
        boxes: dict[str, list[Box]] = {}
        for i, (word, kind) in enumerate(zip(strip.words, strip.kinds, strict=True)):
            y0 = top + i * ROW + i // block_size * GAP
            boxes.setdefault(kind, []).append((left, y0 + 0.5, right, y0 + ROW - 0.5))
            ink, y = ink_on(fills[kind]), y0 + 0.5 * (ROW - edge(ROW))
            sheet.write(left + 8 / sheet.wide, y, short(word, (right - left) * sheet.wide - 34, 13), 13, ink, "middle right")
            if SIGNS[kind]:
                sheet.write(right - 8 / sheet.wide, y, SIGNS[kind], 13, ink, "middle left")
        cache_rows(sheet, boxes, "worded")
    n = max(len(strip.words) for strip in strips)
    return _legend_on_phone(sheet, names, top + n * ROW + (n - 1) // block_size * GAP + 10) + 3


def _title(title: str, phone: bool) -> list[str]:
    """A title as lines: what stands behind its last colon goes on beneath where it is long, on a phone."""
    parts = title.rsplit(": ", 1)
    return [f"{parts[0]}:", parts[1]] if phone and len(title) > 56 and len(parts) == 2 else [title]


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


def _line(sheet: Sheet, strip: Strip, places: range, columns: int, block_size: int, y: float, height: float) -> None:
    """Some tokens side by side."""
    fills, cell = grounds(sheet.colors), 1 / columns
    wide = cell * sheet.wide
    worded = wide >= WORDED
    free = height - edge(height) if worded else height
    boxes: dict[str, list[Box]] = {}
    for i in places:
        x0, kind = (i - places.start) * cell, strip.kinds[i]
        ends = GAP if (i + 1) % block_size == 0 else min(1.0, 0.1 * wide)
        x1 = x0 + cell - min(ends, 0.4 * wide) / sheet.wide
        boxes.setdefault(kind, []).append((x0, y, x1, y + height))
        ink, middle, signed = ink_on(fills[kind]), (x0 + x1) / 2, free > 26
        size = min(13.0 if sheet.phone and wide < 44 else 15.0 if wide > 40 else 12.5, 0.8 * free)
        if worded:
            sheet.write(middle, y + free * (0.75 if signed else 0.5), short(strip.words[i], wide - 4, size), size, ink)
        if signed and wide >= 12 and SIGNS[kind]:
            sheet.write(middle, y + free * (0.3 if worded else 0.5), SIGNS[kind], 13 if sheet.phone else 12, ink)
    cache_rows(sheet, boxes, "worded" if worded else "lying")


def _notes(sheet: Sheet, strip: Strip, start: int, columns: int, block_size: int, y: float) -> None:
    """What is said of each full block of a line."""
    pixels = block_size * sheet.wide / columns
    size = 13 if sheet.phone else 12
    for block in range(start // block_size, min(len(strip.notes), (start + columns) // block_size)):
        note = strip.notes[block]
        if LETTER * size * len(note) <= pixels and block * block_size >= start:
            sheet.write(((block + 0.5) * block_size - start) / columns, y, note, size, sheet.colors.muted)
