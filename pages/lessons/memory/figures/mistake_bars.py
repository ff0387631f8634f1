"""A sum and the same with one number mistaken, as bars to one scale: how far each mistake leads."""

from collections.abc import Sequence

from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.format import number

LEFT, RIGHT, TOP, ROW = 0.33, 0.84, 4.0, 50.0
RIGHT_ON_PHONE, ROW_ON_PHONE = 0.74, 76.0  # there what is mistaken stands above its bar


def mistake_bars(sheet: Sheet, right: tuple[str, float, str], mistakes: Sequence[tuple[str, str, float, str]]) -> SheetFigure:
    """right: the product, its bytes, and as they are written. mistakes: what, how, bytes and as they are written, of each."""
    if sheet.on_phone():
        return _narrow(sheet, right, mistakes)
    colors, (product, true_bytes, written_right) = sheet.colors, right
    most = max(true_bytes, *(n_bytes for *_, n_bytes, _ in mistakes))
    bars = [("the sum as it is", product, true_bytes, written_right), *mistakes]
    true, row = LEFT + (RIGHT - LEFT) * true_bytes / most, sheet.row(300, len(bars), ROW, 84)
    room = (LEFT - 0.012) * sheet.wide
    for k, (what, how, n_bytes, written) in enumerate(bars):
        y = TOP + (k + 0.5) * row
        end = LEFT + (RIGHT - LEFT) * n_bytes / most
        sheet.bar(LEFT, y - 0.3 * row, end, y + 0.3 * row, colors.wasted if k else colors.ink)
        size = max(13.0, min(19.0, room / (1.1 * ems(how) + 0.5)))
        sheet.write(LEFT - 0.012, y - 11, bold(short(how, room, size)), size, colors.wasted if k else colors.ink, "middle left")
        small = max(13.0, min(14.5, room / (ems(what) + 0.5)))
        sheet.write(LEFT - 0.012, y + 12, short(what, room, small), small, colors.muted, "middle left")
        at = max(end, true) + 0.01
        if k:
            sheet.write(at, y - 10, f"<b>{number(n_bytes / true_bytes, 3)} ×</b>", 28, anchor="middle right")
        sheet.write(at, y + 15 * bool(k), written, 14 if k else 20, colors.muted if k else colors.ink, "middle right")
    bottom = TOP + len(bars) * row
    sheet.line(f"M{true:.5f},{TOP}L{true:.5f},{bottom:.2f}", colors.ink, 1.6, "dash", "above")
    return sheet.figure(bottom + 4, min_width=760)


def _narrow(sheet: Sheet, right: tuple[str, float, str], mistakes: Sequence[tuple[str, str, float, str]]) -> SheetFigure:
    """The same for a phone: above each bar what is mistaken and how; behind it how far that leads."""
    colors, true_bytes, most = sheet.colors, right[1], max(right[1], *(n_bytes for *_, n_bytes, _ in mistakes))
    true = RIGHT_ON_PHONE * true_bytes / most
    for k, (what, how, n_bytes, written) in enumerate([("the sum as it is", *right), *mistakes]):
        y, end = TOP + k * ROW_ON_PHONE - 18 * (k > 0), RIGHT_ON_PHONE * n_bytes / most
        sheet.write(0, y + 10, bold(short(what, sheet.wide, 14.5)), 14.5, anchor="middle right")
        if k:
            sheet.write(0, y + 29, f"{how}: {written}", 13, colors.muted, "middle right")
            sheet.write(1, y + 53, f"<b>{number(n_bytes / true_bytes, 3)} ×</b>", 24, anchor="middle left")
        else:
            sheet.write(1, y + 35, f"<b>{written}</b>", 16, anchor="middle left")
        top = y + (40 if k else 22)
        sheet.bar(0, top, end, top + 26, colors.wasted if k else colors.ink)
        sheet.line(f"M{true:.5f},{top - 3:.2f}L{true:.5f},{top + 29:.2f}", colors.ink, 1.6, "dash", "above")
    return sheet.figure(TOP + (1 + len(mistakes)) * ROW_ON_PHONE - 18)
