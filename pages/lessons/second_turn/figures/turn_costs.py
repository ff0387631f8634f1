"""The bill of a chat in three ways, a bar for each on one scale, in it what was read, written, and computed afresh, turn by turn; beside it
the rule that decides, what a stored beginning costs by how often it is read."""

from collections.abc import Mapping, Sequence

from engine.caches.chat_turns import Turn, cost, reads_to_pay
from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, number_to_find, outline
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle
from pages.parts.text.amounts import amount, money
from pages.parts.text.format import percent

TITLES = {"nothing kept": "nothing kept", "kept": "beginning kept", "changed first": "something changed first"}
LEFT, RIGHT, PAYS = 0.215, 0.7, 0.74  # of the width: where bars begin and end, and from where on stands when storing has paid
ROW, BETWEEN, NAMED, BAR_ON_PHONE = (
    88.0,
    14.0,
    32.0,
    46.0,
)  # pixels of a bar, and between two; on a phone of what is above one, and of it
# What is paid for, and the rows that it is: kept ones; computed ones that are kept then; those that are computed anew each time.
PARTS = (("read", "kept", "upright"), ("written", "prefill", "plain"), ("fresh", "again", "plain"))
ALIKE = 1e-9  # a share by which a total is larger without being so
READINGS, SAID = ("never", "once", "twice", "3 times"), 42.0  # and pixels above them for what they cost
WIDE, NARROW = (0.06, 0.94), (0.26, 0.74)  # of a column: with nothing kept, and what is paid
TITLE, BODY = 44.0, 90.0  # pixels above when storing has paid, and of that on a phone


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
    phone, asked = sheet.on_phone(), asked or NOT_ASKED
    bars = {way: [_paid_parts(t, prices) for t in turns[way]] for way in TITLES}
    whole, most = cost(turns["nothing kept"], *prices), max(sum(map(sum, rows)) for rows in bars.values()) or 1.0
    left, right, name, tall = (0.0, 1.0, NAMED, BAR_ON_PHONE) if phone else (LEFT, RIGHT, 0.0, ROW)
    named, at, reach = set(), left + whole / most * (right - left), ""
    for k, (way, title) in enumerate(TITLES.items()):
        paid, y = sum(map(sum, bars[way])), k * (name + tall + BETWEEN) + name
        number = money(paid) if way == "nothing kept" or not whole else part_or_times(paid, whole)[0]
        color = sheet.colors.wasted if paid > whole * (1 + ALIKE) else sheet.colors.ink
        if phone:
            sheet.write(0, y - 14, bold(number), min(26.0, 130 / ems(number)), color, "middle right")
            sheet.write(1, y - 12, title, 15, anchor="middle left")
        else:
            large_number(sheet, (0.0, LEFT - 0.01), y + tall / 2 - 12, number, color=color)
            sheet.write(0, y + tall / 2 + 20, title, 16, anchor="middle right")
        reach += f"M{at:.5f},{y:.1f}L{at:.5f},{y + tall + (0 if phone else BETWEEN):.1f}"
        named |= _bar(sheet, bars[way], (left, y, (right - left) / most, tall), prices, named)
    sheet.line(reach, sheet.colors.ink, 1.5, "dash", layer="above")
    bottom = y + tall
    place = (0.0, bottom + 8, 1.0, bottom + 8 + TITLE + BODY + 22) if phone else (PAYS, 0.0, 1.0, bottom)
    _when_it_pays(sheet, prices, asked, place)
    bottom = place[3]
    return under_headline(sheet, says).figure(bottom + 4, min_width=0 if phone else 700)


def _bar(
    sheet: Sheet, paid: Sequence[Sequence[float]], place: Box, prices: tuple[float, float, float], named: set[str]
) -> set[str]:
    """What is paid, part by part, at its foot turn by turn, with the names of its parts: in them where there is room, after the bar where
    these are not named yet. Returns those that are. place: left and upper edge, the width of a unit, the height."""
    (left, y, scale, tall), after, foot = place, {}, place[1] + place[3] - edge(place[3])
    large, now = 13 if sheet.phone else 17, set()
    for j, (part, kind, _) in enumerate(PARTS):
        ends = [left + scale * sum(turn[j] for turn in paid[: k + 1]) for k in range(len(paid))]
        if ends[-1] <= left:
            continue
        box, parted = (left, y, ends[-1], y + tall), [*zip([left, *ends], ends)]  # noqa: B905  one is longer
        sheet.bar(*box, grounds(sheet.colors)[kind])
        feet = [(x0, foot, x1 - min(1.5 / sheet.wide, 0.15 * (x1 - x0)), y + tall) for x0, x1 in parted if x1 > x0]
        cache_rows(sheet, {"read" if kind == "again" else "kept": feet}, "lying")
        if kind == "again":
            sheet.line(rectangle(*box), sheet.colors.wasted, 2.0)
        room, said = (box[2] - left) * sheet.wide - 12, f"{part}, {money(prices[j])}"
        if large * ems(said) <= room:
            both = f"{said} a million tokens"
            text = both if large * ems(both) <= room else said
            sheet.write(left + 8 / sheet.wide, (y + foot) / 2, text, large, ink_on(grounds(sheet.colors)[kind]), "middle right")
            now.add(part)
        else:
            after |= {kind: said}
        left = ends[-1]
    late = {kind: said for kind, said in after.items() if said.split(",")[0] not in named}
    for k, (kind, said) in enumerate(late.items()):
        if (left + 12 / sheet.wide) + (30 + 6.5 * len(said)) / sheet.wide < 1:
            down = (k - (len(late) - 1) / 2) * min(24.0, tall / len(late))
            legend(sheet, y + tall / 2 + down, {kind: said}, left + 12 / sheet.wide, "worded")
            now.add(said.split(",")[0])
    return now


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


def _when_it_pays(sheet: Sheet, prices: tuple[float, float, float], asked: Asked, place: Box) -> None:
    """What a million tokens cost after each number of readings, stored and, behind that, fresh each time; where storing has paid for the
    first time is framed, dashed where that was guessed. Until that is known, an empty place."""
    (read, write, fresh), colors, (left, top, right, bottom) = prices, sheet.colors, place
    if not asked.names:
        return number_to_find(sheet, place, "storing has paid")
    said = asked.right.replace("but each reading loses some of it", "not for long")
    size = min(24.0, (right - left) * sheet.wide / (1.1 * ems(said) + 0.7 * ems("storing has paid ")))
    sheet.write(left, top + 13, f"{bold(said)}", size, anchor="middle right")
    sheet.write(right, top + 14, "storing has paid", min(16.0, 0.7 * size), colors.muted, "middle left")
    bottom, body = bottom - 22, bottom - 22 - top - TITLE
    often = (0, 1, 2, max(3, reads_to_pay(*prices) or 0))
    stored, anew = [[k * read, write, 0.0] for k in often], [(k + 1) * fresh for k in often]
    scale = (body - SAID) / (max(*map(sum, stored), *anew) or 1.0)
    _columns(sheet, (left, right), bottom, scale, stored, anew)
    width = (right - left) / len(often)
    for k, name in enumerate((*READINGS[:-1], f"{often[-1]:,} times")):
        x0, middle = left + k * width, left + (k + 0.5) * width
        sheet.write(middle, bottom + 12, name + " read" * (not k), 13, colors.muted)
        level = bottom - max(sum(stored[k]), anew[k]) * scale
        for up, text, color in ((27, bold(money(sum(stored[k]))), colors.ink), (11, f"of {money(anew[k])}", colors.muted)):
            sheet.write(middle, level - up, text, 15 if up > 20 else 13, color)
        says, aside = asked.names[k], 2.5 / sheet.wide
        box = x0 + aside, bottom - body + 2, x0 + width - aside, bottom + 22
        mark = middle, box[1] - 8, "middle center"
        outline(sheet, box, asked.right.startswith(says), says == asked.guess, mark, "yours" if says == asked.guess else YOURS)


def _paid_parts(turn: Turn, prices: tuple[float, float, float]) -> list[float]:
    """What is paid for the turn: read, written, fresh."""
    only = (Turn(turn.read, 0, 0), Turn(0, turn.written, 0), Turn(0, 0, turn.fresh))
    return [cost([part], *prices) for part in only]
