"""Every head of a trained model at once: one small map each, layers down, heads across, its place and what was measured of it beneath,
where there is no room for that the places at the edges."""

from collections.abc import Collection

import numpy as np

from engine.trained.induction import HeadScores
from pages.parts.drawing.cells import selectable
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, type_size

WIDTH = 400  # pixels that this figure usually gets: it stands beside the enlarged map
MOST_CELLS = 24_000  # of all maps together: what a browser redraws without a pause
LEFT = 0.055  # of the width for the layers' numbers, where these stand at the edge
NAMED = 60  # pixels of a map beneath which there is room for "2.4 induction"
NAME = 17.0  # type size of that, where it has room
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
    named = WIDTH / n_head >= NAMED
    left = 0.005 if named else LEFT
    step = (1 - left) / n_head
    gap = min(0.12 * step, 0.02)
    map_w = step - gap
    map_h = min(map_w * WIDTH, 262 / n_layer - 26) if named else max(6.0, min(map_w * WIDTH, 242 / n_layer - 3))
    top, row = (4.0, map_h + 26) if named else (24.0, map_h + 3)
    lefts, tops = left + np.arange(n_head) * step, top + np.arange(n_layer) * row
    x = np.concatenate([a + np.arange(side + 1) * map_w / side for a in lefts])
    y = np.concatenate([up + np.arange(side + 1) * map_h / side for up in tops])
    sheet.path("".join(rectangle(a, b, a + map_w, b + map_h) for a in lefts for b in tops), colors.hole)
    sheet.heatmap(Grid(x, y), _joined(small), Scale(colors.weights), lines=False, hover=False)
    # Over the maps lies one cell a head, which nobody sees: it is what the pointer and the arrow keys find.
    measured = np.stack([getattr(scores, kind) for kind in KINDS]) if scores else np.zeros((3, n_layer, n_head))
    over_x, over_y = left + np.arange(n_head + 1) * step, top + np.arange(n_layer + 1) * row
    sheet.heatmap(
        Grid(over_x, over_y), measured.max(axis=0), Scale((colors.surface, colors.surface)), _hover(scores, n_layer, n_head)
    )
    sheet.traces[-1]["opacity"] = 0
    place = lefts + map_w / 2, tops, map_h
    if named:
        _names(sheet, place, step * WIDTH, scores, removed, selected)
    else:
        _places(sheet, place, step * WIDTH)
    for layer, head in removed:
        sheet.write(place[0][head], tops[layer] + map_h / 2, "×", min(30.0, 0.6 * map_h), colors.ink)
    layer, head = selected
    edge = min(2.0, 0.15 * map_h)
    x0, y0 = lefts[head], tops[layer]
    sheet.frame(x0 - 0.004, y0 - edge, x0 + map_w + 0.004, y0 + map_h + edge, colors.ink, 3)
    rows, columns = ([f"{name} {i + 1}" for i in range(n)] for name, n in (("layer", n_layer), ("head", n_head)))
    grid = selectable(1, selected, "its highest score", rows, columns)
    return sheet.figure(top + n_layer * row + 4, min_width=300, on_phone=300, grid=grid)


def _places(sheet: Sheet, place: tuple[np.ndarray, np.ndarray, float], step: float) -> None:
    """Numbers of layers and heads at the edges. place: middles, tops and height of the maps; step: pixels from one to the next."""
    middles, tops, map_h = place
    sheet.write(0, 11, "layer", 13, anchor="middle right")
    for head, x in enumerate(middles):
        if step > 18 or head % 4 == 0:
            sheet.write(x, 11, str(head + 1), 13)
    for layer, y in enumerate(tops):
        if len(tops) == 1 or tops[1] - tops[0] > 13 or layer % 4 == 0:
            sheet.write(LEFT - 0.012, y + map_h / 2, str(layer + 1), 13, anchor="middle left")


def _names(
    sheet: Sheet,
    place: tuple[np.ndarray, np.ndarray, float],
    step: float,
    scores: HeadScores | None,
    removed: Collection[tuple[int, int]],
    selected: tuple[int, int],
) -> None:
    """Beneath each map which head it is, and in a word what was measured of it, where that has a name."""
    middles, tops, map_h = place
    names = {}
    for layer, head in np.ndindex(len(tops), len(middles)):
        kind = "removed" if (layer, head) in removed else scores.label(layer, head).partition(" ")[0] if scores else ""
        names[layer, head] = f"{layer + 1}.{head + 1} {kind}".strip()
    size = type_size(max(names.values(), key=ems), step - 4, NAME, 13.0)
    for (layer, head), name in names.items():
        ink = sheet.colors.wasted if (layer, head) in removed else sheet.colors.ink
        sheet.write(middles[head], tops[layer] + map_h + 13, bold(name, (layer, head) == selected), size, ink)


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
