"""The next word: the likeliest ones as bars, what the model would have said after each layer (the logit lens), and how likely the
one that wins was on the way."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.cells import Texts, write_in
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, rectangle, short
from pages.parts.text.format import percent

MOST_ROWS, GUESSES, BARS = 13, 4, 7
KNOWN = 3  # guesses after a layer where the way of the word that wins stands beside them
WAY = 0.49, 0.60  # from no chance to its largest, in shares of the width
SMALLEST, SMALL, LARGE = 12.0, 14.0, 32.0  # type sizes
LEFT, TOP, HEIGHT = 0.115, 50.0, 236.0  # share of the width; pixels above the rows, and of all rows on a projector
LEFT_ON_PHONE, GUESSES_ON_PHONE, BARS_ON_PHONE = 0.24, 3, 5  # there the bars stand beneath the guesses
TWO_LINES = 36.0  # pixels of a row there that has room for a word above its chance


def layer_guesses(
    sheet: Sheet,
    lens: np.ndarray,
    words: Callable[[Sequence[int]], Sequence[str]],
    intact: np.ndarray | None = None,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """lens: (n_layer + 1, n_vocab) chances after the embedding and each layer. words: token ids to text.

    intact: (n_vocab,) the chances before heads were removed, drawn as a line on each bar. asked: which of some words is the likeliest:
    until that is known they wait after the last layer, and stand at the place of the next word to be pressed.
    """
    hidden, best = () if asked.known else asked.names, int(np.argmax(lens[-1]))
    word = f"“{words([best])[0]}”" if asked.known else "?"
    says = f"{word} leads with {percent(float(lens[-1, best]))}"
    if sheet.on_phone():
        return under_headline(sheet, says).figure(_narrow(sheet, lens, words, intact, hidden))
    height = sheet.row(HEIGHT, 1, HEIGHT, HEIGHT)  # more on a higher screen
    left = 0.605 if hidden else 0.69
    _titles(sheet, left)
    if hidden:
        _choices(sheet, asked, left)
    _guesses(sheet, lens, words, height, hidden)
    if not hidden:
        _line_of_chances(sheet, lens, words, height)
    _bars(sheet, lens[-1], intact, lambda ids: _marked(words(ids), hidden), height, left)
    return under_headline(sheet, says).figure(TOP + height + 8, min_width=690)


def _narrow(sheet: Sheet, lens: np.ndarray, words, intact: np.ndarray | None, hidden: Collection[str]) -> float:
    """The same for a phone: the guesses over the whole width, beneath them the bars. Returns where they end."""
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    rows = _guesses(sheet, lens, words, 42.0 * min(len(lens), 5), hidden)
    top = float(rows.y[-1]) + 22
    sheet.write(0, top, "<b>next word</b>", 15, anchor="middle right")
    _bars(sheet, lens[-1], intact, lambda ids: _marked(words(ids), hidden), 26.0 * BARS_ON_PHONE, LEFT_ON_PHONE - 0.085, top + 18)
    return top + 22 + 26 * BARS_ON_PHONE


def _marked(words: Sequence[str], hidden: Collection[str]) -> list[str]:
    """The words, with question marks for those that wait."""
    return ["?" if word in hidden else word for word in words]


def _rows(n: int, height: float, phone: bool = False) -> tuple[np.ndarray, Grid]:
    """Which of the embedding and the layers have a row, and where their guesses stand."""
    rows = np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_ROWS))).astype(int))
    tall = min(height / len(rows), 80.0)
    if phone:
        tall, cell = max(tall, 22.0), (1 - LEFT_ON_PHONE) / GUESSES_ON_PHONE
        return rows, Grid.of(LEFT_ON_PHONE, TOP, (cell, tall), (len(rows), GUESSES_ON_PHONE))
    return rows, Grid.of(LEFT, TOP, (0.45 / GUESSES, tall), (len(rows), GUESSES))


def _titles(sheet: Sheet, left: float) -> None:
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    sheet.write(left, 11, "<b>next word</b>", 15, anchor="middle right")


def _choices(sheet: Sheet, asked: Asked, left: float) -> None:
    """The words to choose from, beside each other above the bars, each in an outline."""
    wide = (1 - left) / len(asked.names)
    for k, name in enumerate(asked.names):
        box = left + k * wide, 22.0, left + (k + 1) * wide - 8 / sheet.wide, 46.0
        sheet.line(rectangle(*box), sheet.colors.muted, 1.5, "dash")
        sheet.write((box[0] + box[2]) / 2, 34, short(name, (box[2] - box[0]) * sheet.wide - 6, 15), 15)
        answer_part(sheet, asked, k, box)


def _name(layer: int) -> str:
    return "embedding" if layer == 0 else f"layer {layer}"


def _guesses(sheet: Sheet, lens: np.ndarray, words, height: float, hidden: Collection[str]) -> Grid:
    """The likeliest words after each layer; where the one that wins in the end stands among them, it is outlined. Returns where they
    stand.

    hidden: as long as there are words that wait, it is not outlined, and they are not named after the last layer.
    """
    rows, grid = _rows(len(lens), height, sheet.phone)
    order = np.argsort(-lens[rows], axis=1, kind="stable")[:, : GUESSES_ON_PHONE if sheet.phone else GUESSES if hidden else KNOWN]
    chances = np.take_along_axis(lens[rows], order, axis=1)
    grid, winner, size = grid.columns(0, order.shape[1]), int(np.argmax(lens[-1])), min(18.0, max(12.0, 0.42 * grid.tall))
    names = {int(i): w for i, w in zip(order.ravel(), words(order.ravel()), strict=True)}
    said, two = np.full(order.shape, "", object), sheet.phone and grid.tall >= TWO_LINES
    size = min(max(size, 13.0), 15.0) if sheet.phone else size
    for r, c in np.ndindex(order.shape):
        token = int(order[r, c])
        wins = token == winner and not hidden
        word = short(names[token], grid.wide * sheet.wide - (8 if two else 3 * size), size)
        word = "?" if names[token] in hidden and r == len(order) - 1 else word
        said[r, c] = bold(word, wins) if two else f"{bold(word, wins)} {chances[r, c]:.2f}"
        if wins:
            x0, y0, x1, y1 = grid.box(r, c)
            sheet.frame(x0 + 0.002, y0 + 2, x1 - 0.002, y1 - 2, sheet.colors.ink, 2)
    scale = Scale(sheet.colors.weights)
    sheet.heatmap(grid, chances, scale, hover=False)
    write_in(sheet, Grid(grid.x, grid.y - 8 * two), Texts(said, size), scale.inks(chances))
    if two:
        numbers = np.array([[f"{p:.2f}" for p in row] for row in chances.tolist()], object)
        write_in(sheet, Grid(grid.x, grid.y + 10), Texts(numbers, 13.0), scale.inks(chances))
    for layer, y in zip(rows, grid.down, strict=True):
        name = bold(_name(layer), layer == len(lens) - 1)
        sheet.write(grid.x[0] - 0.01, y, name, 14 if sheet.phone else min(16.0, size + 1), anchor="middle left")
    sheet.write(0, 33, "read with the last norm, as if the model ended there", SMALL, sheet.colors.muted, "middle right")
    return grid


def _line_of_chances(sheet: Sheet, lens: np.ndarray, words, height: float) -> None:
    """The chance of the word that wins after each layer, as a line down the layers; the last one in the largest type."""
    (rows, grid), winner, (x0, x1), color = _rows(len(lens), height), int(np.argmax(lens[-1])), WAY, sheet.colors.accent
    chances = lens[rows, winner]
    x = x0 + (x1 - x0) * chances / chances.max()
    sheet.write(x0, 11, f"<b>chance of “{short(words([winner])[0], 70, 15)}”</b>", 15, anchor="middle right")
    sheet.write(x0, 33, "after each layer", SMALL, sheet.colors.muted, "middle right")
    sheet.line("M" + "L".join(f"{a},{b}" for a, b in zip(x.tolist(), grid.down.tolist(), strict=True)), color, 3)
    sheet.dots(x, grid.down, 10, color)
    size = min(18.0, 0.6 * grid.tall)
    for at, y, chance in zip(x[:-1], grid.down, chances, strict=False):
        if size >= SMALLEST:
            sheet.write(at + 0.01, y, f"{chance:.2f}", size, sheet.colors.muted, "middle right")
    sheet.write(x[-1] + 0.01, float(grid.down[-1]), bold(f"{chances[-1]:.2f}"), LARGE, color, "middle right")


def _bars(
    sheet: Sheet, probs: np.ndarray, intact: np.ndarray | None, words, height: float, left: float, top: float = TOP
) -> None:
    """The likeliest next words from `left` and `top` on, with the line where each stood before heads were removed."""
    colors, names, most, end = sheet.colors, left + 0.085, *((BARS_ON_PHONE, 0.8) if sheet.phone else (BARS, 0.925))
    base = probs if intact is None else np.maximum(probs, intact)
    order = np.argsort(-base, kind="stable")[: min(most, len(probs))]
    order = order[np.argsort(-probs[order], kind="stable")]
    for r, (token, word) in enumerate(zip(order, words(order), strict=True)):
        y, best = top + (r + 0.5) * height / most, r == 0
        size, ink = (20.0, colors.accent) if best else (16.0, colors.ink)
        room = names * sheet.wide if sheet.phone else (names - left) * WIDTH + 30
        name = short(word, room / 1.07**best, size)
        sheet.write(names, y, bold(name, best), size, ink, "middle left")
        half = 9 if sheet.phone else 12
        sheet.share_bar((names + 0.01, y - half, end, y + half), probs[token], colors.accent if best else colors.bar)
        if intact is not None:
            at, thin = names + 0.01 + (end - 0.01 - names) * float(intact[token]), 1.5 / sheet.wide
            sheet.bar(at - thin, y - half - 2, at + thin, y + half + 2, colors.ink)
        sheet.write(1, y, bold(percent(float(probs[token])), best), size, ink, "middle left")
    if "?" in words(order) and not sheet.phone:
        return  # the words to choose from stand there
    said = "out of all words" if intact is None else "the line: before heads were removed"
    at = (1, top - 18, said, 13, colors.muted, "middle left")
    sheet.write(*at if sheet.phone else (left, 33, said, SMALL, colors.muted, "middle right"))
