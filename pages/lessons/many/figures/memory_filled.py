"""One machine's memory over time, up to the line at which it is full; beneath it a lane for each request, the first to come on top. Where
no block is left for a next token, a line falls from full memory to who is thrown out: he waits, and is computed again."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.serving import Held, Run, held
from pages.lessons.many.figures.gantt import moments
from pages.lessons.many.figures.request_rows import Row, Span, rows_of
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems

LANES, LOWEST, ON_PHONE, HIGHEST = 184.0, 15.0, 19.0, 32.0  # pixels of all lanes, and of one
MEMORY, OVER = 0.32, 12.0  # of the lanes' height that memory has, and pixels above it
FREE = 0.11  # of a lane's height above and beneath what is in it
CROSS, APART = 6.0, 20.0  # pixels of half the cross of who is thrown out, and between two of them
PALE = 0.35  # of the brown while he waits
Across = Callable[[float], float]  # where a second lies on the sheet


class Fall(NamedTuple):
    """Across the sheet, and the request's number from 0."""

    at: float
    who: int


def memory_filled(sheet: Sheet, run: Run, n_blocks: int) -> SheetFigure:
    """The whole run. n_blocks: of one machine."""
    left, right = (0.19, 0.985) if sheet.on_phone() else (0.115, 0.985)
    begin, end = moments(run)[[0, -1]].tolist()

    def across(second: float) -> float:
        return left + (second - begin) * (right - left) / max(end - begin, 1e-9)

    rows, stretches, beside = rows_of(run), list(held(run)), left - 8 / sheet.wide
    tall = sheet.row(LANES, len(rows), ON_PHONE if sheet.phone else LOWEST, HIGHEST)
    full, empty = OVER, OVER + MEMORY * tall * len(rows)
    lanes = [(empty + (k + 0.6) * tall, empty + (k + 1.6) * tall) for k in range(len(rows))]
    sheet.bar(left, full, right, empty, faded(sheet.colors, sheet.colors.hole, 0.5))
    sheet.path("".join(_held(one, across, empty, (empty - full) / max(1, n_blocks)) for one in stretches), sheet.colors.cached)
    for k, (row, places, (top, bottom)) in enumerate(zip(rows, _places(stretches, len(rows)), lanes, strict=True)):
        _lane(sheet, row, places, across, (top + FREE * tall, bottom - FREE * tall))
        said = f"{k + 1}" if sheet.phone else f"request {k + 1}"
        sheet.write(beside, (top + bottom) / 2, said, 13, sheet.colors.muted, "middle left")
    falls = _falls(stretches, across, sheet.wide)
    _name_colors(sheet, rows, across, lanes, falls)
    if run.steps.waiting.any():  # else who comes in the middle of a step begins with the next one
        _name_wait(sheet, rows, across, lanes, falls)
    _thrown_out(sheet, falls, full, lanes)
    sheet.line(f"M{left:.5f},{full:.2f}L{right:.5f},{full:.2f}", sheet.colors.ink, 2.5 * sheet.zoom, layer="above")
    sheet.write(beside, full, bold("full"), 17, anchor="middle left")
    sheet.write(beside, (full + empty) / 2, "memory", 15, anchor="middle left")
    time_ticks(sheet, (left, right), end - begin, lanes[-1][1])
    return sheet.figure(lanes[-1][1] + 32, min_width=0 if sheet.phone else 760)


def _held(one: Held, x: Across, empty: float, block: float) -> str:
    """What is held in a stretch, by all."""
    a, b = (empty - block * (one.shared[k] + sum(ends[k] for ends in one.own.values())) for k in (0, 1))
    begins, ends = x(one.starts_s), x(one.ends_s)
    return f"M{begins:.5f},{empty:.2f}L{begins:.5f},{a:.2f}L{ends:.5f},{b:.2f}L{ends:.5f},{empty:.2f}Z"


def _lane(sheet: Sheet, row: Row, places: Sequence[Span], x: Across, down: tuple[float, float]) -> None:
    """A thin line while it waits to begin; orange while it has its place, blue while its prompt is computed; brown from when it is
    thrown out until it has been computed again, and for a place that is kept when it is done."""
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


def _places(stretches: Sequence[Held], n: int) -> list[list[Span]]:
    """When each of n requests holds blocks."""
    places: list[list[Span]] = [[] for _ in range(n)]
    for one in stretches:
        for who in one.own:
            spans, begins = places[who], one.starts_s
            if spans and begins - spans[-1][1] < 1e-9 and who not in one.lost:
                begins = spans.pop()[0]
            spans.append((begins, one.ends_s))
    return places


def _name_colors(sheet: Sheet, rows: Sequence[Row], x: Across, lanes: Sequence[Span], falls: Sequence[Fall]) -> None:
    """What the colours are, at the right of lanes that have room there."""
    colors, again, named = sheet.colors, "thrown out" if sheet.phone else "thrown out, computed again", set()
    for k, (row, (top, bottom)) in enumerate(zip(rows, lanes, strict=True)):
        says = again if row.again else "done, its place kept" if row.kept else "prompt, then tokens" if row.tokens else ""
        begins = x(max(b for spans in row for _, b in spans)) + 10 / sheet.wide
        ends = begins + 14 * ems(says) / sheet.wide
        crossed = any(begins - 0.01 < at < ends and who > k for at, who in falls)
        if says and (row.again or says not in named) and ends <= 1 and not crossed:
            named.add(says)
            strong = colors.ink if row.again else colors.muted
            sheet.write(begins, (top + bottom) / 2, bold(says, bool(row.again)), 13, strong, "middle right")


def _name_wait(sheet: Sheet, rows: Sequence[Row], x: Across, lanes: Sequence[Span], falls: Sequence[Fall]) -> None:
    """On the longest line of who waits what that is, where nothing falls."""
    longest = max(range(len(rows)), key=lambda k: rows[k].waits[0][1] - rows[k].waits[0][0])
    (begins, ends), y = map(x, rows[longest].waits[0]), sum(lanes[longest]) / 2
    half, at = (7 * ems("waits") + 5) / sheet.wide, (begins + ends) / 2
    if ends - begins > 3 * half and not any(abs(at - fall) < half and who > longest for fall, who in falls):
        sheet.bar(at - half, y - 6, at + half, y + 6, sheet.colors.surface)
        sheet.write(at, y, "waits", 13, sheet.colors.muted)


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
