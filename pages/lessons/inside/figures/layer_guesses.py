"""What the model would have said after each layer (the logit lens), as shares of one column a layer, and bands that lead each word from
one to the next. Words that may be the answer have each a shade of orange, the one that wins all of it: they are seen to grow. What is too
small for its name is one of the other words. On a phone the columns lie beneath each other."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.sampling import best_first
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short, type_size
from pages.parts.text.format import percent, whole_percent

MOST_COLUMNS, MOST_WORDS = 13, 7  # of a column the words that are drawn
LEAST = 0.055  # chance of a word from which on it is drawn
LEAST_ON_PHONE = 0.12
LEAST_ANSWER = 0.005  # the same of a word that may be the answer
TOP = 30.0  # pixels above the columns
HEIGHT = 282.0  # pixels of the columns on a projector
END = 0.78  # of the width, where the last column ends
PHONE_LEFT, PHONE_HEIGHT = 0.22, 440.0  # where they begin on a phone, and pixels of all of them there
BEST, OTHER = 38.0, 17.0  # type sizes of the words beside the last one
WIDE, APART = 0.56, 1.0  # of a column's room what it is itself; pixels between two words
SHADE = 0.34  # strength of the grey of a word that is not among the answers
BAND = 0.5  # of this strength has such a word's band to the next column
ORANGE_BAND = 0.4  # of a shade of orange has its band
ANSWERS = (0.8, 0.65, 0.5, 0.35)  # strengths of the orange of words that may be the answer
NAMED, POINTS = 5, 12  # words beside the last column at least; points of a band's edge
Places = dict[int, tuple[float, float]]  # token -> where it begins and ends in a column, in shares of it


class Columns(NamedTuple):
    """Where columns lie. edges: of each, in shares of the width, on a phone in pixels; turned: beneath each other."""

    edges: Sequence[tuple[float, float]]
    height: float
    turned: bool

    def point(self, along: float, share: float) -> tuple[float, float]:
        return (PHONE_LEFT + share * (1 - PHONE_LEFT), along) if self.turned else (along, TOP + share * self.height)

    def box(self, k: int, share0: float, share1: float) -> Box:
        (start, end), pixel = self.edges[k], APART / (340 if self.turned else self.height)
        return *self.point(start, share0), *self.point(end, max(share1 - pixel, share0 + pixel / 2))


def layers_shown(n: int) -> np.ndarray:
    """Which of the embedding and the layers have a column."""
    return np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_COLUMNS))).astype(int))


def stacked(chances: np.ndarray, always: Collection[int], least: float = LEAST) -> Places:
    """The likeliest words of a column from its top down, each as high as its chance, and those that are always there.

    >>> stacked(np.array([0.25, 0.5, 0.01]), (2,))
    {1: (0.0, 0.5), 0: (0.5, 0.75), 2: (0.75, 0.76)}
    """
    order = best_first(chances)
    shown = [i for k, i in enumerate(order) if not k or (k < MOST_WORDS and chances[i] >= least) or i in always]
    ends = np.cumsum([0.0, *(float(chances[i]) for i in shown)])
    return {i: (float(y0), float(y1)) for i, y0, y1 in zip(shown, ends, ends[1:], strict=False)}


def layer_guesses(
    sheet: Sheet, lens: np.ndarray, words: Callable[[Sequence[int]], Sequence[str]], intact: np.ndarray | None = None,
    told: bool = True, answers: Sequence[int] = (),
) -> SheetFigure:  # fmt: skip
    """lens: (n_layer + 1, n_vocab) chances after the embedding and each layer. words: token ids to text.

    intact: (n_vocab,) the chances before heads were removed, beside those after, on a phone a column more. told: whether the last
    column is known; until then it has no more than how likely its likeliest word is. answers: the words that may be it.
    """
    phone, layers, winner = sheet.on_phone(), layers_shown(len(lens)), int(np.argmax(lens[-1]))
    always = {winner, winner if intact is None else int(np.argmax(intact))} if told else set()
    drawn = [(_name(layer), lens[layer]) for layer in layers] + ([("before", intact)] if phone and intact is not None else [])
    last, n_known = len(layers) - 1, len(drawn) if told else len(layers) - 1
    named = set() if phone or not told else set(best_first(lens[-1], NAMED))
    columns = []
    for k, (_, chances) in enumerate(drawn[:n_known]):
        seen = {i for i in answers if chances[i] >= LEAST_ANSWER}
        columns.append(stacked(chances, always | seen | (named if k == last else set()), LEAST_ON_PHONE if phone else LEAST))
    ids, colors = sorted({i for places in columns for i in places}), _shades(sheet, winner if told else -1, answers)
    names, at = dict(zip(ids, words(ids), strict=True)), _columns(sheet, len(drawn))
    _bands(sheet, columns[: last + told], at, winner if told else -1, colors)
    for k, (name, chances) in enumerate(drawn):
        _head(sheet, at, k, name, k == last)
        sheet.bar(*at.box(k, 0, 1), sheet.colors.hole)
        if k < n_known:
            _words(sheet, at, k, (columns[k], chances), names if phone or k < last else None, colors)
    chance = percent(float(lens[-1, winner]))
    if not told:
        _ask(sheet, at.box(last, 0, float(lens[-1, winner])), chance)
    elif not phone:
        _next_words(sheet, columns[last], lens[-1], intact, names, at)
    end = at.edges[-1][1] + 8 if phone else TOP + at.height + 8
    says = f"“{names[winner]}” leads with {chance}" if told else f"Which word leads with {chance}?"
    return under_headline(sheet, says).figure(end, min_width=690)


def _shades(sheet: Sheet, winner: int, answers: Sequence[int]) -> dict[int, str]:
    """The colours of the words that may be the answer, and of the one that is it; all others are grey."""
    colors = sheet.colors
    shades = {token: faded(colors, colors.accent, share) for token, share in zip(answers, ANSWERS, strict=False)}
    return shades | ({winner: colors.accent} if winner >= 0 else {})


def _ask(sheet: Sheet, box: Box, chance: str) -> None:
    """Where the answer stands: how likely it is, in the column and in large type beside it, on a phone within."""
    (x0, y0, x1, y1), colors, phone = box, sheet.colors, sheet.phone
    sheet.bar(*box, colors.accent)
    size = max(13.0, min(BEST, 0.8 * (y1 - y0), 0.8 * (x1 - x0) * sheet.wide))
    if min(y1 - y0, (x1 - x0) * sheet.wide) >= 16:
        sheet.write((x0 + x1) / 2, (y0 + y1) / 2, "<b>?</b>", size, ink_on(colors.accent))
    if not phone:
        x, y = x1 + 12 / sheet.wide, max((y0 + y1) / 2, TOP + 0.6 * BEST)
        sheet.write(x, TOP - 14, "<b>next word</b>", 16, anchor="middle right")
        sheet.write(x, y, f"<b>? {chance}</b>", BEST, colors.accent, "middle right")


def _name(layer: int) -> str:
    return f"layer {layer}" if layer else "embedding"


def _columns(sheet: Sheet, n: int) -> Columns:
    if sheet.phone:
        pitch = min(PHONE_HEIGHT / (n - 1 + WIDE), 96.0)
        return Columns([(4 + k * pitch, 4 + (k + WIDE) * pitch) for k in range(n)], 0.0, True)
    pitch, height = END / (n - 1 + WIDE), sheet.row(HEIGHT, 1, HEIGHT, HEIGHT)  # more on a higher screen
    return Columns([(k * pitch, (k + WIDE) * pitch) for k in range(n)], height, False)


def _head(sheet: Sheet, at: Columns, k: int, name: str, strong: bool) -> None:
    """What a column is called, above it, on a phone at its left."""
    middle, ink = sum(at.edges[k]) / 2, sheet.colors.ink if strong else sheet.colors.muted
    if at.turned:
        return sheet.write(PHONE_LEFT - 0.02, middle, bold(name, strong), 14, ink, "middle left")
    narrow = len(at.edges) > 1 and (at.edges[1][0] - at.edges[0][0]) * sheet.wide < 90
    return sheet.write(middle, TOP - 14, bold(name.split()[-1] if narrow and k and not strong else name, strong), 16, ink)


def _bands(sheet: Sheet, columns: Sequence[Places], at: Columns, winner: int, shades: dict[int, str]) -> None:
    """From each word to itself in the next column, those of other words first. winner: the word that wins in the end, none as long as that
    is not known."""
    colors, t = sheet.colors, np.linspace(0, 1, POINTS)
    bend, pixel = t * t * (3 - 2 * t), 1 / (340 if at.turned else at.height)
    for k, (one, after) in enumerate(pairwise(columns)):
        along = at.edges[k][1] + (at.edges[k + 1][0] - at.edges[k][1]) * t
        for token in sorted(one.keys() & after.keys(), key=lambda i: (i == winner, i in shades)):
            (a0, a1), (b0, b1), may = one[token], after[token], token in shades
            color = faded(colors, shades[token], ORANGE_BAND) if may else faded(colors, colors.muted, BAND * SHADE)
            above, below = a0 + (b0 - a0) * bend, a1 + (b1 - a1) * bend + may * pixel  # a way is seen where it is hardly likely
            points = [
                at.point(*place) for place in (*zip(along, above, strict=True), *zip(along[::-1], below[::-1], strict=True))
            ]
            sheet.path("M" + "L".join(f"{x:.5f},{y:.2f}" for x, y in points) + "Z", color, colors.surface, 0.0 if may else 1.0)


def _words(
    sheet: Sheet, at: Columns, k: int, of: tuple[Places, np.ndarray], names: dict[int, str] | None, shades: dict[int, str]
) -> None:
    """A column's words in boxes as high as their chances. names: None where they stand beside it; shades: of those that may be the
    answer, whose names stand beside their boxes where these are too low."""
    colors, (places, chances), aside = sheet.colors, of, []
    for token, (start, end) in places.items():
        box, color = at.box(k, start, end), shades.get(token, faded(colors, colors.muted, SHADE))
        sheet.bar(*box, color)
        if names is None:
            continue
        said = names[token], f" {whole_percent(float(chances[token]))}"
        fits = _fitted(sheet, box, said, token in shades, ink_on(color), at.turned)
        if not fits and token in shades and not at.turned and chances[token] >= LEAST_ANSWER:
            aside.append((token, box))
    free = (at.edges[k + 1][0] - at.edges[k][1]) * sheet.wide - 8 if aside and k + 1 < len(at.edges) else 0.0
    wanted, high = [(box[1] + box[3]) / 2 for _, box in aside], at.height + TOP
    for (token, box), y in zip(aside, spread_out(wanted, 16.0, TOP + 8, high - 8), strict=True):
        said = f"{names[token]} {whole_percent(float(chances[token]))}"
        if 13 * ems(said) <= free:
            sheet.write(box[2] + 5 / sheet.wide, y, said, 13, anchor="middle right")
    rest = at.box(k, max((end for _, end in places.values()), default=0.0), 1.0)
    if (rest[2] - rest[0]) * sheet.wide > 70:
        _fitted(sheet, rest, ("other words", ""), False, ink_on(colors.hole), at.turned)


def _fitted(sheet: Sheet, box: Box, said: tuple[str, str], strong: bool, ink: str, turned: bool) -> bool:
    """A word and its chance in their box, the chance where it has room, beneath the word where boxes lie beside each other. Returns whether
    the word has room."""
    (x0, y0, x1, y1), (word, chance) = box, said
    wide, tall, x, y = (x1 - x0) * sheet.wide - (2 if turned else 6), y1 - y0, (x0 + x1) / 2, (y0 + y1) / 2
    if tall < 16 or wide < 24:
        return False
    size = type_size(word, wide, 18.0 if tall > 24 else 14.0, 13.0, strong)
    if turned and ems(word) * 13 > wide:
        return False
    two = turned and chance and tall > 38
    if not two and size * bold_ems(word + chance) <= wide:
        word += chance
    sheet.write(x, y - 9 * bool(two), bold(short(word, wide, size), strong), size, ink)
    if two:
        sheet.write(x, y + 10, bold(chance.strip(), strong), 14, ink)
    return True


def _next_words(
    sheet: Sheet, places: Places, chances: np.ndarray, intact: np.ndarray | None, names: dict[int, str], at: Columns
) -> None:
    """Beside the last column its words with their chances, the likeliest large; and what each had before heads were removed."""
    tokens, colors, x = list(places), sheet.colors, at.edges[-1][1] + 12 / sheet.wide
    said = "next word" if intact is None else "next word, and before heads were removed"
    sheet.write(x, TOP - 14, f"<b>{said[:9]}</b>{said[9:]}", 14 if intact is not None else 16, anchor="middle right")
    middles = [at.point(0.0, sum(places[token]) / 2)[1] for token in tokens]
    low, lowest = TOP + 16, TOP + at.height * max(end for _, end in places.values())
    ys = spread_out(middles, 24.0, low, max(lowest, low + 24 * (len(tokens) - 1)))
    room = (1 - x) * sheet.wide
    for k, (token, y) in enumerate(zip(tokens, ys, strict=True)):
        size, color = (OTHER, colors.ink) if k else (BEST if intact is None else 20.0, colors.accent)
        chance, was = percent(float(chances[token])), f"  before {percent(float(intact[token]))}" if intact is not None else ""
        below = (ys[1] if len(ys) > 1 else TOP + at.height) - y
        if not k and not was and below > 3 * OTHER:  # the likeliest in two lines, as large as there is room
            size = type_size(max(names[token], chance, key=ems), room, min(size, 0.75 * below), OTHER)
            for line, text in ((-0.55, short(names[token], room, size, strong=True)), (0.55, chance)):
                sheet.write(x, y + line * size, bold(text), size, color, "middle right")
            continue
        size = min(size, 22.0)
        name = short(names[token], room - size * bold_ems(f" {chance}") - 13 * ems(was), size)
        sheet.write(x, y, bold(f"{name} {chance}", not k), size, color, "middle right")
        if was:
            sheet.write(x + (size * bold_ems(f"{name} {chance}") + 8) / sheet.wide, y, was, 13, colors.muted, "middle right")
