"""Caches of one text beneath each other, a row each: the newest token's weights on what they keep, at its foot the keys and values that
these are, a gap where nothing is kept, and as a bar the chance of the word that comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import NARROW, cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.format import percent, plural

LEFT, RIGHT, WIDEST = 0.175, 0.59, 0.09  # where the tokens begin and end, and the widest of their columns
CHANCES, LARGE, SAID = 0.635, 26.0, 180.0  # where the chances begin, and of what comes out the type size and pixels at most
TOP, ROW, CELL, FOOT = 58.0, 54.0, 44.0, 12.0  # pixels above the rows, of one, of its cells, and of these their keys and values
NAME_ON_PHONE, CELL_ON_PHONE, CHANCE_ON_PHONE, APART = 26.0, 36.0, 22.0, 12.0
PALER = 1.25  # of the scale of weights a 1 is this far below the end: all numbers on it are of one colour in a light theme
SMALLEST = 0.005  # weight whose number is written
MOST_SLANTED = 40  # words above narrow columns, dearer than others


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there. n_bytes: what it holds.
    chances: of each word that is shown, None while they are asked for; likeliest: which of them comes out."""

    name: str
    weights: np.ndarray
    n_bytes: str
    chances: Sequence[float] | None
    likeliest: int = 0


def kept_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str, next_words: Sequence[str]) -> SheetFigure:
    """rows: the cache that keeps everything first. words: the text's tokens, the newest last. head: whose weights they are. next_words:
    those whose chances are shown."""
    phone, colors, n = sheet.on_phone(), sheet.colors, len(words)
    left, right = (0.0, 1.0) if phone else (LEFT, RIGHT)
    wide = min((right - left) / n, 1.0 if phone else WIDEST)
    x = left + wide * np.arange(n + 1)
    sheet.write(0, 12, f"weights of head <b>{head}</b>", 14, colors.muted, "middle right")
    _tokens(sheet, Grid(x, np.array([TOP - 6, TOP])), words)
    y = TOP + (NAME_ON_PHONE if phone else 0)
    for row in rows:
        tall = CELL_ON_PHONE if phone else CELL
        grid = Grid(x, np.array([y, y + tall - FOOT - 1]))
        z, pixels = row.weights[None], wide * sheet.wide
        written = shares(z, pixels, grid.tall, 16, 13)
        if written:  # a row of zeros hides what is looked at
            written.words[z < SMALLEST] = ""
        cells(sheet, grid, z, Scale(colors.weights, high=PALER), written, hover=False, lines=pixels > 6)
        there, apart = ~np.isnan(row.weights), min(1.0, pixels / 12) / sheet.wide
        kept = [(x[j] + apart, y + tall - FOOT, x[j + 1] - apart, y + tall) for j in np.flatnonzero(there)]
        cache_rows(sheet, {"kept": kept}, "lying")
        sheet.line("".join(rectangle(x[a], y, x[b], y + tall) for a, b in runs(there)), colors.line, 1)
        gone = "".join(f"M{x[a] + 0.004:.5f},{y + tall / 2:.2f}L{x[b] - 0.004:.5f},{y + tall / 2:.2f}" for a, b in runs(~there))
        sheet.line(gone, colors.muted, 1.6, "dot")
        below = y + tall + 4
        box = (0.0, below, 1.0, below + CHANCE_ON_PHONE) if phone else (CHANCES, y + 8, 1.0, y + tall - 8)
        if phone:
            sheet.write(0, y - 12, bold(row.name), 14, anchor="middle right")
            sheet.write(1, y - 12, f"{row.n_bytes} bytes", 13, colors.muted, "middle left")
        else:
            sheet.write(0, y + tall / 2 - 10, bold(short(row.name, LEFT * sheet.wide - 12, 16)), 16, anchor="middle right")
            sheet.write(0, y + tall / 2 + 10, f"{row.n_bytes} bytes", 13, colors.muted, "middle right")
        _next_word(sheet, row, box, rows[0], next_words)
        y += tall + CHANCE_ON_PHONE + APART + NAME_ON_PHONE if phone else ROW
    if not phone:
        sheet.write(CHANCES, TOP - 14, "the next word", 16, colors.muted, "middle right")
    others = sum(row.likeliest != rows[0].likeliest for row in rows) if all(row.chances for row in rows) else "?"
    of, say = f"{others} of {len(rows) - 1}", f"{plural(float(others == 1), 'says', 'say')} another word"
    under_headline(sheet, f"{of} other caches {say}", f"{of} {say}")
    return sheet.figure(y - (NAME_ON_PHONE + APART if phone else ROW - CELL) + 4)


def _tokens(sheet: Sheet, grid: Grid, words: Sequence[str]) -> None:
    """The text above its columns: slanted where these are narrow, numbers where there are too many for that."""
    pixels, colors = grid.wide * sheet.wide, sheet.colors
    if pixels >= 1.5 * NARROW or not pixels >= 11 or len(words) > MOST_SLANTED:
        column_names(sheet, grid, grid.y[0] - 8, words, 14, newest=True)
        return
    for j, (x, word) in enumerate(zip(grid.across.tolist(), words, strict=True)):
        last = j == len(words) - 1
        sheet.slanted(x - 4 / sheet.wide, grid.y[1], short(word, 44, 13), 13, colors.accent if last else colors.ink)


def _next_word(sheet: Sheet, row: KeptRow, box: tuple[float, float, float, float], whole: KeptRow, words: Sequence[str]) -> None:
    """The word that comes out, strong where it is another than the whole cache's, and its chance, as a bar that would end at 1; while it
    is asked for, an outline of what the whole cache has."""
    (left, top, right, bottom), colors, phone = box, sheet.colors, sheet.phone
    middle, room = (top + bottom) / 2, right / 2 if phone else right - left - SAID / sheet.wide
    shown, size = whole if row.chances is None else row, 16.0 if phone else LARGE
    end = left + max(0.005, room * shown.chances[shown.likeliest])
    word, x = words[shown.likeliest], end + 0.012
    if row.chances is None:
        sheet.line(rectangle(left + 0.001, top, end, bottom), colors.muted, 1.5, "dash")
        said = f"{short(word, SAID / 2, 0.7 * size)} or another?"
        return sheet.write(x, middle, bold(said), 14 if phone else 0.7 * size, anchor="middle right")
    sheet.bar(left, top, end, bottom, colors.accent)
    other, chance = row is whole or row.likeliest != whole.likeliest, plain(percent(row.chances[row.likeliest]))
    said = bold(short(word, 0.56 * SAID, size), other)
    sheet.write(x, middle, said, size, colors.ink if other else colors.muted, "middle right")
    x += (1.1 * size * min(ems(word), 0.56 * SAID / size) + 8) / sheet.wide
    return sheet.write(x, middle + 0.1 * size, chance, 13 if phone else 16, colors.muted, "middle right")


def runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
