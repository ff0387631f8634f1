"""Who wins along each token's value: a line for each token, cut where the winner changes, with the value as it is now on it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.toy.flips import Winners
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.cells import row_names
from pages.parts.drawing.grid import Box, Grid, Names
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, plain, short
from pages.parts.text.digits import threshold_text
from pages.parts.text.format import number

LEFT, RIGHT = 0.10, 0.19  # shares of the width: the words, the nearest flip
WIDE, TOP = 1 - LEFT - RIGHT, 28.0
GREYS = (0.3, 0.6, 0.16, 0.85)  # of the words that do not win now
NUMBERS = 37  # pixels for the numbers above and beneath a line
NAMED = 20  # on a phone, for the token and its nearest flip above a line that takes the whole width


class Line(NamedTuple):
    """How a line lies. middle: of its bar, which is `bar` pixels high; place: of a value, across; numbered: whether there is room
    for numbers above and beneath it; most: the largest of all values, without its sign; left, wide: shares of the width."""

    middle: float
    bar: float
    low: float
    high: float
    numbered: bool
    most: float
    left: float = LEFT
    wide: float = WIDE

    def place(self, value: float) -> float:
        """Where a value lies, a share of the width."""
        return self.left + self.wide * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


def flip_lines(
    sheet: Sheet,
    lines: Sequence[Winners],
    values: Sequence[float],
    tokens: Names,
    words: Sequence[Names],
    low: float,
    high: float,
) -> SheetFigure:
    """One line for each token from `low` to `high`. lines: engine.toy.flips.winners of each; values: (n,) as they are now. words: by
    token, each with those that win and lose together with it."""
    colors, n, phone = sheet.colors, len(tokens), sheet.on_phone()
    named, left, wide = (NAMED, 0.0, 1.0) if phone else (0, LEFT, WIDE)
    row = sheet.row(360, n, 42, 92) if phone else sheet.row(320, n, 20, 76)
    # With fewer tokens; elsewhere a number above one line would stand on one beneath another.
    numbered = row > NUMBERS + named + 14
    bar = min(38.0, row - named - NUMBERS if numbered else max(0.52 * (row - named), 14.0))
    grid = Grid.of(left, TOP + (0.1 * row if numbered else 0) + named / 2, (wide, row), (n, 1))
    above = 0.0 if not phone else bar / 2 + (28 if numbered else 12)  # on a phone from a line's middle to its name
    if not phone:
        row_names(sheet, LEFT - 0.012, grid, tokens, min(18.0, 0.7 * row))
    most = max(map(abs, values))
    nearest, size = nearest_flip(lines, values), 15.0 if phone else min(16.0, max(0.62 * row, 12.0))
    fills = word_fills(sheet.colors, [line.now for line in lines] + [word for line in lines for *_, word in line.bands])
    boxes: dict[str, list[Box]] = {fill: [] for fill in fills.values()}
    for j, (winners, value) in enumerate(zip(lines, values, strict=True)):
        line = Line(float(grid.down[j]), bar, low, high, numbered, most, left, wide)
        best = nearest is not None and nearest[0] == j
        if phone:
            sheet.write(0, line.middle - above, bold(short(tokens[j], 0.44 * sheet.wide, 16), best), 16, anchor="middle right")
        narrow = _stretches(sheet, line, winners, value, words[j], fills, boxes)
        _boundaries(sheet, line, winners, nearest[1] if best else None)
        _beneath(sheet, narrow, words[j], line, value)
        _nearest_of(sheet, winners, value, words[j], line._replace(middle=line.middle - above), size, best)
    for fill, some in boxes.items():
        sheet.bars(some, fill)
    for j, value in enumerate(values):  # the marks lie on the stretches
        line = Line(float(grid.down[j]), bar, low, high, numbered, most, left, wide)
        x, y, half = line.place(value), line.middle, 2.6 / sheet.wide
        sheet.bar(x - half, y - bar / 2 - 5, x + half, y + bar / 2 + 5, colors.ink)
    if phone:
        sheet.write(0, 10, f"values from {number(low)} to {number(high)}", 13, colors.muted, "middle right")
    else:
        sheet.write(LEFT, 10, f"value {number(low)}", 13, colors.muted, "middle right")
        sheet.write(LEFT + WIDE, 10, f"{number(high)}", 13, colors.muted, "middle left")
    sheet.write(1, 10, "<b>nearest flip</b>", 15, anchor="middle left")
    return sheet.figure(TOP + n * row + 8, min_width=860)


def word_fills(colors: Palette, words: Sequence[int]) -> dict[int, str]:
    """A colour for each word, the same on every line: the first, which wins now, is the next word's; the others are greys, of which
    a word far down the list shares one. Names stand in the stretches, so that colour only repeats them."""
    others = [word for word in dict.fromkeys(words) if word != words[0]]
    greys = [faded(colors, colors.muted, share) for share in GREYS]
    return {words[0]: colors.decode} | {word: greys[k % len(greys)] for k, word in enumerate(others)}


def _stretches(
    sheet: Sheet, line: Line, winners: Winners, value: float, words: Names, fills: dict[int, str], boxes: dict[str, list[Box]]
) -> list[tuple]:
    """Where which word wins, by its name where there is room; returns the (left, right, word) of those without."""
    least = 13.0 if sheet.phone else 12.0
    y0, y1, size, narrow = line.middle - line.bar / 2, line.middle + line.bar / 2, max(least, min(18.0, 0.66 * line.bar)), []
    for start, end, word in winners.bands:
        x0, x1 = line.place(start), line.place(end)
        if x1 <= x0:
            continue
        boxes[fills[word]].append((x0 + (0.001 if start > line.low else 0), y0, x1, y1))
        # The name stands where the mark of the value leaves most room; a little smaller rather than cut off.
        mark = line.place(value)
        a, b = max(((x0, min(mark, x1)), (max(mark, x0), x1)), key=lambda ends: ends[1] - ends[0])
        room = (b - a) * sheet.wide - 8
        if room > 60 or room >= max(26.0, least * ems(words[word])):
            fits = max(least, min(size, room / ems(words[word])))
            name = bold(short(words[word], room, fits), word == winners.now)
            sheet.write((a + b) / 2, line.middle, name, fits, ink_on(fills[word]))
        elif line.numbered:
            narrow.append((x0, x1, word))
    return narrow


def _boundaries(sheet: Sheet, line: Line, winners: Winners, nearest: float | None) -> None:
    """The value at each boundary, above it."""
    flips = [start for start, _, _ in winners.bands if line.low < start < line.high] if line.numbered else []
    type_size, least = _type_size(flips, line.wide / (line.high - line.low), line.most, sheet.wide)
    ends = (0.06, 0.94) if sheet.phone else (LEFT, LEFT + WIDE)
    for start, at in zip(flips, spread_out([line.place(start) for start in flips], least, *ends), strict=True):
        color = sheet.colors.ink if start == nearest else sheet.colors.muted
        sheet.write(
            at, line.middle - line.bar / 2 - 10, bold(threshold_text(start, line.most), start == nearest), type_size, color
        )


def nearest_flip(lines: Sequence[Winners], values: Sequence[float]) -> tuple[int, float, int, bool] | None:
    """(token, value, word, whether it is above) of the flip that needs the smallest change of a value; None where no value flips
    anything. Where two words are level a flip lies at the present value, so that the value does not tell on which side it is."""
    all_of = [(abs(f.value - v), j, f.value, f.word, above) for j, (line, v) in enumerate(zip(lines, values, strict=True))
              for above, some in ((True, line.up[:1]), (False, line.down[:1])) for f in some]  # fmt: skip
    return min(all_of)[1:] if all_of else None


def as_near(lines: Sequence[Winners], values: Sequence[float]) -> int:
    """How many tokens' values have to move no farther than that of the nearest flip, its own among them."""
    each = ([abs(f.value - v) for f in (*line.up[:1], *line.down[:1])] for line, v in zip(lines, values, strict=True))
    least = [min(ways) for ways in each if ways]
    return sum(x <= min(least) * (1 + 1e-6) + 1e-9 for x in least)


def _type_size(flips: Sequence[float], scale: float, most: float, pixels: float) -> tuple[float, float]:
    """The largest type in which each number stands on its own boundary, and how far apart two must be then, as a share of the
    width, which has so many pixels. scale: share of the width of one unit of value."""
    wide = [LETTER * (len(threshold_text(a, most)) + len(threshold_text(b, most))) / 2 for a, b in pairwise(flips)]
    gaps = [(b - a) * scale for a, b in pairwise(flips)]
    needed = {size: [(size * w + 2) / pixels for w in wide] for size in (14.5, 13.0)}
    size = next((size for size, least in needed.items() if all(g >= n for g, n in zip(gaps, least, strict=True))), 13.0)
    return size, max(needed[size], default=0.0)


def _beneath(sheet: Sheet, narrow: Sequence[tuple[float, float, int]], words: Names, line: Line, value: float) -> None:
    """The value as it is now, and the names of stretches that are too narrow to hold them, where they meet neither it nor one
    another."""
    if not line.numbered:
        return
    mark, y = line.place(value), line.middle + line.bar / 2 + 12
    half = len(number(value)) * LETTER * 15 / sheet.wide / 2
    mark = min(max(mark, line.left + half), line.left + line.wide - half) if sheet.phone else mark
    sheet.write(mark, y, bold(number(value)), 15)
    taken = [(mark, 2 * half)]
    for x0, x1, word in narrow:
        x, wide = (x0 + x1) / 2, len(words[word]) * LETTER * 13.5 / sheet.wide
        if x1 > x0 and all(abs(x - at) > (wide + other) / 2 + 0.004 for at, other in taken) and x - wide / 2 > line.left - 0.01:
            sheet.write(x, y, plain(words[word]), 13.5, sheet.colors.ink)
            taken.append((x, wide))


def _nearest_of(sheet: Sheet, winners: Winners, value: float, words: Names, line: Line, size: float, best: bool) -> None:
    """At the right: the nearest value beyond which another word wins."""
    flips = [(abs(f.value - value), sign, f) for sign, some in ((">", winners.up[:1]), ("<", winners.down[:1])) for f in some]
    colors = sheet.colors
    if not flips:
        sheet.write(1, line.middle, "no value flips it", size, colors.muted, "middle left")
        return
    _, sign, flip = min(flips, key=lambda f: f[0])
    text = f"{'&gt;' if sign == '>' else '&lt;'} {threshold_text(flip.value, line.most)} → {short(words[flip.word], 0.09 * WIDTH, size)}"
    size, ink = (min(1.25 * size, 20.0), colors.ink) if best else (size, colors.muted)
    sheet.write(1, line.middle, bold(text, best), size, ink, "middle left")
