"""The evidence for a verdict: what is measured, a line each, with a bar where the lines can be compared, and an empty track with a question
mark until it is known; above all of it the verdict."""

from collections.abc import Sequence

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, rectangle, short, type_size
from pages.parts.text.claims.wording import Exhibit
from pages.parts.text.format import plural

LONGEST, EMPTY = 0.78, 0.3  # of a line: the longest bar, and a place for a number that has none
HEIGHT = 210.0  # pixels of all lines on a projector
ROW = 62.0  # pixels of a line on a phone
STEPS_ROW = 104.0  # pixels of one there that counts decode steps
NAMED = 26.0  # pixels of the name of a line
WORD = 26.0  # pixels of a word that comes out of a pass
POINT = 9.0  # pixels of the arrow from the pass to its word
BETWEEN = 20.0  # pixels beneath the steps, down to the next line
MOST_PARTS = 16  # of a bar that counts
FIELD = 84.0  # pixels of a number that has no bar, where several stand side by side
MOST_BESIDE = 4  # of these in a row
APART = 0.02  # share of the width between two of them
SOUGHT, SOUGHT_ON_PHONE = 44.0, 24.0  # type sizes of the question mark in a track


def exhibits(sheet: Sheet, lines: Sequence[Exhibit], verdict: str = "") -> SheetFigure:
    """Lines from the top; bars share one scale, from zero, whatever their sign. verdict: what came out, "" while that is open, and then
    no number is drawn either."""
    phone, says = sheet.on_phone(), f"The experiment says: {verdict or '?'}"
    if not phone and all(line.size is None for line in lines):
        high = _fields(sheet, lines, bool(verdict))
        return under_headline(sheet, says).figure(high, min_width=640)
    step = (STEPS_ROW if lines[0].steps else ROW) if phone else HEIGHT / len(lines)
    sizes = [abs(line.size) for line in lines if line.size is not None]
    longest = max(sizes, default=0) or 1.0
    parts = longest if sizes and longest <= MOST_PARTS and all(size == round(size) for size in sizes) else 0
    for i, line in enumerate(lines):
        share = EMPTY if line.size is None else LONGEST * abs(line.size) / longest
        _line(sheet, line, (i * step, step), share, bool(verdict), int(parts))
    return under_headline(sheet, says).figure(len(lines) * step, min_width=640)


def _fields(sheet: Sheet, lines: Sequence[Exhibit], known: bool) -> float:
    """Numbers without a scale side by side, each beneath its name; returns how high they stand."""
    n_rows = -(-len(lines) // MOST_BESIDE)
    n_beside = -(-len(lines) // n_rows)
    wide = (1 - APART * (n_beside - 1)) / n_beside
    for k, line in enumerate(lines):
        left, top = k % n_beside * (wide + APART), k // n_beside * (NAMED + FIELD + BETWEEN)
        box, strong = (left, top + NAMED, left + wide, top + NAMED + FIELD), line.decides and known
        named = type_size(line.name, wide * sheet.wide, 18.0, 13.5)
        ink = sheet.colors.ink if strong or not known else sheet.colors.muted
        name = short(line.name, wide * sheet.wide, named, strong=strong)
        sheet.write(left, top + NAMED / 2, bold(name, strong), named, ink, "middle right")
        if not known:
            _track(sheet, box)
            continue
        sheet.bar(*box, sheet.colors.hole)
        large = type_size(line.text, wide * sheet.wide - 24, 40.0 if line.decides else 30.0, 13.0)
        sheet.write((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, bold(line.text, line.decides), large)
    return n_rows * (NAMED + FIELD) + (n_rows - 1) * BETWEEN


def _steps(sheet: Sheet, line: Exhibit, box: Box, known: bool, most: int) -> None:
    """A prefill, after it as many decode steps as there are, each as wide as every other, and above each the word that comes out of it;
    until that is known the words wait above the place where the steps will stand. most: steps of all lines."""
    (left, y0, right, y1), colors, n = box, sheet.colors, round(line.size or 0)
    wide, gap, top = LONGEST * (right - left) / (max(1, most) + 1), 3 / sheet.wide, y0 + WORD + POINT
    middle, size = (top + y1) / 2, type_size("prefill", wide * sheet.wide - 10, 20.0, 13.0, strong=False)
    sheet.bar(left, top, left + wide - gap, y1, colors.prefill)
    sheet.write(left + (wide - gap) / 2, middle, "prefill", size, ink_on(colors.prefill))
    first = left if known else left + 0.5 * wide  # above which pass each stands is what is to be found
    for k in range(n + 1):
        _word(sheet, (first + k * wide, y0, first + (k + 1) * wide - gap, y0 + WORD), k + 1, known)
    if not known:
        x, large = left + wide, SOUGHT_ON_PHONE if sheet.phone else SOUGHT
        open_place(sheet, x, top, right, y1)
        return _how_many(sheet, x + 16 / sheet.wide, middle, ("?", "decode steps"), large)
    starts = [left + (k + 1) * wide for k in range(n)]
    sheet.bars([(x, top, x + wide - gap, y1) for x in starts], colors.decode)
    for k, x in enumerate(starts, 1):
        sheet.write(x + (wide - gap) / 2, middle, str(k), size, ink_on(colors.decode))
    said = line.text, plural(n, "decode step")
    _how_many(sheet, left + (n + 1) * wide + 0.012, middle, said, SOUGHT_ON_PHONE if sheet.phone else SOUGHT)


def _how_many(sheet: Sheet, x: float, y: float, said: tuple[str, str], size: float) -> None:
    """A number in large type, and of what, where there is room behind it."""
    number, what = said
    sheet.write(x, y, bold(number), size, anchor="middle right")
    after, small = x + (bold_ems(number) * size + 10) / sheet.wide, 14.0 if sheet.phone else 19.0
    if after + bold_ems(what) * small / sheet.wide <= 1:
        sheet.write(after, y, bold(what), small, anchor="middle right")


def _word(sheet: Sheet, box: Box, number: int, known: bool) -> None:
    """A word that is written, and once that is known an arrow from the pass it comes out of."""
    (x0, y0, x1, y1), color, middle = box, sheet.colors.decode, (box[0] + box[2]) / 2
    sheet.line(rectangle(x0 + 1 / sheet.wide, y0 + 1, x1 - 1 / sheet.wide, y1 - 1), color, 2)
    said = f"word {number}" if (x1 - x0) * sheet.wide > 52 else str(number)
    sheet.write(middle, (y0 + y1) / 2, bold(said), 13 if sheet.phone else 17, sheet.colors.ink)
    if known:
        half, end = 6 / sheet.wide, y1 + POINT - 1
        sheet.path(f"M{middle - half:.5f},{end:.2f}L{middle + half:.5f},{end:.2f}L{middle:.5f},{y1 + 1:.2f}Z", sheet.colors.muted)


def _track(sheet: Sheet, box: Box) -> None:
    """Where something is to be found: as long as there is room."""
    sheet.bar(*box, sheet.colors.hole)
    size = min(SOUGHT_ON_PHONE if sheet.phone else SOUGHT, 0.8 * (box[3] - box[1]))
    sheet.write(box[0] + 12 / sheet.wide, (box[1] + box[3]) / 2, "<b>?</b>", size, anchor="middle right")


def _line(sheet: Sheet, line: Exhibit, rows: tuple[float, float], share: float, known: bool, parts: int) -> None:
    """One line: its name, beneath it its bar and its number. rows: where it begins and its height; share: of its width that the bar
    takes, or the field of a number that has none; parts: into how many the longest bar is cut, 0 for none."""
    colors, phone, (top, step), right = sheet.colors, sheet.phone, rows, 1.0
    strong = line.decides and known
    if line.steps:  # say themselves what they are
        return _steps(sheet, line, (0.0, top + 2, right, top + step - BETWEEN), known, parts)
    named = type_size(line.name, right * sheet.wide, min(15.0 if phone else 20.0, 0.42 * step), 13.5)
    ink = colors.ink if strong or not known else colors.muted
    y0, y1 = top + min(NAMED, 0.4 * step), top + 0.94 * step
    sheet.write(0.0, (top + y0) / 2, bold(short(line.name, right * sheet.wide, named), strong), named, ink, "middle right")
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
    most = 22.0 if phone else min(46.0, 0.6 * step) if line.decides else min(32.0, 0.5 * step)
    large = type_size(line.text, (until - end - 0.012) * sheet.wide, most, 13.0)
    sheet.write(end + 0.01, (y0 + y1) / 2, bold(line.text, line.decides), large, anchor="middle right")
