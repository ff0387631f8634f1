"""All that a pass makes of each token, column by column: query, key, value, weights; and the row of the word that is to come.

Once it is said what is kept, keys and values stand in their frame, and of the rest only outlines are left.
"""

from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from engine.experiments.rows import Rows
from pages.parts.drawing.answers import Asked, answer_part, hint
from pages.parts.drawing.cells import cells, holes, shares, write_in
from pages.parts.drawing.grid import Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.machine_rows import BOXED, HEAD, LEAST, Place, cache_frame, token_boxes
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, plain, rectangle, short

HEIGHT, FOOT = 336.0, 54.0  # pixels of the whole on a projector, and beneath the row that waits
LOWEST, HIGHEST = 3.5, 62.0  # pixels of a row


class Columns(NamedTuple):
    """From where to where each column goes, in shares of the width."""

    tokens: tuple[float, float] = (0.004, 0.125)
    query: tuple[float, float] = (0.17, 0.33)
    key: tuple[float, float] = (0.38, 0.54)
    value: tuple[float, float] = (0.585, 0.65)
    weights: tuple[float, float] = (0.7, 0.998)


WIDE = Columns()
PHONE = Columns((0.01, 0.225), (0.285, 0.415), (0.485, 0.605), (0.665, 0.755), (0.82, 0.995))


class Made(NamedTuple):
    """What was made. words: of all tokens, the one to come last. queries: (n, d_head) of one head, called `name`, and rows: of all.

    layer: of the newest pass, with every key and value.
    """

    words: tuple[str, ...]
    n_prompt: int
    layer: Attention
    head: int
    name: str
    queries: np.ndarray
    rows: Rows


def what_to_keep(sheet: Sheet, made: Made, answered: bool, asked: Asked) -> SheetFigure:
    """A column a kind, a row a token. answered: whether it shows what is kept; asked: the query, the keys with the values, and the
    weights can be pressed."""
    at = PHONE if sheet.on_phone() else WIDE
    n, colors = len(made.words) - 1, sheet.colors
    tall = sheet.row(HEIGHT - HEAD - FOOT, n + 1, LOWEST, HIGHEST)
    place = Place(HEAD + tall * np.arange(n + 2), tall, n, min(made.n_prompt, n), 0)
    bottom = float(place.tops[-1])
    framed = answered and not asked.names  # else the answer’s own outline is the frame
    cache_frame(sheet, made.layer, made.head, place, (at.key, at.value), bottom + 6 if framed else None, sheet.wide)
    token_boxes(sheet, place, made.words[:-1], at.tokens, range(n), sheet.wide)
    _queries(sheet, made, place, at.query, answered)
    _weights(sheet, made, place, at.weights, answered)
    _to_come(sheet, made, place, at, answered)
    said = (
        (at.query, "used once"),
        (at.key, "<b>kept</b>" if sheet.phone else "<b>kept: the KV cache</b>"),
        (at.weights, "used once"),
    )
    for across, text in said if answered else ():
        sheet.write(across[0], bottom + 22, text, 14, colors.ink if "kept" in text else colors.muted, "middle right")
    if asked.names:
        top, beneath, aside = HEAD, bottom + 44, 0.0 if sheet.phone else 6 / sheet.wide
        # Round what is said beneath, where there is room.
        end = bottom + 33 if answered and not sheet.phone else float(place.tops[n])
        hint(sheet, asked, 1, bottom + 22)
        for k, (left, right) in enumerate((at.query, (at.key[0], at.value[1]), at.weights)):
            answer_part(sheet, asked, k, (left - aside, top, right + aside, end), ((left + right) / 2, beneath, "middle center"))
    said = f"Kept for later words: {'key and value' if answered else '?'}"
    return under_headline(sheet, said).figure(bottom + FOOT, min_width=640)


def _queries(sheet: Sheet, made: Made, place: Place, across: tuple[float, float], gone: bool) -> None:
    """Each token's query in its colour; empty places, once it is said that none is kept."""
    colors, n = sheet.colors, place.n
    sheet.write(across[0], HEAD - 14, "<b>query</b>", 15, colors.query, "middle right")
    if gone:
        _empty_places(sheet, place, across)
        return
    lit = np.maximum(made.queries, 0)
    used = min(
        lit.shape[1], max(1, int(np.flatnonzero(made.layer.k[made.layer.kv_head(made.head)].any(axis=0)).max(initial=0)) + 1)
    )
    tint = Scale((faded(colors, colors.query, 0.12), colors.query))
    cells(sheet, place.grid(across, used, 0, n), lit[:, :used] / (lit.max() or 1), tint, hover=False)


def _weights(sheet: Sheet, made: Made, place: Place, across: tuple[float, float], gone: bool) -> None:
    """Each row's weights; empty places, once it is said that none is kept."""
    colors, n = sheet.colors, place.n
    title = "<b>weights</b>" + f" of head {plain(made.name)}" * (not sheet.phone)
    sheet.write(across[0], HEAD - 14, title, 15, anchor="middle right")
    if gone:
        _empty_places(sheet, place, across)
        return
    grid, z = place.grid(across, n, 0, n), made.rows.weights[made.head]
    sheet.path(holes(grid, made.rows.hidden[made.head], 0.5 if place.tall >= LEAST else 0), colors.hole)
    for first, last in ((0, place.prompt), (place.prompt, n)):
        if last > first:
            scale, some = Scale((colors.surface, place.color(sheet, first))), grid.rows(first, last)
            sheet.heatmap(some, z[first:last], scale, lines=place.tall >= LEAST)
            if written := shares(z[first:last], grid.wide * sheet.wide, grid.tall):
                empty = made.rows.empty[made.head, first:last]
                written.words[empty] = ""
                written.words[empty, 0] = "none"
                write_in(sheet, some, written, scale.inks(z[first:last]))


def _empty_places(sheet: Sheet, place: Place, across: tuple[float, float]) -> None:
    """Where something was that is not kept: pale, for an outline means an answer here."""
    gap, color = min(3.0, place.tall / 6), faded(sheet.colors, sheet.colors.hole, 0.5)
    sheet.bars([(across[0], place.tops[i] + gap, across[1], place.tops[i + 1] - gap) for i in range(place.n)], color)


def _to_come(sheet: Sheet, made: Made, place: Place, at: Columns, answered: bool) -> None:
    """The row of the word that comes next; once it is said what is kept, a line from its query to each key."""
    colors, n, gap = sheet.colors, place.n, min(3.0, place.tall / 6)
    top, end = float(place.tops[n]) + gap, float(place.tops[n + 1]) - gap
    y, size = place.middle(n), max(LEAST, min(16.0, 0.6 * place.tall))
    for left, right in (at.tokens, at.query, at.key, at.value, at.weights) if answered else (at.tokens,):
        sheet.line(rectangle(left, top, right, end), colors.decode, 1.5, "dash")
    if answered:
        _reads(sheet, place, at.query[1], (at.key, at.value))
    else:
        sheet.line(rectangle(at.query[0], top, at.weights[1], end), colors.decode, 1.5, "dash")
        sheet.write((at.query[0] + at.weights[1]) / 2, y, bold("?"), max(16.0, min(44.0, 0.9 * (end - top))), colors.decode)
    room = (at.tokens[1] - at.tokens[0]) * sheet.wide - 10
    if place.tall >= BOXED:
        word = bold(short(made.words[-1], room, size))
        sheet.write(at.tokens[0] + 6 / sheet.wide, y, word, size, colors.decode, "middle right")


def _reads(sheet: Sheet, place: Place, start: float, columns: tuple[tuple[float, float], ...]) -> None:
    """From the new row to every old row of these columns: a line up at the left of each, with an arrow into every row."""
    color, n, foot = sheet.colors.decode, place.n, float(place.tops[place.n]) + 1
    half, tip = min(6.0, 0.3 * place.tall), min(9.0, 0.4 * place.tall) / sheet.wide
    aside = 0.014 + tip
    rails = [left - aside for left, _ in columns]
    rows = [place.middle(i) for i in range(n)]
    ways = [f"M{start:.5f},{place.middle(n):.1f}H{rails[0]:.5f}V{rows[0]:.1f}", f"M{rails[0]:.5f},{foot:.1f}H{rails[-1]:.5f}"]
    ways += [f"M{x:.5f},{foot:.1f}V{rows[0]:.1f}" for x in rails[1:]]
    ways += [f"M{x:.5f},{y:.1f}H{left - tip:.5f}" for x, (left, _) in zip(rails, columns, strict=True) for y in rows]
    sheet.line("".join(ways), color, 2.5 if place.tall >= LEAST else 1.2)
    points = [
        f"M{left - tip:.5f},{y - half:.2f}V{y + half:.2f}L{left - 2 / sheet.wide:.5f},{y:.2f}Z"
        for left, _ in columns
        for y in rows
    ]
    sheet.path("".join(points), color)
