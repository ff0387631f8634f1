"""How far apart the logits of two runs are: equal in every bit, the same within rounding, or visibly different. Until the question is
answered each of the three says what the largest logit would look like, digit for digit; then the words lie where they belong."""

from collections.abc import Sequence
from math import floor, log10

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity

NAMES = ("equal in every bit", "the same within rounding", "visibly different")
DIGITS = 8  # of a logit: one more than 32 bits hold
TOP, TALL, APART, PAD = (
    2.0,
    88.0,
    10.0,
    18.0,
)  # pixels: where the three lanes begin, of each, between two, and at the edges of one
TALL_ON_PHONE = 96.0
NUMBER, REST = 0.27, 0.5  # shares of the width: where a lane's number begins, and where its words or its digits do
PIECES = (
    (64.0, 30.0),
    (64.0, 23.0),
    (24.0, 18.0),
    (12.0, 9.0),
    (6.0, 5.0),
    (3.0, 3.0),
)  # pixels of one with its word, and of smaller ones without


def agreeing_digits(sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], asked: Asked = NOT_ASKED) -> SheetFigure:
    """timed: the steps of the answer, each with its word. asked: the three lanes as answers, from the top; no word lies in them until
    the answer may be shown."""
    phone, colors, largest = sheet.on_phone(), sheet.colors, max(timed, key=lambda step: step.largest)
    tall = TALL_ON_PHONE if phone else TALL
    for k, name in enumerate(NAMES):
        y0 = TOP + k * (tall + APART)
        box, here = (0.0, y0, 1.0, y0 + tall), [i for i, step in enumerate(timed) if band_of(step) == k]
        its = asked.known and bool(here)
        sheet.line(rectangle(*box), colors.ink if its else colors.muted, 2.5 if its else 1)
        left, right = PAD / sheet.wide, 1 - PAD / sheet.wide
        sheet.write(left, y0 + (18 if phone else 30), f"<b>{name}</b>", 16 if phone else 20, anchor="middle right")
        if asked.known:
            said = quantity(len(here), "word")
            place = (
                (right, y0 + 18, said, 14, colors.muted, "middle left")
                if phone
                else (left, y0 + 58, said, 16, colors.muted, "middle right")
            )
            sheet.write(*place)
            if here:
                gap = gap_text(max(timed[i].gap for i in here)) if k else "0"
                span = (left, right) if phone else (NUMBER, REST)
                large_number(sheet, span, y0 + (48 if phone else tall / 2), gap, "apart at most" if k else "apart")
            _pieces(sheet, here, words, (left, y0 + 66, right, box[3] - 4) if phone else (REST, y0 + 14, right, box[3] - 12))
        else:
            _digits(sheet, largest, k, box)
        if asked.names:
            part(sheet, asked, k, box, (0.5, box[3] - 12, "middle center") if phone else (left, box[3] - 14, "middle right"))
    return sheet.figure(box[3] + 4)


def band_of(step: TimedStep) -> int:
    """To which of the three a step belongs."""
    return 0 if step.equal == 1 else 1 if step.gap <= step.rounding else 2


def alike(step: TimedStep, band: int) -> tuple[str, str]:
    """The step's largest logit in DIGITS digits, and how many of the first of them the other run surely has, if it is of that band.

    >>> alike(TimedStep(1, (), 1, 0.0, 20.0, 1.0), 1)
    ('20.000', '000')
    """
    whole = floor(log10(max(step.largest, 1e-9)))
    said = f"{step.largest:.{min(DIGITS + 2, max(1, DIGITS - 1 - whole))}f}"
    sure = (len(said), said.index(".") + 1 + max(0, floor(-log10(step.rounding))), 0)[band]
    return said[:sure], said[sure:]


def _digits(sheet: Sheet, step: TimedStep, band: int, box: Box) -> None:
    """A logit with a cache, and beneath it what the other run would make of it: a question mark for a digit that may be another one."""
    same, other = alike(step, band)
    asked = "".join("." if letter == "." else "?" for letter in other)
    for row, (name, said) in enumerate((("with a cache", same + other), ("without", f"{same}<b>{asked}</b>"))):
        y = box[1] + (46 + 28 * row if sheet.phone else 26 + 38 * row)
        sheet.write(
            PAD / sheet.wide if sheet.phone else REST, y, name, 14 if sheet.phone else 16, sheet.colors.muted, "middle right"
        )
        x, anchor = (1 - PAD / sheet.wide, "middle left") if sheet.phone else (REST + 0.14, "middle right")
        sheet.write(x, y, said, 20 if sheet.phone else 30, anchor=anchor)


def _pieces(sheet: Sheet, here: Sequence[int], words: Sequence[str], box: Box) -> None:
    """A piece for each of those words, in rows: the first one of all is prefill's."""
    (x0, y0, x1, y1), colors = box, sheet.colors
    for wide, tall in PIECES:
        across = max(1, int((x1 - x0) * sheet.wide / wide))
        if -(-len(here) // across) * tall <= y1 - y0:
            break
    for place, i in enumerate(here):
        x, y, fill = x0 + place % across * wide / sheet.wide, y0 + place // across * tall, colors.decode if i else colors.prefill
        sheet.bar(x, y, x + (wide - 2) / sheet.wide, y + tall - 2, fill)
        if wide == PIECES[0][0]:
            said = short(words[i], wide - 6, 14)
            sheet.write(x + (wide - 2) / 2 / sheet.wide, y + tall / 2 - 1, said, 14, ink_on(fill))
