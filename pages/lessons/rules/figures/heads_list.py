"""The row that asks in every head, small: what each makes of it; on a phone two of them side by side."""

from collections.abc import Sequence

from pages.lessons.rules.figures.look import TO_FIND, HeadLine, Look
from pages.parts.drawing.machine_rows import HEAD, LEAST, Span
from pages.parts.drawing.sheet import LETTER, Sheet, bold, short

ON_PHONE = 46.0  # pixels of a head


def heads_list(sheet: Sheet, lines: Sequence[HeadLine], look: Look, across: Span, room: tuple[float, float]) -> float:
    """across: of the list; room: where it begins, and where the rows end. Returns how high the figure is with it."""
    colors, wide, n_head, (top, bottom) = sheet.colors, sheet.wide, len(lines), room
    columns = 2 if sheet.phone and n_head > 1 else 1
    found = "what each would find" if look.supposed else "what each head finds"
    title = "this head" if n_head == 1 else found
    sheet.write(across[0], top + HEAD - 14, bold(title), 15, anchor="middle right")
    first = top + HEAD
    step = ON_PHONE if sheet.phone else min(100.0, max(33.0, (bottom - first) / n_head))
    for h, line in enumerate(lines):
        y, strong, left = first + h // columns * step, h == look.head, across[0] + h % columns * 0.51
        right = left + 0.49 if columns > 1 else across[1]
        down, pixels = y + max(0.0, (step - 50) / 2), (right - left) * wide - 12
        result = "" if strong and line.result == TO_FIND else line.result  # that stands large where it will be found
        name = short(line.name, pixels - 24 - LETTER * 17 * len(result) * bool(result), 15)
        sheet.write(left + 8 / wide, down + 13, f"<b>{h + 1}</b>  {bold(name, strong)}", 15, anchor="middle right")
        if result:
            ink = colors.ink if strong and result not in ("none", "NaN") else colors.muted
            sheet.write(right - 6 / wide, down + 13, bold(result, strong), 18 if step > 40 else 16, ink, "middle left")
            text = "" if strong and sheet.headline else short(line.text, pixels - 8, LEAST)
            sheet.write(left + 8 / wide, down + 33, text, LEAST, colors.muted, "middle right")
        if strong:
            sheet.frame(left, y, min(right + 0.004, 1.004), y + step - 4, colors.ink, 2)
    return first + -(-n_head // columns) * step + 4
