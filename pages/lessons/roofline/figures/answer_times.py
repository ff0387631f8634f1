"""One request in seconds, written as lines of a page: prefill until the first token as one block, then a cell for each decode step; what
doubling does to it."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, sqrt
from typing import NamedTuple

from engine.cost.requests import Request
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.amounts import seconds
from pages.parts.text.format import quantity

LEAST_PIXELS, MOST_CELLS = 3.0, 1500  # of a step that is drawn by itself: of shorter ones, or more of them, a bar
LEAST_LINE = 6.0  # pixels of a line at least
BEGUN = 0.6  # of a column: what is drawn of the beginning while the end is asked for


class Lines(NamedTuple):
    """A column that time fills line by line: where it lies, the height of a line, its seconds, and how many lines there are."""

    left: float
    right: float
    top: float
    high: float
    seconds: float
    n: int

    @property
    def gap(self) -> float:
        """Free beneath a line, in pixels."""
        return min(2.0, 0.15 * self.high)

    def x(self, at: float) -> float:
        """Where a moment lies in its line."""
        return self.left + (self.right - self.left) * min(1.0, max(0.0, at / self.seconds - self.line(at)))

    def line(self, at: float) -> int:
        """In which line a moment lies."""
        return floor(at / self.seconds + 1e-9)

    def y(self, line: int) -> float:
        """Where a line begins."""
        return self.top + line * self.high

    def spans(self, begin: float, end: float, block: bool = False) -> Iterator[tuple[float, float, float, float]]:
        """What lies between two moments, a rectangle for each line; block: nothing is free between two of them."""
        first, last = self.line(begin), ceil(end / self.seconds - 1e-9) - 1
        for line in range(first, last + 1):
            x0 = self.x(begin) if line == first else self.left
            x1 = self.right if line < last else self.left + (self.right - self.left) * (end / self.seconds - line)
            yield x0, self.y(line), x1, self.y(line + 1) - (0 if block and line < last else self.gap)


def answer_times(
    sheet: Sheet, requests: Sequence[tuple[str, Request]], exact: tuple[str, str], known: bool = True
) -> SheetFigure:
    """A column for each request, to one scale; the first is the one that the controls describe. Names are ours.

    exact: TTFT and TPOT of the first, as the question has them.
    known: whether the number of steps and the sum are shown; the first is marked then. Until then only the beginning is drawn, enlarged,
    and nothing tells where it ends.
    """
    narrow, first = sheet.on_phone(), requests[0][1]
    gap = 0.03 if narrow else 0.045
    wide = min(0.31, (1 - gap * (len(requests) - 1)) / len(requests))
    top = headline(sheet, f"{quantity(first.n_generated, 'token')} in {seconds(first.end_to_end_s) if known else '?'}")
    top += 96 if narrow else 66
    high = 250.0 if narrow else sheet.row(190, 1, 170, 300)
    most = max(r.end_to_end_s for _, r in requests) if known else _beginning([r for _, r in requests]) / BEGUN
    for k, (name, r) in enumerate(requests):
        left = k * (wide + gap)
        lines = _lines(sheet, (left, left + wide), (top, high), most, first.tpot_s)
        _column(sheet, lines, r, known)
        ttft, tpot = exact if k == 0 else (seconds(r.ttft_s), seconds(r.tpot_s))
        _words_above(sheet, lines, name, (f"TTFT {ttft}", _steps_said(r, tpot, known, narrow)), r, (k == 0, known))
    return sheet.figure(top + high + 4, min_width=0 if narrow else 600)


def _lines(sheet: Sheet, across: tuple[float, float], down: tuple[float, float], most: float, step: float) -> Lines:
    """Lines of about as many steps as make a step's cell a square, as many as hold `most` seconds."""
    (left, right), (top, high) = across, down
    wide, n_steps = (right - left) * sheet.wide, most / step
    in_line = max(1, round(sqrt(n_steps * wide / high)))
    n, each = max(1, ceil(n_steps / in_line - 1e-9)), in_line * step
    if n > high / LEAST_LINE:
        n = int(high / LEAST_LINE)
        each = most / n
    return Lines(left, right, top, high / n, each, n)


def _column(sheet: Sheet, lines: Lines, r: Request, known: bool) -> None:
    """Prefill as one block, then each step; while the end is asked for some of them, and a place that they may fill."""
    colors, n = sheet.colors, r.n_generated - 1
    whole = lines.n * lines.seconds
    if not known:
        n = min(n // 3, max(0, int((BEGUN * whole - r.ttft_s) / r.tpot_s)))
    end = r.ttft_s + n * r.tpot_s
    sheet.bars(lines.spans(0.0, r.ttft_s, block=True), colors.prefill)
    if n:
        sheet.bars(lines.spans(r.ttft_s, end), colors.decode)
    if (lines.right - lines.left) * sheet.wide * r.tpot_s / lines.seconds >= LEAST_PIXELS and n <= MOST_CELLS:
        cuts = [r.ttft_s + k * r.tpot_s for k in range(n)]
        path = "".join(f"M{lines.x(at):.5f},{lines.y(lines.line(at)):.1f}V{lines.y(lines.line(at) + 1):.1f}" for at in cuts)
        if path:
            sheet.line(path, colors.surface, 1.6 * sheet.zoom)
    if not known:
        begins, bottom = lines.y(lines.line(end) + 1) + 6, lines.y(lines.n)
        place = f"M{lines.left:.5f},{begins:.2f}V{bottom:.2f}H{lines.right:.5f}V{begins:.2f}"
        sheet.line(place, colors.decode, 2 * sheet.zoom, "dot")
        sheet.write((lines.left + lines.right) / 2, (begins + bottom) / 2, "<b>?</b>", 34, colors.decode)


def _words_above(sheet: Sheet, lines: Lines, name: str, parts: tuple[str, str], r: Request, state: tuple[bool, bool]) -> None:
    """Above a column its name, its whole time, and what it is made of. state: whether it is the first, and whether its end is known."""
    (prefill, decode), (first, known), colors, narrow = parts, state, sheet.colors, sheet.phone
    room = (lines.right - lines.left) * sheet.wide
    y = lines.top - (84 if narrow else 44)
    total = seconds(r.end_to_end_s) if known else ""
    large = min(32.0 if first else 24.0, 0.9 * room / ems(total), 22.0 if narrow else 32.0) if total else 0.0
    left_of = room if narrow else room - 1.1 * large * ems(total) - 8
    size = max(13.0, min(16.0, left_of / (1.08 * ems(name))))
    sheet.write(lines.left, y, bold(short(name, left_of, size), first), size, anchor="middle right")
    if total and narrow:
        sheet.write(lines.left, y + 24, f"<b>{total}</b>", large, anchor="middle right")
    elif total:
        sheet.write(lines.right, y - 4, f"<b>{total}</b>", large, anchor="middle left")
    size = min(14.5, room / ems(prefill) if narrow else 0.94 * room / (ems(prefill) + 1.08 * ems(decode) + 1))
    sheet.write(lines.left, lines.top - (34 if narrow else 13), prefill, size, colors.prefill, "middle right")
    said = f"<b>✓ {decode}</b>" if first and known else decode
    if decode:
        size = min(size, room / (1.1 * ems(f"✓ {decode}"))) if narrow else size
        place = (lines.left, "right") if narrow else (lines.right, "left")
        sheet.write(place[0], lines.top - 13, said, size, colors.decode, f"middle {place[1]}")


def _steps_said(r: Request, tpot: str, known: bool, narrow: bool) -> str:
    """What follows the first token: nothing where the answer has one."""
    if r.n_generated == 1:
        return ""
    if narrow:
        return f"{r.n_generated - 1:,} × {tpot}" if known else f"? × {tpot}"
    return f"{quantity(r.n_generated - 1, 'step')} of {tpot}" if known else f"each step {tpot} (TPOT)"


def _beginning(requests: Sequence[Request]) -> float:
    """The seconds that are drawn while the end is asked for: prefill and some of the steps."""
    longest = max(r.ttft_s for r in requests)
    return max(1.6 * longest, longest + 16 * requests[0].tpot_s)
