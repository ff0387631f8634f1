"""Differences as a picture: where two runs that should be the same are not, and how far they are apart.

0 and what rounding leaves are pale; a real difference is dark, the darker the larger, whatever its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import apart

PALE = 0.12  # how dark rounding is


@dataclass(frozen=True)
class Block:
    """One grid: gaps (n_rows, n_columns), NaN for a cell that does not exist, with names; title stands above it.

    waits: shows a question mark instead, until somebody has predicted. outlined: rows that were asked about, all but the newest
    column of them.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    gaps: np.ndarray
    waits: bool = False
    outlined: Sequence[int] = ()


def gap_grid(sheet: Sheet, blocks: Sequence[Block], caption: str = "", strong: int | None = -1, result: str = "") -> SheetFigure:
    """Blocks side by side, each with its rows named at the left.

    caption: what the columns are. strong: a column whose name stands out as the newest one; None where none is.
    result: what it comes to, in large type.
    """
    colors = sheet.colors
    label, space, scale = 0.13, 0.02, (colors.hole, colors.ink)
    share = (1 - space * (len(blocks) - 1)) / len(blocks)
    n_rows = max(len(b.rows) for b in blocks)
    cell_h = float(np.clip(154 / n_rows, 12, 30))
    top = 62.0
    for at, block in enumerate(blocks):
        left = at * (share + space) + label
        width = (share - label) / len(block.columns)
        size = min(15.0, 0.62 * cell_h, width * WIDTH / (6.2 * LETTER))
        sheet.write(left - label, 12, f"<b>{block.title}</b>", 15, anchor="middle right")
        x, y = left + np.arange(len(block.columns) + 1) * width, top + np.arange(len(block.rows) + 1) * cell_h
        if block.waits:
            sheet.bar(left, top, x[-1], y[-1], colors.hole)
            sheet.write((left + x[-1]) / 2, (top + y[-1]) / 2, "?", 28)
            continue
        strength = _strength(block.gaps)
        sheet.heatmap(Grid(x, y), strength, Scale(scale), _hover(block), lines=size >= 12)
        inks = text_colors(scale, np.nan_to_num(strength))
        for i, name in enumerate(block.rows):
            sheet.write(left - 0.008, (y[i] + y[i + 1]) / 2, name, max(12, min(14.5, 0.7 * cell_h)), anchor="middle left")
        if size >= 12:
            for i, j in zip(*np.nonzero(~np.isnan(block.gaps)), strict=True):
                text = apart(block.gaps[i, j])
                real = block.gaps[i, j] > ROUNDING
                sheet.write(
                    (x[j] + x[j + 1]) / 2, (y[i] + y[i + 1]) / 2, f"<b>{text}</b>" if real else text, size, str(inks[i, j])
                )
        for i in block.outlined:
            sheet.frame(x[0], y[i], x[-2], y[i + 1], colors.ink, 2)
        newest = -1 if strong is None else strong % len(block.columns)
        every = max(1, -(-len(block.columns) * 40 // max(1, int((share - label) * WIDTH))))  # names that fit
        for j, name in enumerate(block.columns):
            if j == newest or (j % every == 0 and (newest < 0 or abs(j - newest) >= every)):
                at_end = every > 1 and j == len(block.columns) - 1  # wider than its column: it ends where the figure does
                text = short(name, width * WIDTH * ((every + 1) / 2 if at_end else every), 13)
                color = colors.accent if j == newest else colors.muted
                place = (x[j + 1], "middle left") if at_end else ((x[j] + x[j + 1]) / 2, "middle center")
                sheet.write(place[0], top - 12, f"<b>{text}</b>" if j == newest else text, 13, color, place[1])
        if caption:
            sheet.write(left, 34, caption, 12.5, colors.muted, "middle right")
    if result:
        sheet.write(1, 14, f"<b>{result}</b>", 19, colors.ink, "middle left")
    return sheet.figure(top + n_rows * cell_h + 6, min_width=600 if len(blocks) == 1 else 860)


def _strength(gaps: np.ndarray) -> np.ndarray:
    """From 0 to 1: 0 for no difference, pale for rounding, then by powers of ten from a thousandth to ten."""
    with np.errstate(divide="ignore"):
        power = np.log10(np.where(np.isnan(gaps), 1, gaps))
    real = np.clip((power + 3.5) / 4.5, 0.25, 1)
    strength = np.where(gaps > ROUNDING, real, np.where(gaps > 0, PALE, 0.0))
    return np.where(np.isnan(gaps), np.nan, strength)


def _hover(block: Block) -> list[list[str]]:
    """What hovering says: the place and the difference."""
    return [
        [f"{row}, {short(column, 300, 13)}: max |Δ| = {apart(gap)}" for column, gap in zip(block.columns, gaps, strict=True)]
        for row, gaps in zip(block.rows, block.gaps, strict=True)
    ]
