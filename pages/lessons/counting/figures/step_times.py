"""Measured time beside counted work: one more token behind a cache, and the whole sequence again, at growing lengths."""

from collections.abc import Sequence

from engine.timing.one_step import TimedLength
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import times
from pages.parts.text.format import number

LEFT, RIGHT = 0.085, 0.62  # shares of the width: where bars begin and end
LEFT_ON_PHONE, RIGHT_ON_PHONE = 0.12, 0.53  # there the unit of their numbers stands in the title


def step_times(sheet: Sheet, timed_lengths: Sequence[TimedLength]) -> SheetFigure:
    """A row a length: both times as bars with their milliseconds, then the ratio of times and of operations.

    Before anything has been measured the bars are the operations, and the ratio of times is a question mark.
    """
    colors = sheet.colors
    measured = any(timed.measured for timed in timed_lengths)
    phone = sheet.on_phone()
    left, right = (LEFT_ON_PHONE, RIGHT_ON_PHONE) if phone else (LEFT, RIGHT)
    longest = max((timed.recomputed_s for timed in timed_lengths if timed.measured), default=0.0)
    longest = longest or max(timed.recomputed_flops for timed in timed_lengths)
    columns = (0.76 if phone else 0.8, "<b>time</b>"), (1.0 if phone else 0.985, "<b>operations</b>")
    if phone:
        sheet.write(0, 9, "tokens", 14, colors.muted, "middle right")
        sheet.write(0, 30, "milliseconds" if measured else "million operations", 14, colors.muted, "middle right")
    else:
        title = f"{'milliseconds' if measured else 'operations'} for one more token"
        sheet.write(left - 0.012, 30, "tokens", 14, colors.muted, "middle left")
        sheet.write(left, 30, title, 16, colors.muted, "middle right")
    sheet.write(columns[1][0], 9, "without a cache ÷ with one", 14, colors.muted, "middle left")
    for x, name in columns:
        sheet.write(x, 30, name, 15 if phone else 17, anchor="middle left")
    step = 52.0 if phone else sheet.row(268, len(timed_lengths), 46, 60)
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
            end = left + max(0.002, (right - left - (0.12 if phone else 0.075)) * amount / longest)
            sheet.bar(left, y_bar, end, y_bar + thick, color)
            said = unit(amount).split()[0] if phone else unit(amount)
            sheet.write(end + (0.02 if phone else 0.007), y_bar + thick / 2, said, 14.5, anchor="middle right")
        ratio = f"<b>{times(timed.speed_up)}</b>" if timed.clear else "within the noise" if timed.measured else "<b>?</b>"
        if phone and timed.measured and not timed.clear:
            ratio = "noise"
        large, small = (24, 18) if phone else (28, 22)
        factors = (ratio, 15 if timed.measured and not timed.clear else large), (f"<b>{times(timed.flop_ratio)}</b>", small)
        for (x, _), (text, size) in zip(columns, factors, strict=True):
            sheet.write(x, y + middle, text, size, anchor="middle left")
    bottom = 50 + len(timed_lengths) * step
    names = (colors.wasted, "the whole sequence again"), (colors.cached, "one row behind the cache")
    for k, (color, name) in enumerate(names):
        sheet.swatch(0 if phone else left + 0.23 * k, bottom + 12 + 22 * phone * k, color, name)
    return sheet.figure(bottom + 26 + 22 * phone, min_width=0 if phone else 620)


def _millions(operations: float) -> str:
    """So many operations, in millions."""
    return f"{number(operations / 1e6, 2)} million"


def _ms(seconds: float) -> str:
    """Milliseconds with three significant digits."""
    return f"{1e3 * seconds:.3g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"
