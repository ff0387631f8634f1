"""Two runs beneath each other, a column a pass: the rows that each computes, the word that comes out, and how far the two part."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, rectangle, short
from pages.parts.text.digits import gap_text

LEFT, NARROW = 0.15, 0.2  # shares of the width: the names of the runs, and on a phone
TOP, WORD, LINE, FOOT = 24.0, 30.0, 26.0, 24.0  # pixels: column names, a word, a line of differences, what the colours mean
ROOM = 318.0  # pixels of the figure on a projector
ROWS_WIDE = 0.86  # of a column is taken by its rows
NAMES = {"prefill": "prefill", "new": "new row", "read": "only read", "again": "computed again"}


class RunStrip(NamedTuple):
    """One run. computed: rows of each pass; words: what comes out of each."""

    name: str
    n_prompt: int
    computed: Sequence[int]
    words: Sequence[str]


def run_strips(
    sheet: Sheet, runs: Sequence[RunStrip], columns: Sequence[str], differences: Mapping[str, np.ndarray], found: str = ""
) -> SheetFigure:
    """runs: two, over the same passes. columns: what goes in at each. differences: by what differs, how far at each pass.
    found: what the two come to."""
    phone, n = sheet.on_phone(), len(columns)
    left = NARROW if phone else LEFT
    wide = (0.998 - left) / n
    lines = LINE * len(differences)
    room = ROOM + 0.9 * sheet.spare - TOP - lines - FOOT - 2 * WORD - 30
    body = max(44.0, room / 2)
    every = max(1, int(np.ceil(36 / (wide * sheet.wide))))
    once = n > 2 and len(set(columns[1:])) == 1
    for j, name in enumerate(columns[: 1 if once else n]):
        if j % every == 0:
            text = short(name, every * wide * sheet.wide * (1.0 if j else 1.25) - 4, 13)  # "prompt", beside a shorter word
            sheet.write(left + (j + 0.5) * wide, 10, text, 13, sheet.colors.muted)
    if once:
        text = short(columns[1], (n - 1) * wide * sheet.wide / 2, 13)
        sheet.write(left + (n + 1) / 2 * wide, 10, f"{text} each time", 13, sheet.colors.muted)
    sheet.write(left - 0.012, 10, "fed to both", 13, sheet.colors.muted, "middle left")
    agreed = [len(set(words)) == 1 for words in zip(*(run.words for run in runs), strict=True)]
    y = TOP
    for k, run in enumerate(runs):
        _rows(sheet, run, (left, wide), (y, body))
        _words(sheet, run, agreed, every, (left, wide), y + body + WORD / 2)
        sheet.write(left - 0.012, y + body + WORD / 2, "comes out", 13, sheet.colors.muted, "middle left")
        _name(sheet, run, y + body / 2, left)
        y += body + WORD + 8
        if k == 0:
            y = _differences(sheet, differences, (left, wide), y)
    for k, kinds in enumerate((("prefill", "new"), ("read", "again")) if phone else (tuple(NAMES),)):
        legend(sheet, y + 12 + 20 * k, {kind: NAMES[kind] for kind in kinds}, 0.0 if phone else left)
    return under_headline(sheet, found).figure(y + FOOT + (20 if phone else 0))


def _rows(sheet: Sheet, run: RunStrip, across: tuple[float, float], down: tuple[float, float]) -> None:
    """The rows of every pass beneath each other: what it computes, and what it only reads."""
    (left, wide), (top, body) = across, down
    n_most = run.n_prompt + len(run.computed) - 1
    tall = min(body / n_most, 22.0)
    top += body - n_most * tall
    boxes: dict[str, list] = {}
    for j, computed in enumerate(run.computed):
        x = left + (j + (1 - ROWS_WIDE) / 2) * wide
        n = run.n_prompt + j
        for i in range(n):
            kind = "prefill" if j == 0 else "new" if i == n - 1 else "read" if i < n - computed else "again"
            boxes.setdefault(kind, []).append((x, top + i * tall + 0.5, x + ROWS_WIDE * wide, top + (i + 1) * tall - 0.5))
    cache_rows(sheet, boxes)


def _words(sheet: Sheet, run: RunStrip, agreed: Sequence[bool], every: int, across: tuple[float, float], y: float) -> None:
    """The word that comes out of every pass, once where it is always the same; those on which the runs disagree stand on a ground of
    their own."""
    (left, wide), colors, n = across, sheet.colors, len(run.words)
    if n > 1 and all(agreed) and len(set(run.words)) == 1:
        word = bold(short(run.words[0], n * wide * sheet.wide / 2, 15))
        sheet.write(left + n * wide / 2, y, f"{word} each time", 15, colors.decode)
        return
    for j, word in enumerate(run.words):
        if not agreed[j]:
            sheet.bar(left + j * wide + 0.002, y - 13, left + (j + 1) * wide - 0.002, y + 13, faded(colors, colors.decode, 0.2))
        if j % every == 0 or not agreed[j]:
            room = (every if agreed[j] else 1) * wide * sheet.wide - 4
            size = 13 if sheet.phone else 15
            sheet.write(left + (j + 0.5) * wide, y, bold(short(word, room, size)), size, colors.decode)


def _name(sheet: Sheet, run: RunStrip, y: float, left: float) -> None:
    """Which run it is, and how many rows it computes in all."""
    name = run.name.removeprefix("with the ") if sheet.phone else run.name
    sheet.write(0, y - 34 + 18 * (not sheet.phone), bold(name), 14 if sheet.phone else 16, anchor="middle right")
    y += 14 * (not sheet.phone)
    large_number(sheet, (0.0, left - 0.012), y, f"{sum(run.computed):,}", "rows", beneath=sheet.phone)


def _differences(sheet: Sheet, differences: Mapping[str, np.ndarray], across: tuple[float, float], y: float) -> float:
    """Between the two runs a line for each of what differs, pale where it is rounding, brown where it is real; one word for all of it
    where nothing does. Returns its end."""
    (left, wide), colors = across, sheet.colors
    for name, gaps in differences.items():
        if gaps.max() <= ROUNDING:
            sheet.bar(left + 0.002, y + 2, left + len(gaps) * wide - 0.002, y + LINE - 2, colors.hole)
            text = "the same but for rounding in the last digits" if gaps.max() else "the same, to the last bit"
            sheet.write(left + len(gaps) * wide / 2, y + LINE / 2, text, 14)
            y += LINE
            continue
        name = name.removesuffix(" by") if sheet.phone else name
        sheet.write(left - 0.012, y + LINE / 2, short(name, left * sheet.wide - 6, 14), 14, anchor="middle left")
        for j, gap in enumerate(gaps.tolist()):
            fill = colors.wasted if gap > ROUNDING else colors.hole
            x0, x1 = left + j * wide + 0.002, left + (j + 1) * wide - 0.002
            sheet.path(rectangle(x0, y + 2, x1, y + LINE - 2), fill)
            text = gap_text(gap)
            size = min(14.0, (wide * sheet.wide - 6) / (LETTER * max(1, len(text))))
            if size >= 12:
                sheet.write((x0 + x1) / 2, y + LINE / 2, bold(text, gap > ROUNDING), size, ink_on(fill))
        y += LINE
    return y + 8
