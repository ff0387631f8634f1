"""One machine's memory over time: each request is a band as high as its blocks, the first to come at the bottom. Above the line at which
memory is full stands who waits, and brown who was in and was thrown out. At the left, to the same scale, how many have room together."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.serving import Held, Run, held
from pages.lessons.many.figures.gantt import moments
from pages.parts.drawing.axes import time_ticks
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.format import quantity

ROOM, PHONE_ROOM = 268.0, 290.0  # pixels above the axis
WAITS, LEAST_WAITS, MOST_WAITS = 18.0, 62.0, 0.36  # pixels of one who waits; of all, at least, and at most of the room
NAMED = 15.0  # pixels of the lowest band that has its request's number
SHADES = (0.95, 0.5, 0.72)  # of the colour of the requests, in turns
OUT, APART = 24.0, 27.0  # pixels of what marks who is thrown out, and of the distance from which on it has his number


class Taken(NamedTuple):
    """n_blocks: of one machine. of_one: what a request takes until its last token, n_shared: of them those of the beginning that all have
    once; together: requests that have room, None while that is asked for."""

    n_blocks: int
    of_one: int
    n_shared: int
    together: int | None


class Places(NamedTuple):
    """Across the sheet: where the bar ends, and time begins and ends. Down: where memory is full, where it is empty, pixels of one who
    waits and of one block."""

    bar: float
    left: float
    right: float
    full: float
    empty: float
    one: float
    block: float


class Part(NamedTuple):
    """A band during one stretch: whose, which pixels across, and where it begins and ends at either side, from below."""

    who: int
    x0: float
    x1: float
    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def tall(self) -> float:
        return min(a - b for a, b in zip(self.low, self.high, strict=True))

    @property
    def path(self) -> str:
        (a, b), (c, d) = self.low, self.high
        return f"M{self.x0:.5f},{a:.2f}L{self.x0:.5f},{c + 1:.2f}L{self.x1:.5f},{d + 1:.2f}L{self.x1:.5f},{b:.2f}Z"


def memory_filled(sheet: Sheet, run: Run, taken: Taken) -> SheetFigure:
    """The whole run."""
    stretches = list(held(run))
    at = _places(sheet, taken, max((len(one.waiting) for one in stretches), default=0))
    begin, end = moments(run)[[0, -1]].tolist()
    scale = (at.right - at.left) / max(end - begin, 1e-9)
    across = [(at.left + (one.starts_s - begin) * scale, at.left + (one.ends_s - begin) * scale) for one in stretches]
    sheet.bar(at.left, at.full, at.right, at.empty, faded(sheet.colors, sheet.colors.hole, 0.5))
    bands = [list(_stack(one, x, at)) for one, x in zip(stretches, across, strict=True)]
    _memory(sheet, stretches, bands)
    _queue(sheet, stretches, across, at)
    _names(sheet, [part for one, parts in zip(stretches, bands, strict=True) for part in parts if part.who not in one.computed])
    _together(sheet, taken, at)
    sheet.line(f"M0,{at.full:.2f}L{at.right:.5f},{at.full:.2f}", sheet.colors.ink, 2)
    _thrown_out(sheet, stretches, [x for x, _ in across], at)
    if not sheet.phone:
        x = at.left - 8 / sheet.wide
        sheet.write(x, at.full + 12, quantity(taken.n_blocks, "block"), 13, anchor="middle left")
        sheet.write(x, at.full - 12, "waiting", 13, sheet.colors.muted, "middle left")
    time_ticks(sheet, (at.left, at.right), end - begin, at.empty)
    return sheet.figure(at.empty + 32, min_width=0 if sheet.phone else 760)


def _places(sheet: Sheet, taken: Taken, n_waiting: int) -> Places:
    """So many wait at most."""
    phone = sheet.on_phone()
    room = PHONE_ROOM if phone else sheet.row(ROOM, 1, ROOM, 560)
    above = min(max(LEAST_WAITS, n_waiting * WAITS), MOST_WAITS * room)
    block = (room - above) / max(1, taken.n_blocks)
    bar, left = (0.19, 0.24) if phone else (0.13, 0.215)
    return Places(bar, left, 0.985, above, room, min(1.5 * WAITS, above / max(1, n_waiting)), block)


def _stack(one: Held, x: tuple[float, float], at: Places) -> Iterator[Part]:
    """What is there once for all, as nobody's (-1), and then each request's."""
    y = at.empty, at.empty
    for who, blocks in {-1: one.shared, **one.own}.items():
        top = tuple(max(at.full, low - n * at.block) for low, n in zip(y, blocks, strict=True))
        if blocks != (0, 0):
            yield Part(who, *x, y, top)
        y = top


def _memory(sheet: Sheet, stretches: Sequence[Held], bands: Sequence[Sequence[Part]]) -> None:
    """All bands, grey as all that is kept; blue while a prompt is computed, brown while it is computed once more."""
    colors, least = sheet.colors, 2.5 / sheet.wide
    paths = dict.fromkeys([*(_shade(sheet, who) for who in range(-1, len(SHADES))), colors.prefill, colors.wasted], "")
    for one, parts in zip(stretches, bands, strict=True):
        for part in parts:
            paths[_shade(sheet, part.who)] += part.path
            if part.who in one.computed:
                wide = part._replace(x1=max(part.x1, part.x0 + least))
                paths[colors.wasted if part.who in one.again else colors.prefill] += wide.path
    for color, path in paths.items():
        if path:
            sheet.path(path, color)


def _shade(sheet: Sheet, who: int) -> str:
    """The grey of a request, and, darker, of what nobody has alone (-1)."""
    return sheet.colors.muted if who < 0 else faded(sheet.colors, sheet.colors.cached, SHADES[who % len(SHADES)])


def _queue(sheet: Sheet, stretches: Sequence[Held], across: Sequence[tuple[float, float]], at: Places) -> None:
    """Who waits, the next to join at the line; brown, who was in."""
    for lost, color in ((False, sheet.colors.hole), (True, sheet.colors.wasted)):
        parts = [
            Part(who, *x, (at.full - k * at.one,) * 2, (at.full - (k + 1) * at.one,) * 2)
            for one, x in zip(stretches, across, strict=True) for k, who in enumerate(one.waiting) if (who in one.was_in) == lost
        ]  # fmt: skip
        if path := "".join(part.path for part in parts):
            sheet.path(path, color)


def _thrown_out(sheet: Sheet, stretches: Sequence[Held], starts: Sequence[float], at: Places) -> None:
    """At the line, when it happens, and whose blocks went."""
    color, said = sheet.colors.wasted, -1.0
    for one, x in zip(stretches, starts, strict=True):
        for who in one.lost:
            named = (x - said) * sheet.wide >= APART
            half, tall = (OUT / 2, OUT / 2) if named else (2.0, OUT / 4)
            for edge, fill in ((1.5, sheet.colors.surface), (0.0, color)):
                wide = (half + edge) / sheet.wide
                sheet.bar(x - wide, at.full - tall - edge, x + wide, at.full + tall + edge, fill)
            if named:
                sheet.write(x, at.full, bold(str(who + 1)), 15, ink_on(color))
                said = x


def _names(sheet: Sheet, parts: Sequence[Part]) -> None:
    """Each request's number, once, in the widest of its bands, where that has room for it."""
    widest: dict[int, Part] = {}
    for part in parts:
        known = widest.get(part.who)
        if known and known.x1 == part.x0 and known.low[1] == part.low[0] and known.high[1] == part.high[0]:
            part = Part(part.who, known.x0, part.x1, (known.low[0], part.low[1]), (known.high[0], part.high[1]))
        if not known or part.x0 == known.x0 or part.x1 - part.x0 > known.x1 - known.x0:
            widest[part.who] = part
    for who, part in widest.items():
        y, room = (sum(part.low) + sum(part.high)) / 4, (part.x1 - part.x0) * sheet.wide - 6
        said = [f"request {who + 1}", str(who + 1)] if who >= 0 else ["beginnings, once for all", "beginnings"]
        fits = next((text for text in said if 15 * ems(text) <= room), "")
        if fits and part.tall >= NAMED:
            sheet.write((part.x0 + part.x1) / 2, y, bold(fits), 14, ink_on(_shade(sheet, who)))


def _together(sheet: Sheet, taken: Taken, at: Places) -> None:
    """A bar of blocks as high as memory, and above it how many have room in it."""
    colors, (n_blocks, of_one, n_shared, together) = sheet.colors, taken
    own, bottom = (of_one - n_shared) * at.block, at.empty - min(n_shared, n_blocks) * at.block
    sheet.bar(0, at.full, at.bar, at.empty, colors.hole)
    sheet.bar(0, bottom, at.bar, at.empty, colors.muted)
    drawn = 1 if together is None else together
    for k in range(drawn if own >= 3 else 0):
        low, high = (max(at.full, bottom - n * own) for n in (k, k + 1))
        sheet.bar(0, high + 1, at.bar, low, _shade(sheet, k))
        if own >= NAMED and together is not None:
            sheet.write(at.bar / 2, (low + high) / 2, str(k + 1), 14, ink_on(_shade(sheet, k)))
    end = max(at.full, bottom - drawn * own)
    if own < 3:  # too many to be told apart
        sheet.bar(0, end, at.bar, bottom, colors.cached)
    if together is None and end > at.full:
        sheet.line(rectangle(0, at.full, at.bar, end), colors.muted, 1.5, "dash", layer="above")
    sheet.write(at.bar / 2, at.full - 40, bold("?" if together is None else f"{together:,}"), 34)
    sheet.write(at.bar / 2, at.full - 12, "have room" if sheet.phone else "have room together", 13 if sheet.phone else 15)
    said = f"{of_one - n_shared:,} each" + f", {n_shared:,} shared" * bool(n_shared and not sheet.phone)
    sheet.write(at.bar / 2, at.empty + 20, short(said, at.bar * sheet.wide + 20, 13), 13, colors.muted)
