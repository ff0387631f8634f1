"""How many sequences fit: the device's memory to scale, with a place for each of them, and beneath it the multiplication of a cache."""

from typing import NamedTuple

import numpy as np

from engine.cost import MemoryUse, ModelShape, binary_bytes, decimal_bytes
from engine.cost.multiplication import Factor
from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import multiplication
from pages.parts.drawing.palette import Palette, faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short
from pages.parts.text.format import plural

BAR_TOP, TALL, TALL_ON_PHONE = 88.0, 176.0, 226.0
LENS = 56.0  # pixels in which a cache is enlarged to the whole width
LARGER = 1.35  # times as large as elsewhere is the multiplication beneath the bar
LARGE, LARGE_ON_PHONE = 52.0, 38.0  # type sizes of how many fit
PLACE = 0.5  # of its colours has the place of a sequence that is not there
COUNTABLE = 11.0  # pixels of a side: smaller places are drawn as one
UNEVEN = 0.7  # lines that do not all hold as many places are as bad as places twice as long as they are high


class Fit(NamedTuple):
    """What the device has room for: so many sequences, what each of them is, and how many are counted in the multiplication.
    pass_bytes: what rows and logits of a pass over all of them take."""

    n: int
    of: str
    counted: int
    pass_bytes: int = 0


def memory_bar(
    sheet: Sheet, shape: ModelShape, factors: tuple[Factor, ...], cache_bytes: int, memory: tuple[MemoryUse, str, Fit] | None
) -> SheetFigure:
    """factors: of the cache, multiplied they give cache_bytes. memory: what lies in it, the device's name and how many fit; None
    where the weights are not known: then there is no bar."""
    sheet.on_phone()
    top = 0.0
    if memory:
        use, on, fit = memory
        _how_many(sheet, use, fit)
        top = _enlarged(sheet, *_bar(sheet, shape, use, on, fit))
        if use.fits and fit.pass_bytes:
            _of_a_pass(sheet, use, fit.pass_bytes)
    under = binary_bytes(cache_bytes) if sheet.phone else f"{cache_bytes:,} bytes"
    result = decimal_bytes(cache_bytes), under
    most = 1.0 if sheet.phone else LARGER
    bottom = multiplication(sheet, factors, result, certain=not shape.kv_doubt, top=top, most=most)
    return sheet.figure(bottom, min_width=730)


def _how_many(sheet: Sheet, use: MemoryUse, fit: Fit) -> None:
    """How many fit, as the largest thing there is, and of what; or by how much what is asked for does not."""
    number, large = f"{fit.n:,} {plural(fit.n, 'fits', 'fit')}", LARGE_ON_PHONE if sheet.phone else LARGE
    sheet.write(0, 30, bold(number), large, anchor="middle right")
    after = ((1.0 if sheet.phone else 1.07) * large * bold_ems(number) + 8) / sheet.wide  # on a phone type does not grow
    of = fit.of.split(" beside ")[0] if sheet.phone else fit.of
    small = 14 if sheet.phone else 17
    of = short(of, (1 - after) * sheet.wide - 4, small)
    sheet.write(after, 30 + 0.15 * large, of, small, sheet.colors.muted, "middle right")
    if not use.fits:
        said = bold(f"does not fit: {decimal_bytes(-use.room_bytes)} too much")
        sheet.write(1, 22, said, 16, sheet.colors.wasted, "middle left")


def _box(sheet: Sheet, along: tuple[float, float], across: tuple[float, float] = (0.0, 1.0)) -> Box:
    """From one share of what is drawn to another and of what lies across it: from the left to the right and upward, on a phone from
    the top down and to the right."""
    (a0, a1), (c0, c1) = along, across
    if sheet.phone:
        return c0, BAR_TOP + a0 * TALL_ON_PHONE, c1, BAR_TOP + a1 * TALL_ON_PHONE
    return a0, BAR_TOP + (1 - c1) * TALL, a1, BAR_TOP + (1 - c0) * TALL


def _bar(sheet: Sheet, shape: ModelShape, use: MemoryUse, on: str, fit: Fit) -> tuple[float, float, float]:
    """Weights, what a program needs, a place for each sequence that fits and the line where memory ends. Returns from where to where
    the places reach, at the bottom, of those that are counted in the multiplication beneath, and how far down."""
    colors, phone = sheet.colors, sheet.phone
    most = _most(sheet, use)
    end, weights = use.device_bytes / most, use.weight_bytes / most
    theirs = use.cache_bytes + use.copy_bytes + use.state_bytes  # grows with every sequence
    at_the_end = use.activation_bytes * use.fits  # rows of a pass over all that fit
    begins = (use.total_bytes - theirs - at_the_end) / most
    sheet.frame(*_box(sheet, (0, end)), colors.muted, 1.5)
    sheet.bars([_box(sheet, (0, weights))], colors.bar)
    sheet.bars([_box(sheet, (weights, begins))], colors.line)
    after = _named(sheet, weights, decimal_bytes(use.weight_bytes))
    there = max(fit.counted, fit.n) if use.fits else fit.counted
    boxes, counted = _places(sheet, begins, theirs / fit.counted / most, (fit.counted, there))
    for start, share, color in _kept(shape, use, colors):
        parts = [(x0 + start * (x1 - x0), y0, x0 + (start + share) * (x1 - x0), y1) for x0, y0, x1, y1 in boxes]
        sheet.bars(parts[:counted], color)
        sheet.bars(parts[counted:], faded(colors, color, PLACE))
    x0, y0, x1, y1 = _box(sheet, (end, end), (-0.045, 1.045))
    sheet.frame(max(x0, 0), y0, min(x1, 1), y1, colors.ink, 3.5)
    said = f"{short(on, 130 if phone else 260, 14.5)}: {'' if phone and after else 'memory ends at '}{decimal_bytes(use.device_bytes)}"
    at, side = (1 if phone else end - 0.006, "left") if phone or end > 0.5 else (max(end + 0.006, after), "right")
    sheet.write(at, BAR_TOP - 18, said, 14.5, colors.ink, f"middle {side}")
    if not phone:
        byte_ticks(sheet, most, BAR_TOP + TALL)
    if len(boxes) < fit.n and use.fits:
        _so_many(sheet, boxes[-1], f"{fit.n:,} × {decimal_bytes(theirs / fit.counted)}")
    alike = [box for box in boxes[:counted] if box[3] == boxes[0][3]]  # side by side at the bottom
    return boxes[0][0], alike[-1][2], boxes[0][3]


def _most(sheet: Sheet, use: MemoryUse) -> float:
    """How many bytes the whole width stands for, on a phone the height."""
    return max(use.total_bytes, use.device_bytes) * (1.0 if sheet.phone else 1.06)


def _of_a_pass(sheet: Sheet, use: MemoryUse, n_bytes: int) -> None:
    """What rows and logits of a pass over all sequences take: where sequences are short, more than what is kept of them."""
    most, ink, said = _most(sheet, use), ink_on(sheet.colors.line), bold(decimal_bytes(n_bytes))
    x0, y0, x1, y1 = _box(sheet, ((use.device_bytes - n_bytes) / most, use.device_bytes / most))
    sheet.bar(x0, y0, x1, y1, sheet.colors.line)
    lines = (f"rows and logits of a pass {said}",) if sheet.phone else ("rows and logits", "of a pass", said)
    if y1 - y0 > 22 * len(lines) and (x1 - x0) * sheet.wide - 16 > 15 * max(map(ems, lines[:2])):
        for k, line in enumerate(lines):
            sheet.write((x0 + x1) / 2, (y0 + y1) / 2 + 22 * (k - (len(lines) - 1) / 2), line, 15, ink)


def _named(sheet: Sheet, weights: float, said: str) -> float:
    """What the parameters are, in their part of the bar, or above it where that is narrow; returns how far it reaches there."""
    _, y0, x1, y1 = _box(sheet, (0, weights))
    middle, ink = (y0 + y1) / 2, ink_on(sheet.colors.bar)
    if sheet.phone and y1 - y0 > 20:
        sheet.write(0.5, middle, f"parameters {bold(said)}", 16, ink)
    elif not sheet.phone and x1 * sheet.wide > 14.5 * ems("parameters") + 24:
        sheet.write(x1 / 2, middle - 14, "parameters", 15, ink)
        sheet.write(x1 / 2, middle + 12, bold(said), 21, ink)
    else:
        sheet.write(0, BAR_TOP - 18, f"parameters {bold(said)}", 14.5, anchor="middle right")
        return (17 * ems(f"parameters {said}") + 20) / sheet.wide
    return 0.0


def _places(sheet: Sheet, begins: float, each: float, of: tuple[int, int]) -> tuple[list[Box], int]:
    """A box for each place, those that are counted first, and how many these are; two boxes where places are too small to be counted.
    each: a share of what is drawn. of: how many are counted, and are there."""
    counted, n = of
    lines = _lines(sheet, each, n)
    if not lines:
        spans = [(0, counted), (counted, n)]
        return [_box(sheet, (begins + a * each, begins + b * each)) for a, b in _upward(sheet, spans, n)], 1
    gap, boxes, done = 1.5, [], 0
    for many in lines:
        ((a, b),) = _upward(sheet, [(done, done + many)], n)
        for k in range(many):
            x0, y0, x1, y1 = _box(sheet, (begins + a * each, begins + b * each), (k / many, (k + 1) / many))
            boxes.append((x0 + gap / sheet.wide, y0 + gap, x1 - gap / sheet.wide, y1 - gap))
        done += many
    return boxes, counted


def _so_many(sheet: Sheet, box: Box, said: str) -> None:
    """How many places there are, where they are too small to be counted."""
    x, y, half = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (11 * ems(said) + 10) / sheet.wide
    if box[2] - box[0] > 2 * half:
        sheet.bar(x - half, y - 18, x + half, y + 18, sheet.colors.surface)
        sheet.write(x, y, bold(said), 20)


def _upward(sheet: Sheet, spans: list[tuple[int, int]], n: int) -> list[tuple[int, int]]:
    """On a phone the first places lie at the bottom, beside what is said of them."""
    return [(n - b, n - a) for a, b in spans] if sheet.phone else spans


def _lines(sheet: Sheet, each: float, n: int) -> list[int]:
    """How many places stand in each line, columns of them side by side or, on a phone, rows: nearly squares, and as many in each where
    that comes near it; none where they are too small to be counted."""
    long, across = (TALL_ON_PHONE, sheet.wide) if sheet.phone else (sheet.wide, TALL)
    if each * long * across < COUNTABLE**2:
        return []
    uneven = [UNEVEN * (n % k > 0) + abs(np.log((n / k) ** 2 * each * long / across)) for k in range(1, n + 1)]
    n_lines = 1 + int(np.argmin(uneven))
    return [n // n_lines + (k < n % n_lines) for k in range(n_lines)]


def _kept(shape: ModelShape, use: MemoryUse, colors: Palette) -> list[tuple[float, float, str]]:
    """What a sequence keeps: where each part begins, its share, and its colour. A latent is key and value at once; a state, grey, does
    not grow."""
    grows = use.cache_bytes + use.copy_bytes
    cache = grows / (grows + use.state_bytes)
    keys = cache * (1.0 if shape.latent else shape.d_head / (shape.d_head + shape.d_v))
    parts = [(0.0, keys, colors.key), (keys, cache - keys, colors.value), (cache, 1 - cache, colors.bar)]
    return [part for part in parts if part[1] > 0]


def _enlarged(sheet: Sheet, left: float, right: float, top: float) -> float:
    """From the ends of what is counted down to the whole width, beneath which it is multiplied out; returns where that begins."""
    bottom = BAR_TOP + (TALL_ON_PHONE if sheet.phone else TALL)
    rule = bottom + (0.7 if sheet.phone else 1.0) * LENS
    path = (
        f"M{left:.5f},{top:.2f}L{right:.5f},{top:.2f}L{right:.5f},{bottom:.2f}L1,{rule:.2f}L0,{rule:.2f}L{left:.5f},{bottom:.2f}Z"
    )
    sheet.path(path, faded(sheet.colors, sheet.colors.bar, 0.2))
    sheet.line(f"M0,{rule:.2f}H1", sheet.colors.muted, 1.5)
    down = 1 - 13 / (rule - bottom)
    middle = (1 - down) * (left + right) / 2 + down / 2
    sheet.write(middle, rule - 13, "KV cache", 15)
    return rule + 12
