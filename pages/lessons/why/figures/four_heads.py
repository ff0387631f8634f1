"""What the last word takes from which word in each head of a layer, a row a head, on a phone a column; beneath it the chance of a word
with all of them and with some switched off."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.format import percent, whole_percent

TOP, FOOT = 62.0, 12.0  # pixels above the rows, and beneath them
# Shares of the width: where cells begin and end, where the word stands that is taken most from.
LEFT, RIGHT, MOST = 0.15, 0.83, 0.85
SAID = 0.905  # where the bars' numbers have ended
PHONE_LEFT, PHONE_TOP, LINE = 0.2, 30.0, 16.5
ROOM = 140.0  # of all rows
SEEN = 0.05  # a share that is written
LARGE = 28.0
TIED = (0.008, 0.001)  # where the lines run from heads to the bar of what is without them, the first nearer
APART, BAR, THICK = 42.0, 27.0, 18.0  # pixels above the bars, of one of them with its room, of itself


class Chance(NamedTuple):
    """Of the word that is sought. name: what is on or off; chance: None as long as it is to be found; off: the heads, from 0."""

    name: str
    chance: float | None
    off: Sequence[int] = ()


def four_heads(
    sheet: Sheet,
    words: Sequence[str],
    looks: np.ndarray,
    sought: str = "",
    chances: Sequence[Chance] = (),
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """words: (n,), the last of which looks. looks: (n_head, n) its weights. sought: the word whose `chances` stand beneath; it is in
    the colour of what is found where it is taken most from. asked: of the chances which may be pressed as an answer."""
    if sheet.on_phone():
        return _narrow(sheet, words, looks, sought, chances, asked)
    colors, (n_head, n) = sheet.colors, looks.shape
    tall = sheet.row(ROOM, n_head, 20.0, 74.0)
    grid = Grid.of(LEFT, TOP, ((RIGHT - LEFT) / n, tall), (n_head, n))
    pixels = grid.wide * sheet.wide
    title = f"what “{short(words[-1], 120, 16)}” takes from each word, where it is {SEEN:.0%} or more"
    sheet.write(LEFT, 12, title, 16, anchor="middle right")
    sheet.write(MOST, TOP - 18, bold("most from"), 16, anchor="middle right")
    longest = max(ems(word) for word in words)
    size = max(12.0, min(16.0, (pixels - 2) / max(2.0, longest)))
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        last = j == n - 1
        sheet.write(x, TOP - 18, bold(short(word, pixels - 2, size), last), size, colors.prefill if last else colors.ink)
    _cells(sheet, grid, looks, min(17.0, (pixels - 3) / (LETTER * 4)))
    for h, y in enumerate(grid.down):
        sheet.write(LEFT - 0.012, y, f"head {h + 1}", 16, anchor="middle left")
        word, large = words[int(looks[h].argmax())], min(LARGE, 0.6 * tall)
        text = short(word, (1 - MOST) * sheet.wide, large)
        sheet.write(MOST, y, bold(text), large, colors.prefill if word == sought else colors.muted, "middle right")
    bars = float(grid.y[-1]) + APART
    bottom = _bars(sheet, (LEFT, RIGHT, MOST), bars, (sought, chances), asked)
    _ties(sheet, grid, bars, chances)
    return sheet.figure(bottom + FOOT, min_width=760)


def _narrow(sheet: Sheet, words: Sequence[str], looks: np.ndarray, sought: str, chances, asked: Asked) -> SheetFigure:
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
    (left, right, most), (sought, chances), phone = across, of, sheet.phone
    if not chances:
        return top - APART
    at = (0.0 if phone else left), top - 22
    sheet.write(*at, f"chance that “{short(sought, 90, 16)}” comes next", 16, anchor="middle right")
    if not phone:
        hint(sheet, asked, right, at[1], "middle left")
    for k, (name, chance, _) in enumerate(chances):
        y = top + k * BAR + BAR / 2
        box = left, y - THICK / 2, right, y + THICK / 2
        size = min(16.0, (left - 0.012) * sheet.wide / ems(name) / 1.07)
        sheet.write(left - 0.012, y, name, size, anchor="middle left")
        if chance is None:
            sheet.line(rectangle(*box), sheet.colors.bar, 1.2, "dash")
        else:
            sheet.share_bar(box, chance, sheet.colors.accent)
        sheet.write(most, y, bold("?" if chance is None else percent(chance)), 20, anchor="middle right")
        if asked.names:
            begins = 0.0 if phone else left - 0.012 - 16 * max(ems(one.name) for one in chances) / _pixels(sheet) - 0.003
            whole = begins, y - BAR / 2, 1.0 if phone else SAID, y + BAR / 2
            yours = (1.0, at[1], "middle left") if phone else (SAID + 6 / sheet.wide, y, "middle right")
            answer_part(sheet, asked, k, whole, yours, ticked=not phone)
    return top + len(chances) * BAR


def _pixels(sheet: Sheet) -> float:
    """Of the width, as type has them: it is as large when it is presented."""
    return sheet.wide * min(1.0, ACROSS / sheet.wide / sheet.zoom)


def _ties(sheet: Sheet, grid: Grid, bars: float, chances: Sequence[Chance]) -> None:
    """From the heads that are off a line down to the bar of what is without them. bars: where these begin."""
    tied = [(k, chance) for k, chance in enumerate(chances) if len(chance.off)]
    pixels = _pixels(sheet)
    inks = (sheet.colors.muted, sheet.colors.ink)
    for x, ink, (k, chance) in zip(TIED, inks, tied, strict=False):
        y = bars + (k + 0.5) * BAR
        name = LEFT - 0.012 - 16 * max(ems(one.name) for one in chances) / pixels - 0.004
        heads = LEFT - 0.012 - 16 * ems("head 1") / pixels - 0.006
        ticks = "".join(f"M{x:.4f},{grid.down[h]:.1f}H{heads:.4f}" for h in chance.off)
        way = f"{ticks}M{x:.4f},{grid.down[min(chance.off)]:.1f}V{y:.1f}H{max(name, x + 0.004):.4f}"
        sheet.line(way, ink, 2)


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
