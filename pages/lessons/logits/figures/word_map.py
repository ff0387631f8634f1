"""From contexts to logits: the context of each head, the matrix W, and what each head adds to each word's logit, as a bar a word."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import greedy, likeliest
from pages.lessons.logits.figures.vote_bars import Votes, vote_bars
from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, answer_part, hint, outline
from pages.parts.drawing.cells import Texts, cells, row_names, selectable, texts
from pages.parts.drawing.grid import Grid, diverging
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, short, type_size
from pages.parts.text.digits import context_text, logits_side_by_side
from pages.parts.text.format import entered, percent

LEFT = 0.105  # of the width have the names of the heads
CONTEXT = 0.075  # of the width have the contexts
GAP = 0.045  # of the width has each of the signs × and =
TOP = 58.0  # pixels above the cells
WORTH = 0.68  # of its share of the width has W where one head is silent
BARS_ON_PHONE = 156.0  # pixels of the bars there at least
LARGE = 33.0  # type size of the sums without the silent head
TITLES = ("W: what one unit of context is worth", "context × W: each head’s votes")


class Sums(NamedTuple):
    """How contexts become logits. context: (n_head,); w_vocab, added: (n_head, n_vocab), the columns of `added` sum to the logits.

    probs: (n_vocab,), or None where the logits are not numbers. off: heads that are switched off (their rows of `added` are 0).
    written: the contexts as they are written. before: what all heads add, (n_head, n_vocab), where the sums are shown beside those.
    """

    context: np.ndarray
    w_vocab: np.ndarray
    added: np.ndarray
    probs: np.ndarray | None
    off: Sequence[int]
    written: Sequence[str]
    before: np.ndarray | None = None


def word_map(
    sheet: Sheet,
    sums: Sums,
    heads: Sequence[str],
    words: Sequence[str],
    selected: tuple[int, int] | None = None,
    asked: Asked = NOT_ASKED,
    least: Asked = NOT_ASKED,
) -> SheetFigure:
    """selected: (head, word) of W to outline; cells of W can be selected. asked: which word has the highest logit; least: in which
    head's row the last word's number need change least, marked once that is known."""
    colors, (n_head, n_vocab) = sheet.colors, sums.w_vocab.shape
    left, room, gap = (0.19, 0.15, 0.06) if sheet.on_phone() else (LEFT, CONTEXT, GAP)
    block = 0.998 - left - room - gap if sheet.phone else (1 - LEFT - CONTEXT - 2 * GAP) / 2
    first = block * (1 if sheet.phone or sums.before is None else WORTH)  # where one head is silent it is about the bars
    tall = (31 if n_head <= 4 else 26) if sheet.phone else sheet.row(234, n_head, 25, 64)
    cell = (first / n_vocab, tall)
    size = min(18.0, 0.55 * tall, cell[0] * sheet.wide / (4.6 * LETTER))
    at = left + room + gap
    of_w = Grid.of(at, TOP, cell, (n_head, n_vocab))
    if sheet.phone:  # beneath the first
        bars = Grid.of(at, 2 * TOP + n_head * tall + 14, (cell[0], max(tall, BARS_ON_PHONE / n_head)), (n_head, n_vocab))
    else:
        bars = Grid.of(at + first + gap, TOP, ((2 * block - first) / n_vocab, tall), (n_head, n_vocab))
    _worth(sheet, of_w, sums, size)
    votes = sums.added if sums.before is None else sums.before
    silent = None if sums.before is None else sums.off[0]
    written = _added_by_heads(votes)
    names = heads if sheet.phone else [str(h + 1) for h in range(n_head)]
    names = [short(name, (left + room + gap) * sheet.wide - 12, 13) for name in names]
    vote_bars(sheet, Votes(votes, written, silent, asked.known or not asked.names), bars, size, names)
    for grid, title in zip((of_w, bars), TITLES, strict=True):
        sheet.write(grid.x[0] - (0.12 if sheet.phone else 0), grid.y[0] - 46, bold(title), 15, anchor="middle right")
        for x, word in zip(grid.across, words, strict=True):
            sheet.write(x, grid.y[0] - 17, short(word, grid.wide * sheet.wide, min(15.0, size)), min(15.0, size), colors.muted)
    row_names(sheet, left - 0.01, of_w, heads, min(15.0, 0.6 * tall))
    sheet.write(left + room / 2, TOP - (17 if sheet.phone else 46), "<b>context</b>", 15)
    for h, y in enumerate(of_w.down):
        tag, color = ("s", colors.muted) if h in sums.off else ("b", colors.ink)
        value = f"<{tag}>{sums.written[h]}</{tag}>"
        sheet.write(left + room / 2, y, value, min(18.0, 0.6 * tall), color)
    sheet.write(of_w.x[0] - gap / 2, of_w.y[0] + n_head * tall / 2, "×", 20, colors.muted)
    if sums.before is None:
        _results(sheet, sums, bars, size)
    else:
        _beside_the_old(sheet, sums, bars, size, asked.known)
    if selected is not None:
        sheet.frame(*of_w.box(*selected), colors.ink, 3)
    _mark_least_change(sheet, of_w, least, np.array(sums.w_vocab, float))
    x, y, last = bars.x, bars.y, float(bars.y[-1])
    for w in range(len(asked.names)):
        answer_part(sheet, asked, w, (x[w], y[0] - 28, x[w + 1], last + 74), ((x[w] + x[w + 1]) / 2, last + 86, "middle center"))
    hint(sheet, asked, 1, last + 86)
    return sheet.figure(last + (98 if asked.names else 70), min_width=660, grid=selectable(0, selected, "W", heads, words))


def _mark_least_change(sheet: Sheet, grid: Grid, least: Asked, z: np.ndarray) -> None:
    """In the last column of W, z, the number that need change least, a tick beside it, and the one that was guessed."""
    for h, name in enumerate(least.names):
        right, guessed = name == least.right, name == least.guess
        box = grid.box(h, len(grid.x) - 2)
        outline(sheet, box, right, guessed, says="")
        x, y, ink = box[2] + 5 / sheet.wide, (box[1] + box[3]) / 2, sheet.colors.ink
        if sheet.phone:
            x = box[2] - 5 / sheet.wide
            if right or guessed:
                sheet.write(x, y, "<b>✓</b>" if right else "?", 15, ink, "middle left")
            continue
        if right:
            sheet.write(x, y, "<b>✓</b>", 17, ink, "middle right")
        if guessed and grid.tall >= 40:  # beneath the number, in its cell
            scale = diverging(sheet.colors.scores, z, 1e-9)
            sheet.write((box[0] + box[2]) / 2, box[3] - 9, YOURS, 12.5, scale.inks(z)[h, -1], "middle center")
        elif guessed and not right:
            sheet.write(x, y, "?", 15, sheet.colors.muted, "middle right")


def _added_by_heads(added: np.ndarray) -> np.ndarray:
    """What heads add, as words that are written alike in a column."""
    most = np.abs(added).max(axis=0)
    return np.array([[context_text(x, of) for x, of in zip(row, most, strict=True)] for row in added], object)


def _worth(sheet: Sheet, grid: Grid, sums: Sums, size: float) -> None:
    """W in colour; the row of a head whose silence is asked about is grey, and its numbers struck out."""
    z = np.array(sums.w_vocab, float)
    written, small = texts(z, np.ones(z.shape, bool), 3), (abs(z) > 0) & (abs(z) < 0.0005)
    written[small] = [entered(w) for w in z[small]]
    words, shown = written.copy(), z.copy()
    silent = list(sums.off) if sums.before is not None else []
    words[silent], shown[silent] = "", np.nan
    for h in silent:
        sheet.bar(*grid.row(h), sheet.colors.hole)
    cells(sheet, grid, shown, diverging(sheet.colors.scores, z, 1e-9), Texts(words, size))
    for h in silent:
        sheet.write_all(grid.across, float(grid.down[h]), [f"<s>{word}</s>" for word in written[h]], size, sheet.colors.muted)


def _beside_the_old(sheet: Sheet, sums: Sums, grid: Grid, size: float, known: bool) -> None:
    """The sums of all heads, and beneath them, large, those without the silent one, question marks until they are known."""
    colors, logits, (x0, _, x1, y) = sheet.colors, sums.added.sum(axis=0), grid.edges
    sheet.bar(x0, y + 5, x1, y + 7, colors.muted)
    old, new = logits_side_by_side(sums.before.sum(axis=0)), logits_side_by_side(logits)
    best, room = likeliest(logits), 0.94 * grid.wide * sheet.wide
    sheet.write(x0 - 0.012, y + 22, "all heads", 15, colors.muted, "middle left")
    sheet.write(x0 - 0.012, y + 54, bold(f"without head {sums.off[0] + 1}"), 15, anchor="middle left")
    large = type_size(max(new, key=ems), room, LARGE, 12.0)
    for w, (x, text) in enumerate(zip(grid.across, new, strict=True)):
        sheet.write(x, y + 22, old[w], float(np.clip(room / ems(old[w]), 12, min(18, 1.1 * size))), colors.muted)
        tint = colors.decode if known and w in best else colors.ink
        sheet.write(x, y + 57, bold(text if known else "?"), large if known else LARGE, tint)


def _results(sheet: Sheet, sums: Sums, grid: Grid, size: float) -> None:
    """The column sums, which are the logits, and the probabilities beneath."""
    colors, logits, probs, (x0, _, x1, y) = sheet.colors, sums.added.sum(axis=0), sums.probs, grid.edges
    sheet.bar(x0, y + 5, x1, y + 7, colors.muted)
    best = None if probs is None else greedy(logits)
    chances = ["NaN"] * len(logits) if probs is None else [percent(p) for p in probs]
    lines = (
        (26, "<b>logit</b>" if sheet.phone else "<b>logit</b>, the sum", logits_side_by_side(logits)),
        (54, "<b>chance</b>" if sheet.phone else "<b>probability</b>, after softmax", chances),
    )
    for below, name, said in lines:
        sheet.write(x0 - 0.012, y + below, name, 15, anchor="middle left")
        fits = min(19.0, 1.1 * size, 0.96 * grid.wide * sheet.wide / (LETTER * max(map(len, said))))
        if fits < 12 and said is chances and probs is not None:
            said = ["< 1%" if 0 < p < 0.005 else percent(p, 0) for p in probs]
        for w, (x, text) in enumerate(zip(grid.across, said, strict=True)):
            tint = colors.decode if w == best else colors.ink if best is None else colors.muted
            sheet.write(x, y + below, bold(text, w == best), max(fits, 12.0), tint)
