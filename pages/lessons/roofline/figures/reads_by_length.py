"""What one decode step reads against the length of its context: the weights, and the cache, which outgrows them or does not."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import plain_number
from pages.parts.text.format import quantity


def reads_by_length(
    sheet: Sheet,
    weights: float,
    name: str,
    kept: Sequence[tuple[int, float]],
    now: tuple[int, float],
    even: int | None,
    known: bool,
) -> SheetFigure:
    """weights: bytes. kept: (tokens, bytes), named `name`, the shortest first; now: the context at hand. even: up to how many tokens
    they do not outweigh the weights, None for any length. known: the line is drawn as far as it goes, and even is marked."""
    colors = sheet.colors
    lengths, sizes = zip(*kept, strict=True)
    x1 = 10.0 ** len(str(lengths[-1] - 1))
    y0, y1 = field_range([max(sizes[0], 1.0), weights], max(sizes[0], 1.0), 2 * max(weights, sizes[-1]))
    frame = LogFrame(1, x1, y0, y1, *((0.18, 0.985) if sheet.on_phone() else (0.085, 0.8)), 28, 262)
    frame.grid(
        sheet,
        plain_number,
        decimal_bytes,
        "tokens of context",
        "bytes that one step reads",
        every=2 if sheet.phone or y1 / y0 > 1e8 else 1,
    )
    frame.line(sheet, (1, x1), (weights, weights), colors.bar, 4)
    end, said = frame.right + 0.012, f"<b>parameters</b>: {decimal_bytes(weights)}"
    if sheet.phone:
        sheet.write(frame.left + 0.012, frame.y(weights) - 15, said, 15, anchor="middle right")
    else:
        sheet.write(end, frame.y(weights), said, 15, anchor="middle right")
    shown = [(n, b) for n, b in kept if known or n <= _hidden_from(now[0], even)]
    if len(shown) > 1:
        _kept_line(sheet, frame, shown)
    n, n_bytes = shown[-1]
    if not known:
        at = frame.x(n)
        sheet.bar(at, frame.top, frame.right, frame.bottom, colors.hole + "66")
        asks = "where do<br>they meet?" if sheet.phone else "where do the two meet?"
        sheet.write((at + frame.right) / 2, (frame.top + frame.y(weights)) / 2, asks, 16)
    elif sheet.phone:
        middle, size = kept[len(kept) // 3]
        sheet.write(frame.x(middle) - 0.02, frame.y(size) - 10, f"<b>{name}</b>", 15, colors.ink, "middle left")
    else:
        sheet.write(end, _clear_of(frame.y(n_bytes), frame.y(weights)), f"<b>{name}</b>", 15, colors.ink, "middle right")
    if now[0] <= n:
        _mark(sheet, frame, now, f"{name} at {now[0]:,}:{'<br>' if sheet.phone else ' '}{decimal_bytes(now[1])}")
    if known and even:
        at = frame.x(even)
        sheet.line(f"M{at:.5f},{frame.y(weights):.2f}L{at:.5f},{frame.bottom:.2f}", colors.ink, 1.6, "dot")
        sheet.dots([at], [frame.y(weights)], 15, colors.surface, (colors.ink, 2.5))
        low = frame.y(weights) + 22 if sheet.phone else frame.y(weights) - 18
        sheet.write(at - 0.01, low, f"<b>✓ {quantity(even, 'token')}</b>", 15, anchor="middle left")
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 800)


def _kept_line(sheet: Sheet, frame: LogFrame, shown: Sequence[tuple[int, float]]) -> None:
    """Keys and values, a line of each beside the other: the two together are what is read."""
    for color, by in ((sheet.colors.key, -1.5), (sheet.colors.value, 1.5)):
        path = "M" + "L".join(f"{frame.x(n):.5f},{frame.y(n_bytes) + by:.2f}" for n, n_bytes in shown)
        sheet.line(path, color, 3 * sheet.zoom)


def _hidden_from(now: int, even: int | None) -> int:
    """The longest context that is drawn before the answer: the one at hand, or one from which the answer is still far."""
    return now if even is None else min(now, max(1, even // 8))


def _clear_of(y: float, other: float) -> float:
    """A height beside `y` for a word, not on the word at the other height."""
    return y if abs(y - other) >= 20 else other + (20 if y >= other else -20)


def _mark(sheet: Sheet, frame: LogFrame, point: tuple[int, float], text: str) -> None:
    """A dot on the line of what is kept, with what it is."""
    x, y = frame.x(point[0]), frame.y(point[1])
    sheet.dots([x], [y], 15, sheet.colors.ink)
    if sheet.phone:
        sheet.write(min(x + 0.03, 0.67), y + 34 if y + 60 < frame.bottom else y - 34, text, 15, sheet.colors.ink, "middle right")
        return
    # The line rises: beneath it to the right, above it to the left.
    left = x + 0.02 + 0.53 * 15 * len(text) / sheet.wide > frame.right
    by = -20 if left or y + 30 > frame.bottom else 20
    sheet.write(x + (-0.014 if left else 0.014), y + by, text, 15, sheet.colors.ink, f"middle {'left' if left else 'right'}")
