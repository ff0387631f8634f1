"""Measured times on one clock, which is logarithmic: how far each lies beyond the least that it can be. The way from the one to the
other is how many times that is, by one measure in every row, of milliseconds and of minutes."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, field_range, powers
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle, short
from pages.parts.text.amounts import seconds, times

ACROSS, ACROSS_ON_PHONE = (0.03, 0.97), (0.065, 0.935)  # where the clock begins and ends
NAME, SAID, LARGE, LARGE_ON_PHONE = 19.0, 15.0, 60.0, 34.0  # type sizes, of the factor the last two
ROW, MOST, ON_PHONE = 82.0, 150.0, 144.0  # pixels of a row, at least and at most
ABOVE, ABOVE_ON_PHONE, BENEATH = 30.0, 48.0, 34.0  # of which stand above its bar and beneath it
SHARE = 0.5  # of the colour is in what lies between the least and what it took
TITLE = "one clock for all, logarithmic: each line is ten times the one before"
NEVER, WAITS = "nothing is faster", "the wait in the queue and all else"  # of what lies before the least, and behind it


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
    head, row = above + 44.0, ON_PHONE if narrow else sheet.row(268, len(timed), ROW, MOST)
    known = [x for one in timed for x in (one.least_s, one.measured_s) if x > 0] or [1e-3]
    low, high = field_range(known, min(known), 10 * min(known))
    clock = LogFrame(low, high, 1, 10, *(ACROSS_ON_PHONE if narrow else ACROSS), 0, 1)
    sheet.write(0 if narrow else clock.left, above + 8, TITLE, 13, sheet.colors.muted, "middle right")
    every, bottom = -(-len(powers(low, high)) // (5 if narrow else 9)), head + row * len(timed)
    for k in powers(low, high):
        if k % every == 0:
            sheet.write(clock.x(10.0**k), head - 12, seconds(10.0**k), 13, sheet.colors.muted)
    lines = (f"M{clock.x(10.0**k):.5f},{head:.1f}V{bottom - 8:.1f}" for k in powers(low, high))
    sheet.line("".join(lines), sheet.colors.line)
    for k, one in enumerate(order):
        _row(sheet, one, clock, head + k * row, row)
    return sheet.figure(bottom - 4, min_width=0 if narrow else 560)


def _large(order: Sequence[Timed]) -> str:
    """The headline: of what is comparable the first, else of what waits in a queue, how many times its bound."""
    one = next((one for one in order if one.least_s > 0), None)
    if one is None:
        return ""
    return f"{one.what}: {times(one.measured_s / one.least_s)} its {'least' if one.queued else 'bound'}"


def _row(sheet: Sheet, one: Timed, clock: LogFrame, top: float, row: float) -> None:
    """Its name; the wall of the least that it takes, before which nothing is; from there to what it took; and how many times that is."""
    colors, narrow, wide = sheet.colors, sheet.phone, sheet.wide
    color, (y0, y1) = (
        colors.prefill if one.prefill else colors.decode,
        (top + (ABOVE_ON_PHONE if narrow else ABOVE), top + row - BENEATH),
    )
    middle, least, measured = (y0 + y1) / 2, clock.x(one.least_s), clock.x(one.measured_s)
    name = short(one.what, (0.87 if narrow else 0.6) * wide, NAME)
    taken = 0 if narrow else clock.left + 0.01 + 1.12 * NAME * ems(name) / wide
    sheet.write(clock.left, top + 15, f"<b>{name}</b>", NAME, anchor="middle right")
    sheet.bar(clock.left, y0, least, y1, colors.hole)
    first, last = sorted((least, measured))
    if one.queued:
        sheet.line(rectangle(first, y0, last, y1), color, 1.8, "dash")
    else:
        sheet.bar(first, y0, last, y1, colors.wasted if one.measured_s < one.least_s else faded(colors, color, SHARE))
    lines = NEVER.rsplit(" ", 1) if narrow else [f"{NEVER} ▶"]
    if one.measured_s >= one.least_s and (least - clock.left) * wide > 1.1 * SAID * max(map(ems, lines)) + 12:
        for k, line in enumerate(lines):
            at = middle + 18 * (k - (len(lines) - 1) / 2)
            sheet.write(least - 10 / wide, at, line, 13 if narrow else SAID, colors.muted, "middle left")
    for x, thick in ((least, 3), (measured, 6)):
        sheet.bar(x - thick / 2 / wide, y0 - 4, x + thick / 2 / wide, y1 + 4, color if x == least else colors.ink)
    half = 0.58 * SAID * ems(said := f"measured {seconds(one.measured_s)}") / wide
    sheet.write(min(max(measured, taken + half), 1 - half), y0 - 14, f"<b>{said}</b>", SAID)
    half = 0.56 * SAID * ems(said := f"at least {seconds(one.least_s)}") / wide
    sheet.write(min(max(least, half), 1 - half), y1 + 15, said, SAID, color)
    if one.queued:
        size = 13 if narrow else SAID
        return sheet.write((first + last) / 2, middle, WAITS, size) if (last - first) * wide > 1.1 * size * ems(WAITS) else None
    return _factor(sheet, times(one.measured_s / one.least_s), (first, last), (y0, middle, y1), faded(colors, color, SHARE))


def _factor(sheet: Sheet, factor: str, between: tuple[float, float], down: tuple[float, float, float], ground: str) -> None:
    """How many times the least it is: where that lies, or beside it. down: upper end, middle and lower end of the bar."""
    (first, last), (top, middle, bottom) = between, down
    size = min(LARGE_ON_PHONE if sheet.phone else LARGE, 0.8 * (bottom - top))
    needs = (1.12 * size * ems(factor) + 16) / sheet.wide
    if last - first > needs:
        sheet.write((first + last) / 2, middle, f"<b>{factor}</b>", size, ink_on(ground))
    elif 1 - last > needs:
        sheet.write(last + 14 / sheet.wide, middle, f"<b>{factor}</b>", size, anchor="middle right")
    else:
        sheet.write(first - 10 / sheet.wide, middle, f"<b>{factor}</b>", size, anchor="middle left")
