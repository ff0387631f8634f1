"""A text behind caches of equal size, with and without its first tokens: which of its tokens each keeps, and between how many words the
model then hesitates."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.drawing.grid import Box
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.format import number

TOP, ROW, STRIP, APART = 42.0, 46.0, 30.0, 34.0  # pixels above the rows, of one, of what is kept, and above those published
ROW_ON_PHONE = 60.0
NAME, TEXT, WORDS = 0.155, 0.52, (0.565, 0.87)  # where names end, the text ends, and the words between which it hesitates
LEAST = 5.0  # pixels of one first token: it is seen


@dataclass(frozen=True)
class KeptText:
    """One cache. n_first, n_newest: tokens that it keeps, of n_tokens; perplexity: None where it waits for an answer."""

    name: str
    n_first: int
    n_newest: int
    n_tokens: int
    perplexity: float | None


def sinks(sheet: Sheet, rows: Sequence[KeptText], published: Sequence[KeptText], of: str) -> SheetFigure:
    """rows: the caches, the one that keeps everything first. published: what others have measured, to a scale of its own. of: on what."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, end, words = (0.0, 0.44, (0.5, 0.8)) if phone else (NAME, TEXT, WORDS)
    said = "kept of the text" if phone else f"kept of a text of {rows[0].n_tokens:,} tokens, first to newest"
    sheet.write(left, 14, said, 14 if phone else 16, colors.muted, "middle right")
    sheet.write(1, 14, "words in doubt" if phone else "perplexity: between how many words it hesitates", 14 if phone else 16, colors.muted,
                "middle left")  # fmt: skip
    top, high = TOP, ROW_ON_PHONE if phone else ROW
    for group in (rows, published):
        if group is published:
            sheet.write(0, top + APART / 2 + 4, of, 14 if phone else 16, colors.muted, "middle right")
            top += APART
        known = [row.perplexity for row in group if row.perplexity]
        most, whole = max([2.0, *known]), rows[0].perplexity if group is rows else min(known)
        for row in group:
            if phone:
                sheet.write(0, top + 10, row.name, 14, anchor="middle right")
            else:
                sheet.write(0, top + high / 2, f"<b>{row.name}</b>", 16, anchor="middle right")
            y0 = top + (22 if phone else (high - STRIP) / 2)
            _kept(sheet, row, (left, y0, end, y0 + STRIP))
            _hesitates(sheet, row.perplexity, (whole or most, most), (words[0], y0, words[1], y0 + STRIP))
            top += high
    return sheet.figure(top)


def _kept(sheet: Sheet, row: KeptText, box: Box) -> None:
    """Along the text what it keeps, dark the first tokens and grey the newest; what is dropped is a dotted line."""
    (left, y0, end, y1), colors, least = box, sheet.colors, LEAST / sheet.wide
    wide, middle, whole = end - left, (y0 + y1) / 2, row.n_first + row.n_newest >= row.n_tokens
    first = left + max(wide * row.n_first / row.n_tokens, row.n_first * least)
    newest = left if whole else max(end - wide * row.n_newest / row.n_tokens, first + 0.08 * wide)
    if not whole:
        sheet.line(f"M{first:.5f},{middle:.2f}L{newest:.5f},{middle:.2f}", colors.muted, 1.6, "dot")
        sheet.write((first + newest) / 2, middle - 10, "dropped", 13, colors.muted)
    sheet.bar(newest, y0, end, y1, colors.cached)
    if row.n_first:
        sheet.bar(left, y0, first, y1, colors.ink)


def _hesitates(sheet: Sheet, perplexity: float | None, scale: tuple[float, float], box: Box) -> None:
    """Between how many words the model hesitates: pale what it does with everything kept, dark what is more than that; an outline of
    what may be. scale: the perplexity of everything, and the largest."""
    (left, y0, right, y1), (whole, most), colors = box, scale, sheet.colors
    known = perplexity or most
    x, before = (left + (right - left) * each / most for each in (known, min(known, whole)))
    if perplexity is None:
        sheet.line(rectangle(left, y0, x, y1), colors.muted, 1.5, "dash")
        said = "?"
    else:
        sheet.bar(left, y0, before, y1, colors.hole)
        sheet.bar(before, y0, x, y1, colors.ink)
        said = number(perplexity, 2) if perplexity < 1000 else f"{perplexity:,.0f}"
    sheet.write(1, (y0 + y1) / 2, f"<b>{said}</b>", 20 if sheet.phone else 26, anchor="middle left")
