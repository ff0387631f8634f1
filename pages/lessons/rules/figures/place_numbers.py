"""The numbers of places on the stripes of a query and of keys: what the stripes mean. A key names the place at which its token stands."""

import numpy as np

from engine.attention import Attention
from pages.parts.drawing.machine_rows import LEAST, Place, Span
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet

STRIPE = 11.0  # pixels of a stripe that has room for a number


def place_numbers(
    sheet: Sheet, layer: Attention, look: tuple[int, int, int], place: Place, spans: tuple[Span, Span], wide: float
) -> None:
    """look: head, the row that asks, and how many keys there are to meet; spans: of the query and of the keys.

    Nothing is written where there is no room, and where a key says something else than its place.
    """
    (head, query, n_key), n = look, place.n
    keys = layer.k[layer.kv_head(head), :n, :n] > 0
    grids = [place.grid(span, n) for span in spans]
    if not np.array_equal(keys, np.eye(n, dtype=bool)) or min(grid.wide for grid in grids) * wide < STRIPE or place.tall < LEAST:
        return
    searched = [(query, j) for j in np.flatnonzero(layer.q[head, query, :n] > 0)]
    colors = sheet.colors.query, sheet.colors.key
    for grid, color, stripes in zip(grids, colors, (searched, [(j, j) for j in range(n_key)]), strict=True):
        for i, j in stripes:
            sheet.write(grid.across[j], place.middle(i), f"<b>{j + 1}</b>", LEAST, ink_on(color))
