"""How far apart the logits of two runs are: one logit of both, digit beneath digit, over an axis on which each digit's place is a power of
ten. What differs by less than a place has the same digit there, so the axis says both where two numbers part and how far apart the
logits of every word are: equal in every bit, the same within rounding, or visibly different."""

from collections.abc import Sequence
from math import floor, isfinite, log10
from typing import NamedTuple

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity, scientific

NAMES = (("equal in", "every bit"), ("the same", "within rounding"), ("visibly", "different"))
NAMES_ON_PHONE = (NAMES[0], ("same within", "rounding"), NAMES[2])
DIGITS, MOST_PLACES = 8, 12  # of a logit: one more than 32 bits hold; powers of ten on the axis
# Shares of the width: edges of the axis, left edge of the field of words without a difference.
LEFT, RIGHT, EQUAL = 0.15, 0.855, 0.87
RIGHT_ON_PHONE, EQUAL_ON_PHONE = 0.73, 0.75
TITLES, AXIS, ROWS, DOTS, TALL = (14.0, 34.0), 80.0, (124.0, 182.0), 220.0, 92.0  # pixels down, and of the field of dots
AXIS_ON_PHONE, ROWS_ON_PHONE, DOTS_ON_PHONE, TALL_ON_PHONE = 60.0, (112.0, 168.0), 192.0, 84.0
SIZE, SIZE_ON_PHONE, SOUGHT = 46.0, 25.0, 64.0  # type sizes of the digits, and of what stands in place of the second ones
NAMED = 26.0  # pixels above a row stands its name, on a phone
DOT, LEAST_DOT = 9.0, 6.0  # pixels across
ASKS = "How far apart are the logits?"
NEAR = 14.0  # pixels from one upright line to the next that would be taken for one


class Places(NamedTuple):
    """The axis. top, bottom: exponents of the first and the last place; left, wide: where it begins, and a place."""

    top: int
    bottom: int
    left: float
    wide: float

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + (self.top - self.bottom + 1) * self.wide

    def digit(self, exponent: int) -> float:
        """The middle of a place."""
        return self.left + (self.top - exponent + 0.5) * self.wide

    def x(self, size: float) -> float:
        """Where a difference of that size lies, in the place of its first digit; one beyond the axis at its end."""
        return min(max(self.left + (self.top + 1 - log10(max(size, 1e-300))) * self.wide, self.left), self.right)


def agreeing_digits(
    sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], example: TimedStep, asked: Asked = NOT_ASKED
) -> SheetFigure:
    """timed: the steps of the answer, each with its word; example: the one whose two logits are written. asked: the three answers; the
    second logit and all differences wait until the answer may be shown."""
    phone, known = sheet.on_phone(), asked.known
    left, right, equal = (0.0, RIGHT_ON_PHONE, EQUAL_ON_PHONE) if phone else (LEFT, RIGHT, EQUAL)
    top, bottom = _exponents([*timed, example])
    places = Places(top, bottom, left, (right - left) / (top - bottom + 1))
    dots, tall = (DOTS_ON_PHONE, TALL_ON_PHONE) if phone else (DOTS, TALL)
    end, edge = dots + tall + 8, places.x(max(step.rounding for step in timed))
    counts = [sum(band_of(step) == k for step in timed) for k in range(3)]
    for k, (x0, x1) in enumerate(((equal, 0.998), (edge, places.right), (places.left, edge))):
        sheet.bar(x0, 1, x1, end, faded(sheet.colors, sheet.colors.hole, (0.0, 0.55, 0.0)[k]))
        sheet.line(rectangle(x0, 1, x1, end), sheet.colors.line)
        for line, text in zip(TITLES, (NAMES_ON_PHONE if phone else NAMES)[k], strict=True):
            sheet.write(x0 + (5 if phone else 8) / sheet.wide, line, f"<b>{text}</b>", 13 if phone else 17, anchor="middle right")
        if known and not phone:
            said = quantity(counts[k], "word") if counts[k] else "no word"
            sheet.write(x0 + 8 / sheet.wide, TITLES[1] + 19, said, 14, sheet.colors.muted, "middle right")
        if asked.names:
            answer_part(sheet, asked, k, (x0, 1, x1, end))
    _digits(sheet, example, places, known, (edge, dots + 10))
    _axis(sheet, places, AXIS_ON_PHONE if phone else AXIS)
    if known and not phone:
        _lines(sheet, len(timed), ((places.left, places.right), (equal, 0.998)), (dots, dots + tall))
    if known:
        _differences(sheet, timed, words, (places, (dots, dots + tall), (equal + 0.998) / 2))
    else:
        _waits(sheet, (places.left + 1 / sheet.wide, 0.998), end)
        hint(sheet, asked, 0.0, end + 14, "middle right")
    most = max(step.gap for step in timed)
    says = f"Logits apart by at most {gap_text(most)}" if known else ASKS
    under_headline(sheet, "The same logits, to the last bit" if known and not most else says)
    return sheet.figure(end + 26)


def _waits(sheet: Sheet, across: tuple[float, float], bottom: float) -> None:
    """One empty place for the second logit and the words' dots."""
    row = (ROWS_ON_PHONE[1] - NAMED - 12) if sheet.phone else ROWS[1] - 0.58 * SIZE
    box, name = (across[0], row, across[1], bottom), NAMED * sheet.phone
    sheet.bar(*box, sheet.colors.surface)
    sheet.line(rectangle(*box), sheet.colors.surface, 3)  # over the edges of the fields beneath it
    sheet.line(rectangle(*box), sheet.colors.muted, 1.5, "dash")
    sheet.write((across[0] + across[1]) / 2, (row + bottom + name) / 2, "<b>?</b>", SOUGHT)


def _lines_of_words(n: int, down: tuple[float, float]) -> tuple[list[float], float]:
    """Where the words' lines lie, the first one uppermost, and how large their dots are."""
    step = (down[1] - down[0]) / max(n, 6)
    return [down[0] + (k + 0.5) * step for k in range(n)], min(DOT, max(LEAST_DOT, 1.4 * step))


def _lines(sheet: Sheet, n: int, across: Sequence[tuple[float, float]], down: tuple[float, float]) -> None:
    """A line for each word, on which its dot lies."""
    ways = [f"M{x0:.5f},{y:.2f}L{x1:.5f},{y:.2f}" for y in _lines_of_words(n, down)[0] for x0, x1 in across]
    sheet.line("".join(ways), sheet.colors.line, 0.8)


def band_of(step: TimedStep) -> int:
    """To which of the three a step belongs."""
    return 0 if step.equal == 1 else 1 if step.gap <= step.rounding else 2


def _exponents(timed: Sequence[TimedStep]) -> tuple[int, int]:
    """Those of the first and the last place: of the largest logit's first digit, and of the smallest difference or the last digit."""
    sizes = [abs(x) for step in timed for x in (step.largest, step.gap, *step.pair) if isfinite(x)]
    top = max(0, floor(log10(max(sizes, default=1.0) or 1.0)))
    smallest = min((step.gap for step in timed if step.gap > 0), default=1.0)
    return top, max(top - MOST_PLACES + 1, min(top - DIGITS + 1, floor(log10(smallest))))


def digits_alike(pair: tuple[float, float]) -> tuple[str, str, int]:
    """Two numbers in as many places, and how many of the first characters of both are the same; all of them where they are.

    >>> digits_alike((20.978409, 20.978412)), digits_alike((-3.5, -3.5))
    (('20.978409', '20.978412', 7), ('-3.5000000', '-3.5000000', 10))
    """
    whole = max(0, floor(log10(max(1.0, *map(abs, pair)))))
    a, b = (f"{x:.{max(0, DIGITS - 1 - whole)}f}" for x in pair)
    return a, b, next((k for k, both in enumerate(zip(a, b, strict=False)) if both[0] != both[1]), len(a))


def _digits(sheet: Sheet, step: TimedStep, places: Places, known: bool, ends: tuple[float, float]) -> None:
    """One logit of both runs, each digit in its place; the second one waits until it is known. From where they part on both are strong;
    ends: of rounding, whose edge parts them as well where it is near, and the line in which that is said."""
    colors, phone = sheet.colors, sheet.phone
    *both, same = digits_alike(step.pair)
    rows, size = (ROWS_ON_PHONE, SIZE_ON_PHONE) if phone else (ROWS, SIZE)
    size = min(size, places.wide * sheet.wide / 0.72)
    names = (("with a cache", colors.decode), ("without", colors.wasted))
    for row, said, (name, color) in zip(rows, both, names, strict=True):
        at = (12 / sheet.wide, row - NAMED, 14) if phone else (0.0, row, 17)
        sheet.write(at[0], at[1], f"<b>{name}</b>", at[2], color, "middle right")
        whole = said.partition(".")[0].lstrip("-")
        for k, letter in enumerate(said if known or row == rows[0] else ""):
            digit = k - said.startswith("-")  # which one it is, the point counted where it is passed
            exponent = len(whole) - 1 - digit + (digit > len(whole))
            x = places.digit(len(whole) - 1) - 0.5 * places.wide if letter == "-" else places.digit(exponent)
            x = places.digit(0) + places.wide / 2 if letter == "." else x
            parted = known and k >= same
            ink = colors.ink if parted or not known else colors.muted
            sheet.write(x, row, bold("−" if letter == "-" else letter, parted), size, ink)
    if known and same < len(both[0]):
        whole = len(both[0].partition(".")[0])
        x = places.digit(whole - 1 - same + (same > whole)) - places.wide / 2
        top, end, (edge, below) = rows[0] - size * 0.62, rows[1] + size * 0.62, ends
        if phone or abs(x - edge) * sheet.wide > NEAR:
            sheet.line(f"M{x:.5f},{top:.1f}L{x:.5f},{end:.1f}", colors.ink, 2, layer="above")
        left = x - (6 if phone else 12) / sheet.wide
        sheet.write(left, below, "they part here ↑", 13 if phone else 15, colors.ink, "middle left")


def _axis(sheet: Sheet, places: Places, y: float) -> None:
    """What each place is worth, above the digits."""
    sheet.bar(places.left, y + 11, places.right, y + 12, sheet.colors.muted)
    every = 1 if places.wide * sheet.wide > 27 else 2
    for k, exponent in enumerate(range(places.top, places.bottom - 1, -1)):
        x = places.left + k * places.wide
        sheet.bar(x - 0.5 / sheet.wide, y + 5, x + 0.5 / sheet.wide, y + 11, sheet.colors.muted)
        if k % every == 0:
            said = f"{10.0**exponent:g}" if exponent >= -2 else scientific(10.0**exponent, 0).removeprefix("1·")
            sheet.write(places.digit(exponent), y, said, 13, sheet.colors.muted)


def _differences(
    sheet: Sheet, timed: Sequence[TimedStep], words: Sequence[str], at: tuple[Places, tuple[float, float], float]
) -> None:
    """A dot for each word, the first one uppermost, where its largest difference lies; at: axis, top and bottom, and the words without."""
    (places, (top, bottom), none), colors = at, sheet.colors
    step = (bottom - top) / max(len(timed), 6)
    x = [places.x(one.gap) if one.equal != 1 else none for one in timed]
    y = [top + (k + 0.5) * step for k in range(len(timed))]
    sheet.write(x[0] + 9 / sheet.wide, y[0], f"<b>{short(words[0], 60, 13)}</b>", 13, anchor="middle right")
    fills = [colors.decode if k else colors.prefill for k in range(len(timed))]
    sheet.dots(x, y, min(DOT, max(LEAST_DOT, 1.4 * step)), fills, edge=(colors.surface, 0.5))
    if sheet.phone:
        sheet.write(0, bottom + 22, "a dot a word: its largest difference", 13, colors.muted, "middle right")
        return
    sheet.write(0, top + 8, "a dot a word:", 14, colors.muted, "middle right")
    sheet.write(0, top + 28, "its largest difference", 14, colors.muted, "middle right")
