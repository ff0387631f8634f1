"""The same new token behind three caches: one row missing, right, one row too many."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short
from pages.parts.text.digits import context_text

CELLS, APART, NEXT = 0.60, 0.035, 0.12  # shares of the width: the boxes, what parts them from the contexts, the next word
COLUMN = (0.045, 0.062)  # the least and the most that a context takes
MOST = 8  # positions that are drawn; of a longer cache the last ones


def shifted_rows(sheet: Sheet, caches: Sequence[tuple[str, Sequence[str], np.ndarray, str]], right: int) -> SheetFigure:
    """One row of boxes for each cache: its tokens by position, then the new one; beside it the contexts and the next word.

    caches: (title, words with the new one last, contexts (n_head,) with NaN for "none", next word). right: which is right;
    what differs from it is bold, with ≠.
    """
    colors = sheet.colors
    longest = max(len(words) for _, words, *_ in caches)
    skip = max(0, longest - MOST)
    n_head = len(caches[0][2])
    boxes = min(CELLS, 1 - NEXT - n_head * COLUMN[0] - APART)
    right_part = boxes + APART
    width = min(boxes / (longest - skip), 0.1)
    column = min(COLUMN[1], (1 - right_part - NEXT) / n_head)
    sheet.write(right_part, 12, "<b>context</b> of each head", 14.5, anchor="middle right")
    sheet.write(1, 12, "<b>next</b>", 14.5, anchor="middle left")
    for h in range(n_head):
        sheet.write(right_part + (h + 0.5) * column, 34, str(h + 1), 12.5, colors.muted)
    cached_ink, new_ink = ink_on(colors.cached), ink_on(colors.accent)
    for i, (title, words, contexts, winner) in enumerate(caches):
        y = 76.0 + i * 92
        sheet.write(0, y - 30, bold(title, i == right), 14.5, anchor="middle right")
        for j in range(skip, len(words)):
            x0, new = (j - skip) * width, j == len(words) - 1
            sheet.bar(x0 + 0.001, y, x0 + width - 0.001, y + 34, colors.accent if new else colors.cached)
            sheet.write(x0 + width / 2, y + 17, short(words[j], width * WIDTH - 6, 14), 14, new_ink if new else cached_ink)
            sheet.write(x0 + width / 2, y - 10, str(j + 1), 12.5, colors.accent if new else colors.muted)
        for h, context in enumerate(contexts):
            true = caches[right][2][h]
            wrong = not np.isclose(context, true, atol=1e-6, equal_nan=True)
            text = "none" if np.isnan(context) else context_text(context)
            size = min(15.5, column * WIDTH / 2.9)
            sheet.write(right_part + (h + 0.5) * column, y + 17, bold(text, wrong), max(size, 12))
            if wrong:
                sheet.write(right_part + (h + 0.5) * column, y + 35, "≠", 13)
        differs = winner != caches[right][3]
        name = short(winner, 0.1 * WIDTH, 14.5)
        sheet.write(1, y + 17, f"<b>{name} ≠</b>" if differs else name, 14.5, anchor="middle left")
    return sheet.figure(76.0 + 92 * (len(caches) - 1) + 44, min_width=640)
