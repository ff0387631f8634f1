"""The toy, a trained model and a real one side by side: symbols down the left, a column for what is known of each."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short

COLUMNS = (0.335, 0.56, 0.785)
ROW, HEAD = 23.0, 42.0


def side_by_side(
    sheet: Sheet, heads: Sequence[tuple[str, str]], rows: Sequence[tuple[str, str, str, str]], result: int
) -> SheetFigure:
    """heads: name and "how we know" of each column. rows: a symbol and its three values. result: the row to mark."""
    colors = sheet.colors
    for x, (name, how) in zip(COLUMNS, heads, strict=True):
        sheet.write(x, 12, f"<b>{short(name, 0.215 * WIDTH, 16)}</b>", 16, anchor="middle right")
        sheet.write(x, 30, short(how, 0.215 * WIDTH, 13.5), 13.5, colors.muted, "middle right")
    for k, (what, *values) in enumerate(rows):
        y = HEAD + k * ROW
        sheet.bar(0, y - 1, 1, y, colors.hole)
        marked = k == result
        sheet.write(0, y + ROW / 2, bold(what, marked), 15, colors.ink if marked else colors.muted, "middle right")
        for x, value in zip(COLUMNS, values, strict=True):
            text = short(value, 0.218 * WIDTH, 15)
            sheet.write(x, y + ROW / 2, bold(text, marked), 15, colors.ink, "middle right")
    return sheet.figure(HEAD + len(rows) * ROW + 4, min_width=700)
