"""Each head's votes for a word one upon another: a bar a word, all of one scale from 0, and a line at their sum, the word's logit.
The word with the highest has the colour of the next word.

What counts against a word lies beneath 0, and the line as far beneath the top of what counts for it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import likeliest
from pages.parts.drawing.cells import cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, rectangle

BAR = 0.74  # of a column has its bar
SUM = 4.0  # pixels of the line at a sum
CLEAR = 4.0  # pixels by which that line lies above it
# Pixels of a part that has room for its number, which is the smallest type; type size of the heads' numbers
LEAST, TAG = 12.0, 13.0
AWAY = 13.5  # pixels between the numbers of two heads
Part = tuple[int, float, float]  # a head, and its upper and its lower end


class Votes(NamedTuple):
    """added: (n_head, n_vocab), written: the same as texts. silent: the head that is struck out, if any: at the foot of each bar while
    its sum is asked for, and once that is known an outline on top, where the bar was as high before."""

    added: np.ndarray
    written: np.ndarray
    silent: int | None = None
    known: bool = True

    @property
    def order(self) -> list[int]:
        """The heads from the top of a bar to its foot."""
        rest = [h for h in range(len(self.added)) if h != self.silent]
        return rest if self.silent is None else [self.silent, *rest] if self.known else [*rest, self.silent]

    def parts(self, word: int) -> list[Part]:
        """Of each head that counts for or against a word, from top to bottom, 0 between the two."""
        votes = {h: float(np.nan_to_num(self.added[h, word])) for h in self.order}
        above, below = [h for h in votes if votes[h] > 0], [h for h in votes if votes[h] < 0]
        ends = np.cumsum([votes[h] for h in reversed(above)])[::-1].tolist()
        found = [(h, end, end - votes[h]) for h, end in zip(above, ends, strict=True)]
        low = 0.0
        for h in reversed(below):  # the silent one lies farthest from 0 here too, or nearest
            found.append((h, low, low + votes[h]))
            low += votes[h]
        return found


def vote_bars(sheet: Sheet, votes: Votes, grid: Grid, size: float, heads: Sequence[str]) -> None:
    """grid: the columns of the words, and the room of the bars; heads: their names at the first bar, from right to left."""
    colors, parts = sheet.colors, [votes.parts(w) for w in range(votes.added.shape[1])]
    high, low = max((p[1] for some in parts for p in some), default=0.0), min((p[2] for some in parts for p in some), default=0.0)
    x0, y0, x1, y1 = grid.edges
    unit = (y1 - y0) / max(high - low, 1e-12)
    zero = y0 + high * unit if high > low else y1
    if low < 0:
        sheet.bar(x0, zero - 0.75, x1, zero + 0.75, colors.muted)
    most = max(1e-9, float(np.nanmax(np.abs(votes.added), initial=0)))
    rest = [h for h in votes.order if not (votes.known and h == votes.silent)]
    sums = votes.added[rest].sum(axis=0)
    best = likeliest(sums) if np.isfinite(sums).all() else ()
    for w, some in enumerate(parts):
        half = BAR * grid.wide / 2
        at = float(grid.across[w]) - half, float(grid.across[w]) + half
        placed = [(h, zero - top * unit, zero - bottom * unit) for h, top, bottom in some]
        won = w in best and votes.known
        scale = Scale((colors.decode if won else colors.bar,) * 2, -most, most)
        _solid(sheet, [part for part in placed if part[0] != votes.silent], at, votes, w, scale, size)
        for h, top, bottom in placed:
            if h == votes.silent:
                _silent(sheet, (at[0], top, at[1], bottom), votes, f"<s>{votes.written[h, w]}</s>", size)
        level = zero - float(np.nan_to_num(sums[w])) * unit - CLEAR  # above the number of a low part
        tint = colors.decode if won else colors.ink
        sheet.line(f"M{at[0] - 5 / sheet.wide:.5f},{level:.2f}H{at[1] + 5 / sheet.wide:.5f}", tint, SUM, layer="above")
        if w == 0:
            _names(sheet, placed, x0 - 6 / sheet.wide, heads)


def _solid(
    sheet: Sheet, placed: Sequence[Part], at: tuple[float, float], votes: Votes, w: int, scale: Scale, size: float
) -> None:
    """The parts that count, as cells one beneath another, with what stands in them where there is room. The silent one parts them in two
    where votes against a word lie beneath it."""
    runs: list[list[Part]] = []
    for part in placed:
        if part[2] - part[1] < 0.05:
            continue
        if runs and abs(runs[-1][-1][2] - part[1]) < 0.01:
            runs[-1].append(part)
        else:
            runs.append([part])
    for run in runs:
        piece = Grid(np.array(at), np.array([run[0][1], *(bottom for _, _, bottom in run)]))
        z = votes.added[[h for h, *_ in run], w][:, None]
        cells(sheet, piece, z, scale)
        inks = scale.inks(z)[:, 0].tolist()
        for (h, top, bottom), ink in zip(run, inks, strict=True):
            if bottom - top >= LEAST:
                fits = max(12.0, min(size, bottom - top - 1))
                sheet.write(sum(at) / 2, (top + bottom) / 2, str(votes.written[h, w]), fits, ink)


def _silent(sheet: Sheet, box: tuple[float, float, float, float], votes: Votes, text: str, size: float) -> None:
    """What the silent head adds, struck out."""
    x0, top, x1, bottom = box
    if not votes.known:
        sheet.bar(x0, top, x1, bottom, sheet.colors.hole)
    sheet.line(rectangle(x0, top, x1, bottom), sheet.colors.muted, 1.3, "dot", layer="above")
    if bottom - top >= LEAST:
        sheet.write((x0 + x1) / 2, (top + bottom) / 2, text, max(12.0, min(size, bottom - top - 1)), sheet.colors.muted)


def _names(sheet: Sheet, placed: Sequence[Part], right: float, heads: Sequence[str]) -> None:
    """Of each part of the first bar whose head it is, as far as they keep away from each other."""
    last = -np.inf
    for h, top, bottom in placed:
        y = (top + bottom) / 2
        if y - last >= AWAY:
            sheet.write(right, y, heads[h], TAG, sheet.colors.muted, "middle left")
            last = y
