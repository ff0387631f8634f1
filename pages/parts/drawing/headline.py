"""What a figure says in large type: its headline, which is what is found in it, in few words with the number; and a multiplication as
one writes it, factors and result side by side with their names beneath."""

from collections.abc import Sequence

import numpy as np

from engine.cost.multiplication import Factor
from pages.parts.drawing.sheet import Sheet, bold, bold_ems, ems, short, type_size
from pages.parts.text.amounts import factor_name, factor_text
from pages.parts.text.format import in_two

LARGE, LEAST = 28.0, 18.0  # type sizes, as laid out for a projector
PHONE_LARGE, PHONE_LEAST = 22.0, 15.0
TALL = 1.45  # times its type what stands below begins
SIGN = 26.0  # pixels of a ×
SMALLER = 0.85  # of its type a multiplication has, before it takes a second line


def headline(sheet: Sheet, text: str, on_phone: str | None = None, until: float = 1.0) -> float:
    """Written at the top, in smaller type where it is long, on a phone in two lines, and cut where even that is too large. Returns
    where, in pixels, what stands below may begin.

    text: plain, not markup. on_phone: a shorter one, where a phone has no room for it. until: where it ends at the latest, of the width.
    """
    return _write_all(sheet, _lines(sheet, _chosen(sheet, text, on_phone), until), until)


def under_headline(sheet: Sheet, text: str, on_phone: str | None = None) -> Sheet:
    """The sheet, whose figure gets that headline above all that is or will be drawn on it, where there is one; rows that share a
    screen's room leave it some of it."""

    def above() -> float:
        lines = _lines(sheet, _chosen(sheet, text, on_phone), 1.0)
        return _write_all(sheet, lines, 1.0, above=True)

    if text:
        sheet.headline = above
        sheet.spare -= 0 if sheet.phone else TALL * LARGE
    return sheet


def _chosen(sheet: Sheet, text: str, on_phone: str | None) -> str:
    """The one for this screen; it begins with a capital letter."""
    text = on_phone if sheet.phone and on_phone is not None else text
    return text[:1].upper() + text[1:]


def _write_all(sheet: Sheet, lines: list[str], until: float, above: bool = False) -> float:
    """The lines of a headline, from the top on or above it; returns how high they are."""
    high = TALL * (PHONE_LARGE if sheet.phone else LARGE)
    for k, line in enumerate(lines):
        _write(sheet, line, until, (k - len(lines) * above) * high)
    return len(lines) * high


def _write(sheet: Sheet, line: str, until: float, top: float) -> None:
    """One line of a headline, beneath `top`."""
    large, least = (PHONE_LARGE, PHONE_LEAST) if sheet.phone else (LARGE, LEAST)
    room = until * sheet.wide - 4
    size = type_size(line, room, large, least)
    sheet.write(0, top + 0.62 * large, bold(short(line, room, size, strong=True)), size, anchor="middle right")


def _lines(sheet: Sheet, text: str, until: float) -> list[str]:
    """A headline, on a phone in two lines where it would be cut in one."""
    return in_two(text) if sheet.phone and bold_ems(text) * PHONE_LEAST > until * sheet.wide - 4 else [text]


def multiplication(
    sheet: Sheet, factors: Sequence[Factor], result: tuple[str, str], certain: bool = True, top: float = 0.0, most: float = 1.0
) -> float:
    """Drawn from `top` on, over the whole width, in as few lines as it fits into; returns where it ends.

    result: what the factors multiply to, and what that is. certain: whether all of them are known. most: times as large it is at most.
    """
    said, what = result
    terms = [(factor_text(f), factor_name(f)) for f in factors] + [(said, f"{what}{'' if certain else ' (assumed)'}")]
    number, name, sign = (19.0, 13.0, 16.0) if sheet.phone else (25.0, 14.0, SIGN)

    def needed(scale: float) -> list[float]:
        return [max(number * scale * bold_ems(text), max(13.0, name * scale) * ems(under)) + 8 for text, under in terms]

    scales = [float(s) for s in np.linspace(most, 1.0 if sheet.phone else SMALLER, 8)]
    scale = next((s for s in scales if sum(needed(s)) + sign * len(factors) <= sheet.wide), 1.0)
    needs, line = needed(scale), (number + name + 18) * scale
    begins = 0
    for ends in _broken(needs, sign, sheet.wide):
        spread = (sheet.wide - sign * (ends - begins - (begins == 0))) / sum(needs[begins:ends])
        x, y = 0.0, top + 0.55 * number * scale
        for k in range(begins, ends):
            if k:
                sheet.write((x + sign / 2) / sheet.wide, y, "×" if k < len(factors) else "=", 0.8 * number, sheet.colors.muted)
                x += sign
            (text, under), wide = terms[k], needs[k] * spread
            size = type_size(text, wide, number * scale, 13.0)
            sheet.write((x + wide / 2) / sheet.wide, y, bold(short(text, wide, size, strong=True)), size)
            small = type_size(under, wide - 4, name * scale, 13.0, strong=False)
            below = y + (0.5 * number + 0.5 * name + 4) * scale
            sheet.write((x + wide / 2) / sheet.wide, below, short(under, wide, small), small, sheet.colors.muted)
            x += wide
        begins, top = ends, top + line
    return top


def _broken(needs: Sequence[float], sign: float, wide: float) -> list[int]:
    """Before which of so many pixels each line ends, with a sign before all but the first: as few lines as there can be, and those as
    even as can be."""

    def ends(limit: float) -> list[int]:
        found, used = [], needs[0]
        for k in range(1, len(needs)):
            used += sign + needs[k]
            if used > limit:
                found.append(k)
                used = sign + needs[k]
        return [*found, len(needs)]

    fewest = len(ends(wide))
    return next(found for limit in range(0, int(wide) + 8, 8) if len(found := ends(min(limit, wide))) == fewest)
