"""What a roofline says beside what was measured: a bar within an outline for each case."""

from collections.abc import Sequence

from pages.parts.drawing.sheet import Sheet, SheetFigure, plain
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number


def bound_bars(sheet: Sheet, cases: Sequence[tuple[str, str, float, float]]) -> SheetFigure:
    """cases: (what, on how many devices, bound in seconds, measured in seconds)."""
    colors = sheet.colors
    most = max(measured for *_, measured in cases)
    left, right, row = 0.31, 0.8, 34.0
    sheet.write(left, 12, "<b>bound</b>, of what was measured", 15, colors.ink, "middle right")
    for k, (what, on, bound_s, measured_s) in enumerate(cases):
        y = 30 + k * row
        a, b = left + (right - left) * bound_s / most, left + (right - left) * measured_s / most
        sheet.bar(left, y + 4, a, y + row - 6, colors.ink)
        sheet.frame(left, y + 4, b, y + row - 6, colors.ink, 1.6)
        sheet.write(left - 0.01, y + row / 2 - 1, f"{plain(what)}, {plain(on)}", 14, anchor="middle left")
        text = f"{seconds(bound_s)} of {seconds(measured_s)}: <b>{number(100 * bound_s / measured_s, 0)}%</b>"
        sheet.write(b + 0.008, y + row / 2 - 1, text, 14, anchor="middle right")
    return sheet.figure(34 + len(cases) * row, min_width=860)
