"""How the work grows with the length of the answer, on plain or logarithmic axes, with the factor that doubling costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.work.baselines import doubling, order, work
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.cells import waiting
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import count
from pages.parts.text.format import superscript

LEFT, RIGHT, TOP, BOTTOM = 0.075, 0.50, 34.0, 299.0  # the last in pixels on a projector
SUPERSCRIPT = {1: "", 2: "²", 3: "³"}


@dataclass(frozen=True)
class Curve:
    """One line of the figure: which work of which baseline, its name, and how it is drawn."""

    baseline: str
    kind: str
    name: str
    color: str  # a field of the palette
    dash: str


CURVES = (
    Curve("recompute", "scores", "score products, recomputing everything", "wasted", "solid"),
    Curve("cache", "scores", "score products, cache", "ink", "solid"),
    Curve("recompute", "kv_rows", "K/V rows, no cache", "wasted", "dot"),
    Curve("cache", "kv_rows", "K/V rows, cache", "ink", "dot"),
)


def growth_curves(sheet: Sheet, n_prompt: int, n_generated: int, log: bool = False, answered: bool = True) -> SheetFigure:
    """Work in all against tokens generated, up to four times n_generated; the present answer and its double are marked.

    answered: whether it goes further than the present answer.
    """
    colors, bottom = sheet.colors, BOTTOM + 0.9 * sheet.spare
    longest = 4 * n_generated
    lengths = np.unique(np.geomspace(1, longest, 48).round().astype(int)) if log else _even(longest)
    top = work("recompute", "scores", n_prompt, longest)
    to_x = _axis(1 if log else 0, longest, LEFT, RIGHT, log)
    to_y = _axis(1 if log else 0, top, bottom, TOP, log)
    _grid(sheet, to_x, to_y, (longest, top), bottom, log)
    sheet.write(0, 12, f"work in all, one head of one layer, P = {n_prompt:,}", 13, colors.muted, "middle right")
    spread = spread_out([to_y(work(c.baseline, c.kind, n_prompt, longest)) for c in CURVES], 15.0, 0.0, bottom)
    for number, (curve, y_label) in enumerate(zip(CURVES, spread, strict=True), 1):
        color = getattr(colors, curve.color)
        drawn = lengths if answered else np.append(lengths[lengths < n_generated], n_generated)
        points = [(to_x(g), to_y(work(curve.baseline, curve.kind, n_prompt, int(g)))) for g in drawn]
        sheet.line(_path(points), color, 3 * sheet.zoom, curve.dash)
        if answered:
            sheet.line(_path([points[-1], (RIGHT + 0.012, y_label)]), colors.muted, sheet.zoom, "solid")
            sheet.write(RIGHT + 0.016, y_label, str(number), 13, color, "middle right")
        for g in (n_generated, 2 * n_generated) if answered else (n_generated,):
            x, y = to_x(g), to_y(work(curve.baseline, curve.kind, n_prompt, g))
            sheet.bar(x - 0.004, y - 4, x + 0.004, y + 4, color)
    if not answered:
        waiting(sheet, (to_x(n_generated) + 0.006, TOP, RIGHT, bottom))
    _factors(sheet, n_prompt, n_generated, answered, bottom)
    return sheet.figure(bottom + 44, min_width=720)


def _even(longest: int) -> np.ndarray:
    """Lengths at equal steps, the first always 1."""
    return np.unique(np.linspace(1, longest, 48).round().astype(int))


def _axis(low: float, high: float, start: float, end: float, log: bool):
    """A number's place on the sheet."""
    a, b = (np.log10(low), np.log10(max(high, 2))) if log else (low, high)
    return lambda x: float(start + (end - start) * ((np.log10(x) if log else x) - a) / (b - a))


def _grid(sheet: Sheet, to_x, to_y, ends: tuple[int, int], bottom: float, log: bool) -> None:
    colors, (longest, top) = sheet.colors, ends
    for value in _ticks(top, log, 6):
        y = to_y(value)
        sheet.bar(LEFT, y - 0.5, RIGHT, y + 0.5, colors.hole)
        sheet.write(LEFT - 0.006, y, _short(value), 13, colors.muted, "middle left")
    for value in _ticks(longest, log, 5):
        sheet.write(to_x(value), bottom + 13, _short(value), 13, colors.muted)
    sheet.write((LEFT + RIGHT) / 2, bottom + 32, "tokens generated, G", 13, colors.muted)


def _ticks(top: int, log: bool, most: int) -> list[int]:
    if log:
        decades = int(np.log10(max(top, 1)))
        every = max(1, -(-decades // most))
        return [10**k for k in range(0, decades + 1, every)]
    step = 10 ** int(np.log10(max(top, 1)))
    step = step // 5 if top < 2 * step and step >= 5 else step // 2 if top < 5 * step and step >= 2 else step
    return list(range(0, top + 1, max(1, step)))[: most + 6]


def _short(n: int) -> str:
    """A tick: 10, 1,000, then powers of ten."""
    if n < 10_000:
        return f"{n:,}"
    mantissa, exponent = f"{n:.0e}".split("e")
    power = superscript(int(exponent))
    return f"10{power}" if mantissa == "1" else f"{mantissa}·10{power}"


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.4f},{y:.1f}" for x, y in points)


def _factors(sheet: Sheet, n_prompt: int, n_generated: int, answered: bool, bottom: float) -> None:
    """At the right: what each line stands at now, at twice the answer, and the factor between them."""
    colors, left = sheet.colors, 0.545
    now, twice, factor = 0.80, 0.905, 0.997
    sheet.write(now, 12, f"G = {n_generated:,}", 13, colors.muted, "middle left")
    sheet.write(twice, 12, f"G = {2 * n_generated:,}", 13, colors.muted, "middle left")
    sheet.write(factor, 12, "factor", 13, colors.muted, "middle left")
    step = (bottom + 14 - TOP) / len(CURVES)
    for number, curve in enumerate(CURVES, 1):
        y, color = TOP + (number - 1) * step, getattr(colors, curve.color)
        sheet.bar(left, y - 4, 1, y - 3, colors.hole)
        by = doubling(curve.baseline, curve.kind, n_prompt, n_generated)
        sheet.write(left, y + 10, f"<b>{number}</b> {curve.name}", 14, color, "middle right")
        a, b = (work(curve.baseline, curve.kind, n_prompt, g) for g in (n_generated, 2 * n_generated))
        texts = (count(a), count(b), f"<b>×{by:.3f}</b>") if answered else ("?", "?", "<b>?</b>")
        for x, text, size in zip((now, twice, factor), texts, (14, 14, 16), strict=True):
            sheet.write(x, y + 29, text, size, anchor="middle left")
        if not answered:
            continue
        far = order(doubling(curve.baseline, curve.kind, n_prompt, 1000 * n_prompt))
        sheet.write(left, y + 29, f"in the long run as N{SUPERSCRIPT[far]}", 13, colors.muted, "middle right")
