"""Every operation of both passes on one scale of FLOPs a byte, left or right of the ridge, and how long each takes at least."""

from collections.abc import Sequence

from engine.cost.roofline_points import Point
from pages.parts.drawing.axes import LogFrame, field_range, powers
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold
from pages.parts.text.amounts import plain_number, seconds
from pages.parts.text.format import number

TOP, ROW = 46.0, 25.0
TIMES = ((0.585, 0.7), (0.8, 0.915))  # where the bars of prefill's times lie, and of decode's; a number follows each
COLUMNS = (0.82, 0.995)  # on a phone the times are numbers, which end here


def operation_strips(sheet: Sheet, ridges: tuple[float, float], prefill: Sequence[Point], decode: Sequence[Point]) -> SheetFigure:
    """ridges: FLOPs a byte from which on products with weights wait for compute, and attention, where it has a ridge of its own. The
    longest operation of each pass is in bold."""
    colors, n, (ridge, own) = sheet.colors, len(prefill), ridges
    left, right = (0.17, 0.64) if sheet.on_phone() else (0.075, 0.55)
    moved = [p.arithmetic_intensity for p in (*prefill, *decode) if p.bytes]
    x0, x1 = field_range([*moved, *ridges], 0.5, 2e3)
    frame = LogFrame(x0, x1, 1, 10, left, right, TOP, TOP + n * ROW)
    at = frame.x(ridge)
    sheet.bar(left, TOP, at, frame.bottom, colors.hole + "66")
    waits, of = ("◀ memory", "compute ▶") if sheet.phone else ("◀ waits for memory", "for compute ▶")
    above = TOP - (30 if sheet.phone else 12)  # the heads of the numbers
    sheet.write(at - 0.008, above, waits, 14, colors.ink, "middle left")
    sheet.write(at + 0.008, above, of, 14, colors.ink, "middle right")
    sheet.line(f"M{at:.5f},{TOP}L{at:.5f},{frame.bottom:.2f}", colors.ink, 2)
    said = f"ridge {number(ridge, 1)}" + f"; of scores and context {number(own, 1)}" * (own != ridge)
    said += ", where the roof bends" * (own == ridge and not sheet.phone)
    sheet.write(at, frame.bottom + 32, said, 14)
    for k in powers(x0, x1)[:: 2 if sheet.phone else 1]:
        sheet.write(frame.x(10.0**k), frame.bottom + 13, plain_number(10.0**k), 13, colors.muted)
    sheet.write(0 if sheet.phone else left, frame.bottom + 32, "FLOP a byte", 14, anchor="middle right")
    for k, one in enumerate(prefill):
        y = TOP + (k + 0.5) * ROW
        sheet.write(left - 0.01, y, one.name, 14, anchor="middle left")
        sheet.line(f"M{left},{y:.2f}L{right},{y:.2f}", colors.hole)
        if one.name in ("scores", "context") and own != ridge:
            sheet.line(f"M{frame.x(own):.5f},{y - ROW / 2:.2f}L{frame.x(own):.5f},{y + ROW / 2:.2f}", colors.ink, 2, "dot")
        if not one.bytes:
            said = "in scores’ kernel" if sheet.phone else "in the kernel of scores: no bytes of its own"
            sheet.write(left + 0.01, y, said, 13, colors.muted, "middle right")
    for ops, color, name in ((prefill, colors.prefill, "prefill"), (decode, colors.decode, "decode")):
        there = [(k, p) for k, p in enumerate(ops) if p.bytes]
        says = [
            f"{name}, {p.name}: {plain_number(p.arithmetic_intensity)} FLOP a byte, waits for {p.waits_for}" for _, p in there
        ]
        places = [frame.x(p.arithmetic_intensity) for _, p in there]
        sheet.dots(places, [TOP + (k + 0.5) * ROW for k, _ in there], 14, color, hover=says)
    if sheet.phone:
        _numbers(sheet, COLUMNS[0], "prefill", prefill, colors.prefill)
        _numbers(sheet, COLUMNS[1], "decode", decode, colors.decode)
    else:
        _times(sheet, TIMES[0], "prefill", prefill, colors.prefill)
        _times(sheet, TIMES[1], "decode step", decode, colors.decode)
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 860)


def _times(sheet: Sheet, across: tuple[float, float], name: str, ops: Sequence[Point], color: str) -> None:
    """A bar for the share of the pass that each operation takes at least, and its time; all of the pass is as wide as there is room."""
    (x0, x1), longest, whole = across, max(p.seconds for p in ops), sum(p.seconds for p in ops)
    sheet.write(x0, TOP - 12, f"<b>{name}</b>, % of ≥ {seconds(whole)}", 14, color, "middle right")
    for k, p in enumerate(ops):
        y = TOP + (k + 0.5) * ROW
        end = x0 + (x1 - x0) * p.seconds / whole
        sheet.bar(x0, y - 8, max(end, x0 + 0.001), y + 8, color)
        percent = 100 * p.seconds / whole
        share = f"{percent:.0f}%" if percent >= 0.5 else "&lt; 1%"
        sheet.write(
            end + 0.007, y, bold(share, p.seconds == longest), 22 if p.seconds == longest else 13.5, anchor="middle right"
        )


def _numbers(sheet: Sheet, end: float, name: str, ops: Sequence[Point], color: str) -> None:
    """What each operation takes at least, in a column that ends there."""
    longest = max(p.seconds for p in ops)
    sheet.write(end, TOP - 12, f"<b>{name}</b>", 14, color, "middle left")
    for k, p in enumerate(ops):
        sheet.write(end, TOP + (k + 0.5) * ROW, bold(seconds(p.seconds), p.seconds == longest), 13.5, color, "middle left")
