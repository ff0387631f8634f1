"""One machine at work, and on it the six parts that the six questions are about: pale until its question is told, then in its colours.

Rows are the prompt's and the answer's, as many as there are, of more the first ones and dots; columns those of every machine.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.parts.drawing.grid import Grid
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle

TOP, FOOT = 74.0, 68.0  # pixels above and beneath the rows
UNDER, LOOP = 14.0, 26.0  # of these, down to the line of the values, and to that of the next word, which goes round it
ROOM, PHONE_ROW = 158.0, 15.0  # of all rows on a projector, of one on a phone
PROMPT, ANSWER = 8, 8  # rows that are drawn of either; of more these less one, and dots
PALE, UNTOLD = 0.8, 0.6  # of its colour is left of what has not been told; and of who looks at whom, of which there is a square
LEAST_SHARE = 0.005  # less would not be seen
LAYERS = 3  # that stand behind the first
ASIDE, UP = 5.0, 3.0  # pixels from one layer to the next: beneath the numbers above them
# Shares of the width. A part's number, and what it tells, stand above its column, or beneath it where that is taken.
TOKENS = (0.0, 0.1)
QUERY = (0.165, 0.215)
KEY = (0.29, 0.355)
VALUE = (0.365, 0.41)
GRID = (0.5, 0.755)
CONTEXT = (0.8, 0.875)
NEXT = (0.905, 1.0)
ORDER = (1, 2, 3, 0, 5, 4)  # in which the parts are met and numbered: above the machine as it runs, then beneath it
AT = ((CONTEXT[0], False), (0.0, False), (KEY[0], False), (GRID[0], False), (KEY[0], True), (sum(QUERY) / 2, True))


class Rows(NamedTuple):
    """Where the drawn rows lie. edges: (n + 1,) pixels; prompt: how many are the prompt's; dots: those that stand for more."""

    edges: np.ndarray
    prompt: int
    dots: frozenset[int]

    def box(self, i: int, across: tuple[float, float]) -> tuple[float, float, float, float]:
        """A row of a column, a little lower than it is."""
        return across[0], float(self.edges[i]) + 1, across[1], float(self.edges[i + 1]) - 1

    def drawn(self) -> list[int]:
        """The rows that are no dots."""
        return [i for i in range(len(self.edges) - 1) if i not in self.dots]

    def middle(self, i: int) -> float:
        """The middle of a row; -1 is the newest."""
        return float(self.edges[:-1][i] + self.edges[1:][i]) / 2


def six_parts(
    sheet: Sheet, said: Sequence[str], told: Sequence[bool], causal: bool, length: tuple[int, int], weights: Sequence[float]
) -> SheetFigure:
    """said: of each part what answers its question, in a few words, written once it is told. causal: whether the mask is on.

    length: tokens of the prompt, and passes of the answer. weights: what the prompt's last row takes of each of its values.
    """
    sheet.on_phone()
    colors, rows = sheet.colors, _rows(sheet, *length)
    _tokens(sheet, rows, told[1])
    _kept(sheet, rows, told)
    _grid(sheet, rows, causal, told)
    _contexts(sheet, rows, weights, told[0])
    names = (
        ("tokens", TOKENS, colors.ink), ("query", QUERY, colors.query), ("key", KEY, colors.key), ("value", VALUE, colors.value),
        ("weights", GRID, colors.ink), ("context", CONTEXT, colors.ink),
    )  # fmt: skip
    for name, (left, right), color in names:
        text = name[0].upper() if sheet.phone and name in ("key", "value") else name
        sheet.write((left + right) / 2, TOP - 16, bold(text), 13 if sheet.phone else 14, color)
    for k, text in enumerate(said):
        _number(sheet, k, text, told[k], float(rows.edges[-1]))
    return sheet.figure(float(rows.edges[-1]) + FOOT, min_width=700)


def _rows(sheet: Sheet, n_prompt: int, n_passes: int) -> Rows:
    """As many rows as there are tokens up to the bounds, with dots in the middle of what is more."""
    prompt, later = min(n_prompt, PROMPT), min(n_passes - 1, ANSWER)
    n = prompt + later
    tall = PHONE_ROW if sheet.phone else (ROOM + sheet.spare) / n
    dots = {prompt // 2} if n_prompt > PROMPT else set()
    dots |= {prompt + later // 2} if n_passes - 1 > ANSWER else set()
    return Rows(TOP + np.arange(n + 1) * min(tall, 46.0), prompt, frozenset(dots))


def _tokens(sheet: Sheet, rows: Rows, told: bool) -> None:
    """A box a token. Told, the prompt's are one pass, each later one is a pass of its own, and its word came out of the one before."""
    colors = sheet.colors
    for i in range(len(rows.edges) - 1):
        color = colors.prefill if i < rows.prompt else colors.decode
        if i in rows.dots:
            ink = colors.muted if not told else colors.surface if i < rows.prompt else color
            sheet.write(sum(TOKENS) / 2, rows.middle(i), "⋮", 16, ink)
        elif not told:
            sheet.bar(*rows.box(i, TOKENS), faded(colors, color, PALE))
        elif i >= rows.prompt:
            sheet.bar(*rows.box(i, TOKENS), color)
    if told:
        sheet.bar(TOKENS[0], float(rows.edges[0]) + 1, TOKENS[1], float(rows.edges[rows.prompt]) - 1, colors.prefill)
    y0, y1 = rows.middle(-1) - 13, rows.middle(-1) + 13
    sheet.frame(NEXT[0], y0, NEXT[1], y1, colors.decode, 2)
    name, size = ("word", 13) if sheet.phone else ("next word", 15)
    sheet.write(sum(NEXT) / 2, (y0 + y1) / 2, bold(name), size, colors.decode)
    # The newest row, from what is kept to the next word.
    through = (VALUE[1], GRID[0]), (GRID[1], CONTEXT[0]), (CONTEXT[1], NEXT[0])
    sheet.line("".join(f"M{x0:.4f},{rows.middle(-1):.1f}H{x1:.4f}" for x0, x1 in through), colors.muted, 2)
    color, width = colors.bar if rows.prompt == len(rows.edges) - 1 else colors.decode, 3 if told else 2
    low, middle, to = float(rows.edges[-1]) + LOOP, sum(NEXT) / 2, sum(TOKENS) / 2
    end, half = float(rows.edges[-1]) + 3, 5 / sheet.wide
    sheet.line(f"M{middle:.4f},{y1:.1f}L{middle:.4f},{low:.1f}L{to:.4f},{low:.1f}L{to:.4f},{end + 6:.1f}", color, width)
    sheet.path(f"M{to - half:.5f},{end + 7:.2f}L{to + half:.5f},{end + 7:.2f}L{to:.5f},{end:.2f}Z", color)


def _kept(sheet: Sheet, rows: Rows, told: Sequence[bool]) -> None:
    """Query, key and value of each row. Told what is kept, key and value stand in a frame and old queries are empty outlines; told
    what that costs, one frame a layer; told what is not saved, the newest query has a line to each key."""
    colors, drawn = sheet.colors, rows.drawn()
    top, bottom = TOP - 30, float(rows.edges[-1]) + 7
    left, right = KEY[0] - 0.012, VALUE[1] + 0.012
    for k in range(LAYERS * told[4], 0, -1):
        across, up = k * ASIDE / sheet.wide, k * UP
        sheet.path(rectangle(left + across, top - up, right + across, bottom - up), colors.surface, colors.muted, 1.2)
    known = told[2] or told[4]
    sheet.path(rectangle(left, top, right, bottom), colors.surface, colors.muted if known else colors.line, 2 if known else 1.2)
    for across, color in ((KEY, colors.key), (VALUE, colors.value)):
        sheet.bars((rows.box(i, across) for i in drawn), color if told[2] else faded(colors, color, PALE))
    old = drawn[:-1] if told[2] else []
    sheet.line("".join(rectangle(*rows.box(i, QUERY)) for i in old) or "M0,0Z", colors.bar, 1, "dot")
    sheet.bars((rows.box(i, QUERY) for i in drawn[len(old) : -1]), faded(colors, colors.query, PALE))
    sheet.bar(*rows.box(drawn[-1], QUERY), colors.query if told[5] else faded(colors, colors.query, PALE))
    y, x0, x1 = rows.middle(-1), QUERY[1], KEY[0]
    turn = (x0 + x1) / 2
    ways = [f"M{x0:.4f},{y:.1f}C{turn:.4f},{y:.1f} {turn:.4f},{end:.1f} {x1:.4f},{end:.1f}" for end in map(rows.middle, drawn)]
    color, width = (_newest_row_color(sheet, rows), 1.8) if told[5] else (colors.bar, 1.4)
    sheet.line("".join(ways), color, width, layer="above" if told[5] else "below")


def _grid(sheet: Sheet, rows: Rows, causal: bool, told: Sequence[bool]) -> None:
    """Who looks at whom, pale. Told why it stays true, the edge that nobody looks beyond is drawn, unless the mask is off; told what is
    not saved, the newest row is that of its phase."""
    colors, n = sheet.colors, len(rows.edges) - 1
    grid = Grid(np.linspace(*GRID, n + 1), rows.edges)
    gap, drawn = 1 / sheet.wide, rows.drawn()
    found: dict[str, list] = {}
    for i in drawn:
        for j in drawn:
            x0, y0, x1, y1 = grid.box(i, j)
            phase = colors.prefill if i < rows.prompt else colors.decode
            if j > i and causal:
                continue
            color = faded(colors, phase, PALE if told[3] else UNTOLD)
            if told[5] and i == n - 1:
                color = _newest_row_color(sheet, rows)
            elif told[3] and j > i:
                color = faded(colors, colors.wasted, 0.55)
            found.setdefault(color, []).append((x0 + gap, y0 + 1, x1 - gap, y1 - 1))
    for color, boxes in found.items():
        sheet.bars(boxes, color)
    sheet.line(rectangle(*grid.edges), colors.bar, 1)
    if told[3] and causal:
        corners = [(grid.x[0], grid.y[0])]
        for k in range(n):
            corners += [(grid.x[k + 1], grid.y[k]), (grid.x[k + 1], grid.y[k + 1])]
        sheet.line("M" + "L".join(f"{x:.5f},{y:.1f}" for x, y in corners), colors.ink, 2, layer="above")


def _newest_row_color(sheet: Sheet, rows: Rows) -> str:
    """The phase that computed the last row."""
    return sheet.colors.prefill if rows.prompt == len(rows.edges) - 1 else sheet.colors.decode


def _contexts(sheet: Sheet, rows: Rows, weights: Sequence[float], told: bool) -> None:
    """A context a row, of the values that come to it beneath the weights. Told what attention is for, the prompt's last one is made of
    the values' shares; so its row of weights has a frame as well."""
    colors, last = sheet.colors, rows.prompt - 1
    sheet.bars((rows.box(i, CONTEXT) for i in rows.drawn() if not (told and i == last)), faded(colors, colors.value, UNTOLD))
    left, top, right, bottom = rows.box(last, CONTEXT)
    end, x0, x1, half = float(rows.edges[-1]), sum(VALUE) / 2, (left + right) / 2, 5 / sheet.wide
    color, low = colors.value if told else faded(colors, colors.value, PALE), end + UNDER
    sheet.line(f"M{x0:.4f},{end:.1f}V{low:.1f}H{x1:.4f}V{end + 8:.1f}", color, 3 if told else 2)
    sheet.path(f"M{x1 - half:.5f},{end + 9:.2f}H{x1 + half:.5f}L{x1:.5f},{end + 1:.2f}Z", color)
    if not told:
        return
    begin = left
    for k, weight in enumerate(w for w in weights if w > LEAST_SHARE):
        end = min(right, begin + weight * (right - left))
        sheet.bar(begin, top, end, bottom, faded(colors, colors.value, 1 if k % 2 == 0 else 0.6))
        begin = end
    sheet.frame(left, top, right, bottom, colors.value, 2)
    sheet.frame(GRID[0], top, GRID[0] + (GRID[1] - GRID[0]) * rows.prompt / (len(rows.edges) - 1), bottom, colors.value, 2)


def _number(sheet: Sheet, k: int, text: str, told: bool, bottom: float) -> None:
    """The question's number at its part, filled once that is told, and then what answers it."""
    colors, (x, beneath) = sheet.colors, AT[k]
    newest = k == ORDER[4]  # beneath the column of the query, which leaves room at its left
    y, middle = bottom + FOOT - 20 if beneath else 16.0, x + (0 if newest else 17 / sheet.wide)
    fill = colors.ink if told else colors.surface
    if beneath and not told:  # to the part that it is about: the newest query, the frame of the cache
        sheet.line(f"M{middle:.5f},{y - 15:.1f}V{bottom + (1 if newest else 8):.1f}", colors.ink, 1.4)
    sheet.dots([middle], [y], 30, fill, (colors.ink, 2.5))
    if not told:
        half = 18 / sheet.wide
        sheet.answers.append([k, middle - half, y - 18, middle + half, y + 18, f"question {ORDER.index(k) + 1}"])
    sheet.write(middle, y, bold(str(ORDER.index(k) + 1)), 18, ink_on(fill) if told else colors.ink)
    if told and not sheet.phone:
        x, anchor = (middle - 22 / sheet.wide, "middle left") if newest else (middle + 25 / sheet.wide, "middle right")
        sheet.write(x, y, bold(text), 18, anchor=anchor)
