"""Requests in seconds, a bar for each on one clock: prefill until the first token as one block, then a cell for each decode step; what
doubling does to it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cost.requests import Request
from pages.parts.drawing.answers import may_end_anywhere
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems
from pages.parts.text.amounts import seconds
from pages.parts.text.format import quantity

LEAST_PIXELS, MOST_CELLS = 4.0, 1500  # of a step that is drawn by itself: of shorter ones, or more of them, a bar
BEGUN = 0.6  # of the clock: what is drawn of the beginning while the end is asked for
ROOM = 222.0  # pixels of all rows
ROW_ON_PHONE = 92.0  # pixels of a row
NAME = 28.0  # pixels of what stands above a bar
NAME_ON_PHONE = 44.0
TOTAL, TOTAL_ON_PHONE = 118.0, 62.0  # pixels free behind the longest bar, for its seconds


class Clock(NamedTuple):
    """Across the sheet: where it begins and ends, and its seconds."""

    left: float
    right: float
    seconds: float

    def x(self, at: float) -> float:
        return self.left + (self.right - self.left) * at / self.seconds


def answer_times(
    sheet: Sheet, requests: Sequence[tuple[str, Request]], exact: tuple[str, str], known: bool = True
) -> SheetFigure:
    """A row for each request; the first is the one that the controls describe. Names are ours.

    exact: TTFT and TPOT of the first, as the question has them.
    known: whether the number of steps and the sum are shown. Until then the beginning is drawn, enlarged, and what comes behind it pales
    towards the last token: nothing tells where it ends.
    """
    narrow, first = sheet.on_phone(), requests[0][1]
    asks = f"When is token {first.n_generated:,} there?"
    said = f"{quantity(first.n_generated, 'token')} in {seconds(first.end_to_end_s)}" if known else asks
    top = headline(sheet, said) + 10
    high = ROW_ON_PHONE if narrow else sheet.row(ROOM, len(requests), 66, 130)
    bottom = top + len(requests) * high
    most = max(r.end_to_end_s for _, r in requests) if known else _beginning([r for _, r in requests]) / BEGUN
    clock = Clock(0.0, 0.995 - known * (TOTAL_ON_PHONE if narrow else TOTAL) / sheet.wide, most)
    named = min(clock.x(r.ttft_s) for _, r in requests) * sheet.wide > 16 * ems("token 1") + 24
    for k, (name, r) in enumerate(requests):
        above, y = NAME_ON_PHONE if narrow else NAME, top + k * high
        _write_sum(sheet, y, name, r, exact if k == 0 else (seconds(r.ttft_s), seconds(r.tpot_s)), (k == 0, known))
        end = _draw_bar(sheet, clock, (y + above, y + high - 12), r, known)
        middle, size = y + (above + high - 12) / 2, 16 if narrow else 26
        if named:
            x = clock.x(r.ttft_s) - 10 / sheet.wide
            sheet.write(x, middle, bold("token 1"), 16, ink_on(sheet.colors.prefill), "middle left")
        if known:
            said = bold(f"{'✓ ' * (k == 0)}{seconds(r.end_to_end_s)}")
            sheet.write(end + 8 / sheet.wide, middle, said, size, anchor="middle right")
            continue
        last, x = f"token {r.n_generated:,}", clock.right - 1.5 * size / sheet.wide
        if r.n_generated > 1:
            box = (end, y + above, x - size * ems(last) / sheet.wide, y + high - 12)
            may_end_anywhere(sheet, box, sheet.colors.decode)
        sheet.write(x, middle, bold(last, k == 0), 0.8 * size, anchor="middle left")
        if k == 0:
            sheet.write(clock.right, middle, bold("?"), 2 * size, anchor="middle left")
    return sheet.figure(bottom, min_width=600)


def _draw_bar(sheet: Sheet, clock: Clock, down: tuple[float, float], r: Request, known: bool) -> float:
    """Prefill as one block, then each step; while the end is asked for, some of them. Returns where it ends."""
    colors, n, (top, bottom) = sheet.colors, r.n_generated - 1, down
    if not known:
        n = min(n // 3, max(0, int((BEGUN * clock.seconds - r.ttft_s) / r.tpot_s)))
    first, end = clock.x(r.ttft_s), clock.x(r.ttft_s + n * r.tpot_s)
    sheet.bars([(clock.left, top, first, bottom)], colors.prefill)
    if n:
        sheet.bars([(first, top, end, bottom)], colors.decode)
    pixels = (clock.right - clock.left) * sheet.wide * r.tpot_s / clock.seconds
    if pixels >= LEAST_PIXELS and 0 < n <= MOST_CELLS:
        cuts = [clock.x(r.ttft_s + k * r.tpot_s) for k in range(n)]
        sheet.line("".join(f"M{x:.5f},{top:.1f}V{bottom:.1f}" for x in cuts), colors.surface, min(1.6, pixels / 4) * sheet.zoom)
    return end


def _write_sum(sheet: Sheet, y: float, name: str, r: Request, exact: tuple[str, str], state: tuple[bool, bool]) -> None:
    """Above a bar its name and what it adds up to. state: whether it is the first, and whether its end is known."""
    (ttft, tpot), (first, known), x = exact, state, 0.0
    size = 16.0
    sheet.write(x, y + 14, bold(name, first), size, anchor="middle right")
    if sheet.phone:
        y, size = y + 19, 13.5
    else:
        x = 0.15
    prefill = f"TTFT {ttft}"
    sheet.write(x, y + 14, prefill, size, sheet.colors.prefill, "middle right")
    if r.n_generated > 1:
        n = r.n_generated - 1
        steps = f"each step {tpot}" if not known else f"+ {n:,} × {tpot}" if sheet.phone else f"+ {quantity(n, 'step')} of {tpot}"
        sheet.write(x + (size * ems(prefill) + 8) / sheet.wide, y + 14, steps, size, sheet.colors.decode, "middle right")


def _beginning(requests: Sequence[Request]) -> float:
    """The seconds that are drawn while the end is asked for: prefill and some of the steps."""
    longest = max(r.ttft_s for r in requests)
    return max(1.6 * longest, longest + 16 * requests[0].tpot_s)
