"""Pass by pass, what each one writes: guesses that stay in ink, the model's own word in orange, and
beside it what is taken back."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, plain, short

LEFT, RIGHT, TOP, BESIDE = 0.07, 0.995, 30.0, 0.008
NAME, LINE = 62.0, 19.0  # on a phone: pixels of a pass's name, and of a line


class PassWords(NamedTuple):
    """What a pass writes: guesses that stay, then its own word; refused: guesses that do not."""

    kept: tuple[str, ...]
    own: str
    refused: tuple[str, ...]


def staircase(sheet: Sheet, passes: Sequence[PassWords]) -> SheetFigure:
    """A row for each pass, prefill first; a column for each word of the answer."""
    colors, n = sheet.colors, sum(len(one.kept) + 1 for one in passes)
    if sheet.on_phone():
        return _lines(sheet, passes)
    width, height = (RIGHT - LEFT) / n, sheet.row(330, len(passes), 15.5, 48)
    longest = max(ems(word) for one in passes for word in (*one.kept, one.own))
    size = float(np.clip(width * WIDTH / longest, 13, min(17, max(13, 0.5 * height))))
    for k, (name, color) in enumerate(_names(sheet).items()):
        sheet.write(LEFT + 0.2 * k, 12, name, 14, color, "middle right")
    at = 0
    for k, one in enumerate(passes):
        middle = TOP + (k + 0.5) * height
        name = "prefill" if k == 0 else f"pass {k + 1}"
        sheet.write(LEFT - BESIDE, middle, name, 13, colors.prefill if k == 0 else colors.muted, "middle left")
        x0 = LEFT + at * width
        if one.kept:
            sheet.bar(x0, middle - height / 2 + 1, x0 + len(one.kept) * width, middle + height / 2 - 1, colors.hole)
        for j, word in enumerate((*one.kept, one.own)):
            color = colors.ink if j < len(one.kept) else colors.decode
            sheet.write(x0 + (j + 0.5) * width, middle, short(word, width * WIDTH + 2, size), size, color)
        if one.refused:
            text, x1 = " ".join(map(plain, one.refused)), x0 + (len(one.kept) + 1) * width
            fits = x1 + BESIDE + ems(text) * size / WIDTH < RIGHT
            place = (x1 + BESIDE, "middle right") if fits else (x0 - BESIDE, "middle left")
            sheet.write(place[0], middle, text, size, colors.wasted, place[1])
        at += len(one.kept) + 1
    return sheet.figure(TOP + len(passes) * height + 8, min_width=960)


def _names(sheet: Sheet) -> dict[str, str]:
    """What the colours of the words mean."""
    colors = sheet.colors
    return {"guessed, and kept": colors.ink, "the model’s own word": colors.decode, "guessed, and taken back": colors.wasted}


def _lines(sheet: Sheet, passes: Sequence[PassWords]) -> SheetFigure:
    """On a phone: each pass from the left, in as many lines as its words take."""
    colors, y = sheet.colors, 12.0
    for name, color in _names(sheet).items():
        sheet.write(0, y, name, 14, color, "middle right")
        y += LINE
    for k, one in enumerate(passes):
        y, x = y + LINE + 4, NAME
        sheet.write(
            0, y, "prefill" if k == 0 else f"pass {k + 1}", 13, colors.prefill if k == 0 else colors.muted, "middle right"
        )
        kinds = [colors.ink] * len(one.kept) + [colors.decode] + [colors.wasted] * len(one.refused)
        for word, color in zip((*one.kept, one.own, *one.refused), kinds, strict=True):
            text = short(word, sheet.wide - NAME, 13)
            wide = 13 * ems(text) + 9
            if x > NAME and x + wide > sheet.wide:
                x, y = NAME, y + LINE
            if color == colors.ink:
                sheet.bar(x / sheet.wide, y - LINE / 2 + 1, (x + wide) / sheet.wide, y + LINE / 2 - 1, colors.hole)
            sheet.write((x + 4) / sheet.wide, y, text, 13, color, "middle right")
            x += wide
    return sheet.figure(y + LINE)
