"""The lines of values to the row that asks: how wide one is, where it goes along, and what it carries."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

from engine.cost.units import rounded
from engine.toy.rules import LITTLE
from pages.lessons.rules.figures.look import AT, TO_FIND, HeadLine, Look
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.machine_rows import Place
from pages.parts.drawing.sheet import WIDTH, bold, ems
from pages.parts.text.digits import as_number, share_said
from pages.parts.text.format import SEEN, entered

WHOLE, LOWEST = 24.0, 44.0  # pixels of a line that carries a whole value, and of a row that has room for words beneath its cells
PRODUCT = 16.0  # type size of what a line carries


def level_of(j: int, row: int, place: Place, box: Grid) -> float:
    """Where the way of a token goes along: in its row, and in the row that asks beneath the cells."""
    return place.middle(j) if j != row else (float(box.y[1]) + float(place.tops[row + 1])) / 2


def whole(place: Place) -> float:
    """Pixels of a line that carries a whole value."""
    return min(WHOLE, 0.34 * place.tall)


def products_of(line: HeadLine, look: Look, place: Place, box: Grid) -> dict[int, tuple[float, float, str]]:
    """What each line carries, where it turns: token -> (x, y, text). None where the sum is to be found, of a token that comes later than
    the one that asks, whose line comes from beneath, and where there is no room."""
    looks, row, found = line.looks, look.query, {}
    if not look.told or line.result == TO_FIND or place.tall < LOWEST:
        return found
    for j in (j for j in looks.visible if j <= row and abs(looks.weights[j]) > SEEN):
        share, value = looks.weights[j], looks.values[j]
        text, product = f"{share_said(float(share))} × {entered(value)}", product_said(float(share), float(value))
        x, until = float(box.across[j]) + (whole(place) * share / 2 + 8) / WIDTH, AT.context
        if j == row:  # at the right of the cells, which stand close above its line
            x, until = max(x, float(box.x[-1]) + 8 / WIDTH), AT.heads[0] - 8 / WIDTH
        if x + ems(f"{text} {product}") * PRODUCT / WIDTH <= until:
            sign, product = product.split(" ", 1)
            found[j] = x, level_of(j, row, place, box), f"{text} {sign} {bold(product)}"
    return found


def shares_said(weights: Sequence[float], values: Sequence[float]) -> list[str]:
    """Weights as they are written; “≈ 0” is one that is written 0 and makes some of the context that is written.

    >>> shares_said([0.0003, 0.9997], [10.0, 2.5]), shares_said([0.0003, 0.9997], [900.0, 2.5]), shares_said([0.0002, 0.9], [9.0, 0.0])
    (['0', '0.9997'], ['≈ 0', '0.9997'], ['≈ 0', '0.9'])
    """
    parts = [float(w * v) for w, v in zip(weights, values, strict=True)]
    counts = min(0.005, 0.01 * abs(sum(parts)))
    return [
        "≈ 0" if text == "0" and w > LITTLE and abs(part) >= counts else text
        for text, w, part in zip(map(share_said, weights), weights, parts, strict=True)
    ]


def product_said(share: float, value: float) -> str:
    """What a share of a value is, behind its sign: to two decimals, more where it is small, and said to be rounded where it is, or
    where the share is written rounded.

    >>> product_said(0.25, 10.0), product_said(1 / 3, 20.0), product_said(0.5, 0.004), product_said(0.2936, 50.0)
    ('= 2.5', '≈ 6.67', '= 0.002', '≈ 14.68')
    """
    product = share * value
    if not isfinite(product):
        return "= NaN"
    said = entered(product if abs(product) < 0.005 else rounded(product, 2))
    off = max(abs(as_number(said) - x) for x in (product, float(Fraction(share_said(share))) * value))
    return f"{'=' if off <= 1e-4 * min(1, abs(product)) else '≈'} {said}"
