"""What the last word takes from which word in each head of a layer, a row a head, on a phone a column; beside the heads that are switched
off together the chance of a word without them, on a phone beneath them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint, open_place
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Names, Scale
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short, type_size
from pages.parts.text.format import percent, whole_percent

TOP = 98.0  # pixels above the rows
FOOT = 12.0  # pixels beneath them
GAP = 22.0  # pixels between heads that are switched off together and others
LEFT = 0.075  # shares of the width: where cells begin,
# Where they end and the word stands that is taken most from, without and with chances,
ALONE, BESIDE = (0.83, 0.85), (0.6, 0.615)
BARS = (0.725, 0.89)  # where a chance's bar begins and ends
PHONE_LEFT = 0.2  # of the width, where cells begin on a phone
PHONE_TOP = 30.0  # pixels above the cells there
LINE = 16.5  # pixels of a word's cells there
ROOM = 218.0  # of all rows
SEEN = 0.05  # a share that is written
LARGE = 28.0
APART = 42.0  # pixels above the bars on a phone
BAR = 27.0  # pixels of a bar there, with its room
THICK = 18.0  # pixels of the bar itself
HIGH = 26.0  # pixels of a bar on a projector


class Chance(NamedTuple):
    """Of the word that is sought. name: what is on or off; chance: None as long as it is to be found; off: the heads, from 0."""

    name: str
    chance: float | None
    off: Sequence[int] = ()


def four_heads(
    sheet: Sheet, words: Names, looks: np.ndarray, sought: str = "", chances: Sequence[Chance] = (), asked: Asked = NOT_ASKED
) -> SheetFigure:
    """words: (n,), the last of which looks. looks: (n_head, n) its weights. sought: the word whose `chances` stand beside or beneath; in
    the colour of what is found where it is taken most from. asked: of the chances which may be pressed as an answer."""
    if sheet.on_phone():
        return _narrow(sheet, words, looks, sought, chances, asked)
    colors, (n_head, n) = sheet.colors, looks.shape
    right, most = BESIDE if chances else ALONE
    groups = [list(one.off) for one in chances if len(one.off)] or [list(range(n_head))]
    tall = sheet.row(ROOM, n_head, 20.0, 74.0)
    title = f"what “{short(words[-1], 120, 16)}” takes from each word, where it is {SEEN:.0%} or more"
    sheet.write(LEFT, 12, title, 16, anchor="middle right")
    sheet.write(most, TOP - 18, bold("most from"), 16, anchor="middle right")
    top, wide = TOP, (right - LEFT) / n
    _words(sheet, Grid.of(LEFT, TOP, (wide, tall), (1, n)), words)
    ends = []
    for heads in groups:
        grid = Grid.of(LEFT, top, (wide, tall), (len(heads), n))
        _cells(sheet, grid, looks[heads], min(17.0, (wide * sheet.wide - 3) / (LETTER * 4)))
        for h, y in zip(heads, grid.down, strict=True):
            sheet.write(LEFT - 0.012, y, f"head {h + 1}", 16, anchor="middle left")
            word, large = words[int(looks[h].argmax())], min(LARGE, 0.6 * tall)
            text = short(word, ((BARS[0] - 0.02 if chances else 1.0) - most) * sheet.wide, large)
            sheet.write(most, y, bold(text), large, colors.prefill if word == sought else colors.muted, "middle right")
        ends.append((top, float(grid.y[-1])))
        top = ends[-1][1] + GAP
    if chances:
        _beside(sheet, (sought, chances), ends, asked)
    return sheet.figure(top - GAP + FOOT + 8, min_width=760)


def _words(sheet: Sheet, grid: Grid, words: Names) -> None:
    """Above the cells, the last of them strong."""
    pixels, ink = grid.wide * sheet.wide, (sheet.colors.ink, sheet.colors.prefill)
    size = max(12.0, min(16.0, (pixels - 2) / max(2.0, max(ems(word) for word in words))))
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        last = j == len(words) - 1
        sheet.write(x, TOP - 18, bold(short(word, pixels - 2, size), last), size, ink[last])


def _beside(sheet: Sheet, of: tuple[str, Sequence[Chance]], ends: Sequence[tuple[float, float]], asked: Asked) -> None:
    """The chance of the word: with all heads at the top, and beside those that are off what is left without them. ends: of the rows of
    each chance that has heads off, from top to bottom."""
    (sought, chances), (left, right) = of, BARS
    sheet.write(
        left, 12, short(f"all heads: chance that “{sought}” comes next", (1 - left) * sheet.wide, 16), 16, anchor="middle right"
    )
    hint(sheet, asked, 1.0, TOP - 14)
    rows = iter(ends)
    for k, one in enumerate(chances):
        top, bottom = next(rows) if len(one.off) else (24.0, 24.0 + 2 * HIGH)
        y = (top + bottom) / 2 + 8 * bool(len(one.off))
        box = left, y - HIGH / 2, right, y + HIGH / 2
        if one.chance is None:
            open_place(sheet, *box)
        else:
            sheet.share_bar(box, one.chance, sheet.colors.accent)
        if len(one.off):
            sheet.write(left, box[1] - 15, one.name, 16, anchor="middle right")
            sheet.line(f"M{left - 0.014:.4f},{top:.1f}V{bottom:.1f}", sheet.colors.muted, 2)
        said = "?" if one.chance is None else percent(one.chance)
        size = type_size(said, (0.985 - right) * sheet.wide, LARGE)
        sheet.write(right + 0.014, y, bold(said), size, anchor="middle right")
        whole = 0.0, top - 4, 1.003, bottom + 4
        answer_part(sheet, asked, k, whole, (1.0, bottom - 8, "middle left"))


def _narrow(sheet: Sheet, words: Names, looks: np.ndarray, sought: str, chances, asked: Asked) -> SheetFigure:
    """The same for a phone: words beneath each other, a column a head."""
    colors, (n_head, n) = sheet.colors, looks.shape
    grid = Grid.of(PHONE_LEFT, PHONE_TOP, ((0.998 - PHONE_LEFT) / n_head, LINE), (n, n_head))
    for h, x in enumerate(grid.across):
        sheet.write(x, PHONE_TOP - 14, f"head {h + 1}", 14)
    for j, (y, word) in enumerate(zip(grid.down, words, strict=True)):
        ink = colors.prefill if j == n - 1 else colors.ink
        sheet.write(PHONE_LEFT - 0.02, y, bold(short(word, 62, 13.5), j == n - 1), 13.5, ink, "middle left")
    _cells(sheet, grid, looks, 13.0, upright=True)
    bottom = float(grid.y[-1])
    sheet.write(PHONE_LEFT - 0.02, bottom + 20, bold("most"), 14, anchor="middle left")
    for h, x in enumerate(grid.across):
        word = words[int(looks[h].argmax())]
        ink = colors.prefill if word == sought else colors.muted
        sheet.write(x, bottom + 20, bold(short(word, grid.wide * sheet.wide - 4, 18)), 18, ink)
    return sheet.figure(_bars(sheet, (0.46, 0.8, 0.83), bottom + 20 + APART, (sought, chances), asked))


def _bars(sheet: Sheet, across: tuple[float, float, float], top: float, of: tuple[str, Sequence[Chance]], asked: Asked) -> float:
    """The chance of the word, a bar each; returns where they end. across: where a bar begins and ends, and where its number stands."""
    (left, right, most), (sought, chances) = across, of
    if not chances:
        return top - APART
    y = top - 22
    sheet.write(0.0, y, f"chance that “{short(sought, 90, 16)}” comes next", 16, anchor="middle right")
    for k, (name, chance, _) in enumerate(chances):
        middle = top + k * BAR + BAR / 2
        box = left, middle - THICK / 2, right, middle + THICK / 2
        size = type_size(name, (left - 0.012) * sheet.wide, 16.0, strong=False)
        sheet.write(left - 0.012, middle, name, size, anchor="middle left")
        if chance is None:
            sheet.line(rectangle(*box), sheet.colors.bar, 1.2, "dash")
        else:
            sheet.share_bar(box, chance, sheet.colors.accent)
        sheet.write(most, middle, bold("?" if chance is None else percent(chance)), 20, anchor="middle right")
        whole = 0.0, middle - BAR / 2, 1.0, middle + BAR / 2
        answer_part(sheet, asked, k, whole, (1.0, y, "middle left"), ticked=False)
    return top + len(chances) * BAR


def _cells(sheet: Sheet, grid: Grid, looks: np.ndarray, size: float, upright: bool = False) -> None:
    """The weights in colour, in per cent where they are large enough."""
    said = np.full(looks.shape, "", object)
    for h, j in np.argwhere(looks >= SEEN):
        said[h, j] = whole_percent(float(looks[h, j]))
    shown = np.where(looks >= SEEN, looks, 0)  # as the figure says
    z, text = (shown.T, said.T) if upright else (shown, said)
    cells(sheet, grid, z.astype(float), Scale(sheet.colors.weights), Texts(text, size) if size >= 11 else None, lines=False)
    for h in range(len(looks)):
        box = (*grid.box(0, h)[:3], float(grid.y[-1])) if upright else grid.row(h)
        sheet.line(rectangle(*box), sheet.colors.bar, 1.2, layer="above")
