"""Each word's stretch of the numbers from 0 to 1, as wide as its chance, with the first draws in it, and how often it came in all."""

from collections.abc import Sequence

import numpy as np

from engine.experiments.draws import Draws
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle, short
from pages.parts.text.digits import logits_side_by_side
from pages.parts.text.format import number, percent

LANE, LANE_ON_PHONE = (0.225, 0.79), (0.0, 1.0)  # shares of the width from 0 to 1: of the stretches,
NAMED, NAMED_ON_PHONE = 0.12, 0.36  # where words end,
COLUMNS, COLUMNS_ON_PHONE = (0.2, 0.89, 1.0), (0.54, 0.77, 1.0)  # and the logits, the chances and how often each came
TOP, TOP_ON_PHONE = 44.0, 60.0
ROOM, ROOM_ON_PHONE = 262.0, 250.0  # pixels of all words
WORD_ON_PHONE = 24.0  # of a word there, above its lane
LEAST_STRETCH = 3.0  # pixels of a word's stretch that is seen
FIRST = (200, 80)  # draws that are shown one by one, and on a phone
PALE = 0.3  # what is left of the colour of a stretch behind its draws


def word_chances(
    sheet: Sheet, logits: np.ndarray, plain: np.ndarray, probs: np.ndarray, draws: Draws, words: Sequence[str]
) -> SheetFigure:
    """All (n_vocab,): logits; `plain` their softmax, an outline where it is another number; `probs` after temperature and filters;
    `draws` from `probs`."""
    colors, phone, n, drawn = sheet.colors, sheet.on_phone(), len(words), int(draws.token_ids[0])
    left, right = LANE_ON_PHONE if phone else LANE
    row = sheet.row(ROOM_ON_PHONE if phone else ROOM, n, 52 if phone else 19, 72 if phone else 110)
    top, above = (TOP_ON_PHONE, WORD_ON_PHONE) if phone else (TOP, 0.0)
    gap = min(8.0, 0.12 * row)
    lanes = [(top + w * row + above + gap / 2, top + (w + 1) * row - gap / 2) for w in range(n)]
    _numbers(sheet, (logits, probs, draws), words, drawn, [y - above / 2 if phone else (y + end) / 2 for y, end in lanes], row)
    stretches, all_of_them = _stretches(sheet, probs, left, right), _stretches(sheet, plain, left, right)
    first = min(FIRST[phone], len(draws.uniform))
    for w, ((x0, x1), (y0, y1)) in enumerate(zip(stretches, lanes, strict=True)):
        color = colors.decode if w == drawn else colors.muted
        sheet.bars([(x0, y0, x1, y1)] * bool(probs[w]), faded(colors, color, PALE))
        came = draws.uniform[:first][draws.token_ids[:first] == w]
        strokes = "".join(f"M{left + (right - left) * u:.4f},{y0:.1f}V{y1:.1f}" for u in came.tolist())
        if strokes:
            sheet.line(strokes, color, 1.5)
        if not np.allclose(plain, probs, atol=0.0005):
            sheet.line(rectangle(all_of_them[w][0], y0, all_of_them[w][1], y1), colors.ink, 1.5, "dot", layer="above")
    _first_draw(sheet, draws, words[drawn], (left, right), lanes[drawn])
    y = lanes[-1][1] + 18
    for x, said, anchor in (
        (left, "0", "right"),
        ((left + right) / 2, f"the first {first} draws", "center"),
        (right, "1", "left"),
    ):
        sheet.write(x, y, said, 14 if phone else 17, anchor=f"middle {anchor}")
    return sheet.figure(y + 14, min_width=720)


def _stretches(sheet: Sheet, probs: np.ndarray, left: float, right: float) -> list[tuple[float, float]]:
    """Where each word's stretch begins and ends, wide enough to be seen."""
    ends = left + (right - left) * np.concatenate([[0.0], np.cumsum(probs)]) / probs.sum()
    least = LEAST_STRETCH / sheet.wide
    starts = np.minimum(ends[:-1], right - least)
    return list(zip(starts.tolist(), np.maximum(ends[1:], starts + least).tolist(), strict=True))


def _numbers(sheet: Sheet, numbers: tuple, words: Sequence[str], drawn: int, ys: Sequence[float], row: float) -> None:
    """Of each word its name, logit, chance and how often it came, with what these are above them. numbers: logits, chances and draws."""
    logits, probs, draws = numbers
    phone, colors = sheet.phone, sheet.colors
    size = 16.0 if phone else max(13.0, min(24.0, 0.6 * row))
    columns, named = (COLUMNS_ON_PHONE, NAMED_ON_PHONE) if phone else (COLUMNS, NAMED)
    chances, counts = [percent(p) if p else "out" for p in probs], [f"{c:,}" for c in draws.counts]
    titles = "logit", "chance", f"of {int(draws.counts.sum()):,}"
    for x, title, texts in zip(columns, titles, (logits_side_by_side(logits), chances, counts), strict=True):
        sheet.write(x, (TOP_ON_PHONE if phone else TOP) - 22, bold(title), 14 if phone else 17, anchor="middle left")
        for y, text in zip(ys, texts, strict=True):
            sheet.write(x, y, text, size, colors.muted if text == "out" else colors.ink, "middle left")
    for w, (y, word) in enumerate(zip(ys, words, strict=True)):
        name = bold(short(word, (named - 0.01) * sheet.wide, size, strong=True), w == drawn)
        x, anchor = (0.0, "middle right") if phone else (named, "middle left")
        sheet.write(x, y, name, size, colors.decode if w == drawn else colors.ink, anchor)


def _first_draw(sheet: Sheet, draws: Draws, word: str, across: tuple[float, float], lane: tuple[float, float]) -> None:
    """The first number, above, and where it falls: in the stretch of the word that it draws."""
    (left, right), phone, u = across, sheet.phone, float(draws.uniform[0])
    x, half, size = left + (right - left) * u, 2 / sheet.wide, 15 if phone else 19
    said = f"{number(u, 3)} → {short(word, (0.4 if phone else 0.2) * sheet.wide, size)}"
    sheet.write(x, 12 if phone else 18, bold(said), size, sheet.colors.accent, "middle right" if u < 0.5 else "middle left")
    sheet.bar(x - half, lane[0] - 3 if phone else 30, x + half, lane[1] + 3, sheet.colors.accent)
