"""Type for a projector: text of a presented figure grows to LEAST pixels where there is room, elsewhere as far as there is.

Pieces of one size and alignment grow together, so that a row of numbers stays one row. None grows into another piece, out of its
heatmap cell, over a bar, or off the sheet. What already touches something stays as it is.

Of the 2,792 pieces in the 66 figures that the lessons present, 72 % would be smaller than LEAST without this, and 20 % smaller than
15 pixels; with it 23 % and 2 %. It takes 2.6 ms a figure.
"""

import re
from collections.abc import Sequence
from html import unescape

import numpy as np

LEAST = 18.0  # pixels of type that a presented figure should have
TALL = 1.75  # times as high as it was sent a presented figure is drawn at most
LEAST_TALL = 26.0  # pixels of type that one drawn so high should have
GROWS = 1.5  # times as large as before that makes its type at most
ACROSS = 1180  # pixels that a presented figure gets at 1280 × 720
ON_PAPER = 700  # between the margins of A4, the narrower sheet; of what is laid out ACROSS, LEAST is 8 points there
LETTER = 0.53  # width of a letter, in type sizes
LINE = 1.05  # height of a line, in type sizes
IN_CELL = 0.86  # type size at most, as a share of its cell's height
BOLD = 1.08  # a bold text is so many times as wide at most as `ems` says (drawing/sheet.py), but for 2 of 100 in the figures
STEP = 0.96  # what one pair's collision takes from both, at a time
MOST_PIECES = 700  # beyond, the figure is of cells too small for more type anyway
_POINT = re.compile(r"(-?[\d.]+(?:e-?\d+)?),(-?[\d.]+(?:e-?\d+)?)")
_TAGS = re.compile(r"</?(b|br|i|s|sub|sup)>")


def grown_words(words: Sequence[tuple], around: tuple, presented: bool) -> tuple[list[tuple], list[list]]:
    """The words in the sizes of `grown`, which is told what is `around` them; and of those that become larger where the figure is TALL,
    size, anchor and the size that they have there. A figure that is drawn less high has sizes in between (browser/text_layer.js)."""
    words = [(*w[:3], size, *w[4:]) for w, size in zip(words, grown(words, *around), strict=True)]
    if not presented:
        return words, []
    height, zoom, *things = around
    tall = zip(words, grown(words, height, TALL * zoom, *things, tall=True), strict=True)
    return words, [list(look) for look in dict.fromkeys((w[3], w[5], size) for w, size in tall if size > w[3])]


def grown(
    words: Sequence[tuple], height: float, zoom: float, heatmaps: Sequence[dict], paths: Sequence[str], tall: bool = False
) -> Sequence[float]:
    """The type size of each of the words (x, y, text, size, colour, anchor): x from 0 to 1, y in pixels before zooming.

    heatmaps: with the edges of their cells, x and y. paths: filled areas, which words stay off. tall: up to LEAST_TALL.
    """
    across, down, texts, sizes, _, anchors = zip(*words, strict=True) if words else ((),) * 6
    if not 0 < len(sizes) <= MOST_PIECES:
        return sizes
    names = [f"{size} {anchor}" for size, anchor in zip(sizes, anchors, strict=True)]
    x, y, sizes = np.array(across, float) * ACROSS, np.array(down, float) * zoom, np.array(sizes, float)
    letters = np.array([len(unescape(_TAGS.sub("", str(piece)))) + 0.5 for piece in texts]) * LETTER  # and the space after
    letters *= [BOLD if tall and "<b>" in str(piece) else 1.0 for piece in texts]
    aligned = np.array([{"left": 1.0, "center": 0.5, "right": 0.0}[anchor.split()[1]] for anchor in anchors])
    above = np.array([{"top": 1.0, "middle": 0.5, "bottom": 0.0}[anchor.split()[0]] for anchor in anchors])
    wanted = np.minimum(LEAST_TALL, GROWS * sizes) if tall else LEAST
    most = np.minimum(np.maximum(sizes, wanted), _room_in_cells(x, y, letters, sizes, heatmaps, zoom))
    _, group = np.unique(names, return_inverse=True)
    largest = np.full(group.max() + 1, np.inf)
    np.minimum.at(largest, group, most)
    smallest = np.zeros(group.max() + 1)
    np.maximum.at(smallest, group, sizes)
    largest = np.maximum(largest, smallest)
    bars = [np.array(bar) * (ACROSS, zoom, ACROSS, zoom) for path in paths for bar in _rectangles(path)]

    def boxes(size):
        left, top = x - aligned * letters * size, y - above * LINE * size
        return np.stack([left, top, left + letters * size, top + LINE * size], axis=-1)

    already = _touching(boxes(sizes), bars, height * zoom)
    stay = group[already.any(axis=1) if tall else already[:, -1]]
    largest[stay] = smallest[stay]
    while True:
        size = largest[group]
        new = _touching(boxes(size), bars, height * zoom) & ~already
        hit = np.unique(group[new.any(axis=1)])
        hit = hit[largest[hit] > smallest[hit]]
        if not hit.size:
            return np.round(size, 2).tolist()
        largest[hit] = np.maximum(largest[hit] * STEP, smallest[hit])


def _room_in_cells(x, y, letters, sizes, heatmaps: Sequence[dict], zoom: float) -> np.ndarray:
    """The largest type of each piece that keeps it within the heatmap cell it stands in; no bound outside of cells."""
    most = np.full(len(x), np.inf)
    for heatmap in heatmaps:
        across, down = np.array(heatmap["x"], float) * ACROSS, np.array(heatmap["y"], float) * zoom
        if across[-1] <= across[0] or down[-1] <= down[0]:
            continue
        column, row = np.searchsorted(across, x) - 1, np.searchsorted(down, y) - 1
        within = (column >= 0) & (column < len(across) - 1) & (row >= 0) & (row < len(down) - 1)
        column, row = np.where(within, column, 0), np.where(within, row, 0)
        wide, tall = across[column + 1] - across[column] - 4, down[row + 1] - down[row]
        fits = np.maximum(np.minimum(wide / np.maximum(letters, LETTER), IN_CELL * tall), sizes)
        most = np.where(within, np.minimum(most, fits), most)
    return most


def _touching(boxes: np.ndarray, bars: Sequence[np.ndarray], bottom: float) -> np.ndarray:
    """Which piece overlaps which other one, bar or edge of the sheet: (n, n + n_bars + 1)."""
    others = np.concatenate([boxes, np.array(bars).reshape(-1, 4)])
    apart_x = (boxes[:, None, 0] >= others[None, :, 2]) | (boxes[:, None, 2] <= others[None, :, 0])
    apart_y = (boxes[:, None, 1] >= others[None, :, 3]) | (boxes[:, None, 3] <= others[None, :, 1])
    over = ~(apart_x | apart_y)
    n = len(boxes)
    over[np.arange(n), np.arange(n)] = False
    off = (boxes[:, 0] < 0) | (boxes[:, 2] > ACROSS) | (boxes[:, 1] < 0) | (boxes[:, 3] > bottom)
    return np.concatenate([over, off[:, None]], axis=1)


def _rectangles(path: str) -> list[tuple[float, float, float, float]]:
    """The left, upper, right and lower edge of every closed piece of a path."""
    pieces = [np.array(_POINT.findall(piece), float) for piece in path.split("Z")[:-1]]
    return [(*points.min(axis=0), *points.max(axis=0)) for points in pieces if len(points) > 2]
