"""One answer made twice, on the clock: a column a word, as high as its pass took behind a cache, and on it what the pass with all tokens
again took longer; across them what a usual word took either way."""

from collections.abc import Sequence
from math import ceil
from statistics import median
from typing import NamedTuple

from engine.timing.both_ways import TimedStep, compared_words
from engine.timing.in_turns import FEWEST
from pages.parts.drawing.axes import nice_step, spread_out
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import number, quantity

LEFT, RIGHT, BESIDE = 0.062, 0.735, 0.757  # edges of the field; where what a usual word took begins
CUT = 1.8  # times a usual pass: a longer one is cut, or the hiccups of a busy machine would flatten all others
TOP, TALL, TALL_ON_PHONE = 24.0, 216.0, 190.0  # pixels above the field, and of it
FAINT, DOT, LINE = 0.5, 7.0, 5.0  # strength of a pass's colour, pixels across of its dot, and of the line of the usual one
COLUMN, LONGER = 0.85, 0.42  # strengths of a column, and of what a pass takes longer without a cache
APART = 44.0  # pixels between what is said of the two levels


class Field(NamedTuple):
    """Where the passes stand: its edges, how many words there is room for, and seconds at its height."""

    left: float
    right: float
    top: float
    bottom: float
    n_words: int
    most: float

    @property
    def wide(self) -> float:
        """The room of one word."""
        return (self.right - self.left) / self.n_words

    def y(self, seconds: float) -> float:
        """Where so many seconds end."""
        return self.bottom - max(1.5, (self.bottom - self.top) * min(seconds / self.most, 1))


def axis_of(timed: Sequence[TimedStep]) -> float:
    """Seconds that the axis ends at: the longest pass, or where few are much longer than all others a little more than those need."""
    both, (longest, usual) = compared_words(timed), (max(of(seconds) for seconds in _runs(timed)) for of in (max, median))
    if both:  # of several turns each, which a busy machine lengthens less than a single pass
        usual = max(both.first_s, both.second_s)
    return ceiling(min(longest, CUT * usual))


def race_times(
    sheet: Sheet, timed: Sequence[TimedStep], n_words: int, most: float | None = None, quiet: bool = False
) -> SheetFigure:
    """timed: the steps so far, the first is prefill; n_words: how many there will be; most: seconds of the axis, as these steps ask
    for if None; quiet: whether nothing was in the way of any pass: then no dots show how they differ."""
    phone, both = sheet.on_phone(), compared_words(timed)
    top = 76.0 if phone else TOP
    left, right, tall = (0.13, 1.0, TALL_ON_PHONE) if phone else (LEFT, RIGHT, TALL)
    field = Field(left, right, top, top + tall, n_words, most or axis_of(timed))
    _columns(sheet, _runs(timed), field)
    for row in () if quiet else (1, 0):
        _passes(sheet, _runs(timed)[row], row, field)
    _axes(sheet, field, [s for seconds in _runs(timed) for s in seconds if s > field.most])
    if both is None:
        _first(sheet, timed[0], field)
    else:
        _levels(sheet, (both.first_s, both.second_s), field)
    times = times_as_long(timed) if both else ""
    says = f"Without a cache {times} as long" if times else "No clear difference" if both else "One word, one pass"
    return under_headline(sheet, says).figure(field.bottom + 22)


def _runs(timed: Sequence[TimedStep]) -> tuple[list[float], list[float]]:
    """Seconds of each pass, with a cache and without."""
    return [step.cached_s for step in timed], [step.recomputed_s for step in timed]


def ceiling(x: float) -> float:
    """A round number that is hardly larger.

    >>> [ceiling(x) for x in (0.0011, 0.002, 0.03, 0.6)]
    [0.0012, 0.002, 0.03, 0.6]
    """
    step = nice_step(x, 8)
    return round(ceil(x / step - 1e-9) * step, 12)


def times_as_long(timed: Sequence[TimedStep]) -> str:
    """How many times as long a usual word took without a cache; empty where the clock cannot tell."""
    both = compared_words(timed)
    if both is None or not both.clear or sum(len(step.turns) for step in timed[1:]) < FEWEST:
        return ""
    return f"{number(both.times, 1 if both.times >= 2 else 2)} times"


def _columns(sheet: Sheet, runs: tuple[Sequence[float], Sequence[float]], field: Field) -> None:
    """Of each word the time with a cache, and on it, where it took longer without, how much longer; the first is prefill's in both."""
    colors, edge = sheet.colors, -0.25 / sheet.wide  # no seam is seen between two
    found: dict[str, list[Box]] = {colors.prefill: [], colors.decode: [], colors.wasted: []}
    for step, (cached, anew) in enumerate(zip(*runs, strict=True)):
        x0, x1, y = field.left + step * field.wide + edge, field.left + (step + 1) * field.wide - edge, field.y(cached)
        found[colors.decode if step else colors.prefill].append((x0, y, x1, field.bottom))
        if step and anew > cached:
            found[colors.wasted].append((x0, field.y(anew), x1, y))
    for color, boxes in found.items():
        sheet.bars(boxes, faded(colors, color, LONGER if color == colors.wasted else COLUMN))


def _passes(sheet: Sheet, seconds: Sequence[float], row: int, field: Field) -> None:
    """One run's passes as dots, quieter than its line; one that is much longer than usual is a tick at the edge."""
    colors = sheet.colors
    own = faded(colors, colors.wasted if row else colors.decode, FAINT)
    x = [field.left + field.wide * (step + 0.5) for step in range(len(seconds))]
    there = [step for step, s in enumerate(seconds) if s <= field.most]
    sheet.dots(
        [x[step] for step in there], [field.y(seconds[step]) for step in there], DOT,
        [own if step else colors.prefill for step in there], edge=(colors.surface, 0),
    )  # fmt: skip
    cut = (x[step] for step, s in enumerate(seconds) if s > field.most)
    sheet.bars([(at - 0.0008, field.top, at + 0.0008, field.top + 7) for at in cut], own)


def _axes(sheet: Sheet, field: Field, cut: Sequence[float]) -> None:
    """Seconds at the left, the words' numbers beneath, and how long passes were that are cut."""
    colors = sheet.colors
    sheet.bar(field.left, field.top, field.right, field.top + 1, colors.hole)
    sheet.bar(field.left, field.bottom, field.right, field.bottom + 1.5, colors.muted)
    if cut:
        said = f"cut here: {quantity(len(cut), 'pass')} of up to {milliseconds(max(cut))}"
        sheet.write(field.right, field.top - 10, said, 13, colors.muted, "middle left")
    unit, name = (1.0, "s") if field.most >= 2 else (1e-3, "ms")
    beside, step_s = field.left - 0.008, nice_step(field.most, 4)
    sheet.write(beside, field.bottom, "0", 13, colors.muted, "middle left")
    for k in range(1, int(field.most / step_s + 1e-9) + 1):
        y = field.y(k * step_s)
        sheet.bar(field.left, y, field.right, y + 1, colors.hole)
        sheet.write(beside, y, f"{number(k * step_s / unit, 3)} {name}", 13, colors.muted, "middle left")
    sheet.write(beside, field.bottom + 15, "word", 13, colors.muted, "middle left")
    for step in range(0, field.n_words, max(1, -(-34 // max(1, int(field.wide * sheet.wide))))):
        sheet.write(field.left + field.wide * (step + 0.5), field.bottom + 15, str(step + 1), 13, colors.muted)


def _first(sheet: Sheet, step: TimedStep, field: Field) -> None:
    """Prefill alone: the same pass in both runs."""
    said = ("the first word (TTFT)", "the same pass in both:", "what differs is noise")
    x, y = (0.0, 20.0) if sheet.phone else (BESIDE, (field.top + field.bottom) / 2 - 44)
    sheet.write(x, y, f"<b>{milliseconds(step.cached_s)}</b>", 34, sheet.colors.prefill, "middle right")
    for k, text in enumerate(said):
        sheet.write(x, y + 30 + 21 * k, text, 16 if k == 0 else 14, sheet.colors.muted, "middle right")


def _levels(sheet: Sheet, usual: tuple[float, float], field: Field) -> None:
    """What a usual word took, with a cache and without: a line across at that height, its number at the line's end; on a phone
    above the field."""
    colors, names = sheet.colors, ("with a cache", "without a cache")
    levels = [field.y(seconds) for seconds in usual]
    at = spread_out(levels, APART, field.top + 12, field.bottom - 20)
    for row, (y, seconds, color) in enumerate(zip(levels, usual, (colors.decode, colors.wasted), strict=True)):
        rate = f"{1 / seconds:,.0f}" if seconds <= 0.1 else f"{1 / seconds:.1f}"  # of all words one hiccup would turn both round
        took, said = f"<b>{milliseconds(seconds)}</b>", f"{rate} tokens/s"
        level = f"M{field.left:.5f},{y:.2f}L{field.right:.5f},{y:.2f}"
        sheet.line(level, color, LINE, layer="above")
        if sheet.phone:
            sheet.write(0, 14 + 26 * row, took, 18, color, "middle right")
            sheet.write(0.27, 14 + 26 * row, names[row], 14, anchor="middle right")
            sheet.write(1, 14 + 26 * row, said, 14, colors.muted, "middle left")
            continue
        sheet.line(f"M{field.right:.5f},{y:.2f}L{BESIDE - 0.004:.5f},{at[row]:.2f}", color, 1.5)
        sheet.write(BESIDE, at[row], took, 28, color, "middle right")
        outer = 1 if at[row] > at[1 - row] else -1
        sheet.write(BESIDE + 0.115, at[row] - 1, names[row], 16, anchor="middle right")
        sheet.write(BESIDE, at[row] + outer * 26, f"a usual word; {said}", 14, colors.muted, "middle right")
