"""How the work grows when the answer doubles: every line goes through ×1 at the present answer, and fans out to its factor at twice."""

from dataclasses import dataclass

import numpy as np

from engine.work.baselines import doubling, order, work
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.format import number, quantity

TOP, BOTTOM = 36.0, 264.0  # pixels; the second on a projector
SUPERSCRIPT = {1: "", 2: "²", 3: "³"}
TIMES = (1, 2, 4, 8)  # as much as the present answer: a cube comes to 8, and nothing grows faster
POINTS = 48


@dataclass(frozen=True)
class Curve:
    """One line of the figure: which work of which baseline, its name, and how it is drawn."""

    baseline: str
    kind: str
    name: str
    color: str  # a field of the palette
    dash: str
    width: float = 3.0  # pixels
    left: float = 1.0  # of its colour: a pale, wide line is seen beneath one that it coincides with


ASKED = Curve("cache", "scores", "score products, cache", "ink", "solid")
CURVES = (
    Curve("recompute", "scores", "score products, no cache", "wasted", "solid"),
    Curve("recompute", "kv_rows", "K/V rows, no cache", "wasted", "solid", 11.0, 0.45),
    ASKED,
    Curve("cache", "kv_rows", "K/V rows, cache", "ink", "dot"),
)


def growth_curves(sheet: Sheet, n_prompt: int, n_generated: int, answered: bool = True) -> SheetFigure:
    """Work in all against tokens generated, up to twice n_generated, in multiples of what the present answer takes.

    answered: whether the curve that is ASKED about goes further than the present answer; the others always do.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    left, right = (0.09, 0.93) if phone else (0.05, 0.545)
    bottom = 240.0 if phone else BOTTOM + 0.9 * sheet.spare
    twice = 2 * n_generated
    lengths = np.unique(np.linspace(1, twice, POINTS).round().astype(int))

    def to_x(g: float) -> float:
        return left + (right - left) * g / twice

    def to_y(times: float) -> float:
        return bottom - (bottom - TOP) * times / (1.04 * TIMES[-1])

    sheet.write(0, 12, f"times as much work as for {quantity(n_generated, 'token')}", 13, colors.muted, "middle right")
    for times in TIMES:
        sheet.bar(left, to_y(times) - 0.5, right, to_y(times) + 0.5, colors.hole)
        sheet.write(left - 0.008, to_y(times), f"×{times}", 14, colors.muted, "middle left")
    sheet.bar(left, bottom, right, bottom + 1.5, colors.muted)
    for g in (0, n_generated, twice):
        sheet.write(to_x(g), bottom + 15, f"{g:,}", 14, colors.ink if g else colors.muted)
    sheet.write((left + right) / 2, bottom + 34, "tokens generated, G", 13, colors.muted)
    if not answered:
        left_out = to_x(n_generated) + 0.008, to_y(1), to_x(twice), bottom
        sheet.bar(*left_out, colors.hole)
        sheet.write((left_out[0] + left_out[2]) / 2, (left_out[1] + left_out[3]) / 2, "?", 26)
    for curve in CURVES:
        now = work(curve.baseline, curve.kind, n_prompt, n_generated)
        color = faded(colors, getattr(colors, curve.color), curve.left)
        seen = [int(g) for g in lengths if answered or curve is not ASKED or g <= n_generated]
        points = [(to_x(g), to_y(work(curve.baseline, curve.kind, n_prompt, g) / now)) for g in seen]
        sheet.line("M" + "L".join(f"{x:.4f},{y:.1f}" for x, y in points), color, curve.width * sheet.zoom, curve.dash)
    sheet.dots([to_x(n_generated)], [to_y(1)], 11, colors.ink)
    height = _factors(sheet, n_prompt, n_generated, answered, to_y, (0.0, bottom + 74) if phone else (right + 0.02, 0.0))
    rows, products = (doubling("cache", kind, n_prompt, n_generated) for kind in ("kv_rows", "scores"))
    says = f"With a cache: rows ×{number(rows, 1)}, products ×{number(products, 1) if answered else '?'}"
    return under_headline(sheet, says).figure(max(bottom + 44, height), min_width=720)


def _factors(sheet: Sheet, n_prompt: int, n_generated: int, answered: bool, to_y, place: tuple[float, float]) -> float:
    """The factor of each line at its end, beneath each other on a phone; down to where."""
    colors, (left, first) = sheet.colors, place
    by = [doubling(c.baseline, c.kind, n_prompt, n_generated) for c in CURVES]
    told = [answered or c is not ASKED for c in CURVES]
    wanted = [to_y(factor if known else 1) for factor, known in zip(by, told, strict=True)]
    wanted = [first + 34 * k for k in range(len(CURVES))] if first else wanted
    ends = wanted if first else spread_out(wanted, 56.0, TOP, to_y(0) - 8)
    for curve, factor, shown, y, end in zip(CURVES, by, told, ends, wanted, strict=True):
        color = getattr(colors, curve.color)
        if shown and not first:
            tint = faded(colors, color, curve.left)
            sheet.line(f"M{left - 0.02:.4f},{end:.1f}L{left - 0.004:.4f},{y:.1f}", tint, min(curve.width, 6.0) / 3, curve.dash)
        sheet.write(left, y, f"<b>×{factor:.2f}</b>" if shown else "<b>?</b>", 24, color, "middle right")
        far = order(doubling(curve.baseline, curve.kind, n_prompt, 1000 * n_prompt))
        grows = f", in the long run as N{SUPERSCRIPT[far]}" * (shown and not first)
        text = left + 84 / sheet.wide
        sheet.write(text, y, f"<b>{curve.name}</b>{grows}", 16, color, "middle right")
    return ends[-1] + 30
