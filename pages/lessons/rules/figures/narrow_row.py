"""One token looks back, for a phone: a bill with a line for each token, its value times its weight, and beneath the line the context."""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from pages.lessons.rules.figures.heads_list import heads_list
from pages.lessons.rules.figures.look import TO_FIND, HeadLine, Look, each_may_ask
from pages.lessons.rules.figures.products import product_said, shares_said
from pages.parts.drawing.answers import outline
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, token_boxes, value_cells
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.format import entered

# Shares of the width
TOKENS = 0.0, 0.235
VALUES = (0.27, 0.45)
TIMES = 0.485  # where the sign × stands
WEIGHTS = (0.52, 0.71)
PARTS = 1.0  # where products end
ROOM = 190.0  # pixels of all rows
LOWEST = 15.0  # pixels of a row, at least
HIGHEST = 44.0  # pixels of a row, at most
SUM, LARGE = 40.0, 30.0  # pixels of the line of the context; its type size


def narrow_row(sheet: Sheet, layer: Attention, look: Look, words: Sequence[str], lines: Sequence[HeadLine]) -> SheetFigure:
    """words: (n,); lines: one for each head. Pressing a token's row lets that token ask."""
    sheet.on_phone()
    n = len(words)
    tall = float(np.clip(ROOM / n, LOWEST, HIGHEST))
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    bottom, asks, right = float(place.tops[-1]) + SUM, sheet.colors.prefill, WEIGHTS[1]
    sheet.bar(0, place.tops[look.query], 1, place.tops[look.query + 1], faded(sheet.colors, asks, 0.1))
    token_boxes(sheet, place, words, TOKENS, {look.query}, sheet.wide)
    _write_bill(sheet, look, lines[look.head], place)
    height = heads_list(sheet, lines, look, (0.0, 1.0), (bottom + 8, bottom)) if look.others else bottom + 12
    _answers(sheet, look, Grid(np.array([VALUES[0] - 0.012, right + 0.012]), place.tops))
    grid = each_may_ask(sheet, look, Grid(np.array([0, right]), place.tops), words)
    return sheet.figure(height, on_phone=300, grid=grid)


def _answers(sheet: Sheet, look: Look, rows: Grid) -> None:
    """The tokens' rows as answers, the right one and the one that was guessed marked; whose that is stands right of them."""
    asked = look.asked
    for k, name in enumerate(asked.names):
        box = rows.row(k)
        if asked.open and name:
            sheet.answers.append([k, 0.0, box[1], 1.0, box[3], name])
        elif name:
            yours = box[2] + 0.012, (box[1] + box[3]) / 2, "middle right"
            outline(sheet, box, name == asked.right, name == asked.guess, yours, "yours")


def _write_bill(sheet: Sheet, look: Look, line: HeadLine, place: Place) -> None:
    """Value times weight of each token, what each comes to, and beneath the line what all of them are together."""
    colors, n, looks = sheet.colors, place.n, line.looks
    visible = np.isin(np.arange(n), looks.visible)
    shown = visible | (looks.weights != 0)  # something leaks to what is hidden where −10⁹ stands for −∞
    summed = look.told and line.result != TO_FIND
    sizes, tint = value_cells(colors, looks.values)
    said = [bold(short(entered(float(v)), (VALUES[1] - VALUES[0]) * sheet.wide, 15)) for v in looks.values]
    size = min(17.0, place.tall - 2)
    read = size >= LEAST - 1
    written = np.where(visible, said, "")[:, None].astype(object)
    cells(sheet, place.grid(VALUES, 1), np.where(visible, sizes, np.nan)[:, None], tint, Texts(written, size) if read else None)
    grid = place.grid(WEIGHTS, 1)
    sheet.bars((grid.row(j) for j in np.flatnonzero(~shown)), colors.hole)
    shares = shares_said(looks.weights.tolist(), looks.values)
    if look.told:
        longest = (WEIGHTS[1] - WEIGHTS[0]) * sheet.wide / max(map(ems, shares))
        texts = Texts(np.where(shown, shares, "")[:, None].astype(object), min(20.0, size + 2, longest))
        cells(sheet, grid, np.where(shown, looks.weights, np.nan)[:, None], Scale(colors.weights), texts if read else None)
    elif read:
        sheet.write_all(grid.across[0], grid.down[shown], ["<b>?</b>"] * int(shown.sum()), min(20.0, size + 2))
    if read:
        sheet.write_all(TIMES, place.tops[:-1][shown] + place.tall / 2, ["×"] * int(shown.sum()), size, colors.muted)
    for j in np.flatnonzero(shown) if summed and read else ():
        _write_part(sheet, place.middle(j), (float(looks.weights[j]), float(looks.values[j])), size, shares[j] != "0")
    sheet.frame(*grid.edges, colors.prefill, 2)
    sheet.write(VALUES[0], HEAD - 14, "<b>value</b>", 15, colors.value, "middle right")
    sheet.write(WEIGHTS[0], HEAD - 14, "<b>weight</b>" if look.told else "<b>weight?</b>", 15, anchor="middle right")
    if n > len(looks.visible) and place.tall >= LEAST:
        later = [j for j in range(n) if not shown[j]]
        sheet.write_all(
            np.full(len(later), grid.across[0]), place.tops[later] + place.tall / 2, ["hidden"] * len(later), 13, colors.muted
        )
    y = float(place.tops[-1]) + 4
    sheet.line(f"M0,{y:.2f}L1,{y:.2f}", colors.ink, 1.5)
    size = max(20.0, min(LARGE, 0.6 * sheet.wide / ems(line.result)))
    ink = colors.muted if line.result in ("none", "NaN") else colors.ink
    sheet.write(PARTS, y + 22, bold(line.result), size, ink, "middle left")
    sheet.write(0, y + 22, "<b>context</b>", 15, anchor="middle right")


def _write_part(sheet: Sheet, y: float, part: tuple[float, float], size: float, taken: bool) -> None:
    """What one token adds to the context, its share of its value, at the end of its line: 0 where its share is written so."""
    sign, said = product_said(*part).split(" ", 1) if taken else ("", "0")
    written = f"{sign} {bold(said, taken)}".lstrip()
    sheet.write(PARTS, y, written, size, sheet.colors.ink if taken else sheet.colors.muted, "middle left")
