"""How many sequences fit: the device's memory as one bar with what lies in it, and beneath it the multiplication of a cache."""

from typing import NamedTuple

from engine.cost import MemoryUse, ModelShape, binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.headline import HEIGHT, multiplication
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.format import plural

BAR_TOP, BAR_BOTTOM = 88.0, 182.0
LARGE, LARGE_ON_PHONE = 52.0, 38.0  # type sizes of how many fit
NARROWEST = 4.0  # pixels of a place that is marked in the room that is left


class Fit(NamedTuple):
    """What the device has room for: so many sequences, what each of them is, and the bytes that one keeps."""

    n: int
    of: str
    each_bytes: float


def memory_bar(
    sheet: Sheet, shape: ModelShape, factors: tuple[Factor, ...], cache_bytes: int, memory: tuple[MemoryUse, str, Fit] | None
) -> SheetFigure:
    """factors: of the cache, multiplied they give cache_bytes. memory: what lies in it, the device's name and how many fit; None
    where the weights are not known: then there is no bar."""
    sheet.on_phone()
    bottom = 0.0
    if memory:
        use, on, fit = memory
        _how_many(sheet, fit)
        parts = _bar(sheet, shape, use, on, fit)
        if use.cache_bytes == cache_bytes and _named_in_bar(sheet, use, parts):
            _enlarged(sheet, parts["cache"])
            bottom = BAR_BOTTOM + 68
        else:
            bottom = _legend(sheet, shape, use) + 14
    multiplication(sheet, factors, cache_bytes, certain=not shape.kv_doubt, top=bottom)
    return sheet.figure(bottom + HEIGHT + 2, min_width=0 if sheet.phone else 730)


def _how_many(sheet: Sheet, fit: Fit) -> None:
    """How many fit, as the largest thing there is, and of what."""
    number, large = f"{fit.n:,} {plural(fit.n, 'fits', 'fit')}", LARGE_ON_PHONE if sheet.phone else LARGE
    sheet.write(0, 30, bold(number), large, anchor="middle right")
    after = ((1.07 if sheet.phone else 1.16) * large * ems(number) + 8) / sheet.wide  # on a phone type does not grow
    of = fit.of.split(" beside ")[0] if sheet.phone else fit.of
    small = 14 if sheet.phone else 17
    sheet.write(
        after, 30 + 0.15 * large, short(of, (1 - after) * sheet.wide - 4, small), small, sheet.colors.muted, "middle right"
    )


def _bar(sheet: Sheet, shape: ModelShape, use: MemoryUse, on: str, fit: Fit) -> dict[str, tuple[float, float]]:
    """Weights, cache and activations one after another, the room that is left, a place in it for each sequence that fits too, and the
    line where memory ends. Returns from where to where weights, cache and room lie."""
    colors = sheet.colors
    most = 1.06 * max(use.device_bytes, use.total_bytes)
    end = use.device_bytes / most
    sheet.frame(0, BAR_TOP, end, BAR_BOTTOM, colors.muted, 1.5)
    x = 0.0
    for _, n_bytes, color in _parts_of_memory(shape, use, colors):
        width = n_bytes / most
        if width * sheet.wide >= 0.4:
            sheet.bar(x, BAR_TOP, x + width, BAR_BOTTOM, color)
        x += width
    each = fit.each_bytes / most
    if each * sheet.wide >= NARROWEST:
        places = (x + k * each for k in range(1, int((end - x) / each + 1e-9) + 1))
        sheet.line("".join(f"M{at:.5f},{BAR_TOP:.2f}L{at:.5f},{BAR_BOTTOM:.2f}" for at in places), colors.line, 1.2)
    sheet.frame(end, BAR_TOP - 8, end, BAR_BOTTOM + 8, colors.ink, 3.5)
    line = f"{short(on, 130 if sheet.phone else 260, 14.5)}: memory ends at {decimal_bytes(use.device_bytes)}"
    line += "" if sheet.phone else f" = {binary_bytes(use.device_bytes)}"
    anchor, at = ("middle left", end - 0.006) if end > 0.5 else ("middle right", end + 0.006)
    sheet.write(at, BAR_TOP - 18, line, 14.5, colors.ink, anchor)
    if not use.fits:
        sheet.write(1, 22, f"<b>does not fit: {decimal_bytes(-use.room_bytes)} too much</b>", 16, colors.wasted, "middle left")
    byte_ticks(sheet, most, BAR_BOTTOM)
    begins = use.weight_bytes / most
    return {"weights": (0.0, begins), "cache": (begins, begins + use.cache_bytes / most), "room": (x, end)}


def _named_in_bar(sheet: Sheet, use: MemoryUse, parts: dict[str, tuple[float, float]]) -> bool:
    """Weights and room say in the bar itself what they are; whether there is room for that."""
    named = (
        ("weights", "parameters", use.weight_bytes, "", sheet.colors.bar),
        (
            "room",
            "room left",
            use.room_bytes,
            f"beside {decimal_bytes(use.other_bytes)} of {_other_parts(use)}",
            sheet.colors.surface,
        ),
    )
    rooms = [(right - left) * sheet.wide for left, right in (parts[part] for part, *_ in named)]
    wide = [14.5 * ems(longer or "parameters") + 24 for _, _, _, longer, _ in named]
    if sheet.phone or not use.fits or any(room < least for room, least in zip(rooms, wide, strict=True)):
        return False
    middle = (BAR_TOP + BAR_BOTTOM) / 2
    for (part, name, n_bytes, more, ground), least in zip(named, wide, strict=True):
        x, high = sum(parts[part]) / 2, 34 if more else 24
        sheet.bar(x - 0.5 * least / sheet.wide, middle - high, x + 0.5 * least / sheet.wide, middle + high, ground)
        sheet.write(x, middle - (20 if more else 12), name, 15, ink_on(ground))
        sheet.write(x, middle + (2 if more else 11), bold(decimal_bytes(n_bytes)), 19, ink_on(ground))
        if more:
            sheet.write(x, middle + 23, more, 13, sheet.colors.muted)
    return True


def _enlarged(sheet: Sheet, cache: tuple[float, float]) -> None:
    """From the cache's ends down to the whole width, beneath which it is multiplied out."""
    (left, right), rule = cache, BAR_BOTTOM + 56
    path = f"M{left:.5f},{BAR_BOTTOM:.2f}L{right:.5f},{BAR_BOTTOM:.2f}L1,{rule:.2f}L0,{rule:.2f}Z"
    sheet.path(path, faded(sheet.colors, sheet.colors.bar, 0.2))
    sheet.line(f"M0,{rule:.2f}H1", sheet.colors.muted, 1.5)
    sheet.write(min(max((left + right) / 2, 0.06), 0.94), rule - 13, "KV cache", 15)


def _parts_of_memory(shape: ModelShape, use: MemoryUse, colors: Palette) -> list[tuple[str, float, str]]:
    """What lies in memory: name, bytes, colour. The cache is keys and values, in their colours; a latent is both at once."""
    if shape.latent:
        cache = [("KV cache (latent)", use.cache_bytes, colors.key)]
    else:
        keys = use.cache_bytes * shape.d_head / (shape.d_head + shape.d_v)
        cache = [("keys", keys, colors.key), ("values", use.cache_bytes - keys, colors.value)]
    return [("parameters", use.weight_bytes, colors.bar), *cache, ("activations", use.other_bytes, colors.muted)]


def _other_parts(use: MemoryUse) -> str:
    """What lies in memory besides weights and cache."""
    there = (("program", use.reserved_bytes), ("copies", use.copy_bytes), ("state", use.state_bytes))
    names = [name for name, n_bytes in there if n_bytes]
    return ", ".join([*names, "activations"]) if names else "activations (estimate)"


def _legend(sheet: Sheet, shape: ModelShape, use: MemoryUse) -> float:
    """Weights, cache, activations and room in figures; returns where it ends."""
    colors, top = sheet.colors, BAR_BOTTOM + 40
    cache = (colors.key,) if shape.latent else (colors.key, colors.value)
    name = "KV cache (latent)" if shape.latent else "KV cache"
    room = ("room left", use.room_bytes) if use.fits else ("missing", -use.room_bytes)
    entries = (
        ("parameters", use.weight_bytes, (colors.bar,)),
        (name, use.cache_bytes, cache),
        (_other_parts(use), use.other_bytes, (colors.muted,)),
        (*room, ()),
    )
    along = 0.0
    for k, (what, n_bytes, fills) in enumerate(entries):
        x, y = (k % 2 * 0.5, top + k // 2 * 50) if sheet.phone else (along, top)
        for j, fill in enumerate(fills):
            sheet.bar(x + j * 14.5 / sheet.wide, y - 7, x + (12.5 + j * 14.5) / sheet.wide, y + 7, fill)
        if not fills:
            sheet.frame(x, y - 7, x + 12.5 / sheet.wide, y + 7, colors.muted, 1.5)
        start, said = x + (16.5 + 14.5 * max(0, len(fills) - 1)) / sheet.wide, decimal_bytes(n_bytes)
        strong, color = what.startswith("KV"), colors.wasted if not use.fits and not fills else colors.ink
        name = short(what, 0.5 * sheet.wide - 34, 14.5) if sheet.phone else what
        sheet.write(start, y, name, 14.5, colors.muted, "middle right")
        if sheet.phone:
            sheet.write(x, y + 26, bold(said, strong), 20, color, "middle right")
            continue
        after = start + (15.4 * ems(name) + 6) / sheet.wide  # as wide as it is on a projector
        sheet.write(after, y, bold(said, strong), 14.5, color, "middle right")
        along = after + (16.5 * ems(said) + 40) / sheet.wide
    return top + (86 if sheet.phone else 14)
