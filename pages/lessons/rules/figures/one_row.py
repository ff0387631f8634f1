"""One token looks back: the machine, one row of it. Its query meets the key of every token, and of the values it takes its shares.

The way of each value is a line: along its token's row to its own column, and there to the row that asks, where it is said what share
of it is taken. The other heads stand beside it, small.
"""

from collections.abc import Container, Sequence

import numpy as np

from engine.attention import Attention
from engine.toy.by_hand import RowByHand
from pages.lessons.rules.figures.heads_list import heads_list
from pages.lessons.rules.figures.look import AT, TO_FIND, HeadLine, Look, each_may_ask
from pages.lessons.rules.figures.products import PRODUCT, level_of, products_of, shares_said, whole
from pages.parts.drawing.answers import answer_rows
from pages.parts.drawing.cells import Texts, cells
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import HEAD, LEAST, Place, Span, cache_frame, token_boxes
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, bold_ems, ems, rectangle, type_size
from pages.parts.text.format import SEEN, entered, plural

HEIGHT, FOOT = 356.0, 14.0  # pixels of the whole on a projector, and beneath its rows
LOWEST = 15.0  # pixels of a row, at least
HIGHEST = 74.0  # pixels of a row, at most
WIDEST = 92.0  # pixels of a cell, at most
LARGE = 30.0  # type size of what comes out
INSET, ROOMY = 0.12, 30.0  # of a row's height round its cells; pixels of a row that has room there, for the line of its own key
STRIPE = 11.0  # pixels of a stripe that has room for the number of its place
UNDER = 0.24  # of a row's height, beneath cells with shares


def one_row(sheet: Sheet, layer: Attention, look: Look, words: Sequence[str], lines: Sequence[HeadLine]) -> SheetFigure:
    """words: (n,); lines: one for each head. Pressing a token's row lets that token ask."""
    n, looks = len(words), lines[look.head].looks
    tall, asks = sheet.row(HEIGHT - HEAD - FOOT - look.less, n, LOWEST, HIGHEST), sheet.colors.prefill
    place = Place(HEAD + np.arange(n + 1) * tall, tall, n, n, 0)
    bottom, (left, right) = float(place.tops[-1]), AT.cells
    cell = min((right - left) / n, WIDEST / WIDTH)
    box = _inset(Grid(left + np.arange(n + 1) * cell, place.tops[look.query : look.query + 2]), UNDER)
    sheet.bar(0, place.tops[look.query], AT.context, place.tops[look.query + 1], faded(sheet.colors, asks, 0.1))
    edge = AT.values[1] + 8 / WIDTH
    sheet.path(rectangle(AT.keys[0] - 8 / WIDTH, 4.0, edge, bottom + 6), sheet.colors.surface, sheet.colors.line, 1)
    cache_frame(sheet, layer, look.head, place._replace(n=len(looks.visible)), (AT.keys, AT.values), None)
    token_boxes(sheet, place, words, AT.tokens, {look.query})
    _query(sheet, layer, look, place)
    _place_numbers(sheet, layer, (look.head, look.query, len(looks.visible)), place, (AT.query, AT.keys))
    _unfilled(sheet, looks, place, look)
    _draw_ways(sheet, looks, look, place, (edge, box))
    products = products_of(lines[look.head], look, place, box)
    for x, y, text in products.values():
        sheet.write(x, y, text, PRODUCT, anchor="middle right")
    _cells(sheet, lines[look.head], look, box, set(products))
    sheet.frame(*box.edges, asks, 2)
    name = "weight of each value" if look.told else "which weight?"
    sheet.write(left, HEAD - 14, bold(name), 15, anchor="middle right")
    _context(sheet, lines[look.head], look, place, box)
    height = heads_list(sheet, lines, look, AT.heads, (0.0, bottom)) if look.others else 0.0
    answer_rows(sheet, look.asked, Grid(np.array([AT.tokens[0], edge]), place.tops), AT.keys[0] - 6 / WIDTH)
    grid = each_may_ask(sheet, look, Grid(np.array([0, edge]), place.tops), words)
    return sheet.figure(max(height, bottom + FOOT), min_width=760, grid=grid)


def _inset(grid: Grid, under: float = INSET) -> Grid:
    """The cells of a row, which leave some of its height free."""
    above, under = (gap * grid.tall if grid.tall >= ROOMY else 1.0 for gap in (INSET, under))
    return Grid(grid.x, np.array([grid.y[0] + above, grid.y[1] - under]))


def _query(sheet: Sheet, layer: Attention, look: Look, place: Place) -> None:
    """What the row that asks searches for, place by place; the other rows' queries are thrown away, and seen as outlines."""
    colors, n, row = sheet.colors, place.n, look.query
    sheet.write(AT.query[0], HEAD - 14, "<b>query</b>", 15, colors.query, "middle right")
    sizes = np.maximum(layer.q[look.head, row, :n], 0)
    scale = Scale((faded(colors, colors.query, 0.3), colors.query))
    cells(sheet, _inset(place.grid(AT.query, n, row, row + 1)), (sizes / (sizes.max() or 1))[None], scale, hover=False)
    if place.tall >= ROOMY:
        # There it says whose guess it is.
        guessed = [k for k, name in enumerate(look.asked.names) if name and name == look.asked.guess]
        _outlines(sheet, [_inset(place.grid(AT.query, 1, i, i + 1)) for i in range(n) if i != row and i not in guessed])


def _outlines(sheet: Sheet, places: Sequence[Grid]) -> None:
    if path := "".join(rectangle(*place.edges) for place in places):
        sheet.line(path, sheet.colors.line, 1, "dot")


def _unfilled(sheet: Sheet, looks: RowByHand, place: Place, look: Look) -> None:
    """Drawers that are hidden from the row that asks: their tokens come later."""
    hidden = [j for j in range(place.n) if j not in looks.visible]
    if not hidden:
        return
    top, bottom = float(place.tops[hidden[0]]), float(place.tops[hidden[-1] + 1])
    if place.tall >= ROOMY:
        _outlines(sheet, [_inset(place.grid(column, 1, j, j + 1)) for column in (AT.keys, AT.values) for j in hidden])
    if bottom - top >= 16:
        said = plural(len(hidden), "comes later", "come later")
        sheet.write(AT.cells[0], (top + bottom) / 2, said, 15.0, sheet.colors.muted, "middle right")


def _draw_ways(sheet: Sheet, looks: RowByHand, look: Look, place: Place, ends: tuple[float, Grid]) -> None:
    """The query along its row; and of each token its key, or of those that something is taken of the value, to its own column: where
    shares are told, as wide as the share that is taken."""
    colors, (start, box), row = sheet.colors, ends, look.query
    sheet.line(f"M{start:.5f},{place.middle(row):.2f}L{box.x[0]:.5f},{place.middle(row):.2f}", colors.query, 3)
    for j in looks.visible:
        strong = look.told and abs(looks.weights[j]) > SEEN
        if look.told and not strong:
            continue  # nothing goes that way
        x, y = box.across[j], level_of(j, row, place, box)
        wide = max(1.5, whole(place) * abs(looks.weights[j])) if strong else 1.5
        if strong and j != row:  # over lines that come down from above
            sheet.line(f"M{start:.5f},{y:.2f}L{x - wide / WIDTH:.5f},{y:.2f}", colors.surface, wide + 4)
        way = f"M{start:.5f},{y:.2f}L{x:.5f},{y:.2f}L{x:.5f},{box.y[0] if j < row else box.y[1]:.2f}"
        sheet.line(way, colors.value if strong else faded(colors, colors.value, 0.4), wide)


def _cells(sheet: Sheet, line: HeadLine, look: Look, box: Grid, written: Container[int]) -> None:
    """Where the query meets a key: whether they match, or the share, with its value where the sum is told and it is not written at the
    line of that token; a hole without a key."""
    looks, summed = line.looks, line.result != TO_FIND
    colors, n, pixels = sheet.colors, len(looks.values), box.wide * WIDTH
    visible = np.isin(np.arange(n), looks.visible)
    shown = visible | (looks.weights != 0)  # something leaks to what is hidden where −10⁹ stands for −∞
    if not shown.all():
        sheet.bars([box.box(0, j) for j in np.flatnonzero(~shown)], colors.hole)
    if not look.told:
        sheet.write_all(box.across[shown], float(box.down[0]), ["?"] * int(shown.sum()), 20)
        return
    z, scale, said = looks.weights, Scale(colors.weights), shares_said(looks.weights.tolist(), looks.values)
    if summed and box.tall > 46:
        pairs = enumerate(zip(said, looks.values, strict=True))
        said = [share if share == "0" or j in written else f"{share}<br>× {entered(v)}" for j, (share, v) in pairs]
    longest = max(ems(part) for text in said for part in text.split("<br>"))
    size = min(17.0, (0.5 if box.tall > 30 else 0.8) * box.tall, (pixels - 3) / longest)
    words = np.array([[text if here else "" for text, here in zip(said, shown, strict=True)]], object)
    if pixels > 50 and box.tall >= ROOMY:
        sheet.write_all(box.across[~shown], float(box.down[0]), ["hidden"] * int((~shown).sum()), LEAST, colors.muted)
    cells(sheet, box, np.where(shown, z, np.nan)[None], scale, Texts(words, size) if size >= LEAST - 0.5 else None)


def _context(sheet: Sheet, line: HeadLine, look: Look, place: Place, box: Grid) -> None:
    """What the shares add up to, at the end of the row that asks: all that is taken flows there."""
    colors, looks, result = sheet.colors, line.looks, line.result
    size = (1.4 if result == TO_FIND else 1.0) * LARGE if place.tall >= 40 and len(result) < 6 else 20.0
    room = AT.context - float(box.x[-1]) - 0.02  # beside the cells
    size = type_size(result, room * WIDTH, size, 20.0)
    y = place.middle(look.query)
    ink = colors.muted if result in ("none", "NaN") else colors.ink
    sheet.write(AT.context - 4 / WIDTH, y, bold(result), size, ink, "middle left")
    sheet.write(AT.context - 4 / WIDTH, HEAD - 14, "<b>context</b>", 15, anchor="middle left")
    end = AT.context - (size * bold_ems(result) + 12) / WIDTH
    taken = sum(abs(w) for w in looks.weights if abs(w) > SEEN) if look.told else 0.0
    if end > box.x[-1] and (taken or not look.told):
        color = colors.value if taken else faded(colors, colors.value, 0.4)
        sheet.line(f"M{box.x[-1]:.5f},{y:.2f}L{end:.5f},{y:.2f}", color, max(1.5, whole(place) * taken))


def _place_numbers(sheet: Sheet, layer: Attention, look: tuple[int, int, int], place: Place, spans: tuple[Span, Span]) -> None:
    """What the stripes of a query and of keys mean: a key names the place at which its token stands.

    look: head, the row that asks, and how many keys there are to meet; spans: of the query and of the keys. Nothing is written where
    there is no room, and where a key says something else than its place.
    """
    (head, query, n_key), n = look, place.n
    keys = layer.k[layer.kv_head(head), :n, :n] > 0
    grids = [place.grid(span, n) for span in spans]
    if not np.array_equal(keys, np.eye(n, dtype=bool)) or min(grid.wide for grid in grids) * WIDTH < STRIPE or place.tall < LEAST:
        return
    searched = [(query, j) for j in np.flatnonzero(layer.q[head, query, :n] > 0)]
    colors = sheet.colors.query, sheet.colors.key
    for grid, color, stripes in zip(grids, colors, (searched, [(j, j) for j in range(n_key)]), strict=True):
        for i, j in stripes:
            sheet.write(grid.across[j], place.middle(i), f"<b>{j + 1}</b>", LEAST, ink_on(color))
