"""What attention needs at a time, as squares whose areas are bytes: the whole map with the rows that it is made of in its corner, these
once more, enlarged, with one tile in theirs, and the tile enlarged again. Nothing is drawn larger beside another than it is."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import EDGE, Sheet, SheetFigure, short
from pages.parts.text.amounts import amount

LEAST, MOST = 64, 2**20  # tokens
SIDE, TOP, BENEATH = 238.0, 72.0, 26.0  # pixels of a square's side, and what is said above and beneath it
SIDE_ON_PHONE, TOP_ON_PHONE = 98.0, 24.0
LINE_ON_PHONE = 44.0  # pixels of what is said of a square
SQUARE = 16.0  # of the sign of its colour
READ = 20.0  # pixels of a band that has room for its name


class Held(NamedTuple):
    """name: what it is; of: of what it is made; n_bytes: how large; bands: what it holds, each with its share of the bytes."""

    name: str
    of: str
    n_bytes: float
    bands: Sequence[tuple[str, float]]


def held_bytes(sheet: Sheet, held: Sequence[Held], answered: bool) -> SheetFigure:
    """held: the whole map first. answered: whether that one's number is shown."""
    phone = sheet.on_phone()
    side, top = (SIDE_ON_PHONE, TOP_ON_PHONE) if phone else (SIDE, TOP)
    order = sorted(held, key=lambda one: -one.n_bytes)
    apart, bottom, wide = (sheet.wide - 3 * side) / 2, top + side, side / sheet.wide
    lefts = [k * (side + apart) / sheet.wide for k in range(3)]
    corners = [side * (small.n_bytes / large.n_bytes) ** 0.5 for large, small in pairwise(order)]
    aside = not phone and any(_crossed(order[k], corner / side, 1 + apart / side) for k, corner in enumerate(corners))
    for left, corner in zip(lefts, corners, strict=False):  # beneath the squares: what is seen of it lies between them
        begin, end = left + corner / sheet.wide, left + wide + apart / sheet.wide
        path = f"M{begin:.5f},{bottom - corner:.2f}L{end:.5f},{top:.2f}L{end:.5f},{bottom:.2f}L{begin:.5f},{bottom:.2f}Z"
        sheet.path(path, faded(sheet.colors, sheet.colors.bar, 0.25))
    for k, (one, left) in enumerate(zip(order, lefts, strict=True)):
        _bands(sheet, left, bottom, side, one, named=True, aside=aside)
        if k < len(corners):
            _bands(sheet, left, bottom, corners[k], order[k + 1])
            sheet.frame(left, bottom - corners[k], left + corners[k] / sheet.wide, bottom, sheet.colors.surface, 1.5)
            if not phone:  # over the square, from the corner of what is enlarged
                begin, end = left + corners[k] / sheet.wide, left + wide + apart / sheet.wide
                ways = (
                    f"M{begin:.5f},{bottom - corners[k]:.2f}L{end:.5f},{top:.2f}M{begin:.5f},{bottom:.2f}L{end:.5f},{bottom:.2f}"
                )
                sheet.line(ways, sheet.colors.surface, 4, layer="above")  # seen on every colour that it crosses
                sheet.line(ways, sheet.colors.ink, 1.6, layer="above")
            times = side / corners[k]
            said = f"× {amount(times)}{' as wide' * (not phone)}" if times > 1.005 else ""
            sheet.write(left + wide + 0.5 * apart / sheet.wide, top - 12 if phone else bottom + 15, said, 13, sheet.colors.muted)
    for k, one in enumerate(held):
        said = decimal_bytes(one.n_bytes) if k or answered else "?"
        if phone:
            _line(sheet, bottom + 14 + k * LINE_ON_PHONE, one, said)
        else:
            _above(sheet, lefts[order.index(one)], one, said, side + 0.9 * apart, bottom + 15)
    height = bottom + 14 + 3 * LINE_ON_PHONE if phone else bottom + BENEATH
    return sheet.figure(height, square=[sheet.wide, height, EDGE])


def _above(sheet: Sheet, left: float, one: Held, said: str, room: float, beneath: float) -> None:
    """What is said of a square: what it is and its bytes above it, what it is made of beneath."""
    sheet.write(left, 12, f"<b>{short(one.name, room, 17)}</b>", 17, anchor="middle right")
    sheet.write(left, 46, f"<b>{said}</b>", 34, anchor="middle right")
    sheet.write(left, beneath, short(one.of, 0.7 * room, 13), 13, sheet.colors.muted, "middle right")


def _line(sheet: Sheet, y: float, one: Held, said: str) -> None:
    """The same in a line, with the sign of its first band."""
    sheet.bar(0, y + 4, SQUARE / sheet.wide, y + 4 + SQUARE, _fill(sheet.colors, one.bands[0][0]))
    sheet.write((SQUARE + 10) / sheet.wide, y + 12, one.name, 15, anchor="middle right")
    sheet.write(1, y + 12, f"<b>{said}</b>", 22, anchor="middle left")


def _crossed(one: Held, corner: float, until: float) -> bool:
    """Whether the way from the upper end of what is enlarged crosses a name in the middle of a band; in units of the side.

    >>> of_four = Held("rows", "", 1.0, [("query", 0.25), ("key", 0.25), ("value", 0.25), ("context", 0.25)])
    >>> _crossed(of_four, 0.01, 1.7), _crossed(of_four, 0.9, 1.7)
    (True, False)
    """
    y = 0.0
    for name, share in one.bands:
        middle, y = y + share / 2, y + share
        x = corner + (until - corner) * (1 - middle / (1 - corner)) if corner < 1 else 1.0
        if name != "all scores" and middle < 1 - corner and abs(x - 0.5) < 0.2:
            return True
    return False


def _bands(sheet: Sheet, left: float, bottom: float, side: float, one: Held, named: bool = False, aside: bool = False) -> None:
    """A square from its lower left corner, cut into what it holds; of a map of scores that half which the mask hides is pale.
    aside: the names stand further to the right, where no line crosses them."""
    y, right = bottom - side, left + side / sheet.wide
    for name, share in one.bands:
        fill, end = _fill(sheet.colors, name), y + share * side
        sheet.bar(left, y, right, end, fill)
        if name == "all scores":
            half = f"M{left:.5f},{y:.2f}L{right:.5f},{y:.2f}L{right:.5f},{end:.2f}Z"
            sheet.path(half, faded(sheet.colors, fill, 0.5))
            if named and not sheet.phone:
                ground = faded(sheet.colors, fill, 0.5)
                sheet.write(right - 10 / sheet.wide, y + 20, "hidden by the mask", 14, ink_on(ground), "middle left")
                sheet.write(left + 0.3 * (right - left), y + 0.62 * side, "seen", 14, ink_on(fill))
        elif named and end - y > READ:
            size = 13 if sheet.phone else 15
            at = left + (0.8 if aside else 0.5) * (right - left)
            sheet.write(at, (y + end) / 2, name, size, ink_on(fill))
        y = end


def _fill(colors: Palette, name: str) -> str:
    """The colour of what a square holds."""
    own = {
        "query": colors.query,
        "key": colors.key,
        "value": colors.value,
        "all scores": colors.scores[-1],
        "scores": colors.scores[-1],
    }
    return own.get(name, colors.bar)
