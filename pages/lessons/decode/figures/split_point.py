"""The split point: the same tokens as prefill with decoded rows beneath it, and as one prefill, column under column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.experiments.rows import Rows
from pages.parts.drawing.mosaic import Piece, draw
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, in_cell, rectangle, short
from pages.parts.text.format import apart, number

LEFT, HEADS = 0.105, 0.655
HEIGHT = 318
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
MIN_WIDTH = 860  # with less, numbers outgrow their cells and words the space at the left: the figure scrolls instead
GAP = 4.0  # pixels between two passes


class Drawn(NamedTuple):
    """What all heads draw together: cells of the prefill passes, cells of the decode passes, holes."""

    prefill: list[Piece]
    decode: list[Piece]
    holes: list[str]


def split_point(
    sheet: Sheet,
    parts: Rows,
    whole: Rows,
    n_prefill: int,
    gap: float,
    words: Sequence[str],
    heads: Sequence[str],
    answered: bool = True,
) -> SheetFigure:
    """Weights and contexts of n tokens, computed in two ways. gap: the largest difference between the two.

    parts: a prefill of n_prefill tokens and one decode pass for each further one; whole: one prefill of all n.
    answered: whether the second way is shown, with the old rows that a question was about outlined in both.
    """
    colors = sheet.colors
    n_head, n = whole.context.shape
    spread = 0.75 if n <= 8 else 1.5
    cell_x = min(HEADS / (n_head * (n + spread)), 56 / WIDTH)
    cell_h = float(np.clip((HEIGHT - 96 - GAP * min(n - n_prefill, 12)) / (2 * n), 1.6, 34))
    step = GAP if n - n_prefill <= 12 else 0
    size = in_cell(0, cell_x * WIDTH, cell_h)[1]
    starts = LEFT + np.arange(n_head) * (n + spread) * cell_x
    first_top = 56.0
    offsets = np.concatenate([np.zeros(n_prefill), step * np.arange(1, n - n_prefill + 1)])
    tops = (first_top + np.arange(n) * cell_h + offsets, None)
    second_top = float(tops[0][-1]) + cell_h + 50
    tops = (tops[0], second_top + np.arange(n) * cell_h)
    decoded = n - n_prefill
    titles = (
        f"<b>prefill</b> over {_tokens(n_prefill)}, then {decoded} decode {'step' if decoded == 1 else 'steps'}: {1 + decoded} passes",
        f"<b>prefill</b> over {_tokens(n)}: 1 pass",
    )
    right = LEFT + HEADS + 0.012
    width = (1 - right) / n_head
    drawn = Drawn([], [], [])
    for band, (rows, title) in enumerate(zip((parts, whole), titles, strict=True)):
        if band and not answered:
            sheet.write(0, tops[1][0] - 16, title, 14.5, anchor="middle right")
            for x in starts:
                sheet.bar(x, tops[1][0], x + n * cell_x, tops[1][-1] + cell_h, colors.hole)
                sheet.write(x + n * cell_x / 2, (tops[1][0] + tops[1][-1] + cell_h) / 2, "?", 26)
            continue
        top = tops[band]
        split = n_prefill if band == 0 else n
        sheet.write(0, top[0] - (44 if band == 0 else 16), title, 14.5, anchor="middle right")
        _labels(sheet, top, cell_h, split, words)
        for h in range(n_head):
            _band(sheet, rows, h, split, starts[h], cell_x, top, cell_h, size, drawn)
            _contexts(sheet, rows, h, split, right + (h + 0.5) * width, width, top, cell_h)
    if drawn.holes:
        sheet.path("".join(drawn.holes), colors.hole)
    draw(sheet, drawn.prefill, (colors.surface, colors.prefill), 0, 1, lines=cell_h >= 12)
    draw(sheet, drawn.decode, (colors.surface, colors.decode), 0, 1, lines=cell_h >= 12)
    for h in range(n_head):
        name = short(heads[h], n * cell_x * WIDTH, 12.5)
        sheet.write(starts[h] + n * cell_x / 2, first_top - 24, name, 12.5, colors.muted)
        sheet.write(right + (h + 0.5) * width, first_top - 10, str(h + 1), 12, colors.muted)
        if cell_x * WIDTH >= 15:
            for j in range(n):
                sheet.write(starts[h] + (j + 0.5) * cell_x, first_top - 9, str(j + 1), 12, colors.muted)
    sheet.write(right, first_top - 28, "<b>context</b> of each head", 14, anchor="middle right")
    if answered:
        sheet.write(1, second_top - 18, f"<b>largest difference: {apart(gap)}</b>", 19, colors.ink, "middle left")
        for x, top in ((x, top) for x in starts for top in tops):
            sheet.frame(x, top[0], x + n * cell_x, top[n - 2] + cell_h, colors.ink, 2)
    return sheet.figure(second_top + n * cell_h + 6, min_width=MIN_WIDTH)


def _tokens(n: int) -> str:
    return "1 token" if n == 1 else f"{n} tokens"


def _labels(sheet: Sheet, tops, cell_h, split, words) -> None:
    """Position and word of each row, and the bars of the passes."""
    colors, size = sheet.colors, min(14.0, 0.78 * cell_h)
    sheet.bar(LEFT - 0.011, tops[0] + 1, LEFT - 0.005, tops[split - 1] + cell_h - 1, colors.prefill)
    for i in range(split, len(tops)):
        sheet.bar(LEFT - 0.011, tops[i] + 0.5, LEFT - 0.005, tops[i] + cell_h - 0.5, colors.decode)
    for i in range(len(tops)) if size >= LEAST else (len(tops) - 1,):
        color = colors.prefill if i < split else colors.decode
        label = short(f"{i + 1} {words[i]}", (LEFT - 0.02) * WIDTH, max(size, 12))
        sheet.write(LEFT - 0.018, tops[i] + cell_h / 2, label, max(size, LEAST), color, "middle left")


def _band(sheet: Sheet, rows: Rows, h, split, x0, cell_x, tops, cell_h, size, drawn: Drawn) -> None:
    """One head's rows: those of the prefill pass in its colour, each decoded one in its own."""
    colors = sheet.colors
    n, gap = len(rows.weights[h]), 0.5 if cell_h >= 12 else 0
    x = x0 + np.arange(n + 1) * cell_x
    drawn.holes.extend(
        rectangle(x[np.flatnonzero(rows.hidden[h, i])[0]], tops[i] + gap, x[split], tops[i] + cell_h - gap)
        for i in range(split)
        if rows.hidden[h, i].any()
    )
    drawn.prefill.append((rows.weights[h, :split], x, np.append(tops[:split], tops[split - 1] + cell_h)))
    drawn.decode.extend((rows.weights[h, i : i + 1], x, np.array([tops[i], tops[i] + cell_h])) for i in range(split, n))
    if size < LEAST:
        return
    nothing = "none" if cell_x * WIDTH >= 25 else "–"
    for start, stop, color in ((0, split, colors.prefill), (split, n, colors.decode)):
        shown = rows.weights[h, start:stop]
        inks = text_colors((colors.surface, color), np.clip(np.nan_to_num(shown), 0, 1))
        for i, j in zip(*np.nonzero(~np.isnan(shown)), strict=True):
            none = rows.empty[h, start + i]
            if not none or j == 0:
                text = nothing if none else in_cell(shown[i, j], cell_x * WIDTH, cell_h)[0]
                y = tops[start + i] + cell_h / 2
                sheet.write((x[j] + x[j + 1]) / 2, y, text, min(size, 12) if none else size, str(inks[i, j]))


def _contexts(sheet: Sheet, rows: Rows, h, split, x, width, tops, cell_h) -> None:
    """One head's context for each row, under its number."""
    colors, n = sheet.colors, len(tops)
    size = min(15.0, 0.8 * cell_h, 0.42 * width * WIDTH)
    for i in range(n):
        if size < LEAST and i < n - 1:
            continue
        text = "none" if rows.empty[h, i] else number(rows.context[h, i], 2 if width * WIDTH > 34 else 1)
        color = colors.decode if i >= split else colors.prefill
        sheet.write(x, tops[i] + cell_h / 2, f"<b>{text}</b>" if i == n - 1 else text, max(size, LEAST), color)
