"""Every head of a trained model at once: one small map each, layers down, heads across, named by what was measured of it."""

from collections.abc import Collection

import numpy as np

from engine.trained.induction import HeadScores
from pages.parts.drawing.cells import selectable
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, rectangle

WIDTH = 400  # pixels that this figure usually gets: it stands beside the enlarged map
MOST_CELLS = 24_000  # of all maps together: what a browser redraws without a pause
LEFT = 0.055
NAMED = 60  # pixels of a map beneath which there is room for "induction 0.99"
NONE = "none above 0.3"  # beneath a map of whose head no score gives it a name
KINDS = ("previous", "induction", "first")


def head_maps(
    sheet: Sheet,
    weights: np.ndarray,
    hidden: np.ndarray,
    scores: HeadScores | None,
    selected: tuple[int, int],
    removed: Collection[tuple[int, int]],
) -> SheetFigure:
    """weights: (n_layer, n_head, n, n); hidden: (n_layer, n, n), True where the mask hides. selected: (layer, head) to outline.

    A map of more tokens than there is room for shows the largest weight of each block of cells. removed: heads that are off.
    """
    colors, (n_layer, n_head) = sheet.colors, weights.shape[:2]
    side = int(np.clip((MOST_CELLS / (n_layer * n_head)) ** 0.5, 4, 48))
    cells = np.where(hidden[:, None], np.nan, weights).astype(float)
    for layer, head in removed:
        cells[layer, head] = np.nan
    small = np.round(pooled(cells, side), 3)
    side = small.shape[-1]
    step = (1 - LEFT) / n_head
    gap = min(0.12 * step, 0.02)
    named = step * WIDTH >= NAMED
    map_w = step - gap
    map_h = min(map_w * WIDTH, 234 / n_layer - (20 if named else 3)) if named else max(6.0, min(map_w * WIDTH, 242 / n_layer - 3))
    top, row = 24.0, map_h + (22 if named else 3)
    lefts, tops = LEFT + np.arange(n_head) * step, top + np.arange(n_layer) * row
    x = np.concatenate([left + np.arange(side + 1) * map_w / side for left in lefts])
    y = np.concatenate([up + np.arange(side + 1) * map_h / side for up in tops])
    sheet.path("".join(rectangle(a, b, a + map_w, b + map_h) for a in lefts for b in tops), colors.hole)
    sheet.heatmap(Grid(x, y), _joined(small), Scale(colors.weights), lines=False, hover=False)
    # Over the maps lies one cell a head, which nobody sees: it is what the pointer and the arrow keys find.
    measured = np.stack([getattr(scores, kind) for kind in KINDS]) if scores else np.zeros((3, n_layer, n_head))
    over_x, over_y = LEFT + np.arange(n_head + 1) * step, top + np.arange(n_layer + 1) * row
    sheet.heatmap(
        Grid(over_x, over_y), measured.max(axis=0), Scale((colors.surface, colors.surface)), _hover(scores, n_layer, n_head)
    )
    sheet.traces[-1]["opacity"] = 0
    _names(sheet, (lefts + map_w / 2, tops, map_h), scores, removed)
    layer, head = selected
    edge = min(2.0, 0.15 * map_h)
    x0, y0 = lefts[head], tops[layer]
    sheet.frame(x0 - 0.004, y0 - edge, x0 + map_w + 0.004, y0 + map_h + edge, colors.ink, 3)
    rows, columns = ([f"{name} {i + 1}" for i in range(n)] for name, n in (("layer", n_layer), ("head", n_head)))
    grid = selectable(1, selected, "its highest score", rows, columns)
    return sheet.figure(top + n_layer * row + 4, min_width=300, grid=grid)


def _names(sheet: Sheet, place: tuple[np.ndarray, np.ndarray, float], scores: HeadScores | None, removed: Collection) -> None:
    """Numbers of layers and heads, and beneath each map what was measured of it. place: middles, tops and height of the maps."""
    colors, (middles, tops, map_h) = sheet.colors, place
    step = (1 - LEFT) / len(middles)
    named = step * WIDTH >= NAMED
    sheet.write(0, 11, "layer", 12.5, colors.muted, "middle right")
    for head, x in enumerate(middles):
        if step * WIDTH > 18 or head % 4 == 0:
            sheet.write(x, 11, f"head {head + 1}" if named else str(head + 1), 12.5, colors.muted)
    for layer, y in enumerate(tops):
        if len(tops) == 1 or tops[1] - tops[0] > 13 or layer % 4 == 0:
            sheet.write(LEFT - 0.012, y + map_h / 2, str(layer + 1), 12.5, colors.muted, "middle left")
        for head, x in enumerate(middles):
            off = (layer, head) in removed
            label = "removed" if off else scores.label(layer, head) if scores else ""
            if off:
                sheet.write(x, y + map_h / 2, "×", min(30.0, 0.6 * map_h), colors.ink)
            if named:
                size = min(13.0, step * WIDTH / (14 * LETTER))
                unnamed = scores is not None and not label
                ink = colors.wasted if off else colors.muted if unnamed else colors.ink
                sheet.write(x, y + map_h + 10, NONE if unnamed else label, size, ink)


def pooled(cells: np.ndarray, side: int) -> np.ndarray:
    """(…, n, n) -> (…, at most side, the same): the largest of each block of cells, NaN where a block has nothing else."""
    n = cells.shape[-1]
    block = -(-n // side)
    if block == 1:
        return cells
    blocks = -(-n // block)
    padded = np.full((*cells.shape[:-2], blocks * block, blocks * block), -np.inf)
    padded[..., :n, :n] = np.where(np.isnan(cells), -np.inf, cells)
    most = padded.reshape(*cells.shape[:-2], blocks, block, blocks, block).max(axis=(-3, -1))
    return np.where(np.isneginf(most), np.nan, most)


def _joined(maps: np.ndarray) -> np.ndarray:
    """(n_layer, n_head, s, s) -> one array with an empty column and row between the maps."""
    n_layer, n_head, side, _ = maps.shape
    wide = np.full((n_layer, side + 1, n_head, side + 1), np.nan)
    wide[:, :side, :, :side] = maps.transpose(0, 2, 1, 3)
    return wide.reshape(n_layer * (side + 1), n_head * (side + 1))[:-1, :-1]


def _hover(scores: HeadScores | None, n_layer: int, n_head: int) -> list[list[str]]:
    """Place and all three scores of each head."""
    said = [[f"layer {i + 1}, head {j + 1}" for j in range(n_head)] for i in range(n_layer)]
    if scores:
        for i, j in np.ndindex(n_layer, n_head):
            said[i][j] += "".join(f"<br>{kind} {getattr(scores, kind)[i, j]:.2f}" for kind in KINDS)
    return said
