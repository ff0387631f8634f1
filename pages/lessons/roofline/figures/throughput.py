"""Tokens a second against the batch: up while sequences share the weights, flat where each one's own cache is what is read."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure
from pages.parts.text.amounts import amount, plain_number


class Rates(NamedTuple):
    """Tokens a second at each of `batches`, with the caches' reads and as if there were nothing to look back on.

    ceiling: what no batch exceeds, because of `limits`. most_that_fit: sequences, 0 if none.
    """

    batches: Sequence[int]
    with_cache: Sequence[float]
    without: Sequence[float]
    ceiling: float
    most_that_fit: int
    limits: str = ""


def throughput(
    sheet: Sheet, rates: Rates, batch: int, now: float, doubled: float | None = None, curves: bool = False
) -> SheetFigure:
    """batch, now: where the slider stands. doubled: tokens a second of twice the batch; while it is None the curves wait, unless
    `curves`."""
    colors = sheet.colors
    batches, most_that_fit, values = rates.batches, rates.most_that_fit, [*rates.with_cache, *rates.without, now]
    y0, y1 = field_range(values, min(values) / 3, max(values))
    frame = LogFrame(0.8, batches[-1], y0, y1, *((0.165, 0.985) if sheet.on_phone() else (0.075, 0.74)), 28, 262)
    edge = 1.0
    if most_that_fit < batches[-1]:
        edge = frame.x(max(most_that_fit, 1)) if most_that_fit else frame.left
        sheet.bar(edge, frame.top, frame.right, frame.bottom, colors.hole)
        text = "memory is full" if most_that_fit else "not even one fits"
        middle = (edge + frame.right) / 2 if frame.right - edge > 0.12 else frame.right
        anchor = "middle center" if frame.right - edge > 0.12 else "middle left"
        sheet.write(middle, frame.bottom - 14, text, 14, colors.ink, anchor)
    frame.grid(sheet, lambda v: f"{v:,.0f}", plain_number, "sequences at once (batch)", "tokens a second, all sequences together")
    if curves or doubled is not None:
        _curves(sheet, frame, rates)
    else:
        _if_it_took(sheet, frame, batch, now)
    if doubled is not None:
        _dot(sheet, frame, 2 * batch, doubled, f"✓ {amount(doubled)}", edge, hollow=True)
    _dot(sheet, frame, batch, now, f"{amount(now)} a second", edge)
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 800)


def _if_it_took(sheet: Sheet, frame: LogFrame, batch: int, now: float) -> None:
    """Two lines on from the batch at hand: as if twice the sequences took no longer, and as if they took twice as long."""
    last = min(frame.x1, batch * frame.y1 / now)
    frame.line(sheet, (batch, last), (now, now * last / batch), sheet.colors.muted, 2, "dash")
    frame.line(sheet, (batch, frame.x1), (now, now), sheet.colors.muted, 2, "dash")
    x, names = frame.x(last), ("if a step takes no longer", "if it takes twice as long<br>for twice as many")
    if sheet.phone:  # there is no room beside the field
        sheet.write(x - 0.1, frame.y(now * last / batch) + 10, names[0], 14, anchor="middle left")
        sheet.write(frame.right, frame.y(now) - 20, names[1], 14, anchor="middle left")
    else:
        sheet.write(x + 0.012, frame.y(now * last / batch) + 10, names[0], 14, anchor="middle right")
        sheet.write(frame.right + 0.012, frame.y(now), names[1], 14, anchor="middle right")


def _curves(sheet: Sheet, frame: LogFrame, rates: Rates) -> None:
    """With the caches' reads, without them, and what no batch exceeds."""
    colors, (batches, with_cache, without, ceiling, _, limits) = sheet.colors, rates
    frame.line(sheet, batches, without, colors.muted, 2, "dash")
    frame.line(sheet, batches, with_cache, colors.decode, 4)
    ends = [frame.y(without[-1]), frame.y(with_cache[-1])]
    names = "if nothing were cached<br>to look back on", "<b>with the cache’s reads</b>"
    if sheet.phone:
        sheet.write(frame.right, max(ends[0] - 24, frame.top + 20), names[0], 14, colors.muted, "middle left")
        sheet.write(frame.right, ends[1] + 20, names[1], 15.5, colors.decode, "middle left")
    else:
        if ends[1] - ends[0] < 42:
            ends = [ends[0] - 6, ends[0] + 40]
        sheet.write(frame.right + 0.012, ends[0] + 4, names[0], 14, colors.muted, "middle right")
        sheet.write(frame.right + 0.012, ends[1], names[1], 15.5, colors.decode, "middle right")
    if frame.y0 < ceiling < frame.y1:
        frame.line(sheet, (1, batches[-1]), (ceiling, ceiling), colors.ink, 1.8, "dot")
        text = f"never more than {amount(ceiling)}{f': {limits}' * bool(limits and not sheet.phone)}"
        sheet.write(frame.left + 0.008, frame.y(ceiling) - 12, text, 14, colors.ink, "middle right")


def _dot(sheet: Sheet, frame: LogFrame, batch: int, rate: float, label: str, edge: float, hollow: bool = False) -> None:
    """A batch and its tokens a second, with a label beside it; in ink where it lies beyond `edge`, in full memory."""
    colors, x, y = sheet.colors, frame.x(batch), frame.y(rate)
    fill, line = (colors.surface, colors.decode) if hollow else (colors.decode, colors.surface)
    sheet.dots([x], [y], 17, fill, (line, 2.5), [f"batch {batch:,}: {rate:,.1f} tokens a second"])
    wide = LETTER * 15 * len(f"{label} at batch {batch:,}") / sheet.wide
    right = x + 0.016 + wide < frame.right  # to the left the curve falls across it
    if sheet.phone and not right:
        sheet.write(
            frame.right, y - 44 if hollow else y + 46, f"<b>{label}</b> at batch {batch:,}", 15, colors.ink, "middle left"
        )
        return
    anchor, dx = ("middle right", 0.016) if right else ("middle left", -0.016)
    color = colors.decode if (x + 0.016 + wide if right else x) <= edge else colors.ink
    side = -20 if hollow else 20 if y < frame.bottom - 34 else -20
    side = side if y + side > frame.top else 20
    sheet.write(x + dx, y + side, f"<b>{label}</b> at batch {batch:,}", 15, color, anchor)
