"""Measured times on one clock, which is logarithmic: how far each lies beyond the least that it can be. The way from the one to the
other is how many times that is, by one measure in every row, of milliseconds and of minutes."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, field_range, powers
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import seconds, times

START, END = 0.24, 0.97  # where the clock begins and ends
NAME, SAID, LARGE = 18.0, 15.0, 36.0  # type sizes, of the factor the last
HALF, MOST = 17.0, 30.0  # pixels above and below a row's middle, at least and at most, of what is impossible
WAY = 0.4  # of that is the way from the least to what it took
TITLE = "one clock for all, logarithmic: each line is ten times the one before"
NEVER = "nothing is faster"  # of what lies before the least


class Timed(NamedTuple):
    """what was timed, whether a wait in the queue is in it, the least that it can take, and what it took, in seconds; prefill: else it is
    decode."""

    what: str
    queued: bool
    least_s: float
    measured_s: float
    prefill: bool


def bound_and_measured(sheet: Sheet, timed: Sequence[Timed]) -> SheetFigure:
    """A row for each, what is comparable first."""
    narrow = sheet.on_phone()
    order = sorted(timed, key=lambda one: one.queued)
    above = headline(sheet, _large(order))
    head, row = above + 50.0, 116.0 if narrow else sheet.row(262, len(timed), 74, 120)
    known = [x for one in timed for x in (one.least_s, one.measured_s) if x > 0] or [1e-3]
    low, high = field_range(known, min(known), 10 * min(known))
    left, right = (0.065, 0.935) if narrow else (START, END)
    clock = LogFrame(low, high, 1, 10, left, right, 0, 1)
    sheet.write(0 if narrow else left, above + 10, TITLE, 13, sheet.colors.muted, "middle right")
    every = -(-len(powers(low, high)) // (5 if narrow else 9))
    for k in powers(low, high):
        if k % every == 0:
            sheet.write(clock.x(10.0**k), head - 14, seconds(10.0**k), 13, sheet.colors.muted)
    bottom = head + row * len(timed)
    for k, one in enumerate(order):
        _row(sheet, one, clock, head + k * row, row)
    return sheet.figure(bottom, min_width=0 if narrow else 560)


def _large(order: Sequence[Timed]) -> str:
    """The headline: of what is comparable the first, else of what waits in a queue, how many times its bound."""
    one = next((one for one in order if one.least_s > 0), None)
    if one is None:
        return ""
    return f"{one.what}: {times(one.measured_s / one.least_s)} its {'least' if one.queued else 'bound'}"


def _row(sheet: Sheet, one: Timed, clock: LogFrame, top: float, row: float) -> None:
    """Its name, the wall of the least that it takes, what it took, and how many times that is."""
    colors, narrow = sheet.colors, sheet.phone
    color = colors.prefill if one.prefill else colors.decode
    middle, tall = top + row / 2 + 12 * narrow, HALF if narrow else min(MOST, 0.24 * row)
    least, measured = clock.x(one.least_s), clock.x(one.measured_s)
    at = (0.0, top + 14, 0.75) if narrow else (0.0, middle, START - 0.03)
    sheet.write(at[0], at[1], f"<b>{short(one.what, at[2] * sheet.wide, NAME)}</b>", NAME, anchor="middle right")
    ticks = (clock.x(10.0**k) for k in powers(clock.x0, clock.x1))
    sheet.line("".join(f"M{x:.5f},{middle - tall:.1f}L{x:.5f},{middle + tall:.1f}" for x in ticks), colors.line)
    sheet.bar(clock.left, middle - tall, least, middle + tall, colors.hole)
    if one.measured_s >= one.least_s:
        lines = NEVER.rsplit(" ", 1) if narrow else [f"{NEVER} ▶"]
        for k, line in enumerate(lines if (least - clock.left) * sheet.wide > 1.1 * 13 * max(map(ems, lines)) else ()):
            sheet.write(least - 8 / sheet.wide, middle + 15 * (k - (len(lines) - 1) / 2), line, 13, colors.muted, "middle left")
    way = colors.wasted if one.measured_s < one.least_s else faded(colors, color, 0.45)
    first, last = sorted((least, measured))
    if one.queued:
        sheet.line(f"M{first:.5f},{middle:.1f}L{last:.5f},{middle:.1f}", color, 3, "dot")
    else:
        sheet.bar(first, middle - WAY * tall, last, middle + WAY * tall, way)
    sheet.bar(least - 2 / sheet.wide, middle - tall - 3, least + 2 / sheet.wide, middle + tall + 3, color)
    sheet.dots([measured], [middle], 24, color, (colors.surface, 2), [f"measured {seconds(one.measured_s)}"])
    _beside(sheet, measured, middle - tall - 12, f"<b>measured {seconds(one.measured_s)}</b>", colors.ink)
    _beside(sheet, least, middle + tall + 14, f"at least {seconds(one.least_s)}", color)
    rest = "the wait in the queue and all else" if one.queued else "beyond the bound" if one.measured_s > one.least_s else ""
    room = (last - first) * sheet.wide - 0.55 * SAID * ems(f"at least {seconds(one.least_s)}") - 16
    if rest and room > 1.05 * SAID * ems(rest):
        sheet.write(last, middle + tall + 14, rest, SAID, colors.muted, "middle left")
    if one.queued:
        return
    factor = times(one.measured_s / one.least_s)
    if narrow:
        sheet.write(1, top + 14, f"<b>{factor}</b>", 22, anchor="middle left")
    elif (1 - last) * sheet.wide > 1.1 * LARGE * ems(factor) + 26:
        sheet.write(last + 24 / sheet.wide, middle, f"<b>{factor}</b>", LARGE, anchor="middle right")


def _beside(sheet: Sheet, x: float, y: float, text: str, color: str) -> None:
    """Words above or below a mark, within the sheet."""
    half = 0.56 * SAID * ems(text.replace("<b>", "").replace("</b>", "")) / sheet.wide
    sheet.write(min(max(x, half), 1 - half), y, text, SAID, color)
