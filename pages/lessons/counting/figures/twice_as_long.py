"""What every pass with a cache computes and reads, and beside it, once that is told, the same of a prompt and an answer twice as long."""

from pages.lessons.counting.figures.work_passes import WIDEST, segments, sums_at_the_right
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import legend, sampled, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.amounts import count
from pages.parts.text.format import number, plural

TOP, FOOT = 34.0, 88.0  # pixels above the passes, and of what is written beneath them
BODY, NARROW_BODY = 160.0, 176.0  # of the passes of the longer one
# Shares of the width
LEFT = 0.062  # where the passes begin
ONE = 0.27  # of the shorter ones
APART = 0.1  # from the shorter ones to the longer ones
PHONE_LEFT = 0.14  # where both begin on a phone, the longer ones beneath
PHONE_TOP = 26.0  # pixels above the shorter ones there
BETWEEN = 38.0  # pixels from the shorter ones down to the longer ones
LARGE = 26.0  # type size of how many boxes are read, at most
NAMES = {"prefill": "computed in prefill", "new": "computed in decode", "read": "only read"}


def boxes_read(n_prompt: int, n_generated: int) -> int:
    """Keys and values that the passes read, a box a token of each: its column's height, Σ (P + i) for i = 0…G − 1.

    >>> boxes_read(4, 8)
    60
    """
    return n_generated * n_prompt + n_generated * (n_generated - 1) // 2


def twice_as_long(sheet: Sheet, n_prompt: int, n_generated: int, told: bool) -> SheetFigure:
    """G passes across, N = P + G − 1 tokens down, and at the same size of a box twice as many of both; what is not `told` is a question
    mark in its room."""
    if sheet.on_phone():
        return _beneath_each_other(sheet, n_prompt, n_generated, told)
    colors, left, one, apart = sheet.colors, LEFT, ONE, APART
    body = BODY + 0.9 * sheet.spare
    after = left + one + apart
    tall = body * _tokens(n_prompt, n_generated) / _tokens(2 * n_prompt, 2 * n_generated)
    sheet.write(left, 11, "<b>with a KV cache</b>", 16, anchor="middle right")
    sheet.write(left - 0.012, TOP + 9, "tokens", 13, colors.muted, "middle left")
    _passes(sheet, (left, TOP, one, tall), (n_prompt, n_generated))
    sheet.write(after, 11, "<b>twice as long</b>", 16, anchor="middle right")
    if told:
        _passes(sheet, (after, TOP, 2 * one, body), (2 * n_prompt, 2 * n_generated))
    else:
        sheet.line(rectangle(after, TOP, after + 2 * one, TOP + body), colors.bar, 1.5, "dot")
        sheet.write(after + one, TOP + body / 2, "<b>?</b>", 30)
    y = TOP + body + FOOT - 14
    legend(sheet, y, NAMES, left)
    return under_headline(sheet, _in_a_line(n_prompt, n_generated, told)).figure(y + 14, min_width=760)


def _in_a_line(n_prompt: int, n_generated: int, told: bool) -> str:
    """How many times as many boxes twice the length reads, in few words."""
    grows = boxes_read(2 * n_prompt, 2 * n_generated) / boxes_read(n_prompt, n_generated)
    return f"Twice as long: {number(grows, 2) if told else '?'} times as many boxes read"


def _beneath_each_other(sheet: Sheet, n_prompt: int, n_generated: int, told: bool) -> SheetFigure:
    """The same for a phone: the longer one has all the width, beneath the shorter."""
    colors, left, wide, top = sheet.colors, PHONE_LEFT, 1 - PHONE_LEFT, PHONE_TOP
    tall = NARROW_BODY * _tokens(n_prompt, n_generated) / _tokens(2 * n_prompt, 2 * n_generated)
    sheet.write(left - 0.012, top + 9, "tokens", 13, colors.muted, "middle left")
    for k, (title, share, high) in enumerate((("with a KV cache", 0.5, tall), ("twice as long", 1.0, NARROW_BODY))):
        length = (k + 1) * n_prompt, (k + 1) * n_generated
        sheet.write(0, top - 15, f"<b>{title}</b>", 16, anchor="middle right")
        if told or not k:
            _columns(sheet, (left, top, share * wide, high), length)
            _sums(sheet, top - 15, length)
        else:
            sheet.line(rectangle(left, top, 1, top + high), colors.bar, 1.5, "dot")
            sheet.write(left + wide / 2, top + high / 2, "<b>?</b>", 30)
        top += high + BETWEEN
    legend(sheet, top - 12, {"prefill": "prefill", "new": "decode", "read": "read"}, 0.0)
    return under_headline(sheet, _in_a_line(n_prompt, n_generated, told)).figure(top + 2)


def _sums(sheet: Sheet, y: float, length: tuple[int, int]) -> None:
    """What one run reads, large, and, where there is room for it, what it computes, in the line of its title."""
    said = f"{plural(boxes_read(*length), 'box')} read"
    sums_at_the_right(sheet, y, count(boxes_read(*length), WIDEST), (f"{said}, {count(_tokens(*length), WIDEST)} computed", said))


def _tokens(n_prompt: int, n_generated: int) -> int:
    """In the cache at the last pass."""
    return n_prompt + n_generated - 1


def _columns(sheet: Sheet, at: tuple[float, float, float, float], length: tuple[int, int]) -> None:
    """The passes of one run. at: their left and upper edge, their width, and their height in pixels."""
    (left, top, wide, tall), (p, g) = at, length
    strips(sheet, (left, top, wide, tall), [segments("cache", p, i) for i in sampled(g)], _tokens(p, g))


def _passes(sheet: Sheet, at: tuple[float, float, float, float], length: tuple[int, int]) -> None:
    """One run and beneath it what it computes and reads. at: where it begins, its width, and its height in pixels."""
    (left, top, wide, tall), (p, g) = at, length
    _columns(sheet, at, length)
    y, room = top + tall + 22, wide * sheet.wide
    for k, (n, what) in enumerate(((boxes_read(p, g), "read, the new included"), (_tokens(p, g), "computed"))):
        text = count(n, WIDEST)
        large = LARGE if not k else 15
        sheet.write(left, y + 24 * k, f"<b>{text}</b>", min(large, room / len(text)), anchor="middle right")
        x = left + (0.64 * min(large, room / len(text)) * len(text) + 6) / sheet.wide
        sheet.write(x, y + 24 * k + 2 * (not k), f"{plural(n, 'box')} {what}", 13, sheet.colors.muted, "middle right")
