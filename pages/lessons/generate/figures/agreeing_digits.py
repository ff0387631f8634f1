"""One logit of two runs, digit beneath digit: in which digit they part, and of how many words the logits are the same within rounding,
in every bit, or neither."""

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint, open_place
from pages.parts.drawing.grid import Box, Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short, type_size
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity

NAMES = (("nowhere: equal in every bit",), ("only here: the same", "within rounding"), ("here: visibly different",))
NAMES_ON_PHONE = (NAMES[0], ("only here:", "within", "rounding"), ("here: visibly", "different"))
RUNS = ("with a cache", "without a cache")
DIGITS = 8  # of a logit: one more than 32 bits hold
ASKS = "Where do the digits differ?"


class Places(NamedTuple):
    """Where the digits stand. left: edge of the cells, in shares of the width; rows: upper edges of the two numbers, tall: a cell, size:
    type of a digit, apart: between two cells, in pixels; name, line: type of what stands beneath them, and its lines."""

    left: float = 0.165
    rows: tuple[float, float] = (7.0, 95.0)
    tall: float = 81.0
    size: float = 66.0
    apart: float = 12.0
    name: float = 20.0
    line: float = 24.0


WIDE, PHONE = Places(), Places(0.0, (28.0, 118.0), 60.0, 40.0, 4.0, 15.0, 18.0)


def agreeing_digits(
    sheet: Sheet, timed: Sequence[TimedStep], example: TimedStep, word: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """timed: the steps of the answer; example: the one whose two logits are written, which are those of `word`. asked: the three answers;
    the second logit and the counts of words wait until the answer may be shown."""
    at, known = PHONE if sheet.on_phone() else WIDE, asked.known
    both, whole, same = _in_cells(example.pair)
    cells = Grid.of(at.left, at.rows[0], ((0.998 - at.left) / len(both[0]), at.tall), (1, len(both[0])))
    edge, right = float(cells.x[_first_rounded(example, whole, len(both[0]))]), float(cells.x[-1])
    beneath = at.rows[1] + at.tall + 0.5 * at.apart
    names = NAMES_ON_PHONE if sheet.phone else NAMES
    end = beneath + at.line * (len(names[1]) + 2.1)
    last = end + 6, end + 6 + 1.6 * at.line
    zones = (at.left, last[0], right, last[1]), (edge, at.rows[0] - 6, right, end), (at.left, at.rows[0] - 6, edge, end)
    for k, box in enumerate(zones):
        sheet.bar(*box, faded(sheet.colors, sheet.colors.hole, 0.7 * (k == 1)))
        sheet.line(rectangle(*box), sheet.colors.line)
        n = sum(band_of(step) == k for step in timed) if known else None
        _zone(sheet, at, names[k], (box[0], beneath if k else box[1], box[2], box[3]), n)
        corner = box[2] - 10 / sheet.wide, (last[0] + last[1]) / 2, "middle left"
        answer_part(sheet, asked, k, box, ((box[0] + box[2]) / 2, end - 0.55 * at.line, "middle center") if k else corner)
    for row in (0, 1):
        _number(sheet, at, cells, (both[row], whole), (row, same if known else None))
    _name(sheet, at, word)
    hint(sheet, asked, at.left, last[1] + 14, "middle right")
    return under_headline(sheet, _found(timed, example, same) if known else ASKS).figure(last[1] + 26)


def _zone(sheet: Sheet, at: Places, lines: Sequence[str], box: Box, n: int | None) -> None:
    """What it is where the two part here, or nowhere, and of how many words it is; n: None as long as that is asked for."""
    (x0, y0, x1, y1), said = box, [*lines]
    if n is not None:
        count = quantity(n, "word") if n else "no word"
        said = [*said, count] if y1 - y0 > 2 * at.line else [f"{said[0]}, {count}"]
        y1 -= 0.8 * at.line * (y1 - y0 > 2 * at.line)  # what was guessed is said there
    top, size = (y0 + y1 - at.line * len(said)) / 2, at.name if n is None else 0.9 * at.name
    for k, text in enumerate(said):
        aside = sheet.phone and len(lines) == 1  # what was guessed is said behind it
        x, anchor = (x0 + 10 / sheet.wide, "middle right") if aside else ((x0 + x1) / 2, "middle center")
        fits = type_size(text, (x1 - x0) * sheet.wide, size, 13.0)
        sheet.write(x, top + at.line * (k + 0.5), f"<b>{text}</b>", fits, anchor=anchor)


def _found(timed: Sequence[TimedStep], example: TimedStep, same: int) -> str:
    """How the two runs compare; of the logit that is written, in how many digits, where all that differs is rounding."""
    most = max(step.gap for step in timed)
    if most and band_of(example) == 1 == max(map(band_of, timed)) and _is_plain(example):
        return f"{quantity(same, 'digit')} alike, the rest is rounding"
    return f"Logits apart by at most {gap_text(most)}" if most else "The same logits, to the last bit"


def band_of(step: TimedStep) -> int:
    """To which of the three a step belongs."""
    return 0 if step.equal == 1 else 1 if step.gap <= step.rounding else 2


def shown_best(timed: Sequence[TimedStep]) -> TimedStep:
    """The step whose logits are furthest apart; of those if there are some whose digits part where their difference lies: of 1.9999 and
    2.0000 they part in the first one."""
    return max(timed, key=lambda step: (_is_plain(step), step.gap))


def _is_plain(step: TimedStep) -> bool:
    """Whether its digits part where the difference lies."""
    both, whole, same = _in_cells(step.pair)
    return band_of(step) == (0 if same == len(both[0]) else 1 + (same < _first_rounded(step, whole, len(both[0]))))


def digits_alike(pair: tuple[float, float]) -> tuple[str, str, int]:
    """Two numbers in as many places, and how many of the first characters of both are the same; all of them where they are.

    >>> digits_alike((20.978409, 20.978412)), digits_alike((-3.5, -3.5))
    (('20.978409', '20.978412', 7), ('-3.5000000', '-3.5000000', 10))
    """
    whole = max(0, floor(log10(max(1.0, *map(abs, pair)))))
    a, b = (f"{x:.{max(0, DIGITS - 1 - whole)}f}" for x in pair)
    return a, b, next((k for k, both in enumerate(zip(a, b, strict=False)) if both[0] != both[1]), len(a))


def _in_cells(pair: tuple[float, float]) -> tuple[list[list[str]], int, int]:
    """Both numbers, a digit a cell, a sign with the first one; how many cells lie before the point, and how many are the same."""
    *both, same = digits_alike(pair)
    digits = [said.lstrip("-").replace(".", "") for said in both]
    n, sign = max(map(len, digits)), ["−" * said.startswith("-") for said in both]
    found = [[""] * (n - len(d)) + [s + d[0], *d[1:]] for s, d in zip(sign, digits, strict=True)]
    whole = max(len(said.lstrip("-").partition(".")[0]) for said in both)
    alike = n if same == len(both[0]) else sum(letter.isdigit() for letter in both[0][:same])
    return found, whole, alike


def _first_rounded(step: TimedStep, whole: int, n: int) -> int:
    """The first of n cells in which one more is no more than what rounding explains."""
    return min(max(1, sum(10.0 ** (whole - 1 - k) > step.rounding for k in range(n))), n - 1)


def _number(sheet: Sheet, at: Places, cells: Grid, number: tuple[list[str], int], row: tuple[int, int | None]) -> None:
    """A run's logit, one open place while the second one is asked for; where the two part its digits are white on black. number: what
    stands in the cells, and before how many the point; row: which of the two, and how many cells are the same."""
    (digits, whole), (k, same), colors = number, row, sheet.colors
    top, gap = at.rows[k], at.apart / 2 / sheet.wide
    if same is None and k == 1:
        box = float(cells.x[0]) + gap, top, float(cells.x[-1]) - gap, top + at.tall
        sheet.bar(*box, colors.surface)
        open_place(sheet, *box)
        return sheet.write((box[0] + box[2]) / 2, top + at.tall / 2, "<b>?</b>", at.size, colors.ink)
    for j, digit in enumerate(digits):
        box = float(cells.x[j]) + gap, top, float(cells.x[j + 1]) - gap, top + at.tall
        parted = same is not None and j >= same
        sheet.bar(*box, colors.ink if parted else colors.hole)
        ink = colors.surface if parted else colors.ink if same is None else colors.muted
        size = type_size(digit, (box[2] - box[0]) * sheet.wide, at.size)
        sheet.write((box[0] + box[2]) / 2, top + at.tall / 2, f"<b>{digit}</b>" if parted else digit, size, ink)
    if whole < len(digits):
        sheet.write(float(cells.x[whole]), top + at.tall / 2 + 0.02 * at.size, "<b>.</b>", at.size, colors.ink)


def _name(sheet: Sheet, at: Places, word: str) -> None:
    """Of which run each number is, and whose logit."""
    colors, said = sheet.colors, f"logit of “{short(word, 80, 16)}”"
    for row, (run, color) in enumerate(zip(RUNS, (colors.decode, colors.wasted), strict=True)):
        top, middle = at.rows[row], at.rows[row] + at.tall / 2
        if sheet.phone:
            sheet.write(0.01, top - 16, f"<b>{run}</b>", 15, color, "middle right")
        else:
            sheet.write(0.0, middle - 12 * (row == 0), f"<b>{run}</b>", 18, color, "middle right")
    x, y, anchor = (0.99, at.rows[0] - 16, "middle left") if sheet.phone else (0.0, at.rows[0] + at.tall / 2 + 14, "middle right")
    sheet.write(x, y, said, 14 if sheet.phone else 16, anchor=anchor)
