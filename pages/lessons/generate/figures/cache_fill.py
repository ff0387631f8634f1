"""The cache of a model with several layers as it fills: a column a token, every layer's keys and values beneath each other; so many
tokens wide, so many bytes high."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.cells import large_number
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short
from pages.parts.text.format import plural, quantity

LEFT = 0.115  # of the width, where the columns begin
LEFT_ON_PHONE = 0.17
RIGHT = 0.835  # of the width, where they end
MOST_ROWS = 26  # of keys and values in all layers, up to which each head has rows of its own
PASSES = 24.0  # pixels above the passes
NAMES = 65.0  # pixels above the middle of the words
TOP = 80.0  # pixels above the layers
ROOM = 250.0  # pixels of all layers, at most
WORD, BETWEEN = 14.0, 12.0  # type size of a word; pixels between two


class Cached(NamedTuple):
    """How large a cache is: layers, heads of each, numbers of a key and of a value."""

    n_layer: int
    n_kv_head: int
    d_head: int
    d_v: int

    @property
    def bytes_per_token(self) -> int:
        """Of numbers of 32 bits."""
        return 4 * self.n_layer * self.n_kv_head * (self.d_head + self.d_v)


def cache_fill(sheet: Sheet, size: Cached, n_prompt: int, room: int, words: Sequence[str]) -> SheetFigure:
    """words: one for each cached token, the first n_prompt of the prompt; room: columns in all. A cell is one token's key or value in one
    head; many heads share one."""
    phone, colors, n, n_layer = sheet.on_phone(), sheet.colors, len(words), size.n_layer
    n_heads = size.n_kv_head if 2 * size.n_kv_head * n_layer <= MOST_ROWS else 1
    left, right = (LEFT_ON_PHONE, 1.0) if phone else (LEFT, RIGHT)
    row = min(17.0, ROOM / (n_layer * n_heads * 2 + 0.6 * n_layer))
    layer_h, x = row * (2 * n_heads + 0.6), left + np.arange(n + 1) * (right - left) / room
    bottom, wide = TOP + n_layer * layer_h - 0.6 * row, (right - left) / room
    for part, (color, name) in enumerate(((colors.key, "K"), (colors.value, "V"))):
        tops = TOP + np.arange(n_layer) * layer_h + part * n_heads * row
        y = np.concatenate([t + np.arange(n_heads + 1) * row for t in tops])
        sheet.bars([(left, t, right, t + n_heads * row - 1) for t in tops], colors.hole)
        cells = np.full((n_layer, n_heads + 1, n), np.nan)
        cells[:, :n_heads] = 1.0
        sheet.heatmap(Grid(x, y), cells.reshape(-1, n)[:-1], Scale((color, color)), lines=wide * sheet.wide > 5, hover=False)
        for layer, t in enumerate(tops):
            if 0.9 * n_heads * row >= 12:
                sheet.write(left - 0.008, t + n_heads * row / 2, bold(name), min(16.0, 0.9 * n_heads * row), color, "middle left")
            if part == 0 and layer % max(1, -(-12 // max(1, int(layer_h)))) == 0:
                sheet.write(0, t + n_heads * row, f"layer {layer + 1}", min(16.0, max(13.0, layer_h)), anchor="middle right")
    _passes(sheet, n_prompt, n, (left, wide))
    _names(sheet, words, n_prompt, x)
    _measures(sheet, size.bytes_per_token, n, x, bottom)
    if n > n_prompt:
        sheet.frame(float(x[n - 1]), TOP - 3, float(x[n]), bottom + 2, colors.accent, 2.5)
    says = f"{n * size.bytes_per_token:,} bytes, {size.bytes_per_token:,} a token"
    return under_headline(sheet, says).figure(bottom + 40)


def _measures(sheet: Sheet, n_bytes: int, n: int, x: np.ndarray, bottom: float) -> None:
    """How wide the cache is, in tokens, and beside the newest one how high, in bytes; on a phone both beneath it."""
    (x0, x1), colors, y = (float(x[0]), float(x[n])), sheet.colors, bottom + 8
    sheet.line(f"M{x0:.5f},{y:.1f}V{y + 7:.1f}H{x1:.5f}V{y:.1f}", colors.ink, 2)
    tokens, size = f"<b>{n}</b> {plural(n, 'token')}", 16 if sheet.phone else 20
    if sheet.phone:
        sheet.write(x0, y + 21, f"{tokens} × <b>{n_bytes:,} bytes</b>", size, anchor="middle right")
        return
    half = ems(tokens) * size / 2 / sheet.wide
    sheet.write(max((x0 + x1) / 2, half), y + 21, tokens, size)
    inner, outer, middle = x1 + 7 / sheet.wide, x1 + 15 / sheet.wide, (TOP + bottom) / 2
    sheet.bar(x1 + 3 / sheet.wide, middle - 30, outer + 136 / sheet.wide, middle + 48, colors.surface)
    sheet.line(f"M{inner:.5f},{TOP:.1f}H{outer:.5f}V{bottom:.1f}H{inner:.5f}", colors.ink, 2)
    across = outer + 10 / sheet.wide, outer + 136 / sheet.wide
    large_number(sheet, across, middle - 6, f"{n_bytes:,}", "bytes a token", beneath=True)


def _names(sheet: Sheet, words: Sequence[str], n_prompt: int, x: np.ndarray) -> None:
    """The newest word above its column, and the prompt's first and last, as far as there is room between: every third word of a text
    would read as a sentence."""
    n, colors = len(words), sheet.colors
    taken = 1.0
    if n > n_prompt:
        word = short(words[-1], 120, WORD)
        half = (bold_ems(words[-1]) * WORD / 2 + 2) / sheet.wide
        middle = min(float(x[n - 1] + x[n]) / 2, 1 - half)
        sheet.write(middle, NAMES, bold(word), WORD, colors.accent)
        taken = middle - half - BETWEEN / sheet.wide
    first, last = (1.03 * ems(words[k]) * WORD / sheet.wide for k in (0, n_prompt - 1))
    end = float(x[min(n_prompt, n)])
    if x[0] + first < taken:
        sheet.write(float(x[0]), NAMES, short(words[0], 120, WORD), WORD, colors.prefill, "middle right")
    if n_prompt > 1 and end - last > x[0] + first + BETWEEN / sheet.wide and end < taken:
        sheet.write(end, NAMES, short(words[n_prompt - 1], 120, WORD), WORD, colors.prefill, "middle left")


def _passes(sheet: Sheet, n_prompt: int, n: int, columns: tuple[float, float]) -> None:
    """Above the columns the passes that made them: one wide block for the prompt, then one for each word that was fed back.

    columns: where the first one begins, and the width of each.
    """
    (left, wide), colors = columns, sheet.colors
    split, thin = left + n_prompt * wide, min(0.002, 0.2 * wide)
    sheet.bar(left, PASSES, split - thin, PASSES + 26, colors.prefill)
    sheet.bars(
        [(split + k * wide, PASSES, split + (k + 1) * wide - thin, PASSES + 26) for k in range(n - n_prompt)], colors.decode
    )
    said = "prefill: one pass" if sheet.phone else f"prefill: {quantity(n_prompt, 'token')}, one pass"
    sheet.write(left, PASSES - 14, bold(said), 14, colors.prefill, "middle right")
    each = "" if sheet.phone else ", one token each" if n - n_prompt > 1 else ", one token"
    passes = f"<b>decode</b>: {quantity(n - n_prompt, 'pass')}{each}"
    after = left + ems(said) * 15 / sheet.wide + 0.03
    if n == n_prompt:
        return
    if split < 0.6 and not sheet.phone:
        sheet.write(max(split, after), PASSES - 14, passes, 14, colors.decode, "middle right")
    else:
        sheet.write(1, PASSES - 14, passes, 14, colors.decode, "middle left")
