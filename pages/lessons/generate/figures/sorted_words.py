"""Each word of an answer as two runs come to it, mirrored; beneath it the band where it lies: visibly different, the same within
rounding, equal in every bit."""

from collections.abc import Sequence
from math import log10

import numpy as np

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number

HIGH, HIGH_ON_PHONE, APART = 60.0, 92.0, 9.0  # pixels of a band, and between two
TALL, ANSWERED, WORDS = (
    62.0,
    44.0,
    26.0,
)  # pixels of the highest bar of a run, then and once it is answered, and of the words between
LOW = -8  # a power of ten: nearer than that two logits of 32 bits hardly come without being equal


def sorted_words(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], asked: Asked = NOT_ASKED) -> SheetFigure:
    """timed: the steps of the answer, each with its word. asked: the bands as answers, from above; the second run is an outline and the
    bands are empty until the answer may be shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    bound = max((step.rounding for step in timed), default=0.0)
    names = ("visibly different", "same within rounding", "equal in every bit")
    means = (
        f"more than {gap_text(bound)}, which float32 rounding explains",
        f"not equal, and at most {gap_text(bound)} apart",
        "no difference at all",
    )
    places = [band_of(step) for step in timed]
    field = (0.0 if phone else 0.335, 0.88)
    top = _both_runs(sheet, timed, words, asked.known, (field[0], 1.0))
    high = HIGH_ON_PHONE if phone else HIGH
    for k in range(3):
        box = (0.0, top, 1.0, top + high)
        here = [i for i, place in enumerate(places) if place == k] if asked.known else []
        if here and not phone:
            sheet.bar(*box, faded(colors, colors.bar, 0.45))
        sheet.line(rectangle(*box), colors.bar, 1.5)
        sheet.write(0.016, top + (14 if phone else 22), f"<b>{names[k]}</b>", 15 if phone else 20, anchor="middle right")
        sheet.write(0.016, top + high - (14 if phone else 17), means[k], 13, anchor="middle right")
        if asked.known:
            off = (27, 27) if phone else (6, 6)
            _chips(sheet, timed, words, here, (field[0] + 0.01, top + off[0], field[1], top + high - off[1]), bound)
            sheet.write(0.985, top + high / 2, f"<b>{len(here)}</b>", 34, anchor="middle left")
        if asked.names:
            part(sheet, asked, k, box, (0.985, top + 12, "middle left"))
        top += high + APART
    return sheet.figure(top - APART + 4)


def band_of(step: TimedStep) -> int:
    """Which band a step belongs to, from above."""
    return 2 if step.equal == 1 else 1 if step.gap <= step.rounding else 0


def _both_runs(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], known: bool, field: tuple[float, float]) -> float:
    """The largest logit at each word: behind the cache upwards, of all tokens again downwards, an outline while that is asked for;
    returns where the bands begin."""
    (left, right), colors, n, phone = field, sheet.colors, len(timed), sheet.phone
    top, tallest = 38.0 if phone else 16.0, ANSWERED if known else TALL
    x, most = np.linspace(left, right, n + 1), max(step.largest for step in timed) or 1.0
    up, down = top + tallest, top + tallest + WORDS
    column_names(sheet, Grid(x, np.array([up, down])), (up + down) / 2, words, 15)
    places = (top - 26, down + tallest + 12) if phone else (up - 24, down + 24)
    for y, name in zip(places, ("behind the cache", "all tokens again"), strict=True):
        sheet.write(0, y, f"<b>{name}</b>", 15 if phone else 17, anchor="middle right")
    if not phone:
        sheet.write(0, (up + down) / 2, "the largest logit at each word", 14, colors.muted, "middle right")
    cached: dict[str, list[Box]] = {}
    again, inset = [], 0.08 * (x[1] - x[0])
    for i, step in enumerate(timed):
        tall, fill = (tallest - 2) * step.largest / most, colors.decode if i else colors.prefill
        x0, x1 = x[i] + inset, x[i + 1] - inset
        cached.setdefault(fill, []).append((x0, up - tall, x1, up))
        again.append((x0, down, x1, down + tall))
        pixels = (x1 - x0) * sheet.wide
        if pixels >= 40:
            size, within = (20.0 if pixels >= 60 else 14.0), tall >= 24
            off = tall / 2 if within else tall + 12
            said, middle = f"<b>{number(step.largest, 2)}</b>", (x0 + x1) / 2
            sheet.write(middle, up - off, said, size, ink_on(fill) if within else colors.ink)
            below = ink_on(colors.wasted) if known and within else colors.ink
            sheet.write(middle, down + off, said if known else "<b>?</b>", size, below)
    for color, boxes in cached.items():
        sheet.bars(boxes, color)
    if known:
        sheet.bars(again, colors.wasted)
    else:
        sheet.line("".join(rectangle(*box) for box in again), colors.wasted, 2, "dash")
    return down + tallest + (30 if phone else 14)


def _chips(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], here: Sequence[int], box: Box, bound: float) -> None:
    """The words of one band, each in its own column; among those within rounding the farther apart the higher."""
    left, top, right, bottom = box
    wide = (right - left) / len(timed)
    tall = 24.0
    fill, boxes = sheet.colors.ink, []
    for i in here:
        share = _share(timed[i].gap, bound)
        y = bottom - tall - (bottom - top - tall) * share
        x0, x1 = left + wide * (i + 0.06), left + wide * (i + 0.94)
        boxes.append((x0, y, x1, y + tall))
        pixels = (x1 - x0) * sheet.wide
        if pixels >= 34:
            sheet.write((x0 + x1) / 2, y + tall / 2, short(words[i], pixels - 6, 14), 14, ink_on(fill))
        if pixels >= 70 and timed[i].gap:
            above = y - 10 if y - 10 >= top + 4 else y + tall + 11
            sheet.write((x0 + x1) / 2, above, gap_text(timed[i].gap), 13)
    sheet.bars(boxes, fill)


def _share(gap: float, bound: float) -> float:
    """How high in its band a difference lies, from 0 to 1, by its power of ten."""
    if not gap or not bound:
        return 0.5
    low, high = (LOW, log10(bound)) if gap <= bound else (log10(bound), 2.0)
    return min(max((log10(gap) - low) / max(high - low, 1e-9), 0.0), 1.0)
