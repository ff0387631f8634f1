"""A text behind caches of equal size, with and without its first tokens: which of its tokens each keeps, and between how many words the
model then hesitates, of two models on one scale. It is logarithmic and begins at 1, where a model never hesitates."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.axes import LogFrame, field_range, powers
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems
from pages.parts.text.format import number

TOP = 46.0  # pixels above all
ROW = 33.0  # pixels of a row
STRIP = 20.0  # pixels of its two bars
APART = 26.0  # pixels above each model's rows, for its name
LARGE_ROW = 54.0  # pixels of a row of what was published
LARGE_STRIP = 34.0  # pixels of its two bars
LARGE = 36.0  # type size of its number
ROW_ON_PHONE, STRIP_ON_PHONE = 46.0, 15.0
NAME = 0.18  # of the width, where the text begins behind its name
TEXT = 0.5  # of the width, where it ends
WORDS = (0.55, 0.9)  # of the width, where the bar of the words begins and ends at most
HERE = "the model here"
ABOVE = 20.0  # pixels from the middle of a bar up to its number, on a phone, where bars have all the width
LEAST = 4.0  # pixels of what is kept, at least: it is seen


@dataclass(frozen=True)
class KeptText:
    """One cache. n_first, n_newest: tokens that it keeps, of n_tokens; perplexity: None where it waits for an answer."""

    name: str
    n_first: int
    n_newest: int
    n_tokens: int
    perplexity: float | None


def sinks(sheet: Sheet, rows: Sequence[KeptText], published: Sequence[KeptText], of: str) -> SheetFigure:
    """rows: the caches of the model here, the one that keeps everything first. published: what others have measured, which stands first and
    large. of: on what."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, end, words = (0.44, 0.8, (0.0, 0.99)) if phone else (NAME, TEXT, WORDS)
    small = 14 if phone else 16
    said = "kept of the text" if phone else "keys and values kept of a text, first to newest"
    sheet.write(left, 14, said, small, colors.muted, "middle right")
    title = "in doubt, log scale" if phone else "perplexity: between how many words it hesitates, log scale"
    sheet.write(words[0], 14, title, small, colors.muted, "middle right")
    known = [row.perplexity for row in (*rows, *published) if row.perplexity]
    scale = LogFrame(1.0, field_range(known, 1.0, 10.0)[1], 1, 10, *words, 0, 1)
    ends: list[tuple[float, str, str]] = []
    for k in powers(scale.x0, scale.x1):
        x = scale.x(10.0**k)
        anchor = "middle right" if phone and x < 0.02 else "middle left" if phone and x > 0.97 else "middle center"
        ends.append((x, f"{10**k:,}{' word' * (phone and not k)}", anchor))
    named, top = "", 26.0 if phone else TOP
    for group in (published, rows):
        large = group is published and not phone
        high, strip = (ROW_ON_PHONE, STRIP_ON_PHONE) if phone else (LARGE_ROW, LARGE_STRIP) if large else (ROW, STRIP)
        sheet.write(0, top + APART / 2, of if group is published else HERE, small, colors.muted, "middle right")
        top += APART
        best = rows[0].perplexity if group is rows else min((row.perplexity for row in group if row.perplexity), default=None)
        for row in group:
            if phone:
                sheet.write(0, top + 10, row.name, 14, anchor="middle right")
            else:
                sheet.write(0, top + high / 2, f"<b>{row.name}</b>", 17 if large else 16, anchor="middle right")
            middle = top + 11 if phone else top + high / 2
            once = "" if phone or named or row.n_first + row.n_newest >= row.n_tokens else "dropped"
            named = named or once
            _kept(sheet, row, (left, middle - strip / 2, end, middle + strip / 2), once)
            y, size = top + (31 if phone else high / 2), LARGE if large else 17 if phone else 22
            _hesitates(sheet, row.perplexity, best, scale, (y - strip / 2, y + strip / 2), size)
            top += high
    for x, text, anchor in ends:  # on a phone beneath the bars: strips stand above the first of them
        sheet.write(x, top + 8 if phone else 36, text, 13, colors.muted, anchor)
    found = [row.perplexity for row in published if row.perplexity]
    broken, mended = max(found), min(found)
    says = f"{broken:,.0f} in place of {number(mended, 2)}: Llama-2-13B without its first tokens"
    short_one = f"{broken:,.0f} in place of {number(mended, 2)} without the first"
    return under_headline(sheet, says, short_one).figure(top + 22 * phone)


def _kept(sheet: Sheet, row: KeptText, box: Box, says: str = "") -> None:
    """Along the text what it keeps, framed the first tokens, of which the least that can be seen is drawn; what is dropped is a dotted
    line, and what that is is said once."""
    (left, y0, end, y1), colors, least = box, sheet.colors, LEAST / sheet.wide
    wide, middle, whole = end - left, (y0 + y1) / 2, row.n_first + row.n_newest >= row.n_tokens
    first = left + (max(wide * row.n_first / row.n_tokens, least) if row.n_first else 0)
    newest = left if whole else min(max(end - wide * row.n_newest / row.n_tokens, first), end - least)
    if not whole:
        sheet.line(f"M{first:.5f},{middle:.2f}L{newest:.5f},{middle:.2f}", colors.muted, 1.6, "dot")
        if says:
            sheet.write((first + newest) / 2, middle - 10, says, 13, colors.muted)
    cache_rows(sheet, {"kept": [(newest, y0, end, y1), *([(left, y0, first, y1)] if row.n_first else [])]}, "lying")


def _hesitates(
    sheet: Sheet, perplexity: float | None, best: float | None, scale: LogFrame, down: tuple[float, float], size: float
) -> None:
    """Between how many words the model hesitates: pale what it does at best, brown what is more than that; an outline of what may be.
    down: from where to where; size: of the number's type."""
    colors, phone, (y0, y1) = sheet.colors, sheet.phone, down
    middle = (y0 + y1) / 2
    if perplexity is None:
        _ticks(sheet, scale, down, 0.0, 0.0)
        open_place(sheet, scale.left, y0, scale.right, y1)
        place = (1.0, middle - ABOVE, "<b>?</b>", 18) if phone else (scale.right + 10 / sheet.wide, middle, "<b>?</b>", 24)
        sheet.write(*place, anchor="middle left" if phone else "middle right")
        return
    x = scale.x(perplexity)
    before = min(x, scale.x(best)) if best else x
    said = number(perplexity, 2) if perplexity < 1000 else f"{perplexity:,.0f}"
    _ticks(sheet, scale, down, x, 0.0 if phone else x + (size * bold_ems(said) + 16) / sheet.wide)
    sheet.bar(scale.left, y0, before, y1, colors.bar)
    if x > before:
        sheet.bar(before, y0, x, y1, colors.wasted)
    at, y, anchor = (1.0, middle - ABOVE, "middle left") if phone else (x + 10 / sheet.wide, middle, "middle right")
    sheet.write(at, y, f"<b>{said}</b>", size, anchor=anchor)


def _ticks(sheet: Sheet, scale: LogFrame, down: tuple[float, float], start: float, end: float) -> None:
    """A short line at each power of ten, but for those between start and end: a number stands there."""
    found = [x for k in powers(scale.x0, scale.x1) if not start < (x := scale.x(10.0**k)) < end]
    sheet.line("".join(f"M{x:.5f},{down[0] - 4:.1f}L{x:.5f},{down[1] + 4:.1f}" for x in found), sheet.colors.line)
