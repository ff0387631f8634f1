"""What each step of a server does for each prompt, in words: a piece of the prompt, or one word of its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short

LEFT, RIGHT, TITLE, GAP = 0.17, 0.995, 26.0, 12.0
Cell = (
    tuple[int, str] | None
)  # tokens of a prompt that are computed, and the word that comes; None where a place is kept for nothing


def words_by_step(sheet: Sheet, prompts: Sequence[str], runs: Mapping[str, Sequence[Mapping[int, Cell]]]) -> SheetFigure:
    """runs: policy -> for each prompt what it gets at which step, counted from 0."""
    colors, n_steps = sheet.colors, max(max(row) for rows in runs.values() for row in rows) + 1
    height = sheet.row(270, len(runs) * len(prompts), 17, 26)
    width, top = (RIGHT - LEFT) / n_steps, 4.0
    for policy, rows in runs.items():
        used = max(max(row) for row in rows) + 1
        sheet.write(LEFT - 0.01, top + TITLE / 2, f"<b>{policy}</b>, {used} steps", 15, colors.ink, "middle left")
        top += TITLE
        for k, (prompt, row) in enumerate(zip(prompts, rows, strict=True)):
            middle = top + (k + 0.5) * height
            sheet.write(LEFT - 0.01, middle, short(prompt, (LEFT - 0.02) * WIDTH, 13), 13, colors.muted, "middle left")
            _row(sheet, row, middle, height, width)
        top += len(prompts) * height + GAP
    return sheet.figure(top, min_width=880)


def _row(sheet: Sheet, row: Mapping[int, Cell], middle: float, height: float, width: float) -> None:
    """One prompt's steps: blue with the number of its tokens, words in orange, a thin line where a place is kept."""
    colors = sheet.colors
    for step, cell in row.items():
        x = LEFT + step * width
        if cell is None:
            sheet.bar(x, middle - 1.5, x + width, middle + 1.5, colors.wasted)
            continue
        n_prompt, word = cell
        if n_prompt:
            sheet.bar(x + 0.001, middle - height / 2 + 1, x + width - 0.001, middle + height / 2 - 1, colors.prefill)
        text = " ".join(filter(None, (str(n_prompt or ""), word)))
        color = colors.surface if n_prompt else colors.decode
        sheet.write(x + width / 2, middle, short(text, width * WIDTH - 2, 13), 13, color)
