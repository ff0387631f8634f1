"""The bill of a chat turn by turn, in three ways side by side on one scale: what was read, written, and computed afresh."""

from collections.abc import Mapping, Sequence

from engine.caches.chat_turns import Turn, cost, reads_to_pay
from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, outline
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle
from pages.parts.text.amounts import amount, money
from pages.parts.text.format import percent

TITLES = {"kept": "beginning kept", "changed first": "something changed first", "nothing kept": "nothing kept"}
LEFT, PANEL, GAP, TOP = 0.06, 0.29, 0.035, 80.0
# What is paid for, and the rows that it is: kept ones; computed ones that are kept then; those that are computed anew each time.
PARTS = (("read", "kept", "upright"), ("written", "prefill", "plain"), ("fresh", "again", "plain"))
ALIKE = 1e-9  # a share by which a total is larger without being so
READINGS, PAID = ("never read", "read once", "read twice", "read 3 times"), 74.0  # and pixels of what they cost
LEFT_ON_PHONE, NAMED, BODY = 0.13, 40.0, 74.0  # there one way stands beneath the other: pixels of its total, and of its bars


def part_or_times(paid: float, whole: float) -> tuple[str, str]:
    """(what is paid beside the whole bill, the word that leads from it to the bill): a share of it, or how many times as much.

    >>> part_or_times(1, 4), part_or_times(50, 4), part_or_times(50, 4.5)
    (('25.0%', 'of '), ('12.5 ×', ''), ('11.1 ×', ''))
    """
    ratio = paid / whole
    return (f"{amount(ratio)} ×", "") if ratio >= 10 else (percent(ratio), "of ")


def turn_costs(
    sheet: Sheet,
    turns: Mapping[str, Sequence[Turn]],
    prices: tuple[float, float, float],
    asked: Asked | None = None,
    says: str = "",
) -> SheetFigure:
    """turns: of each way. prices: read, written, fresh, for a million tokens. asked: after how many readings storing has paid, once that is
    answered; until then, what is computed each time beside what is stored, which waits. says: what the ways come to."""
    colors, phone = sheet.colors, sheet.on_phone()
    heights = {way: [_paid_parts(t, prices) for t in found] for way, found in turns.items()}
    whole = cost(turns["nothing kept"], *prices)
    most = max(max(map(sum, rows)) for rows in heights.values()) or 1.0
    step = nice_step(most, 2 if phone else 4)
    left, panel, body = (LEFT_ON_PHONE, 1 - LEFT_ON_PHONE, BODY) if phone else (LEFT, PANEL, sheet.row(140 - PAID, 1, 84, 240))
    high = NAMED + body + 26  # of a way on a phone
    bottom = NAMED + body if phone else TOP + body
    for y0 in [bottom + k * high for k in range(len(heights) if phone else 1)]:
        for k in range(int(most / step * (1 + 1e-9)) + 1):
            y = y0 - k * step / most * body
            sheet.bar(left, y - 0.5, 1, y + 0.5, colors.hole)
            sheet.write(left - 8 / sheet.wide, y, money(k * step), 13, colors.muted, "middle left")
    if not phone:
        sheet.write(0, TOP - 13, "a turn costs, in the money of the prices beneath", 13, colors.muted, "middle right")
    for k, (way, rows) in enumerate(heights.items()):
        paid = cost(turns[way], *prices)
        share, of = part_or_times(paid, whole) if whole else (money(paid), "")
        of_what = f"{of}nothing kept" if whole and way != "nothing kept" else ""
        color = colors.wasted if paid > whole * (1 + ALIKE) else colors.ink
        if phone:
            x, bottom = left, NAMED + body + k * high
            sheet.write(0, bottom - body - 24, f"<b>{share}</b>", min(28.0, 120 / ems(share)), color, "middle right")
            sheet.write(1, bottom - body - 21, TITLES[way], 15, anchor="middle left")
        else:
            x = left + k * (panel + GAP)
            large_number(sheet, (x, x + panel), 18, share, of_what, color)
            sheet.write(x, 48, f"<b>{TITLES[way]}</b>", 17, anchor="middle right")
        width = panel / len(rows)
        for j, (_, kind, look) in enumerate(PARTS):
            boxes = []
            for t, row in enumerate(rows):
                below, height = sum(row[:j]) / most * body, row[j] / most * body
                if height:
                    x0, x1 = x + (t + 0.12) * width, x + (t + 0.88) * width
                    boxes.append((x0, bottom - below - height, x1, bottom - below))
            cache_rows(sheet, {kind: boxes}, look)
        for t in {0, len(rows) - 1}:
            sheet.write(x + min((t + 0.5) * width, panel - 8 / sheet.wide), bottom + 12, str(t + 1), 13, colors.muted)
        sheet.write(x + panel / 2, bottom + 12, "turn" if len(rows) > 2 else "", 13, colors.muted)
    y, x = bottom + 36, 0.0 if phone else LEFT
    for (name, kind, look), price in zip(PARTS, prices, strict=True):
        costs = f"{name} {money(price)}" if phone else f"{name}, {money(price)} for a million tokens"
        x = legend(sheet, y, {kind: costs}, x, look)
    if phone:
        sheet.write(0, y + 22, "for a million tokens; bars: what a turn costs, in that money", 13, colors.muted, "middle right")
    y += 36 if phone else 14
    shown = asked or (None if phone else NOT_ASKED)
    if shown:
        _when_it_pays(sheet, prices, shown, y + 6)
    return under_headline(sheet, says).figure(y + PAID * bool(shown), min_width=0 if phone else 700)


def _when_it_pays(sheet: Sheet, prices: tuple[float, float, float], asked: Asked, top: float) -> None:
    """What a million tokens cost after each number of readings, stored and fresh each time; where storing has paid for the first time is
    framed, dashed where that was guessed."""
    (read, write, fresh), n = prices, len(READINGS)
    often = (0, 1, 2, max(3, reads_to_pay(*prices) or 0) if asked.names else 3)
    pairs = [(write + k * read, (k + 1) * fresh) for k in often]
    most, wide, room = max(map(max, pairs)) or 1.0, 1 / n, 0.5 / n
    for k, (name, pair) in enumerate(zip((*READINGS[:-1], f"read {often[-1]:,} times"), pairs, strict=True)):
        name = name.removeprefix("read ") if sheet.phone else name
        left = k * wide + 0.008
        sheet.write(left, top + 10, name, 15, sheet.colors.muted, "middle right")
        for j, (paid, kind) in enumerate(zip(pair, ("kept", "again"), strict=True)):
            if not asked.names and not j:  # it waits
                sheet.line(rectangle(left, top + 22, left + room, top + 37), sheet.colors.muted, 1, "dash")
                sheet.write(left + 8 / sheet.wide, top + 30, "? stored", 13, sheet.colors.ink, "middle right")
                continue
            y, end = top + 22 + 19 * j, left + room * paid / most
            cache_rows(sheet, {kind: [(left, y, end, y + 15)]}, "lying" if kind == "kept" else "plain")
            said = money(paid) if sheet.phone else f"{money(paid)} {('stored', 'fresh')[j]}"
            sheet.write(end + 5 / sheet.wide, y + 8, said, 13, sheet.colors.ink, "middle right")
        if not asked.names:
            continue
        says = asked.names[k]
        yours = left + wide - 0.03, top + 10, "middle left"
        outline(
            sheet,
            (left - 0.008, top - 2, left + wide - 0.018, top + 64),
            says == asked.right,
            says == asked.guess,
            yours,
            YOURS * (not sheet.phone),
        )


def _paid_parts(turn: Turn, prices: tuple[float, float, float]) -> list[float]:
    """What is paid for the turn: read, written, fresh."""
    only = (Turn(turn.read, 0, 0), Turn(0, turn.written, 0), Turn(0, 0, turn.fresh))
    return [cost([part], *prices) for part in only]
