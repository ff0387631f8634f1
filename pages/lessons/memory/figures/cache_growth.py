"""Cache bytes against tokens for several models and the toy: straight lines that bend where windows close."""

from collections.abc import Sequence

from engine.cost import ModelShape, decimal_bytes
from pages.parts.drawing.axes import LogFrame, field_range, spread_out
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.format import number, quantity

MOST = 2**20
DASHES = ("", "dash", "dot", "dashdot")  # beside the colours, for whoever sees none
TEXT = 0.062  # from the field to the names, with a piece of the line between


def cache_growth(
    sheet: Sheet,
    shapes: Sequence[ModelShape],
    n_tokens: int,
    batch: int,
    bits: float,
    memory: tuple[str, int],
    toy: tuple[int, int],
) -> SheetFigure:
    """One line a model, each in its colour, the first in ink.

    memory: devices in words and their bytes. toy: (tokens, bytes) of the cache that the other lessons fill.
    """
    colors, (on, device_bytes) = sheet.colors, memory
    series = (colors.ink, colors.query, colors.value, colors.key)
    ticks = [2**k for k in range(21)]
    lines = [[shape.kv_bytes(n, batch, bits) for n in ticks] for shape in shapes]
    toy_per_token = toy[1] / toy[0]
    low, high = field_range([toy_per_token, device_bytes, *(line[0] for line in lines), *(line[-1] for line in lines)], 1e3, 1e12)
    frame = LogFrame(1, MOST, low, high, 0.075, 0.74, 26, 318)
    frame.grid(sheet, _tokens, decimal_bytes, "tokens in a sequence", f"bytes of KV cache, {_sequences(batch)}, {bits:g} bits")
    at = frame.y(device_bytes)
    sheet.line(f"M{frame.left:.5f},{at:.2f}L{frame.right:.5f},{at:.2f}", colors.muted, 1.5 * sheet.zoom)
    sheet.write(frame.left + 0.006, at - 10, f"memory of {short(on, 200, 13)}", 13, colors.muted, "middle right")
    now = frame.x(n_tokens)
    sheet.frame(now, frame.top, now, frame.bottom, colors.muted, 1.2)
    sheet.write(now, frame.top - 14, f"{n_tokens:,}", 13.5, colors.ink)
    now_bytes = [shape.kv_bytes(n_tokens, batch, bits) for shape in shapes]
    wanted = [frame.y(line[-1]) for line in lines]
    labels = spread_out(wanted, 35, frame.top + 8, frame.bottom)
    for k, (shape, line) in enumerate(zip(shapes, lines, strict=True)):
        color, dash = series[k % len(series)], DASHES[k % len(DASHES)]
        width = 3.5 if k == 0 else 2.5
        frame.line(sheet, ticks, line, color, width, dash)
        sheet.line(f"M{frame.right:.5f},{wanted[k]:.2f}L{frame.right + 0.012:.5f},{labels[k] - 8:.2f}", color)
        _sample(sheet, frame.right + 0.012, labels[k] - 8, color, width, dash)
        name = short(shape.name, 0.195 * WIDTH, 15)
        sheet.write(frame.right + TEXT, labels[k] - 8, f"<b>{name}</b>", 15, color, "middle right")
        per_token = f"next token: {shape.next_token_bytes(n_tokens, bits):,} B"
        sheet.write(frame.right + TEXT, labels[k] + 9, per_token, 13, colors.muted, "middle right")
    toy_line = [toy_per_token * n for n in (1, 64)]
    frame.line(sheet, (1, 64), toy_line, colors.cached, 3)
    name = f"<b>the toy</b>: {number(toy_per_token)} B a token, {toy[1]:,} B now"
    sheet.write(frame.x(64) + 0.01, frame.y(toy_line[1]), name, 13.5, colors.ink, "middle right")
    names = [
        f"{short(shape.name, 300, 13)}<br>{quantity(n_tokens, 'token')}: {decimal_bytes(n)}"
        for shape, n in zip(shapes, now_bytes, strict=True)
    ]
    sheet.dots(
        [*(now for _ in now_bytes), frame.x(toy[0])],
        [*map(frame.y, now_bytes), frame.y(toy[1])],
        11,
        [*(series[k % len(series)] for k in range(len(shapes))), colors.cached],
        hover=[*names, f"the toy<br>{quantity(toy[0], 'token')}: {toy[1]:,} B"],
    )
    return sheet.figure(frame.bottom + 44, min_width=860)


def _sample(sheet: Sheet, x: float, y: float, color: str, width: float, dash: str) -> None:
    """A piece of a model's line in front of its name."""
    sheet.line(f"M{x:.5f},{y:.2f}L{x + TEXT - 0.018:.5f},{y:.2f}", color, width * sheet.zoom, dash)


def _tokens(n: float) -> str:
    return f"{n:,.0f}"


def _sequences(batch: int) -> str:
    return "1 sequence" if batch == 1 else f"{batch:,} sequences"
