"""Measured time beside counted work: how many times as much the whole sequence again takes as one row behind the cache, a line for the
operations and one for the time. What lies between the two is what a clock does not give back."""

from collections.abc import Sequence
from math import log2

from engine.timing.one_step import TimedLength
from pages.parts.drawing.axes import LogFrame, spread_out
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import milliseconds, times

# Shares of the width
LEFT = 0.075  # of the field's left edge
RIGHT = 0.7  # of its right edge
BESIDE = 0.725  # where what a line is begins
LEFT_ON_PHONE = 0.1
RIGHT_ON_PHONE = 0.68
BESIDE_ON_PHONE = 0.72
# Pixels
TOP = 40.0  # above the field
TALL = 204.0  # of the field on a projector
TALL_ON_PHONE = 196.0
FOOT = 44.0  # beneath the field
DOT = 11.0  # across a measured dot
LINE = 4.0  # of the measured line
APART = 70.0  # between what is said at the ends of the two lines
UNCLEAR = "○ not measurably less"


def step_times(sheet: Sheet, timed_lengths: Sequence[TimedLength], when: str = "measured here") -> SheetFigure:
    """A place across for each length: how many times the operations, and once that is measured how many times the time. when: that was,
    or will be."""
    colors, phone = sheet.colors, sheet.on_phone()
    left, right = (LEFT_ON_PHONE, RIGHT_ON_PHONE) if phone else (LEFT, RIGHT)
    clear = [timed for timed in timed_lengths if timed.measured and timed.clear]
    ratios = [timed.flop_ratio for timed in timed_lengths], [timed.speed_up for timed in clear]
    tall = TALL_ON_PHONE if phone else TALL + 0.9 * sheet.spare
    lengths = [timed.n_tokens for timed in timed_lengths]
    longest, most = max(lengths[-1], 2 * lengths[0]), max(2.0, *ratios[0], *ratios[1])
    frame = LogFrame(lengths[0], longest, 1, most, left, right, TOP, TOP + tall)
    _axes(sheet, frame, lengths)
    if any(timed.measured and not timed.clear for timed in timed_lengths):
        x, y, anchor = (left, frame.bottom + 53, "middle right") if phone else (right, frame.bottom + 35, "middle left")
        sheet.write(x, y, UNCLEAR, 13 if phone else 14, colors.muted, anchor)
    _ground_between(sheet, frame, clear)
    frame.line(sheet, lengths, ratios[0], colors.bar, 2)
    if clear:
        frame.line(sheet, [timed.n_tokens for timed in clear], ratios[1], colors.ink, LINE)
    for timed in timed_lengths:
        _length(sheet, frame, timed, timed is timed_lengths[-1])
    _line_ends(sheet, frame, timed_lengths, when)
    return under_headline(sheet, _in_a_line(timed_lengths[-1])).figure(frame.bottom + FOOT + 18 * phone, min_width=620)


def _in_a_line(timed: TimedLength) -> str:
    """How much less work the longest is behind a cache, and how much less time."""
    less = times(timed.speed_up)[1:] if timed.measured and timed.clear else "?"
    return f"{times(timed.flop_ratio)[1:]} times fewer operations, {less} times less time"


def _axes(sheet: Sheet, frame: LogFrame, lengths: Sequence[int]) -> None:
    """Doublings in both directions: the lengths beneath, and at the left as many times less as powers of four are."""
    colors, lines = sheet.colors, ""
    for n in lengths:
        lines += f"M{frame.x(n):.5f},{frame.top:.2f}L{frame.x(n):.5f},{frame.bottom:.2f}"
        sheet.write(frame.x(n), frame.bottom + 15, f"<b>{n}</b>", 14 if sheet.phone else 16)
    for k in range(0, int(log2(frame.y1)) + 1, 2):
        y = frame.y(2.0**k)
        lines += f"M{frame.left:.5f},{y:.2f}L{frame.right:.5f},{y:.2f}"
        sheet.write(frame.left - 8 / sheet.wide, y, f"×{2**k}", 13 if sheet.phone else 14, colors.muted, "middle left")
    sheet.line(lines, colors.hole)
    sheet.bar(frame.left, frame.bottom - 0.75, frame.right, frame.bottom + 0.75, colors.muted)
    said = "tokens; both axes are logarithmic" if sheet.phone else "tokens in the sequence; both axes are logarithmic"
    sheet.write(frame.left, frame.bottom + 35, said, 13 if sheet.phone else 14, colors.muted, "middle right")
    title = "one more token: without a cache ÷ with one"
    sheet.write(0, 14, title, 15 if sheet.phone else 17, anchor="middle right")


def _ground_between(sheet: Sheet, frame: LogFrame, clear: Sequence[TimedLength]) -> None:
    """The ground between both lines, over the lengths whose time is clear."""
    if len(clear) > 1:
        way = [(one.n_tokens, one.flop_ratio) for one in clear] + [(one.n_tokens, one.speed_up) for one in clear[::-1]]
        path = "M" + "L".join(f"{frame.x(n):.5f},{frame.y(ratio):.2f}" for n, ratio in way) + "Z"
        sheet.path(path, faded(sheet.colors, sheet.colors.hole, 0.7))


def _length(sheet: Sheet, frame: LogFrame, timed: TimedLength, last: bool) -> None:
    """One length's two numbers, but for the last one's; an open dot at the bottom where the clock cannot tell the times apart."""
    colors, x, size = sheet.colors, frame.x(timed.n_tokens), 13 if sheet.phone else 15
    counted, aside = frame.y(timed.flop_ratio), 8 / sheet.wide
    sheet.dots([x], [counted], 7, colors.bar, edge=(colors.surface, 0))
    if timed.n_tokens > frame.x0 and not last:
        sheet.write(x - aside, counted - 10, times(timed.flop_ratio), size, colors.muted, "middle left")
    elif not (last or sheet.phone):  # the first one's, at whose left the axis has its own
        sheet.write(x + aside, counted - 20, times(timed.flop_ratio), size, colors.muted, "middle right")
    if not timed.measured:
        return
    both = milliseconds(timed.recomputed_s), milliseconds(timed.cached_s)
    hover = ["{} tokens: {} without a cache, {} with one".format(timed.n_tokens, *both)]
    y = frame.y(timed.speed_up) if timed.clear else frame.bottom
    fill, edge = (colors.ink, colors.surface) if timed.clear else (colors.surface, colors.ink)
    sheet.dots([x], [y], DOT, fill, edge=(edge, 2), hover=hover)
    if timed.clear and not last:
        # There the line rises through what stands above at the right.
        said, low = f"<b>{times(timed.speed_up)}</b>", y + 22 >= frame.bottom
        if sheet.phone and low and x <= frame.left:
            return  # there the next one's has its place
        if low and (x - frame.left) * sheet.wide > 30:
            sheet.write(x - aside, y - 10, said, size + 1, anchor="middle left")
        else:
            sheet.write(x + aside, y + (-13 if low else 13), said, size + 1, anchor="middle right")


def _line_ends(sheet: Sheet, frame: LogFrame, timed_lengths: Sequence[TimedLength], when: str) -> None:
    """What each line is, at its end: the largest length's counted number, and beneath it the measured one, which is the news."""
    colors, phone, timed = sheet.colors, sheet.phone, timed_lengths[-1]
    beside, small = (BESIDE_ON_PHONE, 13) if phone else (BESIDE, 15)
    clear = timed.measured and timed.clear
    wanted = [frame.y(timed.flop_ratio), frame.y(timed.speed_up) if clear else frame.bottom - 40]
    counted, measured = spread_out(wanted, APART, frame.top + 6, frame.bottom - (34 if phone else 24))
    sheet.write(beside, counted, f"<b>{times(timed.flop_ratio)}</b>", 20, colors.muted, "middle right")
    for k, text in enumerate(("operations,", "counted") if phone else ("operations, counted",)):
        sheet.write(beside, counted + 22 + 18 * k, text, small, colors.muted, "middle right")
    if timed.measured and not clear:
        two_lines = ("the time: not", "measurably less") if phone else (f"the time, {when}:", "not measurably less")
        for k, text in enumerate(two_lines):
            sheet.write(beside, measured + 20 * k, text, small, anchor="middle right")
        return
    large_number(sheet, (beside, 1.0), measured, times(timed.speed_up) if clear else "?")
    sheet.write(beside, measured + 28, f"the time{f', {when}' * (not phone)}", small, anchor="middle right")
    if clear:
        took = f"{milliseconds(timed.recomputed_s)} → {milliseconds(timed.cached_s)}"
        sheet.write(beside, measured + 47, took, 13 if phone else 14, colors.muted, "middle right")
