"""What attention needs at a time, as squares whose areas are bytes: the whole map with the rows that it is made of in its corner, and
these once more, enlarged, with one tile in theirs. Nothing is drawn larger than it is."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.sheet import EDGE, Sheet, SheetFigure, short
from pages.parts.text.amounts import amount

LEAST, MOST = 64, 2**20  # tokens
SIDE, APART, TOP = 284.0, 62.0, 24.0  # pixels of a large square's side, between the two, and above them
SIDE_ON_PHONE, APART_ON_PHONE = 152.0, 36.0
LINE, LINE_ON_PHONE = 98.0, 44.0  # pixels of what is said of a square
SQUARE = 16.0  # of the sign of its colour


def held_bytes(sheet: Sheet, held: Sequence[tuple[str, str, float]], answered: bool) -> SheetFigure:
    """held: what it is, of what it is made, and its bytes; the whole map first. answered: whether that one's number is shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    side, apart, line = (SIDE_ON_PHONE, APART_ON_PHONE, LINE_ON_PHONE) if phone else (SIDE, APART, LINE)
    fills = colors.wasted, colors.bar, colors.ink
    large, middle, small = sorted(zip(held, fills, strict=True), key=lambda one: -one[0][-1])
    bottom, second = TOP + side, (side + apart) / sheet.wide
    sides = [side * (one[0][-1] / large[0][-1]) ** 0.5 for one in (large, middle, small)]
    for pixels, (_, fill) in zip(sides, (large, middle, small), strict=True):
        _square(sheet, 0.0, bottom, pixels, fill)
    times = sides[0] / sides[1]
    _square(sheet, second, bottom, side, middle[1])
    _square(sheet, second, bottom, sides[2] * times, small[1])
    corner, right = sides[1] / sheet.wide, second
    lines = f"M{corner:.5f},{bottom - sides[1]:.2f}L{right:.5f},{TOP:.2f}M{corner:.5f},{bottom:.2f}L{right:.5f},{bottom:.2f}"
    sheet.line(lines, colors.muted, 1.2)
    sheet.write(0, 10, short(large[0][0], side, 14), 14, colors.muted, "middle right")
    said = f"{middle[0][0]}, × {amount(times)} as wide" if times > 1.005 else middle[0][0]
    said = f"× {amount(times)} as wide" if phone and times > 1.005 else said
    sheet.write(second, 10, short(said, side + 30, 14), 14, colors.muted, "middle right")
    at, top = (0.0, bottom + 12) if phone else (2 * second - 0.01, TOP - 8)
    for k, ((name, of, n_bytes), fill) in enumerate(zip(held, fills, strict=True)):
        _in_words(sheet, (at, top + k * line), (name, of, decimal_bytes(n_bytes) if k or answered else "?"), fill)
    height = top + 3 * line if phone else bottom + 4
    return sheet.figure(height, square=[sheet.wide, height, EDGE])


def _in_words(sheet: Sheet, at: tuple[float, float], said: tuple[str, str, str], fill: str) -> None:
    """One of the three in words: its colour, what it is, its bytes, and what it is made of."""
    (x, y), (name, of, n_bytes), beside = at, said, (SQUARE + 10) / sheet.wide
    sheet.bar(x, y + 4, x + SQUARE / sheet.wide, y + 4 + SQUARE, fill)
    if sheet.phone:
        sheet.write(beside, y + 12, name, 15, anchor="middle right")
        sheet.write(1, y + 12, f"<b>{n_bytes}</b>", 22, anchor="middle left")
        return
    room = (1 - x - beside) * sheet.wide
    sheet.write(x + beside, y + 12, f"<b>{short(name, room, 18)}</b>", 18, anchor="middle right")
    sheet.write(x + beside, y + 34, short(of, room, 14), 14, sheet.colors.muted, "middle right")
    large_number(sheet, (x + beside, 1.0), y + 66, n_bytes)


def _square(sheet: Sheet, left: float, bottom: float, pixels: float, fill: str) -> None:
    """A square from its lower left corner."""
    sheet.bar(left, bottom - pixels, left + pixels / sheet.wide, bottom, fill)
