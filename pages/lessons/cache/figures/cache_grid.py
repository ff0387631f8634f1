"""The cache as it grows: keys and values that are kept; on the same rows, a column a step, what is computed, brown what a cache spares."""

from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.cells import Texts, cells, texts
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.machine_rows import key_cells, value_cells
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import upright
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, capacity, ems, rectangle, short

TOP, HEIGHT, PHONE_HEIGHT, MOST = 58.0, 196.0, 206.0, 20.0  # MOST: type size in cells
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more
AHEAD, LEAST_AHEAD, MOST_ROWS = 2, 5, 64  # rows to come for which there is always room, and at the first step; in all
LATER = 0.35  # of their colour has what later steps compute
LARGE, SMALL = 34.0, 20.0  # type sizes of the rows that a next word takes, and of those that earlier steps took
SUM = 33.0  # pixels of a line of them
RIGHT = 0.998


class Columns(NamedTuple):
    """Where the columns begin, as shares of the width; keys_end, values_end: where they end. stairs: of what is computed."""

    keys: float
    keys_end: float
    values: float
    values_end: float
    stairs: float


COLUMNS = Columns(0.115, 0.31, 0.32, 0.385, 0.44)
PHONE = Columns(0.22, 0.4, 0.41, 0.5, 0.56)


class CacheStep(NamedTuple):
    """What is shown. layer: the attention of this step's pass, its last rows are new; head: whose keys and values.

    words: (n,). so_far: key/value rows of all steps, (with cache, without). to_come: the next words.
    """

    layer: Attention
    head: int
    words: tuple[str, ...]
    n_prompt: int
    so_far: tuple[int, int]
    to_come: tuple[str, ...] = ()

    @property
    def first_new(self) -> int:
        """The first row that this pass computed."""
        return len(self.words) - self.layer.q.shape[1]

    @property
    def room(self) -> int:
        """How many rows there is room for, a next word's among them."""
        at_first = min(self.n_prompt + LEAST_AHEAD, MOST_ROWS)
        return max(capacity(len(self.words) + AHEAD, self.n_prompt), at_first, len(self.words) + 1)

    @property
    def columns(self) -> int:
        """How many of a key's entries are shown."""
        return min(self.room, self.layer.k.shape[2])


def cache_grid(
    sheet: Sheet, step: CacheStep, answered: bool = True, pointed: bool = False, held: tuple[int, int] | None = None
) -> SheetFigure:
    """Keys and values of all n tokens, and what each step so far and a next word compute.

    answered: whether it says what of all this is kept. pointed: whether the rows held were asked for. held: as how many rows there will
    be, and as how many were guessed, once that is answered.
    """
    colors, room, n = sheet.colors, step.room, len(step.words)
    at = PHONE if sheet.on_phone() else COLUMNS
    tall = sheet.row(PHONE_HEIGHT if sheet.phone else HEIGHT, room, 4.4, 56)
    grid = Grid.of(at.values, TOP, (at.values_end - at.values, tall), (n, 1))
    size = max(min(15.0 if sheet.phone else MOST, 0.68 * tall), LEAST * (tall >= LINE))
    fresh = colors.prefill if step.first_new == 0 else colors.accent
    _headings(sheet, step, at, answered)
    _kept(sheet, step, at, grid, size)
    if tall >= LINE:
        _to_come(sheet, at, grid, room)
    if answered:
        sheet.frame(at.keys - 0.003, TOP, at.values_end + 0.003, grid.y[-1], colors.ink, 2)
        sheet.frame(at.keys - 0.003, grid.y[step.first_new], at.values_end + 0.003, grid.y[-1], fresh, 3)
    _names(sheet, step, at, grid, size, fresh if answered else "")
    _stairs(sheet, step, at, tall)
    if held and tall >= LINE:
        _held_then(sheet, step, at, grid, min(room, held[0]), size)
    for k in dict.fromkeys(held or ()) if tall >= LINE else ():
        _last_held(sheet, step, at, grid, k, held)
    _sums(sheet, step, at, TOP + room * tall + 21, pointed, answered)
    says = f"A next word: 1 row, not {n + 1:,}" if answered else f"Without a cache a next word takes {n + 1:,} rows"
    return under_headline(sheet, says).figure(TOP + room * tall + 2 * SUM + 6, min_width=0 if sheet.phone else 640)


def _headings(sheet: Sheet, step: CacheStep, at: Columns, answered: bool) -> None:
    """What is kept, and what is computed."""
    colors, large = sheet.colors, 15 if sheet.phone else 18
    for x, text in [(at.keys, "<b>kept</b>")] * answered + [(at.stairs, "<b>computed</b>, step by step")]:
        sheet.write(x, 12, text, large, anchor="middle right")
    if not sheet.phone:
        sheet.write(RIGHT, 12, "brown: only without a cache", 16, colors.wasted, "middle left")
    for left, right, text, color in (
        (at.keys, at.keys_end, "key", colors.key),
        (at.values, at.values_end, "value", colors.value),
    ):
        sheet.write(left, TOP - 15, bold(text), 13.5 if sheet.phone else 15, color, "middle right")
        sheet.bar(left, TOP - 4, right, TOP - 1.5, color)


def _last_held(sheet: Sheet, step: CacheStep, at: Columns, grid: Grid, n: int, held: tuple[int, int]) -> None:
    """The last of n rows: the right one, or the one that was guessed, which is said where no step has computed anything yet."""
    if 1 <= n <= step.room:
        y = float(grid.y[0]) + (n - 1) * grid.tall
        box = (at.keys - 0.003, y + 1, at.values_end + 0.003, y + grid.tall - 1)
        free = n > step.n_prompt and not sheet.phone
        yours = (at.values_end + 0.01, y + grid.tall / 2, "middle right")
        outline(sheet, box, n == held[0], n == held[1], yours, YOURS if free else "" if sheet.phone else "yours")


def _held_then(sheet: Sheet, step: CacheStep, at: Columns, rows: Grid, n: int, size: float) -> None:
    """The rows that come until there are n, in the colours of key and value, with their words as far as these are known."""
    n_words, colors = len(step.words), sheet.colors
    for k in range(n - n_words):
        top = float(rows.y[-1]) + k * rows.tall
        for left, right, color in ((at.keys, at.keys_end, colors.key), (at.values, at.values_end, colors.value)):
            sheet.bar(left, top + 2, right, top + rows.tall - 2, faded(colors, color, 0.55))
        said = f"{n_words + k + 1} {step.to_come[k] if k < len(step.to_come) else ''}".rstrip()
        label = bold(short(said, (at.keys - 0.015) * sheet.wide, max(size, LEAST)))
        sheet.write(at.keys - 0.01, top + rows.tall / 2, label, max(size, LEAST), colors.accent, "middle left")


def _to_come(sheet: Sheet, at: Columns, rows: Grid, room: int) -> None:
    """Outlines of the rows that later tokens will have."""
    for k in range(room - len(rows.down)):
        y = rows.y[-1] + k * rows.tall
        for left, right in ((at.keys, at.keys_end), (at.values, at.values_end)):
            sheet.line(rectangle(left, y + 2, right, y + rows.tall - 2), sheet.colors.bar, 1, "dot")


def _kept(sheet: Sheet, step: CacheStep, at: Columns, rows: Grid, size: float) -> None:
    """The keys' first entries and the values."""
    kv_head, colors = step.layer.kv_head(step.head), sheet.colors
    k, v = step.layer.k[kv_head][:, : step.columns], step.layer.v[kv_head, :, 0]
    (lit, key_scale), (sizes, value_scale) = key_cells(colors, k), value_cells(colors, v)
    keys, values = (
        Grid(np.linspace(at.keys, at.keys_end, step.columns + 1), rows.y),
        Grid(np.array([at.values, at.values_end]), rows.y),
    )
    fits = min(size, keys.wide * sheet.wide / (2.4 * LETTER))
    written = Texts(texts(k, (k != 0) & ~np.isnan(k)), fits) if fits >= LEAST else None
    cells(sheet, keys, lit, key_scale, written, lines=rows.tall >= 12)
    numbers = Texts(texts(v[:, None]), size) if size >= LEAST else None
    cells(sheet, values, sizes[:, None], value_scale, numbers, lines=rows.tall >= 12)


def _names(sheet: Sheet, step: CacheStep, at: Columns, rows: Grid, size: float, fresh: str) -> None:
    """Each row's position and word, those that this pass computed in the colour `fresh`; "" where that
    is not told. Of low rows every second or more."""
    n, every, size = len(step.words), int(np.ceil(LINE / rows.tall)), max(size, LEAST)
    for i in (*range(0, n - every, every), n - 1):
        new = i >= step.first_new if fresh else i == n - 1
        label, color = (
            short(f"{i + 1} {step.words[i]}", (at.keys - 0.015) * sheet.wide, size),
            (fresh or sheet.colors.prefill) if new else sheet.colors.muted,
        )
        sheet.write(at.keys - 0.01, rows.down[i], bold(label, new), size, color, "middle left")


def _stairs(sheet: Sheet, step: CacheStep, at: Columns, tall: float) -> None:
    """A column for each step so far, for a next word and pale for those after it: the rows that a step computes for the first time, and
    those that only a run without a cache computes in it, again. Above each the word that went in."""
    n, p, colors = len(step.words), step.n_prompt, sheet.colors
    wide, ends = (RIGHT - at.stairs) / (step.room - p + 1), range(p, n + 2)
    passes = [[(0, p, "prefill")], *([(0, end - 1, "again"), (end - 1, end, "new")] for end in ends[1:])]
    upright(sheet, (at.stairs, TOP, len(ends) * wide, (n + 1) * tall), passes, n + 1, "full")
    gap, edge = min(0.8, 0.1 * tall), min(0.8 / sheet.wide, 0.1 * wide)
    for end in range(n + 2, step.room + 1):
        left, right = at.stairs + (end - p) * wide + edge, at.stairs + (end - p + 1) * wide - edge
        boxes = [(left, TOP + i * tall + gap, right, TOP + (i + 1) * tall - gap) for i in range(end)]
        sheet.bars(boxes[:-1], faded(colors, colors.wasted, LATER))
        if tall >= 4:
            sheet.line(rectangle(*boxes[-1]), colors.decode, 1.2, "dash")
    size, room = (13.5 if sheet.phone else 15.0), wide * sheet.wide - 4
    following = "a next word" if 1.08 * size * ems("a next word") < room else "next"
    for j, word in enumerate(("prefill", *step.words[p:], following)) if room >= 2.5 * size else ():
        now = j == len(ends) - 2
        ink = colors.ink if j > len(ends) - 2 else (colors.decode if j else colors.prefill) if now else colors.muted
        name = bold(short(word, room, size), j >= len(ends) - 2)
        sheet.write(at.stairs + (j + 0.5) * wide, TOP - 15, name, size, ink)


def _sums(sheet: Sheet, step: CacheStep, at: Columns, y: float, pointed: bool, answered: bool) -> None:
    """Beneath each column how many rows it takes with a cache, once it is said what that keeps, and without, the next word's large; and
    at the left of them how many all steps so far took."""
    colors, n, p = sheet.colors, len(step.words), step.n_prompt
    wide, size = (RIGHT - at.stairs) / (step.room - p + 1), 14.0 if sheet.phone else SMALL
    every = max(1, int(np.ceil(1.3 * size * ems("00") / (wide * sheet.wide))))
    for k, (name, so_far) in enumerate(zip(("with the cache", "without"), step.so_far, strict=True)):
        if not k and not answered:
            continue
        line, then = y + k * SUM, n + 1 if k else 1
        said = f"<b>{name}</b>: {so_far:,} in all{' ◀' * (pointed and not k)}"
        sheet.write(0, line, said, 13.5 if sheet.phone else 17, colors.wasted if k else colors.ink, "middle right")
        large = bold(f"+{then:,}")
        half = 0.56 * LARGE * ems(f"+{then:,}") / sheet.wide
        middle = min(RIGHT - half, at.stairs + (n - p + 1.5) * wide)
        sheet.write(middle, line, large, LARGE, colors.wasted if k else colors.decode)
        for j in range(0, step.room - p + 1, every):
            x, ink = at.stairs + (j + 0.5) * wide, colors.wasted if k and j else colors.decode if j else colors.prefill
            if abs(x - middle) > half + 0.6 * size * ems("00") / sheet.wide:
                ink = colors.muted if x > middle else ink
                sheet.write(x, line, f"{p + j if k or not j else 1:,}", size, ink)
