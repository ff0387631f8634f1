"""Pass by pass, what each one writes: guesses that stay in a filled box, the model's own word in orange, and beside it, struck
through, what is taken back."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, plain, rectangle, short
from pages.parts.text.format import quantity

LEFT = 0.07  # of the width, where the words begin
RIGHT = 0.995  # of the width, where they end
TOP = 52.0  # pixels above the passes
BESIDE = 0.008  # of the width, between the stairs and what stands beside them
NAME = 58.0  # pixels of a pass's name on a phone, where its words stand in lines
LINE = 26.0  # pixels of a line there
TYPE = 15.0  # type size of a word there
FILLED = 0.55  # of the grey of what is kept
KEPT, OWN, BACK = "guessed, and kept", "the model’s own word", "guessed, and taken back"


class PassWords(NamedTuple):
    """What a pass writes: guesses that stay, then its own word; refused: guesses that do not."""

    kept: tuple[str, ...]
    own: str
    refused: tuple[str, ...]


def staircase(sheet: Sheet, passes: Sequence[PassWords], prompt: str = "") -> SheetFigure:
    """A row for each pass, prefill of the prompt first; a column for each word of the answer."""
    n = sum(len(one.kept) + 1 for one in passes)
    if sheet.on_phone():
        return _lines(sheet, passes, prompt)
    inks = _inks(sheet)
    boxes: dict[str, list[Box]] = {kind: [] for kind in inks}
    width, height = (RIGHT - LEFT) / n, sheet.row(308, len(passes), 15.5, 48)
    longest = max(ems(word) for one in passes for word in (*one.kept, one.own))
    size = float(np.clip(width * WIDTH / longest, 13, min(17, max(13, 0.5 * height))))
    headline(sheet, _large(passes), until=0.4)
    x = 0.42
    for kind, color in inks.items():
        x1 = x + (14 * ems(kind) + 20) / WIDTH
        boxes[kind].append((x, 7, x1, 33))
        sheet.write((x + x1) / 2, 20, _with_taken_back(kind, kind), 14, color)
        x = x1 + 0.014
    at = 0
    for k, one in enumerate(passes):
        middle, half = TOP + (k + 0.5) * height, height / 2 - min(3, 0.08 * height)
        sheet.write(LEFT - BESIDE, middle, *_name(sheet, k), "middle left")
        x0 = LEFT + at * width
        for j, word in enumerate((*one.kept, one.own)):
            kind, left = KEPT if j < len(one.kept) else OWN, x0 + j * width
            boxes[kind].append((left + 0.0008, middle - half, left + width - 0.0008, middle + half))
            sheet.write(left + width / 2, middle, short(word, width * WIDTH + 2, size), size, inks[kind])
        if one.refused:
            text, x1 = " ".join(map(plain, one.refused)), x0 + (len(one.kept) + 1) * width + BESIDE
            wide = (ems(" ".join(one.refused)) * size + 20) / WIDTH
            left = x1 if x1 + wide < RIGHT else x0 - BESIDE - wide
            boxes[BACK].append((left, middle - half, left + wide, middle + half))
            sheet.write(left + wide / 2, middle, _with_taken_back(BACK, text), size, inks[BACK])
        at += len(one.kept) + 1
        if prompt and k == 0:
            x = x0 + at * width + 2 * BESIDE
            said = short(f"behind “{prompt}”", (RIGHT - x) * WIDTH, size)
            sheet.write(x, middle, said, size, sheet.colors.prefill, "middle right")
    _draw(sheet, boxes)
    return sheet.figure(TOP + len(passes) * height + 8, min_width=960)


def _large(passes: Sequence[PassWords]) -> str:
    """How many words in how many passes."""
    return f"{quantity(sum(len(one.kept) + 1 for one in passes), 'word')} in {quantity(len(passes), 'pass')}"


def _name(sheet: Sheet, k: int) -> tuple[str, float, str]:
    """What a pass is called, its type size and colour."""
    return ("prefill", 13, sheet.colors.prefill) if k == 0 else (f"pass {k + 1}", 13, sheet.colors.muted)


def _inks(sheet: Sheet) -> dict[str, str]:
    """The colour of each kind of word."""
    return {KEPT: sheet.colors.ink, OWN: sheet.colors.decode, BACK: sheet.colors.wasted}


def _with_taken_back(kind: str, text: str) -> str:
    """The text, struck through where it is taken back."""
    return f"<s>{text}</s>" if kind == BACK else text


def _draw(sheet: Sheet, boxes: dict[str, list[Box]]) -> None:
    """What is kept is filled, the model's own outlined, what is taken back outlined."""
    inks = _inks(sheet)
    sheet.bars(boxes[KEPT], faded(sheet.colors, sheet.colors.cached, FILLED))
    for kind in (OWN, BACK):
        sheet.line("".join(rectangle(*box) for box in boxes[kind]), inks[kind], 1.4 * sheet.zoom)


def _lines(sheet: Sheet, passes: Sequence[PassWords], prompt: str) -> SheetFigure:
    """On a phone: each pass from the left, in as many lines as its words take."""
    inks, y = _inks(sheet), headline(sheet, _large(passes)) + 12
    boxes: dict[str, list[Box]] = {kind: [] for kind in inks}

    def boxed(x: float, y: float, text: str, kind: str, size: float) -> float:
        """One word in its box, from x pixels on; its width."""
        wide = size * ems(text) + 10
        boxes[kind].append((x / sheet.wide, y - LINE / 2 + 1, (x + wide) / sheet.wide, y + LINE / 2 - 1))
        sheet.write((x + wide / 2) / sheet.wide, y, _with_taken_back(kind, text), size, inks[kind])
        return wide

    x = 0.0
    for kind in boxes:
        if x and x + 14 * ems(kind) + 10 > sheet.wide:
            x, y = 0.0, y + LINE + 3
        x += boxed(x, y, kind, kind, 14) + 8
    y += 10
    for k, one in enumerate(passes):
        y, x = y + LINE + 5, NAME
        sheet.write(0, y, *_name(sheet, k), "middle right")
        kinds = [KEPT] * len(one.kept) + [OWN] + [BACK] * len(one.refused)
        for word, kind in zip((*one.kept, one.own, *one.refused), kinds, strict=True):
            text = short(word, sheet.wide - NAME - 12, TYPE)
            if x > NAME and x + TYPE * ems(text) + 10 > sheet.wide:
                x, y = NAME, y + LINE
            x += boxed(x, y, text, kind, TYPE) + 3
        said = f"behind “{prompt}”"
        if prompt and k == 0 and x + 8 + TYPE * ems(said) < sheet.wide:
            sheet.write((x + 5) / sheet.wide, y, plain(said), TYPE, sheet.colors.prefill, "middle right")
    _draw(sheet, boxes)
    return sheet.figure(y + LINE)
