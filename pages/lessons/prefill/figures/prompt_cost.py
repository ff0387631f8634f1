"""What a long prompt takes in one pass: the square of products that grows with it, their numbers, and as bars the passes that one
saves."""

from engine.work.prompt_chunks import PromptWork, prompt_work
from pages.parts.drawing.grid import Box
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, rectangle, short
from pages.parts.text.format import plural, quantity

SIDE, PHONE_SIDE = 300.0, 196.0  # pixels of the square down, and on a phone across as well
LEFT, TOP, BESIDE = 0.004, 34.0, 0.53  # where it begins, and where the numbers do
HIGH, BY_HEIGHT = 350.0, 2.6  # pixels of the figure at 1280 × 720, and how many times as wide as high it is on a higher screen
LARGE, PHONE_LARGE = 34.0, 24.0  # type size of the numbers
PHONE_STEP = 122.0  # pixels of two bars there
MOST_STEPS = 60  # rows of which each is a step
MOST_LINED = 40  # rows between which lines can be seen


def prompt_cost(sheet: Sheet, n_prompt: int, one_by_one: PromptWork, one_pass: PromptWork, hidden: bool = False) -> SheetFigure:
    """Counts of both ways through a prompt of n_prompt tokens, per head and layer; nothing of that size is drawn or held.

    hidden: how many products one pass has is still to be found.
    """
    phone = sheet.on_phone()
    side = PHONE_SIDE if phone else SIDE
    box = (LEFT, TOP, LEFT + side / sheet.wide if phone else LEFT + _width_of(sheet, side), TOP + side)
    _square(sheet, n_prompt, box)
    _four_times(sheet, n_prompt, box)
    x, y = (0.0, TOP + side + 30) if phone else (BESIDE, TOP + 4)
    step = PHONE_STEP if phone else (side - 4) / 2
    _passes(sheet, (x, y, step), one_by_one.passes, one_pass.passes)
    _products(sheet, (x, y + step, step), n_prompt, one_pass, hidden)
    return sheet.figure(y + 2 * step + 6 if phone else box[3] + 6, min_width=0 if phone else 680)


def _passes(sheet: Sheet, place: tuple[float, float, float], single: int, together: int) -> None:
    """A box for each pass: one token at a time, and all at once. place: left edge, upper one and height of both."""
    sheet.write(
        place[0], place[1] + 8, "<b>passes</b>, each reads the parameters", 14 if sheet.phone else 16, anchor="middle right"
    )
    rows = (
        [(single, "one token at a time"), (together, "all at once")] if single > together else [(together, "nothing to wait for")]
    )
    for k, (n, said) in enumerate(rows):
        x0, y0, x1, y1 = _lane(sheet, place, k, f"{n:,}", said)
        one = (x1 - x0) / single
        gap = 3 / sheet.wide if one * sheet.wide > 6 else 0.0
        boxes = [(x0 + j * one, y0, x0 + (j + 1) * one - gap, y1) for j in range(n)] if gap else [(x0, y0, x0 + n * one, y1)]
        sheet.bars([(a, b, max(c, a + 2 / sheet.wide), d) for a, b, c, d in boxes], sheet.colors.prefill)


def _products(sheet: Sheet, place: tuple[float, float, float], n: int, work: PromptWork, hidden: bool) -> None:
    """The products of this prompt and of one twice as long, each beside its colour in the square: what counts, and what the mask hides."""
    colors, twice = sheet.colors, prompt_work(2 * n, 2 * n)
    title = "<b>products</b>, each query × each key"
    sheet.write(place[0], place[1] + 8, title, 14 if sheet.phone else 16, anchor="middle right")
    for k, (some, tokens) in enumerate(((work, n), (twice, 2 * n))):
        masked = some.scores_dense - some.scores
        halves = f"{some.scores:,} {plural(some.scores, 'counts', 'count')}" + f", {masked:,} hidden" * bool(masked)
        said = f"{quantity(tokens, 'token')}: {'? count' if hidden else halves}"
        x0, y0, _, y1 = _lane(sheet, place, k, f"{some.scores_dense:,}", said)
        wide = min(y1 - y0, 40.0) / sheet.wide
        sheet.bar(x0, y0, x0 + wide, y1, colors.hole)  # as in the square
        sheet.path(_stairs(2, x0, y0, x0 + wide, y1), faded(colors, colors.prefill, 0.25) if k else colors.prefill)


def _lane(sheet: Sheet, place: tuple[float, float, float], k: int, number: str, said: str) -> Box:
    """The number of the k-th bar of two, and what it is, beneath the bar; returns where the bar may lie."""
    phone, (left, top, step) = sheet.phone, place
    tall, x0 = (step - 26) / 2, left + (0.26 if phone else 0.12)
    y0 = top + 22 + k * tall
    y1 = y0 + tall - 24
    most = PHONE_LARGE if phone else LARGE
    sheet.write(
        left, (y0 + y1) / 2, f"<b>{number}</b>", _size(number, (x0 - left - 0.012) * sheet.wide, most), anchor="middle right"
    )
    sheet.write(
        x0,
        y1 + 11,
        short(said, (1 - x0) * sheet.wide, 13.5 if phone else 15),
        13.5 if phone else 15,
        sheet.colors.muted,
        "middle right",
    )
    return x0, y0, 0.99, y1


def _width_of(sheet: Sheet, side: float) -> float:
    """Share of the width that is as many pixels as `side` is down: a figure is drawn out differently in both directions."""
    drawn = max(sheet.high, HIGH)
    return side * drawn / (TOP + side + 6) / (ACROSS if drawn <= HIGH else BY_HEIGHT * drawn)


def _size(text: str, room: float, most: float) -> float:
    """The type size of a text that has so much room."""
    return min(most, room / (1.1 * LETTER * len(text)))


def _square(sheet: Sheet, n: int, box: Box) -> None:
    """Every query times every key: of this prompt in a quarter of the square, which a prompt twice as long fills; what the mask hides
    is a hole."""
    colors, (left, top, right, bottom) = sheet.colors, box
    middle, half = (left + right) / 2, (top + bottom) / 2
    wide, side = middle - left, half - top
    sheet.bar(*box, faded(colors, colors.hole, 0.5))
    sheet.path(_stairs(2 * n, *box), faded(colors, colors.prefill, 0.25))
    sheet.bar(left, top, middle, half, colors.hole)
    sheet.path(_stairs(n, left, top, middle, half), colors.prefill)
    if n <= MOST_LINED:
        ends = [k / n for k in range(1, n)]
        lines = [f"M{left + wide * x:.5f},{top:.1f}V{half:.1f}M{left:.5f},{top + side * x:.2f}H{middle:.5f}" for x in ends]
        sheet.line("".join(lines) or "M0,0Z", colors.surface, 1 if n > 12 else 2)
    sheet.line(rectangle(left, top, middle, half), colors.prefill, 2)
    across = f"M{middle:.5f},{half:.2f}V{bottom:.2f}M{middle:.5f},{half:.2f}H{right:.5f}"
    sheet.line(across, colors.surface, 2)
    sheet.line(rectangle(*box), colors.ink, 1.5)
    sheet.write(left, top - 14, f"<b>{n:,}</b> {plural(n, 'token')}", 15, colors.prefill, "middle right")


def _four_times(sheet: Sheet, n: int, box: Box) -> None:
    """Beside the whole square, as high as it: what it has of the prompt's own quarter."""
    _, top, right, bottom = box
    x0, x1, y = right + 8 / sheet.wide, right + 16 / sheet.wide, (top + bottom) / 2
    sheet.line(f"M{x0:.5f},{top:.1f}H{x1:.5f}V{bottom:.1f}H{x0:.5f}", sheet.colors.ink, 1.5)
    x, small = x1 + 10 / sheet.wide, 13.5 if sheet.phone else 15
    sheet.write(x, y, "<b>×4</b>", 34, anchor="middle right")
    sheet.write(x, y + 28, quantity(2 * n, "token"), small, sheet.colors.muted, "middle right")


def _stairs(n: int, left: float, top: float, right: float, bottom: float) -> str:
    """The products that count: a step for each row while one can see them, then a straight line."""
    if n > MOST_STEPS:
        return f"M{left},{top}L{right},{bottom}L{left},{bottom}Z"
    x = [left + (right - left) * k / n for k in range(n + 1)]
    y = [top + (bottom - top) * k / n for k in range(n + 1)]
    corners = [f"{x[k + 1]:.5f},{y[k]:.2f}L{x[k + 1]:.5f},{y[k + 1]:.2f}" for k in range(n)]
    return f"M{left},{top}L" + "L".join(corners) + f"L{left},{bottom}Z"
