"""Bytes that attention needs at a time against tokens: the whole map, the rows it is made of, and one tile."""

from collections.abc import Callable, Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.axes import LogFrame, spread_out
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import plain_number

LEAST, MOST = 64, 2**20
TITLE = 0.38  # where that of the frame has ended
DASHES = ("", "dash", "dot")
VEILED = 1024  # tokens beyond which the line that is asked for waits for the answer


def held_bytes(sheet: Sheet, lines: Sequence[tuple[str, Callable[[int], float]]], n: int, answered: bool) -> SheetFigure:
    """lines: a name and bytes as a function of tokens, the whole map first; n: where they are read off.

    answered: whether the first one's number is shown.
    """
    colors = sheet.colors
    frame = LogFrame(LEAST, MOST, 1e3, 1e13, 0.075, 0.70, 30, 258)
    frame.grid(sheet, plain_number, decimal_bytes, "tokens", "bytes for one head of one layer, 2 a number", every=2)
    now = frame.x(n)
    sheet.frame(now, frame.top, now, frame.bottom, colors.muted, 1.2)
    if now > TITLE:
        sheet.write(now, frame.top - 12, f"{n:,}", 13.5, colors.ink)
    else:  # beneath the title
        sheet.write(now + 0.008, frame.top + 12, f"{n:,}", 13.5, colors.ink, "middle right")
    now_bytes = [bytes_of(n) for _, bytes_of in lines]
    ends = [VEILED if k == 0 and not answered else MOST for k in range(len(lines))]
    labels = spread_out(
        [frame.y(bytes_of(end)) for (_, bytes_of), end in zip(lines, ends, strict=True)], 54, frame.top + 8, frame.bottom
    )
    ticks = [2**k for k in range(6, 21)]
    for k, ((name, bytes_of), color) in enumerate(zip(lines, (colors.wasted, colors.muted, colors.ink), strict=False)):
        y, hidden = labels[k], k == 0 and not answered
        seen = [t for t in ticks if t <= VEILED or not hidden]
        frame.line(sheet, seen, [bytes_of(t) for t in seen], color, 3, DASHES[k])
        sheet.write(0.715, y - 9, f"<b>{name}</b>", 14.5, color, "middle right")
        said = "?" if hidden else f"<b>{decimal_bytes(bytes_of(n))}</b>"
        sheet.write(0.715, y + 14, said, 24, anchor="middle right")
    if not answered and n > VEILED:
        now_bytes = now_bytes[1:]
    sheet.dots([now] * len(now_bytes), [*map(frame.y, now_bytes)], 10, colors.ink)
    return sheet.figure(frame.bottom + 42, min_width=760)
