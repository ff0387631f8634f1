"""The same triangle of weights filled in several ways, side by side: one token at a time, in chunks, all at once.

The cells are drawn once. What is not computed yet lies under a cover, and a frame moves the covers: the frames are a few
rectangles each, and the browser plays them alone.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.model import ForwardPass
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.cells import Texts, cells, row_names, texts
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, ems, rectangle
from pages.parts.text.digits import share_said
from pages.parts.text.format import joined_by_or, plural

LEFT, GAP = 0.085, 0.035  # shares of the width: the words, between two triangles
NARROW = (0.19, 0.03)  # the same on a phone
STEP_MS = 900
BAR, LOW_BAR, LOW = 36.0, 10.0, 14.0  # pixels of the time beneath a triangle, also where its rows are low, up to which height
LEAST_GHOST = 5.0  # pixels of a cell of a square that may be the answer, at least
ROOM, PHONE_ROOM = 150.0, 130.0  # and of the rows


Ways = Sequence[tuple[str, Sequence[ForwardPass]]]  # of each its name and its passes


class View(NamedTuple):
    """last: whether the last way is drawn, or to be found. timed: whether the time that each takes is drawn and can be played, or to
    be found. asked: of the last way whether it has fewer products, as many, or more, as long as it is to be found."""

    last: bool = True
    timed: bool = True
    asked: Asked = NOT_ASKED


def triangles(
    sheet: Sheet,
    ways: Ways,
    head: int,
    words: Sequence[str],
    notes: Sequence[str],
    view: View = View(),  # noqa: B008
) -> SheetFigure:
    """One head's weights, filled in each of `ways`: a name and the passes that make it up, over the same n tokens.

    notes: a line beneath each. Frame t shows what is there after t passes.
    """
    n, (left, gap) = len(words), NARROW if sheet.on_phone() else (LEFT, GAP)
    block = (0.998 - left - gap * (len(ways) - 1)) / len(ways)
    cell = (block / n, sheet.row(PHONE_ROOM if sheet.phone else ROOM, n, 12.0, 60))
    bar = LOW_BAR if cell[1] < LOW and not sheet.phone else BAR
    line = 10 + bar / 2
    grids = [Grid.of(left + w * (block + gap), 44, cell, (n, n)) for w in range(len(ways))]
    bottom, edges = float(grids[0].y[-1]), grids[0].y
    row_names(sheet, left - 0.008, grids[0], words, max(12.0, min(15.0, 0.75 * grids[0].tall)))
    covers: list[list[Box]] = []  # of each way, before each pass
    fresh: list[list[Box]] = []  # of each way, what each pass adds
    for grid, (name, passes), note in zip(grids, ways, notes, strict=True):
        x0, _, x1, _ = grid.edges
        ends = [0, *np.cumsum([p.n_new for p in passes]).tolist()]
        many, _, said = passes_in_words([p.n_new for p in passes]).replace(":", ",").partition(", ")
        if sheet.phone:  # what fits above and beneath a small one
            name, said, note = name.removesuffix(" at a time"), "", note.split(",")[0] if "<b>" in note else ""
        sheet.write(x0, 12, f"<b>{name}</b>", min(16.0, block * sheet.wide / 5.5), anchor="middle right")
        if said:
            sheet.write(x0, 32, said, 14, sheet.colors.muted, "middle right")
        if view.last or passes is not ways[-1][1]:
            _triangle(sheet, grid, *_stacked(passes, head, n))
        else:
            _to_be_found(sheet, grid, view.asked)
        if len(passes) < n:  # where one pass ends and the next begins
            for end in ends[1:-1]:
                y = round(float(edges[end]), 2)
                sheet.shapes.append({"type": "line", "layer": "above", "x0": x0, "x1": x1, "y0": y, "y1": y,
                                     "line": {"width": 3, "color": sheet.colors.ink}})  # fmt: skip
        y1 = bottom + line + bar / 2
        _time(sheet, (x0, bottom + line - bar / 2, x1, y1), block / n, len(passes), view.timed)
        size = 18 if sheet.phone or bar < BAR else 26
        sheet.write(x0, y1 + 2 + 0.7 * size, f"<b>{many}</b>", size, sheet.colors.prefill, "middle right")
        beside = not sheet.phone and block * sheet.wide >= 290
        where = (x1, y1 + 2 + 0.7 * size, "middle left") if beside else (x0, y1 + 42, "middle right")
        sheet.write(*where[:2], note, 13.5, sheet.colors.muted, where[2])
        covers.append([(x0 - 0.001, edges[e] - 1, x1 + 0.001, bottom + 1) for e in ends])
        fresh.append([(x0, edges[a], x1, edges[b]) for a, b in pairwise(ends)])
    sheet.write(left - 0.008, bottom + line, "time →", 13, sheet.colors.muted, "middle left")
    end, least = bottom + line + bar / 2 + (54 if sheet.phone else 26 if bar < BAR else 36), 0 if sheet.phone else 860
    if not view.timed:
        return sheet.figure(end, min_width=least)
    base, n_steps = sheet.shapes[:], max(len(passes) for _, passes in ways)
    veils = [_veil(ways, covers, fresh, t, sheet, (block / n, bottom + line, bar / 2 + 1)) for t in range(n_steps + 1)]
    frames = [{"name": f"after {t} of {n_steps} steps", "layout": {"shapes": base + veil}} for t, veil in enumerate(veils)]
    return sheet.figure(end, min_width=least, frames=frames, step_ms=STEP_MS, start=n_steps)


def _time(sheet: Sheet, box: Box, wide: float, n: int, known: bool) -> None:
    """n passes as boxes along a line of time: as many as must wait for one another; or a question mark."""
    x0, y0, x1, y1 = box
    if known:
        sheet.bars(((x0 + k * wide, y0, x0 + (k + 1) * wide - 0.003, y1) for k in range(n)), sheet.colors.prefill)
        return
    sheet.line(rectangle(x0, y0, x1, y1), sheet.colors.bar, 1.2, "dot")
    sheet.write((x0 + x1) / 2, (y0 + y1) / 2, "?", min(24.0, 0.75 * (y1 - y0) + 4))


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


def ways_found(ways: Ways, told: bool) -> str:
    """The headline of several ways: in how many passes they compute how many products, once that is `told`."""
    by_size = dict(
        sorted((len(passes), sum(p.counts.scores for p in passes)) for _, passes in ways)
    )  # "1 passes" is said nowhere
    sizes, products = list(by_size), list(dict.fromkeys(by_size.values()))
    many = f"{joined_by_or([str(n) for n in sizes])} {plural(1 if sizes == [1] else 2, 'pass')}"
    if not told:
        return f"{many}: ? products"
    what = plural(1 if products == [1] else 2, "product")
    return f"{many}: {joined_by_or([f'{n:,}' for n in products])} {what}{' each' * (len(sizes) > 1 == len(products))}"


def _stacked(passes: Sequence[ForwardPass], head: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights of all rows of the passes and what each may see: (n, n) twice; a key that was not there yet is hidden."""
    weights, mask = np.zeros((n, n)), np.zeros((n, n), bool)
    for p in passes:
        layer, rows = p.layers[-1], slice(p.n_past, p.n_past + p.n_new)
        weights[rows, : layer.weights.shape[2]] = layer.weights[head]
        mask[rows, : layer.weights.shape[2]] = layer.mask[head]
    return weights, mask


def _to_be_found(sheet: Sheet, grid: Grid, asked: Asked) -> None:
    """A way that is to be found: the squares that it may fill, in the rows of the others, each of which can be pressed as the answer."""
    (x0, y0, x1, y1), colors, n = grid.edges, sheet.colors, len(grid.y) - 1
    room = (x1 - x0 + 0.012) / max(1, len(asked.names))
    wide = (room - 0.012) / n
    if not asked.names or sheet.phone or wide * sheet.wide < LEAST_GHOST:
        sheet.line(rectangle(x0, y0, x1, y1), colors.bar, 1.2, "dot")
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, "?", 40)
        return
    for k, name in enumerate(asked.names):
        left = x0 + k * room
        there = [(i, j) for i in range(n) for j in range(n) if k == 2 or (j <= i and (k == 1 or j == i))]
        sheet.bar(left, y0, left + n * wide, y1, colors.hole)
        gap = 1 / sheet.wide
        sheet.bars(
            ((left + j * wide, grid.y[i] + 0.5, left + (j + 1) * wide - gap, grid.y[i + 1] - 0.5) for i, j in there),
            faded(colors, colors.prefill, 0.45),
        )
        sheet.write(left + n * wide / 2, 32, name, min(14.0, (room * sheet.wide - 4) / ems(name)))
        answer_part(sheet, asked, k, (left, y0, left + n * wide, y1))


def _triangle(sheet: Sheet, grid: Grid, weights: np.ndarray, mask: np.ndarray) -> None:
    """One head's weights with their numbers where these can be read, and an outline that stays when they are covered."""
    sheet.path(_stairs(mask, grid), sheet.colors.hole)
    sheet.path(rectangle(*grid.edges), "rgba(0,0,0,0)", sheet.colors.bar, 1)
    shown = np.where(mask, weights, np.nan)
    words = texts(shown, mask)
    for i, j in np.argwhere(mask & (weights > 0)):
        words[i, j] = share_said(float(weights[i, j]))
    words[mask & ~weights.any(axis=1)[:, None]] = "none"
    size = min(18.0, 0.5 * grid.tall, grid.wide * sheet.wide / (4 * LETTER))
    cells(sheet, grid, shown, Scale(sheet.colors.weights), Texts(words, size) if size >= 11 else None, lines=grid.tall > 12)


def _stairs(mask: np.ndarray, grid: Grid) -> str:
    """The hidden cells as one flight of stairs: of every row the last ones. Short, because every frame repeats it."""
    n, (x, y, right, end) = len(mask), grid.edges
    steps = [(x + mask[i].sum() * grid.wide, edge) for i in range(n) for edge in (grid.y[i], grid.y[i + 1])]
    return "M" + "L".join(f"{x:.4f},{y:.1f}" for x, y in [(right, y), *steps, (right, end)]) + "Z"


def _veil(ways, covers, fresh, t: int, sheet: Sheet, time: tuple[float, float, float]) -> list[dict]:
    """What lies over the cells after t passes: a cover on every row to come, an outline round the rows just made, until all are.

    Every frame has the same rectangles in the same order, empty ones too: a frame is merged into what is there, so one that
    had fewer would leave the last of an earlier frame lying.
    """
    colors, shapes, (box, y, tall) = sheet.colors, [], time
    at_rest = t == max(len(passes) for _, passes in ways)
    for (_, passes), cover, new in zip(ways, covers, fresh, strict=True):
        n, done, last = len(passes), min(t, len(passes)), t - 1
        x0, y0, x1, _ = cover[done]
        y1 = cover[0][3] if done < n else y0
        shapes.append(_box(x0, y0, x1, y1, colors.surface, None))
        rest = (x0 + done * box, x0 + n * box + 0.002)
        shapes.append(_box(rest[0], y - tall, rest[1], y + tall if done < n else y - tall, colors.surface, None))
        shapes.append(_box(*new[min(max(last, 0), n - 1)], None, colors.accent if 0 <= last < n and not at_rest else None))
    return shapes


def _box(x0: float, y0: float, x1: float, y1: float, fill: str | None, line: str | None) -> dict:
    nothing = "rgba(0,0,0,0)"
    return {
        "type": "rect", "x0": round(x0, 5), "y0": round(y0, 2), "x1": round(x1, 5), "y1": round(y1, 2), "layer": "above",
        "fillcolor": fill or nothing, "line": {"width": 3 if line else 0, "color": line or nothing},
    }  # fmt: skip
