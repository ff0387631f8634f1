"""Measured times, each a bar of its own clock that begins at 0: the least that it can be is one dark block, and how many times it the
measured time is are as many more."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, rectangle, short
from pages.parts.text.amounts import seconds, times

NAME = 19.0  # type size of what was measured
SAID = 16.0  # type size of both times
LARGE = 64.0  # type size of the factor, at most
LARGE_ON_PHONE = 34.0
ROW = 86.0  # pixels of a row, at least
MOST = 170.0  # pixels of a row, at most
ON_PHONE = 144.0  # pixels of a row
ABOVE = 32.0  # pixels of a row above its bar
ABOVE_ON_PHONE = 48.0
BENEATH = 36.0  # pixels of a row beneath its bar
SHARE = 0.5  # of the colour is in what lies beyond the least
LEAST = 34.0  # type size of a factor that stands in one block
BLOCK, GAP = 7.0, 2.0  # pixels of a block at least, else all are one; and between two
CLOCKS = "each bar has a clock of its own"
WAITS = "the wait in the queue and all else"  # of what lies behind the least


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
    head = headline(sheet, _large(order)) + 8
    row = ON_PHONE if narrow else sheet.row(336 - head, len(timed), ROW, MOST)
    for k, one in enumerate(order):
        _row(sheet, one, head + k * row, row)
    end = head + row * len(timed) + (18 if narrow and len(order) > 1 else 0)
    if len(order) > 1:
        sheet.write(1.0, end - 20, CLOCKS, 14, anchor="middle left")
    return sheet.figure(end - 6, min_width=560)


def _large(order: Sequence[Timed]) -> str:
    """The headline: of what is comparable the first, else of what waits in a queue, how many times its bound.

    >>> [_large([Timed(what, False, 2.0, 3.0, False)]) for what in ("TPOT, mean, 510 at once", "prompt")]
    ['A further token takes 1.50 times its bound', 'prompt: 1.50 times its bound']
    """
    one = next((one for one in order if one.least_s > 0), None)
    if one is None:
        return ""
    who = "A further token takes" if one.what.startswith(("TPOT", "each further token")) else f"{one.what}:"
    return f"{who} {times(one.measured_s / one.least_s)[1:]} times its {'least' if one.queued else 'bound'}"


def _row(sheet: Sheet, one: Timed, top: float, row: float) -> None:
    """Its name and what it took; the bar; and beneath it the least that it takes."""
    colors, narrow, wide = sheet.colors, sheet.phone, sheet.wide
    color = colors.prefill if one.prefill else colors.decode
    y0, y1 = top + (ABOVE_ON_PHONE if narrow else ABOVE), top + row - BENEATH
    whole = max(one.least_s, one.measured_s) or 1.0
    least, measured = (max(x / whole, 4 / wide) for x in (one.least_s, one.measured_s))
    name = short(one.what, wide if narrow else 0.6 * wide, NAME, strong=True)
    sheet.write(0, top + 15, bold(name), NAME, anchor="middle right")
    said = bold(f"measured {seconds(one.measured_s)}")
    half = SAID * bold_ems(said[3:-4]) / 2 / wide
    line = y0 - 12 if narrow else top + 15
    after = 0 if narrow else (NAME * bold_ems(one.what) + 16) / wide
    sheet.write(min(max(measured - half, half + after), 1 - half), line, said, SAID)
    half = 0.56 * SAID * ems(said := f"at least {seconds(one.least_s)}") / wide
    sheet.write(min(max(least / 2, half), 1 - half), y1 + 16, said, SAID, color)
    if one.queued and one.measured_s >= one.least_s:
        sheet.bar(0, y0, least, y1, color)
        sheet.line(rectangle(least, y0, max(least, measured - 1 / wide), y1), color, 1.8, "dash")
        size = 14 if narrow else 20
        if (measured - least) * wide > 1.1 * size * ems(WAITS):
            sheet.write((least + measured) / 2, (y0 + y1) / 2, WAITS, size)
    else:
        _blocks(sheet, (color, times(one.measured_s / one.least_s)), (least, measured), (y0, y1))


def _blocks(sheet: Sheet, look: tuple[str, str], ends: tuple[float, float], down: tuple[float, float]) -> None:
    """The least as a block and its multiples, with how many; where less was measured, the rest of the least is empty."""
    (color, factor), (least, measured), (y0, y1), colors = look, ends, down, sheet.colors
    pale, below = faded(colors, color, SHARE), measured < least
    gap = GAP / sheet.wide if least * sheet.wide >= BLOCK else 0.0
    if below:
        sheet.line(rectangle(measured, y0, least - 1 / sheet.wide, y1), color, 1.8, "dash")
        sheet.bar(0, y0, measured, y1, colors.wasted)
    else:
        sheet.bar(0, y0, least, y1, color)
        n = int(measured / least) + 1 if gap else 1
        starts = [least * k + gap for k in range(1, n + 1)] if gap else [least]
        blocks: list[Box] = [(x, y0, min(x - gap + least, measured) if gap else measured, y1) for x in starts if x < measured]
        sheet.bars(blocks, pale)
    first, last = sorted(ends)
    size = min(LARGE_ON_PHONE if sheet.phone else LARGE, 0.8 * (y1 - y0))
    whole, fits = int(measured / least), (least * sheet.wide - 20) / bold_ems(factor)
    if whole >= 2 and fits >= LEAST:  # in a block of its own, off the lines between two
        size, first, last = min(size, fits), least * (whole // 2), least * (whole // 2 + 1)
    half = size * bold_ems(factor) / 2 / sheet.wide
    within = 2 * half + 16 / sheet.wide > last - first  # the rest has no room for it
    ink = ink_on(colors.wasted if below else color) if within else colors.ink if below else ink_on(pale)
    x, y = first / 2 if within else (first + last) / 2, (y0 + y1) / 2
    if whole >= 2 and not within:  # no line between two runs through it
        sheet.bar(x - half, y - 0.55 * size, x + half, y + 0.55 * size, pale)
    sheet.write(x, y, bold(factor), size, ink)
