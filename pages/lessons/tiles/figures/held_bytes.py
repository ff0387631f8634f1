"""What attention needs at a time, as squares whose areas are bytes: the whole map with the rows that it is made of in its right corner,
these enlarged beside it, with one tile in theirs, and the tile enlarged again. Nothing is drawn larger beside another than it is."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import EDGE, Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import amount

LEAST, MOST = 64, 2**20  # tokens
SIDE = 244.0  # pixels of a square's side
TOP = 76.0  # pixels of what is said above it
BENEATH = 28.0  # pixels of what is said beneath it
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
    for left, corner in zip(lefts, corners, strict=False):
        begin, end = left + wide, left + wide + apart / sheet.wide
        path = f"M{begin:.5f},{bottom - corner:.2f}L{end:.5f},{top:.2f}L{end:.5f},{bottom:.2f}L{begin:.5f},{bottom:.2f}Z"
        sheet.path(path, faded(sheet.colors, sheet.colors.bar, 0.25))
    for k, (one, left) in enumerate(zip(order, lefts, strict=True)):
        covered = corners[k] if k < len(corners) else 0.0
        _bands(sheet, left, bottom, side, one)
        _names(sheet, left, bottom, side, one, covered)
        if covered:
            at = left + wide - covered / sheet.wide
            _bands(sheet, at, bottom, covered, order[k + 1])
            sheet.frame(at, bottom - covered, left + wide, bottom, sheet.colors.ink, 1.5)
            times = side / covered
            said = f"× {amount(times)}{' as wide' * (not phone)}" if times > 1.005 else ""
            sheet.write(left + wide + 0.5 * apart / sheet.wide, top - 12 if phone else bottom + 15, said, 13 if phone else 15)
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
    sheet.write(left, 12, f"<b>{short(one.name, room, 18)}</b>", 18, anchor="middle right")
    sheet.write(left, 51, f"<b>{said}</b>", 36, anchor="middle right")
    sheet.write(left, beneath, short(one.of, 0.7 * room, 15), 15, anchor="middle right")


def _line(sheet: Sheet, y: float, one: Held, said: str) -> None:
    """The same in a line, with the sign of its first band."""
    sheet.bar(0, y + 4, SQUARE / sheet.wide, y + 4 + SQUARE, _fill(sheet.colors, one.bands[0][0]))
    sheet.write((SQUARE + 10) / sheet.wide, y + 12, one.name, 15, anchor="middle right")
    sheet.write(1, y + 12, f"<b>{said}</b>", 22, anchor="middle left")


def _bands(sheet: Sheet, left: float, bottom: float, side: float, one: Held) -> None:
    """A square from its lower left corner, cut into what it holds; of a map of scores that half which the mask hides is pale."""
    y, right = bottom - side, left + side / sheet.wide
    for name, share in one.bands:
        fill, end = _fill(sheet.colors, name), y + share * side
        sheet.bar(left, y, right, end, fill)
        if name == "all scores":
            half = f"M{left:.5f},{y:.2f}L{right:.5f},{y:.2f}L{right:.5f},{end:.2f}Z"
            sheet.path(half, faded(sheet.colors, fill, 0.5))
        y = end


def _names(sheet: Sheet, left: float, bottom: float, side: float, one: Held, covered: float) -> None:
    """What the bands are called, at the left end of each, where what is drawn in the right corner, `covered` pixels of it, leaves room."""
    y, size = bottom - side, 13.0 if sheet.phone else 17.0
    for name, share in one.bands:
        fill, end = _fill(sheet.colors, name), y + share * side
        if name == "all scores":
            if not sheet.phone and side - covered > 2 * READ:
                ground = faded(sheet.colors, fill, 0.5)
                sheet.write(left + (side - 10) / sheet.wide, y + 20, "hidden by the mask", 15, ink_on(ground), "middle left")
            if not sheet.phone and 0.1 * side + size * ems("seen") < side - covered:
                sheet.write(left + 0.1 * side / sheet.wide, y + 0.62 * side, "seen", size, ink_on(fill), "middle right")
        elif end - y > READ and (size * ems(name) + 14 < side - covered or (y + end) / 2 + READ / 2 < bottom - covered):
            sheet.write(left + 10 / sheet.wide, (y + end) / 2, name, size, ink_on(fill), "middle right")
        y = end


def _fill(colors: Palette, name: str) -> str:
    own = {
        "query": colors.query,
        "key": colors.key,
        "value": colors.value,
        "all scores": colors.scores[-1],
        "scores": colors.scores[-1],
    }
    return own.get(name, colors.bar)
