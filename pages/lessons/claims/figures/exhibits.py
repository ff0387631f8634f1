"""The evidence for a verdict: what is measured, a line each, with a bar where the lines can be compared; beneath them the verdicts that
there are, and once it is known which came out, beside the reader's vote."""

from collections.abc import Sequence

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, may_end_anywhere
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.claims.wording import Exhibit

NAME, END = 0.3, 0.84  # shares of the width: where names end, and the longest bar
HEIGHT, ROW = 150.0, 64.0  # pixels of all lines, on a phone of one
VERDICT = 52.0  # pixels of the verdicts beneath them
WORD = 20.0  # of a word that comes out of a pass, beneath it
MOST_PARTS = 16  # of a bar that counts


def exhibits(
    sheet: Sheet, lines: Sequence[Exhibit], verdicts: Sequence[str], came: tuple[str, str] = ("", ""), asked: Asked = NOT_ASKED
) -> SheetFigure:
    """Lines from the top; bars share one scale, from zero, whatever their sign. came: the verdict and the reader's vote, "" while they
    are open, and then no number is drawn either. asked: the verdicts, as they can be pressed until then."""
    phone, known = sheet.on_phone(), bool(came[0])
    step = ROW if phone else HEIGHT / len(lines)
    sizes = [abs(line.size) for line in lines if line.size is not None]
    longest = max(sizes, default=0) or 1.0
    parts = longest if sizes and longest <= MOST_PARTS and all(size == round(size) for size in sizes) else 0
    for i, line in enumerate(lines):
        _line(sheet, line, (i * step, step), abs(line.size or 0.0) / longest, known, int(parts))
    end = len(lines) * step
    _verdicts(sheet, verdicts, came, end + 8, asked)
    return sheet.figure(end + VERDICT, min_width=0 if phone else 640)


def _verdicts(sheet: Sheet, verdicts: Sequence[str], came: tuple[str, str], top: float, asked: Asked) -> None:
    """A field for each verdict: the one that came out is filled, the reader's is outlined, and both are named; until then all are open."""
    colors, wide, low = sheet.colors, 1 / len(verdicts), top + VERDICT - 12
    for k, verdict in enumerate(verdicts):
        x0, x1, right, yours = k * wide, (k + 1) * wide - 8 / sheet.wide, verdict == came[0], verdict == came[1]
        fill = colors.ink if right else colors.hole
        if not came[0]:
            sheet.line(rectangle(x0, top, x1, low), colors.muted, 1.5, "dash")
            lines = verdict.split(", ") if sheet.phone else [verdict]
            for j, line in enumerate(lines):
                sheet.write((x0 + x1) / 2, (top + low) / 2 + 17 * (j - (len(lines) - 1) / 2), line, 15 if sheet.phone else 18)
            answer_part(sheet, asked, k, (x0, top, x1, low))
            continue
        sheet.bar(x0, top, x1, low, fill)
        if yours and not right:
            sheet.line(rectangle(x0, top, x1, low), colors.ink, 2.5, "dash", layer="above")
        whose = " and ".join(["the experiment"] * right + ["your vote"] * yours)
        ink = ink_on(fill) if right else colors.ink if yours else colors.muted
        if sheet.phone:
            size = min(16.0, ((x1 - x0) * sheet.wide - 8) / (1.06 * ems(verdict)))
            sheet.write((x0 + x1) / 2, (top + low) / 2 - 8 * bool(whose), bold(verdict, right or yours), size, ink)
            small = min(13.0, ((x1 - x0) * sheet.wide - 6) / ems(whose)) if whose else 13.0
            sheet.write((x0 + x1) / 2, low - 10, whose, small, ink)
        else:
            said = f"{bold(verdict, right or yours)}{' · ' * bool(whose)}{whose}"
            size = min(18.0, ((x1 - x0) * sheet.wide - 10) / (1.06 * ems(f"{verdict} · {whose}")))
            sheet.write((x0 + x1) / 2, (top + low) / 2, said, size, ink)


def _steps(sheet: Sheet, line: Exhibit, box: Box, known: bool, most: int) -> None:
    """A prefill, and after it as many decode steps as there are, each as wide as every other, and beneath each the word that comes out
    of it; most: of all lines. Until that is known, each line has the same places, one more than any takes."""
    if box[3] - box[1] > 2 * WORD:
        box = (*box[:3], box[3] - WORD)
        _words_out(sheet, box, round(line.size or 0) + 1 if known else 0, most)
    (left, y0, right, y1), colors = box, sheet.colors
    wide, gap, middle = (right - left) / (max(1, most) + 1), 3 / sheet.wide, (y0 + y1) / 2
    first, size = left + wide - gap, min(18.0, 0.6 * (y1 - y0), (wide * sheet.wide - 10) / ems("prefill"))
    sheet.bar(left, y0, first, y1, colors.prefill)
    if size >= 12:
        sheet.write((left + first) / 2, middle, "prefill", size, ink_on(colors.prefill))
    if not known:  # as many steps in every line, so that none says how many it takes
        n = max(1, most) + 1
        places = [(left + k * wide, left + (k + 1) * wide - gap) for k in range(1, n + 1)]
        sheet.bars(((a, y0, b, y1) for a, b in places), faded(colors, colors.decode, 0.16))
        sheet.line("".join(rectangle(a, y0, b, y1) for a, b in places), colors.decode, 1.5)
        for k, (a, b) in enumerate(places, 1):
            sheet.write((a + b) / 2, middle, f"{k}?", max(13.0, size), colors.ink)
        sheet.write(left + (n + 1) * wide + 0.006, middle, "<b>?</b>", 24.0 if sheet.phone else 46.0, anchor="middle right")
        return
    n = round(line.size or 0)
    starts = [left + (k + 1) * wide for k in range(n)]
    sheet.bars([(x, y0, x + wide - gap, y1) for x in starts], colors.decode)
    for k, x in enumerate(starts, 1):
        sheet.write(x + (wide - gap) / 2, middle, str(k), max(13.0, size), ink_on(colors.decode))
    sheet.write(left + (n + 1) * wide + 0.012, middle, bold(line.text), 24.0 if sheet.phone else 46.0, anchor="middle right")


def _fading(sheet: Sheet, box: Box, fades: bool) -> None:
    """A bar that may end anywhere; a field where nothing has a bar."""
    colors = sheet.colors
    if not fades:
        sheet.bar(*box, colors.hole)
        return
    may_end_anywhere(sheet, box, colors.bar, 0.55)


def _words_out(sheet: Sheet, box: Box, n: int, most: int) -> None:
    """The n words that come out, each beneath the pass that it comes out of."""
    (left, _, right, bottom), colors = box, sheet.colors
    wide = (right - left) / (max(1, most) + 1)
    for k in range(n):
        x, y = left + (k + 0.5) * wide - 1.5 / sheet.wide, bottom + 13
        sheet.path(
            f"M{x - 5 / sheet.wide:.5f},{bottom:.2f}L{x + 5 / sheet.wide:.5f},{bottom:.2f}L{x:.5f},{bottom + 6:.2f}Z",
            colors.muted,
        )
        said = f"word {k + 1}" if wide * sheet.wide > 52 else str(k + 1)
        sheet.write(x, y + 2, bold(said, k == n - 1), 14, colors.decode if k == n - 1 else colors.ink)


def _line(sheet: Sheet, line: Exhibit, rows: tuple[float, float], share: float, known: bool, parts: int) -> None:
    """One line: its name, on a phone above the rest, its bar, its number. rows: where it begins and its height; parts: into how many the
    longest bar is cut, 0 for none."""
    colors, phone, (top, step) = sheet.colors, sheet.phone, rows
    strong = line.decides and known
    y, left, most = (top + 38, 0.0, 0.74) if phone else (top + step / 2, NAME, END)
    half, size = (15.0, 15.0) if phone else (min(30.0, 0.38 * step), min(20.0, 0.64 * step))
    at, anchor, room = (0.0, "middle right", 1.0) if phone else (NAME - 0.012, "middle left", NAME - 0.012)
    named = max(13.5, min(size, room * sheet.wide / (1.05 * ems(line.name))))
    ink = colors.ink if strong or not known else colors.muted
    beside = y - WORD / 2 if line.steps and 0.88 * step > 2 * WORD else y  # the middle of its bar, beneath which words come out
    name = bold(short(line.name, room * sheet.wide, named), strong)
    sheet.write(at, top + 11 if phone else beside, name, named, ink, anchor)
    if line.steps:
        half = half if phone else 0.44 * step
        _steps(sheet, line, (left, y - half, most, y + half), known, parts)
        return
    if not known:
        _fading(sheet, (left, y - half, 1.0, y + half), line.size is not None)
        sheet.write(left + 14 / sheet.wide, y, "<b>?</b>", size + 2, colors.ink, "middle right")
        return
    end = left
    if line.size is not None:
        end = left + max(0.002, (most - left) * share)
        cuts, color = round(parts * share), colors.ink if line.decides else colors.bar
        wide = (end - left) / max(1, cuts)
        gap = 3 / sheet.wide if cuts > 1 else 0.0
        sheet.bars(((left + k * wide, y - half, left + (k + 1) * wide - gap, y + half) for k in range(max(1, cuts))), color)
    large = (1.0 - end - 0.012) * sheet.wide / (1.12 * ems(line.text))
    large = max(13.0, min(large, 22.0 if phone else min(46.0, 0.95 * step) if line.decides else min(26.0, 0.7 * step)))
    sheet.write(end + 0.01, y, bold(line.text, line.decides), large, anchor="middle right")
