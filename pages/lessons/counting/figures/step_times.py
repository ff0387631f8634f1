"""Measured time beside counted work: how many times as much the whole sequence again takes as one row behind the cache."""

from collections.abc import Sequence

from engine.timing.one_step import TimedLength
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.amounts import times

LEFT, RIGHT = 0.085, 0.8  # shares of the width: where bars begin, and where the longest ends
LEFT_ON_PHONE, RIGHT_ON_PHONE = 0.13, 0.72
HEAD, ROOM, PHONE_ROW = 46.0, 268.0, 54.0  # pixels above the rows, of all of them on a projector, and of one on a phone


def step_times(sheet: Sheet, timed_lengths: Sequence[TimedLength]) -> SheetFigure:
    """A row a length: how many times the operations, and once that is measured beneath it how many times the time."""
    colors, phone = sheet.colors, sheet.on_phone()
    left, right = (LEFT_ON_PHONE, RIGHT_ON_PHONE) if phone else (LEFT, RIGHT)
    most = max(max(timed.flop_ratio, timed.speed_up if timed.clear else 0) for timed in timed_lengths)
    sheet.write(left - 0.012, 24, "tokens", 14 if phone else 16, colors.muted, "middle left")
    begun = any(timed.measured for timed in timed_lengths)
    title = "without a cache ÷ with one" if phone else "one more token: without a cache ÷ with one"
    sheet.write(left, 24, title, 14 if phone else 17, anchor="middle right")
    step = PHONE_ROW if phone else sheet.row(ROOM, len(timed_lengths), 46, 60)
    thick = (step - 14) / 2 if begun else step - 14
    for i, timed in enumerate(timed_lengths):
        y = HEAD + i * step
        sheet.bar(0, y - 4, 1, y - 3, colors.hole)
        sheet.write(left - 0.012, y + (step - 6) / 2, f"<b>{timed.n_tokens}</b>", 19, anchor="middle left")
        counted = left + (right - left) * timed.flop_ratio / most
        sheet.bar(left, y + 2, counted, y + 2 + thick, colors.bar)
        sheet.write(counted + 0.012, y + 2 + thick / 2, f"<b>{times(timed.flop_ratio)}</b>", 18, colors.muted, "middle right")
        if begun:
            _time(sheet, timed, (left, y + 5 + thick, counted, y + 5 + 2 * thick), (right - left) / most)
    y, size = HEAD + (len(timed_lengths) - 1) * step + 2, 13 if phone else 17  # of the longest: what its bars are
    sheet.write(left + 0.012, y + thick / 2, "operations, counted", size, ink_on(colors.bar), "middle right")
    return sheet.figure(HEAD + len(timed_lengths) * step + 4, min_width=0 if phone else 620)


def _time(sheet: Sheet, timed: TimedLength, box: tuple[float, float, float, float], unit: float) -> None:
    """The time's bar, `unit` wide for each time; an outline of the box where it was not measured."""
    (x0, y0, x1, y1), middle = box, (box[1] + box[3]) / 2
    if not timed.measured:
        sheet.line(rectangle(*box), sheet.colors.ink, 1.5, "dash")
        sheet.write(x1 + 0.012, middle, "<b>?</b>", 24, anchor="middle right")
    elif not timed.clear:
        sheet.write(x0 + 0.012, middle, "time: not measurably less", 16, sheet.colors.muted, "middle right")
    else:
        end = x0 + unit * timed.speed_up
        sheet.bar(x0, y0, end, y1, sheet.colors.ink)
        sheet.write(end + 0.012, middle, f"<b>{times(timed.speed_up)}</b> the time", 24, anchor="middle right")
