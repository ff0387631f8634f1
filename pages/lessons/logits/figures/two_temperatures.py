"""What a temperature does to chances: all of them as one column, beside it the column that the temperature makes of it, and between the
two each word's own way from its part to its part; on a phone bars of one scale."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import greedy
from pages.parts.drawing.answers import YOURS
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logits_side_by_side
from pages.parts.text.format import number, percent

TOP, ROOM, FOOT = 38.0, 280.0, 10.0  # pixels above the words, of all, and beneath them
# Shares of the width: where words, their logits and their chances end, each column begins and ends, and chances behind it begin.
WORD, LOGIT, CHANCE, COLD, HOT, AFTER = 0.105, 0.235, 0.315, (0.33, 0.46), (0.73, 0.86), 0.872
PHONE_ROOM, PHONE_ROW, LINE = 300.0, (66.0, 104.0), 24.0  # of all on a phone, of one: as much as there is room for, of its logits
CHANCES = 0.09, 0.8  # shares of a phone's width: no chance, and 1
FAINT = 0.5  # of the colour of what was before


class Waits(NamedTuple):
    """hidden: whether the chances at the temperature wait; guess: in percent what the likeliest word's was guessed to be, once that is
    answered."""

    hidden: bool
    guess: float | None = None


def two_temperatures(
    sheet: Sheet,
    logits: np.ndarray,
    chances: tuple[np.ndarray, np.ndarray],
    temperature: float,
    words: Sequence[str],
    waits: Waits,
) -> SheetFigure:
    """logits: (n_vocab,); chances: their softmax at a temperature of 1, and at `temperature`, which waits where it is hidden."""
    hidden = waits.hidden
    if sheet.on_phone():
        return _on_phone(sheet, logits, chances, temperature, words, waits)
    order, high = np.argsort(-logits, kind="stable"), sheet.row(ROOM, 1, 200.0, 560.0)
    before, after = (TOP + high * np.concatenate([[0.0], np.cumsum(chance[order])]) for chance in chances)
    for x, name in ((COLD[0], "temperature 1"), (HOT[0], f"temperature {number(temperature)}")):
        sheet.write(x, TOP - 20, bold(name), 17, anchor="middle right")
    sheet.write(LOGIT, TOP - 20, f"logit ÷ {number(temperature)}", 15, sheet.colors.muted, "middle left")
    sheet.write(CHANCE, TOP - 20, "chance", 15, sheet.colors.muted, "middle left")
    best = greedy(logits)
    for k, w in enumerate(order):
        own = sheet.colors.decode if w == best else faded(sheet.colors, sheet.colors.bar, 1.0 if k % 2 else 0.7)
        sheet.bar(COLD[0], before[k], COLD[1], max(before[k], before[k + 1] - 1), own)
        if not hidden:
            sheet.bar(HOT[0], after[k], HOT[1], max(after[k], after[k + 1] - 1), own)
            way = f"M{COLD[1]:.5f},{before[k]:.2f}L{HOT[0]:.5f},{after[k]:.2f}V{after[k + 1]:.2f}L{COLD[1]:.5f},{before[k + 1]:.2f}Z"
            sheet.path(way, faded(sheet.colors, own, 0.3))
    _words(sheet, (logits, temperature), (chances, order), (before, after), words, hidden)
    if hidden:
        sheet.line(rectangle(HOT[0], TOP, HOT[1], TOP + high), sheet.colors.muted, 1.5)
        _may_end(sheet, chances[0], high)
    elif waits.guess is not None:
        y = TOP + min(max(waits.guess / 100, 0.0), 1.0) * high
        way = f"M{HOT[0] - 0.03:.5f},{y:.2f}H{HOT[1]:.5f}"
        sheet.line(way, sheet.colors.ink, 2, "dash", layer="above")
        sheet.write(HOT[0] - 0.036, y, YOURS, 15, anchor="middle left")
    return sheet.figure(TOP + high + FOOT, min_width=720)


def _words(sheet: Sheet, of: tuple, parts: tuple, edges: tuple, words: Sequence[str], hidden: bool) -> None:
    """Each word beside its part of the first column, with its logit, what that is divided to and its chance, and behind the second one
    its chance there. of: logits and temperature; parts: both chances, and the words from the top; edges: of the parts, in pixels."""
    (logits, temperature), (chances, order), colors = of, parts, sheet.colors
    high, best = float(edges[0][-1] - TOP), greedy(logits)
    each = min(34.0, high / len(order))
    size, texts = min(22.0, 0.8 * each), _texts(logits, logits / temperature)
    for k, (chance, edge) in enumerate(zip(chances[: 1 if hidden else 2], edges, strict=False)):
        for w, y in zip(order, _beneath_each_other((edge[1:] + edge[:-1]) / 2, each, TOP + high), strict=True):
            ink = colors.decode if w == best else colors.ink
            at = (AFTER, "middle right") if k else (CHANCE, "middle left")
            sheet.write(at[0], y, bold(percent(chance[w])), size, ink, at[1])
            if k:
                continue
            name = short(words[w], WORD * sheet.wide, size)
            sheet.write(WORD, y, bold(name, w == best), size, ink, "middle left")
            logit = f"{texts[0][w]} → {bold(texts[1][w])}"
            fits = (LOGIT - WORD - 0.015) * sheet.wide / (1.07 * ems(f"{texts[0][w]} → {texts[1][w]}"))
            sheet.write(LOGIT, y, logit, min(17.0, size, fits), colors.muted, "middle left")


def _beneath_each_other(middles: np.ndarray, each: float, bottom: float) -> list[float]:
    """Heights of words beside their parts, from the top: each so far from the next that they do not touch, and none beneath the foot."""
    places: list[float] = []
    for y in middles:
        places.append(max(float(y), places[-1] + each if places else TOP + each / 2))
    for k in reversed(range(len(places))):
        places[k] = min(places[k], bottom - each * (len(places) - k - 0.5))
    return places


def _may_end(sheet: Sheet, before: np.ndarray, high: float) -> None:
    """From where the likeliest word's part ends to where it may end at the temperature, which is asked for: at what it was, at half of
    that, or where all words have the same."""
    was, ends = float(before.max()), [TOP]
    for share in dict.fromkeys((was, was / 2, 1 / len(before))):
        y = TOP + share * high
        if all(abs(y - other) > 26 for other in ends):
            way = f"M{COLD[1]:.5f},{TOP + was * high:.2f}L{HOT[0]:.5f},{y:.2f}H{HOT[1]:.5f}"
            sheet.line(way, sheet.colors.decode, 2, "dash")
            sheet.write(AFTER, y, f"{percent(share)}?", 20, anchor="middle right")
            ends.append(y)


def _on_phone(
    sheet: Sheet,
    logits: np.ndarray,
    chances: tuple[np.ndarray, np.ndarray],
    temperature: float,
    words: Sequence[str],
    waits: Waits,
) -> SheetFigure:
    """Of each word its logit and what it is divided to in one line, and beneath it its two chances, whose bars have all the width."""
    colors, divided, (zero, one) = sheet.colors, _texts(logits, logits / temperature), CHANCES
    row, best = float(np.clip(PHONE_ROOM / len(words), *PHONE_ROW)), greedy(logits)
    each = (row - LINE - 8) / 2
    sheet.write(0, TOP - 22, "<b>chance</b>", 15, anchor="middle right")
    sheet.write(1, TOP - 22, f"<b>logit</b> ÷ 1, ÷ {number(temperature)}", 15, anchor="middle left")
    for w, word in enumerate(words):
        top, ink = TOP + w * row, colors.decode if w == best else colors.ink
        own = colors.decode if w == best else colors.bar
        logit = f"{divided[0][w]}, {bold(divided[1][w])}"
        sheet.write(1, top + LINE / 2, logit, 16, colors.muted, "middle left")
        room = 0.97 * sheet.wide - 16 * ems(f"{divided[0][w]}, {divided[1][w]}")
        sheet.write(0, top + LINE / 2, bold(short(word, room, 16), w == best), 16, ink, "middle right")
        for k, chance in enumerate(chances):
            y0 = top + LINE + k * each
            box, middle = (zero, y0 + 1, zero + float(chance[w]) * (one - zero), y0 + each - 1), y0 + each / 2
            sheet.write(zero - 0.02, middle, f"÷ {'1' if not k else number(temperature)}", 13, colors.muted, "middle left")
            if k and waits.hidden:
                _rivals(sheet, (zero, y0 + 1, one, y0 + each - 1), chances[0], w == best)
                continue
            sheet.bar(*box, own if k else faded(colors, own, FAINT))
            sheet.write(box[2] + 0.02, middle, bold(percent(chance[w]), bool(k)), 18 if k else 16, ink, "middle right")
            if k and w == best and waits.guess is not None:
                _guess(sheet, (zero, y0 + 1, one, y0 + each - 1), waits.guess)
        sheet.bar(zero - 0.75 / sheet.wide, top + LINE, zero + 0.75 / sheet.wide, top + row - 8, colors.muted)
    return sheet.figure(TOP + row * len(words))


def _rivals(sheet: Sheet, box: Box, before: np.ndarray, asked: bool) -> None:
    """Where a chance may end that is to be found: of the likeliest word, which is asked for, at what it was, at half of that, or where
    all words have the same, each to scale; of the others a question mark. box: from no chance to 1."""
    (left, top, right, bottom), colors, y = box, sheet.colors, (box[1] + box[3]) / 2
    size = max(12.0, min(15.0, 0.42 * (bottom - top)))
    if not asked:
        sheet.write(left + 8 / sheet.wide, y, "<b>?</b>", size + 2, colors.muted, "middle right")
        return
    was, ends = float(before.max()), []
    for share in dict.fromkeys((was, was / 2, 1 / len(before))):
        end, said = left + share * (right - left), f"{percent(share)}?"
        wide = (ems(said) * size + 12) / sheet.wide
        if all(abs(end - other) > wide for other in (left, *ends)):  # each number at the end that it means
            sheet.line(rectangle(left, top, end, bottom), colors.ink, 1.5, "dash")
            sheet.write(end - 6 / sheet.wide, y, said, size, anchor="middle left")
            ends.append(end)


def _guess(sheet: Sheet, box: Box, percents: float) -> None:
    """What the likeliest word's chance was guessed to be, a line across its bar."""
    left, top, right, bottom = box
    x = left + min(max(percents / 100, 0.0), 1.0) * (right - left)
    sheet.line(f"M{x:.5f},{top - 4:.2f}L{x:.5f},{bottom + 4:.2f}", sheet.colors.ink, 2, "dash", layer="above")
    sheet.write(x, bottom + 12, YOURS, 13, sheet.colors.ink)


def _texts(logits: np.ndarray, divided: np.ndarray) -> tuple[list[str], list[str]]:
    """Both as they are written."""
    return logits_side_by_side(logits), logits_side_by_side(divided)
