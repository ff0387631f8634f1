"""What one decode step reads, as two bars to one scale: the parameters, and keys and values, which grow with every token of context
until they are as long as these, or are not."""

from collections.abc import Callable
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.answers import open_place
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems
from pages.parts.text.format import quantity

END = 0.9  # of the width: where the parameters end, while what is read of the context is not much more
MOST = 4.0  # times the parameters that the width is at most
NAME = 19.0  # type size of a bar's name
OVER = 32.0  # pixels of the name, above its bar
UNDER = 62.0  # pixels beneath the second bar
LARGE = 36.0  # type size of what is to be found, and of its question mark
LATER = 0.45  # of its colour has what tokens to come will keep
FULL = 10**12  # tokens at which every window is full
LEAST_CELL = 5.0  # pixels of a context from which each is a cell of its own


class Kept(NamedTuple):
    """What is read besides the parameters: its name, the bytes of it with so many tokens, whether it is one latent for each."""

    name: str
    at: Callable[[int], float]
    latent: bool


class Scale(NamedTuple):
    """How many bytes are the whole width."""

    n_bytes: float

    def x(self, at: float) -> float:
        return min(1.0, at / self.n_bytes)


def reads_by_length(sheet: Sheet, weights: float, kept: Kept, now: int, even: int | None, known: bool) -> SheetFigure:
    """weights: bytes. now: tokens of the context at hand. even: up to how many tokens what is kept does not outweigh the weights, None
    for any length. known: it is drawn as far as it goes, and even is written; until then that has a place."""
    colors, narrow = sheet.colors, sheet.on_phone()
    top = headline(sheet, _large(kept.name, even, known), _large(kept.name, even, known, short=True)) + 6
    high = sheet.row(190, 2, 74, 170) if not narrow else 84.0
    scale = Scale(min(max(weights / END, 1.06 * kept.at(now)), MOST * weights))
    first, second = top + OVER, top + 2 * OVER + high + 10
    sheet.bar(0, first, scale.x(weights), first + high, colors.bar)
    said = f"at {quantity(now, 'token')}: {decimal_bytes(kept.at(now))}"
    size, end = min(NAME, 0.9 * sheet.wide / ems(f"{kept.name} {said}")), scale.x(weights)
    sheet.write(0, first - 17, f"{bold('parameters')} {decimal_bytes(weights)}", size, anchor="middle right")
    sheet.write(0, second - 17, f"{bold(kept.name)} {said}", size, anchor="middle right")
    begins = first if 1.2 * size * ems(f"{kept.name} {said}") < end * sheet.wide else second
    sheet.line(f"M{end:.5f},{begins:.2f}V{second + high + UNDER - 12:.2f}", colors.ink, 2 * sheet.zoom, "dot", "above")
    _keys_and_values(sheet, (second, second + high), scale, kept, (now, weights, known))
    to = weights if not known else kept.at(FULL) if even is None else kept.at(even)
    _to_find(sheet, second + high, (scale.x(kept.at(0)), scale.x(to)), _found(even, known))
    return sheet.figure(second + high + UNDER, min_width=800)


def _found(even: int | None, known: bool) -> str:
    """What is written beneath as long as it is asked for, and then."""
    if not known:
        return "? tokens"
    return "✓ any number of tokens" if even is None else f"✓ {quantity(even, 'token')}"


def _keys_and_values(sheet: Sheet, down: tuple[float, float], scale: Scale, kept: Kept, state: tuple[int, float, bool]) -> None:
    """The second bar: states, then keys over values of this context; what more tokens will keep is open or, once known, pale, with a
    line after each such context. state: the tokens at hand, the parameters' bytes, and whether it is known."""
    colors, (top, bottom), (now, weights, known) = sheet.colors, down, state
    fills = {"latents": colors.key} if kept.latent else {"keys": colors.key, "values": colors.value}
    begin, end = scale.x(kept.at(0)), scale.x(kept.at(now))
    last = scale.x(kept.at(FULL)) if known else max(end, scale.x(weights))
    sheet.bars([(0, top, begin, bottom)] if begin else [], colors.cached)
    if not known and end < last:
        open_place(sheet, end, top, last, bottom)
    half = (bottom - top) / len(fills)
    for k, (name, fill) in enumerate(fills.items() if kept.at(now) > kept.at(0) else ()):
        y, wide, places = top + k * half, (NAME * bold_ems(name) + 16) / sheet.wide, [(begin, end, fill)]
        if known and end < last:
            places.append((end, last, faded(colors, fill, LATER)))
        for x0, x1, color in places:
            sheet.bar(x0, y, max(x1, x0 + 2 / sheet.wide), y + half, color)
        at, color = next(((x0, ink_on(color)) for x0, x1, color in places if x1 - x0 > wide), (places[-1][1], fill))
        sheet.write(at + 12 / sheet.wide, y + half / 2, bold(name), NAME, color, "middle right")
        if kept.at(now) > scale.n_bytes:
            sheet.write(1 - 10 / sheet.wide, y + half / 2, "▶", NAME, ink_on(fill), "middle left")
    if known and kept.at(2 * now) - kept.at(now) >= LEAST_CELL / sheet.wide * scale.n_bytes:
        cuts, k = "", 1
        while (x := scale.x(kept.at(k * now))) < last:
            cuts, k = cuts + f"M{x:.5f},{top:.2f}V{bottom:.2f}", k + 1
        sheet.line(cuts, colors.surface, 1.2 * sheet.zoom)


def _to_find(sheet: Sheet, top: float, across: tuple[float, float], said: str) -> None:
    """Beneath the second bar, from where tokens begin to where the parameters end: how many tokens those are; behind it, where it is
    too short for that."""
    (left, right), size = across, 24.0 if sheet.phone else LARGE
    y, wide, ink = top + 34, (size * bold_ems(said) + 28) / sheet.wide, sheet.colors.ink
    fits = right - left > wide
    lines = [(left, (left + right - wide) / 2), ((left + right + wide) / 2, right)] if fits else [(left, max(left, right))]
    path = "".join(f"M{x0:.5f},{y:.2f}H{x1:.5f}" for x0, x1 in lines)
    sheet.line(f"{path}M{left:.5f},{y - 12:.2f}V{y + 12:.2f}", ink, 2 * sheet.zoom)
    at = ((left + right) / 2, "center") if fits else (lines[0][1] + 12 / sheet.wide, "right")
    sheet.write(at[0], y, bold(said), size, anchor=f"middle {at[1]}")


def _large(name: str, even: int | None, known: bool, short: bool = False) -> str:
    """The headline.

    >>> _large("cache", 100, True), _large("cache and states", 1, False)
    ('The cache outweighs the parameters beyond 100 tokens', 'The cache and states outweigh the parameters beyond ? tokens')
    """
    both = " and " in name
    if short:
        name, verb, what = "Kept" if both else "Cache", ">", "parameters"
    else:
        name, verb, what = f"The {name}", "outweigh" if both else "outweighs", "the parameters"
    if even is None:
        never = f"{name} never {verb} {what}" if not short else f"{name} never above {what}"
        return never if known else "When does it outweigh the parameters?"
    return f"{name} {verb} {what} beyond {quantity(even, 'token') if known else '? tokens'}"
