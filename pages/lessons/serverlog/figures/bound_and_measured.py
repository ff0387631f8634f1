"""A measured time beside the least that it can be, as two dots on one axis of time, and how many times one is the other."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import seconds, times

LEFT, RIGHT, TOP = 0.25, 0.97, 6.0
NAME, SAID = 17.0, 15.0  # type sizes


class Timed(NamedTuple):
    """what was timed, what is in it besides, the least that it can take, and what it took, in seconds; prefill: else it is decode."""

    what: str
    note: str
    least_s: float
    measured_s: float
    prefill: bool


def bound_and_measured(sheet: Sheet, timed: Sequence[Timed]) -> SheetFigure:
    """A row for each; on a phone its name stands above its dots."""
    colors, narrow = sheet.colors, sheet.on_phone()
    left, right = (0.06, 0.94) if narrow else (LEFT, RIGHT)
    row = 150.0 if narrow else sheet.row(270, len(timed), 96, 150)
    x0, x1 = field_range([x for t in timed for x in (t.least_s, t.measured_s)], 1e-2, 1e-1)
    frame = LogFrame(x0, x1, 1, 10, left, right, TOP, TOP + row * len(timed))
    frame.columns(sheet, seconds, every=2 if narrow and x1 / x0 > 1e4 else 1)
    for k, one in enumerate(timed):
        _row(sheet, frame, one, TOP + k * row, row)
    scale = "each line is ten times the one before"
    sheet.write(right, frame.bottom + 36, f"logarithmic: {scale}", 14, colors.muted, "middle left")
    return sheet.figure(frame.bottom + 48, min_width=0 if narrow else 560)


def _row(sheet: Sheet, frame: LogFrame, one: Timed, top: float, row: float) -> None:
    """Name, the two dots with what they are, and the factor between them, which is the largest."""
    colors, narrow = sheet.colors, sheet.phone
    y = top + (96 if narrow else 0.56 * row)
    room = (0.98 if narrow else LEFT - 0.02) * sheet.wide
    at = top + 14 if narrow else y - 10 * bool(one.note)
    sheet.write(0, at, f"<b>{short(one.what, room, NAME)}</b>", NAME, anchor="middle right")
    sheet.write(0, at + 22, short(one.note, room, 14), 14, colors.muted, "middle right")
    low, high = frame.x(one.least_s), frame.x(one.measured_s)
    color = colors.prefill if one.prefill else colors.decode
    sheet.bar(min(low, high), y - 6, max(low, high), y + 6, faded(colors, color, 0.45))
    sheet.dots([low], [y], 20, colors.surface, (color, 4), [f"at least {seconds(one.least_s)}"])
    sheet.dots([high], [y], 20, color, (color, 4), [f"measured {seconds(one.measured_s)}"])
    words = (f"at least {seconds(one.least_s)}", f"measured {seconds(one.measured_s)}")
    for x, said in zip(_apart(sheet, frame, (low, high), words), words, strict=True):
        sheet.write(x, y + 25, said, SAID)
    factor = times(one.measured_s / one.least_s)
    half = 0.62 * 34 * ems(factor) / sheet.wide
    middle = min(max((low + high) / 2, frame.left + half), 1 - half)
    large_number(sheet, (middle - half, 1), y - 30, factor)


def _apart(sheet: Sheet, frame: LogFrame, at: tuple[float, float], words: tuple[str, str]) -> tuple[float, ...]:
    """The middles of two words beneath two dots, moved away from each other where they would touch, and kept within the field."""
    halves, gap = [0.53 * SAID * ems(said) / sheet.wide for said in words], 14 / sheet.wide
    if abs(at[1] - at[0]) >= sum(halves) + gap:
        return tuple(min(max(x, frame.left + half), 1 - half) for x, half in zip(at, halves, strict=True))
    middle, side = sum(at) / 2, 1 if at[1] >= at[0] else -1
    places = [middle - side * (halves[0] + gap / 2), middle + side * (halves[1] + gap / 2)]
    over = max(0.0, *(frame.left + half - x for x, half in zip(places, halves, strict=True)))
    over += min(0.0, *(1 - half - x for x, half in zip(places, halves, strict=True)))
    return tuple(x + over for x in places)
