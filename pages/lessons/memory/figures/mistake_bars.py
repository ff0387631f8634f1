"""A sum and the same with one number mistaken, as bars to one scale: how far each mistake leads."""

from collections.abc import Sequence

from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short
from pages.parts.text.format import number

LEFT, RIGHT, TOP, ROW = 0.33, 0.84, 4.0, 50.0
RIGHT_ON_PHONE, ROW_ON_PHONE = 0.74, 76.0  # there what is mistaken stands above its bar


def mistake_bars(sheet: Sheet, right: tuple[float, str], mistakes: Sequence[tuple[str, str, float, str]]) -> SheetFigure:
    """right: bytes, and as they are written. mistakes: what, how, bytes and as they are written, of each."""
    if sheet.on_phone():
        return _narrow(sheet, right, mistakes)
    colors = sheet.colors
    most = max(right[0], *(n_bytes for *_, n_bytes, _ in mistakes))
    bars = [("the sum as it is", "", *right), *mistakes]
    true = LEFT + (RIGHT - LEFT) * right[0] / most
    for k, (what, how, n_bytes, written) in enumerate(bars):
        y = TOP + (k + 0.5) * ROW
        end = LEFT + (RIGHT - LEFT) * n_bytes / most
        sheet.bar(LEFT, y - 14, end, y + 14, colors.wasted if k else colors.ink)
        sheet.write(LEFT - 0.012, y - 9 * bool(how), f"<b>{what}</b>", 14.5, anchor="middle left")
        if how:
            sheet.write(LEFT - 0.012, y + 10, how, 13, colors.muted, "middle left")
        at = max(end, true) + 0.01
        if k:
            sheet.write(at, y - 8, f"<b>{number(n_bytes / right[0], 3)} ×</b>", 24, anchor="middle right")
        sheet.write(at, y + 14 * bool(k), written, 13.5 if k else 15, colors.muted if k else colors.ink, "middle right")
    bottom = TOP + len(bars) * ROW
    sheet.line(f"M{true:.5f},{TOP}L{true:.5f},{bottom:.2f}", colors.ink, 1.6, "dash", "above")
    return sheet.figure(bottom + 4, min_width=760)


def _narrow(sheet: Sheet, right: tuple[float, str], mistakes: Sequence[tuple[str, str, float, str]]) -> SheetFigure:
    """The same for a phone: above each bar what is mistaken and how; behind it how far that leads."""
    colors, most = sheet.colors, max(right[0], *(n_bytes for *_, n_bytes, _ in mistakes))
    true = RIGHT_ON_PHONE * right[0] / most
    for k, (what, how, n_bytes, written) in enumerate([("the sum as it is", "", *right), *mistakes]):
        y, end = TOP + k * ROW_ON_PHONE - 18 * (k > 0), RIGHT_ON_PHONE * n_bytes / most
        sheet.write(0, y + 10, bold(short(what, sheet.wide, 14.5)), 14.5, anchor="middle right")
        if k:
            sheet.write(0, y + 29, f"{how}: {written}", 13, colors.muted, "middle right")
            sheet.write(1, y + 53, f"<b>{number(n_bytes / right[0], 3)} ×</b>", 24, anchor="middle left")
        else:
            sheet.write(1, y + 35, f"<b>{written}</b>", 16, anchor="middle left")
        top = y + (40 if k else 22)
        sheet.bar(0, top, end, top + 26, colors.wasted if k else colors.ink)
        sheet.line(f"M{true:.5f},{top - 3:.2f}L{true:.5f},{top + 29:.2f}", colors.ink, 1.6, "dash", "above")
    return sheet.figure(TOP + (1 + len(mistakes)) * ROW_ON_PHONE - 18)
