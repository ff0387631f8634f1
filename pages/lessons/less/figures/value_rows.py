"""Prompts as rows of values beside the contexts of their last row: what the contexts give back, and what fits them as well."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, short

NAME, RIGHT, CONTEXTS = 0.15, 0.655, 0.69
ROW, HEAD, APART = 46.0, 28.0, 26.0
COLUMNS = 8  # values in a line on a phone


@dataclass(frozen=True)
class ValueRow:
    """One row of values as text. moved: which of them differ from the prompt's own."""

    name: str
    values: tuple[str, ...]
    moved: tuple[bool, ...] = ()


def value_rows(sheet: Sheet, blocks: Sequence[tuple[Sequence[str], Sequence[str], Sequence[ValueRow]]]) -> SheetFigure:
    """blocks: of each prompt its words, its last row's contexts as text, and its rows of values."""
    if sheet.on_phone():
        return _narrow(sheet, blocks)
    top = 0.0
    widest = max(len(words) for words, *_ in blocks)
    width = min((RIGHT - NAME) / widest, 0.1)
    for words, contexts, rows in blocks:
        top += HEAD
        column_names(sheet, Grid.of(NAME, top, (width, ROW), (len(rows), len(words))), top - 11, words, 12.5)
        sheet.write(CONTEXTS, top - 11, f"<b>contexts</b> of “{short(words[-1], 130, 13.5)}”", 13.5, anchor="middle right")
        for r, row in enumerate(rows):
            y = top + (r + 0.5) * ROW
            sheet.write(NAME - 0.012, y, f"<b>{row.name}</b>" if r == 0 else row.name, 14, anchor="middle left")
            _cells(sheet, row, range(len(row.values)), y, (NAME, width))
            _contexts(sheet, contexts, y, r > 0)
        top += len(rows) * ROW + APART
    return sheet.figure(top - APART + 4, min_width=820)


def _narrow(sheet: Sheet, blocks: Sequence[tuple[Sequence[str], Sequence[str], Sequence[ValueRow]]]) -> SheetFigure:
    """The same for a phone: a row's name above its values, many values in several lines, the contexts beneath."""
    top = 0.0
    for words, contexts, rows in blocks:
        for start in range(0, len(words), COLUMNS):
            places, top = range(start, min(start + COLUMNS, len(words))), top + HEAD
            width = 1 / min(COLUMNS, len(words))
            some = [words[j] for j in places]
            column_names(sheet, Grid.of(0, top, (width, ROW), (len(rows), len(some))), top - 11, some, 13)
            for r, row in enumerate(rows):
                sheet.write(0, top + 11, bold(row.name, r == 0), 14, anchor="middle right")
                _cells(sheet, row, places, top + 20 + ROW / 2, (0.0, width))
                top += 20 + ROW
        said = f"<b>contexts</b> of “{short(words[-1], 90, 13.5)}”"
        sheet.write(0, top + 14, said, 13.5, anchor="middle right")
        text = ", ".join(contexts) if len(contexts) <= 5 else f"{', '.join(contexts[:4])} …"
        sheet.write(1, top + 14, f"<b>{text}</b>", max(13.0, min(18.0, 180 / ems(text))), anchor="middle left")
        top += APART + 10
    return sheet.figure(top - 4)


def _cells(sheet: Sheet, row: ValueRow, places: range, y: float, at: tuple[float, float]) -> None:
    """Some values in their cells; where they are too long for them, one higher and the next one lower. at: where the first begins,
    and how wide each is."""
    colors, (left, width) = sheet.colors, at
    fits = min((width * sheet.wide - 4) / (LETTER * max(len(text), 1)) for text in row.values)
    off = 8.0 if fits < 13 else 0.0
    for j in places:
        x, text = left + (j - places.start) * width, row.values[j]
        moved = bool(row.moved) and row.moved[j]
        fill = colors.hole if text == "?" else faded(colors, colors.value, 0.9 if moved else 0.3)
        sheet.bar(x + 0.001, y - ROW / 2 + 2, x + width - 0.001, y + ROW / 2 - 2, fill)
        middle = y + (off if j % 2 else -off)
        sheet.write(x + width / 2, middle, bold(text, moved), min(24.0, max(fits, 13.0)), ink_on(fill))


def _contexts(sheet: Sheet, contexts: Sequence[str], y: float, same: bool) -> None:
    """The contexts; below the first row a sign that they are the same."""
    text = ", ".join(contexts)
    size = min(20.0, (1 - CONTEXTS) * WIDTH / (LETTER * max(len(text) + 2, 1)))
    if size < 13:
        text, size = f"{', '.join(contexts[:4])} …", 13
    color = sheet.colors.muted if same else sheet.colors.ink
    sheet.write(CONTEXTS, y, f"= {text}" if same else text, size, color, "middle right")
