"""An answer without a cache, a column a pass and a row a word: what each pass computes, brown where it had been computed before."""

from collections.abc import Sequence

from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, answer_part, outline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import SIGNS, cache_rows, grounds, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short

NAMES = {"prefill": "computed for the first time", "new": "the new word, for the first time", "again": "computed again"}
TOP = 26.0  # pixels above the cells, for the names of the passes
CANDIDATE = 24.0  # of a share of all boxes that may have been computed before


def stairs(
    sheet: Sheet,
    names: Sequence[str],
    written: Sequence[str],
    n_prompt: int,
    told: bool = True,
    asked: tuple[Asked, Sequence[float]] = (NOT_ASKED, ()),
) -> SheetFigure:
    """names: of all rows, in each of their boxes, on a phone once at the left; written: the word that each pass gives, in the row in
    which the next pass takes it in. told: whether it is seen which boxes had been computed before; asked: the shares of them that
    it may be, each of which can be pressed until then where there is room."""
    phone, colors, n_pass, n_row = sheet.on_phone(), sheet.colors, len(written), len(names) + 1
    left, line = (0.22, 16.0) if phone else (0.0, sheet.row(316, n_row, 15, 26))
    size = 13.0 if phone else min(15.0, line - 2)  # of a name; of what a pass gives a little more
    wide, fills, boxes = (1 - left) / n_pass, grounds(colors, "full"), {}
    for j, word in enumerate(names if phone else ()):
        ink = colors.decode if j >= n_prompt else colors.ink
        sheet.write(left - 0.02, TOP + (j + 0.5) * line, short(word, (left - 0.02) * sheet.wide, size), size, ink, "middle left")
    for k in range(n_pass):
        x, newest = left + k * wide, n_prompt + k - 1
        middle, gap = x + wide / 2, (1 / sheet.wide if phone else 0.09 * wide)
        _pass(sheet, k, (x + gap, x + wide - gap), newest if told and k else newest + 1, told)
        for j in range(newest + 1):
            kind, y = "prefill" if not k or not told else "new" if j == newest else "again", TOP + j * line
            boxes.setdefault(kind, []).append((x + gap, y + 0.7, x + wide - gap, y + line - 0.7))
            if not phone:
                name = short(names[j], 0.6 * wide * sheet.wide, size)
                sheet.write(middle, y + line / 2, bold(name, told and kind == "new"), size, ink_on(fills[kind]))
            if told and SIGNS[kind]:
                sheet.write(middle if phone else x + gap + 12 / sheet.wide, y + line / 2, SIGNS[kind], size, ink_on(fills[kind]))
        word = bold(short(written[k], wide * sheet.wide, size + 1))
        sheet.write(middle, TOP + (newest + 1.5) * line, word, size + 1 if phone else min(18.0, line), colors.decode)
    cache_rows(sheet, boxes, "full")
    bottom = TOP + n_row * line + 14
    if not phone:
        _shares(sheet, (left, bottom - 11), *asked)
        return sheet.figure(bottom + 20, min_width=760)
    if not told:
        return sheet.figure(bottom + 40)  # as high as with the names of the colours
    for kind, x, y in (("prefill", 0, 4), ("again", 0.62, 4), ("new", 0, 26)):
        legend(sheet, bottom + y, {kind: NAMES[kind]}, x, "full")
    return sheet.figure(bottom + 40)


def _pass(sheet: Sheet, k: int, across: tuple[float, float], n: int, told: bool) -> None:
    """The name of a pass above its boxes, and how many of them are brown, or of the first one blue, once that is known."""
    (x0, x1), colors, y = across, sheet.colors, 12
    name, said = f"pass {k + 1}", f"{n:,} again" if k else f"{n:,} first time"
    if sheet.phone or not told or 15 * (ems(name) + 1.1 * ems(said)) + 8 > (x1 - x0) * sheet.wide:
        return sheet.write((x0 + x1) / 2, y, name, 13 if sheet.phone else 15, colors.muted)
    sheet.write(x0, y, name, 15, colors.muted, "middle right")
    return sheet.write(x1, y, bold(said), 15, colors.wasted if k else colors.prefill, "middle left")


def _shares(sheet: Sheet, at: tuple[float, float], asked: Asked, shares: Sequence[float]) -> None:
    """All boxes as a bar for each answer, of which that share would be brown; they stay when the right one is known."""
    (left, top), colors, wide = at, sheet.colors, (1 - at[0]) / max(1, len(shares))
    for k, share in enumerate(shares):
        x0, x1, bottom = left + k * wide + 0.004, left + (k + 1) * wide - 0.004, top + CANDIDATE
        name, right = asked.names[k], bool(asked.right) and asked.names[k] == asked.right
        sheet.bar(x0, top, x0 + share * (x1 - x0), bottom, faded(colors, colors.wasted, 0.4 if asked.open or right else 0.2))
        if not (right or name == asked.guess):
            sheet.line(rectangle(x0, top, x1, bottom), colors.muted, 1.5, "dash", layer="above")
        said = f"✓ {name}" if right else f"{name}: {YOURS}" if name == asked.guess else name
        sheet.write((x0 + x1) / 2, (top + bottom) / 2, bold(said, asked.open or right), 14)
        if asked.open:
            answer_part(sheet, asked, k, (x0, top, x1, bottom))
        else:
            outline(sheet, (x0, top, x1, bottom), right, name == asked.guess, says="")
