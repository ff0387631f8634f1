"""Without the mask: the cache layer by layer, a column a token, and the way on which a later token gets into what the next layer makes of
older ones; what recomputing would make otherwise turns brown, token by token. On a phone it is turned: a row a token, a column a layer."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import column_names
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, short, type_size
from pages.parts.text.format import percent

LEFT, RIGHT = 0.155, 0.83  # edges of the columns
TOP = 38.0  # pixels above the layers
ROOM = 268.0  # pixels of all layers
GAP = 44.0  # pixels between two layers, at most
WORDS = 0.26  # of the width, where the layers begin behind the words on a phone
UPRIGHT_TOP = 34.0  # pixels above the tokens there
TOKENS_ROOM = 250.0  # pixels of all tokens there
MOST_COLUMNS, APART = 6, 0.3  # layers that stand beside each other there; of a column's room what parts it from the next one
ROUTE, WORDED = 16.0, 18.0  # pixels between two layers that have room for the way, and of a row that has a foot
TIP = 6.0  # pixels of an arrow's point
QUESTION, SHORT = "same or not?", "same?"


class HeldCache(NamedTuple):
    """What is in the cache. words: of its tokens, the first n_prompt of the prompt; gaps: how far their keys and values are from what
    recomputing gives, against the largest of all, (n_layer, n)."""

    words: Sequence[str]
    n_prompt: int
    gaps: np.ndarray


def layer_gaps(sheet: Sheet, held: HeldCache, real: float, asked: Asked = NOT_ASKED, says: str = "") -> SheetFigure:
    """real: a gap above it is no rounding. asked: the layers as answers; which cells are wrong waits until the answer may be shown.
    says: in which layers."""
    phone, n_layer = sheet.on_phone(), len(held.gaps)
    under_headline(sheet, says)
    if phone and n_layer <= MOST_COLUMNS:
        return sheet.figure(_upright(sheet, held, real, asked))
    left, right = (0.2, 0.79) if phone else (LEFT, RIGHT)
    between = min(GAP, 0.36 * ROOM / n_layer)
    tall = (ROOM - (n_layer - 1) * between) / n_layer
    x, tops = np.linspace(left, right, len(held.words) + 1), TOP + (tall + between) * np.arange(n_layer)
    column_names(sheet, Grid(x, np.array([TOP, TOP + 1.0])), TOP - 20, held.words, 13 if phone else 15)
    for first, last, color in ((0, held.n_prompt, sheet.colors.prefill), (held.n_prompt, len(held.words), sheet.colors.decode)):
        sheet.bars([(x[first] + 0.001, TOP - 8, x[last] - 0.001, TOP - 4)] if last > first else [], color)
    _cells(sheet, [[(x[j], y, x[j + 1], y + tall) for j in range(len(held.words))] for y in tops], held.gaps, real, asked.known)
    for i, y0 in enumerate(tops.tolist()):
        y1, middle = y0 + tall, y0 + tall / 2
        if i and between >= ROUTE:
            _route(sheet, held.gaps[i] > real if asked.known else None, held, x, (y0 - between + 2, y0 - 2))
        if tall >= 13 or i % max(1, round(17 / (tall + between))) == 0:
            named = tall >= 40 and not phone
            sheet.write(0, middle - 11 * named, f"<b>layer {i + 1}</b>", 17 if named else 13, anchor="middle right")
            made = f"made from layer {i}" if i else "made from a token"
            sheet.write(0, middle + 12, made if named else "", 14, sheet.colors.muted, "middle right")
        if tall >= 13:
            said, size = _verdict(float(held.gaps[i].max()), real, asked.known, phone)
            sheet.write(0.992, middle, f"<b>{said}</b>", min(size, 0.9 * tall), anchor="middle left")
        if asked.names:
            beneath = between >= ROUTE
            yours = (0.0, y1 + 12, "middle right") if beneath else (0.0, TOP - 20, "middle right")
            answer_part(sheet, asked, i, (left - 0.006, y0 - 3, 0.998, y1 + 3), yours, ticked=beneath)
    if tall < 13 and not asked.known:
        sheet.write(0.992, TOP + ROOM / 2, f"<b>{SHORT if phone else QUESTION}</b>", 18, anchor="middle left")
    if asked.known:
        said = "off by" if phone else "off by, of the largest number in the cache"
        sheet.write(0.992, TOP + ROOM + 16, said, 14, sheet.colors.muted, "middle left")
    hint(sheet, asked, left, TOP + ROOM + 16, "middle right")
    return sheet.figure(TOP + ROOM + 26)


def _verdict(gap: float, real: float, known: bool, phone: bool) -> tuple[str, float]:
    """What is said of a layer, and its type size: whether it is the same is asked, or by how much it is off."""
    if not known:
        return (SHORT, 16.0) if phone else (QUESTION, 20.0)
    return (percent(gap), 22.0 if phone else 34.0) if gap > real else ("same", 18.0 if phone else 24.0)


def _cells(sheet: Sheet, layers: Sequence[Sequence[tuple]], gaps: np.ndarray, real: float, known: bool) -> None:
    """Of each layer a box a token; what is wrong lies brown over what is kept, the darker the farther off. layers: (n_layer, n) boxes."""
    x0, y0, x1, y1 = layers[0][0]
    aside, roomy = (1 / sheet.wide if (x1 - x0) * sheet.wide > 5 else 0.0), min(y1 - y0, (x1 - x0) * sheet.wide) >= WORDED
    boxes = [(a + aside, b + 1 * roomy, c - aside, d - 1 * roomy) for layer in layers for a, b, c, d in layer]
    if roomy:
        cache_rows(sheet, {"kept": boxes}, "worded")
    else:
        sheet.bars(boxes, sheet.colors.bar)
    for layer, off in zip(layers, gaps, strict=True) if known else ():
        wrong, upright = off > real, layer[0][0] == layer[-1][0]
        z = np.where(wrong, np.round(0.45 + 0.55 * off / max(gaps.max(), 1e-30), 3), np.nan)
        across = np.array([layer[0][0], *(box[2] for box in layer)]) if not upright else np.array([layer[0][0], layer[0][2]])
        down = np.array([layer[0][1], *(box[3] for box in layer)]) if upright else np.array([layer[0][1], layer[0][3]])
        if wrong.any():
            shown = z[:, None] if upright else z[None]
            sheet.heatmap(Grid(across, down), shown, Scale((sheet.colors.surface, sheet.colors.wasted)), hover=False)


def _route(sheet: Sheet, wrong: np.ndarray | None, held: HeldCache, x: np.ndarray, down: tuple[float, float]) -> None:
    """From the last token of a layer to what the next one makes of older ones: brown where that is wrong, grey while it is asked for."""
    n, (y0, y1), half = len(held.words), down, TIP / sheet.wide
    if n == held.n_prompt:  # nothing came later
        return
    across, y = (x[:-1] + x[1:]) / 2, y0 + 0.4 * (y1 - y0)
    every = max(1, round(18 / ((x[1] - x[0]) * sheet.wide)))
    to = [j for j in range(0, n - 1, every) if wrong is None or wrong[j]]
    if to:
        color = sheet.colors.muted if wrong is None else sheet.colors.wasted
        ways = "".join(f"M{across[j]:.5f},{y:.1f}V{y1 - TIP:.1f}" for j in to)
        sheet.line(f"M{across[-1]:.5f},{y0:.1f}V{y:.1f}H{across[to[0]]:.5f}{ways}", color, 2.5)
        points = (f"M{across[j] - half:.5f},{y1 - TIP - 2:.1f}H{across[j] + half:.5f}L{across[j]:.5f},{y1:.1f}Z" for j in to)
        sheet.path("".join(points), color)


def _upright(sheet: Sheet, held: HeldCache, real: float, asked: Asked) -> float:
    """The same for a phone, turned. Returns where it ends."""
    colors, n, n_layer = sheet.colors, len(held.words), len(held.gaps)
    tall, wide = float(np.clip(TOKENS_ROOM / n, 4.0, 24.0)), (1 - WORDS) / (n_layer - APART)
    y = UPRIGHT_TOP + tall * np.arange(n + 1)
    bottom, lefts = float(y[-1]), [WORDS + i * wide for i in range(n_layer)]
    layers = [[(left, y[j], left + (1 - APART) * wide, y[j + 1]) for j in range(n)] for left in lefts]
    every = int(np.ceil(14 / tall))
    for j in range(0, n, every):
        word = short(held.words[j], (WORDS - 0.05) * sheet.wide, 14)
        sheet.write(WORDS - 0.035, (y[j] + y[j + 1]) / 2, word, 14 if tall >= 15 else 13, colors.ink, "middle left")
    for first, last, color in ((0, held.n_prompt, colors.prefill), (held.n_prompt, n, colors.decode)):
        sheet.bars([(WORDS - 0.022, y[first] + 1, WORDS - 0.01, y[last] - 1)] if last > first else [], color)
    _cells(sheet, layers, held.gaps, real, asked.known)
    sheet.write(0, bottom + 22, "off by" if asked.known else "", 15, colors.muted, "middle right")
    for i, gaps in enumerate(held.gaps):
        left, right = lefts[i], lefts[i] + (1 - APART) * wide
        middle, room = (left + right) / 2, (right - left) * sheet.wide
        sheet.write(middle, UPRIGHT_TOP - 18, f"<b>{'layer ' * (room >= 46)}{i + 1}</b>", 15)
        if i:
            _route_upright(sheet, gaps > real if asked.known else None, held, y, (left - APART * wide, left))
        said, size = _verdict(float(gaps.max()), real, asked.known, True)
        sheet.write(middle, bottom + 22, f"<b>{said}</b>", type_size(said, wide * sheet.wide - 4, size))
        if asked.names:
            box = left - 0.008, 2.0, right + 0.008, bottom + 38
            answer_part(sheet, asked, i, box, (middle, bottom + 50, "middle center"))
    hint(sheet, asked, 0.0, bottom + 54, "middle right")
    return bottom + 62


def _route_upright(sheet: Sheet, wrong: np.ndarray | None, held: HeldCache, y: np.ndarray, across: tuple[float, float]) -> None:
    """As `_route`, from a column to the next one."""
    n, px = len(held.words), 1 / sheet.wide
    x0, x1 = across[0] + 2 * px, across[1] - 2 * px
    down, x, every = (y[:-1] + y[1:]) / 2, x0 + 0.3 * (x1 - x0), max(1, round(14 / (y[1] - y[0])))
    to = [j for j in range(0, n - 1, every) if wrong is None or wrong[j]]
    if n > held.n_prompt and to:
        color = sheet.colors.muted if wrong is None else sheet.colors.wasted
        ways = "".join(f"M{x:.5f},{down[j]:.1f}H{x1 - TIP * px:.5f}" for j in to)
        sheet.line(f"M{x0:.5f},{down[-1]:.1f}H{x:.5f}V{down[to[0]]:.1f}{ways}", color, 2)
        tips = (f"M{x1 - TIP * px:.5f},{down[j] - 4:.1f}V{down[j] + 4:.1f}L{x1:.5f},{down[j]:.1f}Z" for j in to)
        sheet.path("".join(tips), color)
