"""One token asks: its query lies above the keys, place for place, and a key fits where it is lit beneath a lit place; then its drawer
opens."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.lessons.rules.figures.look import HeadLine, Look, each_may_ask
from pages.parts.drawing.cells import cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import LEAST, Place, Span, key_cells, token_boxes
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short


class Layout(NamedTuple):
    """Where the parts stand, in shares of the width; query, gap: pixels of the query and beneath it; word, number: type sizes."""

    tokens: Span
    keys: Span
    drawers: Span
    query: float
    gap: float
    word: float
    number: float


NARROW = Layout((0.0, 0.235), (0.27, 0.72), (0.755, 1.0), 34.0, 34.0, 15.0, 15.0)
WIDE = Layout((0.004, 0.13), (0.165, 0.72), (0.76, 0.998), 50.0, 32.0, 22.0, 24.0)
ROOM = 190.0  # pixels of all rows on a phone
LOWEST = 15.0  # pixels of a row, at least
HIGHEST = 44.0  # pixels of a row on a phone, at most
HEIGHT = 356.0  # pixels of the whole on a projector
FOOT = 14.0  # pixels beneath its rows
TALLEST = 74.0  # pixels of a row on a projector, at most
STRIPE = 11.0  # pixels of a place that has room for its number


def keys_searched(sheet: Sheet, layer: Attention, look: Look, words: Sequence[str], lines: Sequence[HeadLine]) -> SheetFigure:
    """words: (n,); lines: one for each head. Pressing a token's row lets that token ask, or answers what is asked."""
    phone, n, asks = sheet.on_phone(), len(words), sheet.colors.prefill
    at = NARROW if phone else WIDE
    top = at.query + at.gap + 10
    tall = float(np.clip(ROOM / n, LOWEST, HIGHEST)) if phone else sheet.row(HEIGHT - top - FOOT - look.less, n, LOWEST, TALLEST)
    place = Place(top + np.arange(n + 1) * tall, tall, n, n, 0)
    sheet.bar(0, place.tops[look.query], 1, place.tops[look.query + 1], faded(sheet.colors, asks, 0.1))
    token_boxes(sheet, place, words, at.tokens, {look.query}, sheet.wide)
    _draw_keys(sheet, layer, look, lines[look.head], place)
    sheet.write(at.tokens[0], 6 + 0.3 * at.query, "<b>query</b>", at.word, sheet.colors.query, "middle right")
    size = max(LEAST, at.word - 5)
    who = short(words[look.query], (at.tokens[1] - at.tokens[0]) * sheet.wide - 2.2 * size, size)
    sheet.write(at.tokens[0], 6 + 0.8 * at.query, f"of “{who}”", size, sheet.colors.muted, "middle right")
    rows = Grid(np.array([0.0, 1.0]), place.tops)
    if look.asked.open:
        sheet.answers.extend([k, *rows.row(k), name] for k, name in enumerate(look.asked.names) if name)
    grid = each_may_ask(sheet, look, rows, words)
    return sheet.figure(float(place.tops[-1]) + FOOT, min_width=760, on_phone=300, grid=grid)


def _draw_keys(sheet: Sheet, layer: Attention, look: Look, line: HeadLine, place: Place) -> None:
    """The query's places, beneath each that it searches for a band through all keys, and of each key whether it fits."""
    colors, n, head, at = sheet.colors, place.n, look.head, NARROW if sheet.phone else WIDE
    seen, visible = line.looks.seen, line.looks.visible
    searched = np.maximum(layer.q[head, look.query, :n], 0)
    searched = searched / (searched.max() or 1)
    keys, scale = key_cells(colors, layer.k[layer.kv_head(head)])
    query = Grid(np.linspace(*at.keys, n + 1), np.array([6, 6 + at.query]))
    cells(sheet, query, searched[None], Scale((faded(colors, colors.query, 0.15), colors.query)), hover=False)
    grid = place.grid(at.keys, n)
    sheet.bars((grid.row(j) for j in visible), faded(colors, colors.key, 0.12))
    end = float(grid.y[len(visible)])
    for j in np.flatnonzero(searched > 0.5):
        sheet.bar(grid.x[j], query.y[1] + 2, grid.x[j + 1], end, faded(colors, colors.query, 0.3))
    shown = np.where(keys[: len(visible), :n] > 0, keys[: len(visible), :n], np.nan)
    cells(sheet, place.grid(at.keys, n, 0, len(visible)), shown, scale, hover=False)
    sheet.write(at.keys[0], place.tops[0] - 14, "<b>key</b>", 15, colors.key, "middle right")
    sheet.write(at.drawers[0], place.tops[0] - 14, "<b>drawer</b>", 15, colors.muted, "middle right")
    for j in range(n):
        _drawer(sheet, place, j, ("later" if j not in visible else "?" if not look.told else "fits" if j in seen else "no"))
        if look.told and j in seen and place.tall >= LEAST:
            met = np.flatnonzero((searched > 0) & (keys[j, :n] > 0))
            for box in [grid.box(j, k) for k in met] or [grid.row(j)]:  # the row where a key says something else than its place
                sheet.frame(*box, colors.ink, 3)
            sheet.line(f"M{at.keys[1]},{place.middle(j)}H{at.drawers[0]}", colors.value, 3)
    if np.array_equal(keys[:n, :n] > 0, np.eye(n, dtype=bool)) and min(grid.wide * sheet.wide, place.tall) >= STRIPE:
        size = min(at.number, max(LEAST, place.tall - 2))
        for j in np.flatnonzero(searched > 0):  # a key names the place at which its token stands
            sheet.write(grid.across[j], query.down[0], f"<b>{j + 1}</b>", at.number, ink_on(colors.query))
        for j in visible:
            sheet.write(grid.across[j], place.middle(j), f"<b>{j + 1}</b>", size, ink_on(colors.key))


def _drawer(sheet: Sheet, place: Place, j: int, says: str) -> None:
    """The drawer of one token, and whether its key fits: open it has the colour of what lies in it."""
    at, colors, gap = NARROW if sheet.phone else WIDE, sheet.colors, min(4.0, place.tall / 8)
    left, right = at.drawers
    box = left, float(place.tops[j]) + gap, right, float(place.tops[j + 1]) - gap
    size = min(at.word, place.tall - 1)
    if says == "later":
        if place.tall >= LEAST:
            sheet.line(rectangle(*box), colors.line, 1, "dot")
            sheet.write((left + right) / 2, place.middle(j), "later", size, colors.muted)
        return
    sheet.bar(*box, colors.value if says == "fits" else colors.hole)
    ink = ink_on(colors.value) if says == "fits" else colors.ink if says == "?" else colors.muted
    if place.tall >= LEAST:
        sheet.write((left + right) / 2, place.middle(j), "<b>✓ fits</b>" if says == "fits" else says, size, ink)
