"""One word looks back: the words in a row, arcs from the last to those before it as wide as its weights, and what comes next."""

from collections.abc import Sequence

import numpy as np

from engine.sampling import best_first
from pages.parts.drawing.answers import Asked, answer_part, may_end_anywhere
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, plain, rectangle, short, type_size
from pages.parts.text.format import percent

WORDS, RESULT = 0.79, 0.83  # shares of the width: where the row of words ends, where the next word begins
BOX = 40.0  # pixels of a word
FOOT = 34.0  # pixels beneath it
HIGH = 245.0  # pixels of the highest arc
WIDEST = 14.0  # pixels of an arc whose weight is 1
SEEN = 0.005  # the least weight that is drawn
NAMED = 0.05  # the least weight whose number is written
N_NEXT = 4
MAY_LOOK = 0.75  # how strong an arc is that has little weight, or none yet
PRESS = ": press the word it looks at"
THICK, THIN = 4.0, 1.2  # pixels of an arc to a word that may be the answer, and to another, until it is known


def arcs(
    sheet: Sheet, words: Sequence[str], looks: np.ndarray | None, vocabulary: Sequence[str], probs: np.ndarray, asked: Asked
) -> SheetFigure:
    """words: (n,), the last of which looks. looks: (n,) its weights, None where they and the chances are to be found. probs: of the
    next word. asked: which word it is, a name for each."""
    colors, n, best = sheet.colors, len(words), None if looks is None else int(np.argmax(looks))
    if looks is None:
        under_headline(sheet, f"where the last word looks{PRESS * asked.open}", "where the last word looks")
    else:
        under_headline(sheet, f"“{words[-1]}” looks at “{words[best]}”: {percent(float(looks[best]))}")
    if sheet.phone:
        return _narrow(sheet, words, looks, vocabulary, probs, asked)
    high = HIGH - 24 + 0.95 * sheet.spare
    top, wide = high + 28, WORDS / n
    middle = (np.arange(n) + 0.5) * wide
    for j, weight in _weights(looks, n):
        _arc(sheet, (middle[n - 1], middle[j]), top, high * (n - 1 - j) / (n - 1), weight, _wide(asked, j, weight))
    for j, word in enumerate(words):
        x0, x1 = j * wide + 0.002, (j + 1) * wide - 0.002
        fill = colors.prefill if j in (n - 1, best) else faded(colors, colors.prefill, 0.2)
        size = min(16.0, (wide * WIDTH - 6) / 2.6)
        sheet.bar(x0, top, x1, top + BOX, fill)
        sheet.write(middle[j], top + BOX / 2, short(word, wide * WIDTH - 6, size), size, ink_on(fill))
        answer_part(sheet, asked, j, (x0, top, x1, top + BOX))
    sheet.line(rectangle(WORDS + 0.003, top, WORDS + 0.037, top + BOX), colors.decode, 1.8, "dash")
    comes = "?" if looks is None else vocabulary[int(np.argmax(probs))]
    size = 32.0 if looks is None else type_size(comes, 33, 15.0, 10.5)
    sheet.write(WORDS + 0.02, top + BOX / 2, bold(comes if looks is None else short(comes, 34, size)), size, colors.decode)
    _next_words(sheet, vocabulary, probs, looks is not None)
    return sheet.figure(top + BOX + FOOT, min_width=760)


def _narrow(
    sheet: Sheet, words: Sequence[str], looks: np.ndarray | None, vocabulary: Sequence[str], probs: np.ndarray, asked: Asked
) -> SheetFigure:
    """The same for a phone: the words beneath each other, arcs at their right, the next words beneath."""
    colors, n, row, right = sheet.colors, len(words), 19.0, 0.36
    best = None if looks is None else int(np.argmax(looks))
    for j, word in enumerate(words):
        y, fill = j * row, colors.prefill if j in (n - 1, best) else faded(colors, colors.prefill, 0.2)
        sheet.bar(0.005, y + 1, right, y + row - 1, fill)
        sheet.write(right / 2, y + row / 2, plain(word), 14, ink_on(fill))
        answer_part(sheet, asked, j, (0.005, y + 1, right, y + row - 1), (0.99, y + row / 2, "middle left"))
    for j, weight in _weights(looks, n):
        y0, y1, far = (n - 0.5) * row, (j + 0.5) * row, right + 0.02 + 0.62 * (n - 1 - j) / (n - 1)
        way = f"M{right:.4f},{y0:.1f}C{far:.4f},{y0:.1f} {far:.4f},{y1:.1f} {right:.4f},{y1:.1f}"
        color = colors.prefill if weight >= NAMED else faded(colors, colors.prefill, 0.5 if weight else MAY_LOOK)
        sheet.line(way, color, _wide(asked, j, weight))
        if weight >= NAMED:
            sheet.write(0.25 * right + 0.75 * far + 0.03, (y0 + y1) / 2, bold(percent(weight)), 18, color, "middle right")
    top = n * row + 22
    sheet.write(0.005, top, "<b>next word</b>", 15, anchor="middle right")
    if looks is None:
        sheet.write(0.98, top + 4, "<b>?</b>", 28, colors.decode, "middle left")
    for k, i in enumerate(_likeliest(vocabulary, probs, 2, looks is not None)):
        strong = looks is not None and not k
        y, ink = top + 26 + 30 * k, colors.decode if strong else colors.ink
        sheet.write(0.005, y, bold(plain(vocabulary[i]), strong), 16, ink, "middle right")
        if looks is None:
            may_end_anywhere(sheet, (0.005, y + 10, 0.98, y + 16), colors.bar)
            continue
        sheet.write(0.98, y, bold(percent(float(probs[i])), strong), 16, ink, "middle left")
        sheet.share_bar((0.005, y + 10, 0.98, y + 16), float(probs[i]), colors.decode if strong else colors.bar)
    return sheet.figure(top + 80, on_phone=280)


def _weights(looks: np.ndarray | None, n: int) -> list[tuple[int, float]]:
    """The words that have an arc, with their weights, the largest last; where these are to be found all that it may look at, with 0."""
    if looks is None:
        return [(j, 0.0) for j in range(n - 1)]
    return [(j, float(looks[j])) for j in np.argsort(looks).tolist() if looks[j] >= SEEN and j < n - 1]


def _wide(asked: Asked, j: int, weight: float) -> float:
    """Pixels of the arc to the j-th word, which has no weight while it is to be found."""
    if weight:
        return max(1.0, WIDEST * weight)
    return THICK if not any(asked.names) or asked.names[j] else THIN


def _arc(sheet: Sheet, across: tuple[float, float], y: float, high: float, weight: float, wide: float) -> None:
    """From the word that looks to one that it looks at, so many pixels wide; its share above it where it is large enough."""
    (x0, x1), rise = across, y - max(28.0, high) * 4 / 3
    color = sheet.colors.prefill if weight >= NAMED else faded(sheet.colors, sheet.colors.prefill, MAY_LOOK)
    sheet.line(f"M{x0:.4f},{y:.1f}C{x0:.4f},{rise:.1f} {x1:.4f},{rise:.1f} {x1:.4f},{y:.1f}", color, wide)
    if weight >= NAMED:
        sheet.write(
            (x0 + x1) / 2, y - max(28.0, high) - 0.5 * WIDEST * weight - 11, bold(percent(weight)), 18, sheet.colors.prefill
        )


def _next_words(sheet: Sheet, vocabulary: Sequence[str], probs: np.ndarray, told: bool) -> None:
    """The likeliest next words with their chances; in the order of the alphabet and without them before these are told."""
    colors = sheet.colors
    sheet.write(RESULT + 0.02, 12, "<b>next word</b>", 16, anchor="middle right")
    for k, i in enumerate(_likeliest(vocabulary, probs, N_NEXT, told)):
        strong = told and not k
        y, ink = 44 + 42 * k, colors.decode if strong else colors.ink
        size = 20 if strong else 15
        sheet.write(RESULT + 0.02, y, bold(short(vocabulary[i], 90, size), strong), size, ink, "middle right")
        box = RESULT + 0.02, y + 13, 1.0, y + 20
        if not told:
            may_end_anywhere(sheet, box, colors.bar)
            continue
        sheet.write(1, y, bold(percent(float(probs[i])), strong), size, ink, "middle left")
        sheet.share_bar(box, float(probs[i]), colors.decode if strong else colors.bar)


def _likeliest(vocabulary: Sequence[str], probs: np.ndarray, n: int, told: bool) -> list[int]:
    """The n likeliest words, or these by the alphabet where which is the likeliest is to be found."""
    best = best_first(probs, n)
    return best if told else sorted(best, key=lambda i: vocabulary[i])
