"""One request in seconds: prefill until the first token, then a decode step for each further one; what doubling does to it."""

from collections.abc import Sequence

from engine.cost.requests import Request
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems
from pages.parts.text.amounts import seconds
from pages.parts.text.format import quantity

LEAST_PIXELS = 1.5  # of a decode step that is drawn by itself: of shorter ones a bar
BEGUN = 0.78  # of the width: what is drawn of the beginning while the end is asked for


def answer_times(
    sheet: Sheet, requests: Sequence[tuple[str, Request]], exact: tuple[str, str], known: bool = True
) -> SheetFigure:
    """A bar for each request, to one scale; the first is the one that the controls describe. Names are ours.

    exact: TTFT and TPOT of the first, as the question has them.
    known: whether the number of steps and the sum are shown; the first is marked then. Until then only the beginning is drawn, enlarged,
    and there is no clock to read an end from.
    """
    colors = sheet.colors
    most = max(r.end_to_end_s for _, r in requests)
    narrow = sheet.on_phone()
    left, right, row, top = (0.005, 0.83, 94.0, 26.0) if narrow else (0.16, 0.92, sheet.row(232, len(requests), 72, 116), 8.0)
    first = requests[0][1]
    said = f"{quantity(first.n_generated, 'token')} in {seconds(first.end_to_end_s) if known else '?'}"
    top += headline(sheet, said)
    scale = (right - left) / most if known else BEGUN * (right - left) / _beginning([r for _, r in requests])
    for k, (name, r) in enumerate(requests):
        y0 = top + k * row + 22
        y1 = y0 + (34 if narrow else max(34, row - 34))
        split, n = left + scale * r.ttft_s, r.n_generated - 1
        if not known:
            n = min(n // 3, int((BEGUN * (right - left) / scale - r.ttft_s) / r.tpot_s))
        end = split + n * scale * r.tpot_s
        sheet.bar(left, y0, split, y1, colors.prefill)
        _steps(sheet, n, (split, y0, end, y1))
        if not known:
            sheet.line(f"M{end + 8 / sheet.wide:.5f},{(y0 + y1) / 2:.2f}H{right}", colors.decode, 3 * sheet.zoom, "dot")
            end = right
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
            at = max(split, left + (14.5 * ems(first) + 24) / sheet.wide)
            fits = (0.995 - at) * sheet.wide > 14.5 * ems(text) and not narrow  # else at the right edge
            sheet.write(at if fits else 0.995, y0 - 11, text, 14.5, colors.decode, f"middle {'right' if fits else 'left'}")
        total = f"<b>{seconds(r.end_to_end_s) if known else '?'}</b>"
        size = min(34 if k == 0 else 20, 0.98 * (0.992 - end) * sheet.wide / ems(total[3:-4]))
        sheet.write(end + 0.008, (y0 + y1) / 2, total, size, colors.ink, "middle right")
    bottom = top + len(requests) * row
    if known:
        time_ticks(sheet, (left, right), most, bottom)
    return sheet.figure(bottom + 32, min_width=0 if narrow else 600)


def _beginning(requests: Sequence[Request]) -> float:
    """The seconds that are drawn while the end is asked for: prefill and some of the steps."""
    longest = max(r.ttft_s for r in requests)
    return max(1.6 * longest, longest + 16 * requests[0].tpot_s)


def _steps(sheet: Sheet, n: int, box: tuple[float, float, float, float]) -> None:
    """A tick for each of n decode steps that fill the box, as long as they are wide enough to be seen one by one."""
    left, top, right, bottom = box
    if not n:
        return
    pitch = (right - left) / n
    gap = max(0.2 * pitch, 0.5 / sheet.wide)
    if pitch * sheet.wide < LEAST_PIXELS:
        sheet.bar(*box, sheet.colors.decode)
    else:
        sheet.bars(
            ((left + pitch * k + gap * (k > 0), top, left + pitch * (k + 1), bottom) for k in range(n)), sheet.colors.decode
        )
