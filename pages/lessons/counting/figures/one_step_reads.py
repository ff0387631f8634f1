"""What a conversation's cache is multiplied from, and all that one decode step reads: the parameters, then the keys and values."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from engine.cost.multiplication import Factor, product
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import multiplication, under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle

TOP = 30.0  # pixels down to the bar
BAR = 96.0  # pixels of the bar on a projector
BAR_ON_PHONE = 96.0
LABEL, SHORT_LABEL = 360.0, 130.0  # pixels that the words on the longest conversation take, and on a phone
GUESS = 24.0  # that a guess takes beneath the bar, on a phone, where it is so much lower then: the rest stays where it is
SPANS = 26.0  # pixels down to what the longest conversation is, beneath the axis, and from there to what was guessed; each takes as many
LEAST = 2.0  # pixels: less would not be seen


def one_step_reads(
    sheet: Sheet, factors: Sequence[Factor], weight_bytes: float, most_bytes: float, answered: bool, guess_bytes: float | None
) -> SheetFigure:
    """factors: of the cache of so many tokens, which come last. weight_bytes: of the parameters that a step reads.

    most_bytes: of the largest cache that can be asked for, as far as the axis goes, so that it stands while a cache grows; answered:
    whether it is drawn. guess_bytes: what it was guessed to be, marked beneath the bar.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    marked = 0 if guess_bytes is None else GUESS
    top, tall = TOP, BAR_ON_PHONE - marked if phone else BAR
    cache_bytes, bottom = int(product(factors)), top + tall + 0.9 * sheet.spare
    result = decimal_bytes(cache_bytes), f"{decimal_bytes(product(factors[:-1]))} a token"
    most = 1.02 * (weight_bytes + most_bytes)
    x = weight_bytes / most
    end = max((weight_bytes + cache_bytes) / most, x + LEAST / sheet.wide)
    middle = (x + end) / 2
    for x0, x1, color in ((0.0, x, colors.bar), (x, middle, colors.key), (middle, end, colors.value)):
        sheet.bar(x0, top, x1, bottom, color)
    down = (top + bottom) / 2
    for k, text in enumerate((f"<b>{decimal_bytes(weight_bytes)}</b>", "parameters", "" if phone else "the learned numbers")):
        sheet.write(x / 2, down + 24 * (k - 1), text, 20 - 3 * (k > 0), ink_on(colors.bar))
    _longest(sheet, (end, top, (weight_bytes + most_bytes) / most if answered else 1.0, bottom), most_bytes, answered)
    byte_ticks(sheet, most, bottom)
    _named(sheet, middle, top)
    says = f"Each step reads {decimal_bytes(cache_bytes)} of keys and values"

    def finished(above: float) -> SheetFigure:
        ends = multiplication(sheet, factors, result, top=above, most=1.0 if phone else 1.35)
        return under_headline(sheet, says, says.replace("keys and values", "K/V")).figure(ends, min_width=730)

    if phone:
        if guess_bytes is not None:
            _guess(sheet, guess_bytes, (weight_bytes + guess_bytes) / most, (x, bottom + 32))
        return finished(bottom + 40 + marked)
    if answered:
        said = f"<b>{decimal_bytes(most_bytes)}</b> the longest conversation"
        _span(sheet, said, (x, (weight_bytes + most_bytes) / most, bottom + 20 + SPANS / 2), colors.ink)
    if guess_bytes is not None:
        guessed = f"your guess: <b>{decimal_bytes(guess_bytes)}</b>"
        _span(sheet, guessed, (x, (weight_bytes + guess_bytes) / most, bottom + 20 + 1.5 * SPANS), colors.muted, "dash")
    return finished(bottom + 20 + 2 * SPANS)


def _named(sheet: Sheet, x: float, top: float) -> None:
    """What the narrow part of the bar is, at the end of a line that leads up from it."""
    side = 1 if x < 0.6 else -1
    far, y = x + side * 12 / sheet.wide, top - 14
    sheet.line(f"M{x:.5f},{top:.1f}L{x:.5f},{y:.1f}L{far:.5f},{y:.1f}", sheet.colors.ink, 1.5)
    anchor = "middle right" if side > 0 else "middle left"
    sheet.write(x + side * 17 / sheet.wide, y, "<b>keys and values</b>", 15, anchor=anchor)


def _span(sheet: Sheet, said: str, where: tuple[float, float, float], color: str, dash: str = "") -> None:
    """How far so many bytes reach, from where the keys and values begin, which may be beyond the axis; left of it what that is."""
    (x, end, y), far = where, where[1] > 1
    end = max(min(end, 1.0), x + LEAST / sheet.wide)
    ends = f"M{x:.5f},{y - 7:.1f}L{x:.5f},{y + 7:.1f}" + f"M{end:.5f},{y - 7:.1f}L{end:.5f},{y + 7:.1f}" * (not far)
    sheet.line(f"M{x:.5f},{y:.1f}L{end:.5f},{y:.1f}", color, 2, dash)
    sheet.line(ends, color, 2)
    said += ", far beyond →" * far
    if x * sheet.wide > 17 * ems(said):
        sheet.write(x - 10 / sheet.wide, y, said, 16, color, "middle left")
    else:
        sheet.bar(x + 8 / sheet.wide, y - 9, x + (12 + 17 * ems(said)) / sheet.wide, y + 9, sheet.colors.surface)
        sheet.write(x + 10 / sheet.wide, y, said, 16, color, "middle right")


def _longest(sheet: Sheet, box: Box, most_bytes: float, answered: bool) -> None:
    """Beyond the keys and values of this conversation, those of the longest: an outline, open at its end until that is answered."""
    (x0, y0, x1, y1), phone = box, sheet.phone
    if (x1 - x0) * sheet.wide <= 8:
        return
    path = rectangle(*box) if answered else f"M{x1:.5f},{y0:.2f}L{x0:.5f},{y0:.2f}M{x1:.5f},{y1:.2f}L{x0:.5f},{y1:.2f}"
    if answered:
        for start, color in ((x0, sheet.colors.key), ((x0 + x1) / 2, sheet.colors.value)):
            sheet.bar(start, y0, start + (x1 - x0) / 2, y1, faded(sheet.colors, color, 0.3))
    sheet.line(path, sheet.colors.muted, 2, "dash")
    if (x1 - x0) * sheet.wide > (SHORT_LABEL if phone else LABEL) and (phone or not answered):
        said, size = "the longest" if phone else "the longest conversation", 14 if phone else 20
        number = f"<b>{decimal_bytes(most_bytes)}</b>" if answered else "<b>how far?</b>"
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, f"{said}: {number}", size)


def _guess(sheet: Sheet, guess_bytes: float, end: float, start: tuple[float, float]) -> None:
    """A line from where the keys and values begin to where they were guessed to end, which may lie beyond the axis."""
    (x, y), ink = start, sheet.colors.ink
    beyond = end > 1
    sheet.bar(x, y, max(min(end, 1.0), x + LEAST / sheet.wide), y + 5, ink)
    said = f"your guess: <b>{decimal_bytes(guess_bytes)}</b>{', far beyond →' * beyond}"
    sheet.write(1.0 if beyond else x, y + 17, said, 14, ink, "middle left" if beyond else "middle right")
