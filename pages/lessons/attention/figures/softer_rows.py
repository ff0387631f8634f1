"""What softmax makes of one row's scores: bars of the scores and of the weights that they become, of the scores as they are and of
lower ones beneath, so that one sees by how much less the largest stands out."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, SOUGHT, YOURS, Asked, ends_to_find
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, ems, plain, rectangle, short, type_size
from pages.parts.text.format import number

# Shares of the width. On a phone the name of each row stands above it.
NAME = 0.1  # where a row's name ends
SCORES = (0.12, 0.38)  # where they begin and end
WEIGHTS = (0.46, 0.77)  # where they begin and end
CONTEXT = 0.82  # where it begins
PHONE_SCORES = (0.0, 0.32)
PHONE_WEIGHTS = (0.4, 0.76)
PHONE_CONTEXT = 0.79
BAR_OF_CONTEXT = 0.05  # of the width
HEAD, NAMED = 50.0, 26.0  # pixels above the rows, and of a row's name on a phone
BAND, ASKED_BAND = 256.0, 304.0  # of both rows on a projector, with a slider above them and without
LOWEST, HIGHEST = 88.0, 190.0  # pixels of a row
TEXT, LEAST = 17.0, 12.5  # type sizes
FIRST = 0.6  # of its colour is left at the foot of a bar whose end is to be found
SIGNS = ("<b>↑</b> rises", "<b>↓</b> falls", "<b>=</b> stays")  # of the three answers


class SoftRow(NamedTuple):
    """The row of one head at one height of its scores. scores, weights: (n,); context: as it is written, "?" while it is asked for,
    and then no weight is shown; made: the number, of the other row as long as it is asked for."""

    name: str
    scores: np.ndarray
    weights: np.ndarray
    context: str
    made: float = 0.0


def softer_rows(
    sheet: Sheet, rows: tuple[SoftRow, SoftRow], words: Sequence[str], head: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """rows: with the scores as they are, and with others; the weights of the first stand behind those of the second as outlines.
    asked: whether the second context is more, less or the same; as long as it is, the second row's weights and context
    may be of any height."""
    narrow = sheet.on_phone()
    scores, weights = (PHONE_SCORES, PHONE_WEIGHTS) if narrow else (SCORES, WEIGHTS)
    left = PHONE_CONTEXT if narrow else CONTEXT
    tall, named = LOWEST + 8 if narrow else sheet.row(BAND if asked.known else ASKED_BAND, 2, LOWEST, HIGHEST), NAMED * narrow
    for (x, _), title in zip((scores, weights, (left, 1)), ("scores", "weights", "context"), strict=True):
        sheet.write(x, 10, bold(title), TEXT, anchor="middle right")
    if not narrow:
        sheet.write(0, 10, bold(short(head, NAME * WIDTH, TEXT)), TEXT, anchor="middle right")
        sheet.write((scores[1] + weights[0]) / 2, 10, "softmax →", TEXT, sheet.colors.muted)
    for span in (weights,) if narrow else (scores, weights):
        _words(sheet, span, words)
    most = max(float(np.abs(row.scores).max(initial=0)) for row in rows) or 1.0
    for k, row in enumerate(rows):
        top = HEAD + k * (tall + named) + named
        bottom = top + tall - 14
        middle = (top + bottom) / 2
        if narrow:
            sheet.write(0, top - 12, bold(row.name), TEXT, anchor="middle right")
        else:
            large_number(sheet, (0.0, NAME), middle, row.name)
        _scores(sheet, (scores[0], top, scores[1], bottom), row.scores, most)
        if row.context == "?":
            _to_find(sheet, (weights[0], top, weights[1], bottom), (left, top, 1.0, bottom), rows[0])
        else:
            _weights(sheet, (weights[0], top, weights[1], bottom), row, rows[0].weights if k else None)
            _context(sheet, asked if k else NOT_ASKED, row, (left, top, 1.0, bottom), [r.made for r in rows])
        sheet.bar(0, bottom + 6, 1, bottom + 7, sheet.colors.hole)
    return sheet.figure(HEAD + 2 * (tall + named), min_width=720, on_phone=300)


def _context(sheet: Sheet, asked: Asked, row: SoftRow, box: Box, both: Sequence[float]) -> None:
    """The context as a bar beside its number, of `both` rows on one scale; behind the second that of the first as an outline, and
    beneath it which way it went, and which was guessed."""
    (x0, y0, x1, y1), colors = box, sheet.colors
    wide, (low, high) = (0.0 if sheet.phone else BAR_OF_CONTEXT), (min(0.0, *both), max(0.0, *both))
    if wide and high > low:  # not where one is not a number
        per = (y1 - y0 - 20) / (high - low)
        zero = y1 + low * per
        end, before = zero - row.made * per, zero - both[0] * per
        sheet.bar(x0, min(zero, end), x0 + wide, max(zero, end), colors.value)
        if before not in (zero, end):
            sheet.line(rectangle(x0, min(zero, before), x0 + wide, max(zero, before)), colors.muted, 1.5, "dash", layer="above")
        sheet.bar(x0, zero - 0.75, x0 + wide, zero + 0.75, colors.muted)
    left = x0 + wide + 0.012 * bool(wide)
    y = (y0 + y1) / 2
    large_number(sheet, (left, x1), y, row.context, color=colors.muted if row.context == "none" else "")
    said = [f"<b>✓</b> {SIGNS[asked.names.index(asked.right)]}"] if asked.right in asked.names else []
    if asked.guess in asked.names:
        guessed = asked.guess == asked.right
        said = [f"{said[0]}, {YOURS}"] if guessed else [*said, f"{YOURS}: {SIGNS[asked.names.index(asked.guess)]}"]
    for k, line in enumerate(said):
        size = 13.0 if sheet.phone else 14.0
        sheet.write(left, y + 30 + 18 * k, line, size, colors.muted if k else colors.ink, "middle right")


def _to_find(sheet: Sheet, weights: Box, context: Box, before: SoftRow) -> None:
    """Weights and a context that may be of any height, each with that of the other row as an outline, and one question mark."""
    colors, (_, top, _, bottom), left = sheet.colors, weights, context[0]
    columns = _columns(weights, len(before.weights))
    ends_to_find(sheet, [(x0, top + 20, x1, bottom) for x0, x1 in columns], colors.prefill, FIRST, up=True)
    _outlines(sheet, columns, before.weights, (top, bottom))
    sheet.bar(weights[0], bottom - 0.75, weights[2], bottom + 0.75, colors.muted)
    if not sheet.phone:
        zero, end = (top, bottom) if before.made < 0 else (bottom, top)
        ends_to_find(sheet, [(left, end, left + BAR_OF_CONTEXT, zero)], colors.value, FIRST, up=True)
        sheet.bar(left, zero - 0.75, left + BAR_OF_CONTEXT, zero + 0.75, colors.muted)
        left += BAR_OF_CONTEXT + 0.012
    sheet.write(left, (top + bottom) / 2, "<b>?</b>", 1.4 * SOUGHT, anchor="middle right")


def _outlines(sheet: Sheet, columns: Sequence[tuple[float, float]], weights: np.ndarray, between: tuple[float, float]) -> None:
    """Where the weights of the other row end."""
    (top, bottom), shown = between, zip(columns, np.nan_to_num(weights), strict=True)
    if path := "".join(rectangle(x0, bottom - (bottom - top - 20) * w, x1, bottom) for (x0, x1), w in shown if w > 0.005):
        sheet.line(path, sheet.colors.muted, 1.5, "dash", layer="above")


def _columns(box: Box, n: int) -> list[tuple[float, float]]:
    """Left and right edge of n bars."""
    each = (box[2] - box[0]) / n
    return [(box[0] + (j + 0.12) * each, box[0] + (j + 0.88) * each) for j in range(n)]


def _words(sheet: Sheet, span: tuple[float, float], words: Sequence[str]) -> None:
    """The tokens above their weights, by number where there is no room for words."""
    pixels = (span[1] - span[0]) / len(words) * sheet.wide
    roomy = max(map(ems, words)) * (LEAST + 2.5) < pixels
    every = 1 if pixels > 20 else 4
    for j, (x0, x1) in enumerate(_columns((span[0], 0, span[1], 0), len(words))):
        if roomy or j % every == 0:
            sheet.write((x0 + x1) / 2, 34, plain(words[j]) if roomy else str(j + 1), LEAST + 2.5 * roomy, sheet.colors.muted)


def _scores(sheet: Sheet, box: Box, scores: np.ndarray, most: float) -> None:
    """Bars up and down from zero, with their numbers where these fit."""
    colors, (_, top, _, bottom) = sheet.colors, box
    zero, room, columns = (top + bottom) / 2, (bottom - top) / 2 - 17, _columns(box, len(scores))
    ends = [zero - float(s) / most * room for s in scores]
    for fill, up in ((colors.scores[4], True), (colors.scores[0], False)):
        bars = [
            (x0, min(zero, y), x1, max(zero, y))
            for (x0, x1), y, s in zip(columns, ends, scores, strict=True)
            if (s > 0) == up and y != zero
        ]
        sheet.bars(bars, fill)
    sheet.bar(box[0], zero - 0.75, box[2], zero + 0.75, colors.muted)
    texts = [number(s, 2, sign=True) for s in scores]
    across = (1.2 if sheet.phone else 1.0) * (columns[0][1] - columns[0][0]) * sheet.wide
    size = type_size(max(texts, key=ems), across, TEXT, strong=False)
    if size >= LEAST:
        for (x0, x1), y, s, said in zip(columns, ends, scores, texts, strict=True):
            sheet.write((x0 + x1) / 2, y + (-10 if s > 0 else 10), said, size)


def _weights(sheet: Sheet, box: Box, row: SoftRow, before: np.ndarray | None) -> None:
    """Bars of the weights, with their numbers; those of `before` as outlines behind them."""
    colors, (_, top, _, bottom) = sheet.colors, box
    room, columns = bottom - top - 20, _columns(box, len(row.weights))
    wide = (columns[0][1] - columns[0][0]) * sheet.wide
    edges = [bottom - room * float(w) for w in np.nan_to_num(row.weights if before is None else np.maximum(before, row.weights))]
    if before is not None:
        _outlines(sheet, columns, before, (top, bottom))
    tops = [bottom - room * float(w) for w in np.nan_to_num(row.weights)]
    sheet.bars([(x0, y, x1, bottom) for (x0, x1), y in zip(columns, tops, strict=True) if bottom - y > 0.3], colors.prefill)
    hardly = "≈ 0" if TEXT * ems("≈ 0") < wide else ""
    texts = [number(w) if not np.isfinite(w) or w == 0 or w >= 0.005 else hardly for w in row.weights]
    size = min(TEXT + 1, 1.25 * wide / max(0.5, *map(ems, texts)))
    if size >= LEAST:
        for (x0, x1), y, said in zip(columns, edges, texts, strict=True):
            sheet.write((x0 + x1) / 2, y - 10, said, size)
    sheet.bar(box[0], bottom - 0.75, box[2], bottom + 0.75, colors.muted)
