"""One head, one new query, its keys as they are kept, of which one is out of date, and as they are when all are computed again."""

from collections.abc import Sequence

import numpy as np

from engine.experiments.broken_caches import StaleKey
from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part, hint
from pages.parts.drawing.cells import Texts, cells, texts, write_in
from pages.parts.drawing.grid import Grid, diverging, mosaic
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.machine_rows import value_cells
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import contexts_side_by_side

LEFT, CELLS, WIDEST, APART = 0.17, 0.66, 0.145, 0.025  # shares of the width: names, all cells, one cell, before the contexts
PHONE_CELLS, PHONE_TALL, PHONE_GAP = (
    0.78,
    36.0,
    30.0,
)  # on a phone, where names stand above the rows and at the right of the cells
TOP, SCORES, GAP, LEAST = 52.0, 30.0, 6.0, 12.0  # pixels above the values, the scores, between two rows; the smallest type
MOST_HIGH = 66.0  # pixels of a cell with one number
VALUE = 0.28  # of a score's cell is its value high
ROOM = 222.0  # pixels that the rows share on a projector
VERSIONS = (("cached", "<b>with the cache</b>"), ("whole", "<b>recomputed</b>"))


def stale_key(
    sheet: Sheet, stale: StaleKey, words: Sequence[str], answered: bool = True, asked: Asked = NOT_ASKED, says: str = ""
) -> SheetFigure:
    """The new row's scores in either version with the context they give, beneath the values that it is made of.

    words: (n,), the new token last. answered: whether the stale key is pointed at; asked: which stored key is out of date.
    says: what either version comes to.
    """
    n = len(words)
    left, gap = (0.003, PHONE_GAP) if sheet.on_phone() else (LEFT, GAP)
    lined = 18.0 * bool(asked.guess or asked.right)  # pixels beneath the first row, for the line that says whose guess is marked
    tall = PHONE_TALL if sheet.phone else sheet.row(ROOM - lined, len(VERSIONS) + 0.5, 24, 108)
    edges = left + np.arange(n + 1) * min((PHONE_CELLS if sheet.phone else CELLS) / n, 1.1 * WIDEST if sheet.phone else WIDEST)
    low = max(26.0 if sheet.phone else 24.0, 0.4 * tall)  # of the values, which are not the point
    values, first = Grid(edges, np.array([TOP, TOP + low])), TOP + low + SCORES
    high = min(tall, MOST_HIGH + 0.2 * sheet.spare)  # of a cell in its row
    starts = [first + k * (tall + gap) + lined * (k > 0) + (tall - high) / 2 for k in range(len(VERSIONS))]
    rows = [Grid(edges, np.array([y, y + high])) for y in starts]
    size = min(20.0, 0.6 * high, values.wide * sheet.wide / (3.4 * LETTER))
    _words(sheet, values, words, stale.head)
    _values(sheet, stale, values, min(size, 0.6 * low))
    _scores(sheet, stale, rows, size, answered)
    titles = [(edges[0], "score of the new query with each key")] * (not sheet.phone) + [(edges[-1] + APART, "context")]
    for x, title in titles:
        sheet.write(x, float(rows[0].y[0]) - 13, bold(title), 14 if sheet.phone else 16, anchor="middle right")
    _contexts(sheet, stale, rows, answered)
    if not sheet.phone:
        _taken_in(sheet, stale, rows, answered)
    for j in range(len(asked.names)):
        answer_part(sheet, asked, j, rows[0].box(0, j), (rows[0].across[j], rows[0].y[-1] + 10, "middle center"))
    bottom = first + 2 * tall + gap + lined
    hint(sheet, asked, 1, bottom + 14)
    if answered:
        _out_of_date(sheet, rows, n - 2, lined > 0)
        if not asked.right:
            sheet.frame(*rows[0].box(0, n - 2), sheet.colors.ink, 2.5)
    return under_headline(sheet, says).figure(bottom + 24, min_width=0 if sheet.phone else 640)


def _words(sheet: Sheet, grid: Grid, words: Sequence[str], head: int) -> None:
    """Words and positions above the columns, the new one in the colour of "new"."""
    colors, pixels = sheet.colors, grid.wide * sheet.wide
    _name(sheet, grid, 12, f"<b>head {head + 1}</b>", colors.ink)
    for j, (x, word) in enumerate(zip(grid.across, words, strict=True)):
        new, label = j == len(words) - 1, short(word, max(pixels, 8), 14) if pixels >= 30 else str(j + 1)
        sheet.write(x, TOP - 13, bold(label, new), 14 if pixels >= 30 else LEAST, colors.accent if new else colors.muted)
        if pixels >= 30:
            sheet.write(x, TOP - 34, str(j + 1), 13, colors.muted)


def _name(sheet: Sheet, grid: Grid, y: float, text: str, color: str) -> None:
    """What a row is called: at its left, on a phone at its right."""
    at = (
        (grid.x[-1] + APART, y, text, 15, color, "middle right")
        if sheet.phone
        else (grid.x[0] - 0.012, y, text, 15, color, "middle left")
    )
    sheet.write(*at)


def _values(sheet: Sheet, stale: StaleKey, grid: Grid, size: float) -> None:
    """What the contexts are made of."""
    layer = stale.whole
    values = layer.v[layer.kv_head(stale.head), :, 0]
    shades, scale = value_cells(sheet.colors, values)
    written = Texts(texts(values[None]), size) if size >= LEAST else None
    cells(sheet, grid, shades[None], scale, written)
    _name(sheet, grid, float(grid.down[0]), "<b>value</b>", sheet.colors.value)


def _scores(sheet: Sheet, stale: StaleKey, rows: Sequence[Grid], size: float, answered: bool) -> None:
    """The new query's scores, both versions as one heatmap; of the cache the old ones wait, until it is known which is wrong."""
    z = np.stack([getattr(stale, version).scores[stale.head, -1] for version, _ in VERSIONS])
    scale, hidden = diverging(sheet.colors.scores, z), np.zeros(z.shape, bool)
    hidden[0, :-1] = not answered
    z = np.where(hidden, np.nan, z)
    sheet.heatmap(*mosaic([(row, z[i : i + 1]) for i, row in enumerate(rows)]), scale)
    for i, row in enumerate(rows):
        if size >= LEAST:
            write_in(sheet, row, Texts(texts(z[i : i + 1], sign=True), size), scale.inks(z[i : i + 1]))
        if hidden[i].any():  # one of them is out of date, and as high as the newest
            sheet.line("".join(rectangle(*row.box(0, j)) for j in np.flatnonzero(hidden[i])), sheet.colors.ink, 1.5, "dash")
            mark = f"{texts(z[i, -1:], sign=True)[0]}?" if size >= LEAST and row.wide * sheet.wide > 50 else "?"
            sheet.write_all(row.across[hidden[i]], float(row.down[0]), [mark] * int(hidden[i].sum()), max(size, LEAST))
        if sheet.phone:
            sheet.write(row.x[0], float(row.y[0]) - 13, f"{VERSIONS[i][1]}: scores", 14, anchor="middle right")
        else:
            sheet.write(row.x[0] - 0.012, row.down[0], VERSIONS[i][1], 15, anchor="middle left")


def _out_of_date(sheet: Sheet, rows: Sequence[Grid], j: int, lined: bool) -> None:
    """A line from the score of the stale key down to that of the same key made anew. lined: whether a mark is written between them."""
    x, y0, y1 = float(rows[0].across[j]), float(rows[0].y[-1]) + 20 * lined, float(rows[1].y[0])
    half, ink = 6 / sheet.wide, sheet.colors.ink
    sheet.frame(*rows[1].box(0, j), ink, 1.5)
    if y1 - y0 > 12:
        sheet.line(f"M{x:.5f},{y0:.1f}L{x:.5f},{y1 - 9:.1f}", ink, 2)
        sheet.path(f"M{x - half:.5f},{y1 - 9:.1f}L{x + half:.5f},{y1 - 9:.1f}L{x:.5f},{y1:.1f}Z", ink)
    if y1 - y0 > 22 and not sheet.phone:
        sheet.write(x + 14 / sheet.wide, (y0 + y1) / 2, "its key made anew", 14, sheet.colors.muted, "middle right")


def _taken_in(sheet: Sheet, stale: StaleKey, rows: Sequence[Grid], answered: bool) -> None:
    """At the foot of each score the value that its weight takes in, as wide as its share; of the cache once it is known."""
    values = stale.whole.v[stale.whole.kv_head(stale.head), :, 0]
    shades, scale = value_cells(sheet.colors, values)
    for row, (version, _) in list(zip(rows, VERSIONS, strict=True))[not answered :]:
        tall = VALUE * row.tall
        for j, share in enumerate(np.nan_to_num(getattr(stale, version).weights[stale.head, -1]).tolist()):
            if share * row.wide * sheet.wide < 2:
                continue
            half = share * row.wide / 2
            part = Grid(np.array([row.across[j] - half, row.across[j] + half]), np.array([row.y[-1] - tall, row.y[-1]]))
            fits = tall >= 15 and 2 * half * sheet.wide > 13 * ems(texts(values[j : j + 1])[0]) + 4
            cells(sheet, part, shades[None, j : j + 1], scale, Texts(texts(values[None, j : j + 1]), 13) if fits else None)


def _average(stale: StaleKey, version: str) -> str:
    """The sum that a context is, where its two or three values count the same."""
    weights = getattr(stale, version).weights[stale.head, -1]
    values = texts(stale.whole.v[stale.whole.kv_head(stale.head), :, 0]).tolist()
    counted = np.flatnonzero(weights > 1e-6).tolist()
    if 2 <= len(counted) <= 3 and np.ptp(weights[counted]) < 1e-6:
        return f"({' + '.join(values[j] for j in counted)}) / {len(counted)}"
    return ""


def _contexts(sheet: Sheet, stale: StaleKey, rows: Sequence[Grid], answered: bool) -> None:
    """What either version makes of the values, and whether that is wrong; of what it is the average, once it is known."""
    contexts, texts = stale.contexts, contexts_side_by_side(stale.contexts, stale.values)
    right = stale.whole.context[stale.head, -1, 0]
    for i, row in enumerate(rows):
        wrong, x = abs(contexts[i] - right) > 1e-6, row.x[-1] + APART
        size = min(30.0 if sheet.phone else 40.0, (0.8 if sheet.phone else 0.56) * row.tall)
        ink = sheet.colors.wasted if wrong else sheet.colors.ink
        lined = wrong and not sheet.phone
        sheet.write(x, row.down[0] - min(16.0, 0.2 * row.tall) * lined, bold(texts[i]), size, ink, "middle right")
        if lined:
            average = _average(stale, VERSIONS[i][0]) if answered else ""
            said = f"= {average}" if average and ems(average) * 17 < (0.98 - x) * sheet.wide else "wrong"
            sheet.write(x, row.down[0] + 18, said, 17, ink, "middle right")
