"""Cache bytes against tokens for several models: straight lines that bend where windows close."""

from collections.abc import Sequence

from engine.cost import ModelShape, decimal_bytes
from pages.parts.drawing.axes import LogFrame, field_range, spread_out
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, short
from pages.parts.text.format import quantity

MOST = 2**20
DASHES = ("", "dash", "dot", "dashdot")  # of the others, which are all grey
TEXT = 0.062  # from the field to the names, with a piece of the line between
ROW = 26.0  # pixels of a model's name on a phone, beneath the field


def cache_growth(
    sheet: Sheet, shapes: Sequence[ModelShape], n_tokens: int, batch: int, bits: float, memory: tuple[str, int]
) -> SheetFigure:
    """One line a model, the first in ink, the others grey and dashed. memory: devices in words and their bytes."""
    colors, (on, device_bytes) = sheet.colors, memory
    ticks = [2**k for k in range(21)]
    lines = [[shape.kv_bytes(n, batch, bits) for n in ticks] for shape in shapes]
    low, high = field_range([device_bytes, *(line[0] for line in lines), *(line[-1] for line in lines)], 1e3, 1e12)
    phone = sheet.on_phone()
    frame = LogFrame(1, MOST, low, high, *((0.17, 0.93, 28, 268) if phone else (0.075, 0.74, 26, 318)))
    title = f"bytes of KV cache, {_sequences(batch)}" + f", {bits:g} bits" * (not phone)
    frame.grid(sheet, _tokens, decimal_bytes, "tokens in a sequence", title, every=2 if phone else 1)
    at = frame.y(device_bytes)
    sheet.line(f"M{frame.left:.5f},{at:.2f}L{frame.right:.5f},{at:.2f}", colors.muted, 1.5 * sheet.zoom)
    sheet.write(frame.left + 0.006, at - 10, f"memory of {short(on, 200, 13)}", 13, colors.muted, "middle right")
    now = frame.x(n_tokens)
    sheet.line(f"M{now:.5f},{frame.top:.2f}L{now:.5f},{frame.bottom:.2f}", colors.muted, 1.2 * sheet.zoom)
    now_bytes = [shape.kv_bytes(n_tokens, batch, bits) for shape in shapes]
    wanted = [frame.y(line[-1]) for line in lines]
    labels = spread_out(wanted, 35, frame.top + 8, frame.bottom)
    _now(sheet, frame, shapes[0], n_tokens, now_bytes[0])
    for k, (shape, line) in reversed([*enumerate(zip(shapes, lines, strict=True))]):  # the chosen one above the others
        color, dash, width = (colors.ink, "", 4.0) if k == 0 else (colors.muted, DASHES[k % len(DASHES)], 2.0)
        frame.line(sheet, ticks, line, color, width, dash)
        if phone:
            _beneath(sheet, shape, frame.bottom + 62 + ROW * k, n_tokens, bits, (color, width, dash))
            continue
        sheet.line(f"M{frame.right:.5f},{wanted[k]:.2f}L{frame.right + 0.012:.5f},{labels[k] - 8:.2f}", color)
        _sample(sheet, frame.right + 0.012, labels[k] - 8, color, width, dash)
        name = short(shape.name, 0.195 * WIDTH, 15)
        sheet.write(frame.right + TEXT, labels[k] - 8, f"<b>{name}</b>", 15, color, "middle right")
        per_token = f"next token: {shape.next_token_bytes(n_tokens, bits):,} B"
        sheet.write(frame.right + TEXT, labels[k] + 9, per_token, 13, colors.muted, "middle right")
    names = [
        f"{short(shape.name, 300, 13)}<br>{quantity(n_tokens, 'token')}: {decimal_bytes(n)}"
        for shape, n in zip(shapes, now_bytes, strict=True)
    ]
    inks = [colors.ink, *(colors.muted for _ in shapes[1:])]
    sheet.dots([now for _ in now_bytes], [*map(frame.y, now_bytes)], 11, inks, hover=names)
    return sheet.figure(frame.bottom + (52 + ROW * len(shapes) if phone else 44), min_width=0 if phone else 860)


def _now(sheet: Sheet, frame: LogFrame, shape: ModelShape, n_tokens: int, n_bytes: int) -> None:
    """What the chosen model keeps at the chosen length, large, in the corner beneath all lines, which rise."""
    right, y = frame.right - 0.012, frame.bottom - 24
    said = f"{short(shape.name, 220, 15)} at {quantity(n_tokens, 'token')}"
    wide = max(15 * ems(said), 34 * ems(decimal_bytes(n_bytes)) * 1.1) / sheet.wide
    sheet.bar(right - wide - 0.01, y - 58, right + 0.008, y + 14, sheet.colors.surface)
    sheet.write(right, y - 32, f"<b>{decimal_bytes(n_bytes)}</b>", 34, anchor="middle left")
    sheet.write(right, y, said, 15, sheet.colors.muted, "middle left")


def _beneath(sheet: Sheet, shape: ModelShape, y: float, n_tokens: int, bits: float, line: tuple[str, float, str]) -> None:
    """On a phone a model's line in the legend: a piece of it, its name, and what the next token adds. line: colour, width, dash."""
    color, width, dash = line
    sheet.line(f"M0,{y:.2f}L0.1,{y:.2f}", color, width * sheet.zoom, dash)
    sheet.write(0.12, y, f"<b>{short(shape.name, 0.37 * sheet.wide, 15)}</b>", 15, color, "middle right")
    per_token = f"next token: {shape.next_token_bytes(n_tokens, bits):,} B"
    sheet.write(1, y, per_token, 13, sheet.colors.muted, "middle left")


def _sample(sheet: Sheet, x: float, y: float, color: str, width: float, dash: str) -> None:
    """A piece of a model's line in front of its name."""
    sheet.line(f"M{x:.5f},{y:.2f}L{x + TEXT - 0.018:.5f},{y:.2f}", color, width * sheet.zoom, dash)


def _tokens(n: float) -> str:
    return f"{n:,.0f}"


def _sequences(batch: int) -> str:
    return "1 sequence" if batch == 1 else f"{batch:,} sequences"
