"""Each word of an answer in the band where two runs put it: visibly different, the same within rounding, equal in every bit."""

from collections.abc import Sequence
from math import log10

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.digits import gap_text

HIGH, APART, HEAD = 104.0, 12.0, 40.0  # pixels of a band, between two, and of the words that wait above them
LOW = -8  # a power of ten: nearer than that two logits of 32 bits hardly come without being equal


def sorted_words(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], asked: Asked = NOT_ASKED) -> SheetFigure:
    """timed: the steps of the answer, each with its word. asked: the bands as answers, from above; the words wait above them until the
    answer may be shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    bound = max((step.rounding for step in timed), default=0.0)
    names = ("visibly different", "same within rounding", "equal in every bit")
    means = (
        f"more than {gap_text(bound)}, which float32 rounding explains",
        f"not equal, and at most {gap_text(bound)} apart",
        "no difference at all",
    )
    places = [band_of(step) for step in timed]
    field = (0.0 if phone else 0.29, 0.86, 1.0)
    _waiting(sheet, words, asked.known, field)
    for k in range(3):
        top = HEAD + k * (HIGH + APART)
        box = (0.0, top, 1.0, top + HIGH)
        here = [i for i, place in enumerate(places) if place == k] if asked.known else []
        sheet.bar(*box, faded(colors, colors.bar, 0.45) if here and not phone else colors.hole)
        sheet.write(
            0.016, top + (18 if phone else HIGH / 2 - 13), f"<b>{names[k]}</b>", 16 if phone else 20, anchor="middle right"
        )
        if phone:
            sheet.write(0.016, top + HIGH - 16, means[k], 13, anchor="middle right")
        else:
            for line, text in enumerate(_in_two(means[k])):
                sheet.write(0.016, top + HIGH / 2 + 13 + 17 * line, text, 13, anchor="middle right")
        if asked.known:
            _chips(
                sheet,
                timed,
                words,
                here,
                (field[0], top + (30 if phone else 8), field[1], top + HIGH - (30 if phone else 8)),
                bound,
            )
            sheet.write(0.985, top + HIGH / 2, f"<b>{len(here)}</b>", 34, anchor="middle left")
        if asked.names:
            part(sheet, asked, k, box, (0.985, top + 13, "middle left"))
    return sheet.figure(HEAD + 3 * HIGH + 2 * APART + 4)


def band_of(step: TimedStep) -> int:
    """Which band a step belongs to, from above."""
    return 2 if step.equal == 1 else 1 if step.gap <= step.rounding else 0


def _in_two(text: str) -> list[str]:
    """A sentence in two lines, parted at its comma."""
    first, comma, second = text.partition(", ")
    return [first + comma.rstrip(), second] if comma else [text]


def _waiting(sheet: Sheet, words: Sequence[str], known: bool, field: tuple[float, float, float]) -> None:
    """What the figure sorts, above the bands: the words, which wait to be sorted or have been."""
    if known:
        sheet.write(
            field[0], 16, "words of the answer, by <b>max |Δ logit|</b> of the two runs", 14, sheet.colors.muted, "middle right"
        )
        sheet.write(0.985, 16, "<b>words</b>", 14, sheet.colors.muted, "middle left")
        return
    x, size = field[0], 16
    for word in words:
        wide = (ems(word) * size + 24) / sheet.wide
        if x + wide > 1:
            break
        sheet.frame(x, 3, x + wide, 31, sheet.colors.muted, 1.5)
        sheet.write(x + wide / 2, 17, f"<b>{short(word, 200, size)}</b>", size)
        x += wide + 8 / sheet.wide


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
