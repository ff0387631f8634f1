"""From contexts to logits: the context of each head, the matrix W, and what each head adds to each word's logit."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, hint, part
from pages.parts.drawing.cells import Texts, cells, chosen, row_names, texts
from pages.parts.drawing.grid import Grid, diverging
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, short
from pages.parts.text.digits import context_text, side_by_side
from pages.parts.text.format import entered, percent

LEFT, CONTEXT, GAP, TOP = 0.105, 0.075, 0.045, 58.0  # shares of the width: head names, contexts, the signs × and =; pixels
TITLES = ("W: what one unit of context is worth", "context × W: each head’s votes")


class Sums(NamedTuple):
    """How contexts become logits. context: (n_head,); w_vocab, added: (n_head, n_vocab), the columns of `added` sum to the logits.

    probs: (n_vocab,), or None where the logits are not numbers. off: heads that are switched off (their rows of `added` are 0).
    written: the contexts as they are written.
    """

    context: np.ndarray
    w_vocab: np.ndarray
    added: np.ndarray
    probs: np.ndarray | None
    off: Sequence[int]
    written: Sequence[str]


def word_map(
    sheet: Sheet,
    sums: Sums,
    heads: Sequence[str],
    words: Sequence[str],
    selected: tuple[int, int] | None = None,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """selected: (head, word) of W to outline; cells of W can be selected. asked: which word has the highest logit."""
    colors, (n_head, n_vocab) = sheet.colors, sums.w_vocab.shape
    left, room, gap = (0.19, 0.15, 0.06) if sheet.on_phone() else (LEFT, CONTEXT, GAP)
    block = 0.998 - left - room - gap if sheet.phone else (1 - LEFT - CONTEXT - 2 * GAP) / 2
    cell = (block / n_vocab, 36 if sheet.phone else sheet.row(234, n_head, 25, 64))
    size = min(18.0, 0.55 * cell[1], cell[0] * sheet.wide / (4.6 * LETTER))
    below = TOP + n_head * cell[1] + 14  # where the second stands beneath the first
    places = [
        (left + room + gap, TOP + k * below) if sheet.phone else (left + room + gap + k * (block + gap), TOP) for k in (0, 1)
    ]
    grids = [Grid.of(*place, cell, (n_head, n_vocab)) for place in places]
    added = np.array(
        [[context_text(x, most) for x, most in zip(row, np.abs(sums.added).max(axis=0), strict=True)] for row in sums.added],
        object,
    )
    added[list(sums.off)] = "off"
    of_w, small = texts(sums.w_vocab, np.ones((n_head, n_vocab), bool), 3), (abs(sums.w_vocab) > 0) & (abs(sums.w_vocab) < 0.0005)
    of_w[small] = [entered(w) for w in sums.w_vocab[small]]
    for grid, z, title, numbers in zip(grids, (sums.w_vocab, sums.added), TITLES, (of_w, added), strict=True):
        cells(sheet, grid, z, diverging(colors.scores, z, 1e-9), Texts(numbers, size))
        sheet.write(grid.x[0] - (0.12 if sheet.phone else 0), grid.y[0] - 46, bold(title), 15, anchor="middle right")
        for x, word in zip(grid.across, words, strict=True):
            sheet.write(x, grid.y[0] - 17, short(word, cell[0] * sheet.wide, min(15.0, size)), min(15.0, size), colors.muted)
    for grid in grids[: 1 + sheet.phone]:
        row_names(sheet, left - 0.01, grid, heads, min(15.0, 0.6 * cell[1]))
    sheet.write(left + room / 2, TOP - (17 if sheet.phone else 46), "<b>context</b>", 15)
    for h, y in enumerate(grids[0].down):
        tag, color = ("s", colors.muted) if h in sums.off else ("b", colors.ink)
        value = f"<{tag}>{sums.written[h]}</{tag}>"
        sheet.write(left + room / 2, y, value, min(18.0, 0.6 * cell[1]), color)
    for grid, sign in zip(grids, "×=", strict=True):
        sheet.write(grid.x[0] - gap / 2, grid.y[0] + n_head * cell[1] / 2, sign, 20, colors.muted)
    _results(sheet, sums, grids[1], size)
    if selected is not None:
        sheet.frame(*grids[0].box(*selected), colors.ink, 3)
    x, y, last = grids[1].x, grids[1].y, float(grids[1].y[-1])
    for w in range(len(asked.names)):
        part(sheet, asked, w, (x[w], y[0] - 28, x[w + 1], last + 68), ((x[w] + x[w + 1]) / 2, last + 80, "middle center"))
    hint(sheet, asked, 1, last + 80)
    return sheet.figure(
        last + (92 if asked.names else 70), min_width=0 if sheet.phone else 660, grid=chosen(0, selected, "W", heads, words)
    )


def _results(sheet: Sheet, sums: Sums, grid: Grid, size: float) -> None:
    """The column sums, which are the logits, and the probabilities beneath."""
    colors, logits, probs, (x0, _, x1, y) = sheet.colors, sums.added.sum(axis=0), sums.probs, grid.edges
    sheet.bar(x0, y + 5, x1, y + 7, colors.muted)
    best = None if probs is None else int(np.argmax(logits))
    chances = ["NaN"] * len(logits) if probs is None else [percent(p) for p in probs]
    lines = (
        (26, "<b>logit</b>" if sheet.phone else "<b>logit</b>, the sum", side_by_side(logits.tolist())),
        (54, "<b>chance</b>" if sheet.phone else "<b>probability</b>, after softmax", chances),
    )
    for below, name, said in lines:
        sheet.write(x0 - 0.012, y + below, name, 15, anchor="middle left")
        fits = min(19.0, 1.1 * size, 0.96 * grid.wide * sheet.wide / (LETTER * max(map(len, said))))
        if fits < 12 and said is chances and probs is not None:
            said = ["< 1%" if 0 < p < 0.005 else f"{p:.0%}" for p in probs]
        for w, (x, text) in enumerate(zip(grid.across, said, strict=True)):
            tint = colors.decode if w == best else colors.ink if best is None else colors.muted
            sheet.write(x, y + below, bold(text, w == best), max(fits, 12.0), tint)
