"""What a temperature does to logits and to chances: of each word both as they are, a pale bar, and beneath it as the temperature leaves
them, so that what comes closer is seen on one scale."""

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

LEFT = 0.115  # share of the width: where words end
TOP, ROOM, FOOT = 38.0, 262.0, 28.0  # pixels above the words, of all, and beneath them
PHONE_ROOM, PHONE_ROW, LINE = 300.0, (66.0, 104.0), 24.0  # of all on a phone, of one: as much as there is room for, of its logits
CHANCES = 0.09, 0.8  # shares of a phone's width: no chance, and 1
FAINT = 0.5  # of the colour of what was before


class Waits(NamedTuple):
    """hidden: whether the chances at the temperature wait; guess: in percent what the likeliest word's was guessed to be, once that is
    answered."""

    hidden: bool
    guess: float | None = None


class Side(NamedTuple):
    """One of the two things that change. before, after, texts: of each word; scale: low and high end; total: of either, "" for none."""

    title: str
    before: np.ndarray
    after: np.ndarray
    texts: tuple[list[str], list[str]]
    scale: tuple[float, float]
    total: str = ""


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
    divided, (cold, hot) = logits / temperature, chances
    ends = min(0.0, float(logits.min()), float(divided.min())), max(0.0, float(logits.max()), float(divided.max()))
    sides = (
        Side(f"logit, and ÷ {number(temperature)}", logits, divided, _texts(logits, divided), ends),
        Side("chance", cold, hot, ([percent(p) for p in cold], ["?" if hidden else percent(p) for p in hot]), (0.0, 1.0), "100%"),
    )
    spans, row = ((LEFT + 0.09, 0.47), (0.55, 0.998)), sheet.row(ROOM, len(words), 30, 92)
    for side, span in zip(sides, spans, strict=True):
        _side(sheet, side, span, row, (greedy(logits), waits if side is sides[1] else Waits(False)))
    size, said = min(22.0, 0.42 * row), ("1", number(temperature))
    for w, word in enumerate(words):
        y, best = TOP + (w + 0.5) * row, w == greedy(logits)
        name = short(word, (LEFT - 0.012) * sheet.wide, size)
        sheet.write(LEFT - 0.012, y, bold(name, best), size, sheet.colors.decode if best else sheet.colors.ink, "middle left")
        for k in (0, 1) if row >= 30 else ():
            text = f"temperature {said[k]}" if w == 0 and row >= 36 else said[k]
            sheet.write(spans[0][0] - 0.008, y + _offset(row, k), text, 12.5, sheet.colors.muted, "middle left")
    return sheet.figure(TOP + row * len(words) + FOOT, min_width=720)


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


def _offset(row: float, k: int) -> float:
    """How far from a word's middle its bar lies."""
    return (k - 0.5) * min(0.44 * row, 46.0)


def _side(sheet: Sheet, side: Side, span: tuple[float, float], row: float, of: tuple[int, Waits]) -> None:
    """The bars of one side with their numbers behind them. of: the likeliest word, and whether what is after waits."""
    colors, (left, right), (best, waits), (low, high) = sheet.colors, span, of, side.scale
    size = min(22.0, 0.36 * row)
    beside = (max(ems(text) for texts in side.texts for text in texts) * 1.1 * size + 12) / sheet.wide
    unit = (right - left - beside) / max(high - low, 1e-9)
    zero, half = left - low * unit, min(21.0, 0.2 * row)
    sheet.write(left, TOP - 22, f"<b>{side.title}</b>", 17, anchor="middle right")
    for w in range(len(side.before)):
        own = colors.decode if w == best else colors.bar
        for k, (numbers, texts) in enumerate(zip((side.before, side.after), side.texts, strict=True)):
            y = TOP + (w + 0.5) * row + _offset(row, k)
            a, b = sorted((zero, zero + float(numbers[w]) * unit))
            if k and waits.hidden:
                _rivals(sheet, (zero, y - half, zero + unit, y + half), side.before, w == best)
                continue
            if b > a:
                sheet.bar(a, y - half, b, y + half, own if k else faded(colors, own, FAINT))
            ink = colors.decode if w == best else colors.ink
            sheet.write(b + 6 / sheet.wide, y, bold(texts[w], bool(k)), size, ink, "middle right")
            if k and w == best and waits.guess is not None:
                _guess(sheet, (zero, y - half, zero + unit, y + half), waits.guess)
    bottom = TOP + row * len(side.before)
    sheet.bar(zero - 0.75 / sheet.wide, TOP, zero + 0.75 / sheet.wide, bottom, colors.muted)
    if side.total:
        sheet.write(left, bottom + 14, f"both add up to <b>{side.total}</b>", 14, colors.muted, "middle right")
