"""The cache as it grows: a row a token, kept at the left; beside it what a next word computes, brown what a cache spares."""

from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import YOURS, open_place, outline
from pages.parts.drawing.grid import capacity
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import strips
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, short

TOP = 34.0  # pixels above the rows
HEIGHT = 232.0  # pixels of all rows
PHONE_HEIGHT = 300.0
MOST = 22.0  # type size of a name, at most
LEAST = 12.0  # type size of a name, at least
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more
AHEAD = 2  # rows to come for which there is always room
LEAST_AHEAD = 4  # rows to come for which there is room at the first step
MOST_ROWS = 64  # for which there is room then
LARGE, PHONE_LARGE = 44.0, 32.0  # type size of how many rows there are in a column
SOUGHT = 60.0  # and of the question mark, where there is room
FOOT = 60.0  # pixels beneath the rows
KEPT, PHONE_KEPT = (0.17, 0.58), (0.22, 0.56)  # where a key with its value lies, as shares of the width
# What is computed with a cache, and without
COMPUTED, PHONE_COMPUTED = ((0.665, 0.82), (0.845, 0.998)), ((0.62, 0.79), (0.82, 0.99))


class CacheStep(NamedTuple):
    """What is shown. words: (n,). n_prompt: of the first pass; n_new: rows of this one. to_come: the next words."""

    words: tuple[str, ...]
    n_prompt: int
    n_new: int
    to_come: tuple[str, ...] = ()

    @property
    def first_new(self) -> int:
        """The first row that this pass computed."""
        return len(self.words) - self.n_new

    @property
    def room(self) -> int:
        """How many rows there is room for, a next word's among them."""
        at_first = min(self.n_prompt + LEAST_AHEAD, MOST_ROWS)
        return max(capacity(len(self.words) + AHEAD, self.n_prompt), at_first, len(self.words) + 1)


class Place(NamedTuple):
    """Where it lies. kept, computed: left and right edge of keys and values, and of what a next word computes with the cache and without,
    in shares of the width; tall: pixels of a row."""

    kept: tuple[float, float]
    computed: tuple[tuple[float, float], ...]
    tall: float

    def row(self, i: int) -> float:
        return TOP + i * self.tall


def cache_grid(
    sheet: Sheet, step: CacheStep, answered: bool = True, held: tuple[int, int] | None = None, asked: bool = False
) -> SheetFigure:
    """The rows that are kept of all n tokens, and those that a next word computes with the cache and without.

    answered: whether it says what of all this is kept. held: as how many rows there will be or are, and as how many were guessed, once
    that is answered; asked: whether it is asked for.
    """
    room, n = step.room, len(step.words)
    kept, computed = (PHONE_KEPT, PHONE_COMPUTED) if sheet.on_phone() else (KEPT, COMPUTED)
    at = Place(kept, computed, sheet.row(PHONE_HEIGHT if sheet.phone else HEIGHT, room, 4.4, 56))
    fresh = sheet.colors.prefill if step.first_new == 0 else sheet.colors.accent
    sheet.bar(at.kept[0], at.row(n), 1, at.row(n + 1), faded(sheet.colors, sheet.colors.decode, 0.13))
    _names(sheet, step, at, fresh if answered else "")
    if answered:
        _kept(sheet, step, at, fresh, f" → {held[0]:,}" if held and held[0] > n else "")
    if asked or not answered:
        _open_rows(sheet, at, n if answered else 0, room)
    _computed(sheet, n, at, at.row(room) + 0.6 * FOOT, answered)
    if held and answered and at.tall >= LINE:
        _held_then(sheet, step, at, min(room, held[0]))
        for k in dict.fromkeys(held):
            _last_held(sheet, step, at, k, held)
    says = f"A next word: 1 row, not {n + 1:,}" if answered else f"Without a cache a next word takes {n + 1:,} rows"
    return under_headline(sheet, says).figure(at.row(room) + FOOT + 4, min_width=640)


def _kept(sheet: Sheet, step: CacheStep, at: Place, fresh: str, then: str) -> None:
    """The frame of keys and values, a row each, those in it that are new, and how many there are, and `then`."""
    colors, (left, right), n = sheet.colors, at.kept, len(step.words)
    strips(sheet, (left, TOP, right - left, n * at.tall), [[(0, n, "kept")]], n)
    aside, middle = 4 / sheet.wide, (left + right) / 2
    sheet.frame(left - aside, TOP - 2, right + aside, at.row(n) + 2, colors.ink, 2)
    sheet.frame(left - aside, at.row(step.first_new), right + aside, at.row(n) + 2, fresh, 3)
    said, y, most = f"{n:,}{then}", at.row(step.room) + 0.6 * FOOT, PHONE_LARGE if sheet.phone else LARGE
    each = bold_ems(said) + 0.5 * bold_ems("\u2009kept")  # type sizes across
    size = min(most, (right - left) * sheet.wide / each)
    start, end = (middle + k * each * size / sheet.wide / 2 for k in (-1, 1))
    sheet.write(start, y, bold(said), size, anchor="middle right")
    sheet.write(end, y + size / 8, bold("kept"), max(13.0, 0.5 * size), anchor="middle left")
    for x, name, color in ((left + middle, "key", colors.key), (middle + right, "value", colors.value)):
        sheet.write(x / 2, TOP - 16, bold(name), 15.0 if sheet.phone else 18.0, color)


def _names(sheet: Sheet, step: CacheStep, at: Place, fresh: str) -> None:
    """Each row's position and word, those that this pass computed in the colour `fresh`; "" where that is not told. Of low rows every
    second or more. Beneath them a next word."""
    n, every = len(step.words), int(np.ceil(LINE / at.tall))
    for i in (*range(0, n - every, every), n - 1):
        new = i >= step.first_new if fresh else i == n - 1
        _name(sheet, at, i, f"{i + 1} {step.words[i]}", (fresh or sheet.colors.prefill) if new else sheet.colors.ink, new)
    if every == 1:
        _name(sheet, at, n, "next" if sheet.phone else "a next word", sheet.colors.decode)


def _name(sheet: Sheet, at: Place, i: int, name: str, color: str, strong: bool = True) -> None:
    """What row i is called, at the left of what is kept."""
    size = max(min(15.0 if sheet.phone else MOST, 0.68 * at.tall), LEAST)
    label = short(name.rstrip(), (at.kept[0] - 0.02) * sheet.wide, size)
    sheet.write(at.kept[0] - 10 / sheet.wide, at.row(i) + at.tall / 2, bold(label, strong), size, color, "middle left")


def _open_rows(sheet: Sheet, at: Place, first: int, room: int) -> None:
    """Rows from the first one on that are asked for: an open place, and the question."""
    (left, right), top, bottom = at.kept, at.row(first) + 4, at.row(room)
    open_place(sheet, left, top, right, bottom)
    sheet.write((left + right) / 2, (top + bottom) / 2, bold("?"), min(SOUGHT, 0.8 * (bottom - top)))


def _computed(sheet: Sheet, n: int, at: Place, y: float, answered: bool) -> None:
    """The rows that a next word computes without a cache, and where it is told, with it; beneath, how many."""
    names = ("with it", "without") if sheet.phone else ("computed with it", "without it")
    size = PHONE_LARGE if sheet.phone else LARGE
    for k in range(not answered, 2):
        left, right = at.computed[k]
        rows = [(0, n, "again")] * k + [(n, n + 1, "new")]
        strips(sheet, (left, TOP, right - left, (n + 1) * at.tall), [rows], n + 1, "full")
        sheet.write((left + right) / 2, TOP - 16, bold(names[k]), 15.0 if sheet.phone else 18.0)
        sheet.write((left + right) / 2, y, bold(f"+{n + 1 if k else 1:,}"), size, sheet.colors.ink if k else sheet.colors.decode)


def _held_then(sheet: Sheet, step: CacheStep, at: Place, held: int) -> None:
    """The rows that come until there are so many, paler, with their words as far as these are known."""
    (left, right), n = at.kept, len(step.words)
    if held > n:
        strips(sheet, (left, TOP, right - left, held * at.tall), [[(n, held, "read")]], held)
    for i, word in zip(range(n + 1, held), step.to_come[1:], strict=False):
        _name(sheet, at, i, f"{i + 1} {word}", sheet.colors.accent)


def _last_held(sheet: Sheet, step: CacheStep, at: Place, n: int, held: tuple[int, int]) -> None:
    """The last of n rows: the right one, or the one that was guessed, which is said where no step has computed anything yet."""
    if 1 <= n <= step.room:
        left, right = at.kept
        box = (left - 4 / sheet.wide, at.row(n - 1) + 1, right + 4 / sheet.wide, at.row(n) - 1)
        free = n > step.n_prompt and not sheet.phone
        yours = (right + 12 / sheet.wide, at.row(n) - at.tall / 2, "middle right")
        outline(sheet, box, n == held[0], n == held[1], yours, YOURS if free else "" if sheet.phone else "yours")
