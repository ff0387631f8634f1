"""How many times as fast an answer is with guesses, against how many sequences share a step: above one it pays, beneath it does not."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log2

from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, answer_part, outline
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems
from pages.parts.text.format import number

ROOM = 26.0  # pixels between the lines that a word needs
NEAR = 0.55  # of the way to the farther end of the batches: so near to the one that is asked about the curve waits for the answer
FIELD = "1C"  # how much of a field's colour there is, of FF, until the curve is drawn in it
HALF, MOST_TICKS = 15.0, 6  # pixels of what is hardly different, above and beneath one; and numbers upwards
LARGE, PHONE_LARGE, TYPE, PHONE_TYPE = 22.0, 17.0, 17.0, 14.0  # type sizes of an answer, and of a line's name
Point = tuple[float, float]


def faster_or_slower(sheet: Sheet, factors: Mapping[int, float], chosen: int, words: float, asked: Asked) -> SheetFigure:
    """factors: batch -> times faster. chosen: the batch that is asked about, one of them. words: that a pass with guesses writes, as
    many times faster as it would be if it took no longer.

    asked: until it is known the factors of the batches near that one wait; where the curve may lie there, above one, at it or beneath,
    can be pressed.
    """
    hidden = not asked.known
    colors, last = sheet.colors, max(factors)
    low, high = min(-1.0, log2(min(factors.values())) - 0.2), max(1.0, log2(max(words, *factors.values())) + 0.35)
    left, right = (0.13, 0.95) if sheet.on_phone() else (0.075, 0.97)
    top = headline(sheet, f"{'?' if hidden else number(factors[chosen])} × as fast at batch {chosen:,}") + 30
    bottom = top + sheet.row(206, 1, 190, 330)

    def x(batch: float) -> float:
        return left + (right - left) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - (bottom - top) * (log2(factor) - low) / (high - low)

    step = 1 + int(high - low) // MOST_TICKS
    powers = [k for k in range(ceil(low), floor(high) + 1) if not k % step]
    _axes(
        sheet,
        (left, right, top, bottom),
        [(y(2.0**k), f"{2**k} ×" if k >= 0 else f"1/{2**-k} ×") for k in powers],
        [(x(4**k), f"{4**k:,}") for k in range(int(log2(last)) // 2 + 1)],
    )
    curves = [
        [(x(batch), y(factors[batch])) for batch in side] for side in (drawn(factors, chosen) if hidden else [list(factors)])
    ]
    if hidden:
        sheet.bar(left, top, right, y(1), colors.decode + FIELD)
        sheet.bar(left, y(1), right, bottom, colors.muted + FIELD)
    for curve in curves:
        _shade(sheet, curve, y(1), x(chosen))
        sheet.line("M" + "L".join(f"{at:.5f},{y_:.2f}" for at, y_ in curve), colors.muted, 4 * sheet.zoom)
    sheet.line(f"M{left},{y(words):.2f}L{right},{y(words):.2f}", colors.decode, 2 * sheet.zoom, "dash")
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.ink, 2.5 * sheet.zoom)
    if hidden:
        _ways(sheet, x(chosen), y(1), top, bottom)
    else:
        sheet.line(f"M{x(chosen):.5f},{top}L{x(chosen):.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
    if asked != NOT_ASKED:
        _answers(sheet, _places(sheet, (x(chosen), y(1)), (left, right, top, bottom), asked.names), asked)
    if not hidden:
        sheet.dots([x(chosen)], [y(factors[chosen])], 17, colors.ink)
    side = (right, "middle left") if x(chosen) < (left + right) / 2 else (left + 8 / sheet.wide, "middle right")
    said = f"<b>words{' it writes' * (not sheet.phone)}</b>, {number(words)}"
    sheet.write(side[0], y(words) - 14, said, PHONE_TYPE if sheet.phone else TYPE, anchor=side[1])
    return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)


def _ways(sheet: Sheet, x: float, one: float, top: float, bottom: float) -> None:
    """An arrow from one upwards and one downwards: somewhere along them is the answer."""
    wide, tall, thick = 9 / sheet.wide, 14.0, 2.5 * sheet.zoom
    for end, on in ((top + 4, 1), (bottom - 4, -1)):
        sheet.line(f"M{x:.5f},{one:.2f}L{x:.5f},{end + on * tall:.2f}", sheet.colors.ink, thick, layer="above")
        sheet.path(
            f"M{x - wide:.5f},{end + on * tall:.2f}L{x + wide:.5f},{end + on * tall:.2f}L{x:.5f},{end:.2f}Z", sheet.colors.ink
        )


def drawn(factors: Mapping[int, float], chosen: int) -> list[list[int]]:
    """The batches that are drawn before the answer: those far from the chosen one, smaller ones and larger ones.

    >>> drawn(dict.fromkeys((1, 4, 16, 64, 256), 1.0), 1)
    [[64, 256]]
    """
    away = {batch: log2(batch / chosen) for batch in factors}
    near = NEAR * max(map(abs, away.values()))
    sides = [batch for batch in factors if away[batch] < -near], [batch for batch in factors if away[batch] > near]
    return [side for side in sides if len(side) > 1]


def _axes(
    sheet: Sheet,
    field: tuple[float, float, float, float],
    factors: Sequence[tuple[float, str]],
    batches: Sequence[tuple[float, str]],
) -> None:
    """Factors upwards and batches across, each where it lies, in the field from left to right and from its top to its bottom."""
    (left, right, top, bottom), colors, lines = field, sheet.colors, ""
    for y, said in factors:
        lines += f"M{left},{y:.2f}L{right},{y:.2f}"
        sheet.write(left - 12 / sheet.wide, y, said, 13, colors.muted, "middle left")
    for x, said in batches:
        lines += f"M{x:.5f},{top}L{x:.5f},{bottom:.2f}"
        sheet.write(x, bottom + 15, said, 13, colors.muted)
    sheet.line(lines, colors.hole)
    sheet.write(left, top - 16, "times as fast as without guesses", 14.5, colors.ink, "middle right")
    sheet.write((left + right) / 2, bottom + 36, "sequences at once (batch)", 14.5)


def _places(sheet: Sheet, at: Point, field: Box, names: Sequence[str]) -> list[Box]:
    """Of each answer, at the batch that is asked about: above one, on it, beneath, all in the field. at: that batch, and one."""
    (x, one), (left, right, top, bottom) = at, field
    size = PHONE_LARGE if sheet.phone else LARGE
    wide = (1.15 * size * max(map(ems, names)) + 16) / sheet.wide
    x = min(max(x + 8 / sheet.wide if x < (left + right) / 2 else x - wide - 8 / sheet.wide, left), right - wide)
    edges = ((top + 6, one - HALF), (one - HALF, one + HALF), (one + HALF, bottom - 6))
    return [(x, y0, x + wide, y1) for y0, y1 in edges[: len(names)]]


def _answers(sheet: Sheet, places: Sequence[Box], asked: Asked) -> None:
    """Each answer in its place, which can be pressed; afterwards a guess that was wrong."""
    for k, (name, place) in enumerate(zip(asked.names, places, strict=True)):
        middle = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
        if not asked.known:
            if k != 1:  # the one in between is the line at one
                sheet.write(*middle, f"<b>{name}</b>", PHONE_LARGE if sheet.phone else LARGE)
            answer_part(sheet, asked, k, place)
        elif name == asked.guess != asked.right:
            sheet.bar(place[0], middle[1] - HALF, place[2], middle[1] + HALF, sheet.colors.surface)
            outline(
                sheet, (place[0], middle[1] - HALF, place[2], middle[1] + HALF), False, True, (*middle, "middle center"), YOURS
            )


def _shade(sheet: Sheet, curve: list[Point], one: float, chosen: float) -> None:
    """Between the curve and one: where it is faster, and where it is not. All in drawn coordinates."""
    for pays, name, color in ((True, "pays", sheet.colors.decode + "40"), (False, "does not pay", sheet.colors.muted + "50")):
        pieces = list(_pieces_on_one_side(curve, one, pays))
        if pieces:
            sheet.path("".join(_closed(piece, one) for piece in pieces), color)
        free = [at for at in curve if (at[1] < one) == pays and abs(at[0] - chosen) > 0.12]
        most = max((abs(at[1] - one) for at in free), default=0.0)
        half = 11 * ems(name) / sheet.wide
        if most > ROOM + 14 and curve[-1][0] - curve[0][0] > 2 * half:  # in the middle of where there is most room
            wide = [at for at in free if abs(at[1] - one) > 0.85 * most]
            middle = min(max((wide[0][0] + wide[-1][0]) / 2, curve[0][0] + half), curve[-1][0] - half)
            sheet.write(middle, one - (most if pays else -most) / 2, f"<b>{name}</b>", 20)


def _pieces_on_one_side(curve: list[Point], one: float, pays: bool) -> Iterator[list[Point]]:
    """The pieces of the curve that lie on that side of one; of a piece that crosses it, the part there."""
    for a, b in pairwise(curve):
        sides = [(at[1] < one) == pays for at in (a, b)]
        if all(sides):
            yield [a, b]
        elif any(sides):
            share = (one - a[1]) / (b[1] - a[1])
            cross = (a[0] + share * (b[0] - a[0]), one)
            yield [a, cross] if sides[0] else [cross, b]


def _closed(piece: list[Point], one: float) -> str:
    """The area between a piece of the curve and one."""
    (x0, y0), (x1, y1) = piece
    return f"M{x0:.5f},{one:.2f}L{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}L{x1:.5f},{one:.2f}Z"
