"""What each step of a server does for each prompt, in words: a piece of the prompt, or one word of its answer."""

from collections.abc import Mapping, Sequence

from pages.parts.drawing.grid import Box
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems, short

LEFT, RIGHT, END, TITLE, GAP = 0.12, 0.935, 0.968, 26.0, 12.0
Cell = (
    tuple[int, str] | None
)  # tokens of a prompt that are computed, and the word that comes; None where a place is kept for nothing


def words_by_step(sheet: Sheet, prompts: Sequence[str], runs: Mapping[str, Sequence[Mapping[int, Cell]]]) -> SheetFigure:
    """runs: policy -> for each prompt what it gets at which step, counted from 0."""
    if sheet.on_phone():
        return _turned(sheet, prompts, runs)
    colors, n_steps = sheet.colors, max(max(row) for rows in runs.values() for row in rows) + 1
    height = sheet.row(270, len(runs) * len(prompts), 17, 26)
    width, top = (RIGHT - LEFT) / n_steps, 4.0
    for policy, rows in runs.items():
        used = max(max(row) for row in rows) + 1
        sheet.write(LEFT - 0.01, top + TITLE / 2, f"<b>{policy}</b>", 15, colors.ink, "middle left")
        top += TITLE
        sheet.write(END, top + len(prompts) * height / 2 - 10, f"<b>{used}</b>", 28, anchor="middle center")
        sheet.write(END, top + len(prompts) * height / 2 + 14, "steps", 14.5, colors.muted, "middle center")
        for k, (prompt, row) in enumerate(zip(prompts, rows, strict=True)):
            middle = top + (k + 0.5) * height
            sheet.write(LEFT - 0.01, middle, short(_end(prompt), (LEFT - 0.012) * WIDTH, 14), 14, colors.muted, "middle left")
            for step, cell in row.items():
                _cell(sheet, cell, (LEFT + step * width, middle - height / 2, LEFT + (step + 1) * width, middle + height / 2))
        top += len(prompts) * height + GAP
    return sheet.figure(top, min_width=880)


def _turned(sheet: Sheet, prompts: Sequence[str], runs: Mapping[str, Sequence[Mapping[int, Cell]]]) -> SheetFigure:
    """On a phone time runs downwards: a column for each prompt, a row for each step."""
    left, top, height = 26 / sheet.wide, 4.0, 18.0
    width = (1 - left) / len(prompts)
    for policy, rows in runs.items():
        used = max(max(row) for row in rows) + 1
        sheet.write(0, top + TITLE / 2, f"<b>{policy}</b>, {used} steps", 15, sheet.colors.ink, "middle right")
        top += TITLE + height
        for k, (prompt, row) in enumerate(zip(prompts, rows, strict=True)):
            x, end = left + k * width, _end(prompt)
            sheet.write(x + width / 2, top - height / 2, short(end, width * sheet.wide - 2, 13), 13, sheet.colors.muted)
            for step, cell in row.items():
                _cell(sheet, cell, (x, top + step * height, x + width, top + (step + 1) * height))
        for step in range(used):
            sheet.write(left - 0.02, top + (step + 0.5) * height, str(step + 1), 13, sheet.colors.muted, "middle left")
        top += used * height + GAP
    return sheet.figure(top)


def _end(prompt: str) -> str:
    """A prompt's last words."""
    return " ".join(prompt.split()[-3:])


def _cell(sheet: Sheet, cell: Cell, box: Box) -> None:
    """One prompt in one step: blue with the number of its tokens, the word in orange, a thin line where a place is kept."""
    (x0, y0, x1, y1), colors = box, sheet.colors
    if cell is None:
        middle, half = (y0 + y1) / 2, 1.5 / sheet.wide
        line = ((x0 + x1) / 2 - half, y0, (x0 + x1) / 2 + half, y1) if sheet.phone else (x0, middle - 1.5, x1, middle + 1.5)
        sheet.bar(*line, colors.wasted)
        return
    n_prompt, word = cell
    if n_prompt:
        sheet.bar(x0 + 0.001, y0 + 1, x1 - 0.001, y1 - 1, colors.prefill)
    color, middle = colors.surface if n_prompt else colors.decode, (x0 + x1) / 2
    pixels, text = (x1 - x0) * sheet.wide, " ".join(filter(None, (str(n_prompt or ""), word)))
    size = min(16.0, 0.8 * (y1 - y0)) if ems(text) * 16 <= pixels else 13
    sheet.write(middle, (y0 + y1) / 2, short(text, pixels, size), size, color)
