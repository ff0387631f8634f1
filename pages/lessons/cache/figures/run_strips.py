"""Two runs as mirror images, a column a pass: above what one computes, below what the other does; between them the words that come out
of both, and how far the two part."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.compare import ROUNDING
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, rectangle, short
from pages.parts.text.digits import gap_text

LEFT, NARROW = 0.15, 0.2  # shares of the width: the names of the runs, and on a phone
TOP = 24.0  # pixels of the names of the columns
WORD = 34.0  # pixels of a word
LINE = 28.0  # pixels of a line of differences
SIZE = 20.0  # type size of a word
ROOM, MOST = 318.0, 40.0  # pixels of the figure on a projector, and of a row
LEAST = 46.0  # pixels that a run's name and its number take
ROWS_WIDE = 0.86  # of a column is taken by its rows


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
    run, other = runs
    between = 2 * WORD + 8 + LINE * len(differences)
    most = run.n_prompt + n - 1
    tall = min(MOST, (ROOM + 0.9 * sheet.spare - TOP - between - 10) / (run.n_prompt + most))
    above, below = (max(tall * max(one.computed), LEAST) for one in runs)
    every = max(1, int(np.ceil(36 / (wide * sheet.wide))))
    once = n > 2 and len(set(columns[1:])) == 1
    for j, name in enumerate(columns[: 1 if once else n]):
        if j % every == 0:
            text = short(name, every * wide * sheet.wide * (1.0 if j else 1.25) - 4, 13)  # "prompt", beside a shorter word
            x, anchor = (left + (j + 0.5) * wide, "middle center") if j or wide * sheet.wide > 48 else (left, "middle right")
            sheet.write(x, 10, text, 13, sheet.colors.muted, anchor)
    if once:
        text = short(columns[1], (n - 1) * wide * sheet.wide / 2, 13)
        sheet.write(left + (n + 1) / 2 * wide, 10, f"{text} each time", 13, sheet.colors.muted)
    sheet.write(left - 0.012, 10, "fed to both", 13, sheet.colors.muted, "middle left")
    agreed = [len(set(words)) == 1 for words in zip(*(run.words for run in runs), strict=True)]
    y = TOP + above
    _rows(sheet, run, (left, wide), tall, y, up=True)
    for k, one in enumerate(runs):
        middle = y + WORD / 2 + 2 if not k else y + between - WORD / 2 - 2
        _words(sheet, one, agreed, every, (left, wide), middle)
        sheet.write(left - 0.012, middle, "comes out", 13, sheet.colors.muted, "middle left")
    _differences(sheet, differences, (left, wide), y + WORD + 4)
    _rows(sheet, other, (left, wide), tall, y + between, up=False)
    _name(sheet, run, y - above + 10, left)
    _name(sheet, other, y + between + 12, left)
    if not sheet.phone and below > 90:
        sheet.write(0, y + between + 78, "brown: again", 14, sheet.colors.wasted, "middle right")
    return under_headline(sheet, found).figure(y + between + below + 10)


def _rows(sheet: Sheet, run: RunStrip, across: tuple[float, float], tall: float, y: float, up: bool) -> None:
    """The rows that every pass computes, newest last, up from the words between the runs or down from them."""
    (left, wide), boxes, gap = across, {}, min(0.7, 0.1 * tall)
    for j, computed in enumerate(run.computed):
        x = left + (j + (1 - ROWS_WIDE) / 2) * wide
        top = y - computed * tall if up else y
        for i in range(computed):
            kind = "prefill" if j == 0 else "new" if i == computed - 1 else "again"
            boxes.setdefault(kind, []).append((x, top + i * tall + gap, x + ROWS_WIDE * wide, top + (i + 1) * tall - gap))
    cache_rows(sheet, boxes, "full")


def _words(sheet: Sheet, run: RunStrip, agreed: Sequence[bool], every: int, across: tuple[float, float], y: float) -> None:
    """The word that comes out of every pass, once where it is always the same; those on which the runs disagree stand on a ground of
    their own."""
    (left, wide), colors, n, size = across, sheet.colors, len(run.words), 14 if sheet.phone else SIZE
    if n > 1 and all(agreed) and len(set(run.words)) == 1:
        word = bold(short(run.words[0], n * wide * sheet.wide / 2, size))
        sheet.write(left + n * wide / 2, y, f"{word} each time", size, colors.decode)
        return
    for j, word in enumerate(run.words):
        if not agreed[j]:
            sheet.bar(left + j * wide + 0.002, y - 15, left + (j + 1) * wide - 0.002, y + 15, faded(colors, colors.decode, 0.2))
        if j % every == 0 or not agreed[j]:
            room = (every if agreed[j] else 1) * wide * sheet.wide - 4
            sheet.write(left + (j + 0.5) * wide, y, bold(short(word, room, size)), size, colors.decode)


def _name(sheet: Sheet, run: RunStrip, y: float, left: float) -> None:
    """Which run it is, and how many rows it computes in all."""
    name = run.name.removeprefix("with the ") if sheet.phone else run.name
    sheet.write(0, y, bold(name), 14 if sheet.phone else 16, anchor="middle right")
    large_number(sheet, (0.0, left - 0.012), y + 32, f"{sum(run.computed):,}", "" if sheet.phone else "rows")


def _differences(sheet: Sheet, differences: Mapping[str, np.ndarray], across: tuple[float, float], y: float) -> None:
    """Between the two runs a line for each of what differs, pale where it is rounding, brown where it is real; one word for all of it
    where nothing does."""
    (left, wide), colors = across, sheet.colors
    for name, gaps in differences.items():
        if gaps.max() <= ROUNDING:
            sheet.bar(left + 0.002, y + 2, left + len(gaps) * wide - 0.002, y + LINE - 2, colors.hole)
            text = "the same but for rounding in the last digits" if gaps.max() else "the same, to the last bit"
            sheet.write(left + len(gaps) * wide / 2, y + LINE / 2, text, 14 if sheet.phone else 16)
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
