"""A multiplication as one writes it: factors side by side with their names beneath, and the result on a line of its own."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cost import binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, ems
from pages.parts.text.amounts import factor_name, factor_text

HEIGHT, SIGN, LEFT = 92.0, 26.0, 6.0  # pixels: of the whole, of a ×, and free beside the first name


def multiplication(sheet: Sheet, factors: Sequence[Factor], n_bytes: int, certain: bool = True) -> None:
    """Drawn at the sheet's top. n_bytes: what the factors multiply to. certain: whether all of them are known."""
    texts = [factor_text(f) for f in factors]
    if sheet.phone:
        _narrow(sheet, texts, [factor_name(f) for f in factors], n_bytes)
        return
    # Shares of the width by what each needs: its number in large type or its name in small, whichever is wider.
    needs = [max(LETTER * 25 * len(t), LETTER * 14 * len(factor_name(f))) + 8 for t, f in zip(texts, factors, strict=True)]
    shrink = min(1.0, (WIDTH - LEFT - SIGN * (len(texts) - 1)) / sum(needs))
    x = LEFT
    for k, (text, factor, need) in enumerate(zip(texts, factors, needs, strict=True)):
        width = need * shrink
        centre = (x + width / 2) / WIDTH
        size = min(25.0, (width - 4) / (LETTER * len(text)))
        sheet.write(centre, 20, f"<b>{text}</b>", size)
        name = factor_name(factor)
        sheet.write(centre, 46, name, min(14.0, (width - 2) / (LETTER * len(name))), sheet.colors.muted)
        x += width
        if k + 1 < len(texts):
            sheet.write((x + SIGN / 2) / WIDTH, 20, "×", 20, sheet.colors.muted)
            x += SIGN
    # One text, so that its parts keep their distance however narrow the figure is drawn.
    result = f"= {n_bytes:,} bytes = <b>{decimal_bytes(n_bytes)}</b> = {binary_bytes(n_bytes)}{'' if certain else ' (assumed)'}"
    sheet.write(0, 78, result, 20, sheet.colors.ink, "middle right")


def _narrow(sheet: Sheet, texts: Sequence[str], names: Sequence[str], n_bytes: int) -> None:
    """On a phone: the product on one line, what its factors are beneath, and the result."""
    for y, line, size in ((14, f"<b>{' × '.join(texts)}</b>", 18.0), (40, " × ".join(names), 13.0)):
        sheet.write(0, y, line, min(size, sheet.wide / ems(line.removeprefix("<b>").removesuffix("</b>"))), anchor="middle right")
    result = f"= {n_bytes:,} bytes = <b>{decimal_bytes(n_bytes)}</b>"
    sheet.write(0, 68, result, min(16.0, sheet.wide / ems(result)), sheet.colors.ink, "middle right")
