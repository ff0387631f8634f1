"""The evidence for a verdict: what was measured, a line each, with a bar where the lines can be compared."""

from collections.abc import Sequence

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.claims.wording import Exhibit

NAME, BAR = 0.50, 0.80  # shares of the width: where the names end, and the longest bar


def exhibits(sheet: Sheet, lines: Sequence[Exhibit]) -> SheetFigure:
    """Lines from the top; bars share one scale, from zero, whatever their sign."""
    colors = sheet.colors
    longest = max((abs(line.size) for line in lines if line.size is not None), default=0) or 1.0
    step = 31.0
    for i, line in enumerate(lines):
        y = 14 + i * step
        name = short(line.name, 0.98 * NAME * WIDTH, 14.5)
        sheet.write(NAME - 0.015, y, name, 14.5, colors.ink if line.decides else colors.muted, "middle left")
        end = NAME
        if line.size is not None:
            end = NAME + max(0.002, (BAR - NAME) * abs(line.size) / longest)
            sheet.bar(NAME, y - 9, end, y + 9, colors.ink if line.decides else colors.bar)
        text = f"<b>{line.text}</b>" if line.decides else line.text
        sheet.write(end + 0.01, y, text, 22 if line.decides else 15, anchor="middle right")
    return sheet.figure(14 + len(lines) * step - 12, min_width=640)
