"""One machine's memory over time, up to the line at which it is full; beneath it a lane for each request, the first to come on top. Where
no block is left for a next token, a line falls from full memory to who is thrown out: he waits, and is computed again. Beside it all of
the machine's blocks, and how many requests of mean length have room in them together, which is asked for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.serving import Held, Run, held
from pages.lessons.many.figures.gantt import moments
from pages.lessons.many.figures.request_rows import Row, Span, rows_of
from pages.parts.drawing.answers import open_place
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, type_size
from pages.parts.text.format import quantity

LANES = 184.0  # pixels of all lanes
LOWEST = 15.0  # pixels of a lane, at least
HIGHEST = 32.0  # pixels of a lane, at most
MEMORY, OVER = 0.62, 26.0  # of the lanes' height that memory has, and pixels above it
MEMORY_ON_PHONE = 120.0  # pixels of memory
MOST_ON_PHONE = 5  # lanes
ACROSS = 56.0  # pixels of the column of blocks on a phone, where it lies across
FREE = 0.11  # of a lane's height above and beneath what is in it
CROSS, APART = 6.0, 20.0  # pixels of half the cross of who is thrown out, and between two of them
PALE = 0.35  # of the brown while he waits
GROWN = 1.5  # times as long what is written may be on a slide
BEYOND = 3.0  # pixels of the line at which all blocks end, where a request has no room
LEAST_APART = 5.0  # pixels that one takes, where each is parted from the next
Across = Callable[[float], float]  # where a second lies on the sheet


class Together(NamedTuple):
    """Requests of mean length in one machine's memory, in blocks. n_blocks: of the machine; shared: what is there once for all; each: what
    one takes besides; asked: how many have room together, "?" while that is asked; says: how long they are, and how much is shared."""

    n_blocks: int
    shared: int
    each: int
    asked: str
    says: tuple[str, str]


class Fall(NamedTuple):
    """Across the sheet, and the request's number from 0."""

    at: float
    who: int


def memory_filled(sheet: Sheet, run: Run, together: Together) -> SheetFigure:
    """The whole run, and how many have room; on a phone of its lanes those of who is thrown out, where anybody is."""
    left, right = (0.07, 0.99) if sheet.on_phone() else (0.08, 0.79)
    begin, end = moments(run)[[0, -1]].tolist()

    def across(second: float) -> float:
        return left + (second - begin) * (right - left) / max(end - begin, 1e-9)

    every, stretches = rows_of(run), list(held(run))
    lost = {who for one in stretches for who in one.lost}
    drawn = (sorted(lost)[:MOST_ON_PHONE] or [0, len(every) - 1]) if sheet.phone else list(range(len(every)))
    drawn = sorted({*drawn})  # of one request there is one lane
    rows, tall = [every[k] for k in drawn], sheet.row(LANES, len(drawn), LOWEST, HIGHEST)
    full, empty = OVER, OVER + (MEMORY_ON_PHONE if sheet.phone else MEMORY * tall * len(rows))
    lanes = [(empty + (k + 0.6) * tall, empty + (k + 1.6) * tall) for k in range(len(rows))]
    sheet.bar(left, full, right, empty, faded(sheet.colors, sheet.colors.hole, 0.5))
    block = (empty - full) / max(1, together.n_blocks)
    sheet.path("".join(_held(one, across, empty, block) for one in stretches), sheet.colors.cached)
    places = _places(stretches, every)
    for k, row, (top, bottom) in zip(drawn, rows, lanes, strict=True):
        _lane(sheet, row, places[k], across, (top + FREE * tall, bottom - FREE * tall))
    falls = [Fall(at, drawn.index(who)) for at, who in _falls(stretches, across, sheet.wide) if who in drawn]
    _name_rows(sheet, left - 8 / sheet.wide, lanes, drawn, lost)
    _name_colors(sheet, rows, across, lanes, falls, right if sheet.phone else right + 0.05)
    if run.steps.waiting.any():  # else who comes in the middle of a step begins with the next one
        _name_wait(sheet, rows, across, lanes, falls)
    _thrown_out(sheet, falls, full, lanes)
    bottom = lanes[-1][1]
    if sheet.phone:
        _together_across(sheet, together, bottom + 66)
    else:
        _together(sheet, together, right + 0.06, (full, bottom))
    sheet.line(f"M{left:.5f},{full:.2f}L{right:.5f},{full:.2f}", sheet.colors.ink, 2.5 * sheet.zoom, layer="above")
    sheet.write(left, full - 14, bold("memory full"), 16, anchor="middle right")
    time_ticks(sheet, (left, right), end - begin, bottom)
    return sheet.figure(bottom + (66 + ACROSS + 26 if sheet.phone else 32), min_width=760)


def _name_rows(sheet: Sheet, x: float, lanes: Sequence[Span], drawn: Sequence[int], lost: set[int]) -> None:
    """The first and the last request, and who is thrown out. drawn: whose lanes these are."""
    for who, lane in zip(drawn, lanes, strict=True):
        if who in (drawn[0], drawn[-1], *lost):
            name = f"{'' if sheet.phone else 'request '}{who + 1}"
            sheet.write(x, sum(lane) / 2, bold(name, who in lost), 14, anchor="middle left")


def _together(sheet: Sheet, together: Together, left: float, down: Span) -> None:
    """A column of all blocks: what is there once for all, and above it what each takes. While how many is asked, one of them, and the rest
    open. Where not even one has room it ends above all blocks."""
    (top, empty), colors, right = down, sheet.colors, left + 0.5 * (1 - left)
    least = together.shared + together.each
    block, known = (empty - top) / max(1, together.n_blocks, least), together.asked != "?"
    n, one = int(together.asked.replace(",", "")) if known else 1, block * together.each
    full, foot = empty - block * together.n_blocks, empty - block * together.shared
    length, alike = together.says
    open_place(sheet, left, full, right, empty)
    sheet.bar(left, foot, right, empty, colors.cached)
    sheet.bar(left, foot - n * one, right, foot, faded(colors, colors.cached, 0.6))
    if least > together.n_blocks:
        if not n:
            open_place(sheet, left, foot - one, right, foot)
        sheet.line(f"M{left - 0.01:.5f},{full:.2f}H{right + 0.01:.5f}", colors.ink, BEYOND, layer="above")
    if one >= LEAST_APART:
        parted = "".join(f"M{left:.5f},{foot - k * one:.2f}H{right:.5f}" for k in range(n) if foot - k * one > full)
        sheet.line(parted, colors.surface, 2)
    middle, y = (0.008 + 1 + right) / 2, (top + empty) / 2
    size = type_size(together.asked, 0.94 * (1 - right) * sheet.wide, 64.0)
    sheet.write(middle, y, bold(together.asked), size)
    sheet.write(middle, y + 0.5 * size + 14, "fits" if together.asked == "1" else "fit", 16)
    said = quantity(together.n_blocks, "block")
    if least <= together.n_blocks:
        sheet.write((left + 1) / 2, full - 14, bold(said), 16)
    else:
        sheet.write(left - 0.014, full, bold(said), 14, anchor="middle left")
    if 15 * ems(length) < (1 - left) * sheet.wide:
        sheet.write((left + 1) / 2, empty + 16, bold(length), 14)
    top, bottom = _larger_part(full, foot, empty)
    if alike and bottom - top >= 18 and 13.5 * ems(alike) < (right - left) * sheet.wide:
        sheet.write((left + right) / 2, (top + bottom) / 2, alike, 13, ink_on(colors.cached))


def _larger_part(line: float, begin: float, end: float) -> Span:
    """Of what a line cuts in two; all of it where the line lies elsewhere."""
    return max((begin, line), (line, end), key=lambda part: part[1] - part[0]) if begin < line < end else (begin, end)


def _together_across(sheet: Sheet, together: Together, top: float) -> None:
    """As `_together`, from left to right, for a phone."""
    colors, bottom, known = sheet.colors, top + ACROSS, together.asked != "?"
    unit = 1 / max(1, together.n_blocks, together.shared + together.each)
    n, one, begin = int(together.asked.replace(",", "")) if known else 1, unit * together.each, unit * together.shared
    full, end = unit * together.n_blocks, begin + n * one
    open_place(sheet, 0.002, top, full - 0.002, bottom)
    sheet.bar(0, top, begin, bottom, colors.cached)
    sheet.bar(begin, top, end, bottom, faded(colors, colors.cached, 0.6))
    if one * sheet.wide >= LEAST_APART:
        sheet.line("".join(f"M{begin + k * one:.5f},{top:.2f}V{bottom:.2f}" for k in range(n)), colors.surface, 2)
    if full < 1:
        sheet.line(f"M{full:.5f},{top - 6:.2f}V{bottom + 6:.2f}", colors.ink, BEYOND, layer="above")
    sheet.write(0, top - 16, bold(quantity(together.n_blocks, "block")), 16, anchor="middle right")
    length, alike = together.says
    sheet.write(1, top - 16, bold(length), 15, anchor="middle left")
    first, last = _larger_part(full, 0, begin)
    if alike and 14 * ems(alike) < (last - first) * sheet.wide:
        sheet.write((first + last) / 2, (top + bottom) / 2, alike, 14, ink_on(colors.cached))
    said = f"{together.asked} {'fits' if together.asked == '1' else 'fit'}"
    if known or 36 * ems(said) > (full - end) * sheet.wide:
        sheet.write(0.5, bottom + 15, bold(said), 18)
    else:
        sheet.write((end + full) / 2, (top + bottom) / 2, bold(said), 30)


def _held(one: Held, x: Across, empty: float, block: float) -> str:
    """What is held in a stretch, by all."""
    a, b = (empty - block * (one.shared[k] + sum(ends[k] for ends in one.own.values())) for k in (0, 1))
    begins, ends = x(one.starts_s), x(one.ends_s)
    return f"M{begins:.5f},{empty:.2f}L{begins:.5f},{a:.2f}L{ends:.5f},{b:.2f}L{ends:.5f},{empty:.2f}Z"


def _lane(sheet: Sheet, row: Row, places: Sequence[Span], x: Across, down: tuple[float, float]) -> None:
    """A thin line while it waits to begin; blue while its prompt is computed, then orange while it has its place; brown from when it
    is thrown out until it has been computed again, and for a place that is kept when it is done."""
    colors, (top, bottom) = sheet.colors, down
    middle, least = (top + bottom) / 2, 2.5 / sheet.wide

    def boxes(spans: Sequence[Span], high: float = 1.0) -> list[Box]:
        half = high * (bottom - top) / 2
        return [(x(a), middle - half, max(x(b), x(a) + least), middle + half) for a, b in spans if b > a]

    arrives, begins = row.waits[0]
    sheet.bars(boxes([(arrives, places[0][0] if places else begins)], 0.16), colors.hole)
    sheet.bars(boxes(places), colors.decode)
    sheet.bars(boxes([*row.waits[1:], *row.kept]), faded(colors, colors.wasted, PALE))
    sheet.bars(boxes(row.prompts), colors.prefill)
    sheet.bars(boxes(row.again), colors.wasted)


def _places(stretches: Sequence[Held], rows: Sequence[Row]) -> list[list[Span]]:
    """When each request holds blocks, from its prompt's first pass on: until then it waits, in a static batch with its place."""
    places: list[list[Span]] = [[] for _ in rows]
    for one in stretches:
        for who in (i for i in one.own if rows[i].prompts[0][0] <= one.starts_s):
            spans, begins = places[who], one.starts_s
            if spans and begins - spans[-1][1] < 1e-9 and who not in one.lost:
                begins = spans.pop()[0]
            spans.append((begins, one.ends_s))
    return places


def _name_colors(sheet: Sheet, rows: Sequence[Row], x: Across, lanes: Sequence[Span], falls: Sequence[Fall], most: float) -> None:
    """What the colours are, at the right of lanes that have room there. most: where that ends."""
    again, named = "thrown out" if sheet.phone else "thrown out, computed again", set()
    for k, (row, (top, bottom)) in enumerate(zip(rows, lanes, strict=True)):
        says = again if row.again else "done, its place kept" if row.kept else "prompt, then tokens" if row.tokens else ""
        begins = x(max(b for spans in row for _, b in spans)) + 10 / sheet.wide
        ends = begins + 15 * ems(says) / sheet.wide
        far = begins + GROWN * (ends - begins)  # type grows when it is presented
        crossed = any(begins - 0.01 < at < far and who > k for at, who in falls)
        if says and (row.again or says not in named) and ends <= most and not crossed:
            named.add(says)
            sheet.write(begins, (top + bottom) / 2, bold(says, bool(row.again)), 14, anchor="middle right")


def _name_wait(sheet: Sheet, rows: Sequence[Row], x: Across, lanes: Sequence[Span], falls: Sequence[Fall]) -> None:
    """On the longest line of who waits what that is, where nothing falls."""
    longest = max(range(len(rows)), key=lambda k: rows[k].waits[0][1] - rows[k].waits[0][0])
    (begins, ends), y = map(x, rows[longest].waits[0]), sum(lanes[longest]) / 2
    half, at = (7 * ems("waits") + 5) / sheet.wide, (begins + ends) / 2
    if ends - begins > 3 * half and not any(abs(at - fall) < half and who > longest for fall, who in falls):
        sheet.bar(at - half, y - 6, at + half, y + 6, sheet.colors.surface)
        sheet.write(at, y, "waits", 14)


def _falls(stretches: Sequence[Held], x: Across, wide: int) -> list[Fall]:
    """Where somebody is thrown out, and who; of what lies close in a lane the first."""
    falls: list[Fall] = []
    last: dict[int, float] = {}
    for one in stretches:
        at = x(one.starts_s)
        for who in one.lost:
            if (at - last.get(who, -1.0)) * wide >= APART:
                last[who] = at
                falls.append(Fall(at, who))
    return falls


def _thrown_out(sheet: Sheet, falls: Sequence[Fall], full: float, lanes: Sequence[Span]) -> None:
    """A line from full memory down to a cross."""
    lines = crosses = ""
    for at, who in falls:
        y, half = sum(lanes[who]) / 2, CROSS / sheet.wide
        lines += f"M{at:.5f},{full:.2f}L{at:.5f},{y - CROSS:.2f}"
        crosses += f"M{at - half:.5f},{y - CROSS:.2f}L{at + half:.5f},{y + CROSS:.2f}"
        crosses += f"M{at - half:.5f},{y + CROSS:.2f}L{at + half:.5f},{y - CROSS:.2f}"
    if falls:
        sheet.line(lines, sheet.colors.ink, 2 * sheet.zoom, layer="above")
        sheet.line(crosses, sheet.colors.surface, 7.5 * sheet.zoom, layer="above")
        sheet.line(crosses, sheet.colors.ink, 4 * sheet.zoom, layer="above")
