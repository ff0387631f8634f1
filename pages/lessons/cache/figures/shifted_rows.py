"""The same new token behind three caches: one row missing, right, one row too many."""

from collections.abc import Sequence

import numpy as np

from engine.toy.rules import LITTLE
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, ems, short
from pages.parts.text.digits import context_text, told_apart

BOXES, APART, NEXT = 0.56, 0.06, 0.1  # shares of the width: the tokens, what parts them from the contexts, the next word
MOST = 8  # positions that are drawn; of a longer cache the last ones
TOP, BLOCK, HIGH = 34.0, 122.0, 58.0  # pixels: the heads' numbers, a cache, its boxes
PHONE_BLOCK, PHONE_NAMED = 152.0, 0.23  # pixels of a cache on a phone; of the width, what names its contexts there


def shifted_rows(
    sheet: Sheet, caches: Sequence[tuple[str, Sequence[str], np.ndarray, str]], right: int, says: str = ""
) -> SheetFigure:
    """One row of boxes for each cache: its tokens by position, then the new one; beside it the contexts, on a phone beneath it.

    caches: (title, words with the new one last, contexts (n_head,) with ∞ for "none", next word). right: which is right, says: what that
    changes; what differs from it stands in an outline of the colour of waste. The next word is shown where it is not everywhere the same.
    """
    phone, colors = sheet.on_phone(), sheet.colors
    block, longest = PHONE_BLOCK if phone else BLOCK, max(len(words) for _, words, *_ in caches)
    skip = max(0, longest - MOST)
    wide = min((1.0 if phone else BOXES) / (longest - skip), 0.2 if phone else 0.14)
    told = len({winner for *_, winner in caches}) > 1
    left, end = (0.0, 1.0) if phone else (BOXES + APART, 1 - NEXT * told)
    place, values = len(caches[right][1]) - 1, np.concatenate([contexts for *_, contexts, _ in caches])
    ends = _zero_to_largest(values[np.isfinite(values)])
    x = (place - skip) * wide
    for k in range(len(caches) if phone else 1):  # on a phone contexts stand between
        band = (k * block + 20, k * block + 74) if phone else (TOP - 6, TOP + len(caches) * block - 14)
        sheet.bar(x, band[0], x + wide, band[1], faded(colors, colors.decode, 0.13))
    if not phone:
        _headings(sheet, left, end, len(caches[0][2]), told)
        sheet.write(x + wide / 2, TOP - 16, f"<b>right: position {place + 1}</b>", 15, colors.decode)
    for i, (title, words, contexts, winner) in enumerate(caches):
        y = (0 if phone else TOP) + i * block + 42
        name = f"{title}: position {place + 1}" if phone and i == right else title
        name = f"{name}: {winner}" if phone and told else name
        sheet.write(0, y - 32, bold(short(name, sheet.wide * (1 if phone else BOXES), 15), i == right), 15, anchor="middle right")
        high = 30.0 if phone else HIGH
        _tokens(sheet, words, skip, wide, (y, y + high), place)
        if len(words) > len(caches[right][1]):  # the row that is there twice
            x1 = (len(words) - 1 - skip) * wide
            sheet.frame(x1 - wide + 0.001, y, x1 - 0.001, y + high, colors.wasted, 3)
        box = (left, y, end, y + high)
        if phone:
            box = PHONE_NAMED, y + high + 8, end, y + high + 56
            for line, text in ((20, "<b>contexts</b>"), (44, f"heads 1–{len(contexts)}" if len(contexts) > 1 else "")):
                sheet.write(0, y + high + line, text, 14, colors.muted if line > 20 else colors.ink, "middle right")
        else:
            color = colors.muted if i == right else colors.wasted
            _leads_to(sheet, ((len(words) - skip) * wide + 0.008, left - 0.006), y + high / 2, color)
        _contexts(sheet, contexts, caches[right][2], box, ends)
        if told and not phone:
            differs = winner != caches[right][3]
            sheet.write(1, y + high / 2, bold(short(winner, 0.09 * WIDTH, 18), differs), 18, anchor="middle left")
    return under_headline(sheet, says).figure((0 if phone else TOP) + len(caches) * block, min_width=0 if phone else 640)


def _leads_to(sheet: Sheet, across: tuple[float, float], y: float, color: str) -> None:
    """An arrow from a cache to the contexts that come of it."""
    (x0, x1), back = across, 9 / sheet.wide
    if x1 - x0 > 2 * back:
        sheet.line(f"M{x0:.5f},{y:.1f}L{x1 - back:.5f},{y:.1f}", color, 2)
        sheet.path(f"M{x1 - back:.5f},{y - 6:.1f}L{x1 - back:.5f},{y + 6:.1f}L{x1:.5f},{y:.1f}Z", color)


def _headings(sheet: Sheet, left: float, end: float, n_head: int, told: bool) -> None:
    """What stands in the columns beside the tokens."""
    sheet.write(left, 12, "<b>context</b> of each head", 15, anchor="middle right")
    for h in range(n_head):
        name = f"head {h + 1}" if (end - left) * sheet.wide > 56 * n_head else str(h + 1)
        sheet.write(left + h * (end - left) / n_head, 40, name, 14, sheet.colors.muted, "middle right")
    if told:
        sheet.write(1, 12, "<b>next</b>", 15, anchor="middle left")


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


def _zero_to_largest(values: np.ndarray) -> tuple[float, float]:
    """Where bars of these values begin and end: 0 is among them."""
    low, high = min(0.0, values.min(initial=0.0)), max(0.0, values.max(initial=0.0))
    return float(low), float(high if high > low else low + 1)


def _contexts(sheet: Sheet, contexts: np.ndarray, right: np.ndarray, box: Box, ends: tuple[float, float]) -> None:
    """A number a head above its bar; of one that is wrong the bar is brown from where it should end, and the right number stands
    beneath as ≠. ends: of all bars."""
    x0, y0, x1, y1 = box
    colors, column = sheet.colors, (x1 - x0) / len(contexts)
    size = max(12.0, min(20.0 if sheet.phone else 24.0, column * sheet.wide / 3))
    finite = [abs(x) for x in (*contexts, *right) if np.isfinite(x)]
    largest = max(finite, default=0.0)
    wrongs = ~np.isclose(contexts, right, atol=min(1e-6, LITTLE * largest), equal_nan=True)
    beneath, pairs = max(13.0, 0.65 * size), zip(contexts, right, wrongs, strict=True)
    said = [_written(x, true, largest) if wrong else [_context(x, largest)] * 2 for x, true, wrong in pairs]
    roomy = all(
        beneath * ems(f"≠ {instead}") < column * sheet.wide for (_, instead), wrong in zip(said, wrongs, strict=True) if wrong
    )
    for h, (context, true, wrong) in enumerate(zip(contexts, right, wrongs, strict=True)):
        text, instead = said[h]
        left, wide, top = x0 + h * column, 0.86 * column, y0 + size + 4

        def at(value: float, left: float = left, wide: float = wide) -> float:
            return left + wide * float(np.clip((value - ends[0]) / (ends[1] - ends[0]), 0, 1))

        sheet.bar(left, top, left + wide, y1, colors.hole)
        for value, other, color in ((true, 0.0, colors.bar), (context, true if np.isfinite(true) else 0.0, colors.wasted)):
            if np.isfinite(value) and (wrong or color == colors.bar):
                a, b = sorted((at(value), at(other)))
                sheet.bar(a, top, max(b, a + 2 / sheet.wide), y1, color)
        if wrong and np.isfinite(true):
            sheet.line(f"M{at(true):.5f},{top - 3:.1f}L{at(true):.5f},{y1 + 3:.1f}", colors.ink, 2, layer="above")
        if 1.05 * size * ems(text) < column * sheet.wide:  # else its bar alone says how far off it is
            sheet.write(left, y0 + size / 2, bold(text, wrong), size, colors.wasted if wrong else colors.ink, "middle right")
        if wrong and roomy:  # beneath all that are wrong, or beneath none
            sheet.write(left, y1 + 13, f"≠ {instead}", beneath, colors.ink, "middle right")


def _written(context: float, true: float, largest: float) -> tuple[str, str]:
    """A context and what it should be, told apart."""
    if np.isfinite([context, true]).all():
        return told_apart(context, true)
    return _context(context, largest), _context(true, largest)


def _context(context: float, largest: float) -> str:
    """A context as it is written beside others, of which `largest` is the largest; none where it is of nothing."""
    return "none" if np.isinf(context) else context_text(context, largest)
