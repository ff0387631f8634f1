"""The result of a quiz as a picture: how many are right, in large type, and a tile a question with its mark and its lesson."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.cells import LARGE, large_number
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short

ACROSS, ON_PHONE = 10, 4  # tiles beside each other
TOP = 62.0  # pixels above the tiles
SIGN = 44.0  # pixels of a mark
NAME = 30.0  # pixels of the lesson's name beneath it
SIGNS = {True: "✓", False: "✗"}


class Said(NamedTuple):
    """Of one question. right: None while it is open or its answer may not be shown; said: whether something was answered."""

    lesson: str
    said: bool = False
    right: bool | None = None


def result_picture(sheet: Sheet, questions: Sequence[Said]) -> SheetFigure:
    """Tiles in the order of the questions: dark where right, outlined where wrong, pale while open."""
    colors, across = sheet.colors, ON_PHONE if sheet.on_phone() else ACROSS
    known = [q.right for q in questions if q.right is not None]
    left = sum(not q.said for q in questions)
    words = f"of {len(known)} right" + f", {left} open" * bool(left) if known else f"of {len(questions)} are open"
    large_number(sheet, (0.0, 1.0), LARGE / 2 + 4, str(sum(known) if known else left), words)
    wide = 1.0 / min(across, max(1, len(questions)))
    for k, q in enumerate(questions):
        x0, y0 = (k % across) * wide, TOP + (k // across) * (SIGN + NAME)
        box = (x0 + 2 / sheet.wide, y0, x0 + wide - 2 / sheet.wide, y0 + SIGN)
        fill = colors.ink if q.right else colors.hole
        sheet.bar(*box, fill)
        if q.right is False:
            sheet.frame(*box, colors.ink, 2)
        sign = SIGNS.get(q.right, "answered" if q.said else str(k + 1))
        color = ink_on(fill) if q.right is not None else colors.muted
        sheet.write(x0 + wide / 2, y0 + SIGN / 2, bold(sign, q.right is not None), 24 if len(sign) < 3 else 13, color)
        sheet.write(x0 + wide / 2, y0 + SIGN + 13, short(q.lesson, wide * sheet.wide - 6, 13), 13, colors.muted)
    return sheet.figure(TOP + -(-len(questions) // across) * (SIGN + NAME))
