"""A pool of blocks, in it the words as they lie, and how many sequences hold each block; beside it each sequence's block table."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.caches.pool_story import NOTHING, PoolFrame
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.format import quantity

NAMES = ("A", "B", "C")
NARROWEST = 760  # pixels that the figure gets at least
MOST_SLOTS, FEW, GAP = 22, 12, 12.0  # slots side by side at most, in a small pool; pixels between blocks
POOL_LEFT, ROOM, TABLE = 0.3, 242.0, 62.0  # where the pool begins, pixels of its blocks, and of a sequence beside it
POOL_ON_PHONE, LINE = 44.0, 34.0  # pixels above the sequences on a phone, and of one, which has a line of its own there


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
    held = f"of {quantity(n_blocks, 'block')} held"
    large_number(sheet, (0.0, 1.0 if phone else POOL_LEFT), 22, str(frame.n_held), held)
    for k, name in enumerate(NAMES):
        if phone:
            _table_on_phone(sheet, frame, name, POOL_ON_PHONE + 16 + k * LINE)
        else:
            _table(sheet, frame, name, 66 + k * TABLE, words)
    across = across_on_phone(n_blocks, size) if phone else blocks_across(n_blocks, size)
    left, top, rows = (
        (0.0 if phone else POOL_LEFT),
        POOL_ON_PHONE + len(NAMES) * LINE + 16 if phone else 8.0,
        -(-n_blocks // across),
    )
    cell = min(34.0, max(24.0, 260 / rows - 26)) if phone else min(120.0, max(26.0, ROOM / rows - 32))
    step = cell + (26 if phone else 32)
    for block in range(n_blocks):
        x, y = left + block % across / across * (1 - left), top + block // across * step
        _block(sheet, frame, block, (x, (1 - left) / across, y, cell), words)
    bottom = max(top + rows * step, 0.0 if phone else 66 + len(NAMES) * TABLE) + 4
    bottom = _legend(sheet, frame, left, bottom + 8) + 18
    return sheet.figure(_many(sheet, answers, bottom), min_width=0 if phone else NARROWEST)


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
        sheet.line(rectangle(left + 0.001, y, edges[-1][2], y + tall), colors.muted, 1.5, "dash")
        sheet.write((left + edges[-1][2]) / 2, y + tall / 2, "<b>?</b>", 20)
        return y + tall + 24
    sheet.bars(edges[: answers.shared], colors.muted)
    sheet.bars(edges[answers.shared : answers.held], colors.cached)
    sheet.line("".join(rectangle(*edge) for edge in edges[answers.held :]), colors.line, 1.5, "dot")
    said = f"<b>{quantity(answers.held, 'block')}</b>, {answers.alone} without sharing"
    size = 14 if phone else 16
    beside = edges[-1][2] + 12 / sheet.wide
    if not phone and (1 - beside) * sheet.wide > ems(said) * size:
        sheet.write(beside, y + tall / 2, said, size, anchor="middle right")
    else:
        sheet.write(1, top + 24 if not phone else y + tall + 34, said, size, anchor="middle left")
    if answers.guess is not None and 0 <= answers.guess <= answers.alone:
        x = left + answers.guess * box
        sheet.bar(x - 0.001, y - 3, x + 0.001, y + tall + 5, colors.ink)
        near_end = x > 0.85
        sheet.write(x, y + tall + 14, "your guess", 13, colors.muted, "middle left" if near_end else "middle right")
    return y + tall + (46 if phone else 24)


def across_on_phone(n_blocks: int, size: int) -> int:
    """Blocks side by side on a phone: one, whose words can be read, or slots for a few of them; of very many blocks more.

    >>> across_on_phone(5, 4), across_on_phone(11, 2), across_on_phone(21, 1), across_on_phone(3, 8)
    (1, 2, 4, 1)
    """
    few = max(1, 4 // size)
    return few if n_blocks <= 6 * few else max(1, 8 // size)


def blocks_across(n_blocks: int, size: int) -> int:
    """Blocks side by side: about FEW slots where that makes two rows at most, else up to MOST_SLOTS; rows of equal length.

    >>> blocks_across(5, 4), blocks_across(11, 4), blocks_across(21, 2)
    (3, 4, 11)
    """
    few = max(1, FEW // size)
    across = few if n_blocks <= 2 * few else max(1, MOST_SLOTS // size)
    return -(-n_blocks // -(-n_blocks // min(across, n_blocks)))


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
        x0, fill = k * box / sheet.wide, _fill(sheet, frame, block)
        sheet.bar(x0, y + 17, x0 + (box - 3) / sheet.wide, y + 47, fill)
        sheet.write(x0 + (box - 3) / 2 / sheet.wide, y + 32, str(block), min(18.0, 0.62 * box), ink_on(fill))


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
        x0, fill = (24 + k * box) / sheet.wide, _fill(sheet, frame, block)
        sheet.bar(x0, y - 13, x0 + (box - 3) / sheet.wide, y + 13, fill)
        if box >= 17:
            sheet.write(x0 + (box - 3) / 2 / sheet.wide, y, str(block), max(13.0, min(16.0, 0.62 * box)), ink_on(fill))
    unused = len(table) * frame.slots.shape[1] - n
    sheet.write(1, y, f"{quantity(n, 'token')}, {unused} empty", 13, colors.muted, "middle left")


def _ink(sheet: Sheet, frame: PoolFrame) -> str:
    """The colour of what the event does: a prompt's prefill, or a word's decode."""
    return sheet.colors.prefill if frame.event == "prefill" else sheet.colors.decode


def _fill(sheet: Sheet, frame: PoolFrame, block: int) -> str:
    """A block's colour by how many hold it."""
    holders = int(frame.holders[block])
    return sheet.colors.hole if not holders else sheet.colors.cached if holders == 1 else sheet.colors.muted


def _block(sheet: Sheet, frame: PoolFrame, block: int, place: tuple[float, float, float, float], words: Sequence[str]) -> None:
    """One block: who holds it, its slots, the words in them; what has just been written is in the colour of "new"."""
    colors, size, (x, width, y, height) = sheet.colors, frame.slots.shape[1], place
    fill, cell = _fill(sheet, frame, block), (width - GAP / sheet.wide) / size
    who = [name for name in frame.tables if block in frame.tables[name]]
    said = f"{block}: {' and '.join(who)}" if who else f"{block}: free"
    if frame.copied and block == frame.copied[1]:
        said += f", copy of {frame.copied[0]}"
    pixels = cell * sheet.wide
    said = said if LETTER * 13 * len(said) <= width * sheet.wide else str(block)
    sheet.write(x, y, bold(said, len(who) > 1), 13 if sheet.phone else 15, colors.ink if who else colors.muted, "middle right")
    top, boxes = y + 12, {}
    for slot, token in enumerate(frame.slots[block]):
        x0 = x + slot * cell
        new = (block, slot) in frame.written
        color = _ink(sheet, frame) if new else fill if token != NOTHING else colors.hole if who else colors.surface
        boxes.setdefault(color, []).append((x0 + 0.0006, top, x0 + cell - 0.0006, top + height))
        if token != NOTHING and pixels >= (26 if sheet.phone else 16):
            type_size = min(18.0, max(13.0, pixels / 4))
            sheet.write(x0 + cell / 2, top + height / 2, short(words[token], pixels - 3, type_size), type_size, ink_on(color))
    for color, found in boxes.items():
        sheet.bars(found, color)
    source, copy = frame.copied or (None, None)
    edge = _ink(sheet, frame) if block == copy else colors.ink if block == source else colors.line
    line = 2.5 if block in (source, copy) else 1.0
    sheet.frame(max(x - 0.001, 0.001), top - 1, x + size * cell + 0.001, top + height + 1, edge, line)


def _legend(sheet: Sheet, frame: PoolFrame, left: float, y: float) -> float:
    """What the colours that are there mean; returns where it ends."""
    colors, x = sheet.colors, left
    taken = frame.slots != NOTHING
    old = {_fill(sheet, frame, block) for block, slot in zip(*taken.nonzero(), strict=True) if (block, slot) not in frame.written}
    there = (
        old | ({_ink(sheet, frame)} if frame.written else set()) | (set() if taken[frame.holders > 0].all() else {colors.hole})
    )
    for fill, name in (
        (colors.muted, "held by several"), (colors.cached, "held by one"), (_ink(sheet, frame), "just written"), (colors.hole, "empty"),
    ):  # fmt: skip
        if fill in there:
            if sheet.phone and x > 0.65:
                x, y = 0.0, y + 22
            x = sheet.swatch(x, y, fill, name)
    return y
