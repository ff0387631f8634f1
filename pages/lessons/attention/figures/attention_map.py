"""The attention map: scores, masked scores and softmax weights of every head, contexts and the next word beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.model import ForwardPass
from pages.lessons.attention.figures.row_written_out import row_written_out
from pages.parts.drawing.hover import Columns, Hover, Rows, Value
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, plain, rectangle, short
from pages.parts.text.format import number, numbers, percent

LEFT, HEADS, RIGHT = 0.085, 0.70, 0.215  # shares of the width: row labels, the heads' blocks, the result
STAGES = ("scores", "masked", "weights")


def attention_map(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    vocabulary: Sequence[str],
    probs: np.ndarray | None,
    selected: tuple[int, int, int] | None = None,
    room: float | None = None,
) -> SheetFigure:
    """One layer as a picture: three stages down (scores, masked, weights), the heads across, contexts and next word at the right.

    words: (n,) what stands at each key position; the last n_new are the queries. heads: (n_head,) names. vocabulary: (n_vocab,)
    with probs (n_vocab,), or None when the logits are not numbers. selected: (head, query row, key) to outline.
    A cell that the mask hides is a hole in the surface; numbers stand in the cells where they can be read, and otherwise the
    selected row is written out beneath. room: pixels that the rows share where there is no more, and no row is written out then.
    """
    layer, colors = run.layers[-1], sheet.colors
    n_head, n_new, n = layer.scores.shape
    gap = 0.75 if n <= 8 else 1.5  # between heads, in cells; it carries the row sums
    cell_x = HEADS / (n_head * (n + gap))
    cell_w = cell_x * WIDTH
    cell_h = float(np.clip((room or 288) / (3 * n_new), 4 if room else 6.5, 28))
    size = min(15.0, 0.62 * cell_h, cell_w / (4 * LETTER))
    legible_cells = size >= 8.5
    written_out = selected is not None and not legible_cells and room is None
    if written_out:
        cell_h = float(np.clip(264 / (3 * n_new), 5.5, 28))  # room for the selected row beneath
    starts = LEFT + np.arange(n_head) * (n + gap) * cell_x
    # Edges of the columns: every block's cells, then a gap column that holds NaN.
    edges = np.concatenate([s + np.arange(n + 1) * cell_x for s in starts])
    centres = starts[:, None] + (np.arange(n) + 0.5) * cell_x  # (n_head, n)
    top_labels = 17 if cell_w > 16 else 0
    numbered = max(map(len, words)) * LETTER * 12 + 4 > cell_w  # columns too narrow for their words
    above = [str(j) if numbered else short(word, cell_w, 12) for j, word in enumerate(words, 1)]
    tops = 22 + top_labels + np.arange(3) * (n_new * cell_h + 25)
    rows = tops[:, None] + (np.arange(n_new) + 0.5) * cell_h  # (3, n_new)

    bound = max(1.0, float(np.abs(layer.scores).max()))
    visible = np.where(layer.mask, 1.0, np.nan)
    stages = (
        (layer.scores, colors.scores, -bound, bound),
        (layer.scores * visible, colors.scores, -bound, bound),
        (layer.weights * visible, colors.weights, 0.0, 1.0),
    )
    hover = hovering(layer.mask, words, heads) if n_head * n_new * n <= 260 else [None] * 3
    for stage, (z, scale, low, high) in enumerate(stages):
        y_edges = tops[stage] + np.arange(n_new + 1) * cell_h
        if stage:
            sheet.path(_holes(layer.mask, starts, cell_x, y_edges), colors.hole)
        sheet.heatmap(_side_by_side(z), edges, y_edges, scale, low, high, hover[stage], lines=legible_cells)
        if legible_cells:
            _cell_numbers(sheet, stage, z, layer, centres, rows[stage], size, scale, low, high)
        legible = range(n_new) if cell_h >= 13 else (n_new - 1,)  # the last row is the one that chooses a word
        if cell_h >= 5:
            for i in legible:
                label_size = max(12.0, min(13.5, 0.72 * cell_h))
                place = f"{n - n_new + i + 1} " * bool(numbered and top_labels)
                word = place + short(words[n - n_new + i], (LEFT - 0.008) * WIDTH - LETTER * len(place) * label_size, label_size)
                sheet.write(LEFT - 0.006, rows[stage, i], word, label_size, colors.muted, "middle left")

    _headings(sheet, tops, starts, cell_x * n, heads, above, centres if top_labels else None)
    if legible_cells:
        x, y = np.broadcast_arrays(starts[:, None] + n * cell_x + 0.003, rows[2])
        totals = numbers(layer.weights.sum(axis=2), 3 if cell_w > 30 else 1)
        sheet.write_all(x.ravel(), y.ravel(), totals, 12, colors.muted, "middle right")
    _contexts(sheet, layer, rows[2], tops[2], selected)
    _next_word(sheet, run, vocabulary, probs, str(words[-1]), tops[2] - 34)
    height = tops[2] + n_new * cell_h + 6
    if selected is not None:
        head, query, key = selected
        x0 = starts[head] + key * cell_x
        for stage in range(3):
            y0 = tops[stage] + query * cell_h
            sheet.frame(x0, y0, x0 + cell_x, y0 + cell_h, colors.ink)
        if written_out:
            height = row_written_out(sheet, layer, selected, words, heads, height + 8, LEFT + HEADS)
    grid = {
        "curves": [0, 1, 2],
        "selected": None if selected is None else [2, selected[1], selected[0] * (n + 1) + selected[2]],
        "stages": list(STAGES),
        "rows": [str(w) for w in words[n - n_new :]],
        "columns": [f"{heads[h]}, {words[j]}" if j < n else "" for h in range(n_head) for j in range(n + 1)],
    }
    return sheet.figure(height, min_width=860 if legible_cells else 520, grid=grid)


def cell_of_column(column: int, n: int) -> tuple[int, int] | None:
    """(head, key) of a heatmap column of `attention_map`, or None for the gap between two heads."""
    head, key = divmod(column, n + 1)
    return (head, key) if key < n else None


def _side_by_side(z: np.ndarray) -> np.ndarray:
    """(n_head, n_new, n) -> (n_new, n_head · (n + 1) − 1): the heads next to each other with a NaN column between."""
    n_head, n_new, n = z.shape
    wide = np.full((n_head, n_new, n + 1), np.nan)
    wide[:, :, :n] = z
    return wide.transpose(1, 0, 2).reshape(n_new, n_head * (n + 1))[:, :-1]


def hovering(mask: np.ndarray, words: Sequence[str], heads: Sequence[str]) -> list[Hover]:
    """What hovering says in each stage, laid out as the heatmaps are."""
    n_new, n = mask.shape[1:]
    names = [plain(word) for word in words]
    across = [column for head in heads for column in [*((f"{plain(head)}<br>“", name) for name in names), ("", "")]]
    head_of, key_of = map(Columns, zip(*across[:-1], strict=True))
    rows, hidden = Rows(names[n - n_new :]), _side_by_side(~mask) == 1
    values = (Value(), Value(hidden=hidden), Value(hidden=hidden, instead="0, hidden by the mask"))
    return [Hover((head_of, rows, "” → “", key_of, f"”<br>{stage} ", z)) for stage, z in zip(STAGES, values, strict=True)]


def _holes(mask: np.ndarray, starts: np.ndarray, cell_x: float, y_edges: np.ndarray) -> str:
    """Every run of hidden cells as one path of rectangles."""
    pieces = []
    for h, i in np.ndindex(*mask.shape[:2]):
        hidden = np.flatnonzero(~mask[h, i])
        if hidden.size:  # causal masks hide one run of keys, the last ones
            x0, x1 = starts[h] + hidden[0] * cell_x, starts[h] + (hidden[-1] + 1) * cell_x
            pieces.append(rectangle(x0, y_edges[i] + 0.5, x1, y_edges[i + 1] - 0.5))
    return "".join(pieces) or "M0,0Z"


def _cell_numbers(sheet: Sheet, stage: int, z, layer, centres, rows, size, scale, low, high) -> None:
    """The number in each cell; −∞ in a hole of the masked stage, nothing in a hole of the weights, "none" in an empty row."""
    inks = text_colors(scale, np.clip((np.nan_to_num(z) - low) / (high - low), 0, 1))
    x, y = np.broadcast_arrays(centres[:, None, :], rows[:, None])
    seen = layer.mask if stage else np.ones_like(layer.mask)
    empty = seen & (layer.empty[:, :, None] & (stage == 2))
    told = seen & ~empty
    sheet.write_all(x[told], y[told], numbers(z[told], sign=stage < 2), size, inks[told])
    sheet.write_all(x[empty], y[empty], ["none"] * int(empty.sum()), min(size, 11.5), sheet.colors.muted)
    if stage == 1:
        sheet.write_all(x[~seen], y[~seen], ["−∞"] * int((~seen).sum()), size, sheet.colors.muted)


def _headings(sheet: Sheet, tops, starts, block, heads, above, centres) -> None:
    """The stages' names at the left, what each does beside it, and the heads and what names their columns above the first."""
    colors = sheet.colors
    line = tops - 11
    for stage, name in enumerate(STAGES):
        raised = 9 if stage == 0 and centres is not None else 0
        sheet.write(0, line[stage] - raised, f"<b>{name}</b>", 14, anchor="middle right")
    sheet.write(LEFT, line[1], "a token may not look at what comes later: −∞", 12.5, colors.muted, "middle right")
    sheet.write(LEFT, line[2], "softmax of each row; beside it the row’s sum", 12.5, colors.muted, "middle right")
    head_line = 10
    for h in range(len(starts)):
        label = short(heads[h], block * WIDTH, 12.5)
        sheet.write(starts[h] + block / 2, head_line, label, 12.5, colors.muted)
        if centres is not None:
            for j, x in enumerate(centres[h]):
                sheet.write(x, line[0] + 1, above[j], 12, colors.muted)


def _contexts(sheet: Sheet, layer, rows, top, selected) -> None:
    """Contexts beside the weights they come from: a row for each query, a column for each head."""
    colors = sheet.colors
    n_head, n_new = layer.context.shape[:2]
    left = LEFT + HEADS + 0.012
    width = (1 - left) / n_head
    row_size = 0.85 * (rows[1] - rows[0]) if n_new > 1 else 15.0
    legible = 15.0 if row_size < 11 else row_size
    sheet.write(left, top - 29, "<b>context</b> of each head", 14, anchor="middle right")
    for h in range(n_head):
        sheet.write(left + (h + 0.5) * width, top - 11, str(h + 1), 12, colors.muted)
        for i in range(n_new):
            x, size = layer.context[h, i, 0], max(12.0, min(15.0, 0.42 * width * WIDTH, legible))
            last = i == n_new - 1
            if row_size < 11 and not last:
                continue  # too many rows to write them all: the last one chooses the next word
            text = "none" if layer.empty[h, i] else number(x, 2 if width * WIDTH > 34 else 1)
            color = colors.muted if layer.empty[h, i] else colors.ink
            sheet.write(left + (h + 0.5) * width, rows[i], f"<b>{text}</b>" if last else text, size, color)


def _next_word(sheet: Sheet, run: ForwardPass, vocabulary, probs, last_word: str, bottom: float) -> None:
    """Logits and probabilities of the last row, the likeliest word in the one accent colour."""
    colors = sheet.colors
    left, top = LEFT + HEADS + 0.012, 10
    title = f"<b>next word</b> after “{short(last_word, 80, 14)}”"
    sheet.write(left, top, title, 14, anchor="middle right")
    if probs is None:
        sheet.write(left, top + 30, "not a number: one NaN row", 13, colors.muted, "middle right")
        sheet.write(left, top + 48, "spoils every logit", 13, colors.muted, "middle right")
        return
    step = min(54.0, (bottom - top - 14) / len(vocabulary))
    size = min(15.0, step * 0.66)
    for w, word in enumerate(vocabulary):
        best = w == int(np.argmax(run.logits[-1]))
        y = top + 16 + w * step
        name = short(word, 0.11 * WIDTH, size)
        sheet.write(left, y + size * 0.6, f"<b>{name}</b>" if best else name, size, colors.ink, "middle right")
        sheet.write(0.905, y + size * 0.6, number(run.logits[-1, w], 3), size, colors.muted, "middle left")
        chance = percent(probs[w])
        sheet.write(0.997, y + size * 0.6, f"<b>{chance}</b>" if best else chance, size, colors.ink, "middle left")
        if step > 24:
            y0 = y + size * 1.35
            sheet.bar(left, y0, 1, y0 + 8, colors.hole)
            sheet.bar(left, y0, left + (1 - left) * float(probs[w]), y0 + 8, colors.ink if best else colors.bar)
