"""A text behind caches of equal size, with and without its first tokens: which of its tokens each keeps, and between how many words the
model then hesitates."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.drawing.grid import Box
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.format import number

TOP, ROW, STRIP = 46.0, 68.0, 38.0  # pixels above the rows, of one, and of what is kept
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


def sinks(sheet: Sheet, rows: Sequence[KeptText]) -> SheetFigure:
    """rows: the caches, the one that keeps everything first."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, end, words = (0.0, 0.44, (0.5, 0.8)) if phone else (NAME, TEXT, WORDS)
    said = "kept of the text" if phone else f"kept of a text of {rows[0].n_tokens:,} tokens, first to newest"
    sheet.write(left, 14, said, 14 if phone else 16, colors.muted, "middle right")
    sheet.write(1, 14, "words in doubt" if phone else "perplexity: between how many words it hesitates", 14 if phone else 16, colors.muted,
                "middle left")  # fmt: skip
    most = max([2.0, *(row.perplexity for row in rows if row.perplexity)])
    for r, row in enumerate(rows):
        top = TOP + r * ROW
        if phone:
            sheet.write(0, top + 8, row.name, 14, anchor="middle right")
        else:
            sheet.write(0, top + ROW / 2, f"<b>{row.name}</b>", 17, anchor="middle right")
        y0 = top + (20 if phone else (ROW - STRIP) / 2)
        _kept(sheet, row, (left, y0, end, y0 + STRIP))
        _hesitates(sheet, row.perplexity, (rows[0].perplexity or most, most), (words[0], y0, words[1], y0 + STRIP))
    return sheet.figure(TOP + len(rows) * ROW)


def _kept(sheet: Sheet, row: KeptText, box: Box) -> None:
    """Along the text what it keeps, dark the first tokens and grey the newest; what is dropped is a dotted line."""
    (left, y0, end, y1), colors, least = box, sheet.colors, LEAST / sheet.wide
    wide, middle, whole = end - left, (y0 + y1) / 2, row.n_first + row.n_newest >= row.n_tokens
    first = left + max(wide * row.n_first / row.n_tokens, row.n_first * least)
    newest = left if whole else max(end - wide * row.n_newest / row.n_tokens, first + 0.08 * wide)
    if not whole:
        sheet.line(f"M{first:.5f},{middle:.2f}L{newest:.5f},{middle:.2f}", colors.muted, 1.6, "dot")
        sheet.write((first + newest) / 2, middle - 12, "dropped", 14, colors.muted)
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
    sheet.write(1, (y0 + y1) / 2, f"<b>{said}</b>", 22 if sheet.phone else 34, anchor="middle left")
