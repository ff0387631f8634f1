"""A question that is answered in a figure: the parts that can be pressed, and the one that was, which stays drawn beside the truth."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, bold, ems, plain, rectangle, short, type_size
from pages.parts.text.format import in_two

SOUGHT = 46.0  # type size of what is to be found, at most
LEAST = 14.0  # type size of what is to be found, at least
WHAT = 17.0  # type size of what that is, which stands beneath it
LONG = 7.0  # in type sizes: what is longer stands in two lines
RIGHT, GUESSED = 2.5, 1.5  # pixels of an outline
FADES = 48  # steps in which a bar whose end is to be found is no longer seen
YOURS, HINT = "your guess", "press your answer in the figure, or below"


class Asked(NamedTuple):
    """names: of the parts that may be answers, what each is called, "" for one that is none; parts of one name are one answer. open:
    whether one may be pressed now; known: whether the answer may be drawn; guess: what was pressed, right: what is computed, "" for
    none of them, and as long as that is not known."""

    names: tuple[str, ...] = ()
    open: bool = False
    known: bool = True
    guess: str = ""
    right: str = ""


NOT_ASKED = Asked()


def answer_part(
    sheet: Sheet, asked: Asked, k: int, box: Box, yours: tuple[float, float, str] | None = None, ticked: bool = True
) -> None:
    """The figure's k-th part, in that box: it can be pressed while the question is open; afterwards the right one has a firm outline, and
    one that was only guessed a thin dashed one.

    yours: where that is said, and its anchor, outside the box, once for all parts of that name; beneath it where that is not said.
    ticked: whether there is room for it at two of the parts.
    """
    name = asked.names[k] if asked.names else ""
    if not name:
        return
    if asked.open:
        sheet.answers.append([k, *box, name])
    first = k == asked.names.index(name) and (ticked or name == asked.guess)
    outline(sheet, box, name == asked.right, name == asked.guess, yours, YOURS if first else "")


def outline(
    sheet: Sheet, box: Box, right: bool, guessed: bool, yours: tuple[float, float, str] | None = None, says: str = YOURS
) -> None:
    """Marks a place as the right one, as the one that was guessed, or as both. says: what is written where it was guessed."""
    if not (right or guessed):
        return
    if right:
        sheet.frame(*box, sheet.colors.ink, RIGHT)
    else:
        sheet.line(rectangle(*box), sheet.colors.muted, GUESSED, "dash", layer="above")
    if says:
        x, y, anchor = yours or ((box[0] + box[2]) / 2, box[3] + 11, "middle center")
        said = f"✓ {says}" if right and guessed else "<b>✓</b>" if right else says
        sheet.write(x, y, said, 13.5, sheet.colors.ink if right else sheet.colors.muted, anchor)


def answer_rows(sheet: Sheet, asked: Asked, rows: Grid, x: float, ends: Sequence[float] = ()) -> None:
    """Rows beneath each other, each of which can be pressed. x: from where on the right one and the one that was guessed are marked;
    left of it stands which is which, or at the row's right, where something else stands there: behind that, which ends at `ends`."""
    for k, name in enumerate(asked.names):
        left, top, right, bottom = rows.row(k)
        if asked.open and name:
            sheet.answers.append([k, left, top, right, bottom, name])
        elif name:
            yours, says = (x - 8 / sheet.wide, (top + bottom) / 2, "middle left"), "yours" if sheet.phone else YOURS
            if ends:
                yours = right - 8 / sheet.wide, yours[1], yours[2]
                room, tick = (yours[0] - ends[k]) * sheet.wide - 6, "✓ " * (name == asked.right)
                says = says if room > 13.5 * ems(tick + says) else "yours"
            elif name == asked.guess:  # what is drawn left of it leaves room for the words
                wide, half = (13.5 * ems(f"✓ {says}") + 4) / sheet.wide, min(10.0, (bottom - top) / 2)
                sheet.bar(yours[0] - wide, yours[1] - half, x - 4 / sheet.wide, yours[1] + half, sheet.colors.surface)
            outline(sheet, (x, top, right, bottom), name == asked.right, name == asked.guess, yours, says)


def hint(sheet: Sheet, asked: Asked, x: float, y: float, anchor: str = "middle left") -> None:
    """Says that the question can be answered here, as long as it can."""
    if asked.open:
        sheet.write(x, y, HINT, 13.5, sheet.colors.muted, anchor)


def may_end_anywhere(sheet: Sheet, box: Box, color: str) -> None:
    """A bar whose end is to be found: paler and paler, until nothing is left of it on the surface."""
    ends_to_find(sheet, [box], color)


def ends_to_find(sheet: Sheet, boxes: Sequence[Box], color: str, first: float = 1.0, up: bool = False) -> None:
    """Many such bars. first: of their colour is left where they begin; up: they begin at their feet."""
    for k in range(FADES):  # each over the rest of the one before: no seam is seen between them
        rest = [(x0 + (x1 - x0) * k / FADES * (not up), y0, x1, y1 - (y1 - y0) * k / FADES * up) for x0, y0, x1, y1 in boxes]
        sheet.bars(rest, faded(sheet.colors, color, first * (1 - k / FADES)))


def number_to_find(sheet: Sheet, box: Box, asks: str, answer: str = "") -> None:
    """What is to be found, in a field of its own in the largest type: a question mark until it is known. asks: what it is, beneath it,
    on a phone beside it."""
    left, top, right, bottom = box
    if answer:
        sheet.bar(*box, sheet.colors.hole)
    else:
        open_place(sheet, *box)
    lines, pixels = _lines(answer or "?"), (right - left) * sheet.wide * (0.5 if sheet.phone else 1.0) - 16
    size = type_size(max(lines, key=ems), pixels, min(SOUGHT, 0.6 * (bottom - top) / len(lines)), LEAST)
    x = (left + right) / 2 if not sheet.phone else left + (right - left) / 4
    y = (top + bottom) / 2 - (0 if sheet.phone else 16) - (len(lines) - 1) * 0.55 * size
    for k, line in enumerate(lines):
        sheet.write(x, y + 1.1 * k * size, bold(plain(line)), size)
    if sheet.phone:
        sheet.write(left + 0.52 * (right - left), (top + bottom) / 2, short(asks, pixels, 16), 16, anchor="middle right")
    else:
        sheet.write(x, bottom - 24, short(asks, pixels, WHAT), WHAT)


def _lines(said: str) -> list[str]:
    """It, or its two halves, parted where it has a space.

    >>> _lines("1,952"), _lines("true, with a caveat")
    (['1,952'], ['true, with', 'a caveat'])
    """
    return in_two(said) if ems(said) > LONG else [said]


def open_place(sheet: Sheet, x0: float, y0: float, x1: float, y1: float) -> None:
    """Where something will stand that is asked for: a dashed outline."""
    sheet.line(rectangle(x0, y0, x1, y1), sheet.colors.muted, 1.5, "dash")


def open_bars(sheet: Sheet, across: Sequence[tuple[float, float]], high: Sequence[float], foot: float) -> None:
    """The bars that there may be at most where bars are asked for: one open outline, stepped as they are. across: left and right edge of
    each; high: pixels above the foot."""
    left, right = across[0][0], across[-1][1]
    edges = [left, *((a[1] + b[0]) / 2 for a, b in pairwise(across)), right]
    steps = "".join(f"V{foot - tall:.2f}H{end:.5f}" for end, tall in zip(edges[1:], high, strict=True))
    path = f"M{left:.5f},{foot:.2f}{steps}V{foot:.2f}Z"
    sheet.path(path, sheet.colors.hole)
    sheet.line(path, sheet.colors.muted, 1.5, "dash")
