"""What contexts say of the values that they are made of: each is one sum, its weights in a row over the columns of the values. As many
sums as values give each value back; with a column more than rows other values have the same sums."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.cells import cells, column_names, shares
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.format import plural, quantity

APART, NAME, NAME_ON_PHONE = 0.1, 0.135, 0.2  # the width between both prompts, and of the rows' names
HEAD, SUMS, ROW = 66.0, 140.0, 46.0  # pixels above the rows of weights, of all of these, and of a row of values
CONTEXT, WIDEST = 0.085, 0.09  # the width of a context, and of the widest column
FOUND = ("from the sums", "found")  # what is found, on a desk and on a phone


@dataclass(frozen=True, eq=False)
class Sums:
    """One prompt's last row. rank: how many of its contexts are sums of their own. weights: (n_head, n); values: what each token's is, as
    text; found: what the contexts give back, or others that fit them as well, which it is `fits`; moved: which of these are not the
    prompt's own."""

    words: Sequence[str]
    rank: int
    weights: np.ndarray
    contexts: Sequence[str]
    values: Sequence[str]
    found: Sequence[str]
    moved: Sequence[bool] = ()


def sums_of_values(sheet: Sheet, prompts: Sequence[Sums]) -> SheetFigure:
    """The prompts beside each other, on a phone one above the other; columns of one width."""
    if sheet.on_phone():
        top = 0.0
        for one in prompts:
            wide = min((1 - NAME_ON_PHONE - 0.13) / len(one.words), 0.14)
            top = _prompt(sheet, one, (NAME_ON_PHONE, top), wide, 0.13) + 26
        return sheet.figure(top - 20)
    columns = sum(len(one.words) for one in prompts)
    wide, left, bottom = min((1 - NAME - len(prompts) * CONTEXT - APART) / columns, WIDEST), NAME, 0.0
    for one in prompts:
        bottom = _prompt(sheet, one, (left, 0.0), wide, CONTEXT)
        left += len(one.words) * wide + CONTEXT + APART
    return sheet.figure(bottom)


def _prompt(sheet: Sheet, one: Sums, at: tuple[float, float], wide: float, context: float) -> float:
    """One prompt; returns where it ends. context: the width of what the rows of weights come to."""
    (left, top), n, colors = at, len(one.words), sheet.colors
    n_head = len(one.contexts)
    independent = "" if one.rank == n_head else "independent "
    said = f"{one.rank} {independent}{plural(one.rank, 'sum')} of {quantity(n, 'value')}"
    sheet.write(left if not sheet.phone else 0, top + 16, f"<b>{said}</b>", 20 if sheet.phone else 26, anchor="middle right")
    rows = Grid.of(left, top + HEAD, (wide, SUMS / n_head), (n_head, n))
    column_names(sheet, rows, top + HEAD - 14, one.words, 15)
    pixels = wide * sheet.wide
    cells(
        sheet,
        rows,
        one.weights,
        Scale(colors.weights),
        shares(one.weights, pixels, rows.tall, 18, 13),
        hover=False,
        lines=pixels > 6,
    )
    sheet.line(rectangle(rows.x[0], rows.y[0], rows.x[-1], rows.y[-1]), colors.line, 1)
    size = min(18.0, 0.9 * rows.tall, *((context * sheet.wide - 10) / (1.05 * ems(f"= {text}")) for text in one.contexts))
    for y, text in zip(rows.down.tolist(), one.contexts, strict=True):
        if size >= 12.9:
            sheet.write(rows.x[-1] + 8 / sheet.wide, y, f"= <b>{text}</b>", size, anchor="middle right")
    values = Grid.of(left, float(rows.y[-1]) + 12, (wide, ROW), (2, n))
    _values(sheet, one.values, (), values.rows(0, 1))
    _values(sheet, one.found, one.moved, values.rows(1, 2))
    if sheet.phone or left == NAME:
        names = ((rows.y[0] + rows.y[-1]) / 2, "weights"), (values.down[0], "values"), (values.down[1], FOUND[sheet.phone])
        for y, name in names:
            sheet.write(0, y, f"<b>{name}</b>", 14 if sheet.phone else 16, anchor="middle right")
    if one.moved:
        sheet.write(rows.x[-1] + 8 / sheet.wide, values.down[1], "fits too", 14 if sheet.phone else 16, anchor="middle right")
    return float(values.y[-1])


def _values(sheet: Sheet, texts: Sequence[str], moved: Sequence[bool], grid: Grid) -> None:
    """One row of values; those that are not the prompt's own are strong, those that are asked for wait."""
    colors, asked = sheet.colors, texts[0] == "?"
    own = faded(colors, colors.value, 0.3)
    size = min([22.0, *((grid.wide * sheet.wide - 6) / (1.07 * ems(text)) for text in texts)])
    for j, text in enumerate(texts):
        x0, y0, x1, y1 = grid.box(0, j)
        strong = bool(moved) and moved[j]
        fill = colors.value if strong or not moved else own
        if asked:
            sheet.line(rectangle(x0 + 0.001, y0 + 2, x1 - 0.001, y1 - 2), colors.value, 1.5, "dash")
        else:
            sheet.bar(x0 + 0.001, y0 + 2, x1 - 0.001, y1 - 2, fill)
        if size >= 13:
            sheet.write((x0 + x1) / 2, (y0 + y1) / 2, bold(text, strong), size, colors.ink if asked else ink_on(fill))
