"""One logit of two runs, digit beneath digit: in which digit they part, and of how many words the logits are the same within rounding,
in every bit, or neither."""

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint, open_place
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity

NAMES = (("equal in", "every bit"), ("the same", "within rounding"), ("visibly", "different"))
NAMES_ON_PHONE = (NAMES[0], ("within", "rounding"), NAMES[2])
RUNS = ("with a cache", "without")
DIGITS = 8  # of a logit: one more than 32 bits hold
ASKS = "The same logit, both ways: do the digits differ?"


class Places(NamedTuple):
    """Where the digits stand. left, right: edges of the cells; none: where it begins what stands for no digit, in shares of the width.
    rows: upper edges of the two numbers, tall: a cell, size: type of a digit, apart: between two cells, in pixels."""

    left: float = 0.165
    right: float = 0.86
    none: float = 0.875
    rows: tuple[float, float] = (56.0, 148.0)
    tall: float = 84.0
    size: float = 58.0
    apart: float = 16.0


WIDE, PHONE = Places(), Places(0.0, 0.775, 0.8, (80.0, 166.0), 56.0, 30.0, 7.0)


def agreeing_digits(
    sheet: Sheet, timed: Sequence[TimedStep], example: TimedStep, word: str, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """timed: the steps of the answer; example: the one whose two logits are written, which are those of `word`. asked: the three answers;
    the second logit and the counts of words wait until the answer may be shown."""
    at, known = PHONE if sheet.on_phone() else WIDE, asked.known
    both, whole, same = _in_cells(example.pair)
    cells = Grid.of(at.left, at.rows[0], ((at.right - at.left) / len(both[0]), at.tall), (1, len(both[0])))
    edge, end = float(cells.x[_first_rounded(example, whole, len(both[0]))]), at.rows[1] + at.tall + 10
    zones = (at.none, 0.998), (edge, at.right), (at.left, edge)
    for k, (x0, x1) in enumerate(zones):
        sheet.bar(x0, 0, x1, end, faded(sheet.colors, sheet.colors.hole, (0.0, 0.7, 0.0)[k]))
        sheet.line(rectangle(x0, 0, x1, end), sheet.colors.line)
        for line, text in enumerate((NAMES_ON_PHONE if sheet.phone else NAMES)[k]):
            sheet.write((x0 + x1) / 2, 16 + (18 if sheet.phone else 21) * line, f"<b>{text}</b>", 13 if sheet.phone else 17)
    sheet.write((at.none + 0.998) / 2, (at.rows[0] + end - 10) / 2, "<b>=</b>", at.size, sheet.colors.muted)
    for row in (0, 1):
        _number(sheet, at, cells, (both[row], whole), (row, same if known else None))
    _name(sheet, at, word)
    _counts(sheet, timed, zones, end + 22, known)
    for k, (x0, x1) in enumerate(zones if asked.names else ()):
        answer_part(sheet, asked, k, (x0, 0, x1, end), ((x0 + x1) / 2, end + 42, "middle center"))
    hint(sheet, asked, at.left, end + 22, "middle right")
    return under_headline(sheet, _found(timed, example, same) if known else ASKS).figure(end + 52)


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
    """A run's logit, its cells empty while the second one is asked for; where the two part its digits are white on black. number: what
    stands in the cells, and before how many the point; row: which of the two, and how many cells are the same."""
    (digits, whole), (k, same), colors = number, row, sheet.colors
    top, gap, waits = at.rows[k], at.apart / 2 / sheet.wide, same is None and k == 1
    for j, digit in enumerate(digits):
        box = float(cells.x[j]) + gap, top, float(cells.x[j + 1]) - gap, top + at.tall
        parted = same is not None and j >= same
        sheet.bar(*box, colors.surface if waits else colors.ink if parted else colors.hole)
        if waits:
            open_place(sheet, *box)
            continue
        ink = colors.surface if parted else colors.ink if same is None else colors.muted
        sheet.write((box[0] + box[2]) / 2, top + at.tall / 2, f"<b>{digit}</b>" if parted else digit, at.size, ink)
    if whole < len(digits):
        sheet.write(float(cells.x[whole]), top + at.tall / 2 + 0.02 * at.size, "<b>.</b>", at.size, colors.ink)


def _name(sheet: Sheet, at: Places, word: str) -> None:
    """Whose logit it is, and of which run each number is."""
    colors = sheet.colors
    for row, color in enumerate((colors.decode, colors.wasted)):
        y = at.rows[row] - 13 if sheet.phone else at.rows[row] + at.tall / 2
        sheet.write(4 / sheet.wide * sheet.phone, y, f"<b>{RUNS[row]}</b>", 14 if sheet.phone else 18, color, "middle right")
    said = f"logit of <b>“{short(word, 92, 17)}”</b>"
    x, y, size, anchor = (at.right - 0.01, at.rows[0] - 13, 14, "middle left") if sheet.phone else (0.0, 26, 17, "middle right")
    sheet.write(x, y, said, size, anchor=anchor)


def _counts(sheet: Sheet, timed: Sequence[TimedStep], zones: Sequence[tuple[float, float]], y: float, known: bool) -> None:
    """Beneath each of the three how many words belong to it."""
    for k, (x0, x1) in enumerate(zones if known else ()):
        n = sum(band_of(step) == k for step in timed)
        said, size = f"<b>{quantity(n, 'word')}</b>" if n else "no word", 15 if sheet.phone else 22
        sheet.write((x0 + x1) / 2, y, said, size, sheet.colors.ink if n else sheet.colors.muted)
