"""What attention needs at a time, as squares of one scale with one corner: the whole map, the rows that it is made of, and one tile."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.sheet import DRAWN_IN, MOST_DRAWN_OUT, Sheet, SheetFigure

LEAST, MOST = 64, 2**20  # tokens
SIDE, SIDE_ON_PHONE, SEEN = 290.0, 190.0, 4.0  # pixels of the largest square's side, and of the smallest one's: it is seen
TEXT = 0.4  # where what is said of the squares begins
LINE, LINE_ON_PHONE = 97.0, 48.0  # pixels of what is said of a square


def held_bytes(sheet: Sheet, held: Sequence[tuple[str, str, float]], answered: bool) -> SheetFigure:
    """held: what it is, of what it is made, and its bytes; the whole map first. answered: whether that one's number is shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    side, line = (SIDE_ON_PHONE, LINE_ON_PHONE) if phone else (SIDE, LINE)
    fills = colors.wasted, colors.bar, colors.ink
    most, height = max(n_bytes for *_, n_bytes in held), side + (18 + 3 * line if phone else 4)
    pixels = min(max(sheet.high, DRAWN_IN * height * sheet.zoom), MOST_DRAWN_OUT * height * sheet.zoom) / height
    for (*_, n_bytes), fill in sorted(zip(held, fills, strict=True), key=lambda one: -one[0][-1]):
        _square(sheet, side, pixels * max(SEEN, side * (n_bytes / most) ** 0.5), fill)
    at, top = (0.0, side + 18) if phone else (TEXT, 6.0)
    for k, ((name, of, n_bytes), fill) in enumerate(zip(held, fills, strict=True)):
        y = top + k * line
        said = decimal_bytes(n_bytes) if k or answered else "?"
        name += " (drawn larger)" * (side * (n_bytes / most) ** 0.5 < SEEN)
        sheet.bar(at, y, at + 16 / sheet.wide, y + line - 18, fill)
        if phone:
            sheet.write(28 / sheet.wide, y + 15, name, 15, anchor="middle right")
            sheet.write(1, y + 15, f"<b>{said}</b>", 24, anchor="middle left")
            continue
        sheet.write(at + 28 / sheet.wide, y + 10, f"<b>{name}</b>", 19, anchor="middle right")
        sheet.write(1, y + 10, of, 17, colors.muted, "middle left")
        large_number(sheet, (at + 28 / sheet.wide, 1.0), y + line - 40, said)
    return sheet.figure(height)


def _square(sheet: Sheet, bottom: float, pixels: float, fill: str) -> None:
    """A square that remains one in a figure that is drawn out: its sides are pixels of the screen. bottom: where it stands."""
    ends = {"x0": 0, "x1": round(pixels, 1), "xsizemode": "pixel", "xanchor": 0}
    ends |= {"y0": 0, "y1": round(pixels, 1), "ysizemode": "pixel", "yanchor": bottom}
    sheet.shapes.append({"type": "rect", **ends, "fillcolor": fill, "layer": "below", "line": {"width": 0}})
