"""A picture for each of the six sentences, a part of the machine: what a row takes in, two phases, the cache's frame, the mask, its
layers, what is met. Until its sentence is told, a picture lacks what the question asks for."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import kind_colors
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle

N, GAP = 6, 0.026  # pictures, and the share of the width between two: in_short.css parts the sentences alike
HEIGHT, ALONE = 262.0, 132.0  # pixels of all side by side on a projector, and of one alone on a phone
ROWS, ENTRIES = 4, 5  # rows that stand for the prompt's, numbers that stand for a key's
LEAST_WEIGHT = 0.005  # less would not be seen
PASSES, TOKENS = 8, 8  # of an answer and of a prompt that are drawn; of more the first ones, and dots


def six_pictures(
    sheet: Sheet,
    tells: Sequence[str],
    labels: Sequence[str],
    causal: bool,
    length: tuple[int, int],
    weights: Sequence[float],
    only: int | None = None,
) -> SheetFigure:
    """All side by side, or one alone on a phone. tells: what each shows, in a few words, "" while it is not told; labels:
    what stands beneath it until then. causal:
    whether the mask is on. length: tokens of the prompt, and passes of the answer. weights: a row's, of the tokens up to it."""
    draw = (partial(_taken, weights), partial(_phases, *length), _kept, partial(_mask, causal), _layers, _met)
    shown = range(N) if only is None else (only,)
    if only is not None:
        sheet.on_phone()
    height = ALONE if only is not None else HEIGHT + sheet.spare
    wide = (1 - GAP * (N - 1)) / N if only is None else 0.62
    for k, which in enumerate(shown):
        x = k * (wide + GAP)
        draw[which](sheet, (x, 8.0, x + wide, height - 34), bool(tells[which]))
        if tells[which]:
            sheet.write(x, height - 14, bold(tells[which]), 16, anchor="middle right")
        else:
            sheet.write(x, height - 14, labels[which], 16, sheet.colors.muted, "middle right")
    return sheet.figure(height)


def _taken(weights: Sequence[float], sheet: Sheet, box: Box, told: bool) -> None:
    """The newest row, and what it takes of each value, in lines as wide as its weights."""
    (x0, y0, x1, y1), colors, n = box, sheet.colors, len(weights)
    tall, wide = (y1 - y0) / n, x1 - x0
    left, right, middle = x0 + 0.3 * wide, x1 - 0.3 * wide, y1 - tall / 2
    for i, weight in enumerate(weights):
        y, gap = y0 + (i + 0.5) * tall, min(2.0, tall / 6)
        color = colors.decode if i == n - 1 else colors.prefill
        sheet.bar(x0, y - tall / 2 + gap, left, y + tall / 2 - gap, color)
        sheet.bar(right, y - tall / 2 + gap, x1, y + tall / 2 - gap, colors.value)
        if told and weight > LEAST_WEIGHT:
            bend = 0.5 * (right - left)
            way = f"M{left:.4f},{middle:.1f}C{left + bend:.4f},{middle:.1f} {right - bend:.4f},{y:.1f} {right:.4f},{y:.1f}"
            sheet.line(way, colors.value, 1 + 11 * weight)


def _phases(n_prompt: int, n_passes: int, sheet: Sheet, box: Box, told: bool) -> None:
    """A pass over the prompt, then a row a pass; of these nothing, while it is not told."""
    (x0, y0, x1, y1), fills, drawn = box, kind_colors(sheet.colors), n_passes if n_passes <= PASSES else PASSES - 1
    columns = max(4, min(n_passes, PASSES))  # one is left for the dots
    rows = min(n_prompt, TOKENS)
    wide, tall = (x1 - x0) / columns, (y1 - y0) / (rows + columns - 1)
    if told and n_passes > PASSES:
        sheet.write(x1 - wide / 2, y1 - tall / 2, "…", 20, sheet.colors.decode)
    dots = rows // 2 if n_prompt > TOKENS else -1
    for k in range(drawn):
        for i in range(rows + k):
            if i == dots:
                continue
            kind = "prefill" if k == 0 else "new" if i == rows + k - 1 else "kept"
            if k and not told:
                continue
            sheet.bar(x0 + k * wide, y0 + i * tall + 1, x0 + (k + 0.88) * wide, y0 + (i + 1) * tall - 1, fills[kind])
    if dots >= 0:
        sheet.write(x0 + 0.44 * wide, y0 + (dots + 0.4) * tall, "⋮", 18, sheet.colors.prefill)


def _kept(sheet: Sheet, box: Box, told: bool) -> None:
    """Query, key and value of each row; once it is told, the query is an outline, the other two stand in the frame that keeps them."""
    (x0, y0, x1, y1), colors, wide = box, sheet.colors, box[2] - box[0]
    top = y0 + 24
    tall = (y1 - top - 6) / ROWS
    at = x0, x0 + 0.26 * wide, x0 + 0.36 * wide, x0 + 0.7 * wide, x0 + 0.74 * wide, x1 - 0.06 * wide
    if told:
        sheet.frame(at[2] - 0.03 * wide, y0 - 4, x1, y1, colors.muted, 1.5)
    for x, name, color in ((at[0], "query", colors.query), (at[2], "key", colors.key), (at[4], "value", colors.value)):
        sheet.write(x, y0 + 9, bold(name), 14, color, "middle right")
    for i in range(ROWS):
        y, end = top + i * tall + 2, top + (i + 1) * tall - 2
        if told:
            sheet.line(rectangle(at[0], y, at[1], end), colors.muted, 1, "dot")
        else:
            sheet.bar(at[0], y, at[1], end, colors.query)
        step = (at[3] - at[2]) / ENTRIES
        sheet.bar(at[2], y, at[3], end, faded(colors, colors.key, 0.15))
        sheet.bar(at[2] + i * step, y, at[2] + (i + 1) * step, end, colors.key)
        sheet.bar(at[4], y, at[5], end, colors.value)


def _mask(causal: bool, sheet: Sheet, box: Box, told: bool) -> None:
    """Who looks at whom, which is left open while it is not told: old rows in the prompt's colour, the new one in its own; at what
    comes later nobody, unless the mask is off."""
    (x0, y0, x1, y1), colors, n = box, sheet.colors, ROWS + 1
    grid = Grid(np.linspace(x0, x1, n + 1), np.linspace(y0, y1, n + 1))
    ahead = colors.hole if causal else faded(colors, colors.wasted, 0.55)
    for i in range(n):
        for j in range(n):
            looks = colors.decode if i == n - 1 else faded(colors, colors.prefill, 0.55)
            left, top, right, bottom = grid.box(i, j)
            if told or i == j:
                sheet.bar(left, top + 1, right - 0.0015, bottom - 1, looks if j <= i else ahead)
            else:
                sheet.line(rectangle(left, top + 1, right - 0.0015, bottom - 1), colors.bar, 1, "dot")


def _layers(sheet: Sheet, box: Box, told: bool) -> None:
    """The frame of keys and values in every layer, one behind the other; one alone, while it is not told."""
    (x0, y0, x1, y1), colors, n = box, sheet.colors, 5
    wide, tall = 0.62 * (x1 - x0), 0.62 * (y1 - y0)
    for k in range(0 if told else n - 1, n):
        x, y = x0 + (n - 1 - k) * (x1 - x0 - wide) / (n - 1), y0 + k * (y1 - y0 - tall) / (n - 1)
        sheet.path(rectangle(x, y, x + wide, y + tall), colors.surface, colors.muted, 1)
        for part, color in ((0, colors.key), (1, colors.value)):
            left = x + (0.05 + 0.55 * part) * wide
            right = x + (0.55 + 0.4 * part) * wide
            sheet.bar(left, y + 6, right, y + tall - 6, color)
            sheet.bars(((left, y + f * tall - 1, right, y + f * tall + 1) for f in (0.25, 0.5, 0.75)), colors.surface)


def _met(sheet: Sheet, box: Box, told: bool) -> None:
    """The newest query and the kept keys; once it is told, a line to each of them."""
    (x0, y0, x1, y1), colors, n = box, sheet.colors, 2 * ROWS
    tall, wide = (y1 - y0) / n, x1 - x0
    left, middle = x1 - 0.3 * wide, y1 - tall / 2
    start, turn, end = x0 + 0.28 * wide, x0 + 0.5 * wide, left - 0.2 * wide
    for i in range(n):
        y = y0 + (i + 0.5) * tall
        if told:
            way = f"M{start:.4f},{middle:.1f}C{turn:.4f},{middle:.1f} {end:.4f},{y:.1f} {left:.4f},{y:.1f}"
            sheet.line(way, colors.decode, 1.6)
        sheet.bar(left, y - tall / 2 + 1, x1, y + tall / 2 - 1, colors.key)
    sheet.bar(x0, middle - 13, start, middle + 13, colors.query)
