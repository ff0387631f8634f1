"""The next word: the likeliest ones as bars, what the model would have said after each layer (the logit lens), and how likely the
one that wins was on the way."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, short
from pages.parts.text.format import percent

MOST_ROWS, GUESSES, BARS = 13, 4, 7
KNOWN = 3  # guesses after a layer where the way of the word that wins stands beside them
WAY = 0.49, 0.60  # from no chance to its largest, in shares of the width
SMALLEST, SMALL, LARGE = 12.0, 14.0, 32.0  # type sizes
LEFT, TOP, HEIGHT = 0.115, 50.0, 264.0  # share of the width; pixels above the rows, and of all rows on a projector


def layer_guesses(
    sheet: Sheet,
    lens: np.ndarray,
    words: Callable[[Sequence[int]], Sequence[str]],
    intact: np.ndarray | None = None,
    hidden: Collection[str] = (),
) -> SheetFigure:
    """lens: (n_layer + 1, n_vocab) chances after the embedding and each layer. words: token ids to text.

    intact: (n_vocab,) the chances before heads were removed, drawn as a line on each bar. hidden: words that are still to choose from:
    after the last layer they wait.
    """
    height = sheet.row(HEIGHT, 1, HEIGHT, HEIGHT)  # more on a higher screen
    left = 0.605 if hidden else 0.69
    _titles(sheet, left)
    _guesses(sheet, lens, words, height, hidden)
    if not hidden:
        _way(sheet, lens, words, height)
    _bars(sheet, lens[-1], intact, lambda ids: _told(words(ids), hidden), height, left)
    return sheet.figure(TOP + height + 8, min_width=690)


def _told(words: Sequence[str], hidden: Collection[str]) -> list[str]:
    """The words, with question marks for those that wait."""
    return ["?" if word in hidden else word for word in words]


def _rows(n: int, height: float) -> tuple[np.ndarray, Grid]:
    """Which of the embedding and the layers have a row, and where their guesses stand."""
    rows = np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_ROWS))).astype(int))
    return rows, Grid.of(LEFT, TOP, (0.45 / GUESSES, min(height / len(rows), 80.0)), (len(rows), GUESSES))


def _titles(sheet: Sheet, left: float) -> None:
    sheet.write(0, 11, "<b>after each layer</b>: its likeliest words", 15, anchor="middle right")
    sheet.write(left, 11, "<b>next word</b>", 15, anchor="middle right")


def _name(layer: int) -> str:
    return "embedding" if layer == 0 else f"layer {layer}"


def _guesses(sheet: Sheet, lens: np.ndarray, words, height: float, hidden: Collection[str]) -> None:
    """The likeliest words after each layer; where the one that wins in the end stands among them, it is outlined.

    hidden: as long as there are words that wait, it is not outlined, and they are not named after the last layer.
    """
    rows, grid = _rows(len(lens), height)
    order = np.argsort(-lens[rows], axis=1, kind="stable")[:, : GUESSES if hidden else KNOWN]
    chances = np.take_along_axis(lens[rows], order, axis=1)
    grid, winner, size = grid.columns(0, order.shape[1]), int(np.argmax(lens[-1])), min(18.0, max(12.0, 0.42 * grid.tall))
    names = {int(i): w for i, w in zip(order.ravel(), words(order.ravel()), strict=True)}
    said = np.full(order.shape, "", object)
    for r, c in np.ndindex(order.shape):
        token = int(order[r, c])
        wins = token == winner and not hidden
        word = short(names[token], grid.wide * WIDTH - 3 * size, size)
        word = "?" if names[token] in hidden and r == len(order) - 1 else word
        said[r, c] = f"{bold(word, wins)} {chances[r, c]:.2f}"
        if wins:
            x0, y0, x1, y1 = grid.box(r, c)
            sheet.frame(x0 + 0.002, y0 + 2, x1 - 0.002, y1 - 2, sheet.colors.ink, 2)
    cells(sheet, grid, chances, Scale(sheet.colors.weights), Texts(said, size), hover=False)
    for layer, y in zip(rows, grid.down, strict=True):
        sheet.write(LEFT - 0.01, y, bold(_name(layer), layer == len(lens) - 1), min(16.0, size + 1), anchor="middle left")
    sheet.write(0, 33, "read with the last norm, as if the model ended there", SMALL, sheet.colors.muted, "middle right")


def _way(sheet: Sheet, lens: np.ndarray, words, height: float) -> None:
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


def _bars(sheet: Sheet, probs: np.ndarray, intact: np.ndarray | None, words, height: float, left: float) -> None:
    """The likeliest next words from `left` on, with the line where each stood before heads were removed."""
    colors, names = sheet.colors, left + 0.085
    base = probs if intact is None else np.maximum(probs, intact)
    order = np.argsort(-base, kind="stable")[: min(BARS, len(probs))]
    order = order[np.argsort(-probs[order], kind="stable")]
    for r, (token, word) in enumerate(zip(order, words(order), strict=True)):
        y, best = TOP + (r + 0.5) * height / BARS, r == 0
        size, ink = (20.0, colors.accent) if best else (16.0, colors.ink)
        name = short(word, ((names - left) * WIDTH + 30) / 1.07**best, size)
        sheet.write(names, y, bold(name, best), size, ink, "middle left")
        sheet.share_bar((names + 0.01, y - 12, 0.925, y + 12), probs[token], colors.accent if best else colors.bar)
        if intact is not None:
            at = names + 0.01 + (0.915 - names) * float(intact[token])
            sheet.bar(at - 0.0015, y - 14, at + 0.0015, y + 14, colors.ink)
        sheet.write(1, y, bold(percent(float(probs[token])), best), size, ink, "middle left")
    said = "out of all words" if intact is None else "the line: before heads were removed"
    sheet.write(left, 33, said, SMALL, colors.muted, "middle right")
