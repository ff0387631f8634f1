"""A pool of blocks: above it each sequence's block table, in it the words as they lie, and how many sequences hold each block."""

from collections.abc import Sequence

from engine.caches.pool_story import NOTHING, PoolFrame
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, short

NAMES = ("A", "B", "C")
NARROWEST = 760  # pixels that the figure gets at least
MOST_SLOTS, FEW, GAP = 22, 12, 12.0  # slots side by side at most, in a small pool; pixels between blocks
POOL_TOP = 98.0


def pool(sheet: Sheet, frame: PoolFrame, words: Sequence[str]) -> SheetFigure:
    """frame: the pool as it stands; words: of each token id."""
    for k, name in enumerate(NAMES):
        _table(sheet, frame, name, k / len(NAMES), words)
    n_blocks, size = frame.slots.shape
    across = blocks_across(n_blocks, size)
    rows = -(-n_blocks // across)
    cell = min(46.0, max(26.0, 150 / rows - 24))
    for block in range(n_blocks):
        x, y = block % across / across, POOL_TOP + block // across * (cell + 26)
        _block(sheet, frame, block, (x, 1 / across, y, cell), words)
    bottom = POOL_TOP + rows * (cell + 26)
    _legend(sheet, frame, bottom + 8)
    return sheet.figure(bottom + 22, min_width=NARROWEST)


def blocks_across(n_blocks: int, size: int) -> int:
    """Blocks side by side: about FEW slots where that makes two rows at most, else up to MOST_SLOTS; rows of equal length.

    >>> blocks_across(5, 4), blocks_across(11, 4), blocks_across(21, 2)
    (3, 4, 11)
    """
    few = max(1, FEW // size)
    across = few if n_blocks <= 2 * few else max(1, MOST_SLOTS // size)
    return -(-n_blocks // -(-n_blocks // min(across, n_blocks)))


def _table(sheet: Sheet, frame: PoolFrame, name: str, x: float, words: Sequence[str]) -> None:
    """A sequence's text and its table: block numbers in their order."""
    colors = sheet.colors
    now = frame.who == name
    title = f"<b>{name}</b>"
    if name not in frame.tables:
        sheet.write(x, 12, title, 16, colors.muted, "middle right")
        gone = "gave its blocks back" if now and frame.event == "release" else "no sequence"
        sheet.write(x + 24 / WIDTH, 12, gone, 13.5, colors.muted, "middle right")
        return
    table, ids = frame.tables[name], frame.tokens[name]
    sheet.write(x, 12, title, 18, colors.accent if now else colors.ink, "middle right")
    pixels = NARROWEST / len(NAMES) - 44
    ends = [("… " if first else "") + " ".join(words[i] for i in ids[first:]) for first in range(len(ids))]
    text = next((text for text in ends if ems(text) * 15 <= pixels), ends[-1])
    sheet.write(x + 24 / WIDTH, 12, short(text, pixels, 15), 15, anchor="middle right")
    room = WIDTH / len(NAMES) - 24
    box = min(32.0, room / len(table))
    for k, block in enumerate(table):
        x0 = x + k * box / WIDTH
        fill = _fill(sheet, frame, block)
        sheet.bar(x0, 28, x0 + (box - 3) / WIDTH, 54, fill)
        sheet.write(x0 + (box - 3) / 2 / WIDTH, 41, str(block), min(16.0, 0.62 * box), ink_on(fill))
    unused = len(table) * frame.slots.shape[1] - len(ids)
    tokens, slots = (f"{n} {one}{'s' * (n != 1)}" for n, one in ((len(ids), "token"), (unused, "slot")))
    sheet.write(x, 67, f"table of {name}: {tokens}, {slots} empty", 13, colors.muted, "middle right")


def _fill(sheet: Sheet, frame: PoolFrame, block: int) -> str:
    """A block's colour by how many hold it."""
    holders = int(frame.holders[block])
    return sheet.colors.hole if not holders else sheet.colors.cached if holders == 1 else sheet.colors.muted


def _block(sheet: Sheet, frame: PoolFrame, block: int, place: tuple[float, float, float, float], words: Sequence[str]) -> None:
    """One block: who holds it, its slots, the words in them; what has just been written is in the colour of "new"."""
    colors, size, (x, width, y, height) = sheet.colors, frame.slots.shape[1], place
    fill, cell = _fill(sheet, frame, block), (width - GAP / WIDTH) / size
    who = [name for name in frame.tables if block in frame.tables[name]]
    said = f"{block}: {' and '.join(who)}" if who else f"{block}: free"
    if frame.copied and block == frame.copied[1]:
        said += f", copy of {frame.copied[0]}"
    pixels = cell * WIDTH
    said = said if LETTER * 13 * len(said) <= width * WIDTH else str(block)
    sheet.write(x, y, bold(said, len(who) > 1), 13, colors.ink if who else colors.muted, "middle right")
    top, boxes = y + 12, {}
    for slot, token in enumerate(frame.slots[block]):
        x0 = x + slot * cell
        new = (block, slot) in frame.written
        color = colors.accent if new else fill if token != NOTHING else colors.hole
        boxes.setdefault(color, []).append((x0 + 0.0006, top, x0 + cell - 0.0006, top + height))
        if token != NOTHING and pixels >= 16:
            type_size = min(16.0, max(13.0, pixels / 4))
            sheet.write(x0 + cell / 2, top + height / 2, short(words[token], pixels - 3, type_size), type_size, ink_on(color))
    for color, found in boxes.items():
        sheet.bars(found, color)
    source, copy = frame.copied or (None, None)
    edge = colors.accent if block == copy else colors.ink if block == source else colors.muted
    line = 2.5 if block in (source, copy) else 1.0
    sheet.frame(max(x - 0.001, 0.001), top - 1, x + size * cell + 0.001, top + height + 1, edge, line)


def _legend(sheet: Sheet, frame: PoolFrame, y: float) -> None:
    """What the colours that are there mean."""
    colors, x = sheet.colors, 0.0
    taken = frame.slots != NOTHING
    old = {_fill(sheet, frame, block) for block, slot in zip(*taken.nonzero(), strict=True) if (block, slot) not in frame.written}
    there = old | ({colors.accent} if frame.written else set()) | (set() if taken.all() else {colors.hole})
    for fill, name in (
        (colors.muted, "held by two"), (colors.cached, "held by one"), (colors.accent, "just written"), (colors.hole, "empty"),
    ):  # fmt: skip
        if fill in there:
            x = sheet.swatch(x, y, fill, name)
