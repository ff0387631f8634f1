"""How large each channel of the keys and values is, and how far rounding to few bits takes them, with two ways to group."""

from collections.abc import Mapping

import numpy as np

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.sheet import Sheet, SheetFigure

TOP, HEIGHT, MOST_ROWS = 58.0, 210.0, 48
LARGE = 4.0  # times its head's median: the darkest cell
LEVELS, EXAMPLE = 66.0, 0.45  # pixels of what a level is, and about where between low and high the number is that it shows
NAMED = 13.0  # pixels of a layer's rows that have room for its name
MAPS = {"keys": (0.068, 0.34), "values": (0.358, 0.63)}
SIDE, BARS = 0.675, (0.805, 0.93)
MAPS_ON_PHONE = {"keys": (0.13, 0.54), "values": (0.59, 1.0)}  # there the bars stand beneath the maps
BARS_ON_PHONE, HEIGHT_ON_PHONE, ROW = (0.4, 0.81), 132.0, 32.0


def bit_errors(
    sheet: Sheet, keys: np.ndarray, values: np.ndarray, errors: Mapping[tuple[str, str], float], bits: int, answered: bool
) -> SheetFigure:
    """keys, values: (n_layer, n_kv_head, d), the mean size of each channel. errors: relative, by (keys or values, grouping).

    answered: whether those of the keys, which a question is about, are shown.
    """
    colors, phone = sheet.colors, sheet.on_phone()
    title = "<b>size of each channel</b>, against its head’s median" + (not phone) * ": a row is a head, a cell a channel"
    sheet.write(0, 12, title, 14 if phone else 14.5, anchor="middle right")
    for name, sizes in (("keys", keys), ("values", values)):
        _channels(sheet, name, sizes)
    under = TOP + HEIGHT_ON_PHONE + 44
    bars, top, step = (BARS_ON_PHONE, under + 16, ROW) if phone else (BARS, TOP + LEVELS, (HEIGHT - LEVELS + 26) / len(errors))
    sheet.write(
        *((0, under) if phone else (SIDE, top - 12)), f"<b>relative error</b> in {bits} bits", 14.5, anchor="middle right"
    )
    if not phone:
        _levels(sheet, bits)
    most, half = max(errors.values()) or 1.0, 11 if phone else 15
    for r, ((part, grouping), error) in enumerate(errors.items()):
        y = top + (r + 0.5) * step
        shown = answered or part != "keys"
        color = colors.key if part == "keys" else colors.value
        sheet.write(bars[0] - 0.01, y, f"{part}, by {grouping}", 14, anchor="middle left")
        sheet.share_bar((bars[0], y - half, bars[1], y + half), error / most if shown else 0, color)
        sheet.write(1, y, f"<b>{error:.3f}</b>" if shown else "<b>?</b>", 20, anchor="middle left")
    return sheet.figure(top + len(errors) * step + 4) if phone else sheet.figure(TOP + HEIGHT + 26, min_width=760)


def _levels(sheet: Sheet, bits: int) -> None:
    """What a level is: between a low and a high so many places, and a number goes to the nearest of them."""
    (left, right), y, n = (SIDE + 0.02, 1.0), 50.0, 2**bits
    said = f"<b>{bits} bits</b>: to the nearest of {n} levels"
    sheet.write(SIDE, 12, said, 14.5, anchor="middle right")
    marks = "".join(f"M{x:.5f},{y - 9}L{x:.5f},{y + 9}" for x in np.linspace(left, right - 0.02, n))
    sheet.line(f"M{left},{y}L{right - 0.02},{y}{marks}", sheet.colors.muted, 1.6 if n <= 16 else 0.8)
    sheet.write(left, y + 22, "low", 14, sheet.colors.muted)
    sheet.write(right - 0.02, y + 22, "high", 14, sheet.colors.muted)
    between = left + (right - 0.02 - left) * (EXAMPLE * (n - 1) // 1 + 0.3) / (n - 1)
    sheet.dots([between], [y], 11, sheet.colors.ink)
    sheet.write(between, y + 22, "a number", 14)


def _channels(sheet: Sheet, name: str, sizes: np.ndarray) -> None:
    """A row a head, a column a channel; of very many heads each row is the largest of some."""
    colors, (left, right) = sheet.colors, (MAPS_ON_PHONE if sheet.phone else MAPS)[name]
    bottom = TOP + (HEIGHT_ON_PHONE if sheet.phone else HEIGHT)
    rows = sizes.reshape(-1, sizes.shape[-1])
    rows = rows / np.maximum(np.median(rows, axis=1, keepdims=True), 1e-30)
    most = float(rows.max())
    rows = np.stack([some.max(axis=0) for some in np.array_split(rows, min(len(rows), MOST_ROWS))])
    y = np.linspace(TOP, bottom, len(rows) + 1)
    sheet.heatmap(
        Grid(np.linspace(left, right, rows.shape[1] + 1), y),
        np.minimum(rows, LARGE),
        Scale((colors.surface, colors.key if name == "keys" else colors.value), 0, LARGE),
        lines=False,
    )
    sheet.write(left, TOP - 16, f"<b>{name}</b>", 14, colors.key if name == "keys" else colors.value, "middle right")
    sheet.write(right, TOP - 16, f"at most {most:.1f} ×", 13, colors.muted, "middle left")
    if sheet.phone:
        sheet.write((left + right) / 2, bottom + 14, "channels", 13, colors.muted)
        if name == "keys":
            sheet.write(left - 0.008, TOP + 10, "heads", 13, colors.muted, "middle left")
        return
    if name == "keys":
        _layers(sheet, len(sizes), left)
    _who_shares(sheet, rows, (left, right, bottom))


def _layers(sheet: Sheet, n_layers: int, left: float) -> None:
    """The names of the layers beside their heads, of very many the first and the last."""
    tall = HEIGHT / n_layers
    for layer in range(n_layers) if tall >= NAMED else (0, n_layers - 1):
        y = TOP + (layer + 0.5) * tall
        sheet.write(
            left - 0.008, min(max(y, TOP + 7), TOP + HEIGHT - 7), f"layer {layer + 1}", 13, sheet.colors.muted, "middle left"
        )
        if layer and tall >= NAMED:
            sheet.bar(left - 0.05, TOP + layer * tall - 0.5, left, TOP + layer * tall + 0.5, sheet.colors.hole)


def _who_shares(sheet: Sheet, rows: np.ndarray, box: tuple[float, float, float]) -> None:
    """Around the largest channel what has one low and one high: itself, of all tokens, or its whole row, of one token. box: left, right
    and bottom of the map."""
    left, right, bottom = box
    row, column = np.unravel_index(rows.argmax(), rows.shape)
    tall, wide = (bottom - TOP) / len(rows), (right - left) / rows.shape[1]
    y0, x0, ink = TOP + row * tall, left + column * wide, sheet.colors.ink
    sheet.frame(left, y0, right, y0 + tall, ink, 1.5)
    sheet.frame(x0, y0, x0 + wide, y0 + tall, ink, 4)
    sheet.write(left, bottom + 16, "<b>thin</b>: shared by token, <b>thick</b>: by channel", 14, anchor="middle right")
