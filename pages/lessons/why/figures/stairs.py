"""An answer without a cache, a column a pass and a row a word: what each pass computes, brown where it had been computed before."""

from collections.abc import Sequence

from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, grounds, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short

NAMES = {"prefill": "computed for the first time", "new": "the new word, for the first time", "again": "computed again"}
TOP, LEFT = 40.0, 0.1  # pixels above the boxes, for the names of the passes; of the width, for the words
PHONE_TOP, PHONE_LEFT = 26.0, 0.22
OPEN = 0.5  # of its colour has a box of which it is asked whether it had been computed before
FAR = 17.0  # type that is read from the last row when it is presented, where names take less room than that they are left out
LARGE = 20.0  # type of how many boxes of a pass are of a kind


def stairs(sheet: Sheet, names: Sequence[str], written: Sequence[str], n_prompt: int, told: bool = True) -> SheetFigure:
    """names: of all rows, once at the left; written: the word that each pass gives, in the row in which the next pass takes it in. told:
    whether it is seen which boxes had been computed before; until then those that may have been are grey."""
    phone, colors, n_pass, n_row = sheet.on_phone(), sheet.colors, len(written), len(names) + 1
    left, above = (PHONE_LEFT, PHONE_TOP) if phone else (LEFT, TOP)
    line = 16.0 if phone else sheet.row(352, n_row, 15, 30)
    size = 13.0 if phone else min(18.0, line - 2)  # of a name
    wide, fills, boxes = (1 - left) / n_pass, grounds(colors, "full"), {}
    if sheet.presented and size < FAR:
        _many(sheet, f"{n_prompt:,}", (left, above, above + n_prompt * line))
    else:
        for j, word in enumerate(names):
            y, name, ink = above + (j + 0.5) * line, short(word, (left - 0.015) * sheet.wide, size), colors.decode
            sheet.write(left - 0.015, y, name, size, ink if j >= n_prompt else colors.ink, "middle left")
    for k in range(n_pass):
        x, newest = left + k * wide, n_prompt + k - 1
        gap = (1 if phone else 6) / sheet.wide
        _pass(sheet, k, (x + gap, x + wide - gap), newest if told and k else newest + 1, told)
        for j in range(newest + 1):
            kind = "prefill" if not k else "open" if not told else "new" if j == newest else "again"
            boxes.setdefault(kind, []).append((x + gap, above + j * line + 1, x + wide - gap, above + (j + 1) * line - 1))
        if told and k and not (sheet.presented and size < FAR):
            word = bold(short(names[newest], (wide - 2 * gap) * sheet.wide, size))
            sheet.write(x + wide / 2, above + (newest + 0.5) * line, word, size, ink_on(fills["new"]))
        large = size + 1 if phone else max(20.0, size + 2)
        word = bold(short(written[k], wide * sheet.wide, large))
        sheet.write(x + wide / 2, above + (newest + 1) * line + max(0.5 * line, 0.6 * large), word, large, colors.decode)
    sheet.bars(boxes.pop("open", ()), faded(colors, colors.bar, OPEN))
    if not told and n_pass > 1:
        sheet.write(left + wide * (n_pass // 2 + 0.5), above + n_prompt / 2 * line, "<b>?</b>", 48 if phone else 72)
    cache_rows(sheet, boxes, "full")
    bottom = above + n_row * line + 8
    if not phone:
        return sheet.figure(bottom, min_width=760)
    if told:
        for kind, x, y in (("prefill", 0, 10), ("again", 0.62, 10), ("new", 0, 32)):
            legend(sheet, bottom + y, {kind: NAMES[kind]}, x, "full")
    return sheet.figure(bottom + 46)  # as high as with the names of the colours


def _many(sheet: Sheet, n: str, at: tuple[float, float, float]) -> None:
    """How many words the prompt has, beside a bracket, where their names would be too small to be read from the last row."""
    x, top, bottom = at
    edge, end = x - 0.012, x - 0.004
    sheet.line(f"M{end:.5f},{top:.2f}H{edge:.5f}V{bottom:.2f}H{end:.5f}", sheet.colors.ink, 2)
    for k, (said, size) in enumerate(((bold(n), 34.0), ("words", 20.0))):
        sheet.write(edge - 0.008, (top + bottom) / 2 + 30 * k - 12, said, size, anchor="middle left")


def _pass(sheet: Sheet, k: int, across: tuple[float, float], n: int, told: bool) -> None:
    """The name of a pass above its boxes, and how many of them are brown, or of the first one blue, once that is known."""
    (x0, x1), colors, y = across, sheet.colors, TOP / 2
    if sheet.phone:
        return sheet.write((x0 + x1) / 2, 12, f"pass {k + 1}", 13, colors.muted)
    name, said = f"pass {k + 1}", f"{n:,} again" if k else f"{n:,} first time"
    if not told or 15 * ems(name) + LARGE * bold_ems(said) + 8 > (x1 - x0) * sheet.wide:
        return sheet.write((x0 + x1) / 2, y, name, 16, colors.muted)
    sheet.write(x0, y, name, 15, colors.muted, "middle right")
    return sheet.write(x1, y, bold(said), LARGE, colors.wasted if k else colors.prefill, "middle left")
