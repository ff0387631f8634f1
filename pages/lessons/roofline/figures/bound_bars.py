"""What a roofline says beside what was measured: a bar within an outline for each case, those of one length together."""

from collections.abc import Mapping, Sequence

from pages.parts.drawing.sheet import Sheet, SheetFigure, plain
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number

Case = tuple[str, float, float]  # what on how many devices, bound and measured in seconds


def bound_bars(sheet: Sheet, groups: Mapping[str, Sequence[Case]]) -> SheetFigure:
    """groups: what the cases of one have in common -> the cases."""
    colors, narrow = sheet.colors, sheet.on_phone()
    most = max(measured for cases in groups.values() for *_, measured in cases)
    left, right, row, above = (0.0, 0.52, 46.0, 20) if narrow else (0.27, 0.78, 33.0, 0)
    top = 2.0
    for k, (name, cases) in enumerate(groups.items()):
        head = f"<b>{plain(name)}</b>" + ": <b>bound</b>, of what was measured" * (k == 0)
        sheet.write(left, top + 12, head, 15, colors.ink, "middle right")
        top += 24
        for what, bound_s, measured_s in cases:
            y0, y1 = top + 4 + above, top + row - 6
            a, b = left + (right - left) * bound_s / most, left + (right - left) * measured_s / most
            sheet.bar(left, y0, a, y1, colors.prefill)
            sheet.frame(left, y0, b, y1, colors.ink, 1.6)
            at = (left, top + 14, "middle right") if narrow else (left - 0.01, (y0 + y1) / 2, "middle left")
            sheet.write(*at[:2], plain(what), 14, anchor=at[2])
            text = f"{seconds(bound_s)} of {seconds(measured_s)}: <b>{number(100 * bound_s / measured_s, 0)}%</b>"
            sheet.write(b + 8 / sheet.wide, (y0 + y1) / 2, text, 14, anchor="middle right")
            top += row
        top += 6
    return sheet.figure(top, min_width=0 if narrow else 860)
