"""One request in seconds: prefill until the first token, then a decode step for each further one; what doubling does to it."""

from collections.abc import Sequence

from engine.cost.requests import Request
from pages.parts.drawing.answers import may_end_anywhere
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems
from pages.parts.text.amounts import seconds
from pages.parts.text.format import quantity

MOST_TICKS = 80  # decode steps drawn one by one


def answer_times(
    sheet: Sheet, requests: Sequence[tuple[str, Request]], exact: tuple[str, str], known: bool = True
) -> SheetFigure:
    """A bar for each request, to one scale; the first is the one that the controls describe. Names are ours.

    exact: TTFT and TPOT of the first, as the question has them.
    known: whether the number of steps and the sum are shown; the first is marked then. Until then each bar may end anywhere, and there
    is no clock to read its end from. On a phone its words stand above each bar.
    """
    colors = sheet.colors
    most = max(r.end_to_end_s for _, r in requests)
    narrow = sheet.on_phone()
    left, right, row, top = (0.005, 0.83, 94.0, 26.0) if narrow else (0.18, 0.86, sheet.row(232, len(requests), 72, 116), 8.0)
    first = requests[0][1]
    said = f"{quantity(first.n_generated, 'token')} in {seconds(first.end_to_end_s) if known else '?'}"
    top += headline(sheet, said)
    width = right - left
    for k, (name, r) in enumerate(requests):
        y0 = top + k * row + 22
        y1 = y0 + (34 if narrow else max(34, row - 34))
        split, end = left + width * r.ttft_s / most, left + width * r.end_to_end_s / most if known else right
        sheet.bar(left, y0, split, y1, colors.prefill)
        if not known:
            may_end_anywhere(sheet, (split, y0, end, y1), colors.decode, 0.55)
        else:
            sheet.bar(split, y0, end, y1, colors.decode)
            _steps(sheet, r, split, end, y0, y1)
        ttft, tpot = exact if k == 0 else (seconds(r.ttft_s), seconds(r.tpot_s))
        size = f"P = {r.n_prompt:,}, G = {r.n_generated:,}"
        if narrow:
            sheet.write(left, y0 - 33, bold(name, k == 0), 15, anchor="middle right")
            sheet.write(0.995, y0 - 33, size, 13, colors.muted, "middle left")
        else:
            sheet.write(left - 0.012, (y0 + y1) / 2, bold(name, k == 0), 15, anchor="middle left")
            sheet.write(left - 0.012, (y0 + y1) / 2 + 18, size, 13, colors.muted, "middle left")
        first = f"TTFT {ttft}" if narrow else f"first token {ttft} (TTFT)"
        sheet.write(left, y0 - 11, first, 14.5, colors.prefill, "middle right")
        if r.n_generated > 1:
            n_steps = f"{r.n_generated - 1:,} step{'s' * (r.n_generated > 2)}" if known else "each step"
            text = f"{n_steps}{' of' if known else ''} {tpot}" + " (TPOT)" * (not narrow)
            text = f"<b>✓ {text}</b>" if known and k == 0 else text
            if (end - split) * sheet.wide > 14.5 * ems(text) + 24:  # in its bar; else above it
                ink = ink_on(colors.decode) if known else colors.ink
                sheet.write(split + 10 / sheet.wide, (y0 + y1) / 2, text, 14.5, ink, "middle right")
            else:
                sheet.write(0.995, y0 - 11, text, 14.5, colors.decode, "middle left")
        total = f"<b>{seconds(r.end_to_end_s) if known else '?'}</b>"
        size = min(34 if k == 0 else 20, 0.98 * (0.992 - end) * sheet.wide / ems(total[3:-4]))
        sheet.write(end + 0.008, (y0 + y1) / 2, total, size, colors.ink, "middle right")
    bottom = top + len(requests) * row
    if known:
        time_ticks(sheet, (left, right), most, bottom)
    return sheet.figure(bottom + 32, min_width=0 if narrow else 600)


def _steps(sheet: Sheet, r: Request, split: float, end: float, y0: float, y1: float) -> None:
    """Thin lines between decode steps, as long as there are few enough to see."""
    n = r.n_generated - 1
    if 1 < n <= MOST_TICKS:
        lines = "".join(
            f"M{split + (end - split) * k / n:.5f},{y0:.1f}L{split + (end - split) * k / n:.5f},{y1:.1f}" for k in range(1, n)
        )
        sheet.line(lines, sheet.colors.surface)
