"""Caches of one text beneath each other, on a phone side by side: of each token that is kept its key and value, thin where each takes few
bits, and the newest token's weight on it; grey where nothing is kept. Through all of them leads a frame around the token that is looked at
most, and at their ends stands the word that comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.cells import NARROW, cells, column_names, shares
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, plain, rectangle, short, type_size
from pages.parts.text.format import percent, plural

LEFT = 0.17  # of the width, where the tokens begin
RIGHT = 0.79  # of the width, where they end
APART = 0.025  # of the width, between them and the word that comes out
TOP = 36.0  # pixels above the rows
ROW = 60.0  # pixels from one row to the next
CELL = 52.0  # pixels of a row
FOOT = 20.0  # pixels of keys and values at the foot of a row, beneath the weights
SLANTED, TOKEN = 24.0, 16.0  # pixels more where the words above are slanted, and their largest type where they are not
LEAST = 13.0  # pixels of a row that has room for its word, on a phone
# On a phone
WORDS = 0.17  # of the width have the words of the tokens
BETWEEN = 0.014  # of the width, between two caches
HEADS = 40.0  # pixels of the names of the caches
TEXT = 336.0  # pixels of all tokens
MOST = 30.0  # pixels of a token, at most
OUT = 46.0  # pixels of the word that comes out
STRIP = 13.0  # pixels across of a key and value
# Type sizes
LARGE = 32.0  # of the word that comes out, at most
LARGE_ON_PHONE = 17.0
SOUGHT = 72.0  # of the question mark in its place
SOUGHT_ON_PHONE = 34.0
THINNEST = 0.25  # of a key and value is drawn of one in few bits
SEEN = 0.1  # weight whose number is written
MOST_SLANTED = 40  # words above narrow columns, dearer than others


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. on_phone: its name there, in two short lines; weights: (n,), the newest token's weight on each token of the text, NaN
    where it is not there. chances: of each word that is shown, None while they are asked for; likeliest: which of them comes out. thick:
    how many bits a number has, of the whole cache's."""

    name: str
    on_phone: tuple[str, str]
    weights: np.ndarray
    chances: Sequence[float] | None
    likeliest: int = 0
    thick: float = 1.0


def kept_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str, next_words: Sequence[str]) -> SheetFigure:
    """rows: the cache that keeps everything first. words: the text's tokens, the newest last. head: whose weights they are. next_words:
    those whose chances are shown."""
    outs, end = (_standing_rows if sheet.on_phone() else _lying_rows)(sheet, rows, words, head)
    known = [k for k, row in enumerate(rows) if row.chances]
    for k in known:
        _next_word(sheet, rows[k], outs[k], rows[0], next_words)
    if len(known) < len(rows):
        box = (*outs[1][:2], *outs[-1][2:])
        open_place(sheet, *box)
        sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, "<b>?</b>", SOUGHT_ON_PHONE if sheet.phone else SOUGHT)
        whole = short(next_words[0], 160, 16)
        return under_headline(sheet, f"Everything kept: {whole}. And with less?").figure(end)
    others = sum(row.likeliest != rows[0].likeliest for row in rows)
    of, say = f"{others} of {len(rows) - 1}", f"{plural(float(others == 1), 'says', 'say')} another word"
    return under_headline(sheet, f"{of} other caches {say}", f"{of} {say}").figure(end)


def _lying_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str) -> tuple[list[Box], float]:
    """A row for each cache; where the words that come out stand, and how high the whole is."""
    colors, n, most = sheet.colors, len(words), int(np.nanargmax(rows[0].weights))
    wide = (RIGHT - LEFT) / n
    x, pixels = LEFT + wide * np.arange(n + 1), wide * sheet.wide
    slanted = 11 <= pixels < NARROW and n <= MOST_SLANTED
    start, outs = TOP + SLANTED * slanted, []
    sheet.write(0, start - 16, head, 15, anchor="middle right")
    _tokens(sheet, Grid(x, np.array([start - 6, start])), words, most, slanted)
    for k, row in enumerate(rows):
        y, end = start + k * ROW, start + k * ROW + CELL
        _cells(sheet, Grid(x, np.array([y, end - FOOT - 1])), row)
        there, apart = ~np.isnan(row.weights), min(1.0, pixels / 12) / sheet.wide
        thick = FOOT * max(THINNEST, row.thick)
        sheet.bars([(x[a], y, x[b], end) for a, b in runs(~there)], colors.hole)
        kept = [(x[j] + apart, end - thick, x[j + 1] - apart, end) for j in np.flatnonzero(there)]
        cache_rows(sheet, {"kept": kept}, "lying")
        sheet.line(rectangle(x[0], y, x[-1], end), colors.line, 1)
        sheet.write(0, y + CELL / 2, bold(short(row.name, LEFT * sheet.wide - 12, 17)), 17, anchor="middle right")
        outs.append((RIGHT + APART, y, 1.0, end))
    sheet.frame(x[most], start - (4 if slanted else 30), x[most + 1], end + 3, colors.ink, 2.5)
    return outs, end + 6


def _standing_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str) -> tuple[list[Box], float]:
    """A column for each cache, a row for each token; where the words that come out stand, and how high the whole is."""
    colors, n, most = sheet.colors, len(words), int(np.nanargmax(rows[0].weights))
    tall, wide = min(MOST, TEXT / n), (1 - WORDS) / len(rows)
    y, outs = HEADS + tall * np.arange(n + 1), []
    named = [j for j in range(n) if tall >= LEAST or j == most or (j == n - 1 and (n - 1 - most) * tall >= LEAST)]
    for j in named:
        word = short(words[j], WORDS * sheet.wide - 8, 14)
        color = colors.accent if j == n - 1 else colors.ink
        size = min(14, max(13, 0.8 * tall))
        sheet.write(0.01, (y[j] + y[j + 1]) / 2, bold(word, j in (most, n - 1)), size, color, "middle right")
    for k, row in enumerate(rows):
        left, right = WORDS + k * wide + BETWEEN, WORDS + (k + 1) * wide
        for line, said in enumerate(row.on_phone):
            sheet.write((left + right) / 2, 8 + 17 * line, bold(said, not line), 13)
        strip = STRIP / sheet.wide
        _cells(sheet, Grid(np.array([left + strip + 1 / sheet.wide, right]), y), row)
        there, apart = ~np.isnan(row.weights), min(1.0, tall / 12)
        sheet.bars([(left, y[a], right, y[b]) for a, b in runs(~there)], colors.hole)
        thick = strip * max(THINNEST, row.thick)
        cache_rows(sheet, {"kept": [(left, y[j] + apart, left + thick, y[j + 1] - apart) for j in np.flatnonzero(there)]})
        sheet.line(rectangle(left, y[0], right, y[-1]), colors.line, 1)
        outs.append((left, y[-1] + 6, right, y[-1] + OUT))
    sheet.frame(0.001 if tall >= LEAST else WORDS, y[most], 1, y[most + 1], colors.ink, 2.0)
    return outs, y[-1] + OUT + 4


def _cells(sheet: Sheet, grid: Grid, row: KeptRow) -> None:
    """The weights, in a row or in a column; a number in those that count."""
    z = row.weights[:, None] if sheet.phone else row.weights[None]
    pixels = grid.wide * sheet.wide
    written = shares(z, pixels, grid.tall, 16, 13)
    if written:
        written.words[~(z >= SEEN)] = ""
    cells(sheet, grid, z, Scale(sheet.colors.weights), written, hover=False, lines=min(pixels, grid.tall) > 6)


def _tokens(sheet: Sheet, grid: Grid, words: Sequence[str], most: int, slanted: bool) -> None:
    """The text above its columns: slanted where these are narrow, numbers where there are too many for that. most: which token is looked at
    most."""
    pixels, colors = grid.wide * sheet.wide, sheet.colors
    if pixels < NARROW and not slanted:
        column_names(sheet, grid, grid.y[0] - 4, words, 13, newest=True)
        return
    for j, (x, word) in enumerate(zip(grid.across.tolist(), words, strict=True)):
        last = j == len(words) - 1
        color = colors.accent if last else colors.ink
        if slanted:
            sheet.slanted(x - 4 / sheet.wide, grid.y[1], short(word, 50, 14), 14, color)
        else:
            size = type_size(word, pixels - 4, TOKEN, 13.0, strong=False)
            sheet.write(x, grid.y[0] - 10, bold(short(word, pixels - 2, size), j in (most, len(words) - 1)), size, color)


def _next_word(sheet: Sheet, row: KeptRow, box: Box, whole: KeptRow, words: Sequence[str]) -> None:
    """The word that comes out, strong where it is another than the whole cache's, and its chance."""
    (left, top, right, bottom), colors, word = box, sheet.colors, words[row.likeliest]
    room = (right - left) * sheet.wide - (0 if sheet.phone else 70)
    size = type_size(word, room, LARGE_ON_PHONE if sheet.phone else LARGE, 13.0)
    strong, chance = row is whole or row.likeliest != whole.likeliest, plain(percent(row.chances[row.likeliest]))
    color, said = colors.accent if strong else colors.muted, bold(short(word, room, size, strong=True), strong)
    if sheet.phone:
        sheet.write((left + right) / 2, top + 10, said, size, color)
        sheet.write((left + right) / 2, bottom - 10, chance, 13, colors.muted)
        return
    middle = (top + bottom) / 2
    sheet.write(left, middle, said, size, color, "middle right")
    x = left + (min(size * bold_ems(word), room) + 10) / sheet.wide
    sheet.write(x, middle + 4, chance, 17, colors.muted, "middle right")


def runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
