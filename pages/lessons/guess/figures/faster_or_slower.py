"""What a pass with guesses writes and how long it takes, against how many sequences share a step: it pays where the words grow more
than the time."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, log2

import numpy as np

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number

SAYS = (": its time stays below the words", "", ": its time lies above the words")  # of each answer, besides its name
ROOM = 26.0  # pixels between the lines that a word needs
Point = tuple[float, float]


def faster_or_slower(sheet: Sheet, factors: Mapping[int, float], chosen: int, words: float, asked: Asked) -> SheetFigure:
    """factors: batch -> times faster. chosen: the batch that is asked about, one of them. words: that a pass with guesses writes.

    asked: until it is known the factor waits, and with it the time of such a pass, from which it could be read; the words that it writes
    are drawn, and where the time may lie, which can be pressed: beneath them, with them, above.
    """
    hidden = not asked.known
    colors, last = sheet.colors, max(factors)
    most = ceil(max(words, *(words / factor for factor in factors.values())) + 0.5)
    left, right = (0.13, 0.93) if sheet.on_phone() else (0.075, 0.97)
    top = headline(sheet, f"{'?' if hidden else number(factors[chosen])} × as fast at batch {chosen:,}") + 30
    bottom = top + sheet.row(206, 1, 190, 330)

    def x(batch: float) -> float:
        return left + (right - left) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - (bottom - top) * factor / most

    _axes(
        sheet,
        (left, right, top, bottom),
        [(y(k), f"{k} ×") for k in range(most + 1)],
        [(x(4**k), f"{4**k:,}") for k in range(int(log2(last)) // 2 + 1)],
    )
    time = [(x(batch), y(words / factor)) for batch, factor in factors.items()]
    if hidden:
        _answers(sheet, (x(chosen), (left, right), (top, y(words), bottom)), asked)
    else:
        _shade(sheet, time, y(words), x(chosen))
        sheet.line("M" + "L".join(f"{at:.5f},{high:.2f}" for at, high in time), colors.muted, 4 * sheet.zoom)
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.muted, 1.6, "dash")
    sheet.line(f"M{left},{y(words):.2f}L{right},{y(words):.2f}", colors.decode, 4 * sheet.zoom)
    sheet.line(f"M{x(chosen):.5f},{top}L{x(chosen):.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
    ends = [y(words)] + [y(words / factors[chosen])] * (not hidden)
    sheet.dots([x(chosen)] * len(ends), ends, 15, [colors.decode, colors.muted][: len(ends)])
    sheet.write(
        right, y(1) + (-12 if not hidden and time[-1][1] > y(1) else 14), "without guessing", 14, colors.ink, "middle left"
    )
    _name_words(sheet, (x(chosen), (left, right), y(words)), number(words), hidden)
    if not hidden:
        end = time[-1][1]
        sheet.write(right, end + (-16 if end > top + 30 else 18), "<b>time it takes</b>", 16, colors.muted, "middle left")
    return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)


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


def _name_words(sheet: Sheet, places: tuple[float, Point, float], said: str, hidden: bool) -> None:
    """What the orange line is, above it, where nothing else stands. places: the batch asked about, the field's edges, the line."""
    at, (left, right), y = places
    color = sheet.colors.ink if hidden else sheet.colors.decode  # on a tinted field
    begin = left + 0.02 if at > (left + right) / 2 else at + 0.02
    sheet.write(begin, y - 16, f"<b>words it writes</b>, {said}", 16, color, "middle right")


def _answers(sheet: Sheet, places: tuple[float, Point, tuple[float, float, float]], asked: Asked) -> None:
    """Where the time may lie: in the field beneath the words, with them, in the field above, each with its answer, which can be pressed.
    places: the batch that is asked about, the field's left and right edge, and downwards its top, the words, and its bottom."""
    (at, (left, right), (top, words, bottom)), colors = places, sheet.colors
    near = min(30.0, (words - top) / 3, (bottom - words) / 3)
    fields = [(words + near, bottom), (words - near, words + near), (top, words - near)]
    tints = (colors.decode + "30", "", colors.wasted + "55")
    middle, dots = (left + right) / 2, []
    for k, name in enumerate(asked.names):
        high, low = fields[k]
        if tints[k]:
            sheet.bar(left, words if k == 0 else high, right, low if k == 0 else words, tints[k])
        answer_part(sheet, asked, k, (left, high + 1, right, low - 1))
        y = (high + low) / 2
        dots.append(y)
        says = f"<b>{name}</b>{SAYS[k] * (not sheet.phone)}"
        sheet.write(
            right - 0.02 if k == 1 else middle,
            y if k != 1 else words + 17,
            says,
            18,
            colors.ink,
            "middle left" if k == 1 else "middle center",
        )
    sheet.dots([at, at], [dots[0], dots[2]], 22, colors.surface, (colors.muted, 2))
    sheet.write_all(np.array([at, at]), np.array([dots[0], dots[2]]), ["<b>?</b>"] * 2, 15)


def _shade(sheet: Sheet, time: list[Point], words: float, chosen: float) -> None:
    """Between the two lines: where more words are written than time is taken, and where not. All in drawn coordinates."""
    for pays, name, color in ((True, "pays", sheet.colors.decode + "40"), (False, "does not pay", sheet.colors.wasted + "66")):
        pieces = list(_pieces_on_one_side(time, words, pays))
        if pieces:
            sheet.path("".join(_closed(piece, words) for piece in pieces), color)
        free = [at for at in time if (at[1] > words) == pays and abs(at[0] - chosen) > 0.12 and 0.2 < at[0] < 0.9]
        most = max((abs(at[1] - words) for at in free), default=0.0)
        if most > ROOM + 14:  # in the middle of where there is most room
            wide = [at for at in free if abs(at[1] - words) > 0.85 * most]
            middle = (wide[0][0] + wide[-1][0]) / 2
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
