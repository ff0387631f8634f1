"""A generation with the clock running: the passes of both runs end to end, and step by step, on the same axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.timing.both_ways import TimedStep, foreseen_s, pace
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import number

LEFT, RIGHT = 0.125, 0.71
NAMES = ("with a cache", "without")
CUT_LABEL = 0.11  # the width of the time above a pass that is cut
CUT = 3  # times the usual pass, rounded up to the axis: a longer one is cut, or one hiccup would flatten all others


@dataclass(frozen=True)
class Axes:
    """Seconds at the ends of both axes: the whole run, and one pass."""

    run_s: float
    pass_s: float

    def with_room_for(self, other: "Axes | None") -> "Axes":
        """These axes, or longer ones: an axis that shrank while bars grow would show them growing too fast."""
        return Axes(max(self.run_s, other.run_s), max(self.pass_s, other.pass_s)) if other else self


def axes_of(timed: Sequence[TimedStep], n_words: int) -> Axes:
    """Axes for all n_words, by what is measured of them: steps that the page does not show yet included."""
    runs = _runs(timed)
    longest = max(max(s) for s in runs)
    return Axes(ceiling(max(foreseen_s(s, n_words) for s in runs)), ceiling(min(longest, CUT * max(median(s) for s in runs))))


def race_times(sheet: Sheet, timed: Sequence[TimedStep], n_words: int, axes: Axes | None = None) -> SheetFigure:
    """timed: the steps so far, the first is prefill; n_words: how many there will be; axes: as these steps ask for if None."""
    runs, axes = _runs(timed), axes or axes_of(timed, n_words)
    _end_to_end(sheet, runs, axes.run_s)
    _paces(sheet, runs)
    _steps(sheet, runs, n_words, axes.pass_s)
    return sheet.figure(268, min_width=700)


def _runs(timed: Sequence[TimedStep]) -> tuple[list[float], list[float]]:
    """Seconds of each pass, with a cache and without."""
    return [step.cached_s for step in timed], [step.recomputed_s for step in timed]


def ceiling(x: float) -> float:
    """The next 1, 2 or 5 times a power of ten: an axis that seldom changes while bars grow."""
    return nice_step(x, 1)


def median_gap(seconds: Sequence[float]) -> float:
    """The median pass after prefill; 0 if there is none.

    >>> median_gap([9.0, 1.0, 2.0, 50.0])
    2.0
    """
    return median(seconds[1:]) if len(seconds) > 1 else 0.0


def _end_to_end(sheet: Sheet, runs: Sequence[Sequence[float]], most: float) -> None:
    """Both runs as rows of passes over one time axis, `most` seconds long."""
    colors = sheet.colors
    boxes = _boxes(colors)
    for row, seconds in enumerate(runs):
        y0, y1, at = 34.0 + 40 * row, 62.0 + 40 * row, 0.0
        sheet.write(LEFT - 0.01, (y0 + y1) / 2, NAMES[row], 15, anchor="middle left")
        for step, s in enumerate(seconds):
            x0, x1 = (LEFT + (RIGHT - LEFT) * t / most for t in (at, at + s))
            thin = min(0.0008, 0.2 * (x1 - x0))
            its = boxes[colors.prefill if step == 0 else colors.wasted if row else colors.decode]
            its.append((x0, y0, x1 - thin, y1))
            at += s
    for color, some in boxes.items():
        sheet.bars(some, color)
    sheet.write(0, 11, "<b>one pass after the other</b>", 15, anchor="middle right")
    if len(runs[0]) == 1:
        sheet.write(0.235, 11, "so far the same pass in both: what differs is noise", 13.5, colors.muted, "middle right")
    _axis(sheet, most, 112)


def _boxes(colors: Palette) -> dict[str, list[Box]]:
    """The boxes of each kind of pass, to be drawn together."""
    return {colors.prefill: [], colors.decode: [], colors.wasted: []}


def _axis(sheet: Sheet, most: float, y: float) -> None:
    """Milliseconds, or seconds where there are many."""
    colors, step = sheet.colors, nice_step(most, 5)
    unit, name = (1.0, "s") if most >= 2 else (1e-3, "ms")
    for k in range(round(most / step) + 1):
        x = LEFT + (RIGHT - LEFT) * k * step / most
        sheet.bar(x - 0.0006, y, x + 0.0006, y + 6, colors.muted)
        sheet.write(x, y + 16, f"{number(k * step / unit, 3)}{f' {name}' if k == 0 else ''}", 12.5, colors.muted)


def _paces(sheet: Sheet, runs: Sequence[Sequence[float]]) -> None:
    """Time to first token, mean gap with the median beneath it, tokens a second, of each run."""
    colors = sheet.colors
    columns = (0.803, 0.903, 0.998)
    for x, name in zip(columns, ("TTFT", "mean gap", "tokens/s"), strict=True):
        sheet.write(x, 11, f"<b>{name}</b>", 14, anchor="middle left")
    for row, seconds in enumerate(runs):
        if not seconds:
            continue
        p = pace(seconds)
        further = (
            (milliseconds(p.tpot_s), f"{p.tokens_per_s:,.0f}" if p.tokens_per_s >= 10 else f"{p.tokens_per_s:.1f}")
            if len(seconds) > 1
            else ("–", "–")
        )
        for x, text in zip(columns, (milliseconds(p.ttft_s), *further), strict=True):
            result = x == columns[2] and row == 0
            color = colors.accent if result else colors.ink
            sheet.write(x, 48 + 40 * row, bold(text, result), 16, color, "middle left")
        if len(seconds) > 1:
            sheet.write(
                columns[1], 65 + 40 * row, f"median {milliseconds(median_gap(seconds))}", 12.5, colors.muted, "middle left"
            )


def _steps(sheet: Sheet, runs: Sequence[Sequence[float]], n_words: int, most: float) -> None:
    """A pair of bars for every step; one that is much longer than usual is cut at `most`, with its time above it."""
    colors, top, bottom = sheet.colors, 178.0, 240.0
    width = (1 - LEFT) / n_words
    boxes = _boxes(colors)
    cut: list[tuple[float, float]] = []
    for row, seconds in enumerate(runs):
        for step, s in enumerate(seconds):
            x0 = LEFT + width * (step + 0.08 + 0.42 * row)
            height = max(1.5, (bottom - top) * min(1, s / most))
            its = boxes[colors.prefill if step == 0 else colors.wasted if row else colors.decode]
            if s > most:  # the top stands apart from the rest
                its.append((x0, top, x0 + 0.42 * width, top + 8))
                its.append((x0, top + 13, x0 + 0.42 * width, bottom))
                cut.append((x0 + 0.21 * width, s))
            else:
                its.append((x0, bottom - height, x0 + 0.42 * width, bottom))
    for color, some in boxes.items():
        sheet.bars(some, color)
    free = 0.0
    for x, s in sorted(cut):
        middle = min(max(x, LEFT + CUT_LABEL / 2), 1 - CUT_LABEL / 2)  # beside the axis' own number, and on the sheet
        if middle >= free:  # neighbours share one label
            sheet.write(middle, top - 8, f"cut: {milliseconds(s)}", 12.5, colors.muted)
            free = middle + CUT_LABEL
    sheet.bar(LEFT, bottom, 1, bottom + 1, colors.muted)
    sheet.write(0, 150, "<b>each pass</b>", 15, anchor="middle right")
    sheet.write(LEFT - 0.01, top, milliseconds(most), 12.5, colors.muted, "middle left")
    sheet.write(LEFT - 0.01, bottom, "0", 12.5, colors.muted, "middle left")
    every = max(1, -(-n_words * 34 // int(WIDTH * (1 - LEFT))))
    for step in range(0, n_words, every):
        sheet.write(LEFT + width * (step + 0.5), bottom + 14, str(step + 1), 12.5, colors.muted)
    sheet.write(LEFT - 0.01, bottom + 14, "word", 12.5, colors.muted, "middle left")
    for x, color, name in (
        (0.3, colors.prefill, "prefill, the same pass in both"), (0.545, colors.decode, "decode: one row"),
        (0.7, colors.wasted, "all tokens again"),
    ):  # fmt: skip
        sheet.bar(x, 143, x + 0.014, 157, color)
        sheet.write(x + 0.02, 150, name, 13.5, colors.muted, "middle right")
