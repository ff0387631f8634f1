"""The same triangle of weights filled in several ways, side by side: one token at a time, in chunks, all at once.

The cells are drawn once. What is not computed yet lies under a cover, and a frame moves the covers: the frames are a few
rectangles each, and the browser plays them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.model import ForwardPass
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, rectangle, short
from pages.parts.text.format import number

LEFT, GAP = 0.085, 0.035  # shares of the width: the words, between two triangles
STEP_MS = 900


def triangles(
    sheet: Sheet, ways: Sequence[tuple[str, Sequence[ForwardPass]]], head: int, words: Sequence[str], notes: Sequence[str]
) -> SheetFigure:
    """One head's weights, filled in each of `ways`: a name and the passes that make it up, over the same n tokens.

    notes: a line beneath each. Frame t shows what is there after t passes; the figure itself shows the end.
    """
    colors, n = sheet.colors, len(words)
    block = (0.998 - LEFT - GAP * (len(ways) - 1)) / len(ways)
    cell_x, cell_h = block / n, float(np.clip(132 / n, 12.3, 50))
    size = min(18.0, 0.5 * cell_h, cell_x * WIDTH / (4 * LETTER))
    top, line = 48, 20
    bottom = top + n * cell_h
    y_edges = top + np.arange(n + 1) * cell_h
    covers: list[list[tuple[float, float, float, float]]] = []  # of each way, before each pass
    fresh: list[list[tuple[float, float, float, float]]] = []  # of each way, what each pass adds
    for i, word in enumerate(words):
        label = max(12.0, min(15.0, 0.75 * cell_h))
        sheet.write(LEFT - 0.008, y_edges[i] + cell_h / 2, short(word, (LEFT - 0.01) * WIDTH, label), label,
                    colors.muted, "middle left")  # fmt: skip
    for w, (name, passes) in enumerate(ways):
        x0 = LEFT + w * (block + GAP)
        ends = [0, *np.cumsum([p.n_new for p in passes]).tolist()]
        weights, mask = _stacked(passes, head, n)
        sheet.write(x0, 12, f"<b>{name}</b>", 16, anchor="middle right")
        sheet.write(x0, 35, passes_in_words([p.n_new for p in passes]), 14, colors.muted, "middle right")
        sheet.path(_holes(mask, x0, cell_x, y_edges), colors.hole)
        sheet.path(rectangle(x0, top, x0 + block, bottom), "rgba(0,0,0,0)", colors.bar, 1)
        shown = np.where(mask, weights, np.nan)
        sheet.heatmap(Grid(x0 + np.arange(n + 1) * cell_x, y_edges), shown, Scale(colors.weights), lines=cell_h > 12)
        if size >= 11:
            inks = text_colors(colors.weights, np.clip(np.nan_to_num(shown), 0, 1))
            for i, j in np.argwhere(mask):
                empty = not weights[i].any()
                sheet.write(x0 + (j + 0.5) * cell_x, y_edges[i] + cell_h / 2, "none" if empty else number(shown[i, j]),
                            min(size, 12.0) if empty else size, colors.muted if empty else str(inks[i, j]))  # fmt: skip
        if len(passes) < n:  # where one pass ends and the next begins
            edge, line_of = {"type": "line", "layer": "above"}, {"width": 3, "color": colors.ink}
            ys = [round(float(y_edges[e]), 2) for e in ends[1:-1]]
            sheet.shapes += [{**edge, "x0": x0, "x1": x0 + block, "y0": y, "y1": y, "line": line_of} for y in ys]
        # The passes as boxes along a line of time: as many boxes as must wait for one another.
        box = block / n
        y0, y1 = bottom + line - 6, bottom + line + 6
        boxes = (rectangle(x0 + k * box, y0, x0 + (k + 1) * box - 0.003, y1) for k in range(len(passes)))
        sheet.path("".join(boxes), colors.prefill)
        sheet.write(x0, bottom + line + 20, notes[w], 13.5, colors.muted, "middle right")
        covers.append([(x0 - 0.001, y_edges[e] - 1, x0 + block + 0.001, bottom + 1) for e in ends])
        fresh.append([(x0, y_edges[a], x0 + block, y_edges[b]) for a, b in pairwise(ends)])
    sheet.write(LEFT - 0.008, bottom + line, "time →", 13, colors.muted, "middle left")
    base = len(sheet.shapes)
    n_steps = max(len(passes) for _, passes in ways)
    frames = [
        {
            "name": f"after {t} of {n_steps} steps",
            "layout": {"shapes": sheet.shapes[:base] + _veil(ways, covers, fresh, t, sheet, block / n, bottom + line)},
        }
        for t in range(n_steps + 1)
    ]
    return sheet.figure(bottom + line + 32, min_width=860, frames=frames, step_ms=STEP_MS, start=n_steps)


def passes_in_words(sizes: Sequence[int]) -> str:
    """How many passes there are, and how many tokens each takes where that is more than one.

    >>> [passes_in_words(sizes) for sizes in ([4], [1, 1], [2, 2], [3, 1], [3, 3, 3, 1])]
    ['1 pass', '2 passes, one after another', '2 passes: 2 + 2 tokens', '2 passes: 3 + 1 tokens', '4 passes: 3 × 3 + 1 tokens']
    """
    if len(sizes) == 1:
        return "1 pass"
    first, last = sizes[0], sizes[-1]
    if first == 1:
        return f"{len(sizes)} passes, one after another"
    same = sum(size == first for size in sizes)
    parts = [str(first)] * same if same < 3 else [f"{same} × {first}"]
    return f"{len(sizes)} passes: {' + '.join([*parts, *([str(last)] if last != first else [])])} tokens"


def _stacked(passes: Sequence[ForwardPass], head: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights of all rows of the passes and what each may see: (n, n) twice; a key that was not there yet is hidden."""
    weights, mask = np.zeros((n, n)), np.zeros((n, n), bool)
    for p in passes:
        layer, rows = p.layers[-1], slice(p.n_past, p.n_past + p.n_new)
        weights[rows, : layer.weights.shape[2]] = layer.weights[head]
        mask[rows, : layer.weights.shape[2]] = layer.mask[head]
    return weights, mask


def _holes(mask: np.ndarray, x0: float, cell_x: float, y_edges: np.ndarray) -> str:
    """The hidden cells as one flight of stairs: of every row the last ones. Short, because every frame repeats it."""
    n, right = len(mask), x0 + len(mask) * cell_x
    steps = [(x0 + mask[i].sum() * cell_x, y) for i in range(n) for y in (y_edges[i], y_edges[i + 1])]
    corners = [(right, y_edges[0]), *steps, (right, y_edges[n])]
    return "M" + "L".join(f"{x:.4f},{y:.1f}" for x, y in corners) + "Z"


def _veil(ways, covers, fresh, t: int, sheet: Sheet, box: float, y: float) -> list[dict]:
    """What lies over the cells after t passes: a cover on every row to come, an outline round the rows just made.

    Every frame has the same rectangles in the same order, empty ones too: a frame is merged into what is there, so one that
    had fewer would leave the last of an earlier frame lying.
    """
    colors, shapes = sheet.colors, []
    for (_, passes), cover, new in zip(ways, covers, fresh, strict=True):
        n, done, last = len(passes), min(t, len(passes)), t - 1
        x0, y0, x1, _ = cover[done]
        y1 = cover[0][3] if done < n else y0
        shapes.append(_box(x0, y0, x1, y1, colors.surface, None))
        rest = (x0 + done * box, x0 + n * box + 0.002)
        shapes.append(_box(rest[0], y - 8, rest[1], y + 8 if done < n else y - 8, colors.surface, None))
        shapes.append(_box(*new[min(max(last, 0), n - 1)], None, colors.accent if 0 <= last < n else None))
    return shapes


def _box(x0: float, y0: float, x1: float, y1: float, fill: str | None, line: str | None) -> dict:
    nothing = "rgba(0,0,0,0)"
    return {
        "type": "rect", "x0": round(x0, 5), "y0": round(y0, 2), "x1": round(x1, 5), "y1": round(y1, 2), "layer": "above",
        "fillcolor": fill or nothing, "line": {"width": 3 if line else 0, "color": line or nothing},
    }  # fmt: skip
