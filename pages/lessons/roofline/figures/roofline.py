"""The roofline: FLOPs a byte across, FLOPs a second up; prefill, decode and each of their operations under a device's roof."""

from collections.abc import Sequence

from engine.cost import Device, decimal_bytes
from engine.cost.roofline_points import Point, Roof, roof
from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short
from pages.parts.text.amounts import amount, flop, flops_per_s, plain_number, seconds
from pages.parts.text.format import join, number, percent

UNDER = 12.0  # pixels under decode's dot its name stands
PASS_DOT = 24.0  # pixels across a pass's dot
PASS_ON_PHONE = 18.0
NAME = 23.0  # type size of a pass's name
Pass = tuple[Point, Sequence[Point]]  # as a whole, and its operations


def roofline(
    sheet: Sheet, device: Device, on: str, n_devices: int, prefill: Pass, decode: Pass, roofs: Sequence[Roof] = ()
) -> SheetFigure:
    """on: the devices in words. roofs: the highest of each kind of numbers, that of 16 bits where they are left out."""
    colors = sheet.colors
    every = [p for whole, ops in (prefill, decode) for p in (whole, *ops) if p.bytes]
    roofs = roofs or (Roof(("parameters",), (16,), device.flops_per_s),)
    ridges = [one.flops_per_s / device.bytes_per_s for one in roofs]
    x0, x1 = field_range([*(p.arithmetic_intensity for p in every), *ridges], 0.5, 2e4)
    peaks = [1.5 * n_devices * min(one.flops_per_s, x1 * device.bytes_per_s) for one in roofs]
    y0, y1 = field_range([*(p.flops_per_s for p in every), *peaks], roof(x0, device, n_devices), 1e12)
    left, right = (0.215, 0.985) if sheet.on_phone() else (0.095, 0.965)
    below = headline(sheet, _large(prefill[0], decode[0]))
    below += _used(sheet, below, decode[0])
    frame = LogFrame(x0, x1, y0, y1, left, right, below + 56, below + (350 if sheet.phone else 270))
    every_power = 2 if sheet.phone or x1 / x0 > 1e7 else 1
    across = "FLOP a byte moved" + " (arithmetic intensity)" * (not sheet.phone) + ", logarithmic"
    frame.grid(sheet, plain_number, flops_per_s, across, "FLOP a second", every=every_power)
    _roof(sheet, frame, device, on, n_devices, roofs)
    for one in roofs[1:]:
        _other_roof(sheet, frame, device, n_devices, one, roofs[0])
    lower = 32.0 + 24 * (len(roofs) > 1)  # beneath the line of other numbers, too
    for (whole, _), color, under in ((prefill, colors.prefill, lower), (decode, colors.decode, UNDER)):
        _dot(sheet, frame, whole, color)
        _label(sheet, frame, frame.x(ridges[0]), whole, color, under)
    return sheet.figure(frame.bottom + 44, min_width=860)


def _large(prefill: Point, decode: Point) -> str:
    """The headline: how much of its time decode computes, as the bar beneath it; of FLOPs a second that is a share only where all its
    numbers are multiplied at one rate. All of it waits for arithmetic where that takes as long as reading in each of its parts."""
    share = percent(decode.busy).replace(".0%", "%")
    if share == "100%":
        return f"Decode{', too,' * (prefill.waits_for != 'memory')} waits for arithmetic"
    return f"At peak, decode computes {share} of its time"


def _used(sheet: Sheet, top: float, decode: Point) -> float:
    """A step of decode as a bar, lit as long as it computes: to scale, which the axes below are not. Returns how high it is."""
    high, colors = (30.0 if sheet.phone else 34.0), sheet.colors
    lit, named, idle = max(decode.busy, 3 / sheet.wide), *((18 * ems(said) + 24) / sheet.wide for said in ("decode", "idle"))
    sheet.bar(0, top, 1, top + high, colors.hole)
    sheet.bar(0, top, lit, top + high, colors.decode)
    at, color = (0.0, ink_on(colors.decode)) if lit > named else (lit, colors.ink)
    sheet.write(at + 8 / sheet.wide, top + high / 2, bold("decode"), 18, color, "middle right")
    if max(lit, at + named) + idle < 1:
        sheet.write(1 - 10 / sheet.wide, top + high / 2, bold("idle"), 18, anchor="middle left")
    return high + 8


def _roof(sheet: Sheet, frame: LogFrame, device: Device, on: str, n_devices: int, roofs: Sequence[Roof]) -> None:
    """The two lines of the first roof, the ridge where they meet, and what waits for what: all work left of the first ridge for memory,
    all right of the last one for compute."""
    colors, (most, *_) = sheet.colors, roofs
    ridges = [one.flops_per_s / device.bytes_per_s for one in roofs]
    at_ridge, peak = ridges[0], n_devices * min(most.flops_per_s, frame.x1 * device.bytes_per_s)
    under = f"M{frame.x(frame.x0):.5f},{frame.y(roof(frame.x0, device, n_devices)):.2f}"
    under += f"L{frame.x(at_ridge):.5f},{frame.y(peak):.2f}L{frame.right:.5f},{frame.y(peak):.2f}"
    sheet.path(f"{under}L{frame.right:.5f},{frame.bottom:.2f}L{frame.left:.5f},{frame.bottom:.2f}Z", colors.hole + "44")
    sheet.line(under, colors.ink, 3.5 * sheet.zoom)
    ridge = frame.x(at_ridge)
    y, waits = frame.top - 36, "" if sheet.phone else "waits for "
    sheet.line(f"M{ridge:.5f},{y - 10:.2f}V{frame.bottom:.2f}", colors.ink, 1.5, "dot")
    sheet.write(ridge + 0.01, frame.bottom - 14, f"ridge {ridge_said(at_ridge)}", 18, colors.ink, "middle right")
    which = f" on {numbers_of(most)}" if most.flops_per_s > device.flops_per_s else ""
    text = f"{flops_per_s(peak)}{which}"
    if not sheet.phone:
        text = f"{short(on, 210, 18)}: {text}, {decimal_bytes(n_devices * device.bytes_per_s)}/s"
    up, size = (17, 16) if sheet.phone else (15, 18)
    sheet.write(frame.right, frame.y(peak) - up, text, size, colors.ink, "middle left")
    sheet.write(frame.x(min(ridges)) - 8 / sheet.wide, y, bold(f"◀ {waits}memory"), 18, colors.ink, "middle left")
    sheet.write(frame.x(max(ridges)) + 8 / sheet.wide, y, bold(f"{waits}compute ▶"), 18, colors.ink, "middle right")


def _other_roof(sheet: Sheet, frame: LogFrame, device: Device, n_devices: int, one: Roof, first: Roof) -> None:
    """A flat line and its ridge where attention or a part of the parameters has numbers of another peak than the first roof."""
    peak, at_ridge = n_devices * one.flops_per_s, one.flops_per_s / device.bytes_per_s
    frame.line(sheet, (at_ridge, frame.x1), (peak, peak), sheet.colors.ink, 1.8, "dash")
    frame.line(sheet, (at_ridge, at_ridge), (frame.y0, peak), sheet.colors.muted, 1.2, "dot")
    above = one.flops_per_s > first.flops_per_s
    at, side = (0.006, "right") if above else (-0.006, "left")
    if not sheet.phone:  # the words below the figure say it
        sheet.write(frame.x(at_ridge) + at, frame.bottom - 12, ridge_said(at_ridge), 16, sheet.colors.ink, f"middle {side}")
    whose = "" if sheet.phone else f"{join(one.whose)}, "
    text = f"{whose}{numbers_of(one).removesuffix(' numbers')}: {flops_per_s(peak)}"
    sheet.write(frame.right, frame.y(peak) + (-13 if above else 15), text, 15, sheet.colors.ink, "middle left")


def numbers_of(roof: Roof) -> str:
    """ "16-bit numbers", "4- and 16-bit numbers"."""
    return join([f"{bits}-" for bits in roof.bits]) + "bit numbers"


def _dot(sheet: Sheet, frame: LogFrame, p: Point, color: str) -> None:
    """A pass as a dot; hovering says what it does."""
    x, y = round(frame.x(p.arithmetic_intensity), 5), round(frame.y(p.flops_per_s), 2)
    sheet.dots([x], [y], PASS_ON_PHONE if sheet.phone else PASS_DOT, color, (color, 2.5), [_hover(p)])


def _hover(p: Point) -> str:
    return (
        f"<b>{p.name}</b><br>{flop(p.flops)}<br>{decimal_bytes(p.bytes)} moved<br>{amount(p.arithmetic_intensity)} FLOP a byte"
        f"<br>at least {seconds(p.seconds)}, waits for {p.waits_for}"
    )


def ridge_said(ridge: float) -> str:
    """A ridge as it is written: no machine has one at 0.

    >>> [ridge_said(x) for x in (203.125, 156.0, 0.001)]
    ['203.1', '156', '0.001']
    """
    return number(ridge, 1) if ridge >= 0.1 else amount(ridge)


def _label(sheet: Sheet, frame: LogFrame, ridge: float, p: Point, color: str, under: float) -> None:
    """The pass's name and intensity beside its dot: under the roof, or over its slope where the ridge's line would cross them. ridge:
    where that stands, from 0 to 1; under: pixels beneath the dot."""
    x, y, said = frame.x(p.arithmetic_intensity), frame.y(p.flops_per_s), amount(p.arithmetic_intensity)
    lines = [(f"{bold(p.name)} {said}", 17.0)] if sheet.phone else [(bold(p.name), NAME), (f"{said} FLOP a byte", 18.0)]
    gap = (12 if sheet.phone else 20) / sheet.wide
    wide = (17 * (bold_ems(p.name) + ems(f" {said}")) if sheet.phone else 18 * ems(f"{said} FLOP a byte")) / sheet.wide
    over = x <= ridge and (under > UNDER or x + gap + wide > ridge) and x - gap - wide > frame.left
    if over:
        y -= 14 if sheet.phone else 32
    else:
        y += under if y + under + 30 < frame.bottom else -38
    at = x - gap if over else min(x + gap, frame.right - wide)
    for k, (text, size) in enumerate(lines):
        sheet.write(at, y + 25 * k, text, size, color, f"middle {'left' if over else 'right'}")
