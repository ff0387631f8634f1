"""How contexts become a word: for two words each head's context times its number of W, added up, and the chances beside them.

Beneath stands the row of tokens, into which the word that comes out goes as the next one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import best_first, likeliest
from pages.parts.drawing.cells import row_names
from pages.parts.drawing.grid import Grid, diverging
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import as_number, equals, percents

HEAD = 34.0  # pixels above the cells
SUM = 58.0  # pixels of the sums beneath them
STRIP = 40.0  # pixels of the row of tokens
ROOM, PHONE_ROOM = 196.0, 168.0  # pixels of all cells
# Shares of the width
NAMES = 0.1  # where the names of the heads end
CONTEXT = 0.165  # where the contexts end
COLUMNS = ((0.2, 0.445), (0.485, 0.73))  # where each word's column begins and ends
RESULT = (0.8, 1.0)  # where the chances begin and end
PHONE_NAMES = 0.15
PHONE_CONTEXT = 0.28
PHONE_COLUMNS = ((0.32, 0.64), (0.68, 1.0))
LARGE = 34.0  # type size of a sum, at most
LEAST = 12.0  # type size, the smallest
MOST_WORDS = 6  # whose chances are drawn


class Votes(NamedTuple):
    """words: all there are, with their sums (n_vocab,) and chances. pair: the words that are added up, one or two of them; factors: of
    each, (context, its number of W, their product) as written, a line a head; votes: (n_head, len(pair)) the products.
    written: the sums of the pair. open: whether the chances are still asked for."""

    words: Sequence[str]
    sums: np.ndarray
    probs: np.ndarray
    pair: Sequence[int]
    factors: Sequence[Sequence[tuple[str, str, str]]]
    votes: np.ndarray
    written: Sequence[str]
    open: bool


def two_sums(sheet: Sheet, votes: Votes, heads: Sequence[str], tokens: Sequence[str], less: float = 0) -> SheetFigure:
    """heads: their names; tokens: those that were read, the last of which is answered; less: pixels that the cells leave to others."""
    colors, phone, n_head = sheet.colors, sheet.on_phone(), len(heads)
    names, right, spans = (PHONE_NAMES, PHONE_CONTEXT, PHONE_COLUMNS) if phone else (NAMES, CONTEXT, COLUMNS)
    tall = sheet.row(PHONE_ROOM if phone else ROOM - less, n_head, 20.0 if not phone else 34.0, 62.0)
    grids = [Grid.of(span[0], HEAD, (span[1] - span[0], tall), (n_head, 1)) for span in spans[: len(votes.pair)]]
    scale = diverging(colors.scores, votes.votes, 1e-9)
    sheet.write(right, HEAD - 18, bold("contexts"), 14 if phone else 16, anchor="middle left")
    row_names(sheet, names, grids[0], heads, max(LEAST, min(15.0, 0.6 * tall)))
    contexts = [line[0] for line in votes.factors[0]]
    size = min(22.0, 0.6 * tall, (right - names - 0.01) * sheet.wide / (LETTER * max(map(len, contexts))))
    for y, text in zip(grids[0].down, contexts, strict=True):
        sheet.write(right, y, bold(text), max(LEAST, size), anchor="middle left")
    best, pixels = likeliest(votes.sums), (spans[0][1] - spans[0][0]) * sheet.wide - 18
    longest = max(ems(f"{a} × {b} = ") + 1.3 * ems(c) for column in votes.factors for a, b, c in column)
    small = max(LEAST, min(18.0, 0.5 * tall, pixels / longest))  # one for both columns
    for k, (grid, word) in enumerate(zip(grids, votes.pair, strict=True)):
        column = votes.votes[:, k : k + 1]
        sheet.heatmap(grid, column, scale, hover=False)
        _column(sheet, grid, votes.factors[k], scale.inks(column)[:, 0], small)
        won = not votes.open and word in best
        _sum(sheet, grid, votes.words[word], votes.written[k], won)
    end = float(grids[0].y[-1]) + SUM
    if phone:
        return sheet.figure(_chances_beneath(sheet, votes, end + 6), min_width=0)
    _chances(sheet, votes, end)
    _strip(sheet, tokens, votes, end + 16)
    return sheet.figure(end + 16 + STRIP + 4, min_width=700)


def _column(sheet: Sheet, grid: Grid, factors: Sequence[tuple[str, str, str]], inks: np.ndarray, small: float) -> None:
    """Each head's context times what it counts for this word, and what comes of it in bold. small: the letters' size."""
    x0, _, x1, _ = grid.edges
    stacked = sheet.phone and small < 13.5 and grid.tall >= 32
    for y, (a, b, c), ink in zip(grid.down.tolist(), factors, inks.tolist(), strict=True):
        sign = equals(as_number(a) * as_number(b), c)
        if stacked:
            sheet.write(x0 + 6 / sheet.wide, y - 8, f"{a} × {b}", 13, ink, "middle right")
            sheet.write(x1 - 6 / sheet.wide, y + 8, bold(f"{sign} {c}"), 15, ink, "middle left")
            continue
        sheet.write(x0 + 9 / sheet.wide, y, f"{a} × {b} {sign}", small, ink, "middle right")
        sheet.write(x1 - 9 / sheet.wide, y, bold(c), min(22.0, 1.25 * small), ink, "middle left")


def _sum(sheet: Sheet, grid: Grid, word: str, text: str, won: bool) -> None:
    """Whose votes a column has, and what they add up to."""
    colors, (x0, y0, x1, y1) = sheet.colors, grid.edges
    pixels = (x1 - x0) * sheet.wide
    tint = colors.decode if won else colors.ink
    lead = "" if sheet.phone else "votes for "
    room = pixels - ems(lead) * 16
    sheet.write(x0, y0 - 18, lead + bold(short(word, room, 17)), 16, tint, "middle right")
    sheet.bar(x0, y1 + 5, x1, y1 + 7, colors.muted)
    sheet.write(x0, y1 + 34, "sum", 15, colors.muted, "middle right")
    size = min(LARGE, (pixels - 44) / (LETTER * max(2, len(text))))
    sheet.write(x1 - 9 / sheet.wide, y1 + 34, bold(text), size, tint, "middle left")


def _chances(sheet: Sheet, votes: Votes, bottom: float) -> None:
    """The chances of the likeliest words, in the order in which these are known, after softmax; empty bars while they are asked for."""
    colors, shown, (left, right) = sheet.colors, sorted(best_first(votes.probs, MOST_WORDS)), RESULT
    best, said = likeliest(votes.sums), percents([votes.probs[w] for w in shown], [])
    sheet.write(left, HEAD - 18, "<b>chance</b> of each word", 16, anchor="middle right")
    step = (bottom - HEAD) / len(shown)
    for k, word in enumerate(shown):
        y, won = HEAD + (k + 0.4) * step, not votes.open and word in best
        ink = colors.decode if won else colors.ink
        large = min(26.0, 0.62 * step) if won else min(16.0, 0.55 * step)
        room = (right - left) * sheet.wide
        sheet.write(left, y, bold(short(votes.words[word], 0.55 * room, large), won), large, ink, "middle right")
        if not votes.open:
            sheet.write(right, y, bold(said[k], won), large, ink, "middle left")
        box = left, y + 0.32 * step, right, y + 0.32 * step + min(8.0, 0.2 * step)
        sheet.share_bar(box, float(votes.probs[word]) if not votes.open else 0.0, ink if won else colors.bar)


def _chances_beneath(sheet: Sheet, votes: Votes, top: float) -> float:
    """The chances for a phone, of the pair alone; returns where they end."""
    colors, best = sheet.colors, likeliest(votes.sums)
    said = percents([votes.probs[w] for w in votes.pair], [])
    sheet.write(0, top + 8, "<b>chance</b>", 14, anchor="middle right")
    for k, word in enumerate(votes.pair):
        y, won = top + 8 + 26 * k, not votes.open and word in best
        ink = colors.decode if won else colors.ink
        sheet.write(0.22, y, bold(short(votes.words[word], 80, 15), won), 15, ink, "middle right")
        sheet.share_bar((0.48, y - 5, 0.8, y + 5), float(votes.probs[word]) if not votes.open else 0.0, ink)
        sheet.write(1, y, bold(said[k] if not votes.open else "?", won), 15, ink, "middle left")
    return top + 8 + 26 * len(votes.pair)


def _strip(sheet: Sheet, tokens: Sequence[str], votes: Votes, top: float) -> None:
    """The tokens that were read and, dashed, the one that comes next: a question mark until it is known."""
    colors, best = sheet.colors, likeliest(votes.sums)
    wide = min(0.145, RESULT[0] / (len(tokens) + 1))
    for k, token in enumerate(tokens):
        x0, x1 = k * wide, (k + 1) * wide - 0.004
        sheet.bar(x0, top, x1, top + STRIP, colors.prefill)
        size = min(17.0, 0.4 * wide * sheet.wide)
        sheet.write((x0 + x1) / 2, top + STRIP / 2, short(token, (x1 - x0) * sheet.wide - 8, size), size, colors.surface)
    x0, x1 = len(tokens) * wide, (len(tokens) + 1) * wide - 0.004
    known = not votes.open and len(best) == 1
    sheet.line(rectangle(x0, top + 1, x1, top + STRIP - 1), colors.decode, 2, "dash")
    word = short(votes.words[best[0]], (x1 - x0) * sheet.wide - 8, 18) if known else "?"
    sheet.write((x0 + x1) / 2, top + STRIP / 2, bold(word), 18 if known else 22, colors.decode)
    if known:
        sheet.write(x1 + 0.012, top + STRIP / 2, "goes in next", 16, colors.decode, "middle right")
