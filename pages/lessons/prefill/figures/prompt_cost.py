"""What a long prompt takes one token at a time and in one pass: a square of products, half of it hidden, and counts."""

from engine.cost import decimal_bytes
from engine.work.prompt_chunks import PromptWork
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold
from pages.parts.text.format import quantity

SIDE = 268.0  # pixels of the square
MOST_STEPS = 60


def prompt_cost(sheet: Sheet, n_prompt: int, one_by_one: PromptWork, one_pass: PromptWork, hidden: bool = False) -> SheetFigure:
    """Counts of both ways through a prompt of n_prompt tokens, per head and layer; nothing of that size is drawn or held.

    hidden: how many products one pass has is still to be found.
    """
    colors = sheet.colors
    left, top = 0.035, 36.0
    right, bottom = left + SIDE / WIDTH, top + SIDE
    sheet.path(f"M{left},{top}L{right},{top}L{right},{bottom}L{left},{bottom}Z", colors.hole)
    sheet.path(_stairs(n_prompt, left, top, right, bottom), colors.prefill)
    on_prefill = ink_on(colors.prefill)
    count = "?" if hidden else f"{one_pass.scores:,}"
    masked = one_pass.scores_dense - one_pass.scores
    sheet.write(
        (left + right) / 2, 14, f"{quantity(n_prompt, 'key')} across, {quantity(n_prompt, 'query')} down", 13, colors.muted
    )
    sheet.write(
        left + 0.36 * (right - left), top + 0.68 * SIDE, "<b>?</b>" if hidden else f"<b>{one_pass.scores:,}</b>", 15, on_prefill
    )
    sheet.write(left + 0.36 * (right - left), top + 0.76 * SIDE, "count", 14, on_prefill)
    if masked and not hidden:
        sheet.write(left + 0.68 * (right - left), top + 0.17 * SIDE, f"<b>{masked:,}</b>", 15, colors.ink)
        sheet.write(left + 0.68 * (right - left), top + 0.25 * SIDE, "hidden", 14, colors.ink)

    name, first, second = right + 0.05, 0.775, 0.995
    sheet.write(first, 20, "<b>one token<br>at a time</b>", 15, anchor="middle left")
    sheet.write(second, 20, "<b>all<br>at once</b>", 15, anchor="middle left")
    lines = (
        ("passes, one after another", f"{one_by_one.passes:,}", f"{one_pass.passes:,}", True),
        ("times the parameters are read", f"{one_by_one.passes:,}", f"{one_pass.passes:,}", True),
        ("query · key products that count", f"{one_by_one.scores:,}", count, False),
        ("products in the whole square", f"{one_by_one.scores_dense:,}", f"{one_pass.scores_dense:,}", False),
        (
            "bytes of that score matrix, written out",
            decimal_bytes(one_by_one.matrix_bytes),
            decimal_bytes(one_pass.matrix_bytes),
            False,
        ),
    )
    step = (bottom - 52) / len(lines)
    for k, (what, a, b, won) in enumerate(lines):
        y = 52 + (k + 0.5) * step
        sheet.bar(name, y + step / 2 - 1, 1, y + step / 2, colors.hole)
        sheet.write(name, y, what, 15, colors.muted, "middle right")
        sheet.write(first, y, a, 16, anchor="middle left")
        sheet.write(second, y, bold(b, won and n_prompt > 1), 16, colors.ink, "middle left")
    return sheet.figure(bottom + 6, min_width=680)


def _stairs(n: int, left: float, top: float, right: float, bottom: float) -> str:
    """The products that count: a step for each row while one can see them, then a straight line."""
    if n > MOST_STEPS:
        return f"M{left},{top}L{right},{bottom}L{left},{bottom}Z"
    x = [left + (right - left) * k / n for k in range(n + 1)]
    y = [top + (bottom - top) * k / n for k in range(n + 1)]
    corners = [f"{x[k + 1]:.5f},{y[k]:.2f}L{x[k + 1]:.5f},{y[k + 1]:.2f}" for k in range(n)]
    return f"M{left},{top}L" + "L".join(corners) + f"L{left},{bottom}Z"
