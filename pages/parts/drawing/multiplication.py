"""A multiplication as one writes it: factors side by side with their names beneath, and the result on a line of its own."""

from collections.abc import Sequence

from engine.cost import binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, ems, short
from pages.parts.text.amounts import factor_name, factor_text

HEIGHT, SIGN, LEFT = 92.0, 26.0, 6.0  # pixels: of the whole, of a ×, and free beside the first name


def multiplication(
    sheet: Sheet, factors: Sequence[Factor], n_bytes: int, certain: bool = True, top: float = 0.0, result: str = ""
) -> None:
    """Drawn from `top` on. n_bytes: what the factors multiply to. certain: whether all of them are known. result: what stands beneath
    them, else the bytes, in large units, too, of powers of 1000 and of 1024."""
    units = f"= <b>{decimal_bytes(n_bytes)}</b> = {binary_bytes(n_bytes)}"
    texts = [factor_text(f) for f in factors]
    if sheet.wide < WIDTH:
        return _in_two_columns(sheet, texts, [factor_name(f) for f in factors], result or units, top)
    # Shares of the width by what each needs: its number in large type or its name in small, whichever is wider.
    needs = [max(LETTER * 25 * len(t), LETTER * 14 * len(factor_name(f))) + 8 for t, f in zip(texts, factors, strict=True)]
    shrink = min(1.0, (WIDTH - LEFT - SIGN * (len(texts) - 1)) / sum(needs))
    x = LEFT
    for k, (text, factor, need) in enumerate(zip(texts, factors, needs, strict=True)):
        width = need * shrink
        centre = (x + width / 2) / WIDTH
        size = min(25.0, (width - 4) / (LETTER * len(text)))
        sheet.write(centre, top + 20, f"<b>{text}</b>", size)
        name = factor_name(factor)
        sheet.write(centre, top + 46, name, min(14.0, (width - 2) / (LETTER * len(name))), sheet.colors.muted)
        x += width
        if k + 1 < len(texts):
            sheet.write((x + SIGN / 2) / WIDTH, top + 20, "×", 20, sheet.colors.muted)
            x += SIGN
    # One text, so that its parts keep their distance however narrow the figure is drawn.
    result = result or f"= {n_bytes:,} bytes {units}"
    sheet.write(0, top + 78, f"{result}{'' if certain else ' (assumed)'}", 20, sheet.colors.ink, "middle right")


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
