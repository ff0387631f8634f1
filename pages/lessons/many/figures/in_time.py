"""The share of requests served in time against how many come: flat, a knee, and a fall; and where a load lies that is divided."""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, powers
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import amount, plain_number

MOST_MARKS = 12  # of the divided load


class Divided(NamedTuple):
    """A load of so many requests a minute, among how many it must be divided (None while that is hidden, or where no number does),
    and what one of them is. beyond: whether one takes still more than was tried, as far as is known."""

    load: float
    n: int | None
    one: str = "one server"
    beyond: bool = False


def in_time(sheet: Sheet, tried: Sequence[tuple[float, float]], knee: float, share: float, divided: Divided) -> SheetFigure:
    """tried: (requests a minute for one, share in time); knee: the most that one takes; share: how many must be in time."""
    (load, n, one, beyond), colors, rates, narrow = divided, sheet.colors, [rate for rate, _ in tried], sheet.on_phone()
    x0, x1 = min(*rates, load) / 1.25, max(*rates, load) * 1.25
    frame = LogFrame(x0, x1, 0.1, 1, 0.15 if narrow else 0.075, 0.97, 34, 40 + sheet.row(250 if n is None else 228, 1, 200, 330))

    def y(part: float) -> float:
        return frame.bottom - part * (frame.bottom - frame.top)

    lines = ""
    for rate in _ticks(x0, x1, (1,) if narrow else (1, 2, 5)):
        lines += f"M{frame.x(rate):.5f},{frame.top}L{frame.x(rate):.5f},{frame.bottom}"
        sheet.write(frame.x(rate), frame.bottom + 15, plain_number(rate), 13, colors.muted)
    for part in (0, 0.5, 1):
        lines += f"M{frame.left},{y(part)}L{frame.right},{y(part)}"
        sheet.write(frame.left - 0.008, y(part), f"{100 * part:.0f}%", 13, colors.muted, "middle left")
    sheet.line(lines, colors.hole)
    sheet.write((frame.left + frame.right) / 2, frame.bottom + 36, f"requests a minute for {one}", 14.5)
    sheet.write(frame.left, frame.top - 18, "served in time", 14.5, colors.ink, "middle right")
    sheet.line(f"M{frame.left},{y(share)}L{frame.right},{y(share)}", colors.muted, 1.5, "dash")
    under = "L".join(f"{frame.x(rate):.5f},{y(part):.2f}" for rate, part in tried)
    sheet.path(f"M{frame.x(rates[0]):.5f},{frame.bottom}L{under}L{frame.x(rates[-1]):.5f},{frame.bottom}Z", colors.hole + "66")
    curve = "M" + "L".join(f"{frame.x(rate):.5f},{y(part):.2f}" for rate, part in tried)
    sheet.line(curve, colors.ink, 3 * sheet.zoom)
    sheet.dots([frame.x(rate) for rate, _ in tried], [y(part) for _, part in tried], 9, colors.ink,
               hover=[f"{amount(rate)} a minute: {floor(100 * part + 1e-9)}% in time" for rate, part in tried])  # fmt: skip
    if knee:
        left = frame.x(knee) > 0.8  # above it, at its right, the curve has fallen; at its left the field beneath is empty
        at, dy = (-0.014, 34) if left else (0.014, 34)
        said, size = f"{'at least ' * beyond}<b>{amount(knee)}</b> a minute{' at most' * (not beyond)}", 17 if narrow else 26
        sheet.write(frame.x(knee) + at, y(share) + dy, said, size, colors.ink, "middle left" if left else "middle right")
        sheet.dots([frame.x(knee)], [y(share)], 15, colors.surface, (colors.ink, 3))
    asked = frame.x(load)
    sheet.line(f"M{asked:.5f},{frame.top - 6}L{asked:.5f},{frame.bottom}", colors.ink, 1.6, "dot")
    end = asked + 4.5 * len(f"{amount(load)} asked for") / sheet.wide
    words = f"{amount(load)} asked for"
    sheet.write(min(end, 1) if asked > 0.5 else asked, frame.top - 18, words, 15, colors.ink,
                "middle left" if asked > 0.5 else "middle center")  # fmt: skip
    if n and n > 1:
        for k in range(2, min(n, MOST_MARKS) + 1):
            sheet.bar(frame.x(load / k) - 0.0008, frame.bottom - 10, frame.x(load / k) + 0.0008, frame.bottom, colors.muted)
        _mark(sheet, frame, (load, load / n), f"✓ divided by {n:,}: <b>{amount(load / n)}</b> each")
    return sheet.figure(frame.bottom + 48, min_width=0 if narrow else 520)


def _ticks(low: float, high: float, steps: Sequence[int] = (1, 2, 5)) -> list[float]:
    """So many times powers of ten, and these alone where they are many.

    >>> _ticks(30, 3000), _ticks(0.5, 90_000)
    ([50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0], [1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    steps = steps if high / low < 2000 else (1,)
    rates = [m * 10.0**k for k in powers(low / 10, high) for m in steps]
    return [rate for rate in rates if low <= rate <= high]


def _mark(sheet: Sheet, frame: LogFrame, loads: tuple[float, float], said: str) -> None:
    """From the whole load an arrow to what each takes of it."""
    whole, x = map(frame.x, loads)
    y, half, ink, size = frame.bottom - 46, 5.0, sheet.colors.ink, 14 if sheet.phone else 18
    sheet.line(f"M{x:.5f},{y - 24:.1f}V{frame.bottom:.1f}", ink, 2.5)
    sheet.line(f"M{whole:.5f},{y:.1f}H{x + 8 / sheet.wide:.5f}", ink, 2.5)
    tip = x + 2 / sheet.wide
    sheet.path(f"M{tip:.5f},{y:.1f}L{tip + 10 / sheet.wide:.5f},{y - half:.1f}V{y + half:.1f}Z", ink)
    left = x > 0.4
    sheet.write(
        x - 0.012 if left else x + 0.012, y + (0 if left else 20), said, size, ink, "middle left" if left else "middle right"
    )
