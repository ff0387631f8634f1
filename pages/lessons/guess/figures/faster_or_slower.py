"""What a pass with guesses writes and how long it takes, against how many sequences share a step: it pays where the words grow more
than the time."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, log2

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems
from pages.parts.text.format import number

TOP, LARGE = 66.0, 30.0
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
    bottom, (left, right) = TOP + sheet.row(206, 1, 190, 330), (0.13, 0.93) if sheet.on_phone() else (0.075, 0.97)

    def x(batch: float) -> float:
        return left + (right - left) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - (bottom - TOP) * factor / most

    lines = ""
    for factor in range(most + 1):
        lines += f"M{left},{y(factor):.2f}L{right},{y(factor):.2f}"
        sheet.write(left - 12 / sheet.wide, y(factor), f"{factor} ×", 13, colors.muted, "middle left")
    for batch in (4**k for k in range(int(log2(last)) // 2 + 1)):
        lines += f"M{x(batch):.5f},{TOP}L{x(batch):.5f},{bottom:.2f}"
        sheet.write(x(batch), bottom + 15, f"{batch:,}", 13, colors.muted)
    sheet.line(lines, colors.hole)
    time = [(x(batch), y(words / factor)) for batch, factor in factors.items()]
    said = f"<b>{'?' if hidden else number(factors[chosen])} × as fast</b> at batch {chosen:,}"
    sheet.write(0, 20, said, min(LARGE, 0.98 * sheet.wide / ems(said[3:])), anchor="middle right")
    sheet.write(left, TOP - 18, "times one pass without guesses", 14.5, colors.ink, "middle right")
    sheet.write((left + right) / 2, bottom + 36, "sequences at once (batch)", 14.5)
    named = colors.ink if hidden else colors.decode  # on a tinted field
    if hidden:
        taken = words / factors[chosen]
        shape = [(x(batch), words / factor / taken) for batch, factor in factors.items()]
        levels = ((1 + words) / 2 if words > 1.2 else 0.6 * words, words, (words + most) / 2)
        _times_it_may_take(sheet, [[(at, y(level * times)) for at, times in shape] for level in levels[::2]])
        places = (x(chosen), (left, right), [TOP, y((words + most) / 2), y(words), y(levels[0]), bottom])
        _answers(sheet, places, asked)
    else:
        _shade(sheet, time, y(words), x(chosen))
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.ink, 1.6, "dash")
    if not hidden:
        sheet.line("M" + "L".join(f"{at:.5f},{high:.2f}" for at, high in time), colors.muted, 4 * sheet.zoom)
    sheet.line(f"M{left},{y(words):.2f}L{right},{y(words):.2f}", colors.decode, 4 * sheet.zoom)
    sheet.line(f"M{x(chosen):.5f},{TOP}L{x(chosen):.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
    ends = [y(words)] + [y(words / factors[chosen])] * (not hidden)
    sheet.dots([x(chosen)] * len(ends), ends, 15, [colors.decode, colors.muted][: len(ends)])
    sheet.write(right, y(1) + 14, "without guessing", 14, colors.muted, "middle left")
    sheet.write((left + right) / 2, y(words) - 14, f"<b>words it writes</b>, {number(words)}", 15, named)
    if hidden:
        return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)
    end = time[-1][1]
    sheet.write(right, end + (-14 if end > TOP + 30 else 16), "<b>time it takes</b>", 15, colors.muted, "middle left")
    return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)


def _times_it_may_take(sheet: Sheet, curves: Sequence[Sequence[Point]]) -> None:
    """The time against the batch as it is, but for how long it is: below the words, and above them, as far as the field goes."""
    for curve in curves:
        drawn = [curve[0]] if curve[0][1] >= TOP else []
        for (x0, y0), (x1, y1) in pairwise(curve):
            share = (y0 - TOP) / (y0 - y1) if y1 < TOP <= y0 else 1.0
            drawn += [(x0 + share * (x1 - x0), y0 + share * (y1 - y0))] * (y0 >= TOP)
        if len(drawn) > 1:
            sheet.line("M" + "L".join(f"{at:.5f},{high:.2f}" for at, high in drawn), sheet.colors.bar, 3 * sheet.zoom, "dash")


def _answers(sheet: Sheet, places: tuple[float, Point, Sequence[float]], asked: Asked) -> None:
    """A dot at each time that it may take at the batch that is asked about, which can be pressed. places: that batch, the field's left
    and right edge, and downwards its top, the three times, the longest first, and its bottom."""
    (at, (left, right), (top, *times, bottom)), colors = places, sheet.colors
    edges = [bottom, (times[2] + times[1]) / 2, (times[1] + times[0]) / 2, top]
    beside, anchor = (16, "middle right") if at < (left + right) / 2 else (-16, "middle left")
    for k, name in enumerate(asked.names):
        y = times[2 - k]
        answer_part(sheet, asked, k, (left, edges[k + 1] + 2, right, edges[k] - 2))
        if k != 1:  # with the words lies the dot of their own
            sheet.dots([at], [y], 15, colors.surface, (colors.muted, 2))
        said = f"<b>{name}</b>{', if it takes this long' * (k != 1 and not sheet.phone)}"
        sheet.write(at + beside / sheet.wide, y + (17 if k < 2 else -17), said, 16, colors.ink, anchor)


def _shade(sheet: Sheet, time: list[Point], words: float, chosen: float) -> None:
    """Between the two lines: where more words are written than time is taken, and where not. All in drawn coordinates."""
    for pays, name, color in ((True, "pays", sheet.colors.decode + "40"), (False, "does not pay", sheet.colors.wasted + "66")):
        pieces = list(_pieces_on_one_side(time, words, pays))
        if pieces:
            sheet.path("".join(_closed(piece, words) for piece in pieces), color)
        free = [at for at in time if (at[1] > words) == pays and abs(at[0] - chosen) > 0.12 and 0.2 < at[0] < 0.7]
        place = max(free, key=lambda at: abs(at[1] - words), default=None)
        if place and abs(place[1] - words) > ROOM + 14:
            sheet.write(place[0], (place[1] + words) / 2, f"<b>{name}</b>", 17)


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
