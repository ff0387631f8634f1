"""Cells with numbers, the names of their rows and columns, and the one large number: what nearly every figure is made of."""

from collections.abc import Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine.toy.rules import LITTLE
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, bold, bold_ems, ems, rectangle, short
from pages.parts.text.format import numbers

FAINT = ("−∞", "none", "–")  # what is written where there is no number
SMALL, NONE = 12.0, 13.0  # the smallest type size there is, and that of "none"
NARROW = 34  # pixels of a column that has no room for a word
LARGE, LEAST = 34.0, 24.0  # type size of the one large number before zooming, and where there is little room for it
UNIT, UNIT_ON_PHONE = 16.0, 14.0  # of what it counts
WIDER = 0.03  # how much wider letters are in Chromium’s whole build


class Texts(NamedTuple):
    """What is written in cells: (rows, columns) of words, "" where nothing is, and their type size."""

    words: np.ndarray
    size: float


def texts(z: np.ndarray, shown: np.ndarray | None = None, digits: int = 2, sign: bool = False) -> np.ndarray:
    """The numbers of z as words, "" where z is NaN or not `shown`; of the shape of z."""
    shown = ~np.isnan(z) if shown is None else shown
    words = np.full(z.shape, "", object)
    words[shown] = numbers(z[shown], digits, sign)
    return words


def not_all_zeros(words: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weights as they are written, by rows: of a row that takes a little of some values, too little to be written, each 0 is nearly 0.

    >>> not_all_zeros(np.array([["0", ""], ["0", "1"]], object), np.array([[0.0003, np.nan], [0.0, 1.0]])).tolist()
    [['≈ 0', ''], ['0', '1']]
    """
    takes = np.where(np.isnan(weights), 0, weights).max(axis=-1, initial=0) > LITTLE
    zeros = (words == "0") & (takes & ((words == "0") | (words == "")).all(axis=-1))[..., None]
    return np.where(zeros, "≈ 0", words)


def shares(z: np.ndarray, pixels: float, height: float, most: float = 15.0, least: float = SMALL) -> Texts | None:
    """Shares as they fit into cells of so many pixels: 0.33, or .33 where that lets them be read; "" where z is NaN.

    most, least: type sizes; None where it would be a smaller one.
    """
    size = min(most, 0.66 * height, (pixels - 3) / 1.25)  # ".33" is 1.25 times as wide as its type is high, "0.33" 1.8 times
    if size < least:
        return None
    words = not_all_zeros(texts(z), z)
    if 1.8 * size > pixels - 3:
        words.ravel()[:] = [
            word.replace("0.", ".", 1) if word.startswith("0.") else word.replace("≈ ", "≈") for word in words.ravel().tolist()
        ]
    return Texts(words, size)


def cells(
    sheet: Sheet, grid: Grid, z: np.ndarray, scale: Scale, written: Texts | None = None, hover: list | bool = True,
    lines: bool = True,
) -> None:  # fmt: skip
    """A heatmap of z (rows, columns), NaN left out, with what is written in its cells. hover, lines: as Sheet.heatmap knows them."""
    sheet.heatmap(grid, z, scale, hover, lines)
    if written:
        write_in(sheet, grid, written, scale.inks(z))


def write_in(sheet: Sheet, grid: Grid, written: Texts, inks: np.ndarray | str) -> None:
    """Words in cells. inks: a colour for each cell or for all; what stands for no number is muted, and "none" is small."""
    words, size = written
    n_columns = words.shape[1]
    colors = repeat(inks) if isinstance(inks, str) else inks.ravel().tolist()
    x, y, muted = grid.across.tolist(), grid.down.tolist(), sheet.colors.muted
    for k, (text, color) in enumerate(zip(words.ravel().tolist(), colors, strict=False)):
        if text:
            faint = text in FAINT
            its_size = min(size, NONE) if text == "none" else size
            sheet.write(x[k % n_columns], y[k // n_columns], text, its_size, muted if faint else color)


def holes(grid: Grid, hidden: np.ndarray, gap: float = 0.5) -> str:
    """A path around the hidden cells of each row, from the first to the last of them: a causal mask hides one run."""
    found = [(i, np.flatnonzero(row)) for i, row in enumerate(hidden) if row.any()]
    return "".join(rectangle(grid.x[j[0]], grid.y[i] + gap, grid.x[j[-1] + 1], grid.y[i + 1] - gap) for i, j in found)


def row_names(
    sheet: Sheet, right: float, grid: Grid, words: Sequence[str], size: float, strong: int | None = None, color: str = ""
) -> None:
    """Names that end where `right` is, a share of the width. strong: the one in bold, in its own color or in ink."""
    for i, (y, word) in enumerate(zip(grid.down, words, strict=True)):
        name = short(word, right * sheet.wide, size)
        ink = (color or sheet.colors.ink) if i == strong else sheet.colors.muted
        sheet.write(right, y, bold(name, i == strong), size, ink, "middle left")


def column_names(sheet: Sheet, grid: Grid, y: float, words: Sequence[str], size: float, newest: bool = False) -> None:
    """Words above wide columns, above narrow ones every so many places its number. newest: whether the last one is new."""
    n, pixels = len(words), grid.wide * sheet.wide
    every = 1 if pixels >= 24 else -(-30 // max(1, int(pixels)))
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        new = newest and j == n - 1
        if pixels >= NARROW or new or (j % every == 0 and (j < n - every or not newest)):
            label = short(word, pixels - 2, size) if pixels >= NARROW else str(j + 1)
            sheet.write(x, y, bold(label, new), size, sheet.colors.accent if new else sheet.colors.muted)


def large_number(
    sheet: Sheet, across: tuple[float, float], y: float, number: str, words: str = "", color: str = "", beneath: bool = False
) -> float:
    """The one number that a figure is about, in the largest type there is, read from the last row of a room, and what it counts in
    small type after it; returns where the two end, from 0 to 1. All else in the figure is quieter; a comparison has two.

    across: left edge, and the right one that neither passes, from 0 to 1: a wide number becomes smaller, down to LEAST, and words
    are cut. y: the number's middle, in pixels; it takes LARGE of them. color: of the number, ink unless it is given. beneath:
    `words` stand in a line of their own, 0.9 * LARGE below, in place of after it. While it is asked for, the number is "?".

    large_number(sheet, (0.02, 0.5), 40, "10", "of 49 rows are computed", sheet.colors.decode)
    """
    (left, right), small = across, UNIT_ON_PHONE if sheet.phone else UNIT
    pixels = (right - left) * sheet.wide
    after = 0.0 if beneath or not words else (ems(words) + 0.6) * small
    wide = bold_ems(number)
    size = min(LARGE, max(LEAST, (pixels - after) / wide))
    sheet.write(left, y, bold(number), size, color or sheet.colors.ink, "middle right")
    end = left + wide * size / sheet.wide
    if not words:
        return end
    start = left if beneath else end + (0.4 * small + WIDER * wide * size) / sheet.wide
    line = y + 0.9 * LARGE if beneath else y + (size - small) / 4  # letters of both stand on one line
    sheet.write(start, line, short(words, (right - start) * sheet.wide, small), small, sheet.colors.muted, "middle right")
    return max(end, min(right, start + ems(words) * small / sheet.wide))


def selectable(trace: int, cell: tuple[int, int] | None, stage: str | Sequence[str], rows: Sequence, columns: Sequence) -> dict:
    """What plot.js says of the cells that can be selected: in which trace they lie, which one is, what they are called.

    stage: what the cells show; several where the traces before this one show the same cells otherwise.
    """
    stages = [stage] if isinstance(stage, str) else list(stage)
    return {
        "curves": list(range(len(stages))) if len(stages) > 1 else [trace],
        "selected": None if cell is None else [trace, *cell],
        "stages": stages,
        "rows": [str(name) for name in rows],
        "columns": [str(name) for name in columns],
    }
