"""What a conversation's cache is multiplied from, and all that one decode step reads: the parameters, then the keys and values."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from engine.cost.multiplication import Factor, product
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.multiplication import HEIGHT, multiplication
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle

TITLE, TOP, BAR = HEIGHT + 34, HEIGHT + 96, 96.0  # pixels down to the title and to the bar, and of the bar on a projector
LABEL, SHORT_LABEL = 300.0, 130.0  # pixels that the words on the longest conversation take, and on a phone
GUESS = 24.0  # that a guess takes beneath the bar, which is so much lower then: the rest stays where it is
LEAST = 2.0  # pixels: less would not be seen


def one_step_reads(
    sheet: Sheet,
    factors: Sequence[Factor],
    weight_bytes: float,
    most_bytes: float,
    answered: bool = True,
    guess_bytes: float | None = None,
) -> SheetFigure:
    """factors: of the cache of so many tokens. weight_bytes: of the parameters that a step reads.

    most_bytes: of the largest cache that can be asked for, as far as the axis goes, so that it stands while a cache grows; answered:
    whether it is drawn. guess_bytes: what it was guessed to be, marked beneath the bar.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    marked = 0 if guess_bytes is None else GUESS
    cache_bytes, bottom = int(product(factors)), TOP + BAR + 0.9 * sheet.spare - marked
    multiplication(sheet, factors, cache_bytes, binary=False)
    sheet.write(
        0, TITLE, "<b>one decode step reads all of it, and the parameters</b>", 13.5 if phone else 16, anchor="middle right"
    )
    most = 1.02 * (weight_bytes + most_bytes)
    x = weight_bytes / most
    end = max((weight_bytes + cache_bytes) / most, x + LEAST / sheet.wide)
    middle = (x + end) / 2
    for x0, x1, color in ((0.0, x, colors.bar), (x, middle, colors.key), (middle, end, colors.value)):
        sheet.bar(x0, TOP, x1, bottom, color)
    longest = (weight_bytes + most_bytes) / most
    if answered and (longest - end) * sheet.wide > 8:
        sheet.line(rectangle(end, TOP, longest, bottom), colors.muted, 1, "dot")
        if (longest - end) * sheet.wide > (SHORT_LABEL if phone else LABEL):
            said = "the longest" if phone else "the longest conversation fills this,"
            sheet.write((end + longest) / 2, (TOP + bottom) / 2, f"{said} <b>{decimal_bytes(most_bytes)}</b>", 14, colors.muted)
    byte_ticks(sheet, most, bottom)
    sheet.write(
        0,
        TOP - 20,
        f"<b>{decimal_bytes(weight_bytes)}</b> parameters{', the learned numbers' * (not phone)}",
        15,
        anchor="middle right",
    )
    kept = "K/V" if phone else "keys and values"
    sheet.write(x, TOP - 22, f"<b>{decimal_bytes(cache_bytes)}</b> {kept}", 16 if phone else 26, anchor="middle right")
    if guess_bytes is not None:
        _guess(sheet, guess_bytes, (weight_bytes + guess_bytes) / most, (x, bottom + 32))
    return sheet.figure(bottom + 36 + marked, min_width=0 if phone else 730)


def _guess(sheet: Sheet, guess_bytes: float, end: float, start: tuple[float, float]) -> None:
    """A line from where the keys and values begin to where they were guessed to end, which may lie beyond the axis."""
    (x, y), ink = start, sheet.colors.ink
    beyond = end > 1
    sheet.bar(x, y, max(min(end, 1.0), x + LEAST / sheet.wide), y + 5, ink)
    said = f"your guess: <b>{decimal_bytes(guess_bytes)}</b>{', far beyond →' if beyond else ''}"
    if beyond:
        sheet.write(1.0, y + 17, said, 14, ink, "middle left")
    else:
        sheet.write(x, y + 17, said, 14, ink, "middle right")
