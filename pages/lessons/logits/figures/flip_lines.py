"""Who wins along each token's value: a line for each token, cut where the winner changes, with the value as it is now on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.toy.flips import Winners
from pages.parts.drawing.axes import apart
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, plain, rectangle, short
from pages.parts.text.format import context_text, number

LEFT, RIGHT = 0.10, 0.19  # shares of the width: the words, the nearest flip
NUMBERS = 37  # pixels for the numbers above and beneath a line


def flip_lines(
    sheet: Sheet,
    lines: Sequence[Winners],
    values: Sequence[float],
    tokens: Sequence[str],
    words: Sequence[str],
    low: float,
    high: float,
) -> SheetFigure:
    """One line for each token from `low` to `high`. lines: engine.flips.winners of each; values: (n,) as they are now."""
    colors = sheet.colors
    n = len(tokens)
    top, row = 28.0, float(np.clip(320 / n, 20, 68))
    numbered = row > NUMBERS + 14  # with fewer tokens; elsewhere a number above one line would stand on one beneath another
    bar = min(30.0, row - NUMBERS if numbered else max(0.52 * row, 14.0))
    size = max(12.0, min(15.0, 0.72 * bar))
    width = 1 - LEFT - RIGHT
    nearest = nearest_flip(lines, values)
    # The present winner's stretch is calm; any other stands out. Names stand in the stretches, so colour only repeats them.
    calm, other = colors.hole, colors.weights[2]
    ink = {calm: colors.ink, other: ink_on(other)}

    def place(value: float) -> float:
        return LEFT + width * (float(np.clip(value, low, high)) - low) / (high - low)

    paths = {calm: "", other: ""}
    for j, (line, value) in enumerate(zip(lines, values, strict=True)):
        middle = top + (j + 0.5) * row + (0.1 * row if numbered else 0)
        y0, y1 = middle - bar / 2, middle + bar / 2
        label = min(16.0, 0.7 * row)
        sheet.write(LEFT - 0.012, middle, short(tokens[j], (LEFT - 0.012) * WIDTH, label), label, colors.muted, "middle left")
        narrow: list[tuple[float, float, int]] = []
        for start, end, word in line.bands:
            x0, x1 = place(start), place(end)
            if x1 <= x0:
                continue
            fill = calm if word == line.now else other
            paths[fill] += rectangle(x0 + (0.001 if start > low else 0), y0, x1, y1)
            # The name stands where the mark of the value leaves most room; a little smaller rather than cut off.
            mark = place(value)
            a, b = max(((x0, min(mark, x1)), (max(mark, x0), x1)), key=lambda ends: ends[1] - ends[0])
            room = (b - a) * WIDTH - 8
            if room <= 26 and numbered:
                narrow.append((x0, x1, word))
            fits = max(12.0, min(size, room / (LETTER * len(words[word]))))
            if room > 26:
                sheet.write((a + b) / 2, middle, short(words[word], room, fits), fits, ink[fill])
        flips = [start for start, _, _ in line.bands if low < start < high] if numbered else []
        type_size, least = _type_size(flips, width / (high - low))
        for start, at in zip(flips, apart([place(start) for start in flips], least, LEFT, LEFT + width), strict=True):
            hit = nearest is not None and nearest[0] == j and start == nearest[1]
            text = f"<b>{context_text(start)}</b>" if hit else context_text(start)
            sheet.write(at, y0 - 10, text, type_size, colors.prefill if hit else colors.muted)
        x = place(value)
        _beneath(sheet, narrow, words, y1 + 12, x, number(value))
        sheet.bar(x - 0.0025, y0 - 5, x + 0.0025, y1 + 5, colors.ink)
        sheet.write(x, y1 + 12 if numbered else middle, f"<b>{number(value)}</b>" if numbered else "", 13.5)
        _nearest_of(sheet, line, value, words, middle, min(15.0, max(0.62 * row, 12.0)), nearest is not None and nearest[0] == j)
    for fill, path in paths.items():
        if path:
            sheet.path(path, fill)
    sheet.shapes.sort(key=lambda shape: shape["fillcolor"] == colors.ink)  # the marks lie on the stretches
    sheet.write(LEFT, 10, f"value {number(low)}", 13, colors.muted, "middle right")
    sheet.write(LEFT + width, 10, f"{number(high)}", 13, colors.muted, "middle left")
    sheet.write(1, 10, "<b>nearest flip</b>", 15, anchor="middle left")
    return sheet.figure(top + n * row + 8, min_width=860)


def nearest_flip(lines: Sequence[Winners], values: Sequence[float]) -> tuple[int, float, int, bool] | None:
    """(token, value, word, whether it is above) of the flip that needs the smallest change of a value; None where no value flips
    anything. Where two words are level a flip lies at the present value, so that the value does not tell on which side it is."""
    all_of = [(abs(f.value - v), j, f.value, f.word, above) for j, (line, v) in enumerate(zip(lines, values, strict=True))
              for above, some in ((True, line.up[:1]), (False, line.down[:1])) for f in some]  # fmt: skip
    return min(all_of)[1:] if all_of else None


def _type_size(flips: Sequence[float], scale: float) -> tuple[float, float]:
    """The largest type in which each number stands on its own boundary, and how far apart two must be then, as a share of the
    width. scale: share of the width of one unit of value."""
    wide = [LETTER * (len(context_text(a)) + len(context_text(b))) / 2 for a, b in pairwise(flips)]
    gaps = [(b - a) * scale for a, b in pairwise(flips)]
    needed = {size: [(size * w + 2) / WIDTH for w in wide] for size in (13.5, 12.0)}
    size = next((size for size, least in needed.items() if all(g >= n for g, n in zip(gaps, least, strict=True))), 12.0)
    return size, max(needed[size], default=0.0)


def _beneath(
    sheet: Sheet, narrow: Sequence[tuple[float, float, int]], words: Sequence[str], y: float, mark: float, value: str
) -> None:
    """The names of stretches that are too narrow to hold them, where they meet neither the value's number nor one another."""
    taken = [(mark, len(value) * LETTER * 13.5 / WIDTH)]
    for x0, x1, word in narrow:
        x, wide = (x0 + x1) / 2, len(words[word]) * LETTER * 12 / WIDTH
        if x1 > x0 and all(abs(x - at) > (wide + other) / 2 + 0.004 for at, other in taken) and x - wide / 2 > LEFT - 0.01:
            sheet.write(x, y, plain(words[word]), 12, sheet.colors.ink)
            taken.append((x, wide))


def _nearest_of(sheet: Sheet, line: Winners, value: float, words: Sequence[str], y: float, size: float, best: bool) -> None:
    """At the right: the nearest value beyond which another word wins."""
    flips = [(abs(f.value - value), sign, f) for sign, some in ((">", line.up[:1]), ("<", line.down[:1])) for f in some]
    colors = sheet.colors
    if not flips:
        sheet.write(1, y, "no value flips it", size, colors.muted, "middle left")
        return
    _, sign, flip = min(flips, key=lambda f: f[0])
    text = f"{'&gt;' if sign == '>' else '&lt;'} {context_text(flip.value)} → {short(words[flip.word], 0.09 * WIDTH, size)}"
    sheet.write(1, y, f"<b>{text}</b>" if best else text, size, colors.prefill if best else colors.ink, "middle left")
