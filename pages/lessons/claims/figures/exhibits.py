"""The evidence for a verdict: what is measured, a line each, with a bar where the lines can be compared, and the verdict in large type."""

from collections.abc import Sequence

from pages.parts.drawing.answers import sought
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.claims.wording import Exhibit

NAME, BAR = 0.39, 0.62  # shares of the width: where names end, and the longest bar,
ENDS, VERDICT = 0.76, 0.79  # numbers, and where the verdict begins
HEIGHT, ROW, SOUGHT = 156.0, 40.0, 64.0  # pixels of all lines, on a phone of one and of the verdict beneath them


def exhibits(sheet: Sheet, lines: Sequence[Exhibit], verdict: str = "") -> SheetFigure:
    """Lines from the top; bars share one scale, from zero, whatever their sign. verdict: "" while it is open, and then no number is
    drawn either."""
    phone = sheet.on_phone()
    step = ROW if phone else HEIGHT / len(lines)
    longest = max((abs(line.size) for line in lines if line.size is not None), default=0) or 1.0
    for i, line in enumerate(lines):
        _line(sheet, line, (i * step, step), abs(line.size or 0.0) / longest, bool(verdict))
    end = len(lines) * step
    sought(sheet, (0.0, end + 6, 1.0, end + SOUGHT) if phone else (VERDICT, 0.0, 1.0, HEIGHT), "verdict", verdict)
    return sheet.figure(end + SOUGHT if phone else HEIGHT, min_width=0 if phone else 640)


def _line(sheet: Sheet, line: Exhibit, rows: tuple[float, float], share: float, known: bool) -> None:
    """One line: its name, on a phone above the rest, its bar, its number. rows: where it begins and its height."""
    colors, phone, (top, step) = sheet.colors, sheet.phone, rows
    strong = line.decides and known
    y, left, most = (top + 28, 0.0, 0.6) if phone else (top + step / 2, NAME, BAR)
    half, size = (8.0, 14.0) if phone else (min(22.0, 0.34 * step), min(20.0, 0.64 * step))
    at, anchor, room = (0.0, "middle right", 1.0) if phone else (NAME - 0.012, "middle left", NAME - 0.012)
    named = max(13.5, min(size, room * sheet.wide / (1.05 * ems(line.name))))
    ink = colors.ink if strong or not known else colors.muted
    sheet.write(at, top + 9 if phone else y, bold(short(line.name, room * sheet.wide, named), strong), named, ink, anchor)
    if not known:
        sheet.line(rectangle(left, y - half, most, y + half), colors.muted, 1.5, "dash")
        sheet.write((left + most) / 2, y, "<b>?</b>", size + 2, colors.ink)
        return
    end = left
    if line.size is not None:
        end = left + max(0.002, (most - left) * share)
        sheet.bar(left, y - half, end, y + half, colors.ink if line.decides else colors.bar)
    large = min((1.0 if phone else ENDS) - end - 0.012, 1.0) * sheet.wide / (1.12 * ems(line.text))
    large = max(13.0, min(large, 22.0 if phone else min(38.0, 0.95 * step) if line.decides else min(26.0, 0.7 * step)))
    sheet.write(end + 0.01, y, bold(line.text, line.decides), large, anchor="middle right")
