"""The cache of a model with several layers as it fills: a column a token, every layer's keys and values beneath each other."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, short
from pages.parts.text.format import quantity

LEFT, MOST_ROWS = 0.115, 26
PASSES = 24.0  # where the blocks of the passes begin


def cache_fill(sheet: Sheet, k: np.ndarray, v: np.ndarray, n_prompt: int, room: int, words: Sequence[str]) -> SheetFigure:
    """k, v: (n_layer, n_kv_head, n, width) as cached, in 32 bits; room: columns in all; words: one for each cached token.

    A cell is the length of one token's key or value in one head, against the longest of its row; rows of many heads are averaged.
    """
    colors, n = sheet.colors, k.shape[2]
    bytes_per_token = 4 * k.shape[0] * k.shape[1] * (k.shape[3] + v.shape[3])
    lengths = [np.linalg.norm(part.astype(float), axis=3) for part in (k, v)]  # (n_layer, n_kv_head, n) each
    if lengths[0].shape[0] * lengths[0].shape[1] * 2 > MOST_ROWS:
        lengths = [part.mean(axis=1, keepdims=True) for part in lengths]
    n_layer, n_heads = lengths[0].shape[:2]
    left = 0.17 if sheet.on_phone() else LEFT
    cell_x = (1 - left) / room
    row = min(17.0, 250 / (n_layer * n_heads * 2 + 0.6 * n_layer))
    top, layer_h = 76.0, row * (2 * n_heads + 0.6)
    x = left + np.arange(n + 1) * cell_x
    for part, (values, color, name) in enumerate(zip(lengths, (colors.key, colors.value), ("K", "V"), strict=True)):
        tops = top + np.arange(n_layer) * layer_h + part * n_heads * row
        y = np.concatenate([t + np.arange(n_heads + 1) * row for t in tops])
        shares = values / np.maximum(values.max(axis=2, keepdims=True), 1e-12)
        cells = np.full((n_layer, n_heads + 1, n), np.nan)
        cells[:, :n_heads] = np.round(0.15 + 0.85 * shares, 3)
        for t in tops:
            sheet.bar(left, t, 1, t + n_heads * row - 1, colors.hole)
        flat = cells.reshape(-1, n)[:-1]
        sheet.heatmap(Grid(x, y), flat, Scale((colors.surface, color)), lines=cell_x * sheet.wide > 5, hover=False)
        size = min(13.5, 0.9 * n_heads * row)
        for layer, t in enumerate(tops):
            if size >= 12:
                sheet.write(left - 0.008, t + n_heads * row / 2, bold(name), size, color, "middle left")
            if part == 0 and layer % max(1, -(-12 // max(1, int(layer_h)))) == 0:
                sheet.write(0, t + n_heads * row, f"layer {layer + 1}", min(14.0, max(12.0, layer_h)), anchor="middle right")
    bottom = top + n_layer * layer_h
    _passes(sheet, n_prompt, n, (left, cell_x))
    if n > n_prompt:
        sheet.frame(x[n - 1], PASSES - 2, x[n], bottom, colors.accent, 2)
    every = max(1, -(-int(8 * LETTER * 12) // max(1, int(cell_x * sheet.wide))))
    for j in range(n):
        if j == n - 1 or (j % every == 0 and n - 1 - j >= every):
            word = short(words[j], cell_x * sheet.wide * every + 6, 12)
            newest = j == n - 1 and n > n_prompt
            color = colors.accent if newest else colors.muted
            sheet.write(x[j] + cell_x / 2, 64, bold(word, newest), 13, color)
    return under_headline(sheet, f"{n * bytes_per_token:,} bytes, {bytes_per_token:,} a token").figure(bottom + 6)


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
    passes = f"<b>decode</b>: {quantity(n - n_prompt, 'pass')}{', one token each' * (not sheet.phone)}"
    after = left + ems(said) * 15 / sheet.wide + 0.03
    if n > n_prompt and split < 0.6 and not sheet.phone:
        sheet.write(max(split, after), PASSES - 14, passes, 14, colors.decode, "middle right")
    else:
        sheet.write(1, PASSES - 14, passes, 14, colors.decode, "middle left")
