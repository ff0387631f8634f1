"""What a figure says in large type: its headline, which is what is found in it, in few words with the number; and a multiplication as
one writes it, factors side by side with their names beneath, and the result on a line of its own."""

from collections.abc import Sequence

from engine.cost import binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, bold, ems, short
from pages.parts.text.amounts import factor_name, factor_text

LARGE, LEAST = 28.0, 18.0  # type sizes, as laid out for a projector
PHONE_LARGE, PHONE_LEAST = 22.0, 15.0
BOLD = 1.08  # times as wide as regular type
TALL = 1.45  # times its type what stands below begins
HEIGHT, SIGN, LEFT = 92.0, 26.0, 6.0  # pixels: of the whole, of a ×, and free beside the first name


def headline(sheet: Sheet, text: str, on_phone: str | None = None, until: float = 1.0) -> float:
    """Written at the top, in smaller type where it is long, and cut where even that is too large. Returns where, in pixels, what stands
    below may begin.

    text: plain, not markup. on_phone: a shorter one, where a phone has no room for it. until: where it ends at the latest, of the width.
    """
    _write(sheet, _chosen(sheet, text, on_phone), until, 0.0)
    return TALL * (PHONE_LARGE if sheet.phone else LARGE)


def under_headline(sheet: Sheet, text: str, on_phone: str | None = None) -> Sheet:
    """The sheet, whose figure gets that headline above all that is or will be drawn on it, where there is one; rows that share a
    screen's room leave it some of it."""

    def above() -> float:
        lines = _lines(sheet, _chosen(sheet, text, on_phone))
        high = TALL * (PHONE_LARGE if sheet.phone else LARGE)
        for k, line in enumerate(lines):
            _write(sheet, line, 1.0, (k - len(lines)) * high)
        return len(lines) * high

    if text:
        sheet.headline = above
        sheet.spare -= 0 if sheet.phone else TALL * LARGE
    return sheet


def _chosen(sheet: Sheet, text: str, on_phone: str | None) -> str:
    """The one for this screen; it begins with a capital letter."""
    text = on_phone if sheet.phone and on_phone is not None else text
    return text[:1].upper() + text[1:]


def _write(sheet: Sheet, line: str, until: float, top: float) -> None:
    """One line of a headline, beneath `top`."""
    large, least = (PHONE_LARGE, PHONE_LEAST) if sheet.phone else (LARGE, LEAST)
    room = until * sheet.wide - 4
    size = max(least, min(large, room / (BOLD * max(ems(line), 1))))
    sheet.write(0, top + 0.62 * large, bold(short(line, room, BOLD * size)), size, anchor="middle right")


def _lines(sheet: Sheet, text: str) -> list[str]:
    """A headline, on a phone in two lines where it would be cut in one."""
    spaces = [k for k, letter in enumerate(text) if letter == " "]
    if not (sheet.phone and spaces and BOLD * ems(text) * PHONE_LEAST > sheet.wide - 4):
        return [text]
    at = min(spaces, key=lambda k: abs(k - len(text) / 2))
    return [text[:at], text[at + 1 :]]


def multiplication(
    sheet: Sheet, factors: Sequence[Factor], n_bytes: int, certain: bool = True, top: float = 0.0, result: str = "",
    most: float = 1.0,
) -> None:  # fmt: skip
    """Drawn from `top` on. n_bytes: what the factors multiply to. certain: whether all of them are known. result: what stands beneath
    them, else the bytes, in large units, too, of powers of 1000 and of 1024. most: times as large it is, over the whole width."""
    units = f"= <b>{decimal_bytes(n_bytes)}</b> = {binary_bytes(n_bytes)}"
    texts = [factor_text(f) for f in factors]
    if sheet.wide < WIDTH:
        return _in_two_columns(sheet, texts, [factor_name(f) for f in factors], result or units, top)
    # Shares of the width by what each needs: its number in large type or its name in small, whichever is wider.
    needs = [max(LETTER * 25 * len(t), LETTER * 14 * len(factor_name(f))) + 8 for t, f in zip(texts, factors, strict=True)]
    shrink = min(most * most, (WIDTH - LEFT - SIGN * (len(texts) - 1)) / sum(needs))
    x = LEFT
    for k, (text, factor, need) in enumerate(zip(texts, factors, needs, strict=True)):
        width = need * shrink
        centre = (x + width / 2) / WIDTH
        size = min(25.0 * most, (width - 4) / (LETTER * len(text)))
        sheet.write(centre, top + 20 * most, f"<b>{text}</b>", size)
        name = factor_name(factor)
        sheet.write(
            centre, top + 46 * most, name, min(14.0 * min(most, 1.2), (width - 2) / (LETTER * len(name))), sheet.colors.muted
        )
        x += width
        if k + 1 < len(texts):
            sheet.write((x + SIGN / 2) / WIDTH, top + 20 * most, "×", 20, sheet.colors.muted)
            x += SIGN
    # One text, so that its parts keep their distance however narrow the figure is drawn.
    result = result or f"= {n_bytes:,} bytes {units}"
    sheet.write(
        0, top + 78 * most, f"{result}{'' if certain else ' (assumed)'}", 20 * min(most, 1.3), sheet.colors.ink, "middle right"
    )


def _in_two_columns(sheet: Sheet, texts: Sequence[str], names: Sequence[str], result: str, top: float) -> None:
    """The same for a phone: factors with their names beside them, two a line."""
    line = 66.0 / -(-len(texts) // 2)
    size = min(16.0, 0.85 * line)
    for k, (text, name) in enumerate(zip(texts, names, strict=True)):
        x, y = 0.5 * (k % 2), top + 10.0 + line * (k // 2)
        number = f"× {text}" if k else text
        sheet.write(x, y, f"<b>{number}</b>", size, anchor="middle right")
        after = x + (6 + 1.05 * size * ems(number)) / sheet.wide
        room = (x + 0.49 - after) * sheet.wide
        sheet.write(after, y, short(name, room, 13), 13, sheet.colors.muted, "middle right")
    sheet.write(0, top + 80, result, 20, anchor="middle right")
