"""The same new token behind three caches: one row missing, right, one row too many."""

from collections.abc import Sequence

import numpy as np

from engine.toy.rules import LITTLE
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short
from pages.parts.text.digits import context_text, told_apart

BOXES, APART, NEXT = 0.56, 0.06, 0.1  # shares of the width: the tokens, what parts them from the contexts, the next word
MOST = 8  # positions that are drawn; of a longer cache the last ones
TOP, BLOCK, HIGH = 30.0, 122.0, 54.0  # pixels: the heads' numbers, a cache, its boxes
PHONE_BLOCK, PHONE_NAMED = 146.0, 0.2  # pixels of a cache on a phone; of the width, what names its contexts there


def shifted_rows(
    sheet: Sheet, caches: Sequence[tuple[str, Sequence[str], np.ndarray, str]], right: int, says: str = ""
) -> SheetFigure:
    """One row of boxes for each cache: its tokens by position, then the new one; beside it the contexts, on a phone beneath it.

    caches: (title, words with the new one last, contexts (n_head,) with ∞ for "none", next word). right: which is right, says: what that
    changes; what differs from it stands in an outline of the colour of waste. The next word is shown where it is not everywhere the same.
    """
    phone = sheet.on_phone()
    block, longest = PHONE_BLOCK if phone else BLOCK, max(len(words) for _, words, *_ in caches)
    skip = max(0, longest - MOST)
    wide = min((1.0 if phone else BOXES) / (longest - skip), 0.2 if phone else 0.14)
    told = len({winner for *_, winner in caches}) > 1
    left, end = (0.0, 1.0) if phone else (BOXES + APART, 1 - NEXT * told)
    if not phone:
        _headings(sheet, left, end, len(caches[0][2]), told)
    for i, (title, words, contexts, winner) in enumerate(caches):
        y = (0 if phone else TOP) + i * block + 42
        name = f"{title}: {winner}" if phone and told else title
        sheet.write(0, y - 32, bold(short(name, sheet.wide * (1 if phone else BOXES), 15), i == right), 15, anchor="middle right")
        high = 30.0 if phone else HIGH
        _tokens(sheet, words, skip, wide, (y, y + high))
        if len(words) > len(caches[right][1]):  # the row that is there twice
            x1 = (len(words) - 1 - skip) * wide
            sheet.frame(x1 - wide + 0.001, y, x1 - 0.001, y + high, sheet.colors.wasted, 3)
        box = (left, y, end, y + high)
        if phone:
            box = PHONE_NAMED, y + high + 26, end, y + high + 52
            _named_on_phone(sheet, box, len(contexts))
        else:
            color = sheet.colors.muted if i == right else sheet.colors.wasted
            _leads_to(sheet, ((len(words) - skip) * wide + 0.008, left - 0.006), y + high / 2, color)
        _contexts(sheet, contexts, caches[right][2], box)
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
        sheet.write(left + (h + 0.5) * (end - left) / n_head, 40, str(h + 1), 14, sheet.colors.muted)
    if told:
        sheet.write(1, 12, "<b>next</b>", 15, anchor="middle left")


def _named_on_phone(sheet: Sheet, box: Box, n_head: int) -> None:
    """What the numbers beneath a cache are: contexts, and of which head."""
    left, top, right, bottom = box
    column = (right - left) / n_head
    sheet.write(0, (top + bottom) / 2, "<b>context</b>", 14, anchor="middle right")
    for h in range(n_head):
        name = f"head {h + 1}" if column * sheet.wide > 48 else str(h + 1)
        sheet.write(left + (h + 0.5) * column, top - 12, name, 13, sheet.colors.muted)


def _tokens(sheet: Sheet, words: Sequence[str], skip: int, wide: float, down: tuple[float, float]) -> None:
    """A token's row with its position, the new one last."""
    colors, (y0, y1), boxes = sheet.colors, down, {}
    for j in range(skip, len(words)):
        x0, new = (j - skip) * wide, j == len(words) - 1
        kind, size = "new" if new else "kept", 13 if sheet.phone else 16
        boxes.setdefault(kind, []).append((x0 + 0.001, y0, x0 + wide - 0.001, y1))
        word, ink = short(words[j], wide * sheet.wide - 6, size), ink_on(grounds(colors)[kind])
        sheet.write(x0 + wide / 2, (y0 + y1 - edge(y1 - y0)) / 2, word, size, ink)
        sheet.write(x0 + wide / 2, y0 - 10, str(j + 1), 13, colors.accent if new else colors.muted)
    cache_rows(sheet, boxes, "worded")


def _contexts(sheet: Sheet, contexts: np.ndarray, right: np.ndarray, box: Box) -> None:
    """A number a head; one that is wrong in an outline of the colour of waste, where the right one stands beneath it as ≠."""
    x0, y0, x1, y1 = box
    column = (x1 - x0) / len(contexts)
    size = max(12.0, min(15.0 if sheet.phone else 22.0, column * sheet.wide / 3))
    finite = [abs(x) for x in (*contexts, *right) if np.isfinite(x)]
    largest = max(finite, default=0.0)
    for h, (context, true) in enumerate(zip(contexts, right, strict=True)):
        wrong = not np.isclose(context, true, atol=min(1e-6, LITTLE * largest), equal_nan=True)
        text, instead = _written(context, true, largest) if wrong else [_context(context, largest)] * 2
        x = x0 + (h + 0.5) * column
        if wrong:
            cache_rows(sheet, {"again": [(x0 + h * column + 0.003, y0, x0 + (h + 1) * column - 0.003, y1)]}, "plain")
        sheet.write(x, (y0 + y1) / 2, bold(text, wrong), size)
        if wrong:
            sheet.write(x, y1 + 12, f"≠ {instead}", max(13.0, 0.65 * size))


def _written(context: float, true: float, largest: float) -> tuple[str, str]:
    """A context and what it should be, told apart."""
    if np.isfinite([context, true]).all():
        return told_apart(context, true)
    return _context(context, largest), _context(true, largest)


def _context(context: float, largest: float) -> str:
    """A context as it is written beside others, of which `largest` is the largest; none where it is of nothing."""
    return "none" if np.isinf(context) else context_text(context, largest)
