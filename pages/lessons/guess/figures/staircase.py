"""Pass by pass, what each one writes: guesses that stay in ink, the model's own word in orange, and
beside it what is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, plain, short

LEFT, RIGHT, TOP, BESIDE = 0.07, 0.995, 30.0, 0.008


class PassWords(NamedTuple):
    """What a pass writes: guesses that stay, then its own word; refused: guesses that do not."""

    kept: tuple[str, ...]
    own: str
    refused: tuple[str, ...]


def staircase(sheet: Sheet, passes: Sequence[PassWords]) -> SheetFigure:
    """A row for each pass, prefill first; a column for each word of the answer."""
    colors, n = sheet.colors, sum(len(one.kept) + 1 for one in passes)
    width, height = (RIGHT - LEFT) / n, sheet.row(330, len(passes), 15.5, 30)
    names = {"guessed, and kept": colors.ink, "the model’s own word": colors.decode, "guessed, and taken back": colors.wasted}
    for k, (name, color) in enumerate(names.items()):
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
            sheet.write(x0 + (j + 0.5) * width, middle, short(word, width * WIDTH + 2, 13), 13, color)
        if one.refused:
            text, x1 = " ".join(map(plain, one.refused)), x0 + (len(one.kept) + 1) * width
            fits = x1 + BESIDE + ems(text) * 13 / WIDTH < RIGHT
            place = (x1 + BESIDE, "middle right") if fits else (x0 - BESIDE, "middle left")
            sheet.write(place[0], middle, text, 13, colors.wasted, place[1])
        at += len(one.kept) + 1
    return sheet.figure(TOP + len(passes) * height + 8, min_width=960)
