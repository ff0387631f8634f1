"""One head, one new query, behind keys as they are kept, of which one is out of date, and as they are when all are computed again: the
values to scale, those filled that their weights take in, and across them the context, the level that they come to."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.experiments.broken_caches import StaleKey
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint, open_place
from pages.parts.drawing.cells import texts
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import DARK, faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short, type_size
from pages.parts.text.digits import as_number, contexts_side_by_side, equals, in_brackets

PANEL = 0.36  # of the width have the bars of a panel
SECOND = 0.53  # of the width, where the second panel begins
BESIDE = 0.014  # of the width, between the bars and what is written beside them
PANEL_ON_PHONE = 0.74
TITLE = 30.0  # pixels of a panel's title
VALUE = 20.0  # pixels of a value, above its bar
WORD = 16.0  # pixels from the bars down to the middle of their words
SCORE = 52.0  # pixels from the bars down to the middle of their scores
ROOM = 164.0  # pixels of the bars on a projector
ON_PHONE = 96.0  # pixels of the bars on a phone
FOOT = 94.0  # pixels beneath the bars
BETWEEN = 2.0  # pixels between two panels on a phone
THIN, LEAST = 0.84, 12.0  # of its column is a bar wide; the smallest type
HALF, LARGE = 19.0, 24.0  # of the pixels of a score's box, and its type
PALE, ON_BLACK = 0.2, 0.34  # of its colour has a value that is not taken in
VERSIONS = (("cached", "with the cache"), ("whole", "computed anew"))


class Panel(NamedTuple):
    """One version: edges of its columns, the height where its values are 0, and pixels of a value of 1."""

    x: np.ndarray
    zero: float
    pixels: float
    top: float
    bottom: float

    def column(self, j: int, value: float) -> Box:
        """A value, its word and its key's score."""
        upper = min(self.zero, self.height(value)) - VALUE - 3
        return float(self.x[j]), upper, float(self.x[j + 1]), self.bottom + SCORE + HALF + 4

    def height(self, value: float) -> float:
        """Where a value ends; one that is no number, at 0."""
        return self.zero - (value if np.isfinite(value) else 0.0) * self.pixels


def stale_key(
    sheet: Sheet, stale: StaleKey, words: Sequence[str], answered: bool = True, asked: Asked = NOT_ASKED, says: str = ""
) -> SheetFigure:
    """words: (n,), the new token last. answered: whether the stale key is pointed at; asked: which stored key is out of date; until then
    none of the stored values is filled. says: what either version comes to.
    """
    n, phone = len(words), sheet.on_phone()
    tall = ON_PHONE if phone else sheet.row(ROOM, 1, 100, 250)
    values = np.nan_to_num(_values(stale), posinf=0, neginf=0)
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    pixels = (tall - VALUE * (low < 0)) / (high - low) if high > low else 0.0  # beneath the lowest bar is room for its number
    panels = []
    for k in range(len(VERSIONS)):
        x0, y0 = (0.0, k * (TITLE + VALUE + tall + FOOT + BETWEEN)) if phone else (k * SECOND, 0.0)
        edges, top = x0 + np.arange(n + 1) * (PANEL_ON_PHONE if phone else PANEL) / n, y0 + TITLE + VALUE
        panels.append(Panel(edges, top + high * pixels if pixels else top + tall, pixels, top, top + tall))
    for panel, (version, title) in zip(panels, VERSIONS, strict=True):
        known = answered or version == "whole"
        sheet.write(panel.x[0], panel.top - VALUE - 17, bold(title), 15 if phone else 18, anchor="middle right")
        _bars(sheet, stale, panel, version, known)
        _beneath(sheet, stale, panel, words, version, known)
        _context_line(sheet, stale, panel, version, answered)
    for j in range(len(asked.names)):
        answer_part(sheet, asked, j, panels[0].column(j, values[j]))
    if answered and not asked.right:
        sheet.frame(*panels[0].column(n - 2, values[n - 2]), sheet.colors.ink, 2.5)
    bottom = panels[-1].bottom + FOOT
    hint(sheet, asked, 1, bottom)
    return under_headline(sheet, says).figure(bottom + 8, min_width=640)


def _values(stale: StaleKey) -> np.ndarray:
    """What the contexts are made of."""
    return stale.whole.v[stale.whole.kv_head(stale.head), :, 0]


def _bars(sheet: Sheet, stale: StaleKey, panel: Panel, version: str, known: bool) -> None:
    """Each value to scale; filled what is taken in, as much of its colour as its weight has of the largest. Of the cache only the new
    one is, until it is known which."""
    values, shares = _values(stale), np.nan_to_num(getattr(stale, version).weights[stale.head, -1])
    colors = sheet.colors
    most, n = max(float(shares.max()), 1e-9), len(values)
    wide, pale = (panel.x[1] - panel.x[0]) * sheet.wide, ON_BLACK if colors == DARK else PALE
    size, level = min(20.0, 0.3 * wide), panel.height(stale.contexts[[name for name, _ in VERSIONS].index(version)])
    for j, (value, said) in enumerate(zip(values.tolist(), texts(values), strict=True)):
        x0, x1 = panel.x[j] + (1 - THIN) / 2 * wide / sheet.wide, panel.x[j + 1] - (1 - THIN) / 2 * wide / sheet.wide
        far = panel.height(value)
        box = x0, min(far, panel.zero), x1, max(far, panel.zero)
        waits = not known and j < n - 1
        share = 0.0 if waits else float(shares[j]) / most
        fill = faded(colors, colors.value, pale + (1 - pale) * share)
        sheet.bar(*box, fill)
        if waits:
            sheet.line(rectangle(*box), colors.value, 1.5)
        if size >= LEAST and ems(said) * size < 1.05 * wide:
            y, up, strong = far, 1 if not value < 0 else -1, share > 0.01
            ink = colors.ink if strong or waits else colors.muted
            if abs(y - 12 * up - level) > 13:
                y -= 12 * up
            elif box[3] - box[1] > 24:  # the level would cross it
                y, ink = y + 13 * up, ink_on(fill)
            else:
                y = level - 14 * up
            sheet.write((x0 + x1) / 2, y, bold(said, strong), size, ink)
    sheet.bar(panel.x[0], panel.zero - 0.75, panel.x[-1], panel.zero + 0.75, colors.line)


def _beneath(sheet: Sheet, stale: StaleKey, panel: Panel, words: Sequence[str], version: str, known: bool) -> None:
    """Whose value it is, and the new query's score with its key, the high ones on blue; of those that are kept one empty place, until it
    is known which."""
    scores, colors, y, n = getattr(stale, version).scores[stale.head, -1], sheet.colors, panel.bottom + SCORE, len(words)
    wide, edge = (panel.x[1] - panel.x[0]) * sheet.wide, (1 - THIN) / 2 * (panel.x[1] - panel.x[0])
    said = texts(scores, sign=True)
    size = type_size(max(said, key=ems), THIN * wide - 4, LARGE, strong=False)
    for j, (word, score) in enumerate(zip(words, said, strict=True)):
        x, new = (panel.x[j] + panel.x[j + 1]) / 2, j == n - 1
        label = short(word, wide - 2, 15) if wide >= 30 else str(j + 1) if wide >= 16 else ""
        sheet.write(x, panel.bottom + WORD, bold(label, new), 15 if wide >= 30 else LEAST, colors.accent if new else colors.ink)
        if known or new:
            high = scores[j] == scores[-1] and scores[-1] > 0
            fill = colors.scores[-1] if high else colors.hole
            sheet.bar(panel.x[j] + edge, y - HALF, panel.x[j + 1] - edge, y + HALF, fill)
            if size >= LEAST:
                sheet.write(x, y, bold(score, high), size, ink_on(fill))
    if not known:
        left, right = panel.x[0] + edge, panel.x[-2] - edge
        open_place(sheet, left, y - HALF, right, y + HALF)
        sheet.write((left + right) / 2, y, "<b>?</b>", 34)
    sheet.write(panel.x[-1] + BESIDE, y, "score" if sheet.phone else "score of its key", 15, colors.muted, "middle right")


def _average(stale: StaleKey, version: str) -> str:
    """The sum that a context is, where its two or three values count the same."""
    weights = getattr(stale, version).weights[stale.head, -1]
    values = texts(_values(stale)).tolist()
    counted = np.flatnonzero(weights > 1e-6).tolist()
    if 2 <= len(counted) <= 3 and np.ptp(weights[counted]) < 1e-6:
        parts = [values[j] for j in counted]
        as_written = sum(as_number(values[j]) for j in counted) / len(counted)
        said = contexts_side_by_side(stale.contexts, stale.values)[[name for name, _ in VERSIONS].index(version)]
        parts[1:] = map(in_brackets, parts[1:])
        return f"({' + '.join(parts)}) / {len(counted)}" if equals(as_written, said) == "=" else ""
    return ""


def _context_line(sheet: Sheet, stale: StaleKey, panel: Panel, version: str, answered: bool) -> None:
    """The context as a line across the values, and its number at the line's end; beneath it that it is wrong, or what it is of."""
    k = [name for name, _ in VERSIONS].index(version)
    context, said = stale.contexts[k], contexts_side_by_side(stale.contexts, stale.values)[k]
    right = stale.whole.context[stale.head, -1, 0]
    wrong, x = abs(context - right) > 1e-6, panel.x[-1] + BESIDE
    ink = sheet.colors.wasted if wrong else sheet.colors.ink
    y = panel.height(context)
    if np.isfinite(context):
        sheet.line(f"M{panel.x[0]:.5f},{y:.1f}L{panel.x[-1] + 0.6 * BESIDE:.5f},{y:.1f}", ink, 3, layer="above")
    large = 30.0 if sheet.phone else 40.0
    y = min(max(y, panel.top + 0.5 * large), panel.bottom - 0.5 * large - 22)
    sheet.write(
        x, y, bold(said), min(large, (0.99 - x if k or sheet.phone else SECOND - x) * sheet.wide / ems(said)), ink, "middle right"
    )
    average = _average(stale, version) if answered else ""  # it would say which key it is
    beneath = (
        f"= {average}" if average and wrong and ems(average) * 17 < (0.98 - x if sheet.phone else SECOND - x) * sheet.wide else ""
    )
    beneath = beneath or ("wrong" if wrong else "context" if not sheet.phone else "")
    size = 15 if not wrong else 14 if sheet.phone else 17
    if beneath:
        sheet.write(x, y + 0.5 * large + 12, beneath, size, ink if wrong else sheet.colors.muted, "middle right")
