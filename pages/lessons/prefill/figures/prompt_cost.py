"""What a long prompt takes in one pass: how many passes that saves, large, and the square of products that grows with it."""

from engine.cost import decimal_bytes
from engine.work.prompt_chunks import PromptWork
from pages.parts.drawing.grid import Box
from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, rectangle
from pages.parts.text.format import plural, quantity

SIDE, PHONE_SIDE = 300.0, 196.0  # pixels of the square down, and on a phone across as well
LEFT, TOP, BESIDE = 0.004, 34.0, 0.53  # where it begins, and where the numbers do
HIGH, BY_HEIGHT = 350.0, 2.6  # pixels of the figure at 1280 × 720, and how many times as wide as high it is on a higher screen
LARGE, PHONE_LARGE = 44.0, 34.0  # type size of the two numbers
MOST_STEPS = 60  # rows of which each is a step
MOST_LINED = 40  # rows between which lines can be seen


def prompt_cost(sheet: Sheet, n_prompt: int, one_by_one: PromptWork, one_pass: PromptWork, hidden: bool = False) -> SheetFigure:
    """Counts of both ways through a prompt of n_prompt tokens, per head and layer; nothing of that size is drawn or held.

    hidden: how many products one pass has is still to be found.
    """
    phone, colors = sheet.on_phone(), sheet.colors
    side, large = (PHONE_SIDE, PHONE_LARGE) if phone else (SIDE, LARGE)
    box = (LEFT, TOP, LEFT + side / sheet.wide if phone else LEFT + _width_of(sheet, side), TOP + side)
    _square(sheet, n_prompt, box)
    _four_times(sheet, n_prompt, box)
    counted = "?" if hidden else f"{one_pass.scores:,}"
    halves = [f"{counted} {plural(2 if hidden else one_pass.scores, 'counts', 'count')}"]
    if masked := 0 if hidden else one_pass.scores_dense - one_pass.scores:
        halves.append(f"{masked:,} {plural(masked, 'is', 'are')} hidden")
    written = f"written out {decimal_bytes(one_pass.matrix_bytes)}, 2 bytes each"
    saved = n_prompt > 1
    blocks = (
        (
            "passes, one token at a time → all at once",
            f"{one_by_one.passes:,} → {one_pass.passes:,}" if saved else f"{one_pass.passes:,}",
            "each reads the parameters, and waits for the one before" if saved else "there is nothing to wait for",
        ),
        (
            f"products, {quantity(n_prompt, 'query')} × {quantity(n_prompt, 'key')}",
            f"{one_pass.scores_dense:,}",
            f"{', '.join(halves)}; {written}",
        ),
    )  # fmt: skip
    x, y = (0.0, TOP + side + 34) if phone else (BESIDE, TOP + 0.08 * side)
    step = 100.0 if phone else 0.5 * side
    for k, (what, number, said) in enumerate(blocks):
        top = y + k * step
        sheet.write(x, top, f"<b>{what}</b>", 14 if phone else 16, anchor="middle right")
        sheet.write(
            x, top + 0.95 * large, f"<b>{number}</b>", _size(number, (1 - x) * sheet.wide, large), colors.prefill, "middle right"
        )
        for line, text in enumerate(said.split("; ") if phone else [said]):
            sheet.write(x, top + 1.8 * large + 18 * line, text, 13.5 if phone else 15, colors.muted, "middle right")
    end = y + 2 * step + 10 if phone else box[3]
    return sheet.figure(end + 6, min_width=0 if phone else 680)


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
    sheet.write(x, y - 20, "<b>×4</b>", 34, anchor="middle right")
    whole = (f"{4 * n * n:,}", "products") if sheet.phone else (f"{4 * n * n:,} products",)
    for k, said in enumerate((f"{2 * n:,} tokens:", *whole)):
        sheet.write(x, y + 12 + 20 * k, said, small, sheet.colors.muted, "middle right")


def _stairs(n: int, left: float, top: float, right: float, bottom: float) -> str:
    """The products that count: a step for each row while one can see them, then a straight line."""
    if n > MOST_STEPS:
        return f"M{left},{top}L{right},{bottom}L{left},{bottom}Z"
    x = [left + (right - left) * k / n for k in range(n + 1)]
    y = [top + (bottom - top) * k / n for k in range(n + 1)]
    corners = [f"{x[k + 1]:.5f},{y[k]:.2f}L{x[k + 1]:.5f},{y[k + 1]:.2f}" for k in range(n)]
    return f"M{left},{top}L" + "L".join(corners) + f"L{left},{bottom}Z"
