"""The loop in one picture: at every step a token goes in, the logit of every word comes of its row, and the highest goes in next."""

from collections.abc import Sequence

import numpy as np

from engine.sampling import greedy
from pages.parts.drawing.answers import NOT_ASKED, Asked, hint, part
from pages.parts.drawing.cells import Texts, texts, write_in
from pages.parts.drawing.grid import Grid, Scale, mosaic
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, bold, ems, rectangle, short

FEW, MOST_ON_PHONE, LEFT_ON_PHONE, BETWEEN = 3, 6, 0.22, 26.0  # steps in a line, in all, where names end, between lines
LEFT, RIGHT, CELL = 0.115, 1.0, 0.78  # shares of the width; of a step's column the cells, beside the line that leads on
LINED = 46.0  # pixels of a cell that has a line beneath its number
PALE = 0.45  # of its colour is left of the first step that is still to come
IN, TOP, BOX = 20.0, 74.0, 36.0  # pixels: where a token goes in, where its logits begin, the height of a word's box


def logit_run(
    sheet: Sheet,
    logits: np.ndarray,
    probs: np.ndarray,
    first: int,
    vocabulary: Sequence[str],
    goes_in: Sequence[tuple[str, str]],
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """Logits (n_steps, n_vocab) as numbers on cells whose colour is the chance, probs of the same shape.

    first: how many tokens there are at the first step. goes_in: the token that each step feeds, and its phase. The likeliest word of
    each step is framed; the one that was chosen comes out beneath.
    asked: which word has the highest logit at the second step; once that is known, that step and those behind it are shown,
    on a phone the first of them.
    """
    n_steps, n_vocab = logits.shape
    phone = sheet.on_phone()
    drawn = min(n_steps, FEW if not asked.known else MOST_ON_PHONE if phone else n_steps)
    across, left = (min(drawn, FEW), LEFT_ON_PHONE) if phone else (drawn, LEFT)
    wide, tall = (RIGHT - left) / across, sheet.row(120 if phone else 206, n_vocab, 18, 96)
    high = TOP + n_vocab * tall + 14 + BOX + BETWEEN  # of a line on a phone
    cell = (CELL * wide, tall)
    steps = [Grid.of(left + t % across * wide, TOP + t // across * high, cell, (n_vocab, 1)) for t in range(drawn)]
    shown = drawn if asked.known else 1
    _logits(sheet, logits[:shown], probs[:shown], steps)
    for t, grid in enumerate(steps[:shown]):
        best = vocabulary[greedy(logits[t])] if np.isfinite(logits[t]).all() else "NaN"
        _goes_in(sheet, grid, first + t, *goes_in[t])
        beside = t + 1 < n_steps and (t + 1) % across > 0
        _comes_out(sheet, grid, goes_in[t + 1][0] if t + 1 < n_steps else best, steps[t + 1] if beside else None)
        if t == 1:
            sheet.write(grid.across[0], grid.y[-1] + 62, "▲ asked", 13)
    if not asked.known and n_steps > 1:
        _goes_in(sheet, steps[1], first + 1, *goes_in[1])
        _candidates(sheet, steps[1], vocabulary)
        _comes_out(sheet, steps[1], "?", steps[2] if drawn > 2 else None)
        _still_to_come(sheet, steps[2:])
    for k in range(n_vocab if asked.names and n_steps > 1 else 0):
        x0, _, x1, y1 = box = steps[1].box(k, 0)
        part(sheet, asked, k, box, ((x0 + x1) / 2, y1 - 10 if tall >= LINED else TOP - 8, "middle center"))
    hint(sheet, asked, 1, float(steps[0].y[-1]) + 14 + BOX + 16)
    for grid in steps[::across]:
        _names(sheet, grid, vocabulary)
    if asked.known and n_steps > drawn:
        sheet.write(1, steps[-1].y[-1] + 14 + BOX + 12, f"and {n_steps - drawn} more", 13, sheet.colors.muted, "middle left")
    return sheet.figure(float(steps[-1].y[-1]) + 14 + BOX + 26, min_width=0 if phone else 640)


def _names(sheet: Sheet, grid: Grid, vocabulary: Sequence[str]) -> None:
    """Before the first step of a line: each word, and what goes in and comes out. grid: of that step."""
    right, top, size = grid.x[0] - 0.01, grid.y[0] - TOP, min(16.0, 0.62 * grid.tall)
    size = max(size, 13.0) if sheet.phone else size
    for y, word in zip(grid.down, vocabulary, strict=True):
        sheet.write(right, y, short(word, right * sheet.wide if sheet.phone else 0.1 * WIDTH, size), size, anchor="middle left")
    for y, name in ((top + IN + BOX / 2, "goes in"), (grid.y[-1] + 14 + BOX / 2, "comes out")):
        sheet.write(right, y, f"<b>{name}</b>", 14, anchor="middle left")
    sheet.write(right, top + 9, "tokens" if sheet.phone else "tokens so far", 13, sheet.colors.muted, "middle left")


def _logits(sheet: Sheet, logits: np.ndarray, probs: np.ndarray, steps: Sequence[Grid]) -> None:
    """The cells of all steps as one heatmap, with their numbers."""
    known, best, scale = np.isfinite(logits).all(axis=1), [greedy(row) for row in logits], Scale(sheet.colors.weights)
    sheet.heatmap(*mosaic([(grid, column[:, None]) for grid, column in zip(steps, probs, strict=False)]), scale)
    for t, grid in enumerate(steps[: len(logits)]):
        if known[t]:
            words = texts(logits[t][:, None])
            words[best[t], 0] = bold(words[best[t], 0])
            size = min(26.0, 0.5 * grid.tall, grid.wide * sheet.wide / (4 * LETTER))
            size = max(size, 13.0) if sheet.phone else size
            write_in(sheet, grid, Texts(words, size), scale.inks(probs[t][:, None]))
            sheet.frame(*grid.box(int(best[t]), 0), sheet.colors.accent, 3)


def _goes_in(sheet: Sheet, grid: Grid, n_tokens: int, word: str, phase: str) -> None:
    """The token that a step feeds, in the colour of its phase, and how many there are then."""
    x0, top, x1, _ = grid.edges
    top -= TOP
    color, size = {"prefill": sheet.colors.prefill, "decode": sheet.colors.decode}[phase], _in_box(sheet, grid)
    sheet.write(grid.across[0], top + 9, str(n_tokens), 13, sheet.colors.muted)
    sheet.bar(x0, top + IN, x1, top + IN + BOX, color)
    sheet.write(grid.across[0], top + IN + BOX / 2, bold(short(word, grid.wide * sheet.wide - 6, size)), size, ink_on(color))


def _in_box(sheet: Sheet, grid: Grid) -> float:
    """Type size of a word that goes in or comes out: larger where columns are wide."""
    return 21.0 if grid.wide * sheet.wide > 120 else 15.0


def _comes_out(sheet: Sheet, grid: Grid, word: str, following: Grid | None) -> None:
    """The chosen word beneath the logits, and the line on which it goes in at the following step."""
    colors, (x0, _, x1, bottom) = sheet.colors, grid.edges
    top, size = bottom + 14, _in_box(sheet, grid)
    sheet.line(rectangle(x0, top, x1, top + BOX), colors.decode, 1.5)
    sheet.write(grid.across[0], top + BOX / 2, bold(short(word, grid.wide * sheet.wide - 8, size)), size, colors.decode)
    if following:
        between, end = (x1 + following.x[0]) / 2, float(following.x[0])
        y, tip = following.y[0] - TOP + IN + BOX / 2, 6 / sheet.wide
        sheet.line(f"M{x1:.5f},{top + BOX / 2:.2f}H{between:.5f}V{y:.2f}H{end:.5f}", colors.decode, 1.5, "dash")
        sheet.path(f"M{end:.5f},{y:.2f}L{end - tip:.5f},{y - 5:.2f}L{end - tip:.5f},{y + 5:.2f}Z", colors.decode)


def _candidates(sheet: Sheet, grid: Grid, vocabulary: Sequence[str]) -> None:
    """Every word in its own cell of the step that is asked about: one of them comes out."""
    size = min(24.0, 0.62 * grid.tall)
    inside = [(x0, y0 + 2, x1, y1 - 2) for x0, y0, x1, y1 in (grid.box(k, 0) for k in range(len(vocabulary)))]
    sheet.line("".join(rectangle(*box) for box in inside), sheet.colors.decode, 1.5, "dash")
    for y, word in zip(grid.down, vocabulary, strict=True):
        its_size = min(size, max(13.0, (grid.wide * sheet.wide - 10) / (ems(word) + 0.5)))
        said = short(word, grid.wide * sheet.wide - 8 - 0.5 * its_size, its_size)
        sheet.write(grid.across[0], y, f"{said}?", its_size, sheet.colors.decode)


def _still_to_come(sheet: Sheet, steps: Sequence[Grid]) -> None:
    """The step behind the one that is asked about, pale: a token goes in, each word gets a logit, one comes out."""
    for grid in steps:
        x0, y0, x1, y1 = grid.edges
        pale = faded(sheet.colors, sheet.colors.decode, PALE)
        for top, bottom in ((y0 - TOP + IN, y0 - TOP + IN + BOX), (y0, y1), (y1 + 14, y1 + 14 + BOX)):
            sheet.line(rectangle(x0, top, x1, bottom), pale, 1.5, "dash")
        sheet.write(grid.across[0], (y0 + y1) / 2, "and so on", 16, sheet.colors.muted)
