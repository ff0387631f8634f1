"""The machine's rows on a sheet: a token is one line through everything, its box at the left, its key and value in a frame.

Keys and values stand in full colour however old they are, because they are kept; machine.py is the same for the browser's player.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, bold, rectangle, short, type_size
from pages.parts.text.format import entered

HEAD = 42.0  # pixels above the rows
READ = 21.0  # pixels of a row that has to be read
LEAST = 13.0  # type size; a number that would be smaller is left to hovering
BOXED = 15.0  # pixels of a row that has room for a box around its word
Span = tuple[float, float]  # of a column, in shares of the width


class Place(NamedTuple):
    """Where rows lie, `tall` pixels each, the newest and the one that waits at least READ.

    n: how many there are; prompt: how many of them are the prompt's; fresh: the first that this pass computed.
    """

    tops: np.ndarray
    tall: float
    n: int
    prompt: int
    fresh: int

    def color(self, sheet: Sheet, row: int) -> str:
        """The phase that computed a row."""
        return sheet.colors.prefill if row < self.prompt else sheet.colors.decode

    def grid(self, across: Span, columns: int, first: int = 0, last: int | None = None) -> Grid:
        """Equal columns across the rows from `first` to `last`."""
        return Grid(np.linspace(*across, columns + 1), self.tops[first : (self.n if last is None else last) + 1])

    def middle(self, row: int) -> float:
        return float(self.tops[row : row + 2].mean())

    def readable(self, most: float) -> list[tuple[int, float]]:
        """The rows whose words can be read, and always the newest, with their type sizes."""
        size = min(max(0.6 * self.tall, LEAST), most)
        every = max(1, int(np.ceil((LEAST + 1) / self.tall)))
        newest = max(size, min(0.6 * READ, most))
        return [*((i, size) for i in range(0, self.n - 1, every) if every == 1 or i + 1 < self.n - 1), (self.n - 1, newest)]


def token_boxes(
    sheet: Sheet, place: Place, words: Sequence[str], across: Span, filled: Collection[int], wide: float = WIDTH
) -> None:
    """A box a token in the colour of the phase that computed it, filled or an outline. wide: pixels that the figure gets."""
    left, right = across
    gap = min(2.0, place.tall / 8)
    sheet.write(left + 6 / wide, float(place.tops[0]) - 14, "<b>tokens</b>", 15, anchor="middle right")
    for first, last in ((0, place.prompt), (place.prompt, place.n)):
        old, new = ([i for i in range(first, last) if (i in filled) == full] for full in (False, True))
        boxes = [
            "".join(rectangle(left, place.tops[i] + gap, right, place.tops[i + 1] - gap) for i in some) for some in (old, new)
        ]
        if boxes[0] and place.tall >= BOXED:
            sheet.line(boxes[0], place.color(sheet, first), 1.2)
        if boxes[1]:
            sheet.path(boxes[1], place.color(sheet, first))
    for i, size in place.readable(18.0):
        color = place.color(sheet, i)
        room = (right - left) * wide - 12
        size = type_size(words[i], room, size, LEAST)
        text = short(words[i], room, size)
        sheet.write(left + 8 / wide, place.middle(i), bold(text), size, ink_on(color) if i in filled else color, "middle right")


def key_cells(colors: Palette, keys: np.ndarray) -> tuple[np.ndarray, Scale]:
    """How a key is drawn: each of its numbers from 0 to 1, lit where its token stands, and the colours. keys: (n, d)."""
    sizes = np.nan_to_num(np.maximum(keys, 0))
    return sizes / (sizes.max() or 1), Scale((faded(colors, colors.key, 0.12), colors.key))


def value_cells(colors: Palette, values: np.ndarray, most: float = 0.0) -> tuple[np.ndarray, Scale]:
    """How a value is drawn: its size from 0 to 1, and the colours. values: (n,); most: the largest of all that are compared, where they
    are more than these."""
    sizes = np.nan_to_num(np.abs(values))
    return sizes / (most or sizes.max() or 1), Scale((faded(colors, colors.value, 0.2), faded(colors, colors.value, 0.75)))


def cache_frame(
    sheet: Sheet,
    layer: Attention,
    head: int,
    place: Place,
    spans: tuple[Span, Span | None],
    bottom: float | None,
    wide: float = WIDTH,
) -> tuple[float, float]:
    """Keys and values of one head in the frame that keeps them, down to `bottom`, where that is None without the frame; returns its
    left and right edge.

    spans: of the keys and of the values, None where these are not shown. A key is drawn at the place where its token stands, a
    value as dark as it is large, with its number.
    """
    colors, n, (keys_at, values_at) = sheet.colors, place.n, spans
    group = layer.kv_head(head)
    keys, scale = key_cells(colors, layer.k[group])
    used = min(len(keys), max(1, int(np.flatnonzero(keys.any(axis=0)).max(initial=0)) + 1))
    left, right = keys_at[0] - 8 / wide, (values_at or keys_at)[1] + 8 / wide
    if bottom is not None:
        sheet.path(rectangle(left, 4.0, right, bottom), colors.surface, colors.line, 1)
    sheet.write(keys_at[0], HEAD - 14, "<b>key</b>", 15, colors.key, "middle right")
    cells(sheet, place.grid(keys_at, used), keys[:n, :used], scale, hover=False)
    if values_at:
        _values(sheet, layer.v[group, :, 0], place, values_at, wide)
    return left, right


def _values(sheet: Sheet, values: np.ndarray, place: Place, across: Span, wide: float) -> None:
    """The values of the first rows, as many as there are rows."""
    colors, n = sheet.colors, place.n
    sheet.write(across[0], HEAD - 14, "<b>value</b>", 15, colors.value, "middle right")
    sizes, tint = value_cells(colors, values)
    said = np.array([[""] for _ in range(n)], object)
    for i, _ in place.readable(16.0):
        said[i, 0] = bold(short(entered(float(values[i])), (across[1] - across[0]) * wide, 14))
    cells(sheet, place.grid(across, 1), sizes[:n, None], tint, Texts(said, place.readable(17.0)[-1][1]), hover=False)
