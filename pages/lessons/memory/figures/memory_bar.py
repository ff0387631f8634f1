"""How big a cache is: the multiplication with its numbers, and the device's memory as one bar with what lies in it."""

from __future__ import annotations

from engine.cost import MemoryUse, ModelShape, binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.multiplication import HEIGHT, multiplication
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, bold, plain, short

BAR_TOP, BAR_BOTTOM = 128.0, 166.0


def memory_bar(
    sheet: Sheet, shape: ModelShape, factors: tuple[Factor, ...], cache_bytes: int, use: MemoryUse | None, on: str, note: str = ""
) -> SheetFigure:
    """factors: of the cache, multiplied they give cache_bytes. use: what lies in memory, None where the weights are not known: then
    there is no bar. on: the device's name. note: what an answer found."""
    colors = sheet.colors
    multiplication(sheet, factors, cache_bytes, certain=not shape.kv_doubt)
    legend_bottom = HEIGHT
    if use:
        _bar(sheet, shape, use, on)
        legend_bottom = _legend(sheet, shape, use)
    if note:
        sheet.write(1, 46, f"<b>{note}</b>", 15, colors.value, "middle left")
    return sheet.figure(legend_bottom + 2, min_width=730)


def _bar(sheet: Sheet, shape: ModelShape, use: MemoryUse, on: str) -> None:
    """Weights, cache and activations one after another, the room that is left, and the line where memory ends."""
    colors = sheet.colors
    most = 1.06 * max(use.device_bytes, use.total_bytes)
    end = use.device_bytes / most
    sheet.frame(0, BAR_TOP, end, BAR_BOTTOM, colors.muted, 1.5)
    x = 0.0
    for _, n_bytes, color in _parts(shape, use, colors):
        width = n_bytes / most
        if width * WIDTH >= 0.4:
            sheet.bar(x, BAR_TOP, x + width, BAR_BOTTOM, color)
        x += width
    sheet.frame(end, BAR_TOP - 12, end, BAR_BOTTOM + 12, colors.ink, 3.5)
    line = f"{short(on, 260, 14.5)}: memory ends at {decimal_bytes(use.device_bytes)} = {binary_bytes(use.device_bytes)}"
    anchor, at = ("middle left", end - 0.006) if end > 0.5 else ("middle right", end + 0.006)
    sheet.write(at, BAR_TOP - 22, line, 14.5, colors.ink, anchor)
    if not use.fits:
        sheet.write(1, 78, f"<b>does not fit: {decimal_bytes(-use.room_bytes)} too much</b>", 16, colors.wasted, "middle left")
    byte_ticks(sheet, most, BAR_BOTTOM)


def _parts(shape: ModelShape, use: MemoryUse, colors: Palette) -> list[tuple[str, float, str]]:
    """What lies in memory: name, bytes, colour. The cache is keys and values, in their colours; a latent is both at once."""
    if shape.latent:
        cache = [("KV cache (latent)", use.cache_bytes, colors.key)]
    else:
        keys = use.cache_bytes * shape.d_head / (shape.d_head + shape.d_v)
        cache = [("keys", keys, colors.key), ("values", use.cache_bytes - keys, colors.value)]
    return [("weights", use.weight_bytes, colors.bar), *cache, ("activations", use.other_bytes, colors.query)]


def _others(use: MemoryUse) -> str:
    """What lies in memory besides weights and cache."""
    there = (("program", use.reserved_bytes), ("copies", use.copy_bytes), ("state", use.state_bytes))
    names = [name for name, n_bytes in there if n_bytes]
    return ", ".join([*names, "activations"]) if names else "activations (estimate)"


def _legend(sheet: Sheet, shape: ModelShape, use: MemoryUse) -> float:
    """Weights, cache, activations and room in figures; returns where it ends."""
    colors, top = sheet.colors, BAR_BOTTOM + 40
    cache = (colors.key,) if shape.latent else (colors.key, colors.value)
    name = "KV cache (latent)" if shape.latent else "KV cache: keys, values"
    room = ("room left", use.room_bytes) if use.fits else ("missing", -use.room_bytes)
    entries = (
        ("weights", use.weight_bytes, (colors.bar,)),
        (name, use.cache_bytes, cache),
        (_others(use), use.other_bytes, (colors.query,)),
        (*room, ()),
    )
    for k, (what, n_bytes, fills) in enumerate(entries):
        x = k * 0.255
        for j, fill in enumerate(fills):
            sheet.bar(x + j * 0.014, top - 7, x + 0.012 + j * 0.014, top + 7, fill)
        if not fills:
            sheet.frame(x, top - 7, x + 0.012, top + 7, colors.muted, 1.5)
        sheet.write(x + 0.016 + 0.014 * max(0, len(fills) - 1), top, plain(what), 14.5, colors.ink, "middle right")
        strong = what.startswith("KV")
        text = f"{decimal_bytes(n_bytes)} = {binary_bytes(n_bytes)}"
        color = colors.wasted if not use.fits and not fills else colors.ink
        sheet.write(x, top + 24, bold(text, strong), 14.5, color, "middle right")
    return top + 36
