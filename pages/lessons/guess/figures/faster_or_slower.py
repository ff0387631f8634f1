"""How many times as fast an answer is with guesses, against how many sequences share a step: above one it pays, beneath it does not."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log2
from typing import NamedTuple

from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, answer_part, outline
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle
from pages.parts.text.format import number

ROOM = 26.0  # pixels between the lines that a word needs
PAD = 28.0  # pixels above and beneath what a pass may come to, for what is said of it
LEAST_ENDS = 1.4  # times as fast, and as slow, are always in the field
FIELD = "1C"  # how much of a field's colour there is, of FF, until the curve is drawn in it
HALF, MOST_TICKS = 15.0, 6  # pixels of what is hardly different, above and beneath one; and numbers upwards
SLOT, ASKS = 19.0, 40  # pixels from the middle of where the answer waits to its side, and the type size of what stands in it
LARGE, PHONE_LARGE, TYPE, PHONE_TYPE = 22.0, 17.0, 17.0, 14.0  # type sizes of an answer, and of a line's name
Point = tuple[float, float]


class Pass(NamedTuple):
    """What a pass with guesses writes, and how many rows it has: as many times as long as over one it takes at most, about."""

    words: float
    rows: int

    @property
    def least(self) -> float:
        """Times as fast as without guesses, if each row takes as long as one alone."""
        return self.words / self.rows


def faster_or_slower(sheet: Sheet, factors: Mapping[int, float], chosen: int, of: Pass, asked: Asked) -> SheetFigure:
    """factors: batch -> times faster. chosen: the batch that is asked about, one of them.

    asked: until it is known the curve waits; where it may lie at that batch, above one, at it or beneath, can be pressed.
    """
    hidden = not asked.known
    colors, last, phone = sheet.colors, max(factors), sheet.on_phone()
    low, high = (
        log2(pick((edge, of.words, of.least, *factors.values()))) for pick, edge in ((min, 1 / LEAST_ENDS), (max, LEAST_ENDS))
    )
    left, right = (0.13, 0.99) if phone else (0.075, 0.99)
    first, end = left + (SLOT + 8) / sheet.wide, right - (SLOT + 8) / sheet.wide
    top = headline(
        sheet,
        f"{number(factors[chosen])} × as fast at batch {chosen:,}" if asked.known else f"Faster or slower at batch {chosen:,}?",
    )
    top += 30
    bottom = top + sheet.row(206, 1, 190, 330)

    def x(batch: float) -> float:
        return first + (end - first) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - PAD - (bottom - top - 2 * PAD) * (log2(factor) - low) / (high - low)

    step = 1 + int(high - low) // MOST_TICKS
    powers = [k for k in range(ceil(low), floor(high) + 1) if not k % step]
    _axes(
        sheet,
        (left, right, top, bottom),
        [(y(2.0**k), f"{2**k} ×" if k >= 0 else f"1/{2**-k} ×") for k in powers],
        [(x(4**k), f"{4**k:,}") for k in range(int(log2(last)) // 2 + 1)],
    )
    at = x(chosen)
    if hidden:
        sheet.bars([(left, y(of.words), right, y(1))] * (of.words > 1), colors.decode + FIELD)
        sheet.bars([(left, y(min(1, of.words)), right, y(of.least))] * (of.least < 1), colors.muted + FIELD)
    else:
        curve = [(x(batch), y(factor)) for batch, factor in factors.items()]
        _shade(sheet, curve, y(1), at)
        sheet.line("M" + "L".join(f"{x_:.5f},{y_:.2f}" for x_, y_ in curve), colors.muted, 4 * sheet.zoom)
    _fastest_and_slowest(sheet, (left, right), (y(of.words), y(1), y(of.least)), of, at < (left + right) / 2)
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.ink, 2.5 * sheet.zoom)
    if hidden:
        slot = (at - SLOT / sheet.wide, y(of.words), at + SLOT / sheet.wide, y(of.least))
        sheet.bar(*slot, colors.surface)
        sheet.line(rectangle(*slot), colors.ink, 2, "dash")
        sheet.write(at, (slot[1] + slot[3]) / 2, "<b>?</b>", ASKS)
    else:
        sheet.line(f"M{at:.5f},{top}L{at:.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
    if asked != NOT_ASKED:
        _answers(sheet, _places(sheet, (at, y(1)), (left, right, y(of.words), y(of.least)), asked.names), asked)
    if not hidden:
        sheet.dots([at], [y(factors[chosen])], 17, colors.ink)
    return sheet.figure(bottom + 48, min_width=0 if phone else 640)


def _fastest_and_slowest(sheet: Sheet, across: Point, down: tuple[float, float, float], of: Pass, at_right: bool) -> None:
    """Two dashed lines, between which a pass lies: as fast as if it took no longer, and as if each of its rows took as long as one. down:
    where they lie, and one between them; at_right: where it is said."""
    (left, right), (fastest, one, slowest), size = across, down, PHONE_TYPE if sheet.phone else TYPE
    clear = 2.5 * HALF + 8 if sheet.phone else 0.0  # there an answer may stand above or beneath it
    written = min(fastest - 14, one - clear), max(slowest + 14, one + clear)
    x, anchor = (right, "middle left") if at_right else (left + 8 / sheet.wide, "middle right")
    said = (of.words, "if a pass takes no longer"), (of.least, f"if it takes {of.rows} × as long")
    colors = sheet.colors.decode, sheet.colors.muted
    for y, color, at, (times, why) in zip((fastest, slowest), colors, written, said, strict=True):
        sheet.line(f"M{left},{y:.2f}L{right},{y:.2f}", color, 2 * sheet.zoom, "dash")
        sheet.write(x, at, f"<b>{number(times)} ×</b> {why}", size, anchor=anchor)


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
    """Of each answer, at the batch that is asked about: above one, on it, beneath, as far as it may lie there or a word has room. at: that
    batch, and one."""
    (x, one), (left, right, top, bottom) = at, field
    size = PHONE_LARGE if sheet.phone else LARGE
    wide = (1.15 * size * max(map(ems, names)) + 16) / sheet.wide
    beside = (SLOT + 6) / sheet.wide
    x = min(max(x + beside if x < (left + right) / 2 else x - wide - beside, left), right - wide)
    edges = ((min(top, one - 2.5 * HALF), one - HALF), (one - HALF, one + HALF), (one + HALF, max(bottom, one + 2.5 * HALF)))
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
