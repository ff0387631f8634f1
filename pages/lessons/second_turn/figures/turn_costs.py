"""The bill of a chat turn by turn, in three ways side by side on one scale: what was read, written, and computed afresh."""

from collections.abc import Mapping, Sequence

from engine.caches.chat_turns import Turn, cost
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, ems
from pages.parts.text.amounts import money

TITLES = {"kept": "beginning kept", "changed first": "something changed first", "nothing kept": "nothing kept"}
LEFT, PANEL, GAP, TOP = 0.06, 0.29, 0.035, 66.0
LARGE = 32.0  # type size of a total


def turn_costs(sheet: Sheet, turns: Mapping[str, Sequence[Turn]], prices: tuple[float, float, float]) -> SheetFigure:
    """turns: of each way. prices: read, written, fresh, for a million tokens."""
    colors = sheet.colors
    parts = (("read", colors.bar), ("written", colors.muted), ("fresh", colors.wasted))
    heights = {way: [_parts(t, prices) for t in found] for way, found in turns.items()}
    most = max(max(map(sum, rows)) for rows in heights.values()) or 1.0
    step = nice_step(most, 4)
    body = sheet.row(150, 1, 118, 240)
    bottom = TOP + body
    for k in range(int(most / step * (1 + 1e-9)) + 1):
        y = bottom - k * step / most * body
        sheet.bar(LEFT, y - 0.5, 1, y + 0.5, colors.hole)
        sheet.write(LEFT - 8 / WIDTH, y, money(k * step), 13, colors.muted, "middle left")
    for k, (way, rows) in enumerate(heights.items()):
        x = LEFT + k * (PANEL + GAP)
        total = money(cost(turns[way], *prices))
        sheet.write(x, 18, f"<b>{total}</b>", min(LARGE, PANEL * WIDTH / ems(total)), anchor="middle right")
        sheet.write(x, 46, f"in all, {TITLES[way]}", 15, anchor="middle right")
        width = PANEL / len(rows)
        for (_, color), j in zip(parts, range(len(parts)), strict=True):
            boxes = []
            for t, row in enumerate(rows):
                below, height = sum(row[:j]) / most * body, row[j] / most * body
                if height:
                    left, right = x + (t + 0.12) * width, x + (t + 0.88) * width
                    boxes.append((left, bottom - below - height, right, bottom - below))
            sheet.bars(boxes, color)
        for t in {0, len(rows) - 1}:
            sheet.write(x + min((t + 0.5) * width, PANEL - 8 / WIDTH), bottom + 12, str(t + 1), 13, colors.muted)
        sheet.write(x + PANEL / 2, bottom + 12, "turn" if len(rows) > 2 else "", 13, colors.muted)
    y, x = bottom + 36, LEFT
    for (name, color), price in zip(parts, prices, strict=True):
        x = sheet.swatch(x, y, color, f"{name}, {money(price)} for a million tokens")
    return sheet.figure(y + 14, min_width=700)


def _parts(turn: Turn, prices: tuple[float, float, float]) -> list[float]:
    """What is paid for the turn: read, written, fresh."""
    only = (Turn(turn.read, 0, 0), Turn(0, turn.written, 0), Turn(0, 0, turn.fresh))
    return [cost([part], *prices) for part in only]
