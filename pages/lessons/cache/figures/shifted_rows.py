"""The same new token behind three caches, one row missing, right, one row too many: how far it stands from its place, and how far that
puts its logits off."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, short
from pages.parts.text.digits import gap_text

# Shares of the width
TOKENS = 0.56  # of the tokens
LOGITS = 0.64  # where the bars of the logits begin
NEXT = 0.11  # of the next word
MOST = 8  # positions that are drawn; of a longer cache the last ones
TOP = 34.0  # pixels of what is said above
BLOCK = 116.0  # pixels of a cache
HIGH = 60.0  # pixels of its boxes
PHONE_BLOCK = 146.0  # pixels of a cache on a phone
PHONE_HIGH = 40.0  # pixels of its boxes
PHONE_BAR = 28.0  # pixels of the bar beneath them
NUMBER, NUMBER_ON_PHONE = 34.0, 22.0  # type size of how far off the logits are
ARROW = 9.0  # pixels of its point


class Slip(NamedTuple):
    """A cache. words: of its tokens, the new one last; gap: how far its logits are off, 0 where that is rounding, as `said`; winner: the
    next word."""

    title: str
    words: Sequence[str]
    gap: float
    winner: str

    @property
    def said(self) -> str:
        return gap_text(self.gap) if np.isfinite(self.gap) else "NaN"


def shifted_rows(sheet: Sheet, caches: Sequence[Slip], right: int, off: str, says: str = "") -> SheetFigure:
    """One row of boxes for each cache: its tokens by position, then the new one; beside it how far off its logits are, on a phone beneath
    it. right: which one is; off: what is said above the logits. The next word is shown where it is not everywhere the same."""
    phone, colors = sheet.on_phone(), sheet.colors
    block, high, top = (PHONE_BLOCK, PHONE_HIGH, 0.0) if phone else (BLOCK, HIGH, TOP)
    skip = max(0, max(len(cache.words) for cache in caches) - MOST)
    wide = min((1.0 if phone else TOKENS) / (max(len(cache.words) for cache in caches) - skip), 0.2 if phone else 0.14)
    told, place = len({cache.winner for cache in caches}) > 1, len(caches[right].words) - 1
    x, bottom = (place - skip) * wide, top + len(caches) * block - 16
    for k in range(len(caches) if phone else 1):  # on a phone the logits stand between
        band = (k * block + 22, k * block + 46 + high) if phone else (TOP - 6, bottom)
        sheet.bar(x, band[0], x + wide, band[1], faded(colors, colors.decode, 0.13))
    if not phone:
        sheet.write(x + wide / 2, TOP - 16, f"<b>position {place + 1}</b>", 15, colors.decode)
        sheet.write(LOGITS, TOP - 16, bold(off), 15, anchor="middle right")
        sheet.write(1, TOP - 16, "<b>next</b>" if told else "", 15, anchor="middle left")
        sheet.line(f"M{LOGITS:.5f},{TOP - 2:.1f}V{bottom:.1f}", colors.ink, 2)
    for i, cache in enumerate(caches):
        y = top + i * block + 42
        name = f"{cache.title}: position {place + 1}" if phone and i == right else cache.title
        name = f"{name} → “{cache.winner}”" if phone and told else name
        sheet.write(
            0, y - 32, bold(short(name, sheet.wide * (1 if phone else TOKENS), 15), i == right), 15, anchor="middle right"
        )
        _tokens(sheet, cache.words, skip, wide, (y, y + high), place)
        if len(cache.words) > place + 1:  # the row that is there twice
            x1 = (len(cache.words) - 1 - skip) * wide
            sheet.frame(x1 - wide + 0.001, y, x1 - 0.001, y + high, colors.wasted, 3)
        if not phone:
            _leads_to(sheet, ((len(cache.words) - skip) * wide + 0.008, LOGITS - 0.008), y + high / 2, cache.gap)
        down = (y + high + 8, y + high + 8 + PHONE_BAR) if phone else (y, y + high)
        _how_far(sheet, cache, caches, down, (off if phone else "", 1 - NEXT * (told and not phone)))
        if told and not phone:
            differs = cache.winner != caches[right].winner
            sheet.write(1, y + high / 2, bold(short(cache.winner, 0.1 * sheet.wide, 18), differs), 18, anchor="middle left")
    return under_headline(sheet, says).figure(bottom + 2, min_width=640)


def _leads_to(sheet: Sheet, across: tuple[float, float], y: float, gap: float) -> None:
    """An arrow from a cache to the logits that come of it."""
    (x0, x1), back, color = across, ARROW / sheet.wide, sheet.colors.wasted if gap else sheet.colors.muted
    if x1 - x0 > 2 * back:
        sheet.line(f"M{x0:.5f},{y:.1f}L{x1 - back:.5f},{y:.1f}", color, 3)
        sheet.path(f"M{x1 - back:.5f},{y - 7:.1f}L{x1 - back:.5f},{y + 7:.1f}L{x1:.5f},{y:.1f}Z", color)


def _how_far(sheet: Sheet, cache: Slip, caches: Sequence[Slip], down: tuple[float, float], across: tuple[str, float]) -> None:
    """How far the logits are off, a bar from where none is, and the number. caches: whose numbers have room after their bars; across:
    what it is, said before it on a phone, and where the longest ends."""
    phone, colors, (y0, y1), (name, end) = sheet.phone, sheet.colors, down, across
    left, size = (0.3, NUMBER_ON_PHONE) if phone else (LOGITS, NUMBER)
    most = max((other.gap for other in caches if np.isfinite(other.gap)), default=0.0)
    room = end - left - (size * max(bold_ems(other.said) for other in caches) + 20) / sheet.wide
    long = room * cache.gap / most if most > 0 and np.isfinite(cache.gap) else 0.0
    if phone:
        sheet.write(0, (y0 + y1) / 2, name, 14, colors.muted, "middle right")
        sheet.line(f"M{left:.5f},{y0 - 2:.1f}V{y1 + 2:.1f}", colors.ink, 2)
    sheet.bars([(left, y0, left + long, y1)] if long else [], colors.wasted)
    ink = colors.wasted if cache.gap else colors.ink
    sheet.write(left + long + 10 / sheet.wide, (y0 + y1) / 2, f"<b>{cache.said}</b>", size, ink, "middle right")


def _tokens(sheet: Sheet, words: Sequence[str], skip: int, wide: float, down: tuple[float, float], right: int) -> None:
    """A token's row with its position, the new one last, whose position is large, and brown where it is not the `right` one."""
    colors, (y0, y1), boxes, last = sheet.colors, down, {}, len(words) - 1
    for j in range(skip, len(words)):
        x0, new = (j - skip) * wide, j == last
        kind, size = "new" if new else "kept", 13 if sheet.phone else 16
        boxes.setdefault(kind, []).append((x0 + 0.001, y0, x0 + wide - 0.001, y1))
        word, ink = short(words[j], wide * sheet.wide - 6, size), ink_on(grounds(colors)[kind])
        sheet.write(x0 + wide / 2, (y0 + y1 - edge(y1 - y0)) / 2, word, size, ink)
        if not new:
            sheet.write(x0 + wide / 2, y0 - 10, str(j + 1), 13, colors.muted)
    said, size = (f"{last + 1} ≠ {right + 1}" if last != right else str(last + 1)), 14 if sheet.phone else 20
    x = (last - skip + 0.5) * wide
    sheet.write(x, y0 - (10 if sheet.phone else 13), bold(said), size, colors.ink if last == right else colors.wasted)
    cache_rows(sheet, boxes, "worded")
