"""The cache of a model with several layers as it fills: a column a token, every layer's keys and values beneath each other."""

from collections.abc import Sequence

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, short

LEFT, MOST_ROWS = 0.115, 26


def cache_fill(sheet: Sheet, k: np.ndarray, v: np.ndarray, n_prompt: int, room: int, words: Sequence[str]) -> SheetFigure:
    """k, v: (n_layer, n_kv_head, n, width) as cached; room: columns in all; words: one for each cached token.

    A cell is the length of one token's key or value in one head, against the longest of its row; rows of many heads are averaged.
    """
    colors, n = sheet.colors, k.shape[2]
    lengths = [np.linalg.norm(part.astype(float), axis=3) for part in (k, v)]  # (n_layer, n_kv_head, n) each
    if lengths[0].shape[0] * lengths[0].shape[1] * 2 > MOST_ROWS:
        lengths = [part.mean(axis=1, keepdims=True) for part in lengths]
    n_layer, n_heads = lengths[0].shape[:2]
    cell_x = (1 - LEFT) / room
    row = min(17.0, 250 / (n_layer * n_heads * 2 + 0.6 * n_layer))
    top, layer_h = 58.0, row * (2 * n_heads + 0.6)
    x = LEFT + np.arange(n + 1) * cell_x
    for part, (values, color, name) in enumerate(zip(lengths, (colors.key, colors.value), ("K", "V"), strict=True)):
        tops = top + np.arange(n_layer) * layer_h + part * n_heads * row
        y = np.concatenate([t + np.arange(n_heads + 1) * row for t in tops])
        shares = values / np.maximum(values.max(axis=2, keepdims=True), 1e-12)
        cells = np.full((n_layer, n_heads + 1, n), np.nan)
        cells[:, :n_heads] = np.round(0.15 + 0.85 * shares, 3)
        for t in tops:
            sheet.bar(LEFT, t, 1, t + n_heads * row - 1, colors.hole)
        flat = cells.reshape(-1, n)[:-1]
        sheet.heatmap(Grid(x, y), flat, Scale((colors.surface, color)), lines=cell_x * WIDTH > 5, hover=False)
        size = min(13.5, 0.9 * n_heads * row)
        for layer, t in enumerate(tops):
            if size >= 12:
                sheet.write(LEFT - 0.008, t + n_heads * row / 2, bold(name), size, color, "middle left")
            if part == 0 and layer % max(1, -(-12 // max(1, int(layer_h)))) == 0:
                sheet.write(0, t + n_heads * row, f"layer {layer + 1}", min(14.0, max(12.0, layer_h)), anchor="middle right")
    bottom = top + n_layer * layer_h
    split = LEFT + n_prompt * cell_x
    sheet.bar(LEFT, 30, split - 0.002, 34, colors.prefill)
    tokens = f"{n_prompt} token{'s' * (n_prompt > 1)}"
    sheet.write(LEFT, 18, f"<b>prefill</b>: {tokens} in one pass", 14, colors.prefill, "middle right")
    if n > n_prompt:
        sheet.bar(split, 30, LEFT + n * cell_x, 34, colors.decode)
        sheet.frame(x[n - 1], top - 2, x[n], bottom, colors.accent, 2)
    sheet.write(1, 18, f"<b>decode</b>: {n - n_prompt} so far, one column each", 14, colors.decode, "middle left")
    every = max(1, -(-int(8 * LETTER * 12) // max(1, int(cell_x * WIDTH))))
    for j in range(n):
        if j == n - 1 or (j % every == 0 and n - 1 - j >= every):
            word = short(words[j], cell_x * WIDTH * every + 6, 12)
            newest = j == n - 1 and n > n_prompt
            color = colors.accent if newest else colors.muted
            sheet.write(x[j] + cell_x / 2, 46, bold(word, newest), 12, color)
    return sheet.figure(bottom + 6, min_width=620)
