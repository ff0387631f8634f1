"""How far apart the logits of two runs are, on one ruler: equal in every bit, the same within rounding, visibly different. At its far
end lie the logits themselves; once answered, each word's difference lies where it belongs."""

from collections import Counter
from collections.abc import Sequence
from math import log10

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity

NAMES = ("equal in every bit", "the same within rounding", "visibly different")
SHORT = ("equal", "rounding", "visible")
LOW, HIGH = -8, 2  # powers of ten at the ruler's ends: nearer than that two logits of 32 bits hardly come without being equal
EQUAL, LEFT = 0.17, 0.19  # where “no difference” ends, and the ruler of those that there are begins
TOP, HEAP, ZONE = 40.0, 168.0, 64.0  # pixels above the heaps, of the highest one, and of the ruler
PIECES = (
    (62.0, 25.0),
    (21.0, 21.0),
    (13.0, 13.0),
    (7.0, 7.0),
    (4.0, 4.0),
)  # pixels of one with its word, and of smaller ones without
WAITING = 0.12  # of their colours the logits keep while the question is open
FEW = 8  # pieces that have room for their words


def difference_ruler(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], asked: Asked = NOT_ASKED) -> SheetFigure:
    """timed: the steps of the answer, each with its word. asked: the three parts of the ruler as answers, from the left; no difference
    lies on it until the answer may be shown."""
    phone, colors, bottom = sheet.on_phone(), sheet.colors, TOP + HEAP
    bound = max((step.rounding for step in timed), default=0.0) or 1e-4
    edges = ((0.0, EQUAL), (LEFT, _at(bound) - 0.003), (_at(bound), 1.0))
    for k, ((left, right), shade) in enumerate(zip(edges, (0.28, 0.5, 0.85), strict=True)):
        box, fill, middle = (left, bottom, right, bottom + ZONE), faded(colors, colors.bar, shade), (left + right) / 2
        sheet.bar(*box, fill)
        here = sum(band_of(step) == k for step in timed)
        sheet.write(middle, bottom + 20, f"<b>{(SHORT if phone else NAMES)[k]}</b>", 14 if phone else 18, ink_on(fill))
        if asked.known:
            sheet.write(middle, bottom + 45, quantity(here, "word"), 13 if phone else 17, ink_on(fill))
        if asked.names:
            part(sheet, asked, k, (left, TOP, right, bottom + ZONE), (middle, TOP + 12, "middle center"))
    # the logits are where the question begins, never its answer: pale, and framed where nothing else lies on the ruler yet
    above = _heap(sheet, [step.largest for step in timed], words, bottom, 0.35 if asked.known else WAITING)
    label = 14 if asked.known else max(14, above - 16)
    sheet.write(1, label, "logits" if phone else "logits of both runs", 16, colors.muted, "middle left")
    if asked.known:
        _heap(sheet, [step.gap for step in timed], words, bottom, 1.0)
        large_number(sheet, (0.0, 0.72), 24, gap_text(max(step.gap for step in timed)), "apart at most")
    else:
        y, middle = TOP + 0.5 * HEAP, (LEFT + 0.85) / 2
        sheet.line(f"M0.85000,{y:.2f}L0.00500,{y:.2f}", colors.muted, 1.5, "dash")
        sheet.write(middle, y - 44, "<b>?</b>", 46 if phone else 72)
        sheet.write(middle, y + 20, "how far apart are they?", 15 if phone else 20)
    _ticks(sheet, bottom + ZONE + 14)
    return sheet.figure(bottom + ZONE + 28)


def band_of(step: TimedStep) -> int:
    """Which part of the ruler a step belongs to, from the left."""
    return 0 if step.equal == 1 else 1 if step.gap <= step.rounding else 2


def _at(size: float) -> float:
    """Where a difference lies on the ruler, by its power of ten."""
    share = (log10(size) - LOW) / (HIGH - LOW)
    return LEFT + (1 - LEFT) * min(max(share, 0.0), 1.0)


def _heap(sheet: Sheet, sizes: Sequence[float], words: Sequence[str], bottom: float, strength: float) -> float:
    """A piece for each word, piled up where its number lies: the first one's is prefill's. strength: of the colours. Returns where
    the highest pile ends."""
    colors, named = sheet.colors, len(sizes) <= FEW
    for wide, tall in PIECES[0 if named else 1 :]:
        wide = min(wide, 0.14 * sheet.wide)
        places = _places(sizes, wide / sheet.wide)
        if max(level for _, level in places) * (tall + 1) + tall <= HEAP:
            break
    boxes = [
        (x, bottom - 2 - level * (tall + 1) - tall, x + (wide - 2) / sheet.wide, bottom - 2 - level * (tall + 1))
        for x, level in places
    ]
    fills = [faded(colors, fill, strength) for fill in (colors.prefill, colors.decode)]
    sheet.bars(boxes[:1], fills[0])
    sheet.bars(boxes[1:], fills[1])
    for i, box in enumerate(boxes if named and strength == WAITING else ()):
        sheet.frame(*box, faded(colors, colors.decode if i else colors.prefill, 0.6), 1.5)
    for i, (box, word) in enumerate(zip(boxes, words, strict=True)):
        if named and tall == PIECES[0][1]:
            said = short(word, (box[2] - box[0]) * sheet.wide - 4, 14)
            sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, said, 14, ink_on(fills[min(i, 1)]))
    return min(box[1] for box in boxes)


def _places(sizes: Sequence[float], wide: float) -> list[tuple[float, int]]:
    """Of each number where its piece begins and how many lie beneath it; those that are 0 share the place of no difference."""
    across, lying, places = max(1, int(EQUAL / wide)), Counter(), []
    for i, size in enumerate(sizes):
        x = (i % across) * wide if not size else min(LEFT + round((_at(size) - LEFT) / wide - 0.5) * wide, 1 - wide)
        x = x if not size else max(x, LEFT)
        places.append((x, lying[round(x, 4)]))
        lying[round(x, 4)] += 1
    return places


def _ticks(sheet: Sheet, y: float) -> None:
    """Powers of ten beneath the ruler, and 0 beneath no difference."""
    sheet.write(EQUAL / 2, y, "0", 14, sheet.colors.muted)
    for power in range(LOW + 1, HIGH, 4 if sheet.phone else 1):
        sheet.write(_at(10.0**power), y, gap_text(10.0**power) if power < -3 else f"{10.0**power:g}", 14, sheet.colors.muted)
