"""What attention needs at a time, as squares of one scale with one corner: the whole map, the rows that it is made of, and one tile."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.sheet import Sheet, SheetFigure

LEAST, MOST = 64, 2**20  # tokens
SIDE, SIDE_ON_PHONE, SEEN = 290.0, 190.0, 4.0  # pixels of the largest square's side, and of the smallest one's: it is seen
LINE, LINE_ON_PHONE = 97.0, 48.0  # pixels of what is said of a square


def held_bytes(sheet: Sheet, held: Sequence[tuple[str, str, float]], answered: bool) -> SheetFigure:
    """held: what it is, of what it is made, and its bytes; the whole map first. answered: whether that one's number is shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    side, line = (SIDE_ON_PHONE, LINE_ON_PHONE) if phone else (SIDE, LINE)
    fills = colors.wasted, colors.bar, colors.ink
    most = max(n_bytes for *_, n_bytes in held)
    for (*_, n_bytes), fill in sorted(zip(held, fills, strict=True), key=lambda one: -one[0][-1]):
        tall = max(SEEN, side * (n_bytes / most) ** 0.5)
        sheet.bar(0, side - tall, tall / sheet.wide, side, fill)
    at, top = (0.0, side + 18) if phone else (SIDE / sheet.wide + 0.06, 6.0)
    for k, ((name, of, n_bytes), fill) in enumerate(zip(held, fills, strict=True)):
        y = top + k * line
        said = decimal_bytes(n_bytes) if k or answered else "?"
        sheet.bar(at, y, at + 16 / sheet.wide, y + line - 18, fill)
        if phone:
            sheet.write(28 / sheet.wide, y + 15, name, 15, anchor="middle right")
            sheet.write(1, y + 15, f"<b>{said}</b>", 24, anchor="middle left")
            continue
        sheet.write(at + 28 / sheet.wide, y + 10, f"<b>{name}</b>", 19, anchor="middle right")
        sheet.write(1, y + 10, of, 17, colors.muted, "middle left")
        large_number(sheet, (at + 28 / sheet.wide, 1.0), y + line - 40, said)
    return sheet.figure(top + 3 * line if phone else side + 4)
