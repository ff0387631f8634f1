"""What every pass with a cache computes and reads, and beside it, once that is told, the same of a prompt and an answer twice as long."""

from pages.lessons.counting.figures.work_passes import WIDEST, segments
from pages.parts.drawing.row_strips import legend, sampled, upright
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

TOP, FOOT = 34.0, 88.0  # pixels above the passes, and of what is written beneath them
BODY, NARROW_BODY = 188.0, 164.0  # of the passes of the longer one
LEFT, ONE, APART = 0.062, 0.27, 0.1  # shares of the width: where passes begin, how wide the shorter is, from one to the other
PHONE = (0.14, 0.24, 0.12)
LARGE = 26.0
NAMES = {"prefill": "computed in prefill", "new": "computed in decode", "kept": "kept, only read"}


def boxes_read(n_prompt: int, n_generated: int) -> int:
    """Keys and values that the passes read, a box a token of each: its column's height, Σ (P + i) for i = 0…G − 1.

    >>> boxes_read(4, 8)
    60
    """
    return n_generated * n_prompt + n_generated * (n_generated - 1) // 2


def twice_as_long(sheet: Sheet, n_prompt: int, n_generated: int, told: bool) -> SheetFigure:
    """G passes across, N = P + G − 1 tokens down, and at the same size of a box twice as many of both; what is not `told` is a question
    mark in its room."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, one, apart = PHONE if phone else (LEFT, ONE, APART)
    body = NARROW_BODY if phone else BODY + 0.9 * sheet.spare
    after = left + one + apart
    tall = body * _tokens(n_prompt, n_generated) / _tokens(2 * n_prompt, 2 * n_generated)
    sheet.write(left, 11, "<b>with a KV cache</b>", 16, anchor="middle right")
    sheet.write(left - 0.012, TOP + 9, "tokens", 13, colors.muted, "middle left")
    _passes(sheet, (left, one, tall), (n_prompt, n_generated))
    sheet.write(after, 11, "<b>twice as long</b>", 16, anchor="middle right")
    if told:
        _passes(sheet, (after, 2 * one, body), (2 * n_prompt, 2 * n_generated))
    else:
        sheet.line(rectangle(after, TOP, after + 2 * one, TOP + body), colors.bar, 1.5, "dot")
        sheet.write(after + one, TOP + body / 2, "<b>?</b>", 30)
    y = TOP + body + FOOT - 14
    legend(sheet, y, NAMES if not phone else {"prefill": "prefill", "new": "decode", "kept": "read"}, 0.0 if phone else left)
    return sheet.figure(y + 14, min_width=0 if phone else 760)


def _tokens(n_prompt: int, n_generated: int) -> int:
    """In the cache at the last pass."""
    return n_prompt + n_generated - 1


def _passes(sheet: Sheet, at: tuple[float, float, float], length: tuple[int, int]) -> None:
    """One run and beneath it what it computes and reads. at: where it begins, its width, and its height in pixels."""
    (left, wide, tall), (p, g) = at, length
    upright(sheet, left, TOP, wide, tall, [segments("cache", p, i) for i in sampled(g)], _tokens(p, g))
    y, room = TOP + tall + 22, wide * sheet.wide
    for k, (n, what) in enumerate(
        ((boxes_read(p, g), "read, the new included" if not sheet.phone else "read"), (_tokens(p, g), "computed"))
    ):
        text = count(n, WIDEST)
        large = LARGE if not k else 15
        sheet.write(left, y + 24 * k, f"<b>{text}</b>", min(large, room / len(text)), anchor="middle right")
        x = left + (0.64 * min(large, room / len(text)) * len(text) + 6) / sheet.wide
        sheet.write(x, y + 24 * k + 2 * (not k), f"{plural(n, 'box')} {what}", 13, sheet.colors.muted, "middle right")
