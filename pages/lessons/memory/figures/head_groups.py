"""Query heads above, the key/value heads they share beneath, and the cache that each grouping leaves, made of its heads."""

from collections.abc import Sequence

from engine.cost import decimal_bytes
from engine.cost.shapes.head_groups import kind_of_heads
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems
from pages.parts.text.format import number, quantity

MOST_DRAWN = 128
LEAST = 4.0  # pixels of a head that is drawn by itself in the bar of its cache
TOP, MIDDLE, BOTTOM = 74.0, 108.0, 196.0


def head_groups(
    sheet: Sheet, n_head: int, n_kv_head: int, own: int, choices: Sequence[int], n_bytes: Sequence[int]
) -> SheetFigure:
    """n_kv_head: the grouping shown; own: the model's. choices, n_bytes: every grouping and the bytes of its cache."""
    phone, drawn = sheet.on_phone(), min(n_head, MOST_DRAWN)
    kv_drawn = max(1, round(drawn * n_kv_head / n_head))
    per = drawn / kv_drawn
    _heads(sheet, drawn, kv_drawn, per)
    part = f" ({drawn} of {n_head:,} drawn)" if drawn < n_head else ""
    kept = decimal_bytes(n_bytes[choices.index(n_kv_head)])
    headline(sheet, f"{n_head:,} heads ask, {n_kv_head:,} {'are' if n_kv_head > 1 else 'is'} kept: {kept}")
    sheet.write(0, TOP - 17, f"<b>{n_head:,} query heads</b>{part}", 15, anchor="middle right")
    kind = kind_of_heads(n_head, n_kv_head)
    share = "each query head has its own" if kind == "MHA" else f"{n_head // n_kv_head} query heads share one"
    named, cached = f"<b>{quantity(n_kv_head, 'key/value head')}: {kind}</b>", "Queries are not kept."
    lines = (named, f"{share}. {cached}") if phone else (f"{named}, {share}. {cached}",)
    for k, line in enumerate(lines):
        sheet.write(0, BOTTOM + 22 + 20 * k, line, 15 - k, anchor="middle right")
    bars = [(n, total, n == own) for n, total in zip(choices, n_bytes, strict=True)]
    return sheet.figure(_bars(sheet, n_head, n_kv_head, bars, BOTTOM + (60 if phone else 50)), min_width=600)


def _heads(sheet: Sheet, drawn: int, kv_drawn: int, per: float) -> None:
    """Squares for query heads, a key half and a value half for each key/value head, lines between: a path for each colour."""
    colors = sheet.colors
    width = 1 / drawn
    links, queries, keys, values = "", [], [], []
    for h in range(drawn):
        x0, x1 = (h + 0.14) * width, (h + 0.86) * width
        queries.append((x0, TOP, x1, MIDDLE))
        group = min(int(h / per), kv_drawn - 1)
        links += f"M{(x0 + x1) / 2:.5f},{MIDDLE:.2f}L{(group + 0.5) * per * width:.5f},{BOTTOM - 56:.2f}"
    for g in range(kv_drawn):
        centre, half = (g + 0.5) * per * width, min(0.43 * per * width, 22 / sheet.wide)
        keys.append((centre - half, BOTTOM - 56, centre + half, BOTTOM - 29))
        values.append((centre - half, BOTTOM - 27, centre + half, BOTTOM))
    sheet.line(links, colors.muted)
    sheet.bars(queries, colors.query)
    sheet.bars(keys, colors.key)
    sheet.bars(values, colors.value)


def _bars(sheet: Sheet, n_head: int, n_kv_head: int, groupings: Sequence[tuple[int, int, bool]], top: float) -> float:
    """A bar for each grouping, as long as its cache, with its name at its left and its bytes behind its end, on a phone at the right;
    returns where they end. groupings: key/value heads, bytes, and whether the model was trained so."""
    colors, phone, most = sheet.colors, sheet.phone, max(1, *(total for _, total, _ in groupings))
    left, right = (0.41, 0.72) if phone else (0.2, 0.8)
    step = max(19.0 * phone, min(28.0, 190 / len(groupings)))
    size = 14.0 if phone else max(12.0, min(15.0, 0.62 * step + 1))
    for k, (n, total, trained) in enumerate(groupings):
        y, end, chosen = top + k * step, left + (right - left) * total / most, n == n_kv_head
        middle, said, large = y + step / 2, decimal_bytes(total), (18 if phone else 1.5 * size) if chosen else size
        name, x, anchor = f"{kind_of_heads(n_head, n)} {n:,}{', as trained' * trained}", end + 0.008, "middle right"
        sheet.write(0 if phone else left - 0.01, middle, bold(name, chosen), size, colors.ink, anchor if phone else "middle left")
        _cache(sheet, (left, y + 3, end, y + step - 3), n, chosen)
        sheet.write(1 if phone else x, middle, bold(said, chosen), large, colors.ink, "middle left" if phone else anchor)
        if 0 < total < most and not phone:
            after = x + (large * (bold_ems(said) + 0.2) + 12) / sheet.wide
            sheet.write(after, middle, f"÷ {number(most / total, 1)}", size, colors.muted, anchor)
    return top + len(groupings) * step + 6


def _cache(sheet: Sheet, box: Box, n: int, chosen: bool) -> None:
    """The cache of one grouping: its heads side by side, the keys of each above its values; paler where it is not the one shown."""
    (left, y0, right, y1), wide = box, (box[2] - box[0]) / n
    apart = wide * sheet.wide >= LEAST
    gap = 1.5 / sheet.wide if apart else 0.0
    edges = [(left + k * wide, left + (k + 1) * wide - gap) for k in range(n)] if apart else [(left, right)]
    middle = (y0 + y1) / 2
    for color, top, low in ((sheet.colors.key, y0, middle), (sheet.colors.value, middle, y1)):
        fill = color if chosen else faded(sheet.colors, color, 0.5)
        sheet.bars(((x0, top, x1, low) for x0, x1 in edges), fill)
