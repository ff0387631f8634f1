"""Tokens a second against the batch: up while sequences share the weights, flat where each one's own cache is what is read."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.palette import faded
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
    batches, most_that_fit, values = rates.batches, rates.most_that_fit, [*rates.with_cache, *rates.without, now]
    y0, y1 = field_range(values, min(values) / 3, max(values))
    known = curves or doubled is not None
    frame = LogFrame(
        0.8, batches[-1], y0, y1, *((0.165, 0.985) if sheet.on_phone() else (0.09, 0.74 if known else 0.985)), 28, 262
    )
    edge = _memory(sheet, frame, most_that_fit)
    frame.grid(sheet, lambda v: f"{v:,.0f}", plain_number, "sequences at once (batch)", "tokens a second, all sequences together")
    if known:
        _curves(sheet, frame, rates)
    else:
        _if_it_took(sheet, frame, batch, now)
    if doubled is not None:
        _dot(sheet, frame, (2 * batch, doubled), f"✓ {amount(doubled)}", edge, hollow=True)
    _dot(sheet, frame, (batch, now), f"{amount(now)} a second", edge, below=48 if doubled is not None else 22)
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 800)


def _memory(sheet: Sheet, frame: LogFrame, most_that_fit: int) -> float:
    """A wall where memory is full, with how many fit; returns where it stands, 1 where there is none."""
    colors = sheet.colors
    if most_that_fit >= frame.x1:
        return 1.0
    edge = frame.x(max(most_that_fit, 1)) if most_that_fit else frame.left
    sheet.bar(edge, frame.top, frame.right, frame.bottom, colors.hole + "66")
    sheet.bar(edge - 0.0015, frame.top, edge + 0.0015, frame.bottom, colors.muted)
    text = f"memory is full at {most_that_fit:,}" if most_that_fit else "not even one fits"
    text = text if frame.right - edge > 0.2 or sheet.phone else "memory is full" if most_that_fit else text
    wide = frame.right - edge > 0.14
    at = (edge + 0.012, "middle right") if wide and not sheet.phone else (frame.right, "middle left")
    sheet.write(at[0], frame.bottom - 16, text, 14 if sheet.phone else 16, colors.ink, at[1])
    return edge


def _if_it_took(sheet: Sheet, frame: LogFrame, batch: int, now: float) -> None:
    """Between two lines on from the batch at hand, as if twice the sequences took no longer and as if they took twice as long, lies what
    is asked for: it is tinted, with a question mark at twice the batch."""
    colors, phone = sheet.colors, sheet.phone
    last = min(frame.x1, batch * frame.y1 / now)
    top = now * last / batch
    (x0, y0), (x1, y1) = (frame.x(batch), frame.y(now)), (frame.x(last), frame.y(top))
    sheet.path(
        f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}L{frame.right:.5f},{y1:.2f}L{frame.right:.5f},{y0:.2f}Z",
        faded(colors, colors.decode, 0.14),
    )
    frame.line(sheet, (batch, last), (now, top), colors.muted, 2, "dash")
    frame.line(sheet, (batch, frame.x1), (now, now), colors.muted, 2, "dash")
    share = 0.62  # of the way up the rising line its name ends, to the left of it
    x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    size = 14 if phone else 17
    sheet.write(x - 0.015, y - (10 if phone else 6), "a step takes no longer", size, anchor="middle left")
    long = "it takes twice as long" + " for twice as many" * (not phone)
    sheet.write(frame.right - 0.01, y0 + (-13 if phone else 17), long, size, anchor="middle left")
    twice, even = frame.x(2 * batch), frame.y(2 * now)
    sheet.line(f"M{twice:.5f},{even:.2f}L{twice:.5f},{y0:.2f}", colors.decode, 5)
    at = (twice - 0.016, "middle left") if twice > 0.7 else (twice + 0.016, "middle right")
    said = f"<b>?</b> at batch {2 * batch:,}"
    sheet.write(at[0], (even + y0) / 2 - 8, said, 16 if phone else 24, colors.ink, at[1])


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
        sheet.write(frame.right + 0.012, ends[0] + 4, names[0], 16, colors.muted, "middle right")
        sheet.write(frame.right + 0.012, ends[1], names[1], 18, colors.decode, "middle right")
    if frame.y0 < ceiling < frame.y1:
        frame.line(sheet, (1, batches[-1]), (ceiling, ceiling), colors.ink, 1.8, "dot")
        text = f"never more than {amount(ceiling)}{f': {limits}' * bool(limits and not sheet.phone)}"
        sheet.write(frame.left + 0.008, frame.y(ceiling) - 13, text, 14 if sheet.phone else 16, colors.ink, "middle right")


def _dot(
    sheet: Sheet, frame: LogFrame, point: tuple[int, float], label: str, edge: float, hollow: bool = False, below: float = 22
) -> None:
    """A batch and its tokens a second, with a label beside it; in ink where it lies beyond `edge`, in full memory."""
    (batch, rate), colors, x, y = point, sheet.colors, frame.x(point[0]), frame.y(point[1])
    fill, line = (colors.surface, colors.decode) if hollow else (colors.decode, colors.surface)
    letters = LETTER * len(f"{label} at batch {batch:,}") / sheet.wide
    sizes = (15,) if sheet.phone else (20, 17, 15)
    size = next((size for size in sizes if x + 0.016 + letters * size < frame.right), 15)  # to the left the curve falls across it
    sheet.dots([x], [y], 17, fill, (line, 2.5), [f"batch {batch:,}: {rate:,.1f} tokens a second"])
    wide = letters * size
    right = x + 0.016 + wide < frame.right
    if sheet.phone and not right:
        sheet.write(
            frame.right, y - 44 if hollow else y + 46, f"<b>{label}</b> at batch {batch:,}", 15, colors.ink, "middle left"
        )
        return
    anchor, dx = ("middle right", 0.016) if right else ("middle left", -0.016)
    color = colors.decode if (x + 0.016 + wide if right else x) <= edge else colors.ink
    side = below if y < frame.bottom - below - 14 else -22
    side = side if y + side > frame.top else 20
    sheet.write(x + dx, y + side, f"<b>{label}</b> at batch {batch:,}", size, color, anchor)
