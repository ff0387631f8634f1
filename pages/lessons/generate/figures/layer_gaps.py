"""Without the mask: the cache layer by layer, a column a token; what recomputing would make otherwise turns brown, token by token."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle, short
from pages.parts.text.format import percent

LEFT, RIGHT = 0.155, 0.82  # edges of the columns
TOP, ROOM, GAP = 56.0, 238.0, 18.0  # where the layers begin, pixels of all of them, and between two
WORDS, UPRIGHT_TOP, TOKENS_ROOM = 0.27, 68.0, 226.0  # on a phone: where words end, pixels above the tokens, and of all
MOST_COLUMNS = 6  # layers that stand beside each other there
PALEST = 0.3  # of a cell's colour: the smallest key is still one


class HeldCache(NamedTuple):
    """What is in the cache. words: of its tokens; lengths: of keys and of values against the longest of their layer, (2, n_layer, n);
    gaps: how far both are from what recomputing gives, against the largest of all, (n_layer, n)."""

    words: Sequence[str]
    lengths: np.ndarray
    gaps: np.ndarray


def layer_gaps(sheet: Sheet, held: HeldCache, real: float, asked: Asked = NOT_ASKED, says: str = "") -> SheetFigure:
    """real: a gap above it is no rounding. asked: the layers as answers; which cells are wrong waits until the answer may be shown.
    says: in which layers."""
    phone, colors, n_layer = sheet.on_phone(), sheet.colors, len(held.gaps)
    if phone and n_layer <= MOST_COLUMNS:
        return under_headline(sheet, says).figure(_upright(sheet, held, real, asked))
    left, right = (0.2, 0.79) if phone else (LEFT, RIGHT)
    tall = ROOM / n_layer
    between = min(GAP, 0.2 * tall)
    sheet.write(0, 12, "<b>keys</b> and <b>values</b> in the cache", 15, anchor="middle right")
    sheet.write(1, 12, "off by" if phone else "off by, of the largest number in the cache", 15, colors.muted, "middle left")
    x = np.linspace(left, right, len(held.words) + 1)
    column_names(sheet, Grid(x, np.array([TOP, TOP + 1.0])), TOP - 13, held.words, 13)
    tops = TOP + tall * np.arange(n_layer)
    _keys_and_values(sheet, held, x, tops, tall - between)
    if asked.known:
        _cover_what_is_wrong(sheet, held.gaps, real, x, tops, tall - between)
    for i, (y0, gap) in enumerate(zip(tops.tolist(), held.gaps.max(axis=1).tolist(), strict=True)):
        y1 = y0 + tall - between
        if tall >= 17 or i % max(1, round(17 / tall)) == 0:
            named = tall >= 44 and not phone
            sheet.write(0, (y0 + y1) / 2 - 10 * named, f"layer {i + 1}", 16 if tall >= 24 else 13, anchor="middle right")
            if named:
                made = f"made from layer {i}" if i else "made from a token"
                sheet.write(0, (y0 + y1) / 2 + 11, made, 13, colors.muted, "middle right")
        for half, (letter, color) in enumerate((("K", colors.key), ("V", colors.value)) if tall >= 40 else ()):
            sheet.write(left - 0.01, y0 + (half + 0.5) * (y1 - y0) / 2, f"<b>{letter}</b>", 16, color, "middle left")
        if tall >= 17 and asked.known:
            said = percent(gap) if gap > real else "0" if not gap else "rounding"
            size = min((24.0 if phone else 34.0) if gap > real else 14.0 if phone else 18.0, 0.8 * tall)
            sheet.write(1, (y0 + y1) / 2, f"<b>{said}</b>", size, anchor="middle left")
        if asked.names:
            beneath = between >= 15.0
            yours = (left, y1 + between / 2, "middle right") if beneath else (0.0, TOP - 13, "middle right")
            answer_part(sheet, asked, i, (left - 0.045, y0, right + 0.006, y1), yours, ticked=beneath)
    if not asked.known:
        sheet.line(rectangle(right + 0.02, TOP, 0.998, TOP + ROOM - between), colors.muted, 1.5, "dash")
        sheet.write((right + 1.018) / 2, TOP + (ROOM - between) / 2, "<b>?</b>", 64)
    return under_headline(sheet, says).figure(TOP + ROOM)


def _upright(sheet: Sheet, held: HeldCache, real: float, asked: Asked) -> float:
    """The same for a phone, turned: a row a token with its word, a column a layer, its keys left of its values. Returns where it ends."""
    colors, n, n_layer = sheet.colors, len(held.words), len(held.gaps)
    tall, wide = float(np.clip(TOKENS_ROOM / n, 4.0, 24.0)), (1 - WORDS) / n_layer
    y = UPRIGHT_TOP + tall * np.arange(n + 1)
    bottom, gap = float(y[-1]), 0.12 * wide
    sheet.write(0, 12, "<b>keys</b> and <b>values</b> in the cache", 15, anchor="middle right")
    every = int(np.ceil(14 / tall))
    for i in range(0, n, every):
        word = short(held.words[i], (WORDS - 0.03) * sheet.wide, 14)
        sheet.write(WORDS - 0.03, (y[i] + y[i + 1]) / 2, word, 14 if tall >= 15 else 13, colors.ink, "middle left")
    sheet.write(0, bottom + 22, "off by", 15, colors.muted, "middle right")
    for i, gaps in enumerate(held.gaps):
        left, right, middle = WORDS + i * wide, WORDS + (i + 1) * wide - gap, WORDS + (i + 0.5) * wide - gap / 2
        halves = np.linspace(left, right, 3)
        roomy = (right - left) * sheet.wide >= 50
        sheet.write(middle, 38, f"<b>{'layer ' * roomy}{i + 1}</b>", 15)
        for half, (letter, color) in enumerate((("K", colors.key), ("V", colors.value))):
            z = np.round(PALEST + (1 - PALEST) * held.lengths[half, i], 3)[:, None]
            sheet.heatmap(Grid(halves[half : half + 2], y), z, Scale((colors.surface, color)), hover=False)
            sheet.write((halves[half] + halves[half + 1]) / 2, UPRIGHT_TOP - 10, f"<b>{letter}</b>", 14, color)
        wrong = gaps > real
        if asked.known and wrong.any():
            z = np.where(wrong, np.round(0.55 + 0.45 * gaps / max(held.gaps.max(), 1e-30), 3), np.nan)[:, None]
            sheet.heatmap(Grid(np.array([left, right]), y), z, Scale((colors.surface, colors.wasted)), hover=False)
        most = float(gaps.max())
        said = "?" if not asked.known else percent(most) if most > real else "0" if not most else "rounding"
        size = min(22.0 if most > real or not asked.known else 15.0, (wide * sheet.wide - 4) / (1.07 * ems(said)))
        sheet.write(middle, bottom + 22, f"<b>{said}</b>", size)
        if asked.names:
            answer_part(sheet, asked, i, (left - 0.012, 28.0, right + 0.012, bottom + 5), (middle, bottom + 46, "middle center"))
    return bottom + (56 if asked.names and not asked.open else 38)


def _keys_and_values(sheet: Sheet, held: HeldCache, x: np.ndarray, tops: np.ndarray, tall: float) -> None:
    """Of each token its key above its value, in every layer."""
    for half, color in enumerate((sheet.colors.key, sheet.colors.value)):
        y = np.stack([tops + half * tall / 2, tops + (half + 1) * tall / 2], axis=1).ravel()
        z = np.full((len(y) - 1, len(x) - 1), np.nan)
        z[::2] = np.round(PALEST + (1 - PALEST) * held.lengths[half], 3)
        sheet.heatmap(Grid(x, y), z, Scale((sheet.colors.surface, color)), hover=False)


def _cover_what_is_wrong(sheet: Sheet, gaps: np.ndarray, real: float, x: np.ndarray, tops: np.ndarray, tall: float) -> None:
    """What is not what recomputing gives lies brown over what is held, the darker the farther off."""
    y = np.stack([tops, tops + tall], axis=1).ravel()
    z = np.full((len(y) - 1, len(x) - 1), np.nan)
    z[::2] = np.where(gaps > real, np.round(0.55 + 0.45 * gaps / max(gaps.max(), 1e-30), 3), np.nan)
    if (gaps > real).any():
        sheet.heatmap(Grid(x, y), z, Scale((sheet.colors.surface, sheet.colors.wasted)), hover=False)
