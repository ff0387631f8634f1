"""What a pass with guesses writes and how long it takes, against how many sequences share a step: it pays where the words grow more
than the time."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, log2

from pages.parts.drawing.answers import YOURS, Asked, answer_part, outline
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle
from pages.parts.text.format import number

ROOM = 26.0  # pixels between the lines that a word needs
NEAR = 0.55  # of the way to the farther end of the batches: so near to the one that is asked about the time waits for the answer
PLACE, GAP, TYPE, PHONE_TYPE = 32.0, 5.0, 17.0, 14.0  # pixels of an answer's place and between two, and its type size
Point = tuple[float, float]


def faster_or_slower(sheet: Sheet, factors: Mapping[int, float], chosen: int, words: float, asked: Asked) -> SheetFigure:
    """factors: batch -> times faster. chosen: the batch that is asked about, one of them. words: that a pass with guesses writes.

    asked: until it is known the factor waits, and the time of such a pass at the batches near it, from which it could be read; the rest
    of the time is drawn, and goes on to each place where it may lie, which can be pressed: beneath the words, with them, above.
    """
    hidden = not asked.known
    colors, last = sheet.colors, max(factors)
    most = ceil(max(1.17 * words / min(factors.values()), 1.4 * words))
    left, right = (0.13, 0.93) if sheet.on_phone() else (0.075, 0.97)
    top = headline(sheet, f"{'?' if hidden else number(factors[chosen])} × as fast at batch {chosen:,}") + 30
    bottom = top + sheet.row(206, 1, 190, 330)

    def x(batch: float) -> float:
        return left + (right - left) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - (bottom - top) * factor / most

    step = 1 + most // 7
    _axes(
        sheet,
        (left, right, top, bottom),
        [(y(k), f"{k} ×") for k in range(step - 1, most + 1, step)],
        [(x(4**k), f"{4**k:,}") for k in range(int(log2(last)) // 2 + 1)],
    )
    sides = drawn(factors, chosen) if hidden else [list(factors)]
    times = [[(x(batch), y(words / factors[batch])) for batch in side] for side in sides]
    for time in times:
        _shade(sheet, time, y(words), x(chosen))
        sheet.line("M" + "L".join(f"{at:.5f},{high:.2f}" for at, high in time), colors.muted, 4 * sheet.zoom)
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.muted, 1.6, "dash")
    sheet.line(f"M{left},{y(words):.2f}L{right},{y(words):.2f}", colors.decode, 4 * sheet.zoom)
    sheet.line(f"M{x(chosen):.5f},{top}L{x(chosen):.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
    _answers(sheet, _places(sheet, (x(chosen), y(words)), (left, right, top, bottom), asked.names), times, asked)
    if not hidden:
        sheet.dots([x(chosen)] * 2, [y(words), y(words / factors[chosen])], 15, [colors.decode, colors.muted])
    _names(sheet, times[-1][-1] if x(chosen) < (left + right) / 2 else times[0][0], y(words), number(words))
    return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)


def drawn(factors: Mapping[int, float], chosen: int) -> list[list[int]]:
    """The batches whose time is drawn before the answer: those far from the chosen one, smaller ones and larger ones.

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
    times: Sequence[tuple[float, str]],
    batches: Sequence[tuple[float, str]],
) -> None:
    """Times upwards and batches across, each where it lies, in the field from left to right and from its top to its bottom."""
    (left, right, top, bottom), colors, lines = field, sheet.colors, ""
    for y, said in times:
        lines += f"M{left},{y:.2f}L{right},{y:.2f}"
        sheet.write(left - 12 / sheet.wide, y, said, 13, colors.muted, "middle left")
    for x, said in batches:
        lines += f"M{x:.5f},{top}L{x:.5f},{bottom:.2f}"
        sheet.write(x, bottom + 15, said, 13, colors.muted)
    sheet.line(lines, colors.hole)
    sheet.write(left, top - 16, "times one pass without guesses", 14.5, colors.ink, "middle right")
    sheet.write((left + right) / 2, bottom + 36, "sequences at once (batch)", 14.5)


def _names(sheet: Sheet, end: Point, words: float, said: str) -> None:
    """What the two lines are, at the end that is farther from the batch asked about, where the time is; each on the side where the other
    does not lie."""
    (at, time), colors, wide = end, sheet.colors, not sheet.phone
    anchor, side = "middle left" if at > 0.5 else "middle right", 1 if time > words else -1
    sheet.write(at, time + 18 * side, f"<b>time{' it takes' * wide}</b>", _type(sheet), colors.muted, anchor)
    sheet.write(at, words - 18 * side, f"<b>words{' it writes' * wide}</b>, {said}", _type(sheet), colors.decode, anchor)


def _type(sheet: Sheet) -> float:
    """The type size of answers and names."""
    return PHONE_TYPE if sheet.phone else TYPE


def _places(sheet: Sheet, at: Point, field: Box, names: Sequence[str]) -> list[Box]:
    """Of each answer, on the line of the batch that is asked about: beneath the words, on them, above, all in the field. at: that batch,
    and the words."""
    (x, words), (left, right, top, bottom), apart = at, field, PLACE + GAP
    wide = (1.1 * _type(sheet) * max(map(ems, names), default=0.0) + 0.8 * _type(sheet)) / sheet.wide
    x = min(max(x - wide / 2, left), right - wide)
    low = min(max((words + bottom) / 2, words + apart), bottom - PLACE / 2)
    middle = min(words, low - apart)
    high = max(min((top + words) / 2, middle - apart), top + PLACE / 2)
    return [(x, y - PLACE / 2, x + wide, y + PLACE / 2) for y in (low, middle, high)[: len(names)]]


def _answers(sheet: Sheet, places: Sequence[Box], times: Sequence[list[Point]], asked: Asked) -> None:
    """Each answer in its place, which can be pressed, and what is drawn of the time going on to it; afterwards a guess that was wrong."""
    colors = sheet.colors
    tints = (faded(colors, colors.decode, 0.25), colors.surface, faded(colors, colors.muted, 0.31))  # as between the lines
    for k, (name, (left, high, right, low)) in enumerate(zip(asked.names, places, strict=True)):
        y = (high + low) / 2
        if not asked.known:
            for time in times:
                near, (x, end) = (right, time[0]) if time[0][0] > right else (left, time[-1])
                sheet.line(f"M{x:.5f},{end:.2f}L{near:.5f},{y:.2f}", colors.muted, 2.5 * sheet.zoom, "dash")
            sheet.path(rectangle(left, high, right, low), tints[k], colors.ink, 1.5)
            sheet.write((left + right) / 2, y, f"<b>{name}</b>", _type(sheet))
            answer_part(sheet, asked, k, places[k])
        elif name == asked.guess != asked.right:
            sheet.bar(*places[k], colors.surface)
            outline(sheet, places[k], False, True, ((left + right) / 2, y, "middle center"), YOURS)


def _shade(sheet: Sheet, time: list[Point], words: float, chosen: float) -> None:
    """Between the two lines: where more words are written than time is taken, and where not. All in drawn coordinates."""
    for pays, name, color in ((True, "pays", sheet.colors.decode + "40"), (False, "does not pay", sheet.colors.muted + "50")):
        pieces = list(_pieces_on_one_side(time, words, pays))
        if pieces:
            sheet.path("".join(_closed(piece, words) for piece in pieces), color)
        free = [at for at in time if (at[1] > words) == pays and abs(at[0] - chosen) > 0.12]
        most = max((abs(at[1] - words) for at in free), default=0.0)
        half = 11 * ems(name) / sheet.wide
        if most > ROOM + 14 and time[-1][0] - time[0][0] > 2 * half:  # in the middle of where there is most room
            wide = [at for at in free if abs(at[1] - words) > 0.85 * most]
            middle = min(max((wide[0][0] + wide[-1][0]) / 2, time[0][0] + half), time[-1][0] - half)
            sheet.write(middle, words + (most if pays else -most) / 2, f"<b>{name}</b>", 20)


def _pieces_on_one_side(time: list[Point], words: float, pays: bool) -> Iterator[list[Point]]:
    """The pieces of the line of time that lie on that side of the words; of a piece that crosses them, the part there."""
    for a, b in pairwise(time):
        sides = [(at[1] > words) == pays for at in (a, b)]
        if all(sides):
            yield [a, b]
        elif any(sides):
            share = (words - a[1]) / (b[1] - a[1])
            cross = (a[0] + share * (b[0] - a[0]), words)
            yield [a, cross] if sides[0] else [cross, b]


def _closed(piece: list[Point], words: float) -> str:
    """The area between a piece of the line and the words."""
    (x0, y0), (x1, y1) = piece
    return f"M{x0:.5f},{words:.2f}L{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}L{x1:.5f},{words:.2f}Z"
