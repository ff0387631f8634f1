"""The growing map: one row a token through cache and one head to the next word. What is old fades, but for keys and values, which are kept.

The word that comes out goes back, along the one orange line, into the row that waits beneath the newest. The room for rows to come is laid
out from the start, so that a new row moves none of the old ones.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.experiments.rows import Rows, rows_so_far
from engine.model import ForwardPass
from pages.lessons.decode.figures.passes import PassCells
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.grid import Box, Grid, capacity
from pages.parts.drawing.machine_rows import HEAD, LEAST, READ, Place, Span, cache_frame, token_boxes
from pages.parts.drawing.next_word import SPOILED, NextWord
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, rectangle, short, type_size
from pages.parts.text.digits import context_text
from pages.parts.text.format import percent

HEIGHT = 356.0  # pixels of the whole on a projector
FOOT = 38.0  # pixels beneath the rows
LOWEST, HIGHEST, PHONE_ROWS = 3.5, 64.0, 250.0  # pixels of a row, and on a phone of all
OLD = 0.4  # of its colour is left of what is not computed again
MOST_THREADS = 16  # rows to each of which a line leads
WIDEST = 110.0  # pixels of a cell
OTHERS, LINE = 4, 30.0  # words that might have come that are named at most, and pixels of one
WORD, PHONE_WORD = 54.0, 50.0  # pixels of the next word's box
MIN_WIDTH = 700  # with less, numbers outgrow their cells: the figure scrolls instead
Taken = tuple[tuple[int, int], tuple[int, int]] | tuple[()]


class Columns(NamedTuple):
    """From where to where each column goes, in shares of the width."""

    tokens: Span = (0.004, 0.115)
    keys: Span = (0.147, 0.215)
    values: Span = (0.222, 0.268)
    weights: Span = (0.305, 0.665)
    context: Span = (0.695, 0.785)
    word: Span = (0.825, 0.997)


WIDE = Columns()
PHONE = Columns((0.01, 0.23), (0.265, 0.385), (0.4, 0.49), (0.53, 0.99), (0.74, 0.94), (0.01, 0.66))


def growing_map(
    sheet: Sheet,
    passes: Sequence[ForwardPass],
    words: Sequence[str],
    head: tuple[int, str],
    next_: NextWord,
    taken: Taken = (),
    coming: ForwardPass | None = None,
) -> SheetFigure:
    """Keys, values, weights of all rows so far, the newest row's context, and the next word.

    passes: prefill, then a decode step each; words: (n,); head: the one that is drawn, and its name. A cell of the prompt's square
    that the mask hides is a hole; what did not exist when a row was computed stays blank. taken: the rows that the word which goes in
    takes, and those that were guessed, from one up to another; none as long as that is asked. coming: the pass of that word, once it is
    told that it is one row, of which the key and the value stand in the cache then."""
    at = PHONE if sheet.on_phone() else WIDE
    rows, n = rows_so_far(passes), len(words)
    place = _place(sheet, passes, n, rows.n_new)
    fresh = place.color(sheet, n - 1)
    if place.fresh:
        sheet.bar(0, place.tops[n - 1], 1 if sheet.phone else at.context[1], place.tops[n], faded(sheet.colors, fresh, 0.14))
    waits = next_.strong is not None and n + 1 < len(place.tops)
    said_to = _cache(sheet, (coming or passes[-1], bool(coming)), place, at, waits)
    token_boxes(sheet, place, words, at.tokens, range(place.fresh, n), sheet.wide)
    grid = _weights(sheet, rows, place, head, at)
    box = _context(sheet, rows, head[0], float(grid.x[-1]), at.context, _lane(sheet, place, at, at.context))
    lane = _lane(sheet, place, at, at.word)
    _next_word(sheet, next_, place, lane, (at.word, box))
    if waits:
        word = next_.words[next_.strong], bool(coming), not taken and len(passes) == 1
        _waits(sheet, place, at, word, float(grid.x[-1] + grid.wide))
        _goes_back(sheet, place, at, lane)
    _mark_rows_taken(sheet, place, taken, (at.tokens[0], at.values[1] + 8 / sheet.wide), said_to)
    if sheet.phone:
        return sheet.figure(lane[1] + 8 + (LINE if next_.probs is None or len(next_.words) > 1 else 0))
    return sheet.figure(max(float(place.tops[-1]) + FOOT, 250), min_width=MIN_WIDTH)


def _place(sheet: Sheet, passes: Sequence[ForwardPass], n: int, n_new: int) -> Place:
    """Where the rows lie beneath the head, those that wait or are newest high enough to be read."""
    prompt = passes[0].n_new
    if sheet.phone:
        room = max(prompt + 1, n + 1)
        heights = np.full(room, float(np.clip(PHONE_ROWS / room, 14, 40)))
    else:
        room, height = capacity(n + 1, prompt), HEIGHT + sheet.spare - HEAD - FOOT
        tall = sheet.row(HEIGHT - HEAD - FOOT, room, LOWEST, HIGHEST)
        heights = np.full(room, tall if tall >= READ else max(LOWEST, (height - 2 * READ) / max(1, room - 2)))
        heights[n - 1 : n + 1] = max(tall, READ)
    return Place(HEAD + np.concatenate([[0], np.cumsum(heights)]), float(heights.min()), n, prompt, n - n_new)


def _lane(sheet: Sheet, place: Place, at: Columns, across: Span) -> tuple[float, float]:
    """From where to where the next word and the context go that leads to it: on the newest row, on a phone beneath all."""
    if sheet.phone:
        top = float(place.tops[-1]) + 30
        return top, top + PHONE_WORD
    high = WORD if across == at.word else float(np.clip(place.tops[place.n] - place.tops[place.n - 1], READ, WORD))
    middle = max(place.middle(place.n - 1), HEAD + high / 2)
    return middle - high / 2, middle + high / 2


def _mark_rows_taken(sheet: Sheet, place: Place, taken: Taken, across: Span, said_to: float) -> None:
    """The right rows and the guessed ones, named beneath them, behind what is `said_to` there; a row that is not drawn has no mark."""
    right, after = taken[0] if taken else None, max(across[1] + 10 / sheet.wide, said_to + 24 / sheet.wide)
    for rows in dict.fromkeys(taken):
        if 0 <= (start := rows[0]) < (stop := rows[1]) < len(place.tops):
            apart = 4 / sheet.wide  # outside the dashed box of a row that waits
            box = across[0] - apart, float(place.tops[start]) - 2, across[1] + apart, float(place.tops[stop]) + 2
            beneath = after, float(place.tops[min(place.n + 1, len(place.tops) - 1)]) + 16, "middle right"
            outline(sheet, box, rows == right, rows == taken[1], beneath, YOURS * (rows == taken[1] and not sheet.phone))


def _cache(sheet: Sheet, run: tuple[ForwardPass, bool], place: Place, at: Columns, waits: bool) -> float:
    """The frame that keeps keys and values, and lines from the newest row to what it reads; returns where its name beneath it ends.
    run: the newest pass, and whether it has a row more; waits: whether there is a row that waits."""
    n, (newest, more) = place.n, run
    bottom = float(place.tops[n + waits]) + 6
    left, _ = cache_frame(sheet, newest.layers[0], 0, place._replace(n=n + more), (at.keys, at.values), bottom, sheet.wide)
    read = place.fresh
    kept = "" if more else f"{n} kept" if not read else f"{read} read, {n - read} new"
    if sheet.phone:
        return 0.0
    sheet.write(left, bottom + 11, f"<b>KV cache</b> {kept}", 14, sheet.colors.muted, "middle right")
    if read > 0 and n <= MOST_THREADS:
        x0, x1, y = at.tokens[1] + 0.003, left, place.middle(n - 1)
        ends = [place.middle(i) for i in range(n)]
        paths = [f"M{x0:.5f},{y:.2f}C{x0 + 0.012:.5f},{y:.2f} {x1 - 0.012:.5f},{end:.2f} {x1:.5f},{end:.2f}" for end in ends]
        sheet.line("".join(paths), sheet.colors.decode, 1.3)
    return left + 14 * (bold_ems("KV cache ") + ems(kept)) / sheet.wide


def _weights(sheet: Sheet, rows: Rows, place: Place, head: tuple[int, str], at: Columns) -> Grid:
    """The weights of the head, with room for one column more; returns where they lie."""
    colors, n, drawn, (h, name), (left, right) = sheet.colors, place.n, PassCells(), head, at.weights
    grid = place.grid((left, left + n * min((right - left) / (n + 1), WIDEST / sheet.wide)), n)
    sheet.write(left, HEAD - 14, bold(short(name, (right - left) * sheet.wide, 15)), 15, anchor="middle right")
    drawn.hide(rows, h, grid.rows(0, place.prompt), place.prompt)
    for first, last in ((0, min(place.prompt, place.fresh)), (place.prompt, place.fresh)):
        if last > first:
            drawn.add(sheet, rows, h, first, grid.rows(first, last), faded(colors, place.color(sheet, first), OLD))
    fresh = place.color(sheet, n - 1)
    drawn.add(sheet, rows, h, place.fresh, grid.rows(place.fresh, n), fresh)
    drawn.draw(sheet, lines=place.tall >= LEAST)
    sheet.frame(*grid.rows(n - 1, n).edges, fresh, 2.5)
    return grid


def _context(sheet: Sheet, rows: Rows, h: int, begin: float, across: Span, lane: tuple[float, float]) -> Box:
    """What the newest row gives, in a box; returns where that is. begin: where the row ends."""
    (left, right), (top, bottom) = across, lane
    text = "none" if rows.empty[h, -1] else context_text(rows.context[h, -1], rows.largest[h, -1])
    size = type_size(text, (right - left) * sheet.wide - 8, min(28.0, 0.7 * (bottom - top)))
    title = top - 13 if sheet.phone else HEAD - 14
    sheet.write((left + right) / 2, title, "<b>context</b>", 15)
    sheet.write((left + right) / 2, (top + bottom) / 2, bold(text), size)
    sheet.frame(left, top, right, bottom, sheet.colors.ink, 2)
    if not sheet.phone:
        sheet.line(f"M{begin:.5f},{(top + bottom) / 2:.2f}H{left:.5f}", sheet.colors.muted, 2)
    return left, top, right, bottom


def _next_word(sheet: Sheet, next_: NextWord, place: Place, lane: tuple[float, float], at: tuple[Span, Box]) -> None:
    """The word that comes out, filled as far as its chance goes, and small the likeliest of the others; at: its column, and the context's
    box, from which it comes."""
    colors, (top, bottom), ((left, right), context) = sheet.colors, lane, at
    y, (start, end) = (top + bottom) / 2, ((context[0], right) if sheet.phone else (context[2], left))
    title = (left + 0.2, top - 13) if sheet.phone else (left, HEAD - 14)
    sheet.write(*title, "<b>next word</b>", 15, anchor="middle right")
    sheet.line(f"M{start:.5f},{y:.2f}H{end:.5f}", colors.muted, 2)
    if next_.probs is None:
        for k, text in enumerate(SPOILED):
            x, line = (k * 0.47, bottom + 16) if sheet.phone else (left, HEAD + 12 + 18 * k)
            sheet.write(x, line, text, 13, colors.muted, "middle right")
    if next_.strong is None:
        return
    word, said = next_.words[next_.strong], ""
    if next_.probs is not None:
        chance = float(next_.probs[next_.strong])
        said = percent(chance)
        sheet.bar(left, top, left + chance * (right - left), bottom, faded(colors, colors.decode, 0.25))
        _others(sheet, next_, place, lane, left)
    sheet.frame(left, top, right, bottom, colors.decode, 2.5)
    room = (right - left) * sheet.wide - 30 - 18 * bold_ems(said)
    size = type_size(word, room, 22.0, 16.0)
    sheet.write(left + 10 / sheet.wide, y, bold(short(word, room, size, strong=True)), size, anchor="middle right")
    sheet.write(right - 10 / sheet.wide, y, bold(said), 18, anchor="middle left")


def _others(sheet: Sheet, next_: NextWord, place: Place, lane: tuple[float, float], left: float) -> None:
    """Above the word, or beneath it where there is more room, the words that might have come instead; on a phone beneath it in a line."""
    top, bottom = lane
    above, beneath = top - HEAD, float(place.tops[-1]) - bottom
    fits = 2 if sheet.phone else min(OTHERS, int(max(above, beneath) / LINE))
    shown = next_.likeliest(fits + 1)
    others = [k for k, _ in enumerate(shown.words) if k != shown.strong]
    if sheet.phone:
        for k, w in enumerate(others):
            text = f"{short(shown.words[w], 95, 14)} {percent(shown.probs[w])}"
            sheet.write(0.01 + 0.5 * k, bottom + 18, text, 14, sheet.colors.muted, "middle right")
        return
    first, start = (HEAD + 8, left) if above >= beneath else (bottom + 20, left + 24 / sheet.wide)
    for k, w in enumerate(others):
        y, said = first + k * LINE, percent(shown.probs[w])
        room = (WIDE.word[1] - start) * sheet.wide - 14 * ems(said) - 14
        sheet.write(start, y, short(shown.words[w], room, 14), 14, sheet.colors.muted, "middle right")
        sheet.write(WIDE.word[1], y, said, 14, sheet.colors.muted, "middle left")
        sheet.share_bar((start, y + 10, WIDE.word[1], y + 14), shown.probs[w], sheet.colors.bar)


def _waits(sheet: Sheet, place: Place, at: Columns, word: tuple[str, bool, bool], end: float) -> None:
    """The row that waits beneath the last, empty through all columns but for its word. word: it, whether it has come, and whether it is
    asked what it takes; end: where a row of weights with one column more ends."""
    colors, (said, there, asked), n = sheet.colors, word, place.n
    gap = min(3.0, place.tall / 6)
    top, bottom = float(place.tops[n]) + gap, float(place.tops[n + 1]) - gap
    kept = [] if there else [at.keys, at.values]
    spans = [*kept, (at.weights[0], end), *([] if sheet.phone else [at.context])]
    for left, right in [*([] if there else [at.tokens]), *spans]:
        sheet.line(rectangle(left, top, right, bottom), colors.decode, 1.5, "dash")
    left, right = at.tokens
    if there:
        sheet.bar(left, top, right, bottom, colors.decode)
    size = max(LEAST, min(18.0, 0.6 * (bottom - top)))
    text = short(said, (right - left) * sheet.wide - 12, size)
    ink = ink_on(colors.decode) if there else colors.decode
    sheet.write(left + 8 / sheet.wide, (top + bottom) / 2, bold(text), size, ink, "middle right")
    if asked:
        large = max(16.0, min(40.0, 0.9 * (bottom - top)))
        sheet.write((at.weights[0] + end) / 2, (top + bottom) / 2, "<b>?</b>", large, colors.decode)


def _goes_back(sheet: Sheet, place: Place, at: Columns, lane: tuple[float, float]) -> None:
    """The way of the word that came out, from its box to the row that waits for it."""
    colors, (left, right) = sheet.colors, at.tokens
    middle, half, end = (left + right) / 2, 6 / sheet.wide, float(place.tops[place.n + 1])
    start, low = at.word[0] + 10 / sheet.wide, float(place.tops[-1]) + 29
    way = f"M{middle:.4f},{lane[0]:.1f}" if sheet.phone else f"M{start:.4f},{lane[1]:.1f}V{low:.1f}H{middle:.4f}"
    sheet.line(f"{way}V{end + 11:.1f}", colors.decode, 3)
    sheet.path(f"M{middle - half:.5f},{end + 12:.2f}H{middle + half:.5f}L{middle:.5f},{end + 2:.2f}Z", colors.decode)
