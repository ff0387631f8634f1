"""What a row of one head comes to, at its right end: its context, and of the last one the next word."""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from engine.experiments.rows import largest_values
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.next_word import SPOILED, NextWord
from pages.parts.drawing.sheet import LETTER, Sheet, bold, bold_ems, short, type_size
from pages.parts.text.digits import context_text
from pages.parts.text.format import percent

LEAST = 13.0  # type size, the smallest
SMALL = 16.0  # type size of the contexts of other rows
NAME = 17.0  # type size of what a row comes to
LARGE = 34.0  # type size of the context that is followed, and of the next word
CHANCE = 20.0  # type size of its chance
ARROW = 26.0  # pixels that an arrow takes before what it leads to
NAMED_ABOVE = 82.0  # pixels of a row in which what its number is has room above it


def contexts(sheet: Sheet, layer: Attention, row: tuple[int, int], grid: Grid, room: float, moved: Sequence[bool] = ()) -> None:
    """This head's context of each row of the grid, in `room` pixels, that of the row that is followed large. row: the head and that row.
    moved: which of them follow a value. What they are is said above the large one, to which an arrow leads."""
    colors, (head, query), largest = sheet.colors, row, largest_values(layer)
    x, high = grid.x[-1] + 0.018, np.diff(grid.y)
    sheet.write(x - 4 / sheet.wide, grid.down[query], "→", 26, anchor="middle right")
    x, room = x + ARROW / sheet.wide, room - ARROW
    y = grid.down[query] - 0.5 * LARGE - 14 if high[query] >= NAMED_ABOVE else 10
    sheet.write(x, y, "<b>context</b>", NAME, anchor="middle right")
    for i, context in enumerate(layer.context[head, :, 0]):
        strong, empty, follows = i == query, layer.empty[head, i], bool(moved) and moved[i]
        text = "none" if empty else context_text(context, largest[head, i])
        fits = max(LEAST, (room - 0.02 * sheet.wide) / (LETTER * len(text)))
        size = min(LARGE if strong else SMALL, max(0.85 * float(high[i] if strong else high.min()), LEAST), fits)
        color = colors.value if follows else colors.ink if strong and not empty else colors.muted
        sheet.write(x, grid.down[i], bold(text, strong or follows), size, color, "middle right")
        if follows and strong and high[i] >= NAMED_ABOVE:
            sheet.write(x, grid.down[i] + 0.5 * (size + 19), "<b>follows</b>", SMALL, colors.value, "middle right")
        elif follows and not strong and (bold_ems(f"{text} follows") + 0.5) * size <= room:
            after = x + (bold_ems(text) + 0.5) * size / sheet.wide
            sheet.write(after, grid.down[i], "<b>follows</b>", size, colors.value, "middle right")


def next_word(sheet: Sheet, next_: NextWord, grid: Grid, room: float, voters: int) -> None:
    """In the row after which it comes, in the last `room` pixels, an arrow to the likeliest word, what that is, and its chance; where
    there is room, how many heads vote."""
    x, room = 1 - (room - ARROW) / sheet.wide, room - ARROW
    y = min(float(grid.down[-1]), float(grid.y[-1]) - 18)  # its chance stands beneath it
    sheet.write(x - ARROW / sheet.wide, y, "→", 26, anchor="middle right")
    sheet.write(x, y - 0.5 * LARGE - 14, "<b>next word</b>", NAME, anchor="middle right")
    if next_.probs is None:
        for k, text in enumerate(SPOILED):
            sheet.write(x, y + 18 * k - 9, text, LEAST, sheet.colors.muted, "middle right")
        return
    word, chance = next_.words[next_.strong], next_.probs[next_.strong]
    size = type_size(word, room, LARGE, 18.0)
    sheet.write(x, y, bold(short(word, room, size, strong=True)), size, sheet.colors.accent, "middle right")
    sheet.write(x, y + 0.5 * LARGE + 13, bold(percent(chance)), CHANCE, sheet.colors.accent, "middle right")
    if voters > 1 and grid.y[-1] - grid.y[-2] >= NAMED_ABOVE:
        sheet.write(x, y + 0.5 * LARGE + 36, f"votes of {voters} heads", LEAST, sheet.colors.muted, "middle right")
