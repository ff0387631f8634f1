"""The evidence for a verdict: what is measured, a line each, with a bar where the lines can be compared, and an empty track with a question
mark until it is known; above all of it the verdict."""

from collections.abc import Sequence

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.claims.wording import Exhibit

LONGEST, EMPTY = 0.78, 0.3  # of a line: the longest bar, and a place for a number that has none
HEIGHT, ROW = 200.0, 62.0  # pixels of all lines, on a phone of one
NAMED = 26.0  # of the name of a line
WORD = 20.0  # of a word that comes out of a pass, beneath it
MOST_PARTS = 16  # of a bar that counts
SOUGHT, SOUGHT_ON_PHONE = 34.0, 20.0  # type sizes of the question mark in a track


def exhibits(sheet: Sheet, lines: Sequence[Exhibit], verdict: str = "") -> SheetFigure:
    """Lines from the top; bars share one scale, from zero, whatever their sign. verdict: what came out, "" while that is open, and then
    no number is drawn either."""
    phone = sheet.on_phone()
    step = ROW if phone else HEIGHT / len(lines)
    sizes = [abs(line.size) for line in lines if line.size is not None]
    longest = max(sizes, default=0) or 1.0
    parts = longest if sizes and longest <= MOST_PARTS and all(size == round(size) for size in sizes) else 0
    for i, line in enumerate(lines):
        share = EMPTY if line.size is None else LONGEST * abs(line.size) / longest
        _line(sheet, line, (i * step, step), share, bool(verdict), int(parts))
    return under_headline(sheet, f"The experiment says: {verdict or '?'}").figure(
        len(lines) * step, min_width=0 if phone else 640
    )


def _steps(sheet: Sheet, line: Exhibit, box: Box, known: bool, most: int) -> None:
    """A prefill, and after it as many decode steps as there are, each as wide as every other, and beneath each the word that comes out
    of it; most: of all lines."""
    if box[3] - box[1] > 2 * WORD:
        box = (*box[:3], box[3] - WORD)
        _words_out(sheet, box, round(line.size or 0) + 1 if known else 0, most)
    (left, y0, right, y1), colors = box, sheet.colors
    wide, gap, middle = LONGEST * (right - left) / (max(1, most) + 1), 3 / sheet.wide, (y0 + y1) / 2
    first, size = left + wide - gap, min(18.0, 0.6 * (y1 - y0), (wide * sheet.wide - 10) / ems("prefill"))
    sheet.bar(left, y0, first, y1, colors.prefill)
    if size >= 12:
        sheet.write((left + first) / 2, middle, "prefill", size, ink_on(colors.prefill))
    if not known:
        return _track(sheet, (left + wide, y0, right, y1))
    n = round(line.size or 0)
    starts = [left + (k + 1) * wide for k in range(n)]
    sheet.bars([(x, y0, x + wide - gap, y1) for x in starts], colors.decode)
    for k, x in enumerate(starts, 1):
        sheet.write(x + (wide - gap) / 2, middle, str(k), max(13.0, size), ink_on(colors.decode))
    sheet.write(left + (n + 1) * wide + 0.012, middle, bold(line.text), 24.0 if sheet.phone else 46.0, anchor="middle right")


def _track(sheet: Sheet, box: Box) -> None:
    """Where something is to be found: as long as there is room."""
    sheet.bar(*box, sheet.colors.hole)
    size = min(SOUGHT_ON_PHONE if sheet.phone else SOUGHT, 0.8 * (box[3] - box[1]))
    sheet.write(box[0] + 12 / sheet.wide, (box[1] + box[3]) / 2, "<b>?</b>", size, anchor="middle right")


def _words_out(sheet: Sheet, box: Box, n: int, most: int) -> None:
    """The n words that come out, each beneath the pass that it comes out of."""
    (left, _, right, bottom), colors = box, sheet.colors
    wide = LONGEST * (right - left) / (max(1, most) + 1)
    for k in range(n):
        x, y = left + (k + 0.5) * wide - 1.5 / sheet.wide, bottom + 13
        sheet.path(
            f"M{x - 5 / sheet.wide:.5f},{bottom:.2f}L{x + 5 / sheet.wide:.5f},{bottom:.2f}L{x:.5f},{bottom + 6:.2f}Z",
            colors.muted,
        )
        said = f"word {k + 1}" if wide * sheet.wide > 52 else str(k + 1)
        sheet.write(x, y + 2, bold(said, k == n - 1), 14, colors.decode if k == n - 1 else colors.ink)


def _line(sheet: Sheet, line: Exhibit, rows: tuple[float, float], share: float, known: bool, parts: int) -> None:
    """One line: its name, beneath it its bar and its number. rows: where it begins and its height; share: of its width that the bar
    takes, or the field of a number that has none; parts: into how many the longest bar is cut, 0 for none."""
    colors, phone, (top, step), right = sheet.colors, sheet.phone, rows, 1.0
    strong = line.decides and known
    named = max(13.5, min(15.0 if phone else 20.0, 0.42 * step, right * sheet.wide / (1.05 * ems(line.name))))
    ink = colors.ink if strong or not known else colors.muted
    y0, y1 = top + min(NAMED, 0.4 * step), top + 0.94 * step
    sheet.write(0.0, (top + y0) / 2, bold(short(line.name, right * sheet.wide, named), strong), named, ink, "middle right")
    if line.steps:
        _steps(sheet, line, (0.0, y0, right, y1), known, parts)
        return
    if not known:
        return _track(sheet, (0.0, y0, share * right if line.size is None else right, y1))
    if line.size is None:
        sheet.bar(0.0, y0, share * right, y1, colors.hole)
    end, until = 0.0, share * right - 0.01
    if line.size is not None:
        end, until = max(0.002, share * right), right
        cuts, color = round(parts * share / LONGEST), colors.ink if line.decides else colors.bar
        wide = end / max(1, cuts)
        gap = 3 / sheet.wide if cuts > 1 else 0.0
        sheet.bars(((k * wide, y0, (k + 1) * wide - gap, y1) for k in range(max(1, cuts))), color)
    large = (until - end - 0.012) * sheet.wide / (1.12 * ems(line.text))
    large = max(13.0, min(large, 22.0 if phone else min(46.0, 0.6 * step) if line.decides else min(32.0, 0.5 * step)))
    sheet.write(end + 0.01, (y0 + y1) / 2, bold(line.text, line.decides), large, anchor="middle right")
