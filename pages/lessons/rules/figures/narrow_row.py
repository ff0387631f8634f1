"""One token looks back, for a phone. Its query lies above the keys, place for place: a key fits where it is lit beneath a lit place.

Where values are taken it is a bill instead: a line for each token, its value times its weight, and beneath the line the context.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from pages.lessons.rules.figures.heads_list import heads_list
from pages.lessons.rules.figures.look import TO_FIND, HeadLine, Look
from pages.parts.drawing.answers import outline
from pages.parts.drawing.cells import Texts, cells, selectable
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, key_cells, token_boxes, value_cells
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, plain, rectangle, short
from pages.parts.text.digits import context_text, equals, share_said
from pages.parts.text.format import entered

TOKENS, KEYS, DRAWERS = (0.0, 0.235), (0.27, 0.72), (0.755, 1.0)  # shares of the width
VALUES, TIMES, WEIGHTS, PARTS = (0.27, 0.45), 0.485, (0.52, 0.71), 1.0
ROOM, LOWEST, HIGHEST, QUERY, GAP = 190.0, 15.0, 44.0, 34.0, 34.0  # pixels: of all rows, of one, of the query, beneath it
SUM, LARGE = 40.0, 30.0  # pixels of the line of the context; its type size
STRIPE = 11.0  # pixels of a place that has room for its number


def narrow_row(sheet: Sheet, layer: Attention, look: Look, words: Sequence[str], lines: Sequence[HeadLine]) -> SheetFigure:
    """words: (n,); lines: one for each head. Pressing a token's row lets that token ask."""
    sheet.on_phone()
    n, top = len(words), HEAD if look.values else QUERY + GAP + 10
    tall = float(np.clip(ROOM / n, LOWEST, HIGHEST))
    place = Place(top + np.arange(n + 1) * tall, tall, n, n, 0)
    bottom, asks, right = float(place.tops[-1]), sheet.colors.prefill, WEIGHTS[1] if look.values else 1.0
    sheet.bar(0, place.tops[look.query], 1, place.tops[look.query + 1], faded(sheet.colors, asks, 0.1))
    token_boxes(sheet, place, words, TOKENS, {look.query}, sheet.wide)
    if look.values:
        _write_bill(sheet, layer, look, lines[look.head], place)
        bottom += SUM
    else:
        _draw_keys(sheet, layer, look, lines[look.head], place)
        sheet.write(0, 12, "<b>query</b>", 15, sheet.colors.query, "middle right")
        who = short(words[look.query], TOKENS[1] * sheet.wide - 30, LEAST)
        sheet.write(0, 30, f"of “{who}”", LEAST, sheet.colors.muted, "middle right")
    height = heads_list(sheet, lines, look, (0.0, 1.0), (bottom + 8, bottom)) if look.others else bottom + 12
    _answers(sheet, look, Grid(np.array([VALUES[0] - 0.012, right + 0.012 * look.values]), place.tops))
    said = [[f"“{plain(word)}” asks"] for word in words]
    sheet.heatmap(Grid(np.array([0, right]), place.tops), np.arange(n)[:, None] == look.query, Scale((asks, asks)), said)
    sheet.traces[-1]["opacity"] = 0  # pressed, not seen
    grid = selectable(len(sheet.traces) - 1, (look.query, 0), "who asks", words, ["asks"])
    return sheet.figure(height, min_width=300, grid=grid)


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


def _draw_keys(sheet: Sheet, layer: Attention, look: Look, line: HeadLine, place: Place) -> None:
    """The query's places, beneath each that it searches for a band through all keys, and of each key whether it fits."""
    colors, n, head = sheet.colors, place.n, look.head
    seen, visible = line.looks.seen, line.looks.visible
    searched = np.maximum(layer.q[head, look.query, :n], 0)
    searched = searched / (searched.max() or 1)
    keys, scale = key_cells(colors, layer.k[layer.kv_head(head)])
    query = Grid(np.linspace(*KEYS, n + 1), np.array([6, 6 + QUERY]))
    cells(sheet, query, searched[None], Scale((faded(colors, colors.query, 0.15), colors.query)), hover=False)
    grid = place.grid(KEYS, n)
    sheet.bars((grid.row(j) for j in visible), faded(colors, colors.key, 0.12))
    end = float(grid.y[len(visible)])
    for j in np.flatnonzero(searched > 0.5):
        sheet.bar(grid.x[j], query.y[1] + 2, grid.x[j + 1], end, faded(colors, colors.query, 0.3))
    shown = np.where(keys[: len(visible), :n] > 0, keys[: len(visible), :n], np.nan)
    cells(sheet, place.grid(KEYS, n, 0, len(visible)), shown, scale, hover=False)
    sheet.write(KEYS[0], place.tops[0] - 14, "<b>key</b>", 15, colors.key, "middle right")
    sheet.write(DRAWERS[0], place.tops[0] - 14, "<b>drawer</b>", 15, colors.muted, "middle right")
    for j in range(n):
        _drawer(sheet, place, j, ("later" if j not in visible else "?" if not look.told else "fits" if j in seen else "no"))
        if look.told and j in seen and place.tall >= LEAST:
            sheet.frame(*grid.row(j), colors.ink, 2)
    if np.array_equal(keys[:n, :n] > 0, np.eye(n, dtype=bool)) and min(grid.wide * sheet.wide, place.tall) >= STRIPE:
        for j in np.flatnonzero(searched > 0):  # a key names the place at which its token stands
            sheet.write(grid.across[j], query.down[0], f"<b>{j + 1}</b>", 15, ink_on(colors.query))
        for j in visible:
            sheet.write(grid.across[j], place.middle(j), f"<b>{j + 1}</b>", 15, ink_on(colors.key))


def _drawer(sheet: Sheet, place: Place, j: int, says: str) -> None:
    """The drawer of one token, and whether its key fits: open it has the colour of what lies in it."""
    colors, (left, right), gap = sheet.colors, DRAWERS, min(3.0, place.tall / 8)
    box = left, float(place.tops[j]) + gap, right, float(place.tops[j + 1]) - gap
    size = min(15.0, place.tall - 1)
    if says == "later":
        if place.tall >= LEAST:
            sheet.line(rectangle(*box), colors.line, 1, "dot")
            sheet.write((left + right) / 2, place.middle(j), "later", size, colors.muted)
        return
    sheet.bar(*box, colors.value if says == "fits" else colors.hole)
    ink = ink_on(colors.value) if says == "fits" else colors.ink if says == "?" else colors.muted
    if place.tall >= LEAST:
        sheet.write((left + right) / 2, place.middle(j), "<b>✓ fits</b>" if says == "fits" else says, size, ink)


def _write_bill(sheet: Sheet, layer: Attention, look: Look, line: HeadLine, place: Place) -> None:
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
    shares = [share_said(float(w)) for w in looks.weights]
    if look.told:
        longest = (WEIGHTS[1] - WEIGHTS[0]) * sheet.wide / max(map(ems, shares))
        texts = Texts(np.where(shown, shares, "")[:, None].astype(object), min(20.0, size + 2, longest))
        cells(sheet, grid, np.where(shown, looks.weights, np.nan)[:, None], Scale(colors.weights), texts if read else None)
    elif read:
        sheet.write_all(grid.across[0], grid.down[shown], ["<b>?</b>"] * int(shown.sum()), min(20.0, size + 2))
    if read:
        sheet.write_all(TIMES, place.tops[:-1][shown] + place.tall / 2, ["×"] * int(shown.sum()), size, colors.muted)
    parts = looks.weights * looks.values
    for j in np.flatnonzero(shown) if summed and read else ():
        part = context_text(float(parts[j]), np.abs(looks.values).max(initial=0))
        _write_part(sheet, place.middle(j), float(parts[j]), part, size, abs(looks.weights[j]) > 0.005)
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


def _write_part(sheet: Sheet, y: float, part: float, said: str, size: float, strong: bool) -> None:
    """What one token adds to the context, at the end of its line."""
    sign = f"{equals(part, said)} " if np.isfinite(part) and said != "0" else ""
    sheet.write(PARTS, y, f"{sign}{bold(said, strong)}", size, sheet.colors.ink if strong else sheet.colors.muted, "middle left")
