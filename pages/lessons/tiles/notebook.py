"""The lesson on tiles as a notebook: one row block by block, a whole map that is never there, and the bytes that this saves."""

import numpy as np

from engine.caches.tiles import tile_floats
from pages.lessons.tiles import maps, steps
from pages.lessons.tiles.figures.held_bytes import LEAST, MOST
from pages.parts.controls.shared_parameters import HEAD, P
from pages.parts.controls.toy_notebook import scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, literal, prose
from pages.parts.text.format import quantity

ROW = """
top, total, summed = -np.inf, 0.0, 0.0  # largest score, sum of exponentials, weighted values: all of them so far
running = []
for start in range(0, len(row), block):
    s, v = row[start : start + block], row_values[start : start + block]
    new_top = max(top, s.max())
    correction = np.exp(top - new_top)  # what was summed below the old maximum is too large by its inverse
    total = total * correction + np.exp(s - new_top).sum()
    summed = summed * correction + np.exp(s - new_top) @ v
    top = new_top
    running.append([top, total, summed / total])
whole = softmax(row) @ row_values
assert np.allclose(summed / total, whole)
"""
MAP = '''
def by_tiles(q, k, v, side):
    """Contexts of all rows and how many tiles that took: a block of queries against a block of keys at a time."""
    contexts, tiles = np.zeros((len(q), v.shape[1])), 0
    for first in range(0, len(q), side):
        queries = q[first : first + side]
        i = first + np.arange(len(queries))[:, None]
        top, total, summed = np.full((len(queries), 1), -np.inf), 0.0, 0.0
        for start in range(0, first + len(queries), side):  # a tile right of the diagonal is never asked for
            keys, j = k[start : start + side], start + np.arange(len(k[start : start + side]))
            scores = np.where(j <= i, queries @ keys.T / np.sqrt(q.shape[1]), -np.inf)
            new_top = np.maximum(top, scores.max(axis=1, keepdims=True))
            correction, e = np.exp(top - new_top), np.exp(scores - new_top)
            total = total * correction + e.sum(axis=1, keepdims=True)
            summed = summed * correction + e @ v[start : start + side]
            top, tiles = new_top, tiles + 1
        contexts[first : first + side] = summed / total
    return contexts, tiles
'''


def cells(question: str) -> list[Cell]:
    (row,) = steps.given()
    head = HEAD.value(high=len(row.scenario.rules)) - 1
    n = len(row.words)
    n_block = steps.BLOCK.value(low=-(-n // steps.MOST_BLOCKS), high=n)
    found = steps.row_tiles(row, head, n_block)
    values = row.layer.v[row.layer.kv_head(head), :, 0]
    return [
        *scenario_cells(row.scenario, question),
        prose(
            f"## One row, {quantity(n_block, 'key')} at a time\n\nThe last row of head {head + 1}; the whole row at once must come out too."
        ),
        code(
            f"row_values = np.array({literal(values)})  # a word of the answer stands behind a prompt of one token\n"
            f"row = rows(len(row_values), row_values, only_last(len(row_values)))[0][{head}, -1]  # its scores\n"
            f"block = {n_block}\n{ROW}"
        ),
        checked("row", row.layer.scores[head, -1], "scores of the row"),
        checked(
            "np.array(running)", [[t.top[0], t.total[0], t.context[0, 0]] for t in found],
            "largest score, sum of exponentials and context after each block",
        ),
        *_map(),
        *_bytes(),
    ]  # fmt: skip


def _map() -> list[Cell]:
    """All rows of a head as wide and long as the trained one."""
    q, _, v = maps.trained_head()
    n = len(q)
    side = maps.MAP_BLOCK.value(high=n)
    n_tiles = sum(-(-min(start + side, n) // side) for start in range(0, n, side))
    return [
        prose(
            "## The whole map, never there at once\n\nNumbers drawn at random, of the same shape as the trained head on the page."
        ),
        code(
            f"n, d_head, d_value, side = {n}, {q.shape[1]}, {v.shape[1]}, {side}\nrng = np.random.default_rng(0)\nq, k, v = "
            f"(rng.normal(size=(n, d)) for d in (d_head, d_head, d_value))\n{MAP}\n\ncontexts, tiles = by_tiles(q, k, v, "
            "side)\nseen = np.arange(n) <= np.arange(n)[:, None]\nwhole = softmax(np.where(seen, q @ k.T / np.sqrt(d_head), "
            "-np.inf)) @ v\nassert np.allclose(contexts, whole)"
        ),
        checked("[tiles, contexts.size, n * n]", [n_tiles, v.size, n * n], "tiles, numbers that stay, scores of the whole map"),
    ]


def _bytes() -> list[Cell]:
    """The bytes of a long text."""
    n = max(LEAST, min(MOST, P.value(default=maps.ASKED, high=MOST)))
    size = int(maps.TILE.value({str(t): "" for t in maps.TILES}, "128"))
    width, a_number = maps.D_HEAD, maps.NUMBER_BYTES
    shown = [maps.map_bytes(n), maps.rows_bytes(n), a_number * tile_floats(size, size, width, width)]
    return [
        prose("## Bytes of a long text\n\nThe map grows with the square, the rows with the length, a tile not at all."),
        code(
            f"tokens, tile, width, a_number = {n}, {size}, {width}, {a_number}  # a_number: bytes\na_map = tokens * tokens * "
            "a_number\nrows_of_all = 4 * tokens * width * a_number  # queries, keys, values, contexts\none_tile = (tile * tile + "
            "4 * tile * width + 2 * tile) * a_number  # scores, rows, two running sums"
        ),
        checked("[a_map, rows_of_all, one_tile]", np.array(shown), "bytes of the map, of the rows, of a tile"),
    ]
