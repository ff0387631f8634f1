"""What a long prompt takes in one pass: the square of its products, and to the same scale those of prompts twice and four times as
long."""

from engine.work.prompt_chunks import PromptWork, prompt_work
from pages.parts.drawing.grid import Box
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle, type_size
from pages.parts.text.format import plural, quantity

SIDE, PHONE_SIDE = 318.0, 172.0  # pixels of the largest square down, and on a phone across as well
LEFT = 0.004  # of the width, where the first square begins
TOP = 4.0  # pixels above the squares
APART = 14.0  # pixels between a square and what is said of it
HIGH, BY_HEIGHT = 350.0, 2.6  # pixels of the figure at 1280 × 720, and how many times as wide as high it is on a higher screen
LARGE, LINE = 34.0, 22.0  # type size of the products, and pixels of a line beneath them
PHONE_LINE, PHONE_NUMBER = 24.0, 0.36  # on a phone: pixels of a square's line, and where its number ends
MOST_STEPS = 60  # rows of which each is a step
MOST_LINED = 40  # rows between which lines can be seen
TIMES = (1, 2, 4)  # as long as the prompt are those that are drawn
PALE = 0.5  # of its colour has what a square has more than the one before it


def prompt_cost(sheet: Sheet, n_prompt: int, one_pass: PromptWork, hidden: bool = False) -> SheetFigure:
    """Counts of one pass over n_prompt tokens, per head and layer; nothing of that size is drawn or held.

    hidden: how many products of it count is still to be found.
    """
    phone = sheet.on_phone()
    side = PHONE_SIDE if phone else SIDE
    wide = side / sheet.wide if phone else _width_of(sheet, side)
    room = (1.0 - LEFT - wide * sum(TIMES) / TIMES[-1]) / (2 if phone else 3)  # beside each square, on a phone between them
    left, bottom = LEFT, TOP + side
    for k, times in enumerate(TIMES):
        share = times / TIMES[-1]
        box = (left, bottom - share * side, left + share * wide, bottom)
        _square(sheet, times * n_prompt, box, first=not k)
        work = prompt_work(times * n_prompt, times * n_prompt) if k else one_pass
        left = box[2] + room
        if phone:
            _on_a_line(sheet, times * n_prompt, work, bottom + 24 + k * PHONE_LINE)
        else:
            _beside(sheet, (times * n_prompt, hidden), work, (box[2] + APART / sheet.wide, bottom, left - APART / sheet.wide))
    return sheet.figure(bottom + (24 + len(TIMES) * PHONE_LINE if phone else 6), min_width=680)


def _beside(sheet: Sheet, of: tuple[int, bool], work: PromptWork, place: tuple[float, float, float]) -> None:
    """What a square has, at its right, down to its foot: its products, of how many tokens, and how many of them count. of: the tokens,
    and whether that is still to be found. place: left edge, foot, right edge."""
    (n, hidden), (x, y, right), colors = of, place, sheet.colors
    masked, count = work.scores_dense - work.scores, plural(work.scores, "counts", "count")
    lines = [("? count" if hidden else f"{work.scores:,} {count}", colors.prefill)]
    lines += [(f"{masked:,} hidden", colors.muted)] if masked and not hidden else []
    pixels = (right - x) * sheet.wide
    for k, (said, color) in enumerate(reversed(lines)):
        sheet.write(x, y - LINE * (k + 0.5), said, type_size(said, pixels, 15), color, "middle right")
    y -= LINE * len(lines)
    tokens = quantity(n, "token")
    sheet.write(x, y - 0.5 * LINE, tokens, type_size(tokens, pixels, 16), anchor="middle right")
    number = f"{work.scores_dense:,}"
    sheet.write(x, y - LINE - 0.55 * LARGE, f"<b>{number}</b>", type_size(number, pixels, LARGE), anchor="middle right")


def _on_a_line(sheet: Sheet, n: int, work: PromptWork, y: float) -> None:
    """The same on a phone, beneath the squares: the products, and of how many tokens."""
    number, said = f"{work.scores_dense:,}", f"{plural(work.scores_dense, 'product')} of {quantity(n, 'token')}"
    size = type_size(number, PHONE_NUMBER * sheet.wide, 20)
    sheet.write(PHONE_NUMBER, y, f"<b>{number}</b>", size, anchor="middle left")
    room = (1 - PHONE_NUMBER - 0.03) * sheet.wide
    sheet.write(PHONE_NUMBER + 0.03, y, said, type_size(said, room, 15), sheet.colors.muted, "middle right")


def _width_of(sheet: Sheet, side: float) -> float:
    """Share of the width that is as many pixels as `side` is down: a figure is drawn out differently in both directions."""
    drawn = max(sheet.high, HIGH)
    return side * drawn / (TOP + side + 6) / (ACROSS if drawn <= HIGH else BY_HEIGHT * drawn)


def _square(sheet: Sheet, n: int, box: Box, first: bool) -> None:
    """Every query times every key of n tokens; what the mask hides is a hole. In a quarter of it stands the square before it, where it
    is not the first."""
    colors, (left, top, right, bottom) = sheet.colors, box
    middle, half = ((left + right) / 2, (top + bottom) / 2) if not first else (right, bottom)
    sheet.bar(*box, colors.hole)
    if not first:
        sheet.path(_stairs(n, *box), faded(colors, colors.prefill, PALE))
        sheet.bar(left, top, middle, half, colors.hole)
    sheet.path(_stairs(n if first else n // 2, left, top, middle, half), colors.prefill)
    if n <= MOST_LINED:
        _lines(sheet, box, [k / n for k in range(1, n)], 1)
    if not first:
        _lines(sheet, box, [0.5], 4)
    sheet.line(rectangle(left, top, middle, half), colors.prefill, 2)


def _lines(sheet: Sheet, box: Box, ends: list[float], width: float) -> None:
    """Lines across and down, at those shares of a square."""
    left, top, right, bottom = box
    lines = [
        f"M{left + (right - left) * at:.5f},{top:.1f}V{bottom:.1f}M{left:.5f},{top + (bottom - top) * at:.2f}H{right:.5f}"
        for at in ends
    ]
    if lines:
        sheet.line("".join(lines), sheet.colors.surface, width)


def _stairs(n: int, left: float, top: float, right: float, bottom: float) -> str:
    """The products that count: a step for each row while one can see them, then a straight line."""
    if n > MOST_STEPS:
        return f"M{left},{top}L{right},{bottom}L{left},{bottom}Z"
    x = [left + (right - left) * k / n for k in range(n + 1)]
    y = [top + (bottom - top) * k / n for k in range(n + 1)]
    corners = [f"{x[k + 1]:.5f},{y[k]:.2f}L{x[k + 1]:.5f},{y[k + 1]:.2f}" for k in range(n)]
    return f"M{left},{top}L" + "L".join(corners) + f"L{left},{bottom}Z"
