"""Contexts of the same mean beside the logits that W makes of them: a block of bars a prompt."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import YOURS, ends_to_find
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, short, type_size

TOP, ROOM = 50.0, 270.0  # pixels above the blocks, and of all of them on a projector
NAMED = 30.0  # on a phone, of a prompt's name and mean above its bars
HEAD = "<b>context</b> of each head"


class Places(NamedTuple):
    """Shares of the width: the bars of the heads, and those of the words; pixels of a word's name, and above a block's bars."""

    contexts: tuple[float, float]
    logits: tuple[float, float]
    name: float
    named: float


WIDE, PHONE = Places((0.2, 0.55), (0.66, 0.9), 66.0, 0.0), Places((0.02, 0.4), (0.68, 0.85), 62.0, NAMED)


class SameMean(NamedTuple):
    """One prompt. contexts: (n_head,), said: their numbers as texts; mean: as a text; logits: (n_vocab,), texts: their numbers.

    best: the likeliest words' places; hidden: whether the logits wait for a prediction.
    """

    name: str
    contexts: np.ndarray
    said: Sequence[str]
    mean: str
    logits: np.ndarray
    texts: Sequence[str]
    best: Sequence[int]
    hidden: bool


def mean_bars(
    sheet: Sheet, prompts: Sequence[SameMean], words: Sequence[str], heads: Sequence[str], guessed: Sequence[str] = ()
) -> SheetFigure:
    """A block a prompt: the heads' contexts as bars on their mean, an arrow through W, and the words' logits as bars. heads: their
    names, above the bars of the first; where they have no room there, their numbers. guessed: what is right of the second prompt, and
    what was guessed, "" for nothing."""
    phone, colors = sheet.on_phone(), sheet.colors
    at, tall = (PHONE, 112.0) if phone else (WIDE, sheet.row(ROOM, len(prompts), 60, 102))
    sheet.write(0 if phone else at.contexts[0], 12, HEAD, 15, anchor="middle right")
    if phone:
        sheet.write(1, 12, "<b>logits</b>", 15, anchor="middle left")
    else:
        sheet.write(at.logits[0], 12, "<b>logits</b> = contexts × W", 15, anchor="middle right")
    wide = _column(sheet, at.contexts, len(heads))
    fit = all(ems(head) * 13 < 0.98 * wide * sheet.wide for head in heads)
    for h, head in enumerate(heads):
        said = plain(head) if fit else str(h + 1)
        sheet.write(at.contexts[0] + (h + 0.36) * wide, TOP - 16, said, 13, colors.muted)
    longest = max(float(np.abs(p.contexts).max()) for p in prompts) or 1.0
    most = max(float(np.abs(p.logits).max()) for p in prompts) or 1.0
    for k, prompt in enumerate(prompts):
        y0, y1 = TOP + k * tall, TOP + (k + 1) * tall - 12
        sheet.bar(0, y0 - 5, 1, y0 - 4, colors.hole)
        sheet.write(0, y0 + 14, bold(prompt.name), 16, anchor="middle right")
        mean = (0, y0 + 40) if not phone else (1, y0 + 14)
        sheet.write(*mean, f"mean <b>{prompt.mean}</b>", 18, colors.muted, "middle left" if phone else "middle right")
        if k == 1 and guessed and not phone:
            _guess(sheet, y0 + 66, guessed, at.contexts[0] - 0.03)
        y0 += at.named
        _contexts(sheet, prompt, y0, y1, longest, at.contexts)
        sheet.write(0.445 if phone else (at.contexts[1] + at.logits[0]) / 2 - 0.03, (y0 + y1) / 2, "× W →", 15, colors.muted)
        below = bool((prompts[0 if prompt.hidden else k].logits < 0).any())
        _logits(sheet, prompt, (y0, y1), (most, below), words, at)
    waits = [k for k, prompt in enumerate(prompts) if prompt.hidden]
    if waits:  # a phone has the next prompt’s mean between them
        y = TOP + (waits[0] + (1 if phone else len(waits)) / 2) * tall - 6 + at.named / 2
        sheet.write((at.logits[1] + 1) / 2, y, "<b>?</b>", 48.0 if phone else 72.0)
    return sheet.figure(TOP + len(prompts) * tall, min_width=720)


def _guess(sheet: Sheet, y: float, guessed: Sequence[str], wide: float) -> None:
    """What was guessed of a prompt, beneath its name, and whether that is right."""
    right, guess = guessed
    if guess:
        said = f"✓ {YOURS}" if guess == right else f"{YOURS}: {guess}"
        size = type_size(said, wide * sheet.wide, 14.0, 12.0, strong=False)
        sheet.write(0, y, short(said, wide * sheet.wide, size), size, sheet.colors.muted, "middle right")


def _column(sheet: Sheet, at: tuple[float, float], n: int) -> float:
    """The width of a head's column, its gap included."""
    return min((at[1] - at[0]) / n, 0.1 if sheet.phone else 0.085)


def _contexts(sheet: Sheet, prompt: SameMean, y0: float, y1: float, longest: float, at: tuple[float, float]) -> None:
    """A bar a head, up or down from zero, its number above it, and a line at the mean. at: from where to where, across."""
    colors, n = sheet.colors, len(prompt.contexts)
    below = (prompt.contexts < 0).any()
    top, bottom = y0 + 20, y1 - (20 if below else 2)
    zero = (top + bottom) / 2 if below else bottom
    scale = (zero - top) / longest
    wide = _column(sheet, at, n)
    boxes, mean = [], zero - float(prompt.contexts.mean()) * scale
    for h, x in enumerate(prompt.contexts.tolist()):
        left, end = at[0] + h * wide, zero - x * scale
        boxes.append((left, min(zero, end), left + 0.72 * wide, max(zero, end, min(zero, end) + 1)))
        text = prompt.said[h]
        size = max(13.0 if sheet.phone else 12.0, min(15.0, 0.98 * wide * sheet.wide / max(ems(text), 1)))
        if not sheet.phone or ems(text) * size < 1.1 * wide * sheet.wide:
            y = end - 10 if x >= 0 else end + 10
            sheet.write(left + 0.36 * wide, y if abs(y - mean) >= 10 else mean - 11, text, size)
    sheet.bars(boxes, faded(colors, colors.value, 0.6))
    sheet.line(f"M{at[0] - 0.008:.4f},{mean:.2f}H{at[0] + n * wide:.4f}", colors.muted, 1.5, "dash")


def _logits(
    sheet: Sheet, prompt: SameMean, rows: tuple[float, float], scale: tuple[float, bool], words: Sequence[str], at: Places
) -> None:
    """A bar a word; of more words than there is room for the likeliest ones. Those that win are bold and large. Bars without
    ends where they are to be found. scale: the largest logit, and whether there are negative ones."""
    (y0, y1), (first, end_of), opened = rows, at.logits, []
    room = max(1, int((y1 - y0) / 17))
    shown = (
        list(range(len(words)))[:room]
        if prompt.hidden
        else sorted(sorted(range(len(words)), key=lambda w: -prompt.logits[w])[:room])
    )
    tall, colors = (y1 - y0) / len(shown), sheet.colors
    (most, below), size = scale, min(17.0, 0.85 * tall)
    zero = (first + end_of) / 2 if below else first
    per = (end_of - zero) / most
    for k, w in enumerate(shown):
        y, best, half = y0 + (k + 0.5) * tall, w in prompt.best and not prompt.hidden, min(12.0, 0.36 * tall)
        named = min(15.0, size)
        name = bold(short(words[w], at.name, named), best)
        sheet.write(first - 0.008, y, name, named, colors.decode if best else colors.ink, "middle left")
        if prompt.hidden:
            opened.append((zero, y - half, end_of, y + half))
            opened += [(zero, y - half, first, y + half)] * (zero > first)
            continue
        end, said = zero + float(prompt.logits[w]) * per, prompt.texts[w]
        box = min(zero, end), y - half, max(zero, end, min(zero, end) + 0.002), y + half
        sheet.bar(*box, colors.decode if best else colors.bar)
        large = type_size(said, (1 - end_of) * sheet.wide, min(22.0 if best else size, tall))
        sheet.write(1, y, bold(said, best), large, colors.decode if best else colors.ink, "middle left")
    ends_to_find(sheet, opened, colors.bar)
