"""A pool of blocks, in it the rows of keys and values as they lie, with their words; a frame around what several sequences hold, an
arrow to what has just been copied. Beside it each sequence's block table."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.caches.pool_story import NOTHING, PoolFrame
from pages.lessons.paging.figures.pool_rows import across_on_phone, blocks_across, heights
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import SWATCH, cache_rows, edge, grounds, legend
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.format import quantity

NAMES = ("A", "B", "C")
NARROWEST = 760  # pixels that the figure gets at least
GAP = 12.0  # pixels between blocks
POOL_LEFT, ROOM, TABLE = 0.3, 242.0, 62.0  # where the pool begins, pixels of its blocks, and of a sequence beside it
SHARED = 3.0  # pixels of the frame around a block that several hold
NAMED = 0.24  # share of a phone's width before a block that stands alone in its row
POOL_ON_PHONE, LINE = 6.0, 32.0  # pixels above the sequences on a phone, and of one, which has a line of its own there


class Answers(NamedTuple):
    """What several answers to one prompt take: blocks if each held its own, and together, of which `shared` are held by several; held is
    None while that is asked for. guess: what the visitor said."""

    name: str
    alone: int
    held: int | None = None
    shared: int = 0
    guess: float | None = None


def pool(sheet: Sheet, frame: PoolFrame, words: Sequence[str], answers: Answers) -> SheetFigure:
    """frame: the pool after one event. words: of each token id. answers: what many of them take, beneath."""
    phone, (n_blocks, size) = sheet.on_phone(), frame.slots.shape
    apiece = sum(map(len, frame.tables.values()))
    shared = f"{quantity(frame.n_held, 'block')} held, {apiece} without sharing"
    says = shared if apiece > frame.n_held else f"{frame.n_held} of {quantity(n_blocks, 'block')} held"
    for k, name in enumerate(NAMES):
        if phone:
            _table_on_phone(sheet, frame, name, POOL_ON_PHONE + 16 + k * LINE)
        else:
            _table(sheet, frame, name, 22 + k * TABLE, words)
    across = across_on_phone(n_blocks, size) if phone else blocks_across(n_blocks, size)
    beside = phone and across == 1  # then a block's name has room before it
    left, top, rows = (
        (NAMED * beside if phone else POOL_LEFT),
        POOL_ON_PHONE + len(NAMES) * LINE + 16 if phone else 8.0,
        -(-n_blocks // across),
    )
    cell = min(34.0, max(24.0, 260 / rows - 26)) if phone else min(120.0, max(26.0, ROOM / rows - 32))
    step, wide = cell + (8 if beside else 26 if phone else 32), (1 - left) / across
    high = heights(frame, across, cell) if not phone else [cell] * rows
    tops = [top + sum(high[:row]) + row * (step - cell) for row in range(rows + 1)]
    places = [(left + b % across * wide, wide, tops[b // across], high[b // across]) for b in range(n_blocks)]
    for block, place in enumerate(places):
        _block(sheet, frame, block, place, words, beside)
    if frame.copied and not phone:
        copy = frame.copied[1]
        same = [slot for slot in range(size) if frame.slots[copy, slot] != NOTHING and (copy, slot) not in frame.written]
        _copied(sheet, *(places[block] for block in frame.copied), len(same) / size or 1.0)
    bottom = max(tops[rows], 0.0 if phone else 22 + len(NAMES) * TABLE) + 4
    bottom = _legend(sheet, frame, 0.0 if phone else left, bottom + 8) + 18
    return under_headline(sheet, says).figure(_many(sheet, answers, bottom), min_width=0 if phone else NARROWEST)


def _many(sheet: Sheet, answers: Answers, top: float) -> float:
    """The blocks of many answers in a row: those held by several, those of one alone, and as outlines those that sharing saves; an
    outline of all while it is asked. Returns where it ends."""
    phone, colors = sheet.phone, sheet.colors
    sheet.bar(0, top, 1, top + 1, colors.line)
    left, y = (0.0, top + 42) if phone else (POOL_LEFT, top + 14)
    for k, line in enumerate([answers.name] if phone else answers.name.split(", ")):
        sheet.write(0, top + 24 + 20 * k, line, 15 if phone else 16, anchor="middle right")
    box, tall = min(46.0, (1 - left) * (sheet.wide - 10) / answers.alone) / sheet.wide, 26.0
    edges = [(left + k * box + 0.001, y, left + (k + 1) * box - 2 / sheet.wide, y + tall) for k in range(answers.alone)]
    if answers.held is None:
        sheet.line("".join(rectangle(*edge) for edge in edges), colors.muted, 1.5, "dash")
        says, beside = f"<b>?</b> of {answers.alone}", edges[-1][2] + 12 / sheet.wide
        if (1 - beside) * sheet.wide > ems(f"? of {answers.alone}") * 18:
            sheet.write(beside, y + tall / 2, says, 18, anchor="middle right")
        else:  # beneath all of them
            sheet.write(1, y + tall + 13, says, 16, anchor="middle left")
        return y + tall + 24
    cache_rows(sheet, {"kept": edges[: answers.held]}, "lying")
    sheet.line("".join(rectangle(*edge) for edge in edges[: answers.shared]), colors.ink, SHARED, layer="above")
    sheet.line("".join(rectangle(*edge) for edge in edges[answers.held :]), colors.line, 1.5, "dot")
    said = f"<b>{quantity(answers.held, 'block')}</b>, {answers.alone} without sharing"
    size = 14 if phone else 16
    beside = edges[-1][2] + 12 / sheet.wide
    fits = not phone and (1 - beside) * sheet.wide > ems(said) * size
    if fits:
        sheet.write(beside, y + tall / 2, said, size, anchor="middle right")
    else:
        sheet.write(1, y + tall + 34, said, size, anchor="middle left")
    if answers.guess is not None and 0 <= answers.guess <= answers.alone:
        x = left + answers.guess * box
        sheet.bar(x - 0.001, y - 3, x + 0.001, y + tall + 5, colors.ink)
        near_end = x > 0.85
        sheet.write(x, y + tall + 14, "your guess", 13, colors.muted, "middle left" if near_end else "middle right")
    return y + tall + (24 if fits else 46)


def _table(sheet: Sheet, frame: PoolFrame, name: str, y: float, words: Sequence[str]) -> None:
    """A sequence's text and its table: block numbers in their order."""
    colors, now, wide = sheet.colors, frame.who == name, POOL_LEFT * sheet.wide - 30
    if name not in frame.tables:
        if now and frame.event == "release":
            sheet.write(0, y, f"<b>{name}</b>", 20, _ink(sheet, frame), "middle right")
            sheet.write(26 / sheet.wide, y, "gave its blocks back", 16, colors.muted, "middle right")
        return
    table, ids = frame.tables[name], frame.tokens[name]
    sheet.write(0, y, f"<b>{name}</b>", 20, _ink(sheet, frame) if now else colors.ink, "middle right")
    ends = [("… " if first else "") + " ".join(words[i] for i in ids[first:]) for first in range(len(ids))]
    text = next((text for text in ends if ems(text) * 16 <= wide - 26), ends[-1])
    sheet.write(26 / sheet.wide, y, short(text, wide - 26, 16), 16, anchor="middle right")
    box = min(38.0, wide / len(table))
    for k, block in enumerate(table):
        x0 = k * box / sheet.wide
        _entry(sheet, frame, block, (x0, y + 17, x0 + (box - 4) / sheet.wide, y + 47), min(18.0, 0.62 * box))


def _table_on_phone(sheet: Sheet, frame: PoolFrame, name: str, y: float) -> None:
    """A sequence's table and its number of tokens, in one line: its words stand in its blocks."""
    colors, now, there = sheet.colors, frame.who == name, name in frame.tables
    sheet.write(
        0, y, f"<b>{name}</b>", 18, colors.muted if not there else _ink(sheet, frame) if now else colors.ink, "middle right"
    )
    if not there:
        gone = "gave its blocks back" if now and frame.event == "release" else "–"
        sheet.write(24 / sheet.wide, y, gone, 14, colors.muted, "middle right")
        return
    table, n = frame.tables[name], len(frame.tokens[name])
    box = min(30.0, 200 / len(table))
    for k, block in enumerate(table):
        x0 = (24 + k * box) / sheet.wide
        said = max(13.0, min(16.0, 0.62 * box)) if box >= 17 else 0.0
        _entry(sheet, frame, block, (x0, y - 13, x0 + (box - 4) / sheet.wide, y + 13), said)
    unused = len(table) * frame.slots.shape[1] - n
    sheet.write(1, y, f"{quantity(n, 'token')}, {unused} empty", 13, colors.muted, "middle left")


def _ink(sheet: Sheet, frame: PoolFrame) -> str:
    """The colour of what the event does: a prompt's prefill, or a word's decode."""
    return grounds(sheet.colors)[_kind(frame)]


def _entry(sheet: Sheet, frame: PoolFrame, block: int, box: Box, size: float) -> None:
    """A block's number in a table, framed where several hold the block. size: of the number, 0 where there is no room for it."""
    x0, y0, x1, y1 = box
    sheet.bar(*box, sheet.colors.hole)
    if frame.holders[block] > 1:
        sheet.frame(*box, sheet.colors.ink, 2)
    if size:
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, str(block), size)


def _copied(
    sheet: Sheet, source: tuple[float, float, float, float], copy: tuple[float, float, float, float], share: float
) -> None:
    """From what is copied of a block, which is so much of it, to the copy: beneath both where they stand side by side, else down to it at
    its left."""
    (x0, wide, y0, tall), (x1, _, y1, _), colors = source, copy, sheet.colors
    middle, below, gap = share * (wide / 2 - GAP / 2 / sheet.wide), y0 + 12 + tall, 5 / sheet.wide
    if y0 == y1:
        sheet.line(f"M{x0 + middle:.5f},{below + 2:.1f}V{below + 8:.1f}H{x1 + middle:.5f}V{below + 6:.1f}", colors.ink, 2)
        x, y = x1 + middle, below + 2
        sheet.path(f"M{x:.5f},{y:.1f}L{x - gap:.5f},{y + 6:.1f}L{x + gap:.5f},{y + 6:.1f}Z", colors.ink)
        return
    x, y = x1 - 8 / sheet.wide, y1 + 12 + tall / 2
    sheet.line(f"M{x0 + middle:.5f},{below + 2:.1f}V{below + 7:.1f}H{x:.5f}V{y:.1f}H{x1 - gap:.5f}", colors.ink, 2)
    sheet.path(f"M{x1 - 0.001:.5f},{y:.1f}L{x1 - gap:.5f},{y - 5:.1f}L{x1 - gap:.5f},{y + 5:.1f}Z", colors.ink)


def _block(
    sheet: Sheet, frame: PoolFrame, block: int, place: tuple[float, float, float, float], words: Sequence[str], beside: bool
) -> None:
    """One block: who holds it, above it or beside it, its slots, and in them the rows with their words; what has just been written has the
    colour of its phase."""
    colors, size, (x, width, y, height) = sheet.colors, frame.slots.shape[1], place
    cell = (width - GAP / sheet.wide) / size
    who = [name for name in frame.tables if block in frame.tables[name]]
    said = f"{block}: {(', ' if beside and len(who) > 2 else ' and ').join(who)}" if who else f"{block}: free"
    copied = f"copy of {frame.copied[0]}" if frame.copied and block == frame.copied[1] else ""
    pixels = cell * sheet.wide
    top, boxes = y + 12 * (not beside), {}
    if beside:
        lines = [bold(said, len(who) > 1), copied] if copied else [bold(said, len(who) > 1)]
        for k, line in enumerate(lines):
            middle = y + height / 2 + 15 * (k - (len(lines) - 1) / 2)
            sheet.write(0, middle, line, 13, colors.ink if who else colors.muted, "middle right")
    else:
        said += f", {copied}" * bool(copied)
        said = said if LETTER * 13 * len(said) <= width * sheet.wide else str(block)
        sheet.write(
            x, y, bold(said, len(who) > 1), 13 if sheet.phone else 15, colors.ink if who else colors.muted, "middle right"
        )
    worded = pixels >= (26 if sheet.phone else 16)
    for slot, token in enumerate(frame.slots[block]):
        x0, box = x + slot * cell, (x + slot * cell + 0.0006, top, x + (slot + 1) * cell - 0.0006, top + height)
        kind = _kind(frame) if (block, slot) in frame.written else "kept" if token != NOTHING else ""
        boxes.setdefault(kind, []).append(box)
        if token != NOTHING and worded:
            free, ink = height - edge(height), ink_on(grounds(colors)[kind])
            type_size = min(18.0, max(13.0, pixels / 4), max(12.0, 0.7 * free))
            said = short(words[token], pixels - 3, type_size)
            sheet.write(x0 + cell / 2, top + free / 2, said, type_size, ink)
    empty = boxes.pop("", [])
    if who and empty:
        sheet.line("".join(rectangle(*box) for box in empty), colors.line, 1, "dot")
    cache_rows(sheet, boxes, "worded" if worded else "lying")
    shared, copy = len(who) > 1, frame.copied and block == frame.copied[1]
    color = colors.ink if shared else _ink(sheet, frame) if copy else colors.line
    sheet.frame(
        max(x - 0.001, 0.001), top - 1, x + size * cell + 0.001, top + height + 1, color, SHARED if shared or copy else 1.0
    )


def _kind(frame: PoolFrame) -> str:
    """Of a row that the event writes: a prompt's, or a word's."""
    return "prefill" if frame.event == "prefill" else "new"


def _legend(sheet: Sheet, frame: PoolFrame, left: float, y: float) -> float:
    """What is there, and what it means; returns where it ends."""
    colors, x, taken = sheet.colors, left, frame.slots != NOTHING
    old = {block for block, slot in zip(*taken.nonzero(), strict=True) if (block, slot) not in frame.written}
    there = {
        "held by several": any(frame.holders[block] > 1 for block in old),
        "held by one": any(frame.holders[block] == 1 for block in old),
        "just written": bool(frame.written),
        "empty": not taken[frame.holders > 0].all(),
    }
    for name in (name for name, some in there.items() if some):
        if sheet.phone and x > 0.65:
            x, y = 0.0, y + 22
        swatch = (x, y - 8, x + SWATCH / sheet.wide, y + 8)
        if name == "empty":
            sheet.line(rectangle(*swatch), colors.line, 1, "dot")
            x = sheet.swatch(x, y, "", name)
            continue
        x = legend(sheet, y, {_kind(frame) if name == "just written" else "kept": name}, x, "lying")
        if name == "held by several":
            sheet.frame(*swatch, colors.ink, 2)
    return y
