"""The blocks that sequences hold, a lane for each: what two of them share stands across both lanes, what each holds alone in its own. In
the blocks the rows of keys and values as they lie, with their words; beneath them what is free."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.caches.pool_story import NOTHING, PoolFrame
from pages.lessons.paging.figures.pool_answers import SHARED, Answers, many_answers
from pages.lessons.paging.figures.pool_lanes import Band, Held, bands, blocks_side_by_side
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, rectangle, short, type_size
from pages.parts.text.format import quantity

NARROWEST = 760  # pixels that the figure gets at least
LEFT = 0.045  # of the width, where blocks begin
RIGHT = 0.7  # of the width, where they end
ANSWERS = 0.735  # of the width, where many answers' blocks begin
LEFT_ON_PHONE = 0.12
ANSWERS_ON_PHONE = 124.0  # pixels of many answers' blocks, beneath the others
GAP = 12.0  # pixels between two blocks
ROOM = 232.0  # pixels of all lanes on a projector
NAME = 22.0  # pixels above a block, for its number
LEAST = 28.0  # pixels of a lane, at least
MOST = 110.0  # pixels of a lane, at most
ON_PHONE = 40.0  # pixels of a lane
FREE, WIDE_FREE = 24.0, 42.0  # pixels of a free block
ARROW = 26.0  # before the number of a block that an arrow leads to


class Place(NamedTuple):
    """A block that is held and where it is drawn. arrow: whether one stands above it, before its number."""

    held: Held
    box: Box
    arrow: bool


def pool(sheet: Sheet, frame: PoolFrame, words: Sequence[str], answers: Answers) -> SheetFigure:
    """frame: the pool after one event. words: of each token id. answers: what many of them take, at their right, on a phone beneath."""
    phone, (n_blocks, size) = sheet.on_phone(), frame.slots.shape
    apiece = sum(map(len, frame.tables.values()))
    shared = f"{quantity(frame.n_held, 'block')} held, {apiece} without sharing"
    says = shared if apiece > frame.n_held else f"{frame.n_held} of {quantity(n_blocks, 'block')} held"
    across = blocks_side_by_side(max(map(len, frame.tables.values()), default=1), size, phone)
    y = 0.0
    found = bands(frame.tables, across)
    lanes = sum(len(band.lanes) for band in found)
    tall = ON_PHONE if phone else min(MOST, max(LEAST, (ROOM + sheet.spare / 2) / max(2, lanes) - NAME))
    for band in found:
        for place in _band(sheet, frame, band, (y, tall, across)):
            _block(sheet, frame, place, words)
        y += len(band.lanes) * (NAME + tall)
    if not phone:  # the same height at every event, so that nothing beneath moves
        y = max(y, 2 * (NAME + tall))
    y = _free(sheet, frame, y + 12)
    place = (0.0, y + 14, 1.0, y + 14 + ANSWERS_ON_PHONE) if phone else (ANSWERS, 0.0, 1.0, y)
    many_answers(sheet, answers, place)
    return under_headline(sheet, says).figure(place[3] + 4, min_width=NARROWEST)


def _band(sheet: Sheet, frame: PoolFrame, band: Band, at: tuple[float, float, int]) -> list[Place]:
    """Who has each lane, at its left; where its blocks are, with an arrow between one that has just been copied and its copy. at: where
    the band begins, pixels of a lane, and blocks side by side."""
    (top, tall, across), colors = at, sheet.colors
    left, right = (LEFT_ON_PHONE, 1.0) if sheet.phone else (LEFT, RIGHT)
    wide, tops = (right - left) / across, [top + NAME + k * (NAME + tall) for k in range(len(band.lanes))]
    for y, names in zip(tops, band.lanes, strict=True):
        said, ink = ", ".join(names), _ink(sheet, frame) if frame.written and names == (frame.who,) else colors.ink
        sheet.write(0, y + tall / 2, bold(said), type_size(said, left * sheet.wide, 24.0), ink, "middle right")
    copied = [held for held in band.held if frame.copied and held.block in frame.copied]
    lower = max(copied, key=lambda held: held.first) if len(copied) == 2 else None
    places = []
    for held in band.held:
        x = left + held.column * wide
        box = x, tops[held.first], x + wide - GAP / sheet.wide, tops[held.last] + tall
        places.append(Place(held, box, held == lower))
    if lower:
        (x, y, *_), down = next(place.box for place in places if place.arrow), frame.copied[1] == lower.block
        _arrow(sheet, x + 12 / sheet.wide, y - NAME - 1, y - 3, down)
    return places


def _arrow(sheet: Sheet, x: float, y0: float, y1: float, down: bool) -> None:
    """From y0 down to y1, or up."""
    ends, back, half = (y1, y1 - 8, 6 / sheet.wide) if down else (y0 + 3, y0 + 11, 6 / sheet.wide)
    sheet.line(f"M{x:.5f},{y0 + 2:.1f}L{x:.5f},{y1 - 1:.1f}", sheet.colors.ink, 2.5)
    sheet.path(f"M{x - half:.5f},{back:.1f}L{x + half:.5f},{back:.1f}L{x:.5f},{ends:.1f}Z", sheet.colors.ink)


def _block(sheet: Sheet, frame: PoolFrame, place: Place, words: Sequence[str]) -> None:
    """One block: its number above it, its slots, and in them the rows with their words; what has just been written has the colour of its
    phase."""
    (held, (x, top, right, bottom), arrow), colors, size = place, sheet.colors, frame.slots.shape[1]
    cell, height, boxes = (right - x) / size, bottom - top, {}
    shared, copy = len(held.names) > 1, frame.copied and held.block == frame.copied[1]
    who = f", held by {' and '.join(held.names)}" if shared else f", copy of {frame.copied[0]}" if copy else ""
    from_left, letters = ARROW / sheet.wide * arrow, 14 if sheet.phone else 16
    said = next(
        text
        for text in (f"block {held.block}{who}", f"block {held.block}", str(held.block), "")
        if letters * (bold_ems if shared else ems)(text) <= (right - x - from_left) * sheet.wide or not text
    )
    sheet.write(x + from_left, top - 11, bold(said, shared), letters, colors.ink if who else colors.muted, "middle right")
    pixels = cell * sheet.wide
    worded = pixels >= (26 if sheet.phone else 16)
    for slot, token in enumerate(frame.slots[held.block]):
        x0, box = x + slot * cell, (x + slot * cell + 0.0006, top, x + (slot + 1) * cell - 0.0006, bottom)
        kind = _kind(frame) if (held.block, slot) in frame.written else "kept" if token != NOTHING else ""
        boxes.setdefault(kind, []).append(box)
        if token != NOTHING and worded:
            free, ink = height - edge(height), ink_on(grounds(colors)[kind])
            large = min(24.0, max(13.0, pixels / 4.6), max(12.0, 0.7 * free))
            sheet.write(x0 + cell / 2, top + free / 2, short(words[token], pixels - 3, large), large, ink)
    empty = boxes.pop("", [])
    if empty:
        sheet.line("".join(rectangle(*box) for box in empty), colors.line, 1, "dot")
    cache_rows(sheet, boxes, "worded" if worded else "lying")
    color = colors.ink if shared else _ink(sheet, frame) if copy else colors.line
    sheet.frame(max(x - 0.001, 0.001), top - 1, right + 0.001, bottom + 1, color, SHARED if shared or copy else 1.0)


def _free(sheet: Sheet, frame: PoolFrame, y: float) -> float:
    """The blocks that nobody holds, in a line; those that have just been given back in a firm outline. Returns where it ends."""
    free, colors = [block for block, n in enumerate(frame.holders) if n == 0], sheet.colors
    left, right = (LEFT_ON_PHONE, 1.0) if sheet.phone else (LEFT, RIGHT)
    sheet.write(0, y + FREE / 2, "free", 15, colors.muted, "middle right")
    if not free:
        sheet.write(left, y + FREE / 2, "none", 15, colors.muted, "middle right")
    wide = min(WIDE_FREE / sheet.wide, (right - left) / max(1, len(free)))
    for k, block in enumerate(free):
        box = left + k * wide, y, left + (k + 1) * wide - 5 / sheet.wide, y + FREE
        sheet.frame(*box, colors.ink if block in frame.freed else colors.line, 2 if block in frame.freed else 1)
        if wide * sheet.wide - 5 > 14 * ems(str(block)):
            sheet.write((box[0] + box[2]) / 2, y + FREE / 2, str(block), 14, colors.muted)
    return y + FREE


def _kind(frame: PoolFrame) -> str:
    """Of a row that the event writes: a prompt's, or a word's."""
    return "prefill" if frame.event == "prefill" else "new"


def _ink(sheet: Sheet, frame: PoolFrame) -> str:
    """The colour of what the event does: a prompt's prefill, or a word's decode."""
    return grounds(sheet.colors)[_kind(frame)]
