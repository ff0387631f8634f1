"""A cache that keeps everything above one that keeps less, of one text: its words, the weights of the newest on each, beneath them the
keys and values that are kept; what is gone is an empty place, its word struck through. At the right the context, and what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.lessons.less.figures.kept_rows import runs
from pages.parts.drawing.cells import NARROW, Texts, cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.machine_rows import value_cells
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short, type_size
from pages.parts.text.format import entered, quantity

# Shares of the width
LEFT = 0.185  # where the words begin
RIGHT = 0.715  # where they end
WIDEST = 0.12  # of a word's column
CONTEXT, MOST_WORD = 0.1, 34.0  # the width of the context; type size of the word that comes out
# Pixels
TOP = 30.0  # above both caches
WORDS = 28.0  # of the words
APART = 18.0  # between the two caches
WEIGHTS = 44.0  # of the weights' cells
KEYS = 14.0  # of the keys' cells
VALUES = 38.0  # of the values' cells


@dataclass(frozen=True, eq=False)
class Kept:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there. n_bytes: what it holds,
    held: of the larger one. word: what comes out, changed: whether none of the whole cache's is in it. values: (n,), and the
    context that they make."""

    name: str
    weights: np.ndarray
    n_bytes: str
    held: float
    word: str
    changed: bool
    values: Sequence[float]
    context: str


def kept_pair(sheet: Sheet, pair: Sequence[Kept], words: Sequence[str], head: str) -> SheetFigure:
    """words: the text's tokens, the newest last. head: whose weights they are."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, right = (0.0, 1.0) if phone else (LEFT, RIGHT)
    wide = (right - left) / len(words) if phone else min((right - left) / len(words), WIDEST)
    x, y = left + wide * np.arange(len(words) + 1), TOP if not phone else 0.0
    if not phone:
        both = (f"<span style='color:{color}'>{name}</span>" for name, color in (("keys", colors.key), ("values", colors.value)))
        said = f"weights in head <b>{plain(head)}</b>, beneath them {' and '.join(both)}"
        sheet.write(x[0], 12, said, 15, colors.muted, "middle right")
        sheet.write(x[-1] + 0.025 + CONTEXT / 2, 12, "context", 15, colors.muted)
        sheet.write(1, 12, "next word", 15, colors.muted, "middle left")
    most = float(np.nanmax(np.abs([kept.values for kept in pair]), initial=0.0))  # one value has one shade in both
    for kept in pair:
        y = _cache(sheet, kept, x, y, words, most) + APART
    return under_headline(sheet, _in_a_line(pair)).figure(y - APART + 6)


def _in_a_line(pair: Sequence[Kept]) -> str:
    """How many tokens are gone, and which word comes out then, "?" while that is asked."""
    whole, less = pair
    n, gone = len(less.weights), int(np.isnan(less.weights).sum())
    without = f"Without {gone} of {quantity(n, 'token')}" if gone else less.name[:1].upper() + less.name[1:]
    return f"{without}: {whole.word} → {less.word}"


def _cache(sheet: Sheet, kept: Kept, x: np.ndarray, y: float, words: Sequence[str], most: float) -> float:
    """One of the two; returns where it ends. most: the largest value of both."""
    phone = sheet.phone
    if phone:
        sheet.write(0, y + 20, bold(kept.name), 16, anchor="middle right")
        _word(sheet, kept, (1.0, y + 20), 0.45 * sheet.wide)
        y += 40
    top = y + WORDS
    bottom = top + WEIGHTS + KEYS + VALUES
    there = ~np.isnan(kept.weights)
    _words(sheet, x, top - 14, words, there)
    grid, z = Grid(x, np.array([top, top + WEIGHTS - 3])), kept.weights[None]
    pixels = grid.wide * sheet.wide
    written = shares(z, pixels, grid.tall, 22, 13)
    cells(sheet, grid, z, Scale(sheet.colors.weights), written, hover=False, lines=pixels > 6)
    sheet.line(rectangle(x[0], top, x[-1], grid.y[1]), sheet.colors.line, 1)
    _keys_and_values(sheet, kept, x, (top + WEIGHTS, bottom), there, most)
    gone = "".join(rectangle(x[a] + 0.002, top + 2, x[b] - 0.002, bottom - 2) for a, b in runs(~there))
    sheet.line(gone, sheet.colors.muted, 1.2, "dot", layer="above")
    if phone:
        sheet.write(0, bottom + 16, f"context <b>{kept.context}</b>", 16, anchor="middle right")
        sheet.write(1, bottom + 16, f"{kept.n_bytes} bytes", 14, sheet.colors.muted, "middle left")
        return bottom + 24
    middle = (top + bottom) / 2
    sheet.write(0, middle - 22, bold(short(kept.name, LEFT * sheet.wide - 10, 18)), 18, anchor="middle right")
    sheet.write(0, middle + 3, f"{kept.n_bytes} bytes", 15, sheet.colors.muted, "middle right")
    left, right = 0.0, LEFT - 0.03
    sheet.bar(left, middle + 16, right, middle + 28, sheet.colors.hole)
    if kept.held > 0:
        cache_rows(sheet, {"kept": [(left, middle + 16, right * float(kept.held), middle + 28)]}, "lying")
    box = (x[-1] + 0.025, top, x[-1] + 0.025 + CONTEXT, bottom)
    sheet.frame(*box, sheet.colors.value, 2)
    sheet.write((box[0] + box[2]) / 2, middle, bold(kept.context), type_size(kept.context, 95.0, 28.0))
    _word(sheet, kept, (1.0, middle), (0.97 - box[2]) * sheet.wide)
    return bottom


def _words(sheet: Sheet, x: np.ndarray, y: float, words: Sequence[str], there: np.ndarray) -> None:
    """What stands in each column; struck through where it is gone."""
    pixels = (x[1] - x[0]) * sheet.wide
    if pixels < NARROW:
        column_names(sheet, Grid(x, np.array([y, y + 1])), y, words, 13, newest=True)
        return
    for j, word in enumerate(words):
        said = short(word, pixels - 6, 16)
        text, color = (bold(said, j == len(words) - 1), sheet.colors.ink) if there[j] else (f"<s>{said}</s>", sheet.colors.muted)
        sheet.write((x[j] + x[j + 1]) / 2, y, text, 16, color)


def _keys_and_values(sheet: Sheet, kept: Kept, x: np.ndarray, down: tuple[float, float], there: np.ndarray, most: float) -> None:
    """The keys that are there, and beneath each its value, as dark as it is large."""
    (top, bottom), wide = down, (x[1] - x[0]) * sheet.wide
    gap = min(1.0, wide / 12) / sheet.wide
    sheet.bars([(x[j] + gap, top, x[j + 1] - gap, top + KEYS - 1) for j in np.flatnonzero(there)], sheet.colors.key)
    sizes, scale = value_cells(sheet.colors, np.array(kept.values, float), most)
    said = [entered(value) for value in kept.values]
    size = min([20.0, *((wide - 4) / max(ems(text), 0.5) for text in said)])
    words = np.where(there, said, "").astype(object)[None]
    written = Texts(words, size) if size >= 13 else None
    grid, z = Grid(x, np.array([top + KEYS, bottom])), np.where(there, sizes, np.nan)[None]
    cells(sheet, grid, z, scale, written, hover=False, lines=wide > 6)


def _word(sheet: Sheet, kept: Kept, at: tuple[float, float], pixels: float) -> None:
    """The word that comes out, as large as there is room; of one that is not the whole cache's that is said."""
    said = f"another: {kept.word}" if kept.changed and sheet.phone else kept.word
    size = type_size(said, pixels, MOST_WORD, 13.0)
    sheet.write(*at, bold(plain(said)), size, sheet.colors.accent if kept.changed else sheet.colors.ink, "middle left")
    if kept.changed and not sheet.phone:
        sheet.write(at[0], at[1] + 0.5 * size + 12, "another word", 14, sheet.colors.accent, "middle left")
