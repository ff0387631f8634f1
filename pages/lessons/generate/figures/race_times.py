"""One answer made twice, on the clock: a column for every pass, behind a cache and without, and what each of the two took in all."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from engine.timing.both_ways import TimedStep, compared_words, pace
from engine.timing.in_turns import FEWEST
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import number, quantity

LEFT, RIGHT = 0.062, 0.745
NAMES = ("<b>with a cache</b>: one new row a pass", "<b>without</b>: all tokens again, in every pass")
SHARE, CUT = 0.75, 1.5  # times what so many passes need at most: a longer one is cut, or one hiccup would flatten all others
LANE, APART = 112.0, 66.0  # pixels of the columns of one run, and between two runs


class Field(NamedTuple):
    """Where the columns stand: left and right edge, how many words there is room for, and seconds at the height of a lane."""

    left: float
    right: float
    n_words: int
    most: float

    @property
    def wide(self) -> float:
        """The room of one word."""
        return (self.right - self.left) / self.n_words


def axis_of(timed: Sequence[TimedStep]) -> float:
    """Seconds that the axis ends at: the longest pass, or where few are much longer than all others a little more than those need."""
    longest, usual = (max(of(seconds) for seconds in _runs(timed)) for of in (max, _usual))
    return ceiling(min(longest, CUT * usual))


def _usual(seconds: Sequence[float]) -> float:
    """What SHARE of the passes need at most."""
    return sorted(seconds)[int(SHARE * (len(seconds) - 1))]


def race_times(sheet: Sheet, timed: Sequence[TimedStep], n_words: int, most: float | None = None) -> SheetFigure:
    """timed: the steps so far, the first is prefill; n_words: how many there will be; most: seconds of the axis, as these steps ask
    for if None."""
    phone, runs = sheet.on_phone(), _runs(timed)
    field = Field(0.13 if phone else LEFT, 1.0 if phone else RIGHT, n_words, most or axis_of(timed))
    top = _slower(sheet, timed)
    for row, seconds in enumerate(runs):
        if phone:
            sheet.write(0, top + 10, NAMES[row], 14, anchor="middle right")
            _took(sheet, timed, row, (0.0, top + 38, "middle right"))
            top += 78
        else:
            sheet.write(0, top + 10, NAMES[row], 16, anchor="middle right")
            _took(sheet, timed, row, (1.0, top + (84 if row else 48), "middle left"))
            top += 42
        _lane(sheet, seconds, row, top, field)
        top += LANE + (20 if phone else APART - 42)
    _words(sheet, field, top - (20 if phone else APART - 42) + 15)
    return sheet.figure(top + 6 if phone else top + 4)


def _runs(timed: Sequence[TimedStep]) -> tuple[list[float], list[float]]:
    """Seconds of each pass, with a cache and without."""
    return [step.cached_s for step in timed], [step.recomputed_s for step in timed]


def ceiling(x: float) -> float:
    """A round number at least that large, four steps of which are too many: an axis that seldom changes while columns are added.

    >>> [ceiling(x) for x in (0.0011, 0.002, 0.03, 0.6)]
    [0.0015, 0.002, 0.03, 0.6]
    """
    step = nice_step(x, 4)
    return round(ceil(x / step - 1e-9) * step, 12)


def times_as_long(timed: Sequence[TimedStep]) -> str:
    """How many times as long a usual word took without a cache; empty where the clock cannot tell."""
    both = compared_words(timed)
    if both is None or not both.clear or sum(len(step.turns) for step in timed[1:]) < FEWEST:
        return ""
    return f"{number(both.times, 1 if both.times >= 2 else 2)} times"


def _slower(sheet: Sheet, timed: Sequence[TimedStep]) -> float:
    """The answer of the step, the largest that it shows: beside the columns between both runs, above them on a phone, where it takes
    the pixels that are returned."""
    said = times_as_long(timed)
    if len(timed) > 1 and not sheet.phone:
        sheet.write(1, 42 + LANE + 65, f"median of {quantity(len(timed), 'word')}", 14, sheet.colors.muted, "middle left")
    if not said:
        return 0.0
    if sheet.phone:
        sheet.write(0, 20, f"<b>{said}</b>", 30, anchor="middle right")
        sheet.write(1, 23, "as long without", 14, sheet.colors.muted, "middle left")
        return 46.0
    sheet.write(1, 42 + LANE + 8, f"<b>{said}</b>", 44, anchor="middle left")
    sheet.write(1, 42 + LANE + 42, "as long without a cache", 16, sheet.colors.muted, "middle left")
    return 0.0


def _took(sheet: Sheet, timed: Sequence[TimedStep], row: int, at: tuple[float, float, str]) -> None:
    """What a usual word took in a run, large, the first one as long as there is no other; beneath it the rate that it makes."""
    (x, y, anchor), colors = at, sheet.colors
    both, seconds = compared_words(timed), _runs(timed)[row]
    usual = (both.second_s if row else both.first_s) if both else seconds[0]
    color = (colors.wasted if row else colors.decode) if both else colors.prefill
    sheet.write(x, y, f"<b>{milliseconds(usual)}</b>", 26, color, anchor)
    p = pace(seconds)
    rate = f"{1 / usual:,.0f}" if usual <= 0.1 else f"{1 / usual:.1f}"  # of all words one hiccup would turn the comparison round
    said = ["the first word (TTFT)", "what differs is noise" if row else "the same pass in both"]
    if both:
        said = [f"a usual word; the first {milliseconds(p.ttft_s)}", f"{rate} tokens/s"]
    beside = sheet.phone
    for k, text in enumerate(said):
        where = (1.0, y - 9 + 21 * k, "middle left") if beside else (x, y + 28 + 24 * k, anchor)
        large = both is not None and k == 1
        size = 18 if large else 13 if beside else 14
        sheet.write(where[0], where[1], bold(text, large), size, colors.ink if large else colors.muted, where[2])


def _lane(sheet: Sheet, seconds: Sequence[float], row: int, top: float, field: Field) -> None:
    """One run's columns; one that is much longer than usual is the quietest and ends with the axis, which says so."""
    colors, bottom = sheet.colors, top + LANE
    boxes: dict[str, list[Box]] = {}
    cut = [s for s in seconds if s > field.most]
    for step, s in enumerate(seconds):
        x0 = field.left + field.wide * (step + 0.1)
        color = colors.prefill if step == 0 else colors.wasted if row else colors.decode
        its = boxes.setdefault(faded(colors, color, 0.18) if s > field.most else color, [])
        its.append((x0, bottom - max(1.5, LANE * min(s / field.most, 1)), x0 + field.wide * 0.8, bottom))
    sheet.bar(field.left, top, field.right, top + 1, colors.hole)
    for color, some in boxes.items():
        sheet.bars(some, color)
    if cut:
        said = f"cut here: {quantity(len(cut), 'pass')} of up to {milliseconds(max(cut))}"
        sheet.write(field.right, top - 9, said, 13, colors.muted, "middle left")
    sheet.bar(field.left, bottom, field.right, bottom + 1.5, colors.muted)
    unit, name = (1.0, "s") if field.most >= 2 else (1e-3, "ms")
    sheet.write(field.left - 0.008, top, f"{number(field.most / unit, 3)} {name}", 13, colors.muted, "middle left")
    sheet.write(field.left - 0.008, bottom, "0", 13, colors.muted, "middle left")


def _words(sheet: Sheet, field: Field, y: float) -> None:
    """The numbers of the words beneath the columns."""
    every = max(1, -(-34 // max(1, int(field.wide * sheet.wide))))
    for step in range(0, field.n_words, every):
        sheet.write(field.left + field.wide * (step + 0.5), y, str(step + 1), 13, sheet.colors.muted)
    sheet.write(field.left - 0.008, y, "word", 13, sheet.colors.muted, "middle left")
