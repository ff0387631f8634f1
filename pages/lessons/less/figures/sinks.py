"""A text behind caches of equal size, with and without its first tokens: which of its tokens each keeps, and how well the text is then
predicted; beside it what was published of a large model on another text."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.drawing.sheet import Sheet, SheetFigure, short
from pages.parts.text.format import number

TOP, ROW, STRIP = 62.0, 64.0, 24.0  # pixels above the rows, of one, and of what is kept
PANELS = ((0.0, 0.585), (0.635, 1.0))  # left and right edge
LEAST = 5.0  # pixels of one first token: it is seen
NUMBER = 96.0  # pixels of a perplexity


@dataclass(frozen=True)
class KeptText:
    """One cache. n_first, n_newest: tokens that it keeps, of n_tokens; perplexity: None where it waits for an answer."""

    name: str
    n_first: int
    n_newest: int
    n_tokens: int
    perplexity: float | None


def sinks(sheet: Sheet, name: str, rows: Sequence[KeptText], published: Sequence[KeptText]) -> SheetFigure:
    """rows: the caches of this model; published: of a large one."""
    if sheet.on_phone():
        edges, tops = ((0.0, 1.0), (0.0, 1.0)), (0.0, TOP + len(rows) * ROW + 14)
    else:
        edges, tops = PANELS, (0.0, 0.0)
    titles = (short(name, 200, 17), "Llama-2-13B, published")
    for title, some, (left, right), top in zip(titles, (rows, published), edges, tops, strict=True):
        sheet.write(left, top + 14, f"<b>{title}</b>", 17, anchor="middle right")
        n = some[0].n_tokens
        said = (
            "first token … newest token of its text"
            if sheet.phone
            else f"what is kept of {n:,} tokens, from the first to the newest"
        )
        sheet.write(left, top + 38, said if left == 0 else "what is kept of a book", 14, sheet.colors.muted, "middle right")
        sheet.write(right, top + 38, "perplexity", 14, sheet.colors.muted, "middle left")
        most = max((row.perplexity for row in some if row.perplexity), default=1.0)
        for r, row in enumerate(some):
            _row(sheet, row, (left, top + TOP + r * ROW, right - NUMBER / sheet.wide, right), most)
    return sheet.figure(TOP + max(len(rows) * ROW, tops[1] + len(published) * ROW) + 4)


def _row(sheet: Sheet, row: KeptText, place: tuple[float, float, float, float], most: float) -> None:
    """What it keeps along the text, beneath it how perplexed the model is, in bars of one scale and in a number."""
    (left, top, end, right), colors = place, sheet.colors
    wide, least = end - left, LEAST / sheet.wide
    first = left + max(wide * row.n_first / row.n_tokens, row.n_first * least)
    newest = max(
        end - wide * row.n_newest / row.n_tokens, first + (0.0 if row.n_first + row.n_newest >= row.n_tokens else 0.08 * wide)
    )
    y0, y1 = top + 18, top + 18 + STRIP
    sheet.write(left, top + 6, row.name, 14.5, anchor="middle right")
    if newest > first + 1e-9:
        sheet.line(f"M{first:.5f},{(y0 + y1) / 2:.2f}L{newest:.5f},{(y0 + y1) / 2:.2f}", colors.muted, 1.6, "dot")
    if row.n_first:
        sheet.bar(left, y0, first, y1, colors.ink)
    sheet.bar(newest if row.n_first < row.n_tokens else left, y0, end, y1, colors.cached)
    if row.perplexity:
        sheet.bar(left, y1 + 4, left + wide * row.perplexity / most, y1 + 11, colors.muted)
    p = row.perplexity
    written = "?" if p is None else number(p, 2) if p < 1000 else f"{p:,.0f}"
    sheet.write(right, (y0 + y1) / 2, f"<b>{written}</b>", 32, anchor="middle left")
