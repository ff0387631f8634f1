"""The contexts of all rows before and after something was done, side by side; the rows that did not stay the same are marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, plain, rectangle, short
from pages.parts.text.format import context_text, number, weight

LEFT, RIGHT, GAP = 0.095, 0.15, 0.04  # shares of the width: the words, the verdicts, between the two tables


def rows_compared(
    sheet: Sheet,
    before: np.ndarray,
    after: np.ndarray,
    changed: np.ndarray,
    none: tuple[np.ndarray, np.ndarray],
    words: Sequence[str],
    heads: Sequence[str],
    titles: tuple[str, str],
    height: float = 232.0,
    hidden: bool = False,
) -> SheetFigure:
    """before, after: contexts (n, n_head). changed: (n, n_head) True where a number is another, by more than rounding.

    none: (n, n_head) twice, where a head saw nothing. titles: what the two tables are, plain text.
    hidden: the second table, and which rows it leaves as they are, is still to be found.
    """
    colors = sheet.colors
    n, n_head = before.shape
    top, row = 50.0, float(np.clip(height / n, 15.5, 46))
    block = (1 - LEFT - RIGHT - GAP) / 2
    cell = block / n_head
    size = min(18.0, max(0.62 * row, 12.0), cell * WIDTH / 3.4)
    gaps = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))  # a NaN that stays one is no change
    # The leak of softmax moves numbers that read the same: the row says so, no frame does.
    seen = changed & ~(gaps < 0.005) & ~np.bool_(hidden)
    for t, (table, seen_none) in enumerate(zip((before, after), none, strict=True)):
        x0 = LEFT + t * (block + GAP)
        sheet.write(x0, 12, f"<b>{plain(titles[t])}</b>", 15, anchor="middle right")
        for h, name in enumerate(heads):
            sheet.write(x0 + (h + 0.5) * cell, 36, short(name, cell * WIDTH, 13), 13, colors.muted)
        for i, h in np.ndindex(n, n_head):
            new = t == 1 and seen[i, h]
            text = "?" if t and hidden else "none" if seen_none[i, h] else context_text(table[i, h])
            color = colors.accent if new else colors.muted if seen_none[i, h] or (t and hidden) else colors.ink
            sheet.write(x0 + (h + 0.5) * cell, top + (i + 0.5) * row, f"<b>{text}</b>" if new else text, size, color)
    for i, word in enumerate(words):
        y = top + (i + 0.5) * row
        label = max(12.0, min(16.0, 0.72 * row))
        sheet.write(LEFT - 0.012, y, short(word, (LEFT - 0.012) * WIDTH, label), label, colors.muted, "middle left")
        sheet.bar(0, y + row / 2 - 0.5, 1, y + row / 2 + 0.5, colors.hole)
        if hidden:
            continue
        if changed[i].any():
            gap = np.nan if np.isnan(gaps[i]).any() else gaps[i].max()
            by = "≤" if changed[i].sum() > 1 else "by"
            nan = "from" if np.isnan(before[i]).sum() > np.isnan(after[i]).sum() else "to"
            amount = f"{nan} NaN" if np.isnan(gap) else f"{by} {number(gap) if gap >= 0.005 else weight(gap)}"
            sheet.write(1, y, f"<b>changed</b>, {amount}", min(15.0, label), colors.accent, "middle left")
        else:
            sheet.write(1, y, "rounding" if gaps[i].any() else "identical", min(15.0, label), colors.muted, "middle left")
    cells = "".join(
        rectangle(x, top + i * row + 2, x + cell, top + (i + 1) * row - 2)
        for i, h in np.argwhere(seen)
        for x in (LEFT + block + GAP + h * cell,)
    )
    sheet.path(cells or "M0,0Z", "rgba(0,0,0,0)", colors.accent, 1.5)
    return sheet.figure(top + n * row + 6, min_width=860)
