"""A measured time as one bar, and how much of it is the least that it can be; how many times that it is, where the two are comparable."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import seconds, times

END = 0.82  # where the longest bar ends
NAME, SAID, LARGE = 18.0, 15.0, 34.0  # type sizes
TALL = 46.0  # pixels of a bar


class Timed(NamedTuple):
    """what was timed, whether a wait in the queue is in it, the least that it can take, and what it took, in seconds; prefill: else it is
    decode."""

    what: str
    queued: bool
    least_s: float
    measured_s: float
    prefill: bool


def bound_and_measured(sheet: Sheet, timed: Sequence[Timed]) -> SheetFigure:
    """A row for each, every one to its own scale: what is comparable first."""
    narrow = sheet.on_phone()
    row = 140.0 if narrow else sheet.row(300, len(timed), 110, 160)
    for k, one in enumerate(sorted(timed, key=lambda one: one.queued)):
        _row(sheet, one, k * row, row)
    return sheet.figure(row * len(timed), min_width=0 if narrow else 560)


def _row(sheet: Sheet, one: Timed, top: float, row: float) -> None:
    """Its name and time, the bar with the least that it takes, and what the rest is."""
    colors, narrow = sheet.colors, sheet.phone
    color, end = colors.prefill if one.prefill else colors.decode, 1.0 if narrow else END
    most = max(one.least_s, one.measured_s)
    least, measured = (max(0.004, end * x / most) for x in (one.least_s, one.measured_s))
    y0 = top + max(30.0, 0.34 * row)
    y1 = y0 + min(TALL, 0.34 * row)
    said = f"measured {seconds(one.measured_s)}"
    sheet.write(
        0,
        y0 - 17,
        f"<b>{short(one.what, (end - 0.02) * sheet.wide - 1.1 * SAID * ems(said), NAME)}</b>",
        NAME,
        anchor="middle right",
    )
    sheet.write(end, y0 - 16, said, SAID, anchor="middle left")
    sheet.bar(0, y0, measured, y1, faded(colors, color, 0.28))
    sheet.bar(0, y0, least, y1, color)
    if one.least_s > one.measured_s:
        sheet.line(f"M{measured:.5f},{y0 - 5:.1f}L{measured:.5f},{y1 + 5:.1f}", colors.ink, 3, "solid", "above")
    sheet.write(0, y1 + 15, f"at least {seconds(one.least_s)}", SAID, color, "middle right")
    rest = "the wait in the queue and all else" if one.queued else "beyond the bound" if one.measured_s > one.least_s else ""
    after = max(least, (1.1 * SAID * ems(f"at least {seconds(one.least_s)}") + 8) / sheet.wide)
    if rest and (end - after) * sheet.wide > 1.1 * SAID * ems(rest):
        sheet.write(after + 0.01, y1 + 15, rest, SAID, colors.muted, "middle right")
    if one.queued:
        return
    factor = times(one.measured_s / one.least_s)
    if narrow:
        sheet.write(1, y1 + 16, f"<b>{factor}</b>", 22, anchor="middle left")
    else:
        large_number(sheet, (END + 0.02, 1), (y0 + y1) / 2, factor)
