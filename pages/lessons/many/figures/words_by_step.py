"""The words of some answers, written once because they are the same under each policy, and beside them when each policy computes what: a
field for each, a row for each prompt, time across."""

from collections.abc import Mapping, Sequence

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short
from pages.parts.text.format import quantity

LEFT, APART = 0.37, 0.022  # where the fields begin, and what parts two of them
TOP = 92.0  # pixels above the rows
ROOM = 252.0  # pixels of all rows
LEGEND = 34.0  # pixels of what the colours mean
ROOM_ON_PHONE, LINE = 60.0, 21.0  # pixels of a field's rows on a phone, and of a line of words there
MOST_HIGH = 40.0  # pixels of a cell
# Tokens of a prompt that are computed, and the word that comes; None where a place is kept for nothing.
Cell = tuple[int, str] | None
Runs = Mapping[str, Sequence[Mapping[int, Cell]]]


def words_by_step(
    sheet: Sheet, prompts: Sequence[str], answers: Sequence[Sequence[str]], runs: Runs, said: tuple[str, str]
) -> SheetFigure:
    """answers: the words of each. runs: policy -> for each prompt what it gets at which step, counted from 0. said: of all words, in
    large type and in small."""
    phone, wide = sheet.on_phone(), (1 - LEFT - (len(runs) - 1) * APART) / len(runs)
    n_steps = max(max(row) for rows in runs.values() for row in rows) + 1
    below = headline(sheet, said[0], until=1.0 if phone else LEFT - 0.02)
    sheet.write(0, below + 8, said[1], 15, sheet.colors.muted, "middle right")
    top, tall = (74.0, LINE * 2) if phone else (TOP, ROOM / len(prompts))
    for k, (prompt, words) in enumerate(zip(prompts, answers, strict=True)):
        y, room = top + (k + 0.5) * tall, (0.98 if phone else LEFT - 0.02) * sheet.wide
        size = 15 if phone else 20
        sheet.write(0, y - 0.62 * size, short(prompt, room, 14), 14, sheet.colors.muted, "middle right")
        sheet.write(0, y + 0.62 * size, bold(short(" ".join(words), room, size, strong=True)), size, anchor="middle right")
    bottom = top + len(prompts) * tall
    for k, (policy, rows) in enumerate(runs.items()):
        if phone:
            box = (0.0, bottom + 40, 1.0, bottom + 40 + ROOM_ON_PHONE)
            bottom = box[3]
        else:
            box = (LEFT + k * (wide + APART), TOP, LEFT + k * (wide + APART) + wide, TOP + ROOM)
        _field(sheet, policy, rows, n_steps, box)
    colors, x = sheet.colors, 0.0 if phone else LEFT
    for color, name in ((colors.prefill, "prompt"), (colors.decode, "a word")):
        x = sheet.swatch(x, bottom + 22, color, name)
    legend(sheet, bottom + 22, {"again": "kept for nothing"}, x, "plain")
    return sheet.figure(bottom + LEGEND)


def _field(sheet: Sheet, policy: str, rows: Sequence[Mapping[int, Cell]], n_steps: int, box: Box) -> None:
    """One policy's rows: blue where tokens of a prompt are computed, orange where a word is, outlined in brown where a place is kept for
    nothing."""
    (x0, y0, x1, y1), colors, used = box, sheet.colors, max(max(row) for row in rows) + 1
    wide, tall = (x1 - x0) / n_steps, (y1 - y0) / len(rows)
    half = min(0.34 * tall, MOST_HIGH / 2)
    if sheet.phone:
        sheet.write(x0, y0 - 14, f"<b>{policy}</b>: {quantity(used, 'step')}", 15, anchor="middle right")
    else:
        sheet.write(x0, y0 - 66, bold(policy), 17, anchor="middle right")
        large_number(sheet, (x0, x1), y0 - 32, str(used), "steps" if used != 1 else "step")
    boxes: dict[str, list[Box]] = {}
    for k, row in enumerate(rows):
        if not sheet.phone:  # to the words that come out in them
            sheet.bar(x0 if x0 > LEFT else 0.0, y0 + (k + 1) * tall - 0.5, x1, y0 + (k + 1) * tall + 0.5, colors.hole)
        sheet.bar(x0, y0 + (k + 0.5) * tall - 0.5, x1, y0 + (k + 0.5) * tall + 0.5, colors.hole)
        for step, cell in row.items():
            kind = "again" if cell is None else "prefill" if cell[0] else "new"
            x, y = x0 + step * wide, y0 + (k + 0.5) * tall
            boxes.setdefault(kind, []).append((x, y - half, x + wide - 1 / sheet.wide, y + half))
    cache_rows(sheet, boxes, "plain")
