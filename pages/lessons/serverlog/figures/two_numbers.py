"""What a log prints and what is expected, a card for each sum: two large numbers and whether they agree."""

from collections.abc import Sequence

from pages.lessons.serverlog.figures.beside_expected import Line
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import times

PRINTED, EXPECTED, VERDICT = 0.33, 0.56, 0.79  # where the columns begin
LARGE = 25.0


def two_numbers(sheet: Sheet, lines: Sequence[Line]) -> SheetFigure:
    """A card a line; on a phone its name stands above the numbers."""
    narrow = sheet.on_phone()
    row, colors = sheet.row(276, len(lines), 78 if not narrow else 112, 110), sheet.colors
    columns = (0.03, 0.37, 0.72) if narrow else (PRINTED, EXPECTED, VERDICT)
    for k, line in enumerate(lines):
        top, middle = 4 + k * row, 4 + k * row + (row - 10) / 2 + (14 if narrow else 0)
        sheet.bar(0, top, 1, top + row - 10, colors.hole + "66")
        name = short(line.what, (0.94 if narrow else PRINTED - 0.04) * sheet.wide, 17)
        sheet.write(0.02 if not narrow else 0.03, top + 18 if narrow else middle, f"<b>{name}</b>", 17, anchor="middle right")
        for x, head, said in zip(columns, ("printed", "expected"), (line.printed, line.expected), strict=False):
            size = min(LARGE, (columns[1] - columns[0] - 0.02) * sheet.wide / ems(said))
            sheet.write(x, middle - 19, head, 13, colors.muted, "middle right")
            sheet.write(x, middle + 8, f"<b>{said}</b>", size, colors.ink, "middle right")
        said, color = verdict(line), colors.wasted if line.ratio is not None and not line.good else colors.ink
        sheet.write(columns[2], middle + 8, said, LARGE * (0.7 if narrow else 0.8), color, "middle right")
    return sheet.figure(4 + row * len(lines), min_width=0 if narrow else 560)


def verdict(line: Line) -> str:
    """Whether they agree; by how much they differ.

    >>> verdict(Line("a", "1", "1", 1.0, True)), verdict(Line("a", "1", "?", None, True))
    ('✓ agree', '')
    """
    if line.ratio is None:
        return ""
    return "✓ agree" if line.good else f"<b>✗ {times(line.ratio)}</b>"
