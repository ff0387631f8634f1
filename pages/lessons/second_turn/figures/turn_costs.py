"""The bill of a chat turn by turn, each way on what it costs with nothing kept: what was read, written, and computed afresh; beside it the
rule that decides, what a stored beginning costs by how often it is read."""

from collections.abc import Mapping, Sequence

from engine.caches.chat_turns import Turn, cost, reads_to_pay
from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, outline
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle
from pages.parts.text.amounts import amount, money
from pages.parts.text.format import percent

TITLES = {"kept": "beginning kept", "changed first": "something changed first"}
LEFT, PANEL, GAP, TOP = 0.055, 0.32, 0.025, 80.0
PAYS = 0.775  # from where on stands what storing costs by how often it is read
# What is paid for, and the rows that it is: kept ones; computed ones that are kept then; those that are computed anew each time.
PARTS = (("read", "kept", "upright"), ("written", "prefill", "plain"), ("fresh", "again", "plain"))
NAMES = ("read", "written", "fresh (wide: nothing kept)")
ALIKE = 1e-9  # a share by which a total is larger without being so
READINGS, SAID = ("never", "once", "twice", "3 times"), 42.0  # and pixels above them for what they cost
WIDE, NARROW = (0.06, 0.94), (0.26, 0.74)  # of a column: with nothing kept, and what is paid
LEFT_ON_PHONE, NAMED, BODY = 0.13, 40.0, 88.0  # there one way stands beneath the other: pixels of its total, and of its bars


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
    answered; until then, what is computed each time, and an empty place for what is stored. says: what the ways come to."""
    phone = sheet.on_phone()
    panel, body = (1 - LEFT_ON_PHONE, BODY) if phone else (PANEL, sheet.row(140, 1, 84, 310))
    high, top = (NAMED + body + 26, NAMED) if phone else (0.0, TOP)
    heights = {way: [_paid_parts(t, prices) for t in found] for way, found in turns.items()}
    nothing, whole = list(map(sum, heights["nothing kept"])), cost(turns["nothing kept"], *prices)
    most = max(max(map(sum, rows)) for rows in heights.values()) or 1.0
    for k, (way, title) in enumerate(TITLES.items()):
        paid = cost(turns[way], *prices)
        share, of = part_or_times(paid, whole) if whole else (money(paid), "")
        color = sheet.colors.wasted if paid > whole * (1 + ALIKE) else sheet.colors.ink
        x, bottom = (LEFT_ON_PHONE, top + body + k * high) if phone else (LEFT + k * (panel + GAP), top + body)
        if phone or not k:
            _scale(sheet, x, bottom, body, most)
        _titled(sheet, (x, x + panel), bottom - body, share, f"{of}nothing kept" if whole else "", title, color)
        _columns(sheet, (x, x + panel), bottom, body / most, heights[way], nothing)
        width, n = panel / len(nothing), len(nothing)
        for t in {0, n - 1}:
            sheet.write(x + min((t + 0.5) * width, panel - 8 / sheet.wide), bottom + 12, str(t + 1), 13, sheet.colors.muted)
        sheet.write(x + panel / 2, bottom + 12, "turn" if n > 2 else "", 13, sheet.colors.muted)
    if not phone:
        sheet.write(0, TOP - 13, "a turn costs, in the money of the prices beneath", 13, sheet.colors.muted, "middle right")
        _when_it_pays(sheet, prices, asked or NOT_ASKED, (PAYS, 1.0), bottom, body)
    elif asked:
        bottom += high
        _when_it_pays(sheet, prices, asked, (LEFT_ON_PHONE, 1.0), bottom, body)
    y, x = bottom + 36, 0.0 if phone else LEFT
    for name, (_, kind, look), price in zip(NAMES, PARTS, prices, strict=True):
        costs = f"{name.split(' ')[0]} {money(price)}" if phone else f"{name}, {money(price)}"
        x = legend(sheet, y, {kind: costs}, x, look)
    if phone:
        sheet.write(0, y + 22, "for a million tokens; wide bars: nothing kept", 13, sheet.colors.muted, "middle right")
    else:
        sheet.write(x, y, "for a million tokens", 13, sheet.colors.muted, "middle right")
        sheet.write((PAYS + 1) / 2, y - 3, "stored, then read", 13, sheet.colors.muted)
    return under_headline(sheet, says).figure(y + (36 if phone else 14), min_width=0 if phone else 700)


def _scale(sheet: Sheet, left: float, bottom: float, body: float, most: float) -> None:
    """Level lines from there to the end of the ways, each with what it means."""
    step = nice_step(most, 2 if sheet.phone else 4)
    for k in range(int(most / step * (1 + 1e-9)) + 1):
        y = bottom - k * step / most * body
        sheet.bar(left, y - 0.5, 1 if sheet.phone else LEFT + 2 * PANEL + GAP, y + 0.5, sheet.colors.hole)
        sheet.write(left - 8 / sheet.wide, y, money(k * step), 13, sheet.colors.muted, "middle left")


def _titled(sheet: Sheet, across: tuple[float, float], top: float, number: str, of_what: str, title: str, color: str) -> None:
    """What a part of the figure comes to, and what it is, above its bars; on a phone in one line."""
    if sheet.phone:
        sheet.write(0, top - 24, f"<b>{number}</b>", min(28.0, 130 / ems(number)), color, "middle right")
        sheet.write(1, top - 21, title, 15, anchor="middle left")
    else:
        large_number(sheet, across, top - TOP + 18, number, of_what, color)
        sheet.write(across[0], top - TOP + 48, f"<b>{title}</b>", 17, anchor="middle right")


def _columns(
    sheet: Sheet,
    across: tuple[float, float],
    bottom: float,
    scale: float,
    paid: Sequence[Sequence[float]],
    nothing: Sequence[float],
) -> None:
    """What is paid, narrow and in its parts, each on a wide bar for what is paid where nothing is kept. scale: pixels of a unit."""
    left, width = across[0], (across[1] - across[0]) / len(nothing)

    def boxes(part: tuple[float, float], ends: Sequence[tuple[float, float]]) -> list[Box]:
        return [
            (left + (t + part[0]) * width, bottom - high * scale, left + (t + part[1]) * width, bottom - low * scale)
            for t, (low, high) in enumerate(ends)
            if high > low
        ]

    cache_rows(sheet, {"again": boxes(WIDE, [(0.0, whole) for whole in nothing])}, "plain")
    for j, (_, kind, look) in enumerate(PARTS):
        cache_rows(sheet, {kind: boxes(NARROW, [(sum(row[:j]), sum(row[: j + 1])) for row in paid])}, look)


def _when_it_pays(
    sheet: Sheet, prices: tuple[float, float, float], asked: Asked, across: tuple[float, float], bottom: float, body: float
) -> None:
    """What a million tokens cost after each number of readings, stored and, behind that, fresh each time; where storing has paid for the
    first time is framed, dashed where that was guessed."""
    (read, write, fresh), colors, known = prices, sheet.colors, bool(asked.names)
    often = (0, 1, 2, max(3, reads_to_pay(*prices) or 0) if known else 3)
    stored, anew = [[k * read, write, 0.0] for k in often], [(k + 1) * fresh for k in often]
    scale = (body - SAID) / (max(*map(sum, stored), *anew) or 1.0)
    _titled(sheet, across, bottom - body, asked.right.split(",")[0] or "?", "", "storing has paid", colors.ink)
    _columns(sheet, across, bottom, scale, stored if known else [], anew)
    left, width = across[0], (across[1] - across[0]) / len(often)
    for k, name in enumerate((*READINGS[:-1], f"{often[-1]:,} times")):
        x0, middle = left + k * width, left + (k + 0.5) * width
        sheet.write(middle, bottom + 12, name + " read" * (sheet.phone and not k), 13, colors.muted)
        if not known:  # it waits
            x = [x0 + part * width for part in NARROW]
            top = bottom - body + SAID
            sheet.line(rectangle(x[0], top, x[1], bottom), colors.muted, 1.5, "dash", layer="above")
            sheet.write(middle, top - 12, "?", 17, colors.ink)
            continue
        level = bottom - max(sum(stored[k]), anew[k]) * scale
        for up, said, color in ((27, f"<b>{money(sum(stored[k]))}</b>", colors.ink), (11, f"of {money(anew[k])}", colors.muted)):
            sheet.write(middle, level - up, said, 15 if up > 20 else 13, color)
        says, aside = asked.names[k], 2.5 / sheet.wide
        box = x0 + aside, bottom - body + 2, x0 + width - aside, bottom + 22
        mark = middle, box[1] - 8, "middle center"
        outline(sheet, box, says == asked.right, says == asked.guess, mark, "yours" if says == asked.guess else YOURS)


def _paid_parts(turn: Turn, prices: tuple[float, float, float]) -> list[float]:
    """What is paid for the turn: read, written, fresh."""
    only = (Turn(turn.read, 0, 0), Turn(0, turn.written, 0), Turn(0, 0, turn.fresh))
    return [cost([part], *prices) for part in only]
