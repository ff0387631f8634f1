"""The machine on which the lessons hang: the prompt's rows through all of its parts, and from each a line down to its lessons.

It is drawn without numbers but the values, which are given: what is computed of them is what the lessons ask for.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.cells import cells, holes
from pages.parts.drawing.grid import Scale, diverging
from pages.parts.drawing.machine_rows import HEAD, Place, Span, cache_frame, token_boxes, value_cells
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle, short

HEIGHT = 142.0  # pixels of the rows with the one that waits
LOWEST = 6.0  # pixels of a row, at least
HIGHEST = 44.0  # pixels of a row, at most
LOOP, DOWN = 16.0, 42.0  # pixels from the row that waits to the line beneath it, and from there to the lessons
# Shares of the width
TOKENS = (0.004, 0.1)
QUERY = (0.128, 0.188)
KEYS = (0.228, 0.288)
VALUES = (0.296, 0.34)
GRIDS = ((0.39, 0.505), (0.527, 0.642), (0.664, 0.779))
CONTEXT = (0.806, 0.852)
NEXT = (0.878, 0.998)
PHONE = (  # all of these, in this order
    (0.0, 0.2), (0.225, 0.285), (0.33, 0.41), (0.425, 0.485), ((0.525, 0.615), (0.627, 0.717), (0.729, 0.819)), (0.845, 0.885),
    (0.9, 1.0),
)  # fmt: skip
N_CLUSTERS = 5


def machine_parts(sheet: Sheet, layer: Attention, head: int, words: Sequence[str], next_: str) -> SheetFigure:
    """One head of a prefill. words: of the prompt; next_: the word that comes out, or what stands for it.

    Beneath it begin N_CLUSTERS equal columns of lessons: of tokens and next word, query, key and value, the grids, contexts.
    """
    phone, colors, n = sheet.on_phone(), sheet.colors, len(words)
    tokens, query, keys, values, grids, context, word = PHONE if phone else (TOKENS, QUERY, KEYS, VALUES, GRIDS, CONTEXT, NEXT)
    tall = sheet.row(HEIGHT, n + 1, LOWEST, HIGHEST)
    place = Place(HEAD + np.arange(n + 2) * tall, tall, n, n, 0)
    last, end = float(place.tops[n - 1]), float(place.tops[n + 1])
    sheet.bar(0, last, word[0], float(place.tops[n]), faded(colors, colors.prefill, 0.12))
    cache_frame(sheet, layer, head, place, (keys, values), end, sheet.wide)
    token_boxes(sheet, place, words, tokens, range(n), sheet.wide)
    _strips(sheet, layer, head, place, (query, context))
    _grids(sheet, layer, head, place, grids)
    named = [("query", query, colors.query), ("context", context, colors.ink), ("next word", word, colors.decode)]
    named += [(name, span, colors.ink) for name, span in zip(("scores", "mask", "weights"), grids, strict=True)]
    for name, (left, _), color in () if phone else named:
        sheet.write(left, HEAD - 14, bold(name), 15, color, "middle right")
    _what_comes_out(sheet, place, (tokens, word), next_)
    spans = (tokens, query, (keys[0], values[1]), (grids[0][0], grids[-1][1]), (context[0], word[1]))
    return sheet.figure(_clusters(sheet, spans, end + LOOP + 10), min_width=700)


def _strips(sheet: Sheet, layer: Attention, head: int, place: Place, spans: tuple[Span, Span]) -> None:
    """What each row asks for, and what it is given, as dark as it is large."""
    colors, n = sheet.colors, place.n
    asks = np.maximum(np.nan_to_num(layer.q[head, :, :n]), 0)
    scale = Scale((faded(colors, colors.query, 0.15), colors.query))
    cells(sheet, place.grid(spans[0], asks.shape[1]), asks / (asks.max() or 1), scale, hover=False)
    sizes, tint = value_cells(colors, layer.context[head, :, 0])
    cells(sheet, place.grid(spans[1], 1), sizes[:, None], tint, hover=False)


def _grids(sheet: Sheet, layer: Attention, head: int, place: Place, spans: Sequence[Span]) -> None:
    """Scores, what the mask leaves of them, and weights."""
    colors, scores, mask = sheet.colors, layer.scores[head], layer.mask[head]
    grids = [place.grid(span, place.n) for span in spans]
    sheet.path("".join(holes(grid, ~mask) for grid in grids[1:]) or "M0,0Z", colors.hole)
    scale, tint = diverging(colors.scores, scores), Scale(colors.weights)
    masked, weights = np.where(mask, scores, np.nan), np.where(mask, np.nan_to_num(layer.weights[head]), np.nan)
    for grid, z, colours in zip(grids, (scores, masked, weights), (scale, scale, tint), strict=True):
        cells(sheet, grid, z, colours, hover=False)
    edges = "".join(rectangle(*grid.edges) for grid in grids)
    sheet.line(edges, colors.line, 1)


def _what_comes_out(sheet: Sheet, place: Place, spans: tuple[Span, Span], next_: str) -> None:
    """What comes out at the right of the row that answers, and its way back to the row that waits beneath the last token."""
    colors, ((left, right), (x0, x1)), n = sheet.colors, spans, place.n
    top, bottom, end = (float(place.tops[n + k]) for k in (-1, 0, 1))
    y, gap, size = (top + bottom) / 2, min(3.0, place.tall / 8), 24.0 if place.tall >= 30 else 16.0
    sheet.frame(x0, min(top + gap, y - 12), x1, max(bottom - gap, y + 12), colors.decode, 2)
    sheet.write((x0 + x1) / 2, y, bold(short(next_, (x1 - x0) * sheet.wide - 6, size)), size, colors.decode)
    sheet.line(rectangle(left, bottom + gap, right, end - gap), colors.decode, 1.5, "dash")
    middle, to, low = (x0 + x1) / 2, (left + right) / 2, end + LOOP
    way = f"M{middle:.4f},{max(bottom - gap, y + 12):.1f}L{middle:.4f},{low:.1f}L{to:.4f},{low:.1f}L{to:.4f},{end + 5:.1f}"
    sheet.line(way, colors.decode, 2, "dash")
    half = 5 / sheet.wide
    sheet.path(f"M{to - half:.5f},{end + 7:.2f}L{to + half:.5f},{end + 7:.2f}L{to:.5f},{end:.2f}Z", colors.decode)


def _clusters(sheet: Sheet, spans: Sequence[Span], top: float) -> float:
    """A bracket beneath each part, and from it a line to where its lessons begin; on a phone its number. Returns where they end."""
    colors = sheet.colors
    for k, (left, right) in enumerate(spans):
        middle, to = (left + right) / 2, k / N_CLUSTERS + 12 / sheet.wide
        bracket = f"M{left:.4f},{top:.1f}L{left:.4f},{top + 7:.1f}L{right:.4f},{top + 7:.1f}L{right:.4f},{top:.1f}"
        sheet.line(bracket, colors.muted, 1.5)
        if sheet.phone:
            sheet.write(middle, top + 20, f"<b>{k + 1}</b>", 16)
        else:
            way = f"M{middle:.4f},{top + 7:.1f}L{middle:.4f},{top + 20:.1f}L{to:.4f},{top + 20:.1f}L{to:.4f},{top + DOWN:.1f}"
            sheet.line(way, colors.muted, 1.5)
    return top + (32 if sheet.phone else DOWN)
