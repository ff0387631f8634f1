"""Times faster by guessing, against how many sequences share a step: above 1 while it waits for memory, below where it computes."""

from collections.abc import Mapping
from math import log2

from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number

TOP = 34.0


def faster_or_slower(
    sheet: Sheet, factors: Mapping[int, float], chosen: int, n_guess: int, words: float, hidden: bool
) -> SheetFigure:
    """factors: batch -> times faster. chosen: the batch that is asked about, one of them. words: that a pass with guesses writes.

    hidden: the factors wait; what they are made of, words and the time of such a pass, is drawn.
    """
    colors, most, last = sheet.colors, n_guess + 1, max(factors)
    bottom, (left, right) = TOP + sheet.row(228, 1, 200, 330), (0.12, 0.93) if sheet.on_phone() else (0.075, 0.97)

    def x(batch: float) -> float:
        return left + (right - left) * log2(batch) / log2(last)

    def y(factor: float) -> float:
        return bottom - (bottom - TOP) * factor / most

    lines = ""
    for factor in range(most + 1):
        lines += f"M{left},{y(factor):.2f}L{right},{y(factor):.2f}"
        sheet.write(left - 0.008, y(factor), f"{factor} ×", 13, colors.muted, "middle left")
    for batch in (4**k for k in range(int(log2(last)) // 2 + 1)):
        lines += f"M{x(batch):.5f},{TOP}L{x(batch):.5f},{bottom:.2f}"
        sheet.write(x(batch), bottom + 15, f"{batch:,}", 13, colors.muted)
    sheet.line(lines, colors.hole)
    sheet.line(f"M{left},{y(1):.2f}L{right},{y(1):.2f}", colors.ink, 1.6, "dash")
    sheet.write(right, y(1) + 14, "without guessing", 14, colors.muted, "middle left")
    sheet.write((left + right) / 2, bottom + 36, "sequences at once (batch)", 14.5)
    costs = {batch: words / factor for batch, factor in factors.items()}
    sheet.line(_path(costs, x, y), colors.ink, 3 * sheet.zoom if hidden else 1.2)
    sheet.line(f"M{left},{y(words):.2f}L{right},{y(words):.2f}", colors.ink, 3 * sheet.zoom if hidden else 1.2, "dot")
    title = "a pass with guesses, by one without" if hidden else "times as fast"
    sheet.write(left, TOP - 18, title, 14.5, colors.ink, "middle right")
    if hidden:
        sheet.line(f"M{x(chosen):.5f},{TOP}L{x(chosen):.5f},{bottom:.2f}", colors.ink, 1.6, "dot")
        sheet.write(x(chosen) + (0.01 if x(chosen) < 0.8 else -0.01), TOP + 16, "?", 20, colors.ink)
        middle, end = (left + right) / 2, costs[last]
        sheet.write(middle, y(words) - 13, f"<b>words it writes</b>, {number(words)}", 15)
        sheet.write(right, y(end) + (-14 if y(end) > TOP + 30 else 16), "<b>time it takes</b>", 15, anchor="middle left")
    else:
        sheet.line(_path(factors, x, y), colors.decode, 4 * sheet.zoom)
        sheet.dots([x(chosen)], [y(factors[chosen])], 15, colors.decode)
        before = x(chosen) > (0.5 if sheet.phone else 0.8)
        dy = 20 if factors[chosen] > most / 2 else -20
        text = f"<b>{number(factors[chosen])} ×</b> at batch {chosen:,}"
        sheet.write(x(chosen) - 0.012 if before else x(chosen) + 0.012, y(factors[chosen]) + dy, text, 15, colors.decode,
                    "middle left" if before else "middle right")  # fmt: skip
    return sheet.figure(bottom + 48, min_width=0 if sheet.phone else 640)


def _path(values: Mapping[int, float], x, y) -> str:
    """A line through a value for each batch."""
    return "M" + "L".join(f"{x(batch):.5f},{y(value):.2f}" for batch, value in values.items())
