"""One head large, as one line of arithmetic: scores, masked scores, weights, the context that they give, and the next word.

context = softmax(Q Kᵀ / √d) V, with every factor above the cells that it makes. The row that is followed is outlined in each map.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np

from engine.model import ForwardPass
from pages.lessons.attention.figures.attention_map import hovering
from pages.lessons.attention.figures.cell_way import draw_way
from pages.parts.drawing.palette import text_colors
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, rectangle, short
from pages.parts.text.format import entered, number, numbers, percent

LEFT, GAP, CONTEXT, NEXT = 0.085, 0.022, 0.105, 0.185  # shares: row labels, between two maps, contexts, the next word
HEAD = 50  # pixels above the cells
STAGES = ("scores", "masked", "weights")
SMALLEST = 12.0  # type size


def one_head(
    sheet: Sheet,
    run: ForwardPass,
    words: Sequence[str],
    heads: Sequence[str],
    selected: tuple[int, int, int],
    vocabulary: Sequence[str] = (),
    probs: np.ndarray | None = None,
    cell: bool = False,
    note: str = "",
    after: np.ndarray | None = None,
    room: float = 168.0,
) -> SheetFigure:
    """words: (n,); heads: names. selected: (head, query row, key); the row is outlined, with `cell` the cell in it as well, and
    the way that its number goes.

    vocabulary, probs: (n_vocab,) the next word, left out where there is no vocabulary. note: what stands beneath the weights
    instead of the values' sum. after: (n,) this head's contexts after an edit; those that moved are pointed at. room: pixels that
    the rows share. What the mask hides is a hole; numbers stand in the cells where they can be read.
    """
    layer, colors = run.layers[-1], sheet.colors
    head, query, key = selected
    n = layer.scores.shape[2]
    right = CONTEXT + (NEXT if vocabulary else 0)
    block = (1 - LEFT - 3 * GAP - right) / 3
    cell_x, cell_h = block / n, float(np.clip(room / n, 13, 46))
    starts = LEFT + np.arange(3) * (block + GAP)
    tops = HEAD + np.arange(n + 1) * cell_h
    bottom = float(tops[-1])
    bound = max(1.0, float(np.abs(layer.scores).max()))
    visible = np.where(layer.mask[head], 1.0, np.nan)
    stages = (
        (layer.scores[head], colors.scores, -bound, bound),
        (layer.scores[head] * visible, colors.scores, -bound, bound),
        (layer.weights[head] * visible, colors.weights, 0.0, 1.0),
    )
    hover = hovering(layer.mask[head : head + 1], words, heads[head : head + 1])
    _titles(sheet, starts, block)
    sheet.write(LEFT - 0.008, 10, f"<b>head {head + 1}</b>", 15, anchor="middle left")
    if holes := "".join(_holes(layer.mask[head], left, cell_x, tops) for left in starts[1:]):
        sheet.path(holes, colors.hole)
    for stage, (z, scale, low, high) in enumerate(stages):
        edges = starts[stage] + np.arange(n + 1) * cell_x
        sheet.heatmap(z, edges, tops, scale, low, high, hover[stage])
        _numbers(sheet, stage, z, layer.mask[head], layer.empty[head], starts[stage], cell_x, tops, (scale, low, high))
        _key_words(sheet, words, key, starts[stage], cell_x, colors.key if cell and not stage else colors.ink)
        sheet.frame(edges[0], tops[query], edges[-1], tops[query + 1], colors.ink, 2.5)
        if cell:
            sheet.frame(edges[key], tops[query], edges[key + 1], tops[query + 1], colors.ink, 4.5)
    if cell:
        leads_on = 1 - NEXT + 0.02 if vocabulary and probs is not None and query == n - 1 else None
        draw_way(sheet, starts, cell_x, tops, (query, key), bool(layer.mask[head, query, key]), leads_on)
    for i, word in enumerate(words):
        label, strong = min(16.0, max(0.8 * cell_h, SMALLEST)), i == query
        name = short(word, (LEFT - 0.014) * WIDTH, label)
        name, color = (f"<b>{name}</b>", colors.query if cell else colors.ink) if strong else (name, colors.muted)
        sheet.write(LEFT - 0.008, (tops[i] + tops[i + 1]) / 2, name, label, color, "middle left")
    for x in starts[1:] - GAP / 2:  # the way of the row that is followed
        sheet.write(x, (tops[query] + tops[query + 1]) / 2, "→", 17)
    x = starts[2] + block + 0.018
    _contexts(sheet, layer, head, query, tops, x, after)
    _values(sheet, layer, head, query, starts[2], cell_x, bottom, note)
    if vocabulary:
        _next_word(sheet, run, vocabulary, probs, str(words[-1]), 1 - NEXT + 0.02, bottom)
    grid = {
        "curves": [0, 1, 2],
        "selected": [2, query, key],
        "stages": list(STAGES),
        "rows": [str(w) for w in words],
        "columns": [f"{heads[head]}, {w}" for w in words],
    }
    return sheet.figure(bottom + 30, min_width=860 if vocabulary else 700, grid=grid)


def _titles(sheet: Sheet, starts, block) -> None:
    """The factors of softmax(Q Kᵀ / √d) V, each above the cells that it makes."""
    colors = sheet.colors
    for x, name, factor in zip(starts, STAGES, ("", "future −∞", "softmax"), strict=True):
        sheet.write(x, 10, f"<b>{name}</b>  {factor}", 15, anchor="middle right")
    pieces = (("Q", colors.query, 0.062), ("Kᵀ", colors.key, 0.08), ("/ √d", colors.ink, 0.106))
    for text, color, right in pieces:
        sheet.write(starts[0] + right, 10, text, 15, color, "middle right")
    x = starts[2] + block + 0.014
    sheet.write(x, 10, "<b>context</b> ·", 15, anchor="middle right")
    sheet.write(x + 0.076, 10, "V", 15, colors.value, "middle right")


def _key_words(sheet: Sheet, words, key, left, cell_x, selected: str) -> None:
    """The words above the columns, upright where they can be read, else slanted ones of the first, the last and the selected."""
    colors, pixels = sheet.colors, cell_x * WIDTH
    longest = max(map(len, words))
    fits = pixels / (LETTER * max(longest, 3)) >= SMALLEST * 0.82
    for j, word in enumerate(words):
        x, strong = left + (j + 0.5) * cell_x, j == key
        color = selected if strong else colors.muted
        if fits or pixels > 30:
            size = max(SMALLEST / sheet.zoom, min(12.5, 0.9 * pixels / (LETTER * longest)))
            name, roomy = short(word, 1.12 * pixels, size), LETTER * len(word) * size < 0.9 * pixels
            sheet.write(x, HEAD - 13, f"<b>{name}</b>" if strong and roomy else name, size, color)
        elif strong:
            sheet.write(x, HEAD - 13, short(word, 60, SMALLEST), SMALLEST, selected)


def _holes(mask: np.ndarray, left: float, cell_x: float, tops: np.ndarray) -> str:
    """The hidden cells of every row, which a causal mask makes one run of the last ones."""
    gone = [(i, np.flatnonzero(~row)) for i, row in enumerate(mask)]
    return "".join(
        rectangle(left + hidden[0] * cell_x, tops[i] + 0.5, left + (hidden[-1] + 1) * cell_x, tops[i + 1] - 0.5)
        for i, hidden in gone
        if hidden.size
    )


def _numbers(sheet: Sheet, stage, z, mask, empty, left, cell_x, tops, colors) -> None:
    """The number in each cell; −∞ where the mask hides a score, "none" in a row without weights. Left out where too small."""
    scale, low, high = colors
    texts, n = np.array(numbers(z, sign=stage < 2), object), z.shape[1]
    seen = (mask if stage else np.ones_like(mask)).ravel()
    longest = max(map(len, texts[seen]))
    height = float(tops[1] - tops[0])
    size = min(18.0, 0.62 * height, (cell_x * WIDTH - 3) / (LETTER * max(longest, 2)))
    if size < SMALLEST - 1:
        return
    x = np.tile(left + (np.arange(n) + 0.5) * cell_x, len(z))
    y = np.repeat((tops[:-1] + tops[1:]) / 2, n)
    nothing = seen & np.repeat(empty, n) if stage == 2 else np.zeros_like(seen)
    told = seen & ~nothing
    inks = text_colors(scale, np.clip((z.ravel()[told] - low) / (high - low), 0, 1))
    sheet.write_all(x[told], y[told], texts[told].tolist(), size, inks)
    if stage == 1:
        sheet.write_all(x[~seen], y[~seen], repeat("−∞", int((~seen).sum())), size, sheet.colors.muted)
    if nothing.any():
        first = nothing & (np.arange(len(nothing)) % n == 0)
        sheet.write_all(x[first], y[first], repeat("none", int(first.sum())), min(size, 13), sheet.colors.muted)


def _contexts(sheet: Sheet, layer, head, query, tops, x, after) -> None:
    """This head's context of each row, the row that is followed large; what an edit made of it where that is not the same."""
    colors, height = sheet.colors, float(tops[1] - tops[0])
    for i, context in enumerate(layer.context[head, :, 0]):
        y, now = (tops[i] + tops[i + 1]) / 2, number(context)
        then = now if after is None else number(after[i])
        strong = i == query
        text = "none" if layer.empty[head, i] else now
        size = min(22.0 if strong else 16.0, max(0.85 * height, SMALLEST))
        if then != now:
            sheet.write(x, y, f"{text} → <b>{then}</b>", min(size, 16.0), colors.accent, "middle right")
        else:
            color = colors.muted if layer.empty[head, i] or not strong else colors.ink
            sheet.write(x, y, f"<b>{text}</b>" if strong else text, size, color, "middle right")


def _values(sheet: Sheet, layer, head, query, left, cell_x, bottom, note: str) -> None:
    """Beneath the weights the values that they are taken of, and the sum that the row which is followed makes of them."""
    colors, values = sheet.colors, layer.v[head // (len(layer.scores) // len(layer.v)), :, 0]
    y = bottom + 15
    if note:
        sheet.write(left, y, note, 15, colors.value, "middle right")
        return
    texts = [entered(v) for v in values]
    size = min(16.0, (cell_x * WIDTH - 2) / (LETTER * max(map(len, texts))))
    if size >= SMALLEST - 1:
        sheet.write(left - 0.008, y, "× value", 13.5, colors.muted, "middle left")
        for j, text in enumerate(texts):
            sheet.write(left + (j + 0.5) * cell_x, y, f"<b>{text}</b>", size, colors.value)
    weights = layer.weights[head, query]
    terms = [f"{number(w)}·{entered(v)}" for w, v in zip(weights, values, strict=True) if w >= 0.005]
    if not terms or layer.empty[head, query]:
        return
    shown = terms if len(terms) <= 3 else [terms[0], "…", terms[-1]]
    x = left + len(values) * cell_x
    text = f"= {' + '.join(shown)}"
    sheet.write(x + 0.018, y, text, 14, colors.ink, "middle right")


def _next_word(sheet: Sheet, run: ForwardPass, vocabulary, probs, last_word: str, left: float, bottom: float) -> None:
    """Logits and chances of the last row, which all heads decide together."""
    colors = sheet.colors
    sheet.write(left, 10, f"<b>next word</b> after “{short(last_word, 60, 15)}”", 15, anchor="middle right")
    if probs is None:
        sheet.write(left, 40, "not a number: one NaN row", 13, colors.muted, "middle right")
        sheet.write(left, 58, "spoils every logit", 13, colors.muted, "middle right")
        return
    top, best = 28.0, int(np.argmax(run.logits[-1]))
    order = sorted(range(len(vocabulary)), key=lambda w: -float(run.logits[-1, w]))[: max(3, int((bottom - top) / 21))]
    step = min(48.0, (bottom - top) / len(order))
    size = min(14.5, max(step * 0.66, SMALLEST))
    for line, w in enumerate(sorted(order)):
        y = top + 8 + line * step
        strong = ("<b>", "</b>") if w == best else ("", "")
        name = short(vocabulary[w], 0.08 * WIDTH, size)
        sheet.write(left, y, name.join(strong), size, colors.ink, "middle right")
        sheet.write(0.94, y, number(run.logits[-1, w]), size, colors.muted, "middle left")
        sheet.write(0.998, y, percent(probs[w]).join(strong), size, colors.ink, "middle left")
        if step > 30:
            sheet.bar(left, y + 12, 1, y + 20, colors.hole)
            sheet.bar(left, y + 12, left + (1 - left) * float(probs[w]), y + 20, colors.ink if w == best else colors.bar)
