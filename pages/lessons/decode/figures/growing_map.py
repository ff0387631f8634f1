"""The growing map: one row a token through cache and heads. What is old fades, but for keys and values, which are kept.

The newest row stands in a band of its own; its word goes back to the row that waits beneath. The room for rows to come is laid
out from the start, so that a new row moves none of the old ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.experiments.rows import Rows, rows_so_far
from engine.model import ForwardPass
from pages.lessons.decode.figures.passes import MIN_WIDTH, PassCells
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.machine_rows import HEAD, LEAST, READ, Place, cache_frame, token_boxes
from pages.parts.drawing.next_word import BAR_END, FIRST, NextWord, next_word, next_word_beneath, strong_beneath, word_at
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, capacity, rectangle, short
from pages.parts.text.digits import context_text

TOKENS, KEYS, VALUES, HEADS, RESULT = (0.01, 0.098), (0.126, 0.178), (0.184, 0.219), (0.246, 0.812), 0.83  # shares of the width
# On a phone one head stands beside the cache, and the next word beneath.
PHONE_TOKENS, PHONE_KEYS, PHONE_VALUES, PHONE_HEAD = (0.02, 0.22), (0.27, 0.42), (0.44, 0.54), (0.61, 0.99)
HEIGHT = 356.0  # pixels of the whole on a projector
FOOT, LANE = 38.0, 20.0  # pixels beneath the row that waits, and on a phone beneath the cache
LOWEST, HIGHEST = 3.5, 64.0  # pixels of a row
MOST_STEP = 104.0  # pixels of a next word
OLD = 0.4  # of its colour is left of what is not computed again
WIDEST, ALONE = 46.0, 92.0  # pixels of a cell, and of one where a single head is drawn
MOST_THREADS = 16  # rows to each of which a line leads
Taken = tuple[tuple[int, int], tuple[int, int]] | tuple[()]


def growing_map(
    sheet: Sheet,
    passes: Sequence[ForwardPass],
    words: Sequence[str],
    heads: Mapping[int, str],
    next_: NextWord,
    taken: Taken = (),
    coming: ForwardPass | None = None,
) -> SheetFigure:
    """Keys, values, weights of all rows so far, the newest row's contexts, and the chance of each next word.

    passes: prefill, then a decode step each; words: (n,); heads: the names of those that are drawn. A cell of the prompt's square
    that the mask hides is a hole; what did not exist when a row was computed stays blank. taken: the rows that the word which goes in
    takes, and those that were guessed, from one up to another; none as long as that is asked. coming: the pass of that word, once it is
    told that it is one row, of which the key and the value stand in the cache then."""
    if sheet.on_phone():
        return _narrow(sheet, passes, words, heads, next_, (taken, coming))
    rows, n, height = rows_so_far(passes), len(words), HEIGHT + sheet.spare
    room = capacity(n + 1, passes[0].n_new)
    tall = sheet.row(HEIGHT - HEAD - FOOT, room, LOWEST, HIGHEST)
    heights = np.full(room, tall if tall >= READ else max(LOWEST, (height - HEAD - FOOT - 2 * READ) / max(1, room - 2)))
    heights[n - 1 : n + 1] = max(tall, READ)
    place = _rows_place(heights, n, passes[0].n_new, n - rows.n_new)
    fresh = place.color(sheet, n - 1)
    if place.fresh:
        sheet.bar(0, place.tops[n - 1], RESULT - 0.012, place.tops[n], faded(sheet.colors, fresh, 0.14))
    _cache(sheet, coming or passes[-1], place, bool(coming))
    _passes(sheet, place)
    token_boxes(sheet, place, words, TOKENS, range(place.fresh, n))
    _heads(sheet, rows, place, heads)
    step = min(MOST_STEP, 0.86 * (float(place.tops[-1]) - FIRST) / len(next_.words))
    if next_.strong is not None and n + 1 < len(place.tops):
        _waits(sheet, place, next_.words[next_.strong], word_at(next_.strong, step), bool(coming))
    _mark_rows_taken(sheet, place, taken, (TOKENS[0], VALUES[1] + 8 / WIDTH))
    next_word(sheet, next_, RESULT, step, top=12)
    return sheet.figure(max(float(place.tops[-1]) + FOOT, 250), min_width=MIN_WIDTH)


def _rows_place(heights: np.ndarray, n: int, n_prompt: int, fresh: int) -> Place:
    """Where rows of such heights lie beneath the head."""
    return Place(HEAD + np.concatenate([[0], np.cumsum(heights)]), float(heights.min()), n, n_prompt, fresh)


def _mark_rows_taken(sheet: Sheet, place: Place, taken: Taken, across: tuple[float, float]) -> None:
    """The right rows and the guessed ones, in one line beneath them where there is room; a row that is not drawn has no mark."""
    right = taken[0] if taken else None
    for rows in dict.fromkeys(taken):
        start, stop = rows
        if 0 <= start < stop < len(place.tops):
            apart = 4 / sheet.wide  # outside the dashed box of a row that waits
            box = across[0] - apart, float(place.tops[start]) - 2, across[1] + apart, float(place.tops[stop]) + 2
            beneath = across[1] + 8 / WIDTH, float(place.tops[min(place.n + 1, len(place.tops) - 1)]) + 16, "middle right"
            outline(sheet, box, rows == right, rows == taken[1], beneath, YOURS * (rows == taken[1] and not sheet.phone))


def _narrow(
    sheet: Sheet, passes: Sequence[ForwardPass], words: Sequence[str], heads: Mapping[int, str], next_: NextWord, told: tuple
) -> SheetFigure:
    """The same for a phone: tokens, keys and values, one head, and beneath them every head's newest row and context and the next word.
    told: the rows that are taken, and the pass to come."""
    taken, coming = told
    rows, n = rows_so_far(passes), len(words)
    room, h = max(passes[0].n_new + 2, n + 1), max(heads)
    place = _rows_place(np.full(room, max(14.0, min(34.0, 200 / room))), n, passes[0].n_new, n - rows.n_new)
    fresh, bottom, drawn = place.color(sheet, n - 1), float(place.tops[-1]) + 6, PassCells()
    if place.fresh:
        sheet.bar(0, place.tops[n - 1], 1, place.tops[n], faded(sheet.colors, fresh, 0.14))
    kept = (coming or passes[-1]).layers[0], 0, place._replace(n=n + bool(coming))
    cache_frame(sheet, *kept, (PHONE_KEYS, PHONE_VALUES), bottom, sheet.wide)
    token_boxes(sheet, place, words, PHONE_TOKENS, range(place.fresh, n), sheet.wide)
    _mark_rows_taken(sheet, place, taken, (PHONE_TOKENS[0], PHONE_VALUES[1] + 0.012))
    grid = place.grid(PHONE_HEAD, n)
    sheet.write(PHONE_HEAD[0], HEAD - 14, bold(short(heads[h], 130, 15)), 15, anchor="middle right")
    drawn.hide(rows, h, grid.rows(0, place.prompt), place.prompt)
    for first, last in ((0, min(place.prompt, place.fresh)), (place.prompt, place.fresh)):
        if last > first:
            drawn.add(sheet, rows, h, first, grid.rows(first, last), faded(sheet.colors, place.color(sheet, first), OLD))
    drawn.add(sheet, rows, h, place.fresh, grid.rows(place.fresh, n), fresh)
    sheet.frame(*grid.rows(n - 1, n).edges, fresh, 2)
    drawn.draw(sheet, lines=place.tall >= LEAST)
    end = bottom + LANE + (72 if len(heads) > 1 else 52)
    if next_.strong is not None:
        _waits_on_phone(
            sheet, place, f"{next_.words[next_.strong]}{'?' * (not coming)}", bottom, (end, strong_beneath(next_, end))
        )
    bottom += LANE
    each = 1 / len(heads)
    if len(heads) > 1:
        _newest_rows(sheet, rows, bottom + 26, fresh)
    for k, (head, name) in enumerate(heads.items()):
        text = "none" if rows.empty[head, -1] else context_text(rows.context[head, -1], rows.largest[head, -1])
        size = min(15.0, (each * sheet.wide - 6) / (0.55 * max(len(text), 2)))
        sheet.write(k * each, bottom + 16, short(name, each * sheet.wide - 6, 13), 13, sheet.colors.muted, "middle right")
        sheet.write(k * each, end - 16, bold(text), size, fresh, "middle right")
    return sheet.figure(next_word_beneath(sheet, next_, end))


def _newest_rows(sheet: Sheet, rows: Rows, top: float, color: str) -> None:
    """The newest row of every head side by side, small: what each context beneath is made of."""
    weights, each = rows.weights[:, -1], 1 / len(rows.weights)
    wide = each - 10 / sheet.wide
    grids = [Grid.of(h * each, top, (wide / len(row), 16.0), (1, len(row))) for h, row in enumerate(weights)]
    sheet.heatmap(
        *mosaic([(grid, row[None]) for grid, row in zip(grids, weights, strict=True)]), Scale((sheet.colors.surface, color))
    )
    sheet.line("".join(rectangle(*grid.edges) for grid in grids), faded(sheet.colors, color, OLD), 1)


def _waits_on_phone(sheet: Sheet, place: Place, word: str, bottom: float, beneath: tuple[float, float]) -> None:
    """On a phone the word goes round at the right, from its chance and through the lane under the cache, to its row. beneath: where the
    next words begin, and where that one stands."""
    colors, (left, right), lane, end = sheet.colors, PHONE_TOKENS, bottom + LANE / 2, 0.985
    top, low = float(place.tops[place.n]) + 2, float(place.tops[place.n + 1]) - 2
    sheet.line(rectangle(left, top, right, low), colors.decode, 1.5, "dash")
    size = min(15.0, 0.8 * (low - top))
    text = short(word, (right - left) * sheet.wide - 8, size)
    sheet.write(left + 4 / sheet.wide, (top + low) / 2, bold(text), size, colors.decode, "middle right")
    middle, half = (left + right) / 2, 5 / sheet.wide
    (top, y), start = beneath, BAR_END + 0.008
    way = f"M{start:.4f},{y:.1f}H{start + 0.035:.4f}V{top + 4:.1f}H{end:.4f}V{lane:.1f}H{middle:.4f}V{low + 8:.1f}"
    sheet.line(way, colors.decode, 1.8, "dash")
    head = f"M{middle - half:.5f},{low + 9:.2f}L{middle + half:.5f},{low + 9:.2f}L{middle:.5f},{low + 1:.2f}Z"
    sheet.path(head, colors.decode)


def _passes(sheet: Sheet, place: Place) -> None:
    """A bar at the left for each pass that computed rows."""
    gap = min(2.0, place.tall / 8)
    for first, last, color in ((0, place.prompt, sheet.colors.prefill), (place.prompt, place.n, sheet.colors.decode)):
        passes = [(first, last)] if first == 0 else [(i, i + 1) for i in range(first, last)]
        sheet.bars([(0, place.tops[i] + gap, 0.005, place.tops[j] - gap) for i, j in passes if j > i], color)


def _cache(sheet: Sheet, run: ForwardPass, place: Place, more: bool) -> None:
    """The frame that keeps keys and values; lines from the newest row to what it reads. more: whether the pass has a row more."""
    n, bottom = place.n, float(place.tops[-1]) + 6
    left, _ = cache_frame(sheet, run.layers[0], 0, place._replace(n=n + more), (KEYS, VALUES), bottom)
    gap = min(3.0, place.tall / 6)
    places = [
        rectangle(x0, place.tops[i] + gap, x1, place.tops[i + 1] - gap)
        for x0, x1 in (KEYS, VALUES)
        for i in range(n + more, len(place.tops) - 1)
    ]
    sheet.line("".join(places), sheet.colors.bar, 1, "dot")
    read = place.fresh
    kept = "" if more else f"{n} kept" if not read else f"{read} read, {n - read} new"
    sheet.write(left, bottom + 10, f"<b>KV cache</b> {kept}", 13, sheet.colors.muted, "middle right")
    if read > 0 and n <= MOST_THREADS:
        x0, x1, y = TOKENS[1] + 0.003, left, place.middle(n - 1)
        ends = [place.middle(i) for i in range(n)]
        paths = [f"M{x0:.5f},{y:.2f}C{x0 + 0.012:.5f},{y:.2f} {x1 - 0.012:.5f},{end:.2f} {x1:.5f},{end:.2f}" for end in ends]
        sheet.line("".join(paths), sheet.colors.decode, 1.3)


def _heads(sheet: Sheet, rows: Rows, place: Place, heads: Mapping[int, str]) -> None:
    """All heads side by side on the same rows; beneath each what its newest row gives."""
    colors, n, drawn = sheet.colors, place.n, PassCells()
    block = (HEADS[1] - HEADS[0]) / len(heads)
    gap = min(0.017, 0.16 * block)
    fresh, below = place.color(sheet, n - 1), float(place.tops[n])
    widest = WIDEST if len(heads) > 1 else ALONE
    for k, (h, name) in enumerate(heads.items()):
        left = HEADS[0] + k * block
        right = left + min(block - gap, n * widest / WIDTH)
        grid = place.grid((left, right), n)
        sheet.write(left, HEAD - 14, bold(short(name, (right - left) * WIDTH, 15)), 15, anchor="middle right")
        drawn.hide(rows, h, grid.rows(0, place.prompt), place.prompt)
        for first, last in ((0, min(place.prompt, place.fresh)), (place.prompt, place.fresh)):
            if last > first:
                drawn.add(sheet, rows, h, first, grid.rows(first, last), faded(colors, place.color(sheet, first), OLD))
        drawn.add(sheet, rows, h, place.fresh, grid.rows(place.fresh, n), fresh)
        sheet.frame(*grid.rows(n - 1, n).edges, fresh, 2)
        text = "none" if rows.empty[h, -1] else context_text(rows.context[h, -1], rows.largest[h, -1])
        roomy = (right - left) * WIDTH > 90
        if roomy:
            sheet.write(left, below + 16, "context", 13, colors.muted, "middle right")
        sheet.write(right, below + 16, bold(text), 20 if roomy else 14, fresh, "middle left")
    drawn.draw(sheet, lines=place.tall >= LEAST)


def _waits(sheet: Sheet, place: Place, word: str, start: float, there: bool) -> None:
    """The word that came out goes round, from where it is written, `start` pixels down, to the row that waits for it beneath the last.
    there: whether it has come."""
    colors, (left, right) = sheet.colors, TOKENS
    top, bottom = place.tops[place.n] + 3, place.tops[place.n + 1] - 2
    if there:
        sheet.bar(left, top, right, bottom, colors.decode)
    else:
        sheet.line(rectangle(left, top, right, bottom), colors.decode, 1.5, "dash")
    size, ink = place.readable(16.0)[-1][1], ink_on(colors.decode) if there else colors.decode
    text = short(f"{word}{'?' * (not there)}", (right - left - 0.012) * WIDTH, size)
    sheet.write(left + 0.008, (top + bottom) / 2, bold(text), size, ink, "middle right")
    middle, end, loop = (left + right) / 2, RESULT - 0.009, max(float(place.tops[-1]) + 29, start + 10)
    way = f"M{RESULT - 0.003:.4f},{start:.1f}H{end:.4f}V{loop:.1f}H{middle:.4f}V{bottom + 9:.1f}"
    sheet.line(way, colors.decode, 1.8, "dash")
    half = 5 / WIDTH
    sheet.path(
        f"M{middle - half:.5f},{bottom + 10:.2f}L{middle + half:.5f},{bottom + 10:.2f}L{middle:.5f},{bottom + 2:.2f}Z",
        colors.decode,
    )
