"""A question that is answered in a figure: the parts that can be pressed, and the one that was, which stays drawn beside the truth."""

from typing import NamedTuple

from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.sheet import Sheet, rectangle

LINED = 46.0  # pixels of a row that has room for a line beneath its word
YOURS, HINT = "your guess", "press your answer in the figure, or below"


class Asked(NamedTuple):
    """names: of the parts that may be answers, what each is called, "" for one that is none; parts of one name are one answer. open:
    whether one may be pressed now; known: whether the answer may be drawn; guess: what was pressed, "" for none of them."""

    names: tuple[str, ...] = ()
    open: bool = False
    known: bool = True
    guess: str = ""


NOT_ASKED = Asked()


def part(sheet: Sheet, asked: Asked, k: int, box: Box, yours: tuple[float, float, str] | None = None) -> None:
    """The figure's k-th part, in that box: it can be pressed while the question is open, and is outlined where it was the guess.

    yours: where "your guess" is written, and its anchor, once for all parts of that name; beneath the box where that is not said.
    """
    if asked.open and asked.names[k]:
        sheet.answers.append([k, *box, asked.names[k]])
    if asked.guess and asked.names[k] == asked.guess:
        sheet.line(rectangle(*box), sheet.colors.ink, 2.5, "dash", layer="above")
        if k != asked.names.index(asked.guess):
            return
        x, y, anchor = yours or ((box[0] + box[2]) / 2, box[3] + 12, "middle center")
        sheet.write(x, y, f"<b>{YOURS}</b>", 13.5, anchor=anchor)


def each_row(sheet: Sheet, asked: Asked, rows: Grid, x: float) -> None:
    """Rows beneath each other, each of which can be pressed. x: around which one that was the guess says so, above them where they
    are low."""
    for k in range(len(asked.names)):
        box = rows.row(k)
        part(sheet, asked, k, box, (x, box[3] - 11 if rows.tall >= LINED else float(rows.y[0]) - 44, "middle center"))


def hint(sheet: Sheet, asked: Asked, x: float, y: float, anchor: str = "middle left") -> None:
    """Says that the question can be answered here, as long as it can."""
    if asked.open:
        sheet.write(x, y, HINT, 13.5, sheet.colors.muted, anchor)
