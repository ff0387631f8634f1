"""The cache as it grows: a row a token, kept at the left; beside it a column a step, what is computed, brown what a cache spares."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import YOURS, outline
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import upright
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, capacity, ems, short

TOP, HEIGHT, PHONE_HEIGHT, MOST = 62.0, 186.0, 230.0, 20.0  # MOST: type size of a name
LEAST = 12.0  # and the smallest
LINE = 14.0  # the lowest row that such type fits into: lower ones share a name by twos or more
AHEAD, LEAST_AHEAD, MOST_ROWS = 2, 5, 64  # rows to come for which there is always room, and at the first step; in all
PALE = 0.3  # of its colour has what a run without a cache computes in any step but the next one
LARGE, SMALL = 40.0, 20.0  # type sizes of the rows that a next word takes, and of those that earlier steps took
SUM = 37.0  # pixels of a line of them
RIGHT = 0.998
KEPT, PHONE_KEPT = (0.14, 0.225), (0.22, 0.335)  # where a key with its value lies, as shares of the width
STAIRS, PHONE_STAIRS = 0.27, 0.37  # where what is computed begins


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
    """Where it lies. kept: left and right edge of keys and values; stairs: where what is computed begins; wide: of a step's column, all
    in shares of the width; tall: pixels of a row."""

    kept: tuple[float, float]
    stairs: float
    wide: float
    tall: float

    def row(self, i: int) -> float:
        return TOP + i * self.tall

    def middle(self, column: int) -> float:
        return self.stairs + (column + 0.5) * self.wide


def cache_grid(
    sheet: Sheet, step: CacheStep, answered: bool = True, pointed: bool = False, held: tuple[int, int] | None = None
) -> SheetFigure:
    """The rows that are kept of all n tokens, and what each step so far and a next word compute.

    answered: whether it says what of all this is kept. pointed: whether the rows held were asked for. held: as how many rows there will
    be, and as how many were guessed, once that is answered.
    """
    room, n = step.room, len(step.words)
    kept, stairs = (PHONE_KEPT, PHONE_STAIRS) if sheet.on_phone() else (KEPT, STAIRS)
    tall = sheet.row(PHONE_HEIGHT if sheet.phone else HEIGHT, room, 4.4, 56)
    at = Place(kept, stairs, (RIGHT - stairs) / (room - step.n_prompt + 1), tall)
    fresh = sheet.colors.prefill if step.first_new == 0 else sheet.colors.accent
    if answered:
        _kept(sheet, step, at, fresh, pointed)
    _names(sheet, step, at, fresh if answered else "")
    _stairs(sheet, step, at)
    if held and tall >= LINE:
        _held_then(sheet, step, at, min(room, held[0]))
        for k in dict.fromkeys(held):
            _last_held(sheet, step, at, k, held)
    bottom = at.row(room)
    for k in range(2):
        if k or answered:
            _rows_taken(sheet, step, at, bottom + 22 + k * SUM, cached=not k)
    says = f"A next word: 1 row, not {n + 1:,}" if answered else f"Without a cache a next word takes {n + 1:,} rows"
    return under_headline(sheet, says).figure(bottom + 2 * SUM + 4, min_width=0 if sheet.phone else 640)


def _kept(sheet: Sheet, step: CacheStep, at: Place, fresh: str, pointed: bool) -> None:
    """The frame of keys and values, a row each, those in it that are new, and how many there are."""
    colors, (left, right), n = sheet.colors, at.kept, len(step.words)
    upright(sheet, (left, TOP, right - left, n * at.tall), [[(0, n, "kept")]], n)
    aside = 4 / sheet.wide
    sheet.frame(left - aside, TOP - 2, right + aside, at.row(n) + 2, colors.ink, 2)
    sheet.frame(left - aside, at.row(step.first_new), right + aside, at.row(n) + 2, fresh, 3)
    large_number(sheet, (0 if sheet.phone else left - aside, at.stairs - aside), 18, f"{n:,}", "kept" + " ◀" * pointed)
    for k, (name, color) in enumerate((("key", colors.key), ("value", colors.value))):
        x, anchor = (right, "middle left") if k else (left, "middle right")
        small = 13.0 if sheet.phone else 15.0
        sheet.write(x + (k or -1) * aside, TOP - 14, bold(name[:1].upper() if sheet.phone else name), small, color, anchor)


def _names(sheet: Sheet, step: CacheStep, at: Place, fresh: str) -> None:
    """Each row's position and word, those that this pass computed in the colour `fresh`; "" where that is not told. Of low rows every
    second or more."""
    n, every = len(step.words), int(np.ceil(LINE / at.tall))
    for i in (*range(0, n - every, every), n - 1):
        new = i >= step.first_new if fresh else i == n - 1
        color = (fresh or sheet.colors.prefill) if new else sheet.colors.muted
        _name(sheet, at, i, step.words[i], color, new)


def _name(sheet: Sheet, at: Place, i: int, word: str, color: str, strong: bool = True) -> None:
    """The position and the word of row i, at the left of what is kept."""
    size = max(min(15.0 if sheet.phone else MOST, 0.68 * at.tall), LEAST)
    label = short(f"{i + 1} {word}".rstrip(), (at.kept[0] - 0.02) * sheet.wide, size)
    sheet.write(at.kept[0] - 10 / sheet.wide, at.row(i) + at.tall / 2, bold(label, strong), size, color, "middle left")


def _held_then(sheet: Sheet, step: CacheStep, at: Place, held: int) -> None:
    """The rows that come until there are so many, paler, with their words as far as these are known."""
    (left, right), n = at.kept, len(step.words)
    if held > n:
        upright(sheet, (left, TOP, right - left, held * at.tall), [[(n, held, "read")]], held)
    for i, word in zip(range(n, held), (*step.to_come, *[""] * held), strict=False):
        _name(sheet, at, i, word, sheet.colors.accent)


def _last_held(sheet: Sheet, step: CacheStep, at: Place, n: int, held: tuple[int, int]) -> None:
    """The last of n rows: the right one, or the one that was guessed, which is said where no step has computed anything yet."""
    if 1 <= n <= step.room:
        left, right = at.kept
        box = (left - 4 / sheet.wide, at.row(n - 1) + 1, right + 4 / sheet.wide, at.row(n) - 1)
        free = n > step.n_prompt and not sheet.phone
        yours = (right + 12 / sheet.wide, at.row(n) - at.tall / 2, "middle right")
        outline(sheet, box, n == held[0], n == held[1], yours, YOURS if free else "" if sheet.phone else "yours")


def _columns(step: CacheStep) -> Iterator[tuple[int, str, int]]:
    """Of each step, those to come as well: how many rows there are at its end, its word, and -1, 0 or 1, before, at, or after the next
    word."""
    n, p = len(step.words), step.n_prompt
    words = ("prefill", *step.words[p:], "a next word", *[""] * step.room)
    for end, word in zip(range(p, step.room + 1), words, strict=False):
        yield end, word, int(np.sign(end - n - 1))


def _stairs(sheet: Sheet, step: CacheStep, at: Place) -> None:
    """A column for each step, the next word's in full colour: the rows that a step computes for the first time, and those that only a run
    without a cache computes in it, again. Above each the word that went in."""
    colors, boxes = sheet.colors, {}
    gap, edge = min(0.8, 0.1 * at.tall), min(0.8 / sheet.wide, 0.1 * at.wide)
    size, room = 13.5 if sheet.phone else 16.0, at.wide * sheet.wide - 4
    for j, (end, word, when) in enumerate(_columns(step)):
        left = at.stairs + j * at.wide
        new = colors.decode if j else colors.prefill
        if not when:
            passes = [[(0, end - 1, "again"), (end - 1, end, "new")]]
            upright(sheet, (left, TOP, at.wide, end * at.tall), passes, end, "full")
        for i in range(end) if when else ():
            color = faded(colors, colors.wasted, PALE) if j and i < end - 1 else new
            box = (left + edge, at.row(i) + gap, left + at.wide - edge, at.row(i + 1) - gap)
            boxes.setdefault(color, []).append(box)
        if word and room >= 2.5 * size:
            word = "next" if not when and 1.08 * size * ems(word) > room else word
            now = end == len(step.words)
            sheet.write(at.middle(j), TOP - 14, bold(short(word, room, size), now or not when), size, _ink(sheet, when, now, new))
    for color, some in boxes.items():
        sheet.bars(some, color)
    large = 15 if sheet.phone else 18
    sheet.write(at.stairs, 22 if sheet.phone else 18, "<b>computed</b>, step by step", large, anchor="middle right")
    if not sheet.phone:
        sheet.write(RIGHT, 18, "brown: only without a cache", 16, colors.wasted, "middle left")


def _ink(sheet: Sheet, when: int, now: bool, new: str) -> str:
    """Of a word above its column."""
    return sheet.colors.ink if not when else new if now else sheet.colors.muted


def _rows_taken(sheet: Sheet, step: CacheStep, at: Place, y: float, cached: bool) -> None:
    """Beneath each column how many rows it takes with a cache, or without, the next word's large."""
    colors, n, p, small = sheet.colors, len(step.words), step.n_prompt, 14.0 if sheet.phone else SMALL
    color = colors.decode if cached else colors.wasted
    every = max(1, int(np.ceil(1.3 * small * ems("00") / (at.wide * sheet.wide))))
    large = f"+{1 if cached else n + 1:,}"
    size = LARGE if not sheet.phone else 30.0
    half = 0.56 * size * ems(large) / sheet.wide
    middle = min(RIGHT - half, at.middle(n - p + 1))
    name = ("with a cache" if sheet.phone else "with the cache") if cached else "without"
    sheet.write(0, y, bold(name), 14.0 if sheet.phone else 18.0, color, "middle right")
    sheet.write(middle, y, bold(large), size, color)
    for j, (end, _, when) in enumerate(_columns(step)):
        if j % every == 0 and abs(at.middle(j) - middle) > half + 0.6 * small * ems("00") / sheet.wide:
            ink = colors.muted if when > 0 else color if j else colors.prefill
            sheet.write(at.middle(j), y, f"{1 if cached and j else end:,}", small, ink)
