"""What a question of the quiz gives, in tokens: words with their values, queries and keys, a prompt with its answer."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import open_place
from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, bold, bold_ems, ems, rectangle, short, type_size
from pages.parts.text.amounts import count
from pages.parts.text.format import number

WHETHER = "true or false"
MOST_PARTED = 40  # rows of pairs, and tokens of a strip, that stand apart
WORD, VALUE, NAME = 18.0, 28.0, 15.0  # type sizes
ABOVE, BELOW = 26.0, 44.0  # pixels above the highest column, and beneath all, for numbers and words


class Words(NamedTuple):
    """Tokens with their values. at: the one that the question is about, -1 where it is none, with a note beneath; new: how many of the
    last ones are decoded. asks: what is to be found, of this and all that follow."""

    words: tuple[str, ...]
    values: tuple[float, ...]
    at: int = -1
    note: str = "asks"
    new: int = 0
    asks: str = "context"


class Pairs(NamedTuple):
    """So many queries, as many keys. at: the query that the question is about, from 1, 0 where it is all. counted: (rows, keys), which
    pairs are the point, told once the answer is known; as the causal mask lets them count where it is empty."""

    n: int
    at: int = 0
    counted: tuple[tuple[bool, ...], ...] = ()
    asks: str = WHETHER


class Strip(NamedTuple):
    """A prompt of so many tokens and what is generated behind it, 0 where nothing is."""

    prompt: int
    answer: int = 0
    of: str = "generated"
    asks: str = WHETHER


def draw_words(sheet: Sheet, given: Words, box: Box, answer: str = "") -> None:
    """A column a token, as high as its value, with the word and its position beneath, pale where the mask hides it from the one that
    asks; a context, once it is known, is a level across those that it is made of."""
    colors, (left, top, right, bottom), n = sheet.colors, box, len(given.words)
    grid = Grid(np.linspace(left, right, n + 1), np.array([top + ABOVE, bottom - BELOW]))
    (high, low), level = map(float, grid.y), _context_among_values(given, answer)
    most, apart, pixels = _most(given, level), min(0.2 * grid.wide, 22 / sheet.wide), grid.wide * sheet.wide
    word_size = type_size(max(given.words, key=ems), pixels - 4, WORD, strong=False)
    for j, (word, value) in enumerate(zip(given.words, given.values, strict=True)):
        x, (x0, _, x1, _), new, asks = float(grid.across[j]), grid.box(0, j), j >= n - given.new, j == given.at
        hidden = _asks(given) and j > given.at
        y = low - (low - high) * max(0.0, value) / most
        sheet.bar(x0 + apart, min(y, low - 2), x1 - apart, low, faded(colors, colors.value, 0.16) if hidden else colors.value)
        if hidden:
            sheet.line(rectangle(x0 + apart, min(y, low - 2), x1 - apart, low), colors.value, 1.2, "dot")
        line = low - (low - high) * (level or 0.0) / most
        crossed = level is not None and abs(y - 13 - line) <= 15
        inside = crossed and low - y > 34  # beneath the level, which its number would break
        ink = colors.muted if hidden else ink_on(colors.value) if inside else None
        size = 22.0 if sheet.phone else VALUE - 4
        sheet.write(x, y + 17 if inside else line - 14 if crossed else y - 13, bold(number(value), not hidden), size, ink)
        name = short(word, pixels - 2, max(13.0, word_size))
        color = colors.decode if new else colors.muted if hidden else colors.ink
        sheet.write(x, low + 14, bold(name, new or asks), max(13.0, word_size), color)
        if asks:
            sheet.frame(x0 + apart - 3 / sheet.wide, min(y, low - 2) - 3, x1 - apart + 3 / sheet.wide, low + 2, colors.ink, 3)
        place = [] if new else [str(j + 1)]  # of a decoded one it is what the cache has counted
        under = ", ".join(
            [*place, *[given.note] * (asks and not (sheet.phone and place)), *["hidden"] * (hidden and not sheet.phone)]
        )
        sheet.write(x, low + 34, bold(under, asks), NAME, colors.ink if asks else colors.muted)
    if level is not None:
        y = low - (low - high) * level / most
        seen = given.at + 1 if _asks(given) else n
        until = grid.box(0, seen - 1)[2]
        sheet.line(f"M{left:.5f},{y:.2f}L{until:.5f},{y:.2f}", colors.ink, 3, layer="above")
        sheet.line(f"M{until:.5f},{y:.2f}L{right + 0.02:.5f},{y:.2f}", colors.muted, 1.5, layer="above")  # to the context


def draw_context(sheet: Sheet, given: Words, box: Box, answer: str = "") -> None:
    """Beside the values, on their scale, what is made of them: a column whose height is to be found, then that height."""
    colors, (left, top, right, bottom) = sheet.colors, box
    high, low, level, x = top + ABOVE, bottom - BELOW, _context_among_values(given, answer), (left + right) / 2
    large = 22.0 if sheet.phone else VALUE
    if level is None:
        open_place(sheet, left, high, right, low)
        said = answer or "?"
        size = type_size(said, 0.9 * (right - left) * sheet.wide, large if answer else 40.0)
        sheet.write(x, (high + low) / 2, bold(said), size)
    else:
        y = low - (low - high) * level / _most(given, level)
        sheet.path(rectangle(left, y, right, low), faded(colors, colors.value, 0.45), colors.value, 2)
        sheet.line(f"M{left - 0.02:.5f},{y:.2f}L{right:.5f},{y:.2f}", colors.ink, 3, layer="above")
        sheet.write(x, y - 15, bold(answer), large)
    sheet.write(x, low + 14, bold("context"), 14 if sheet.phone else WORD, colors.ink)
    if given.at >= 0 and not sheet.phone:
        sheet.write(x, low + 34, short(f"of “{given.words[given.at]}”", (right - left) * sheet.wide, NAME), NAME, colors.muted)


def _asks(given: Words) -> bool:
    """Whether one of the tokens is the one that asks: what comes after it is hidden from it."""
    return given.at >= 0 and given.note == "asks"


def _most(given: Words, level: float | None) -> float:
    """What the highest column stands for."""
    return max(1.0, *given.values, level or 0.0)


def _context_among_values(given: Words, answer: str) -> float | None:
    """Where a context that is known lies among the values; None of another answer, or of one that is no number."""
    if given.asks != "context" or not answer.replace(".", "", 1).isdigit():
        return None
    return float(answer)


def draw_pairs(sheet: Sheet, given: Pairs, box: Box, known: bool) -> None:
    """A row a query, a column a key, all alike until the answer is known."""
    colors, (left, top, right, bottom), n = sheet.colors, box, given.n
    right = min(right, left + 0.62) if not sheet.phone else right
    grid = Grid(np.linspace(left, right, n + 1), np.linspace(top + 28, bottom - 4, n + 1))
    shown = np.array(given.counted or np.tri(n), float)
    scale = Scale((colors.hole, colors.prefill))
    sheet.heatmap(grid, shown if known else np.zeros((n, n)), scale, hover=False, lines=n <= MOST_PARTED)
    sheet.write(left, top + 12, f"{n} queries down, {n} keys across", NAME, colors.muted, "middle right")
    if given.at:
        x0, y0, x1, y1 = grid.row(given.at - 1)
        sheet.frame(x0, y0 - 1, x1, y1 + 1, colors.ink, 2.5)
        y = min(max((y0 + y1) / 2, top + 34), bottom - 10)
        if not sheet.phone:
            sheet.write(right + 0.012, y, bold(f"token {given.at}"), NAME, anchor="middle right")


def draw_strip(sheet: Sheet, given: Strip, box: Box) -> None:
    """The prompt in blue and behind it what is generated, each token as wide as every other, with how many they are."""
    colors, (left, top, right, bottom) = sheet.colors, box
    total = given.prompt + given.answer
    wide = right - left
    cut = left + wide * given.prompt / total
    if given.answer:
        cut = min(max(cut, left + 0.012), right - 0.012)
    y0, y1 = top + 52, bottom - 8
    for x0, x1, n, color in ((left, cut, given.prompt, colors.prefill), (cut, right, given.answer, colors.decode)):
        if n:
            apart = 1.2 / sheet.wide if total <= MOST_PARTED else 0.0
            edges = np.linspace(x0, x1, n + 1 if apart else 2)
            sheet.bars(((a + apart, y0, b - apart, y1) for a, b in pairwise(edges)), color)
    number_of(sheet, left, top + 24, count(given.prompt), "prompt tokens", colors.prefill, "middle right")
    if given.answer:
        number_of(sheet, right, top + 24, count(given.answer), given.of, colors.decode, "middle left")


def number_of(sheet: Sheet, x: float, y: float, said: str, name: str, color: str, anchor: str) -> None:
    """A large number and what it counts after it, that begin or end at x."""
    size, small = (24.0, 14.0) if sheet.phone else (VALUE + 2, WORD)
    wide = (bold_ems(said) * size + 8) / sheet.wide
    if anchor == "middle right":
        sheet.write(x, y, bold(said), size, color, anchor)
        sheet.write(x + wide, y + 3, name, small, sheet.colors.muted, anchor)
    else:
        sheet.write(x, y + 3, name, small, sheet.colors.muted, anchor)
        sheet.write(x - (ems(name) * small + 8) / sheet.wide, y, bold(said), size, color, anchor)
