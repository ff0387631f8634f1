"""Texts behind caches of equal size, with and without their first tokens: perplexities of this model, and of a published one."""

from collections.abc import Sequence

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number

TOP, ROW = 48.0, 62.0
PANELS = ((0.0, 0.47), (0.53, 1.0))  # left and right edge
NAMES, NUMBER = 0.15, 0.085  # of the width, for the names of bars and what stands behind them


def sinks(
    sheet: Sheet, name: str, bars: Sequence[tuple[str, float | None]], published: Sequence[tuple[str, float | None]]
) -> SheetFigure:
    """bars: perplexity behind each cache, None where it waits for an answer; published: of a large model, on another text."""
    if sheet.on_phone():
        edges, tops = ((0.0, 1.0), (0.0, 1.0)), (0.0, TOP + len(bars) * ROW + 14)
    else:
        edges, tops = PANELS, (0.0, 0.0)
    for (title, some), (left, right), top in zip(
        ((short(name, 200, 16), bars), ("Llama-2-13B, published", published)), edges, tops, strict=True
    ):
        sheet.write(left, top + 14, f"<b>{title}</b>: perplexity", 16, anchor="middle right")
        _bars(sheet, some, (left, right), top + TOP)
    return sheet.figure(tops[1] + TOP + max(len(bars), len(published)) * ROW + 4)


def _bars(sheet: Sheet, bars: Sequence[tuple[str, float | None]], edges: tuple[float, float], top: float) -> None:
    """Named bars from 0, the longest as long as there is room; one that waits is a question mark."""
    colors, most = sheet.colors, max((p for _, p in bars if p), default=1.0)
    scale = WIDTH / sheet.wide
    left, right = edges[0] + NAMES * min(scale, 2.2), edges[1] - NUMBER * min(scale, 2.4)
    for r, (name, p) in enumerate(bars):
        y = top + (r + 0.5) * ROW
        for line, text in enumerate(lines := name.split(" + ")):
            said = f"+ {text}" if line else text
            sheet.write(left - 0.012, y + 9 * (2 * line + 1 - len(lines)), said, 14, anchor="middle left")
        sheet.share_bar((left, y - 22, right, y + 22), (p or 0) / most, colors.bar)
        written = "?" if p is None else number(p, 2) if p < 1000 else f"{p:,.0f}"
        sheet.write(edges[1], y, f"<b>{written}</b>", 24, anchor="middle left")
