"""The cache at one step: the keys and values that are kept, and beside them what a run without a cache computes again."""

from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.cells import Texts, cells, large_number, texts
from pages.parts.drawing.grid import Grid
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.machine_rows import key_cells, value_cells
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows, grounds
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, capacity, ems, rectangle, short
from pages.parts.text.format import plural

TOP, HEIGHT, PHONE_HEIGHT, MOST = 58.0, 196.0, 186.0, 20.0  # MOST: type size in cells
LEAST = 12.0  # type size; a number that would be smaller is left to hovering
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more


class Columns(NamedTuple):
    """Where the columns begin, as shares of the width; keys_end: where the keys do not reach further; one: the width of a value's.
    again: of what is computed again without a cache."""

    keys: float
    keys_end: float
    values: float
    one: float
    state: float
    again: float


COLUMNS = Columns(0.115, 0.445, 0.457, 0.085, 0.55, 0.68)
NOW_ENDS = 0.86  # there the step to come begins
PHONE = Columns(0.23, 0.74, 0.76, 0.24, 0.0, 0.0)  # what is computed again is a line beneath there
LINES = 0.84  # share of a phone's width that such a line has, before its number


class CacheStep(NamedTuple):
    """What is shown. layer: the attention of this step's pass, its last rows are new; head: whose keys and values.

    words: (n,). computed, so_far: key/value rows of this step and of all steps, (with cache, without). to_come: the next words.
    """

    layer: Attention
    head: int
    words: tuple[str, ...]
    n_prompt: int
    computed: tuple[int, int]
    so_far: tuple[int, int]
    to_come: tuple[str, ...] = ()

    @property
    def first_new(self) -> int:
        """The first row that this pass computed."""
        return len(self.words) - self.layer.q.shape[1]

    @property
    def columns(self) -> int:
        """How many of a key's entries are shown."""
        return min(capacity(len(self.words), self.n_prompt), self.layer.k.shape[2])


def cache_grid(
    sheet: Sheet, step: CacheStep, answered: bool = True, pointed: bool = False, held: tuple[int, int] | None = None
) -> SheetFigure:
    """Keys and values of all n tokens, and what a run without a cache repeats.

    answered: whether it says what of all this is kept. pointed: whether the rows held were asked for. held: as how many rows there will
    be, and as how many were guessed, once that is answered.
    """
    colors, room = sheet.colors, capacity(len(step.words), step.n_prompt)
    at = PHONE if sheet.on_phone() else COLUMNS
    high = PHONE_HEIGHT if sheet.phone else HEIGHT
    grid = Grid.of(at.values, TOP, (at.one, sheet.row(high, room, 4.4, 56)), (len(step.words), 1))
    size = max(min(15.0 if sheet.phone else MOST, 0.68 * grid.tall), LEAST * (grid.tall >= LINE))
    fresh = colors.prefill if step.first_new == 0 else colors.accent
    _headings(sheet, step, at, answered)
    _kept(sheet, step, at, grid, size)
    if grid.tall >= LINE:
        _to_come(sheet, at, grid, room)
    if not sheet.phone:
        _computed_again(sheet, step, grid, size)
        if grid.tall >= LINE and len(step.words) < room:
            _next_step(sheet, len(step.words), grid, answered, bool(held))
    if answered:
        sheet.frame(at.keys - 0.003, TOP, at.values + at.one + 0.003, grid.y[-1], colors.ink, 2)
        sheet.frame(at.keys - 0.003, grid.y[step.first_new], at.values + at.one + 0.003, grid.y[-1], fresh, 3)
    _names(sheet, step, at, grid, size, fresh if answered else "")
    if held and grid.tall >= LINE:
        _held_then(sheet, step, at, grid, min(room, held[0]), size)
    for n in dict.fromkeys(held or ()) if grid.tall >= LINE else ():
        _last_held(sheet, at, grid, (n, room), held)
    line = TOP + room * grid.tall + 18
    n = len(step.words) + 1
    says = f"A next word: 1 row, not {n:,}" if answered else f"Without a cache a next word takes {n:,} rows"
    if sheet.phone:
        return under_headline(sheet, says).figure(_next_word_on_phone(sheet, step, line - 4, pointed, answered))
    _sums(sheet, step, at, line, pointed, answered)
    return under_headline(sheet, says).figure(line + 44, min_width=640)


def _headings(sheet: Sheet, step: CacheStep, at: Columns, answered: bool) -> None:
    """What is kept, and what is computed without that."""
    colors, phone, d = sheet.colors, sheet.phone, step.layer.k.shape[2]
    titles = [(at.keys, "<b>with the cache</b>")] * answered + [(at.again, "<b>without a cache</b>")] * (not phone)
    for x, text in titles:
        sheet.write(x, 12, text, 18, anchor="middle right")
    more = f", the first {step.columns} of its {d} numbers" if step.columns < d and not phone else ""
    names = [(at.keys, f"<b>key</b>{more}", colors.key), (at.values, "<b>value</b>", colors.value)]
    if not phone:
        names.append((at.again, "<b>key</b> and <b>value</b>", colors.ink))
    for x, text, color in names:
        sheet.write(x, TOP - 15, text, 13.5 if phone else 15, color, "middle right")
    sheet.bar(at.keys, TOP - 4, at.keys_end, TOP - 1.5, colors.key)
    sheet.bar(at.values, TOP - 4, at.values + at.one, TOP - 1.5, colors.value)


def _last_held(sheet: Sheet, at: Columns, grid: Grid, of: tuple[int, int], held: tuple[int, int]) -> None:
    """The last of so many rows: the right one, or the one that was guessed. Who has no word yet has room there for which it is. of: the
    rows, and how many are drawn."""
    n, room = of
    if 1 <= n <= room:
        y = float(grid.y[0]) + (n - 1) * grid.tall
        there = n <= max(len(grid.down), held[0])  # a row that has a word at its left
        says = "" if there and sheet.phone else YOURS
        yours = (
            (at.state + 0.045, y + grid.tall / 2, "middle right")
            if there
            else (at.keys - 0.012, y + grid.tall / 2, "middle left")
        )
        outline(
            sheet,
            (at.keys - 0.003, y + 1, at.values + at.one + 0.003, y + grid.tall - 1),
            n == held[0],
            n == held[1],
            yours,
            says,
        )


def _held_then(sheet: Sheet, step: CacheStep, at: Columns, rows: Grid, n: int, size: float) -> None:
    """The rows that come until there are n, in the colours of key and value, with their words as far as these are known."""
    n_words, colors = len(step.words), sheet.colors
    for k in range(n - n_words):
        top = float(rows.y[-1]) + k * rows.tall
        for left, right, color in ((at.keys, at.keys_end, colors.key), (at.values, at.values + at.one, colors.value)):
            sheet.bar(left, top + 2, right, top + rows.tall - 2, faded(colors, color, 0.55))
        said = f"{n_words + k + 1} {step.to_come[k] if k < len(step.to_come) else ''}".rstrip()
        label = bold(short(said, (at.keys - 0.015) * sheet.wide, max(size, LEAST)))
        sheet.write(at.keys - 0.01, top + rows.tall / 2, label, max(size, LEAST), colors.accent, "middle left")


def _to_come(sheet: Sheet, at: Columns, rows: Grid, room: int) -> None:
    """Outlines of the rows that later tokens will have."""
    for k in range(room - len(rows.down)):
        y = rows.y[-1] + k * rows.tall
        for left, right in ((at.keys, at.keys_end), (at.values, at.values + at.one)):
            sheet.line(rectangle(left, y + 2, right, y + rows.tall - 2), sheet.colors.bar, 1, "dot")


def _kept(sheet: Sheet, step: CacheStep, at: Columns, rows: Grid, size: float) -> None:
    """The keys' first entries and the values."""
    kv_head, colors = step.layer.kv_head(step.head), sheet.colors
    k, v = step.layer.k[kv_head][:, : step.columns], step.layer.v[kv_head, :, 0]
    (lit, key_scale), (sizes, value_scale) = key_cells(colors, k), value_cells(colors, v)
    keys, values = (
        Grid(np.linspace(at.keys, at.keys_end, step.columns + 1), rows.y),
        Grid(np.array([at.values, at.values + at.one]), rows.y),
    )
    fits = min(size, keys.wide * sheet.wide / (2.4 * LETTER))
    written = Texts(texts(k, (k != 0) & ~np.isnan(k)), fits) if fits >= LEAST else None
    cells(sheet, keys, lit, key_scale, written, lines=rows.tall >= 12)
    numbers = Texts(texts(v[:, None]), size) if size >= LEAST else None
    cells(sheet, values, sizes[:, None], value_scale, numbers, lines=rows.tall >= 12)


def _computed_again(sheet: Sheet, step: CacheStep, rows: Grid, size: float) -> None:
    """What a run without a cache computes in this step: the new rows, and all old ones over again."""
    n, x0, x1, gap = len(step.words), COLUMNS.again, NOW_ENDS, 0.5 if rows.tall >= 9 else 0
    new = "prefill" if step.first_new == 0 else "new"
    for start, stop, kind, text in ((0, step.first_new, "again", "computed again"), (step.first_new, n, new, "new")):
        cache_rows(sheet, {kind: [(x0, rows.y[i] + gap, x1, rows.y[i + 1] - gap) for i in range(start, stop)]})
        if size >= LEAST:
            ink = ink_on(grounds(sheet.colors)[kind])
            sheet.write_all((x0 + x1) / 2, rows.down[start:stop], [text] * (stop - start), min(size, 18.0), ink)


def _next_step(sheet: Sheet, n: int, rows: Grid, answered: bool, held: bool) -> None:
    """The rows that a next word takes: without a cache all of them, with one the last, behind what is kept."""
    colors, x0, x1, y = sheet.colors, NOW_ENDS + 0.018, 0.998, float(rows.y[-1])
    sheet.write(x0, TOP - 15, "a next word", 15, colors.muted, "middle right")
    boxes = [(x0, rows.y[0] + k * rows.tall + 0.5, x1, rows.y[0] + (k + 1) * rows.tall - 0.5) for k in range(n + 1)]
    cache_rows(sheet, {"again": boxes[:n], "new": boxes[n:]})
    if rows.tall >= LINE:
        middles = rows.y[0] + (np.arange(n + 1) + 0.5) * rows.tall
        for kind, some in (("again", middles[:n]), ("new", middles[n:])):
            sheet.write_all((x0 + x1) / 2, some, [kind] * len(some), min(18.0, 0.7 * rows.tall), ink_on(grounds(colors)[kind]))
    if answered and not held:
        sheet.write(COLUMNS.state, y + rows.tall / 2, "a next word", min(16.0, 0.9 * rows.tall), colors.muted, "middle right")


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
        if at.state and fresh:
            sheet.write(at.state, rows.down[i], "<b>new</b>" if new else "kept", min(16.0, size), color, "middle right")


def _next_word_on_phone(sheet: Sheet, step: CacheStep, y: float, pointed: bool, answered: bool) -> float:
    """What a next word takes, on a phone: a line of rows with the cache, once it is said what that keeps, and one without; how many are
    computed of it, and how many are now and in all steps. Returns where the lines end."""
    n, colors = len(step.words), sheet.colors
    wide, gap = LINES / (n + 1), min(1.5 / sheet.wide, 0.1 / (n + 1))
    sheet.write(0, y, "<b>a next word</b>", 15, anchor="middle right")
    for old, name, now, so_far, asked in (
        ("kept", f"with the cache: {n} only read", step.computed[0], step.so_far[0], " ◀" * pointed),
        ("again", f"without: {n} computed again", step.computed[1], step.so_far[1], ""),
    )[not answered :]:
        top = y + 30
        boxes = [(i * wide + gap, top, (i + 1) * wide - gap, top + 20) for i in range(n + 1)]
        cache_rows(sheet, {old: boxes[:n], "new": boxes[n:]})
        sheet.write(0, y + 19, name, 13.5, anchor="middle right")
        sheet.write(1, y + 19, f"{now:,} now, {so_far:,} in all{asked}", 13.5, colors.muted, "middle left")
        more = 1 if old == "kept" else n + 1
        said, ink = f"+{more}", colors.accent if old == "kept" else colors.ink
        sheet.write(1, top + 10, bold(said), min(24.0, (0.97 - LINES) * sheet.wide / (1.07 * ems(said))), ink, "middle left")
        y = top + 16
    return y + 14


def _sums(sheet: Sheet, step: CacheStep, at: Columns, y: float, pointed: bool, answered: bool) -> None:
    """How many rows were computed, with a cache, once it is said what that keeps, and without; and how many one more word takes."""
    following = 1, len(step.words) + 1
    runs = list(zip((at.keys, at.again), step.computed, step.so_far, following, (pointed, False), strict=True))
    for x, now, so_far, then, asked in runs if answered else runs[1:]:
        in_all = f"in all steps: <b>{so_far:,}{' ◀' * asked}</b>"
        color = sheet.colors.accent if then == 1 else sheet.colors.wasted
        large_number(sheet, (x, min(0.998, x + 0.43)), y + 4, f"+{then:,}", f"{plural(then, 'row')} for a next word", color)
        sheet.write(x, y + 34, f"<b>{now:,}</b> now, {in_all}", 16, sheet.colors.muted, anchor="middle right")
