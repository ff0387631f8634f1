"""One head large, its scores, masked scores and weights beside each other, so that one cell can be followed through them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from engine.model import ForwardPass
from pages.parts.figures.canvas import LETTER, WIDTH, Sheet, plain, rectangle, short
from pages.parts.figures.palette import palette, text_colors
from pages.parts.words import number

LEFT, GAP, HEAD = 0.115, 0.025, 52  # row labels and the space between two maps, as shares of the width; pixels above the cells
ROOM = 236  # pixels that the rows share
STAGES = ("scores", "masked", "weights")
DOES = ("query · key / √d", "what comes later: −∞", "softmax of each row")


def head_stages(
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    selected: tuple[int, int, int],
    dark: bool = False,
    zoom: float = 1.0,
) -> go.Figure:
    """The three stages of the head that is selected. words: (n,); selected: (head, query row, key), outlined in each stage.

    What the mask hides is a hole. Numbers stand in the cells where they can be read.
    """
    layer, colors = run.layers[-1], palette(dark)
    head, query, key = selected
    n_new, n = layer.scores.shape[1:]
    sheet = Sheet(colors, zoom)
    block = (1 - LEFT - 2 * GAP) / 3
    cell_x, cell_h = block / n, float(np.clip(ROOM / n_new, 14, 58))
    cell_w = cell_x * WIDTH
    size = min(18.0, 0.62 * cell_h, cell_w / (4 * LETTER))
    numbers = size >= 9
    tops = HEAD + np.arange(n_new + 1) * cell_h
    bound = max(1.0, float(np.abs(layer.scores).max()))
    visible = np.where(layer.mask[head], 1.0, np.nan)
    stages = (
        (layer.scores[head], colors.scores, -bound, bound),
        (layer.scores[head] * visible, colors.scores, -bound, bound),
        (layer.weights[head] * visible, colors.weights, 0.0, 1.0),
    )
    hidden = ""
    for stage, (z, scale, low, high) in enumerate(stages):
        left = LEFT + stage * (block + GAP)
        edges = left + np.arange(n + 1) * cell_x
        sheet.heatmap(z, edges, tops, scale, low, high, lines=True)
        title = f"<b>{STAGES[stage]}</b>  {DOES[stage]}"
        sheet.write(left, 11, title, 15, anchor="middle right")
        label = min(14.0, cell_w / (3.6 * LETTER))
        for j in range(n):
            strong = j == key
            name = short(words[j], cell_w - 2, label)
            color = colors.ink if strong else colors.muted
            sheet.write(left + (j + 0.5) * cell_x, 38, f"<b>{name}</b>" if strong else name, label, color)
        for i in range(n_new):
            gone = np.flatnonzero(~layer.mask[head, i])
            if stage and gone.size:  # a causal mask hides one run, the last ones
                hidden += rectangle(edges[gone[0]], tops[i] + 0.5, edges[gone[-1] + 1], tops[i + 1] - 0.5)
        if numbers:
            _numbers(sheet, stage, z, layer.mask[head], layer.empty[head], left, cell_x, tops, size, (scale, low, high))
        sheet.frame(edges[key], tops[query], edges[key + 1], tops[query + 1], colors.ink, 3.5)
    if hidden:
        sheet.path(hidden, colors.hole)
    for i in range(n_new):
        label, strong = min(16.0, 0.72 * cell_h), i == query
        name = short(words[n - n_new + i], (LEFT - 0.014) * WIDTH, label)
        color = colors.ink if strong else colors.muted
        sheet.write(LEFT - 0.008, (tops[i] + tops[i + 1]) / 2, f"<b>{name}</b>" if strong else name, label, color, "middle left")
    grid = {
        "curves": [0, 1, 2],
        "selected": [2, query, key],
        "stages": list(STAGES),
        "rows": [str(w) for w in words[n - n_new :]],
        "columns": [f"{heads[head]}, {w}" for w in words],
    }
    return sheet.figure(float(tops[-1]) + 4, min_width=640, grid=grid)


def _numbers(sheet: Sheet, stage, z, mask, empty, left, cell_x, tops, size, colors) -> None:
    """The number in each cell; −∞ where the mask hides a score, "none" in a row without weights."""
    scale, low, high = colors
    inks = text_colors(scale, np.clip((np.nan_to_num(z) - low) / (high - low), 0, 1))
    for i, j in np.ndindex(*z.shape):
        x, y = left + (j + 0.5) * cell_x, (tops[i] + tops[i + 1]) / 2
        if stage and not mask[i, j]:
            if stage == 1:
                sheet.write(x, y, "−∞", size, sheet.colors.muted)
        elif stage == 2 and empty[i]:
            if j == 0:
                sheet.write(x, y, "none", min(size, 13), sheet.colors.muted)
        else:
            sheet.write(x, y, plain(number(z[i, j], sign=stage < 2)), size, str(inks[i, j]))
