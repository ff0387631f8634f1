"""How many sequences fit: the device's memory as one bar with what lies in it, and beneath it the multiplication of a cache."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cost import MemoryUse, ModelShape, binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.headline import HEIGHT, multiplication
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, short
from pages.parts.text.format import plural

BAR_TOP, BAR_BOTTOM = 88.0, 212.0
SAID = 34.0  # pixels of the bar in which the room says what it is, beneath the places of sequences
LARGER = 1.35  # times as large as elsewhere is the multiplication beneath the bar
LARGE, LARGE_ON_PHONE = 52.0, 38.0  # type sizes of how many fit
PLACE = 0.4  # of its colours has the place of a sequence that is not there
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
            bottom = BAR_BOTTOM + 64
        else:
            bottom = _legend(sheet, shape, use) + 14
    most = 1.0 if sheet.phone else LARGER
    multiplication(sheet, factors, cache_bytes, certain=not shape.kv_doubt, top=bottom, most=most)
    return sheet.figure(bottom + HEIGHT * most + 2, min_width=0 if sheet.phone else 730)


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
        more = min(fit.n - round(use.cache_bytes / fit.each_bytes), int((end - x) / each + 1e-9))
        _places(sheet, shape, [x + k * each for k in range(more)], each)
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


def _places(sheet: Sheet, shape: ModelShape, places: Sequence[float], each: float) -> None:
    """In the room that is left a place for each sequence that fits too, its keys beside its values. each: how wide one is."""
    gap, low = min(1.5, 0.25 * each * sheet.wide) / sheet.wide, BAR_BOTTOM - SAID * (not sheet.phone)
    for begins, share, color in _kept(shape, sheet.colors):
        wide = each - gap
        boxes = ((at + gap + begins * wide, BAR_TOP, at + gap + (begins + share) * wide, low) for at in places)
        sheet.bars(boxes, faded(sheet.colors, color, PLACE))


def _kept(shape: ModelShape, colors: Palette) -> list[tuple[float, float, str]]:
    """Keys and values of a cache: where each begins, its share, and its colour; a latent is both at once."""
    keys = 1.0 if shape.latent else shape.d_head / (shape.d_head + shape.d_v)
    return [(0.0, keys, colors.key), (keys, 1 - keys, colors.value)][: 1 if shape.latent else 2]


def _named_in_bar(sheet: Sheet, use: MemoryUse, parts: dict[str, tuple[float, float]]) -> bool:
    """Weights and room say in the bar itself what they are; whether there is room for that."""
    (begins, ends), beside = parts["room"], f"beside {decimal_bytes(use.other_bytes)} of {_other_parts(use)}"
    weights, room = parts["weights"][1] * sheet.wide, (ends - begins) * sheet.wide
    said = f"room left {decimal_bytes(use.room_bytes)}"
    if sheet.phone or not use.fits or weights < 14.5 * ems("parameters") + 24 or room < 18 * ems(said) + 24:
        return False
    middle, ink = (BAR_TOP + BAR_BOTTOM) / 2, ink_on(sheet.colors.bar)
    sheet.write(parts["weights"][1] / 2, middle - 14, "parameters", 15, ink)
    sheet.write(parts["weights"][1] / 2, middle + 12, bold(decimal_bytes(use.weight_bytes)), 21, ink)
    if room > 18 * ems(said) + 14 * ems(beside) + 40:
        sheet.write(ends - 10 / sheet.wide, BAR_BOTTOM - SAID / 2, beside, 13.5, sheet.colors.muted, "middle left")
    sheet.write(
        begins + 10 / sheet.wide,
        BAR_BOTTOM - SAID / 2,
        f"room left {bold(decimal_bytes(use.room_bytes))}",
        17,
        anchor="middle right",
    )
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
    cache = [("KV cache", share * use.cache_bytes, color) for _, share, color in _kept(shape, colors)]
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
        space = 0.5 * sheet.wide - 34
        size = max(13.0, min(14.5, space / ems(what))) if sheet.phone else 14.5
        name = short(what, space, size) if sheet.phone else what
        sheet.write(start, y, name, size, colors.muted, "middle right")
        if sheet.phone:
            sheet.write(x, y + 26, bold(said, strong), 20, color, "middle right")
            continue
        after = start + (15.4 * ems(name) + 6) / sheet.wide  # as wide as it is on a projector
        sheet.write(after, y, bold(said, strong), 14.5, color, "middle right")
        along = after + (16.5 * ems(said) + 40) / sheet.wide
    return top + (86 if sheet.phone else 14)
