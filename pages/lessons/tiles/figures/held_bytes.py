"""Bytes that attention needs at a time against tokens: the whole map, the rows it is made of, and one tile."""

from collections.abc import Callable, Sequence

from engine.cost import decimal_bytes
from pages.parts.drawing.axes import LogFrame, spread_out
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import plain_number

LEAST, MOST = 64, 2**20
TITLE = 0.38  # where that of the frame has ended
ROW = 30.0  # pixels of a line's name and bytes on a phone, beneath the frame
DASHES = ("", "dash", "dot")
VEILED = 1024  # tokens beyond which the line that is asked for waits for the answer


def held_bytes(sheet: Sheet, lines: Sequence[tuple[str, Callable[[int], float]]], n: int, answered: bool) -> SheetFigure:
    """lines: a name and bytes as a function of tokens, the whole map first; n: where they are read off.

    answered: whether the first one's number is shown.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    left, right, bottom = (0.16, 0.92, 250) if phone else (0.075, 0.70, 258)
    frame = LogFrame(LEAST, MOST, 1e3, 1e13, left, right, 30, bottom)
    title = "bytes for one head of one layer" + ", 2 a number" * (not phone)
    frame.grid(sheet, plain_number, decimal_bytes, "tokens", title, every=2)
    now = frame.x(n)
    sheet.frame(now, frame.top, now, frame.bottom, colors.muted, 1.2)
    if now > TITLE and not phone:
        sheet.write(now, frame.top - 12, f"{n:,}", 13.5, colors.ink)
    else:  # beneath the title
        back = now > 0.7
        at = now - 0.008 if back else now + 0.008
        sheet.write(at, frame.top + 12, f"{n:,}", 13.5, colors.ink, "middle left" if back else "middle right")
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
        said = "?" if hidden else f"<b>{decimal_bytes(bytes_of(n))}</b>"
        if phone:
            y = frame.bottom + 68 + ROW * k
            sheet.line(f"M0,{y:.2f}L0.1,{y:.2f}", color, 3, DASHES[k])
            sheet.write(0.12, y, f"<b>{name}</b>", 14.5, color, "middle right")
            sheet.write(1, y, said, 22, anchor="middle left")
            continue
        sheet.write(0.715, y - 9, f"<b>{name}</b>", 14.5, color, "middle right")
        sheet.write(0.715, y + 14, said, 24, anchor="middle right")
    if not answered and n > VEILED:
        now_bytes = now_bytes[1:]
    sheet.dots([now] * len(now_bytes), [*map(frame.y, now_bytes)], 10, colors.ink)
    below = 60 + ROW * len(lines) if phone else 42
    return sheet.figure(frame.bottom + below, min_width=0 if phone else 760)
