"""The share of requests served in time against how many come, flat, a knee, and a fall; and on the same scale the load, cut into what
each server gets."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems, ems
from pages.parts.text.amounts import amount, plain_number
from pages.parts.text.format import number, round_step

MOST_KNEES = 6.0  # times the knee that the axis reaches: a load beyond it goes on past its end
LANE = 52.0  # pixels of the load's bar
BELOW = 56.0  # pixels from the curve down to it
SOUGHT = 40.0  # type size of the question mark in it
POINT = 9  # pixels of a load that was tried


class Divided(NamedTuple):
    """A load of so many requests a minute, among how many it must be divided (None while that is hidden, or where no number does),
    and what one of them is. beyond: whether one takes still more than was tried, as far as is known; said: the headline, "" for none."""

    load: float
    n: int | None
    one: str = "one server"
    beyond: bool = False
    said: str = ""


class _Field(NamedTuple):
    """Requests a minute from 0 to `most` across, shares down."""

    left: float
    right: float
    top: float
    bottom: float
    most: float

    def x(self, rate: float) -> float:
        return self.left + (self.right - self.left) * min(rate / self.most, 1.0)

    def y(self, part: float) -> float:
        return self.bottom - part * (self.bottom - self.top)


def rate_said(a_minute: float) -> str:
    """Requests a minute with as many digits as `amount` has, rounded down: a load above what one keeps is not said to be that.

    >>> [rate_said(x) for x in (1496.64, 66.19, 0.25, 0.0499, 12.0)]
    ['1,496', '66.1', '0.25', '0.049', '12']
    """
    return _rounded_down(a_minute, _digits(a_minute))


def knee_said(a_minute: float, load: float) -> str:
    """As rate_said, with digits enough for the load over it, rounded up, to come to as many servers as over the rate itself.

    >>> knee_said(0.2669, 4), knee_said(66.19, 120), knee_said(0.25, 4)
    ('0.2669', '66.1', '0.25')
    """
    least, n = _digits(a_minute), ceil(load / a_minute - 1e-9)
    said = [_rounded_down(a_minute, digits) for digits in range(least, least + 10)]
    return next((x for x in said if ceil(load / float(x.replace(",", "")) - 1e-9) == n), said[-1])


def _digits(a_minute: float) -> int:
    return 0 if a_minute >= 100 else 1 if a_minute >= 10 else 2 if a_minute >= 0.1 else 1 - floor(log10(a_minute))


def _rounded_down(a_minute: float, digits: int) -> str:
    return number(floor(a_minute * 10**digits + 1e-6) / 10**digits, digits)


def in_time(sheet: Sheet, tried: Sequence[tuple[float, float]], knee: float, share: float, divided: Divided) -> SheetFigure:
    """tried: (requests a minute for one, share in time); knee: the most that one takes; share: how many must be in time."""
    colors, narrow = sheet.colors, sheet.on_phone()
    most = 1.06 * max(divided.load, *(rate for rate, _ in tried))
    most = min(most, MOST_KNEES * knee) if knee else most
    top = headline(sheet, divided.said) + 32 if divided.said else 32.0
    field = _Field(0.15 if narrow else 0.075, 0.97, top, top + sheet.row(120, 1, 100, 250), most)
    tried = [(rate, part) for rate, part in tried if rate <= most]
    _axes(sheet, field, divided.one, knee, share)
    if knee:
        sheet.bar(field.left, field.top, field.x(knee), field.bottom, colors.hole + "66")
    sheet.line(f"M{field.left},{field.y(share)}L{field.right},{field.y(share)}", colors.ink, 1.6, "dot")
    curve = "M" + "L".join(f"{field.x(rate):.5f},{field.y(part):.2f}" for rate, part in tried)
    sheet.line(curve, colors.ink, 3 * sheet.zoom)
    sheet.dots([field.x(rate) for rate, _ in tried], [field.y(part) for _, part in tried], POINT, colors.ink,
               hover=[f"{rate_said(rate)} a minute: {floor(100 * part + 1e-9)}% in time" for rate, part in tried])  # fmt: skip
    lane = field.bottom + BELOW
    if knee:
        sheet.line(f"M{field.x(knee):.5f},{field.y(share):.2f}V{lane + LANE + 8:.1f}", colors.ink, 1.6, "dot")
        _knee(sheet, field, knee, field.y(share), divided)
    if knee and divided.n is None and divided.load > knee:
        _beyond_one(sheet, field, divided, knee, lane)
    else:
        _load(sheet, field, divided, lane, knee > 0)
    return sheet.figure(lane + LANE + 10, min_width=520)


def _axes(sheet: Sheet, field: _Field, one: str, knee: float, share: float) -> None:
    """Loads beneath the curve, but not where the line down from the knee lies, shares at its left, the limit in bold, and what both are."""
    colors, narrow, lines = sheet.colors, sheet.phone, ""
    step, k = round_step(field.most / (3 if narrow else 7)), 0
    while k * step <= field.most:
        lines += f"M{field.x(k * step):.5f},{field.top}L{field.x(k * step):.5f},{field.bottom}"
        if not knee or abs(field.x(k * step) - field.x(knee)) * sheet.wide > 24:
            sheet.write(field.x(k * step), field.bottom + 15, plain_number(k * step) if k else "0", 13, colors.muted)
        k += 1
    for part in (0, 0.5, 1):
        lines += f"M{field.left},{field.y(part)}L{field.right},{field.y(part)}"
        y = min(field.y(part), field.y(share) - 17) if part > share else field.y(part)  # at the limit stands its own number
        sheet.write(field.left - 0.008, y, f"{100 * part:.0f}%", 13, colors.muted, "middle left")
    sheet.write(field.left - 0.008, field.y(share), f"<b>{100 * share:.0f}%</b>", 16, anchor="middle left")
    sheet.line(lines, colors.hole)
    sheet.write(field.left, field.bottom + 37, f"requests a minute for {one}", 14.5, anchor="middle right")
    sheet.write(field.left, field.top - 18, "served in time", 14.5, colors.ink, "middle right")


def _knee(sheet: Sheet, field: _Field, knee: float, y: float, divided: Divided) -> None:
    """The most that one takes: a ring, and its number where the field is empty."""
    kept, beyond = knee_said(knee, divided.load), divided.beyond
    x, narrow = field.x(knee), sheet.phone
    before, after, size = "at least " * beyond, " a minute" + " at most" * (not beyond), 17 if narrow else 22
    said, wide = f"{before}<b>{kept}</b>{after}", ((ems(before + after) + bold_ems(kept)) * size + 14) / sheet.wide
    left = x - wide > field.left  # at its left the field beneath is empty, where there is room; at its right the curve falls
    at = x + (-14 if left else 14) / sheet.wide
    sheet.write(at, y + 26, said, size, sheet.colors.ink, "middle left" if left else "middle right")
    sheet.dots([x], [y], 15, sheet.colors.surface, (sheet.colors.ink, 3))


def _load(sheet: Sheet, field: _Field, divided: Divided, top: float, asked: bool) -> None:
    """The load as one bar from 0; once it is known among how many it is divided, cut into as many. One that is longer than the axis goes
    on past its end. asked: whether how many they are is, as long as that is not known."""
    colors, (load, n), bottom = sheet.colors, divided[:2], top + LANE
    each, goes_on = load / (n or 1), load > field.most
    boxes, k, gap = [], 0, 2 / sheet.wide
    while k < (n or 1) and k * each < field.most and (field.right - field.left) * each / field.most > 2 * gap:
        boxes.append((field.x(k * each) + gap * (k > 0), top, field.x((k + 1) * each), bottom))
        k += 1
    boxes = boxes or [(field.left, top, max(field.x(load), field.left + 2 * gap), bottom)]
    fill = colors.cached if n else faded(colors, colors.cached, 0.3)
    sheet.bars(boxes, fill)
    if n is None:
        open_place(sheet, boxes[0][0], top, boxes[-1][2], bottom)
    if goes_on:
        sheet.write(min(field.right + 4 / sheet.wide, 1.0), (top + bottom) / 2, "→", 20, anchor="middle right")
    if not n or n == 1:
        said, box = f"<b>{amount(load)}</b> asked for", (boxes[0][0], top, boxes[-1][2], bottom)
        wide = 18 * ems(said.replace("<b>", "").replace("</b>", "")) / sheet.wide
        if asked and not n and box[2] - box[0] > 2 * wide + 0.1:  # at its left, and how many in the middle
            sheet.write(box[0] + 14 / sheet.wide, (top + bottom) / 2, said, 18, ink_on(fill), "middle right")
            sheet.write((box[0] + box[2]) / 2, (top + bottom) / 2, "<b>?</b>", SOUGHT, ink_on(fill))
            return
        _in_or_beside(sheet, box, said, ink_on(fill))
        return
    one = divided.one.split()[1]
    said = f"<b>{number(each, 4) if each < 10 else rate_said(each)}</b> each"
    if not all(_words_fit(sheet, box, f"{one} {len(boxes)}") for box in boxes):
        _in_or_beside(sheet, boxes[0], said, ink_on(fill), boxes[-1][2])
        return
    for k, box in enumerate(boxes):
        sheet.write((box[0] + box[2]) / 2, (top + bottom) / 2, said if k == 0 else f"{one} {k + 1}", 18, ink_on(fill))


def _beyond_one(sheet: Sheet, field: _Field, divided: Divided, knee: float, top: float) -> None:
    """A load of which one takes a part at most, while it is asked how many it takes: that part, and the rest, which is too much for it."""
    colors, cut, bottom = sheet.colors, field.x(knee), top + LANE
    first, rest = (field.left, top, cut, bottom), (cut, top, field.x(divided.load), bottom)
    sheet.bar(*first, colors.cached)
    sheet.bar(*rest, faded(colors, colors.cached, 0.3))
    open_place(sheet, *rest)
    if _words_fit(sheet, first, said := f"{divided.one.split()[1]} 1"):
        sheet.write((field.left + cut) / 2, (top + bottom) / 2, said, 18, ink_on(colors.cached))
    inside = (rest[2] - cut) * sheet.wide > SOUGHT
    x = (cut + rest[2]) / 2 if inside else min(rest[2] + 16 / sheet.wide, 1 - 10 / sheet.wide)
    sheet.write(x, (top + bottom) / 2, "<b>?</b>", SOUGHT)
    if divided.load > field.most:
        sheet.write(min(field.right + 4 / sheet.wide, 1.0), (top + bottom) / 2, "→", 20, anchor="middle right")


def _words_fit(sheet: Sheet, box: Box, said: str) -> bool:
    """Whether words of a bar have room in it."""
    return (box[2] - box[0]) * sheet.wide > 18 * ems(said.replace("<b>", "").replace("</b>", "")) + 16


def _in_or_beside(sheet: Sheet, box: Box, said: str, ink: str, end: float = 0.0) -> None:
    """Words in a bar where they have room; else at the right of it, or of where all end, or above it."""
    y, end = (box[1] + box[3]) / 2, max(end, box[2])
    if _words_fit(sheet, box, said):
        sheet.write((box[0] + box[2]) / 2, y, said, 18, ink)
    elif end < 0.6:
        sheet.write(end + 10 / sheet.wide, y, said, 18, anchor="middle right")
    else:
        sheet.write(0.97, box[1] - 16, said, 16, anchor="middle left")
