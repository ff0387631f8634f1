"""How long one decode step takes for more and more sequences: the weights, fetched once for all, and what is kept of each of them."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import quantity

LEFT = 0.21  # of the width, where the bars begin
RIGHT = 0.76  # of the width, where they end
BELOW = 44.0  # pixels of the legend and what is said of the limit
END_ON_PHONE = 0.98
# How many times as long as the step before, in words, and on a phone.
RIVALS = ((1.0, "hardly longer", "as long"), (1.45, "longer", "longer"), (2.0, "twice as long", "twice"))
OPEN_ON_PHONE = 30.0  # pixels that three bars with their names need more than a step
FAR = 7  # times as long as the step that is known: the axis reaches so far at most while its double is asked for


class Step(NamedTuple):
    """A decode step of so many sequences: seconds with the weights and with the caches, why it is shown, and tokens a second."""

    batch: int
    weights_s: float
    caches_s: float
    why: str
    rate: float

    @property
    def seconds(self) -> float:
        return self.weights_s + self.caches_s


def step_times(
    sheet: Sheet, steps: Sequence[Step], limit_s: float, kept: str, latent: bool, longer: str, asked: Asked
) -> SheetFigure:
    """A row for each step to one linear scale; limit_s: that a step may take. kept: what a sequence keeps, a latent or
    keys and values; longer: how many times as long the second step is.
    asked: until it is known the second row, of twice the sequences, ends as late, later or twice as late, at one of three places that can
    be pressed."""
    known = asked.known
    colors, narrow, now = sheet.colors, sheet.on_phone(), steps[0]
    shown = steps if known else (*steps[:1], *steps[1:2])
    left, right = (0.0, END_ON_PHONE) if narrow else (LEFT, RIGHT)
    longest = max(2 * now.seconds, *(one.seconds for one in steps))
    longest = 2 * now.seconds if not known and longest > FAR * now.seconds else longest
    most = max(longest, limit_s) if limit_s < 1.6 * longest else longest
    row = 96.0 if narrow else sheet.row(222, len(shown), 64, 120)
    bottom = BELOW + row * len(shown) + OPEN_ON_PHONE * (narrow and not known)
    fills = (colors.key,) if latent else (colors.key, colors.value)
    longer = f"{longer} × as" if known else "? × as"
    head = headline(sheet, f"Twice the sequences: a step {longer} long", f"Twice the sequences: {longer} long")
    bottom += head
    _legend(sheet, head + 12, kept, fills)
    line = left + (right - left) * limit_s / most if limit_s <= most else 0.0
    for k, one in enumerate(shown):
        before, down = (now, asked) if k and not known else None, (head + BELOW + k * row, row)
        _row(sheet, (left, (right - left) / most), down, one, before, fills, line)
    time_ticks(sheet, (left, right), most, bottom)
    words = f"TPOT ≤ {seconds(limit_s)}" + " ▶" * (not line)
    centred = line and line + 0.55 * 15 * ems(words) / sheet.wide < 1
    sheet.write(line or 1, head + BELOW - 18 - 14 * narrow, words, 15, anchor="middle center" if centred else "middle left")
    return sheet.figure(bottom + 34, min_width=700)


def _legend(sheet: Sheet, y: float, kept: str, fills: Sequence[str]) -> None:
    """Of which parts a step is the sum."""
    colors = sheet.colors
    at = sheet.swatch(0.0, y, colors.bar, "parameters") - 0.06 * sheet.phone
    for k, fill in enumerate(fills):
        sheet.bar(at + k * 15 / sheet.wide, y - 8, at + (13 + k * 15) / sheet.wide, y + 8, fill)
    beside = f"{kept}s" if sheet.phone else f"the {kept} of each sequence"
    sheet.write(at + (15 * len(fills) + 6) / sheet.wide, y, beside, 13, colors.muted, "middle right")


def _row(sheet: Sheet, place, down, one: Step, before: tuple[Step, Asked] | None, fills: Sequence[str], line: float) -> None:
    """Name, bar and tokens a second; before: the step that is known, while this one is asked for. place: where 0 s lies, and a second’s
    width; down: its top and its height; line: where the limit stands, 0 for nowhere."""
    colors, narrow, (left, scale), (top, row) = sheet.colors, sheet.phone, place, down
    y, half = (top + 67, 17.0) if narrow else (top + row / 2, min(0.34 * row, 46.0))
    if line:  # on a phone beside the bars only: words stand between them
        ends = (y - half - 3, y + half + 3 + OPEN_ON_PHONE * bool(before)) if narrow else (top - 8, top + row)
        sheet.line(f"M{line:.5f},{ends[0]:.2f}L{line:.5f},{ends[1]:.2f}", colors.ink, 2, "dash", "above")
    room = (0.98 if narrow else LEFT - 0.015) * sheet.wide
    at = top + 14 if narrow else y - 10
    sheet.write(0, at, bold(short(quantity(one.batch, "sequence"), room, 18)), 18, anchor="middle right")
    said = one.why if before or not one.why else f"{seconds(one.seconds)}, {one.why}"
    said = said if before else said or seconds(one.seconds)
    size = max(13.0, min(14.5, room / (ems(said) + 0.6)))
    sheet.write(0, at + 22, short(said, room, size), size, colors.muted, "middle right")
    if before:
        down = (top + 48, top + row + 18) if narrow else (top + 6, top + row - 2)
        _ends_to_press(sheet, (left, left + scale * before[0].seconds), down, before[1])
        return
    middle, end = left + scale * one.weights_s, left + scale * one.seconds
    sheet.bar(left, y - half, middle, y + half, colors.bar)
    for k, fill in enumerate(fills):
        high = 2 * half / len(fills)
        sheet.bar(middle, y - half + k * high, end, y - half + (k + 1) * high, fill)
    if narrow:
        sheet.write(1, at, f"{bold(amount(one.rate))} a second", 18, anchor="middle left")
        return
    start = (max(end, line) if end < line < end + 0.16 else end) + 0.014
    large_number(sheet, (start, 1), y, amount(one.rate), "tokens a second")


def _ends_to_press(sheet: Sheet, across: tuple[float, float], down: tuple[float, float], asked: Asked) -> None:
    """Three bars to the same scale, one as long as the bar before, one a little longer, one twice as long: each can be pressed. across: of
    the bar before; down: where they lie."""
    (left, once), (top, bottom), colors = across, down, sheet.colors
    pitch = (bottom - top) / len(RIVALS)
    for k, (times, long, short_) in enumerate(RIVALS):
        said, end = f"{short_ if sheet.phone else long}?", left + times * (once - left)
        y0, y1, size = top + k * pitch, top + (k + 0.8) * pitch, 15.0 if sheet.phone else 17.0
        sheet.path(rectangle(left, y0, end, y1), faded(colors, colors.bar, 0.3), colors.muted, 1.5)
        inside = end + (size * ems(said) + 16) / sheet.wide > 1
        at = end + (-8 if inside else 10) / sheet.wide
        sheet.write(at, (y0 + y1) / 2, said, size, anchor=f"middle {'left' if inside else 'right'}")
        answer_part(sheet, asked, k, (left, y0, end, y1))
