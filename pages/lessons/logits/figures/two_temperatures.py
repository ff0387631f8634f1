"""What a temperature does to chances: all of them as one column, beside it the column that the temperature makes of it, and between the
two each word's own way from its part to its part."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import greedy
from pages.parts.drawing.answers import YOURS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle, short, type_size
from pages.parts.text.digits import logits_side_by_side
from pages.parts.text.format import number, percent

TOP = 38.0  # pixels above the words
ROOM = 280.0  # pixels of all words
PHONE_ROOM = 300.0
FOOT = 10.0  # pixels beneath them
EACH = 36.0  # pixels of a word, at most
EACH_ON_PHONE = 46.0
TWO_LINES = 34.0  # pixels of a word that has room for its logits beneath it, on a phone


class Across(NamedTuple):
    """Shares of the width: where words and their chances end, each column begins and ends, and chances behind it begin."""

    word: float
    chance: float
    cold: tuple[float, float]
    hot: tuple[float, float]
    after: float


WIDE = Across(0.15, 0.235, (0.248, 0.448), (0.7, 0.9), 0.912)
PHONE = Across(0.21, 0.375, (0.39, 0.57), (0.68, 0.845), 0.855)


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
    hidden, phone, colors = waits.hidden, sheet.on_phone(), sheet.colors
    at, high = (PHONE, PHONE_ROOM) if phone else (WIDE, sheet.row(ROOM, 1, 200.0, 560.0))
    order, (cold, hot) = np.argsort(-logits, kind="stable"), (at.cold, at.hot)
    before, after = (TOP + high * np.concatenate([[0.0], np.cumsum(chance[order])]) for chance in chances)
    for x, name in ((cold[0], "temperature 1"), (hot[0], f"temperature {number(temperature)}")):
        sheet.write(x, TOP - 20, bold(name), 13 if phone else 18, anchor="middle right")
    best = greedy(logits)
    for k, w in enumerate(order):
        own = colors.decode if w == best else faded(colors, colors.bar, 1.0 if k % 2 else 0.7)
        sheet.bar(cold[0], before[k], cold[1], max(before[k], before[k + 1] - 1), own)
        if not hidden:
            sheet.bar(hot[0], after[k], hot[1], max(after[k], after[k + 1] - 1), own)
            way = f"M{cold[1]:.5f},{before[k]:.2f}L{hot[0]:.5f},{after[k]:.2f}V{after[k + 1]:.2f}L{cold[1]:.5f},{before[k + 1]:.2f}Z"
            sheet.path(way, faded(colors, own, 0.3))
    _words(sheet, at, (logits, temperature), (chances, order), (before, after), words, hidden)
    divides, best_ends = f"÷ {number(temperature)}", float(before[1])
    if phone:
        size = type_size(divides, 0.9 * (hot[0] - cold[1]) * sheet.wide, 26.0)
        sheet.write((cold[1] + hot[0]) / 2, TOP + 0.5 * high, bold(divides), size)
    else:
        sheet.write(cold[1] + 0.024, TOP - 20, bold(f"logits {divides} →"), 18, anchor="middle right")
    if hidden:
        sheet.line(rectangle(hot[0], TOP, hot[1], TOP + high), colors.decode, 2, "dot")
        sheet.line(f"M{hot[0]:.5f},{best_ends:.2f}H{hot[1]:.5f}", colors.decode, 2, "dot")
        sheet.write(sum(hot) / 2, min(best_ends, TOP + high - 22), "<b>↕</b>", 34 if phone else 44, colors.decode)
        sheet.write(at.after, (TOP + best_ends) / 2, "<b>?</b>", 40 if phone else 56, colors.decode, "middle right")
    elif waits.guess is not None:
        y = TOP + min(max(waits.guess / 100, 0.0), 1.0) * high
        sheet.line(f"M{hot[0] - 0.02:.5f},{y:.2f}H{hot[1]:.5f}", colors.ink, 2, "dash", layer="above")
        sheet.write(hot[0] - 0.026, y, "yours" if phone else YOURS, 13 if phone else 15, anchor="middle left")
    return sheet.figure(TOP + high + FOOT, min_width=720)


def _words(sheet: Sheet, at: Across, of: tuple, parts: tuple, edges: tuple, words: Sequence[str], hidden: bool) -> None:
    """Each word and its chance beside its part of the first column, behind that its logit and what that is divided to, on a phone
    beneath the word, and behind the second column its chance there. of: logits and temperature; parts: both chances, and the words
    from the top; edges: of the parts, in pixels."""
    (logits, temperature), (chances, order), colors = of, parts, sheet.colors
    high, best, phone = float(edges[0][-1] - TOP), greedy(logits), sheet.phone
    each = min(EACH_ON_PHONE if phone else EACH, high / len(order))
    size, texts = (
        min(17.0 if phone else 24.0, 0.8 * each),
        (logits_side_by_side(logits), logits_side_by_side(logits / temperature)),
    )
    lined = phone and each >= TWO_LINES
    for k, (chance, edge) in enumerate(zip(chances[: 1 if hidden else 2], edges, strict=False)):
        for w, y in zip(order, _beneath_each_other((edge[1:] + edge[:-1]) / 2, each, TOP + high), strict=True):
            ink, said = colors.decode if w == best else colors.ink, percent(chance[w])
            up = y - 9 * lined
            room = ((1 - at.after) if k else at.chance - at.word - 0.01) * sheet.wide
            fits = type_size(said, room, size)
            sheet.write(
                at.after if k else at.chance, y if k else up, bold(said), fits, ink, "middle right" if k else "middle left"
            )
            if k:
                continue
            name = short(words[w], at.word * sheet.wide, size)
            sheet.write(at.word, up, bold(name, w == best), size, ink, "middle left")
            logit = f"{texts[0][w]} → {texts[1][w]}"
            if lined:
                small = type_size(logit, at.chance * sheet.wide, min(14.0, size), strong=False)
                sheet.write(at.chance, y + 11, logit, small, colors.muted, "middle left")
            elif not phone:
                room = 0.13 * sheet.wide  # what was guessed is named behind it
                sheet.write(at.cold[1] + 0.024, y, logit, type_size(logit, room, size, strong=False), anchor="middle right")


def _beneath_each_other(middles: np.ndarray, each: float, bottom: float) -> list[float]:
    """Heights of words beside their parts, from the top: each so far from the next that they do not touch, and none beneath the foot."""
    places: list[float] = []
    for y in middles:
        places.append(max(float(y), places[-1] + each if places else TOP + each / 2))
    for k in reversed(range(len(places))):
        places[k] = min(places[k], bottom - each * (len(places) - k - 0.5))
    return places
