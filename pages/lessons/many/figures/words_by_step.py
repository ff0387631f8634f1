"""What each step of a server does for each prompt, in words: a piece of the prompt, or one word of its answer, and how many tokens are
computed in it."""

from collections.abc import Mapping, Sequence

from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, ems, short

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
    size = _size(runs, width * sheet.wide, height)
    for policy, rows in runs.items():
        used = max(max(row) for row in rows) + 1
        sheet.write(LEFT - 0.01, top + TITLE / 2, f"<b>{policy}</b>", 15, colors.ink, "middle left")
        _tokens(sheet, rows, [(LEFT + (step + 0.5) * width, top + TITLE / 2, "middle center") for step in range(used)])
        sheet.write(END, top + TITLE / 2, "tokens", 14.5, colors.muted)
        top += TITLE
        sheet.write(END, top + len(prompts) * height / 2 - 10, f"<b>{used}</b>", 28, anchor="middle center")
        sheet.write(END, top + len(prompts) * height / 2 + 14, "steps", 14.5, colors.muted, "middle center")
        for k, (prompt, row) in enumerate(zip(prompts, rows, strict=True)):
            middle = top + (k + 0.5) * height
            sheet.write(LEFT - 0.01, middle, short(_end(prompt), (LEFT - 0.012) * WIDTH, 14), 14, colors.muted, "middle left")
            for step, cell in row.items():
                _cell(
                    sheet, cell, (LEFT + step * width, middle - height / 2, LEFT + (step + 1) * width, middle + height / 2), size
                )
        top += len(prompts) * height + GAP
    return sheet.figure(top, min_width=880)


def _turned(sheet: Sheet, prompts: Sequence[str], runs: Mapping[str, Sequence[Mapping[int, Cell]]]) -> SheetFigure:
    """On a phone time runs downwards: a column for each prompt, a row for each step."""
    left, top, height = 46 / sheet.wide, 4.0, 18.0
    width = (1 - left) / len(prompts)
    size = _size(runs, width * sheet.wide, height)
    for policy, rows in runs.items():
        used = max(max(row) for row in rows) + 1
        sheet.write(0, top + TITLE / 2, f"<b>{policy}</b>, {used} steps", 15, sheet.colors.ink, "middle right")
        top += TITLE + height
        for k, (prompt, row) in enumerate(zip(prompts, rows, strict=True)):
            x, end = left + k * width, _end(prompt)
            sheet.write(x + width / 2, top - height / 2, short(end, width * sheet.wide - 2, 13), 13, sheet.colors.muted)
            for step, cell in row.items():
                _cell(sheet, cell, (x, top + step * height, x + width, top + (step + 1) * height), size)
        sheet.write(left - 0.02, top - height / 2, "tokens", 13, sheet.colors.muted, "middle left")
        _tokens(sheet, rows, [(left - 0.02, top + (step + 0.5) * height, "middle left") for step in range(used)])
        top += used * height + GAP
    return sheet.figure(top)


def _end(prompt: str) -> str:
    """A prompt's last words."""
    return " ".join(prompt.split()[-3:])


def _size(runs: Mapping[str, Sequence[Mapping[int, Cell]]], pixels: float, height: float) -> float:
    """One size of type for all words, at which the longest fits into its cell."""
    longest = max(ems(cell[1]) for rows in runs.values() for row in rows for cell in row.values() if cell)
    return max(13.0, min(16.0, 0.8 * height, (pixels - 4) / longest))


def _tokens(sheet: Sheet, rows: Sequence[Mapping[int, Cell]], places: Sequence[tuple[float, float, str]]) -> None:
    """How many tokens each step computes: those of prompts, and one for each that writes; the most are bold."""
    cells = [[row[step] for row in rows if row.get(step)] for step in range(len(places))]
    numbers = [sum(n_prompt or 1 for n_prompt, _ in some) for some in cells]
    for (x, y, anchor), n, some in zip(places, numbers, cells, strict=True):
        color = sheet.colors.prefill if any(n_prompt for n_prompt, _ in some) else sheet.colors.decode
        sheet.write(x, y, bold(str(n), n == max(numbers)), 13 if sheet.phone else 16, color, anchor)


def _cell(sheet: Sheet, cell: Cell, box: Box, size: float) -> None:
    """One prompt in one step: blue where tokens of it are computed, pale orange where a word of the answer is, with the word that comes;
    brown where a place is kept for nothing."""
    (x0, y0, x1, y1), colors = box, sheet.colors
    inner = x0 + 1 / sheet.wide, y0 + 1, x1 - 1 / sheet.wide, y1 - 1
    if cell is None:
        sheet.bar(*inner, faded(colors, colors.wasted, 0.55))
        return
    n_prompt, word = cell
    sheet.bar(*inner, colors.prefill if n_prompt else faded(colors, colors.decode, 0.16))
    sheet.write(
        (x0 + x1) / 2, (y0 + y1) / 2, short(word, (x1 - x0) * sheet.wide, size), size, colors.surface if n_prompt else colors.ink
    )
