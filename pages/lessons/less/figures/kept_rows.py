"""Several caches of one text beneath each other: the words that each has kept, darker with their weight, those that fell out of it struck
through beneath the row, its bytes as a width, and the word that comes out, large."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import NARROW, Texts, cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, short

TOP, ROW, ON_PHONE = 38.0, 48.0, 92.0  # pixels above the rows, of one, and of one on a phone
NAME, WORDS = 0.165, 0.59  # where names end, and the words of a text where nothing stands between them and the bytes
CONTEXTS, BYTES, RESULT = (0.497, 0.475), 0.655, 0.82  # where contexts begin and words end before them; bytes begin and end
MOST_WORD = 30.0  # type size of the word that comes out


@dataclass(frozen=True, eq=False)
class KeptRow:
    """One cache. weights: (n,), the newest token's weight on each token of the text, NaN where it is not there. n_bytes: what it holds,
    held: of the largest of them. word: what comes out, changed: whether that is another than the whole cache's. contexts: as text,
    "" where there is no room for them."""

    name: str
    weights: np.ndarray
    n_bytes: str
    held: float
    word: str
    changed: bool = False
    contexts: str = ""


def kept_rows(sheet: Sheet, rows: Sequence[KeptRow], words: Sequence[str], title: str) -> SheetFigure:
    """words: the text's tokens, the newest last."""
    colors, phone, n = sheet.colors, sheet.on_phone(), len(words)
    contexts = any(row.contexts for row in rows) and not phone
    left, right = (0.0, 1.0) if phone else (NAME, CONTEXTS[1] if contexts else WORDS)
    x = np.linspace(left, right, n + 1)
    named = (x[1] - x[0]) * sheet.wide >= NARROW
    sheet.write(0, 12, title, 13 if phone else 14, colors.muted, "middle right")
    if not phone:
        heads = (
            ("contexts", CONTEXTS[0], "middle right"),
            ("bytes held", BYTES, "middle right"),
            ("next word", 1.0, "middle left"),
        )
        for name, at, anchor in heads[0 if contexts else 1 :]:
            sheet.write(at, TOP - 12, bold(name), 14, colors.muted, anchor)
    high = ON_PHONE if phone else ROW
    if not named:
        column_names(sheet, Grid(x, np.array([TOP, TOP + high])), TOP - 12, words, 12.5, newest=True)
    for r, row in enumerate(rows):
        top = TOP + r * high
        if phone:
            _said_on_phone(sheet, row, top + 14)
            top += 28
        else:
            _said(sheet, row, top + high / 2 - 5)
        _strip(sheet, row, Grid(x, np.array([top + 2, top + 36])), words if named else ())
    return sheet.figure(TOP + len(rows) * high + 2)


def _said(sheet: Sheet, row: KeptRow, y: float) -> None:
    """Its name before the words; behind them contexts, bytes and the word that comes out."""
    sheet.write(NAME - 0.012, y, row.name, 14.5, anchor="middle left")
    if row.contexts:
        sheet.write(
            CONTEXTS[0],
            y,
            row.contexts,
            14 if ems(row.contexts) * 14 < (BYTES - CONTEXTS[0]) * sheet.wide else 13,
            anchor="middle right",
        )
    sheet.write(BYTES, y - 9, row.n_bytes, 15, anchor="middle right")
    _bytes(sheet, row, (BYTES, y + 2, RESULT, y + 14))
    _word(sheet, row, (1.0, y), (1 - RESULT) * sheet.wide - 14)


def _said_on_phone(sheet: Sheet, row: KeptRow, y: float) -> None:
    """Above its words the cache's name and what comes out, beside its bytes."""
    sheet.write(0, y - 2, bold(row.name), 14, anchor="middle right")
    _word(sheet, row, (1.0, y), 0.36 * sheet.wide)
    _bytes(sheet, row, (0.0, y + 9, 0.4, y + 12))


def _bytes(sheet: Sheet, row: KeptRow, box: tuple[float, float, float, float]) -> None:
    """A width; all of them have one scale."""
    x0, y0, x1, y1 = box
    sheet.bar(x0, y0, x0 + (x1 - x0) * max(row.held, 0.004), y1, sheet.colors.cached)


def _word(sheet: Sheet, row: KeptRow, at: tuple[float, float], pixels: float) -> None:
    """The word that comes out, as large as there is room; one that is not the whole cache's carries a sign."""
    text = f"{row.word}{' ≠' * row.changed}"
    size = max(13.0, min(MOST_WORD, pixels / (1.07 * ems(text))))
    sheet.write(*at, bold(plain(text)), size, sheet.colors.accent if row.changed else sheet.colors.ink, "middle left")


def _strip(sheet: Sheet, row: KeptRow, grid: Grid, words: Sequence[str]) -> None:
    """One cache: what is kept stands in a cell of its weight's colour, framed; what is gone has fallen out beneath, struck through.
    words: "" where there is no room for any."""
    colors, pixels, kept, (top, bottom) = sheet.colors, grid.wide * sheet.wide, ~np.isnan(row.weights), grid.y.tolist()
    z, scale = row.weights[None], Scale(colors.weights)
    if not words:
        cells(sheet, grid, z, scale, hover=False, lines=pixels > 6)
        for start, stop in _runs(~kept):
            sheet.bar(grid.x[start], top, grid.x[stop], bottom, colors.hole)
    else:
        written, inks = shares(z, pixels, 20, 13) or Texts(np.full(z.shape, "", object), 13.0), scale.inks(z)[0]
        sheet.heatmap(grid, z, scale, hover=False)
        for j, (x, word) in enumerate(zip(grid.across.tolist(), words, strict=True)):
            said = short(word, pixels - 6, 15)
            if kept[j]:
                sheet.write(x, top + 11, bold(said, j == len(words) - 1), 15, inks[j])
                sheet.write(x, top + 26, written.words[0, j], written.size, inks[j])
                continue
            half = min(0.48 * pixels, 0.5 * ems(said) * 15 + 5) / sheet.wide
            sheet.write(x, bottom - 6, said, 15, colors.muted)
            sheet.line(f"M{x - half:.5f},{bottom - 5:.2f}L{x + half:.5f},{bottom - 5:.2f}", colors.muted, 1.6, layer="above")
    for start, stop in _runs(kept):
        sheet.frame(grid.x[start], top, grid.x[stop], bottom, colors.cached, 1.5)


def _runs(some: np.ndarray) -> list[tuple[int, int]]:
    """Where `some` is true, as (start, stop) of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], some.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
