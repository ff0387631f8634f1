"""The caches of several models for one length, to one scale: a column for each layer, as high as the bytes that it keeps, keys beneath
values, cut into heads where these can be seen. All columns are equally wide, so areas are bytes."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.answers import YOURS, ends_to_find, number_to_find
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short

TOP = 62.0  # pixels of the line that says what is drawn
BENEATH = 122.0  # and of the words beneath the columns
APART = 30.0  # between two models
ASKED = 0.2  # of the width has the cache that is asked for
MOST_WIDE, MOST_LAYERS = 12.0, 400  # pixels of a column at most; columns at most: more are put together
TALL_ON_PHONE, WORDS_ON_PHONE = 84.0, 62.0  # pixels of the highest column, and of a model's words above it
LARGE, OTHER = 38.0, 28.0  # type sizes of the chosen model's bytes, and of the others'
SMALL, NAME = 14.0, 17.0
LEAST_CUT, MOST_CUTS = 3.6, 400  # pixels of a head that is cut off from the next one; cuts that a model has at most


class Kept(NamedTuple):
    """A model, what of it decides about the size of its cache, the bytes that the next token adds, and those of all tokens.
    layers: the bytes that each layer keeps; keys: the share of keys in them; n_kv_head: heads that share them, 1 of a latent."""

    name: str
    why: str
    next_bytes: int
    n_bytes: int
    layers: Sequence[int] = ()
    keys: float = 0.5
    n_kv_head: int = 1


class Found(NamedTuple):
    """The chosen model's cache at the length that is asked about. at: at how many tokens; said: how large it is, guessed: what it was
    taken for, both "" as long as that is not answered."""

    name: str
    at: str
    said: str = ""
    guessed: str = ""


def caches(sheet: Sheet, of: str, kept: Sequence[Kept], found: Found | None = None) -> SheetFigure:
    """The first is the chosen one. of: of how many sequences and tokens the bytes are. found: what is asked, in a place of its own at the
    right. On a phone one model stands below another, and what is asked in the question."""
    narrow = sheet.on_phone()
    sizes = sorted(one.n_bytes for one in kept)
    span = f"{decimal_bytes(sizes[0])} to {decimal_bytes(sizes[-1])}" if sizes[0] < sizes[-1] else decimal_bytes(sizes[0])
    headline(sheet, f"{span} for the same tokens" if len(kept) > 1 else f"{span} for these tokens", span)
    _what_is_drawn(sheet, of, [one.keys for one in kept])
    most = max(1.0, *(max(_columns(one), default=0.0) for one in kept))
    if narrow:
        wide, top = sheet.wide / max(1, *(len(one.layers) for one in kept)), TOP + 26
        for k, one in enumerate(kept):
            floor = top + WORDS_ON_PHONE + TALL_ON_PHONE * max(_columns(one), default=0.0) / most
            _model(sheet, one, (0, floor), min(wide, MOST_WIDE), TALL_ON_PHONE / most)
            _write_words(sheet, one, (0, sheet.wide), top + 8, k == 0)
            top = floor + 22
        return sheet.figure(top)
    tall = sheet.row(182, 1, 104, 300)
    needed = [_pixels_needed(one, k == 0) for k, one in enumerate(kept)]
    room = sheet.wide * (1 - ASKED * bool(found)) - APART * (len(kept) - (not found))
    wide, x = _column(needed, kept, room), 0.0
    for k, (one, least) in enumerate(zip(kept, needed, strict=True)):
        _model(sheet, one, (x, TOP + tall), wide, tall / most)
        slot = max(least, wide * len(one.layers))
        _write_words(sheet, one, (x, slot), TOP + tall + 18, k == 0)
        x += slot + APART
    if found:
        _what_is_asked(sheet, found, (1 - ASKED, TOP, 0.998, TOP + tall))
    return sheet.figure(TOP + tall + BENEATH, min_width=760)


def _what_is_asked(sheet: Sheet, found: Found, box: Box) -> None:
    """The cache at another length, in a place of its own beside those that are drawn, and what it was taken for."""
    left, _, right, floor = box
    if not found.said:  # it stands where the others stand, and how high is to be found
        ends_to_find(sheet, [box], sheet.colors.cached, 0.8, up=True)
    number_to_find(sheet, box, found.at, found.said)
    pixels = 0.94 * (right - left) * sheet.wide
    sheet.write(left, floor + 18, bold(short(found.name, pixels, NAME)), NAME, anchor="middle right")
    if found.guessed:
        yours = short(f"{YOURS}: {found.guessed}", pixels, SMALL)
        sheet.write(left, floor + 44, yours, SMALL, sheet.colors.muted, "middle right")


def _what_is_drawn(sheet: Sheet, of: str, keys: Sequence[float]) -> None:
    """Whose bytes these are, and what a column and the two colours are. keys: their share in each model; a latent has no values."""
    colors, narrow = sheet.colors, sheet.phone
    sheet.write(0, 48, short(of, sheet.wide * (1 if narrow else 0.5), 15), 15, anchor="middle right")
    size = 13.0 if narrow else 15.0
    x, y = (0.0, 68.0) if narrow else ((15 * ems(of) + 16) / sheet.wide, 48.0)
    both = [("keys", colors.key), ("beneath", colors.ink), ("values", colors.value)] if min(keys) < 1 else []
    latent = [("or", colors.ink), ("a latent", colors.key)] if both and max(keys) == 1 else []
    for said, color in (("each column a layer" + ":" * bool(both), colors.ink), *both, *latent):
        sheet.write(x, y, said if color == colors.ink else bold(said), size, color, "middle right")
        x += (size * ems(said) + 7) / sheet.wide


def _columns(one: Kept) -> list[float]:
    """Bytes of a model's columns: of each layer, of very many the means of as many neighbours as it takes."""
    every = -(-len(one.layers) // MOST_LAYERS) or 1
    parts = [one.layers[k : k + every] for k in range(0, len(one.layers), every)]
    return [sum(part) / len(part) for part in parts]


def _pixels_needed(one: Kept, chosen: bool) -> float:
    """Pixels that a model's words take."""
    lines = NAME * bold_ems(one.name), *(SMALL * ems(part) for part in _layers_in_words(one))
    return max(max(lines) + 10, (LARGE if chosen else OTHER) * bold_ems(decimal_bytes(one.n_bytes)) + 4)


def _layers_in_words(one: Kept) -> list[str]:
    """Layers, and what each of them keeps: two lines."""
    first, _, rest = one.why.partition(" × ")
    return [first, f"× {rest}"] if rest else [first]


def _column(needed: Sequence[float], kept: Sequence[Kept], room: float) -> float:
    """Pixels of a column: as many as let all models stand beside each other with their words, at least one for a hundred layers."""
    low, high = 0.01, MOST_WIDE
    for _ in range(20):
        middle = (low + high) / 2
        fits = sum(max(n, middle * len(one.layers)) for n, one in zip(needed, kept, strict=True)) <= room
        low, high = (middle, high) if fits else (low, middle)
    return low


def _model(sheet: Sheet, one: Kept, corner: tuple[float, float], wide: float, scale: float) -> None:
    """The columns of one model. corner: where the first one stands, in pixels; scale: pixels of a byte."""
    (x, floor), colors, columns = corner, sheet.colors, _columns(one)
    step = wide * len(one.layers) / max(1, len(columns)) / sheet.wide
    left, gap = x / sheet.wide, (0.8 if step * sheet.wide >= 3 else 0.0) / sheet.wide
    keys, values, cuts, at = [], [], "", 0
    for n_bytes, run in groupby(columns):
        n = len(list(run))
        low, high = floor - one.keys * n_bytes * scale, floor - n_bytes * scale
        each, apart = (1, n) if gap else (n, 1)  # columns that are drawn as one, and how many of these
        many = [(left + (at + j * each) * step, left + (at + (j + 1) * each) * step - gap) for j in range(apart)]
        keys += [(x0, low, x1, floor) for x0, x1 in many if n_bytes]
        values += [(x0, high, x1, low) for x0, x1 in many if n_bytes and one.keys < 1]
        if min(floor - low, low - high) / one.n_kv_head >= LEAST_CUT:
            for top, bottom in ((low, floor), (high, low)):
                downs = (top + k * (bottom - top) / one.n_kv_head for k in range(1, one.n_kv_head))
                cuts += "".join(f"M{left + at * step:.5f},{y:.1f}L{left + (at + n) * step:.5f},{y:.1f}" for y in downs)
        at += n
    sheet.bars(keys, colors.key)
    sheet.bars(values, colors.value)
    if cuts and cuts.count("M") <= MOST_CUTS:
        sheet.line(cuts, colors.surface, 0.8)
    end = left + wide * max(1, len(one.layers)) / sheet.wide
    sheet.line(f"M{left:.5f},{floor + 1:.1f}L{end:.5f},{floor + 1:.1f}", colors.ink, 1.2)


def _write_words(sheet: Sheet, one: Kept, across: tuple[float, float], y: float, chosen: bool) -> None:
    """Its name, its bytes, why, and what the next token adds. across: where it begins, and how much room there is, in pixels."""
    (x, room), colors, narrow = across, sheet.colors, sheet.phone
    at, large = x / sheet.wide, LARGE if chosen else OTHER
    sheet.write(at, y, bold(short(one.name, (0.58 if narrow else 0.94) * room, NAME)), NAME, anchor="middle right")
    if narrow:
        sheet.write(1, y + 4, bold(decimal_bytes(one.n_bytes)), 0.75 * large, anchor="middle left")
        size = max(12.0, min(SMALL, room / (ems(one.why) + 0.5)))
        sheet.write(at, y + 24, short(one.why, room, size), size, colors.muted, "middle right")
        return
    sheet.write(at, y + 34, bold(decimal_bytes(one.n_bytes)), large, anchor="middle right")
    for k, line in enumerate(_layers_in_words(one)):
        sheet.write(at, y + 66 + 18 * k, short(line, room, SMALL), SMALL, colors.muted, "middle right")
