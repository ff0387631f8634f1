"""The next word, and what the model would have said after each layer (the logit lens): columns that flow into one another
(layer_flow.py), on a phone the likeliest words in cells and the next ones as bars."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from pages.lessons.inside.figures.layer_flow import layer_flow, layers_shown
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.cells import Texts, write_in
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short
from pages.parts.text.format import percent

GUESSES, BARS = 3, 5  # on a phone
TOP, LEFT, HEIGHT = 50.0, 0.24, 250.0  # pixels above the rows, share of the width; and of the columns on a projector
TWO_LINES = 36.0  # pixels of a row there that has room for a word above its chance


def layer_guesses(
    sheet: Sheet,
    lens: np.ndarray,
    words: Callable[[Sequence[int]], Sequence[str]],
    intact: np.ndarray | None = None,
    asked: Asked = NOT_ASKED,
) -> SheetFigure:
    """lens: (n_layer + 1, n_vocab) chances after the embedding and each layer. words: token ids to text.

    intact: (n_vocab,) the chances before heads were removed, beside those after, on a phone a line on each bar. asked: which of some
    words is the likeliest: until that is known they wait after the last layer, and stand at the place of the next word to be pressed.
    """
    hidden, best = () if asked.known else asked.names, int(np.argmax(lens[-1]))
    word = f"“{words([best])[0]}”" if asked.known else "?"
    says = f"{word} leads with {percent(float(lens[-1, best]))}"
    if sheet.on_phone():
        return under_headline(sheet, says).figure(_narrow(sheet, lens, words, intact, hidden))
    end = layer_flow(sheet, lens, words, sheet.row(HEIGHT, 1, HEIGHT, HEIGHT), intact, asked)  # more on a higher screen
    return under_headline(sheet, says).figure(end + 8, min_width=690)


def _narrow(sheet: Sheet, lens: np.ndarray, words, intact: np.ndarray | None, hidden: Collection[str]) -> float:
    """The same for a phone: the guesses over the whole width, beneath them the bars. Returns where they end."""
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    rows = _guesses(sheet, lens, words, 42.0 * min(len(lens), 5), hidden)
    top = float(rows.y[-1]) + 22
    sheet.write(0, top, "<b>next word</b>", 15, anchor="middle right")
    _bars(sheet, lens[-1], intact, lambda ids: _marked(words(ids), hidden), 26.0 * BARS, top + 18)
    return top + 22 + 26 * BARS


def _marked(words: Sequence[str], hidden: Collection[str]) -> list[str]:
    """The words, with question marks for those that wait."""
    return ["?" if word in hidden else word for word in words]


def _rows(n: int, height: float) -> tuple[np.ndarray, Grid]:
    """Which of the embedding and the layers have a row, and where their guesses stand."""
    rows = layers_shown(n)
    tall = max(min(height / len(rows), 80.0), 22.0)
    return rows, Grid.of(LEFT, TOP, ((1 - LEFT) / GUESSES, tall), (len(rows), GUESSES))


def _name(layer: int) -> str:
    return "embedding" if layer == 0 else f"layer {layer}"


def _guesses(sheet: Sheet, lens: np.ndarray, words, height: float, hidden: Collection[str]) -> Grid:
    """The likeliest words after each layer; where the one that wins in the end stands among them, it is outlined. Returns where they
    stand.

    hidden: as long as there are words that wait, it is not outlined, and they are not named after the last layer.
    """
    rows, grid = _rows(len(lens), height)
    order = np.argsort(-lens[rows], axis=1, kind="stable")[:, :GUESSES]
    chances = np.take_along_axis(lens[rows], order, axis=1)
    grid, winner, size = grid.columns(0, order.shape[1]), int(np.argmax(lens[-1])), min(15.0, max(13.0, 0.42 * grid.tall))
    names = {int(i): w for i, w in zip(order.ravel(), words(order.ravel()), strict=True)}
    said, two = np.full(order.shape, "", object), grid.tall >= TWO_LINES
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
        sheet.write(grid.x[0] - 0.01, y, name, 14, anchor="middle left")
    sheet.write(0, 33, "read with the last norm, as if the model ended there", 14, sheet.colors.muted, "middle right")
    return grid


def _bars(sheet: Sheet, probs: np.ndarray, intact: np.ndarray | None, words, height: float, top: float) -> None:
    """The likeliest next words from `top` on, with the line where each stood before heads were removed."""
    colors, names, end = sheet.colors, LEFT, 0.8
    base = probs if intact is None else np.maximum(probs, intact)
    order = np.argsort(-base, kind="stable")[: min(BARS, len(probs))]
    order = order[np.argsort(-probs[order], kind="stable")]
    for r, (token, word) in enumerate(zip(order, words(order), strict=True)):
        y, best = top + (r + 0.5) * height / BARS, r == 0
        size, ink = (20.0, colors.accent) if best else (16.0, colors.ink)
        name = short(word, names * sheet.wide / 1.07**best, size)
        sheet.write(names, y, bold(name, best), size, ink, "middle left")
        sheet.share_bar((names + 0.01, y - 9, end, y + 9), probs[token], colors.accent if best else colors.bar)
        if intact is not None:
            at, thin = names + 0.01 + (end - 0.01 - names) * float(intact[token]), 1.5 / sheet.wide
            sheet.bar(at - thin, y - 11, at + thin, y + 11, colors.ink)
        sheet.write(1, y, bold(percent(float(probs[token])), best), size, ink, "middle left")
    said = "out of all words" if intact is None else "the line: before heads were removed"
    sheet.write(1, top - 18, said, 13, colors.muted, "middle left")
