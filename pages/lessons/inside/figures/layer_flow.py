"""What the model would have said after each layer, as shares of one column a layer, and bands that lead each word from one to the next:
the word that wins in the end is seen to grow."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

import numpy as np

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.grid import Box
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, bold, ems, plain, rectangle, short
from pages.parts.text.format import percent

MOST_COLUMNS, MOST_WORDS, LEAST = 13, 7, 0.02  # of a column the words that are drawn, and the chance from which on
TOP = 30.0  # pixels above the columns
ENDS, CHOICES = 0.66, 0.83  # where the last one ends, and where the words to choose from begin
BEST, OTHER = 26.0, 15.0  # type sizes of the words beside the last one
WIDE, APART = 0.56, 1.0  # of a column's room what it is itself; pixels between two words
SHADE, BAND, ORANGE, ORANGE_BAND = 0.6, 0.22, 0.8, 0.3  # strengths of a word's colour and of the band to the next column
NAMED, POINTS = 5, 12  # words beside the last column at least; points of a band's edge
Places = dict[int, tuple[float, float]]  # token -> where it begins and ends in a column, in pixels


def layers_shown(n: int) -> np.ndarray:
    """Which of the embedding and the layers have a column."""
    return np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_COLUMNS))).astype(int))


def stacked(chances: np.ndarray, always: Collection[int], height: float) -> Places:
    """The likeliest words of a column from its top down, each as high as its chance, and those that are always there.

    >>> stacked(np.array([0.25, 0.74, 0.01]), (2,), 100.0)
    {1: (30.0, 104.0), 0: (104.0, 129.0), 2: (129.0, 130.0)}
    """
    order = [int(i) for i in np.argsort(-chances, kind="stable")]
    shown = [i for k, i in enumerate(order) if not k or (k < MOST_WORDS and chances[i] >= LEAST) or i in always]
    ends = TOP + height * np.cumsum([0.0, *(float(chances[i]) for i in shown)])
    return {i: (float(y0), float(y1)) for i, y0, y1 in zip(shown, ends, ends[1:], strict=False)}


def layer_flow(
    sheet: Sheet,
    lens: np.ndarray,
    words: Callable[[Sequence[int]], Sequence[str]],
    height: float,
    intact: np.ndarray | None,
    asked: Asked,
) -> float:
    """Returns where it ends. Arguments as of layer_guesses."""
    hidden, layers, winner = () if asked.known else asked.names, layers_shown(len(lens)), int(np.argmax(lens[-1]))
    always = set() if hidden else {winner} if intact is None else {winner, int(np.argmax(intact))}
    columns = [stacked(lens[layer], always, height) for layer in layers[:-1]]
    columns.append(stacked(lens[-1], always | {*map(int, np.argsort(-lens[-1], kind="stable")[:NAMED])}, height))
    ids = sorted({i for places in columns for i in places})
    names = dict(zip(ids, words(ids), strict=True))
    pitch = ENDS / (len(layers) - 1 + WIDE)
    edges = [(k * pitch, (k + WIDE) * pitch) for k in range(len(layers))]
    _bands(sheet, columns, edges, winner, {i for i, name in names.items() if name in hidden} if hidden else None)
    for k, (layer, places) in enumerate(zip(layers, columns, strict=True)):
        last, (x0, x1) = k == len(layers) - 1, edges[k]
        sheet.bar(x0, TOP, x1, TOP + height, sheet.colors.hole)
        _words(sheet, places, lens[layer], (x0, x1), None if last else names, -1 if hidden and not last else winner)
        rest = max(end for _, end in places.values()) if places else TOP
        if TOP + height - rest > 18:
            said = short("other words", (x1 - x0) * sheet.wide - 6, 14)
            sheet.write((x0 + x1) / 2, (rest + TOP + height) / 2, said, 14, ink_on(sheet.colors.hole))
        name = "embedding" if layer == 0 else f"layer {layer}" if pitch * sheet.wide > 90 or last else str(layer)
        sheet.write((x0 + x1) / 2, TOP - 14, bold(name, last), 14, sheet.colors.ink if last else sheet.colors.muted)
    beside = edges[-1][1] + 10 / sheet.wide
    until = CHOICES - 0.01 if asked.names else 1.0
    named = {i: "?" if names[i] in hidden else names[i] for i in columns[-1]}
    _next_words(sheet, columns[-1], lens[-1], intact, named, (beside, until))
    _choices(sheet, asked, (CHOICES, TOP, 1.0, TOP + height))
    said = "next word" if intact is None else "next word, and before heads were removed"
    sheet.write(beside, TOP - 14, f"<b>{said[:9]}</b>{said[9:]}", 14, anchor="middle right")
    return TOP + height


def _bands(
    sheet: Sheet, columns: Sequence[Places], edges: Sequence[tuple[float, float]], winner: int, waiting: Collection[int] | None
) -> None:
    """From each word to itself in the next column. waiting: words whose band to the last column would name them there, None once the
    answer is known: before, no word is told from the others by its colour."""
    colors, t = sheet.colors, np.linspace(0, 1, POINTS)
    bend = t * t * (3 - 2 * t)
    on_top = -1 if waiting is not None else winner
    for k, (one, after) in enumerate(pairwise(columns)):
        x = edges[k][1] + (edges[k + 1][0] - edges[k][1]) * t
        for token in sorted(one.keys() & after.keys(), key=lambda i: i == on_top):
            if waiting is not None and token in waiting and k == len(columns) - 2:
                continue
            (a0, a1), (b0, b1), wins = one[token], after[token], token == on_top
            color = faded(colors, colors.accent, ORANGE_BAND) if wins else faded(colors, colors.bar, BAND)
            above, below = a0 + (b0 - a0) * bend, a1 + (b1 - a1) * bend + wins  # its way is seen where it is hardly likely
            points = [*zip(x, above, strict=True), *zip(x[::-1], below[::-1], strict=True)]
            sheet.path("M" + "L".join(f"{at:.5f},{y:.2f}" for at, y in points) + "Z", color, colors.surface, 0.0 if wins else 1.0)


def _words(
    sheet: Sheet, places: Places, chances: np.ndarray, across: tuple[float, float], names: dict[int, str] | None, winner: int
) -> None:
    """A column's words in boxes as high as their chances, the one that wins in orange. names: None where they stand beside it."""
    colors, (x0, x1) = sheet.colors, across
    room = (x1 - x0) * sheet.wide - 6
    for token, (y0, y1) in places.items():
        color = faded(colors, colors.accent if token == winner else colors.bar, ORANGE if token == winner else SHADE)
        sheet.bar(x0, y0, x1, max(y1 - APART, y0 + 0.5), color)
        if names is None or y1 - y0 < 15:
            continue
        size, chance = (17.0 if y1 - y0 > 24 else 14.0), f" {chances[token]:.2f}"
        fits = size * ems(names[token] + chance) <= room
        said = names[token] + chance if fits else short(names[token], room, size)
        sheet.write(
            (x0 + x1) / 2, (y0 + y1 - APART) / 2, bold(plain(said) if fits else said, token == winner), size, ink_on(color)
        )


def _next_words(
    sheet: Sheet,
    places: Places,
    chances: np.ndarray,
    intact: np.ndarray | None,
    names: dict[int, str],
    across: tuple[float, float],
) -> None:
    """Beside the last column its words with their chances, the likeliest large; and what each had before heads were removed. across: where
    there is room for them."""
    tokens, colors, (x, until) = list(places), sheet.colors, across
    wanted = [sum(places[token]) / 2 for token in tokens]
    low, high = TOP + 16, max(y1 for _, y1 in places.values())
    at = spread_out(wanted, 22.0, low, max(high, low + 22 * (len(tokens) - 1)))
    room = (until - x) * sheet.wide
    for k, (token, y) in enumerate(zip(tokens, at, strict=True)):
        size, color = (OTHER, colors.ink) if k else (BEST if intact is None else 20.0, colors.accent)
        chance, was = percent(float(chances[token])), f"  before {percent(float(intact[token]))}" if intact is not None else ""
        if not k and not was:  # the likeliest in two lines, as large as there is room
            name = short(names[token], room, 1.1 * size)
            sheet.write(x, y - 0.55 * size, bold(name), size, color, "middle right")
            sheet.write(x, y + 0.55 * size, bold(chance), size, color, "middle right")
            continue
        name = short(names[token], room - 1.1 * size * ems(f" {chance}") - 13 * ems(was), size)
        sheet.write(x, y, bold(f"{name} {chance}", not k), size, color, "middle right")
        if was:
            sheet.write(x + (1.1 * size * ems(f"{name} {chance}") + 8) / sheet.wide, y, was, 13, colors.muted, "middle right")


def _choices(sheet: Sheet, asked: Asked, room: Box) -> None:
    """The words to choose from beneath each other, each in an outline, before and after one was chosen."""
    left, top, right, bottom = room
    tall = (bottom - top) / max(len(asked.names), 1)
    for k, name in enumerate(asked.names):
        box = left, top + k * tall + 3, right, top + (k + 1) * tall - 3
        ours, x, y = name in (asked.guess, asked.right), (left + right) / 2, (box[1] + box[3]) / 2
        if not ours:
            sheet.line(rectangle(*box), sheet.colors.muted if asked.open else sheet.colors.line, 1.5, "dash")
        color = sheet.colors.ink if ours or not asked.known else sheet.colors.muted
        sheet.write(x, y - 8 * ours, bold(short(name, (right - left) * sheet.wide - 8, 18), name == asked.right), 18, color)
        answer_part(sheet, asked, k, box, (x, y + 16, "middle center"))
