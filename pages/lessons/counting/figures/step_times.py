"""Measured time beside counted work: one more token behind a cache, and the whole sequence again, at growing lengths."""

from collections.abc import Sequence

from engine.timing.one_step import TimedLength
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import times
from pages.parts.text.format import number

LEFT, RIGHT = 0.085, 0.62  # shares of the width: where bars begin and end


def step_times(sheet: Sheet, timed_lengths: Sequence[TimedLength]) -> SheetFigure:
    """A row a length: both times as bars with their milliseconds, then the ratio of times and of operations.

    Before anything has been measured the bars are the operations, and the ratio of times is a question mark.
    """
    colors = sheet.colors
    measured = any(timed.measured for timed in timed_lengths)
    left, right = LEFT, RIGHT
    longest = max((timed.recomputed_s for timed in timed_lengths if timed.measured), default=0.0)
    longest = longest or max(timed.recomputed_flops for timed in timed_lengths)
    columns = (0.8, "<b>time</b>"), (0.985, "<b>operations</b>")
    sheet.write(left - 0.012, 30, "tokens", 14, colors.muted, "middle left")
    sheet.write(left, 30, f"{'milliseconds' if measured else 'operations'} for one more token", 16, colors.muted, "middle right")
    sheet.write(0.985, 9, "without a cache ÷ with one", 14, colors.muted, "middle left")
    for x, name in columns:
        sheet.write(x, 30, name, 17, anchor="middle left")
    step = sheet.row(268, len(timed_lengths), 46, 60)
    middle, thick = (step - 6) / 2, (step - 14) / 2  # of a row, and of a bar
    for i, timed in enumerate(timed_lengths):
        y = 50 + i * step
        sheet.bar(0, y - 4, 1, y - 3, colors.hole)
        sheet.write(left - 0.012, y + middle, f"<b>{timed.n_tokens}</b>", 19, anchor="middle left")
        if timed.measured:
            amounts, unit = (timed.recomputed_s, timed.cached_s), _ms
        elif measured:  # the time was up
            amounts, unit = (), _ms
        else:
            amounts, unit = (timed.recomputed_flops, timed.cached_flops), _millions
        for amount, y_bar, color in zip(amounts, (y + 3, y + middle + 2), (colors.wasted, colors.cached), strict=False):
            end = left + max(0.002, (right - left - 0.075) * amount / longest)
            sheet.bar(left, y_bar, end, y_bar + thick, color)
            sheet.write(end + 0.007, y_bar + thick / 2, unit(amount), 14.5, anchor="middle right")
        ratio = f"<b>{times(timed.speed_up)}</b>" if timed.clear else "within the noise" if timed.measured else "<b>?</b>"
        factors = (ratio, 15 if timed.measured and not timed.clear else 28), (f"<b>{times(timed.flop_ratio)}</b>", 22)
        for (x, _), (text, size) in zip(columns, factors, strict=True):
            sheet.write(x, y + middle, text, size, anchor="middle left")
    bottom = 50 + len(timed_lengths) * step
    names = (left, colors.wasted, "the whole sequence again"), (left + 0.23, colors.cached, "one row behind the cache")
    for x, color, name in names:
        sheet.swatch(x, bottom + 12, color, name)
    return sheet.figure(bottom + 26, min_width=620)


def _millions(operations: float) -> str:
    """So many operations, in millions."""
    return f"{number(operations / 1e6, 2)} million"


def _ms(seconds: float) -> str:
    """Milliseconds with three significant digits."""
    return f"{1e3 * seconds:.3g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"
