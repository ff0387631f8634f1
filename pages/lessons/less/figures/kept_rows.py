"""Several caches of one text beneath each other: which tokens each has kept, with their weights, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, in_cell, short

NAME, TOP = 0.195, 60.0
GAP = 0.012


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there; facts: what
    stands in the columns at the right; changed: the column whose fact differs from that of the whole cache, or none."""

    name: str
    weights: np.ndarray
    facts: tuple[str, ...]
    changed: bool = False


def kept_rows(
    sheet: Sheet,
    rows: Sequence[KeptRow],
    words: Sequence[str],
    title: str,
    heads: Sequence[tuple[str, float]],
    row_height: float = 40.0,
) -> SheetFigure:
    """words: the text's tokens, the newest last. heads: of each column at the right its name and its share of the width.

    The last column is the result, in bold; a changed one carries a sign.
    """
    colors = sheet.colors
    n = len(words)
    right = 1 - sum(share for _, share in heads) - GAP
    x = np.linspace(NAME, right, n + 1)
    pixels = (right - NAME) / n * WIDTH
    _words(sheet, words, x, pixels)
    sheet.write(0, 12, title, 14, colors.muted, "middle right")
    _cells(sheet, rows, x, pixels, row_height)
    at = right + GAP
    for column, (name, share) in enumerate(heads):
        at += share
        sheet.write(at, TOP - 16, f"<b>{name}</b>", 13.5, colors.muted, "middle left")
        for r, row in enumerate(rows):
            fact, last = row.facts[column], column == len(heads) - 1
            text = f"<b>{fact}{' ≠' if row.changed else ''}</b>" if last else fact
            size = 14.5 if len(row.facts[column]) * 14.5 * LETTER <= share * WIDTH - 6 else 12.0
            sheet.write(at, TOP + (r + 0.5) * row_height, text, size, anchor="middle left")
    return sheet.figure(TOP + len(rows) * row_height + 2, min_width=760)


def _words(sheet: Sheet, words: Sequence[str], x: np.ndarray, pixels: float) -> None:
    """Words above wide columns; above narrow ones every so many places its number."""
    new, n = sheet.colors.accent, len(words)
    every = 1 if pixels >= 24 else -(-30 // max(1, int(pixels)))
    for j, word in enumerate(words):
        middle, last = (x[j] + x[j + 1]) / 2, j == n - 1
        label = short(word, pixels - 2, 12.5) if pixels >= 34 else str(j + 1)
        if pixels >= 34 or last or (j % every == 0 and j < n - every):
            sheet.write(middle, TOP - 16, f"<b>{label}</b>" if last else label, 12.5, new if last else sheet.colors.muted)


def _cells(sheet: Sheet, rows: Sequence[KeptRow], x: np.ndarray, pixels: float, height: float) -> None:
    """A strip a cache: what is gone is a hole, what is kept has the colour of its weight, and a frame all around."""
    colors = sheet.colors
    for r, row in enumerate(rows):
        top, bottom = TOP + r * height + 3, TOP + (r + 1) * height - 3
        kept = ~np.isnan(row.weights)
        sheet.write(NAME - 0.012, (top + bottom) / 2, row.name, 14, anchor="middle left")
        sheet.heatmap(Grid(x, np.array([top, bottom])), row.weights[None], Scale(colors.weights), lines=pixels > 6, hover=False)
        inks = text_colors(colors.weights, np.where(kept, np.clip(row.weights, 0, 1), 0))
        for start, stop in _runs(kept):
            sheet.frame(x[start], top, x[stop], bottom, colors.cached, 1.5)
        for start, stop in _runs(~kept):
            sheet.bar(x[start], top, x[stop], bottom, colors.hole)
        for j in range(len(kept)) if pixels >= 22 else ():
            text, size = in_cell(float(row.weights[j]), pixels, height - 6, 14) if kept[j] else ("–", 13.0)
            if size >= 12 or not kept[j]:
                sheet.write((x[j] + x[j + 1]) / 2, (top + bottom) / 2, text, size, str(inks[j]) if kept[j] else colors.muted)


def _runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
