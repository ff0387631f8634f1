"""Caches of one text beneath each other, a row each: the newest token's weights on what they keep, at its foot the keys and values that
these are, thin where each takes few bits, grey where nothing is kept, and beside it the word that comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import NARROW, cells, column_names, shares
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.format import percent, plural

LEFT, RIGHT, RIGHT_ON_PHONE = 0.18, 0.77, 0.7  # where the tokens begin and end
APART, LARGE, LARGE_ON_PHONE = 0.025, 32.0, 20.0  # of the width before what comes out, and its type sizes
TOP, ROW, CELL, FOOT = 34.0, 60.0, 51.0, 20.0  # pixels above the rows, of one, of its cells, and of these their keys and values
SLANTED, TOKEN = 24.0, 17.0  # pixels more where the words above are slanted, and their largest type where they are not
NAME_ON_PHONE, CELL_ON_PHONE, THINNEST = 24.0, 36.0, 6.0  # the last of a key and value in few bits
PALER = 1.25  # of the scale of weights a 1 is this far below the end: all numbers on it are of one colour in a light theme
SMALLEST = 0.005  # weight whose number is written
MOST_SLANTED = 40  # words above narrow columns, dearer than others


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there. chances: of each word
    that is shown, None while they are asked for; likeliest: which of them comes out. thick: how many bits a number has, of the whole
    cache's."""

    name: str
    weights: np.ndarray
    chances: Sequence[float] | None
    likeliest: int = 0
    thick: float = 1.0


def kept_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], head: str, next_words: Sequence[str]) -> SheetFigure:
    """rows: the cache that keeps everything first. words: the text's tokens, the newest last. head: whose weights they are. next_words:
    those whose chances are shown."""
    phone, colors, n = sheet.on_phone(), sheet.colors, len(words)
    left, right = (0.0, RIGHT_ON_PHONE) if phone else (LEFT, RIGHT)
    wide = (right - left) / n
    x = left + wide * np.arange(n + 1)
    slanted = not phone and 11 <= wide * sheet.wide < NARROW and n <= MOST_SLANTED
    start = TOP + SLANTED * slanted
    if not phone:
        sheet.write(0, start - 14, f"weights of head <b>{head}</b>", 15, colors.muted, "middle right")
    _tokens(sheet, Grid(x, np.array([start - 6, start])), words, int(np.nanargmax(rows[0].weights)), slanted)
    above, tall = (NAME_ON_PHONE, CELL_ON_PHONE) if phone else (0.0, CELL)
    high = above + tall + 8 if phone else ROW
    for k, row in enumerate(rows):
        y = start + k * high + above
        grid = Grid(x, np.array([y, y + tall - FOOT - 1]))
        z, pixels = row.weights[None], wide * sheet.wide
        written = shares(z, pixels, grid.tall, 16, 13)
        if written:  # a row of zeros hides what is looked at
            written.words[z < SMALLEST] = ""
        cells(sheet, grid, z, Scale(colors.weights, high=PALER), written, hover=False, lines=pixels > 6)
        there, apart = ~np.isnan(row.weights), min(1.0, pixels / 12) / sheet.wide
        missing = [(x[a], y, x[b], y + tall) for a, b in runs(~there)]
        sheet.bars([*missing, *([(x[0], y + tall - FOOT, x[-1], y + tall)] if row.thick < 1 else [])], colors.hole)
        thick = max(THINNEST, FOOT * min(row.thick, 1.0))
        kept = [(x[j] + apart, y + tall - thick, x[j + 1] - apart, y + tall) for j in np.flatnonzero(there)]
        cache_rows(sheet, {"kept": kept}, "lying")
        sheet.line(rectangle(x[0], y, x[-1], y + tall), colors.line, 1)
        name, at = (15, y - 12) if phone else (17, y + tall / 2)
        sheet.write(0, at, bold(short(row.name, (right if phone else LEFT) * sheet.wide - 12, name)), name, anchor="middle right")
        _next_word(sheet, row, (right + APART, y, 1.0, y + tall), rows[0], next_words)
    end = start + len(rows) * high - (high - above - tall)
    if not rows[-1].chances:
        whole = short(next_words[0], 160, 16)
        return under_headline(sheet, f"Everything kept: {whole}. And with less?").figure(end + 4)
    others = sum(row.likeliest != rows[0].likeliest for row in rows)
    of, say = f"{others} of {len(rows) - 1}", f"{plural(float(others == 1), 'says', 'say')} another word"
    return under_headline(sheet, f"{of} other caches {say}", f"{of} {say}").figure(end + 4)


def _tokens(sheet: Sheet, grid: Grid, words: Sequence[str], most: int, slanted: bool) -> None:
    """The text above its columns: slanted where these are narrow, numbers where there are too many for that; on a phone the token that
    is looked at most, and the newest. most: which one is."""
    pixels, colors, newest = grid.wide * sheet.wide, sheet.colors, len(words) - 1
    if sheet.phone:
        last, ahead = (13 * ems(words[j][:8]) + 2 for j in (newest, most))
        sheet.write(grid.x[-1], grid.y[0] - 6, short(words[newest], last, 13), 13, colors.accent, "middle left")
        if most != newest and grid.x[most] + (ahead + last + 8) / sheet.wide < grid.x[-1]:
            sheet.write(grid.x[most], grid.y[0] - 6, short(words[most], ahead, 13), 13, anchor="middle right")
        return
    if pixels < NARROW and not slanted:
        column_names(sheet, grid, grid.y[0] - 4, words, 13, newest=True)
        return
    for j, (x, word) in enumerate(zip(grid.across.tolist(), words, strict=True)):
        last = j == len(words) - 1
        color = colors.accent if last else colors.ink
        if slanted:
            sheet.slanted(x - 4 / sheet.wide, grid.y[1], short(word, 50, 14), 14, color)
        else:
            size = max(13.0, min(TOKEN, (pixels - 6) / ems(word or " ")))
            sheet.write(x, grid.y[0] - 8, bold(short(word, pixels - 2, size), last), size, color)


def _next_word(sheet: Sheet, row: KeptRow, box: Box, whole: KeptRow, words: Sequence[str]) -> None:
    """The word that comes out, strong where it is another than the whole cache's, and its chance; a question mark while it is asked for."""
    (left, top, right, bottom), colors, phone = box, sheet.colors, sheet.phone
    if not row.chances:
        sheet.write(left, (top + bottom) / 2, "<b>?</b>", LARGE, anchor="middle right")
        return
    room, word = (right - left) * sheet.wide - (0 if phone else 70), words[row.likeliest]
    size = max(16.0, min(LARGE_ON_PHONE if phone else LARGE, room / (1.1 * max(ems(word), 1))))
    strong, middle = row is whole or row.likeliest != whole.likeliest, (top + bottom) / 2 - (9 if phone else 0)
    chance = plain(percent(row.chances[row.likeliest]))
    color = colors.accent if strong else colors.muted
    sheet.write(left, middle, bold(short(word, room, 1.1 * size), strong), size, color, "middle right")
    x, y = (left, middle + 19) if phone else (left + (1.1 * size * min(ems(word), room / size) + 10) / sheet.wide, middle + 4)
    sheet.write(x, y, chance, 13 if phone else 17, colors.muted, "middle right")


def runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
