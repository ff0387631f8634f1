"""The roofline: FLOPs a byte across, FLOPs a second up; prefill, decode and each of their operations under a device's roof."""

from collections.abc import Sequence

from engine.cost import Device, decimal_bytes
from engine.cost.roofline_points import Point, Roof, roof
from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import LETTER, WIDTH, Sheet, SheetFigure, ems, short
from pages.parts.text.amounts import amount, flop, flops_per_s, plain_number, seconds
from pages.parts.text.format import join, number, percent

OP_DOT, PASS_DOT, PASS_ON_PHONE, NAME = 11.0, 21.0, 16.0, 21.0  # pixels across; type size of a pass's name


def roofline(
    sheet: Sheet,
    device: Device,
    on: str,
    n_devices: int,
    prefill: tuple[Point, Sequence[Point]],
    decode: tuple[Point, Sequence[Point]],
    roofs: Sequence[Roof] = (),
) -> SheetFigure:
    """prefill, decode: the pass as a whole and its operations. on: the devices in words. roofs: the highest of each kind of numbers,
    that of 16 bits where they are left out."""
    colors = sheet.colors
    every = [p for whole, ops in (prefill, decode) for p in (whole, *ops) if p.bytes]
    roofs = roofs or (Roof(("parameters",), (16,), device.flops_per_s),)
    ridges = [one.flops_per_s / device.bytes_per_s for one in roofs]
    x0, x1 = field_range([*(p.arithmetic_intensity for p in every), *ridges], 0.5, 2e4)
    peaks = [1.5 * n_devices * min(one.flops_per_s, x1 * device.bytes_per_s) for one in roofs]
    y0, y1 = field_range([*(p.flops_per_s for p in every), *peaks], roof(x0, device, n_devices), 1e12)
    left, right = (0.215, 0.985) if sheet.on_phone() else (0.095, 0.965)
    below = headline(sheet, *_large(prefill[0], decode[0]))
    frame = LogFrame(x0, x1, y0, y1, left, right, below + 30, below + 258)
    every_power = 2 if sheet.phone or x1 / x0 > 1e7 else 1
    across = "FLOP a byte moved" + " (arithmetic intensity)" * (not sheet.phone)
    frame.grid(sheet, plain_number, flops_per_s, across, "FLOP a second", every=every_power)
    _roof(sheet, frame, device, on, n_devices, roofs)
    for one in roofs[1:]:
        _other_roof(sheet, frame, device, n_devices, one, roofs[0])
    _idle(sheet, frame, decode[0], n_devices * min(roofs[0].flops_per_s, x1 * device.bytes_per_s))
    shown = ((prefill, colors.prefill), (decode, colors.decode))
    for (whole, _), color in shown:
        _dots(sheet, frame, whole.name, (whole,), color, color)
    _attention(sheet, frame, prefill[0], *decode)
    for (whole, _), color, above in ((prefill, colors.prefill, False), (decode, colors.decode, True)):
        _label(sheet, frame, frame.x(ridges[0]), whole, color, above)
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 860)


def _large(prefill: Point, decode: Point) -> tuple[str, str]:
    """The headline, and a phone's: how much of the arithmetic decode can use, where it waits for memory."""
    if decode.waits_for != "memory":
        return (f"Decode{', too,' * (prefill.waits_for != 'memory')} waits for arithmetic",) * 2
    used = percent(decode.busy).replace(".0%", "%")
    return f"At best {used} of the arithmetic can be used while decoding", f"Decode: at best {used} of the FLOP/s"


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
    sheet.line(f"M{ridge:.5f},{frame.y(peak):.2f}L{ridge:.5f},{frame.bottom:.2f}", colors.muted, 1.2, "dot")
    sheet.write(ridge + 0.006, frame.bottom - 12, f"ridge {ridge_said(at_ridge)}", 16, colors.ink, "middle right")
    which = f" on {numbers_of(most)}" if most.flops_per_s > device.flops_per_s else ""
    text = f"{short(on, 210, 16)}: {flops_per_s(peak)}{which}, {decimal_bytes(n_devices * device.bytes_per_s)}/s"
    sheet.write(frame.right, frame.y(peak) - (17 if sheet.phone else 15), text, 16, colors.ink, "middle left")
    waits = "" if sheet.phone else "waits for "
    first, last = frame.x(min(ridges)), frame.x(max(ridges))
    sheet.write(first - 0.012, frame.bottom - 34, f"◀ {waits}memory", 16, colors.muted, "middle left")
    sheet.write(last + 0.012, frame.bottom - 34, f"{waits}compute ▶", 16, colors.muted, "middle right")


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


def _dots(sheet: Sheet, frame: LogFrame, phase: str, shown: Sequence[Point], fill: str, line: str) -> None:
    """A pass as a full dot or an operation as a ring; hovering says what it does."""
    x, y = [round(frame.x(p.arithmetic_intensity), 5) for p in shown], [round(frame.y(p.flops_per_s), 2) for p in shown]
    size = (PASS_ON_PHONE if sheet.phone else PASS_DOT) if fill == line else OP_DOT
    sheet.dots(x, y, size, fill, (line, 2.5), [_hover(phase, p) for p in shown])


def _idle(sheet: Sheet, frame: LogFrame, decode: Point, peak: float) -> None:
    """From decode's dot up to what the device could compute: what is not used, where it waits for memory."""
    x, y, top = frame.x(decode.arithmetic_intensity), frame.y(decode.flops_per_s), frame.y(peak)
    if decode.waits_for != "memory" or y - top < 50:
        return
    half = (8 if sheet.phone else 13) / sheet.wide
    sheet.bar(x - half, top, x + half, y, faded(sheet.colors, sheet.colors.decode, 0.22))
    sheet.line(f"M{frame.left:.5f},{top:.2f}H{frame.x(decode.arithmetic_intensity) + half:.5f}", sheet.colors.muted, 1.2, "dot")
    sheet.write(x + half + 8 / sheet.wide, top + 0.3 * (y - top), "idle", 16, sheet.colors.decode, "middle right")


def _attention(sheet: Sheet, frame: LogFrame, prefill: Point, decode: Point, ops: Sequence[Point]) -> None:
    """Decode's scores and contexts as a ring with their name, where they stand apart from both passes."""
    scores, color = next(op for op in ops if op.name == "scores"), sheet.colors.decode
    x = frame.x(scores.arithmetic_intensity)
    if x - frame.x(decode.arithmetic_intensity) > 0.03 and frame.x(prefill.arithmetic_intensity) - x > 0.25:
        _dots(sheet, frame, decode.name, [scores], sheet.colors.surface, color)
        sheet.write(
            x + (0.035 if sheet.phone else 0.012),
            frame.y(scores.flops_per_s) + 4,
            "attention" if sheet.phone else "attention in it",
            15,
            color,
            "middle right",
        )


def _hover(phase: str, p: Point) -> str:
    what = phase if p.name == phase else f"{phase}: {p.name}"
    return (
        f"<b>{what}</b><br>{flop(p.flops)}<br>{decimal_bytes(p.bytes)} moved<br>{amount(p.arithmetic_intensity)} FLOP a byte"
        f"<br>at least {seconds(p.seconds)}, waits for {p.waits_for}"
    )


def ridge_said(ridge: float) -> str:
    """A ridge as it is written: no machine has one at 0.

    >>> [ridge_said(x) for x in (203.125, 156.0, 0.001)]
    ['203.1', '156', '0.001']
    """
    return number(ridge, 1) if ridge >= 0.1 else amount(ridge)


def _label(sheet: Sheet, frame: LogFrame, ridge: float, p: Point, color: str, above: bool) -> None:
    """The pass's name and intensity beside its dot. ridge: where its line stands, from 0 to 1."""
    x, y = frame.x(p.arithmetic_intensity), frame.y(p.flops_per_s)
    left_half = x < (frame.left + frame.right) / 2
    dx, dy = (0.02 if left_half else -0.02), (6 if above else 30)
    dy = dy if y + dy + 22 < frame.bottom - 46 else -38
    if sheet.phone:
        said = f"{p.name} {amount(p.arithmetic_intensity)}"
        wide, room = 1.06 * ems(said) * 16.5 / sheet.wide, 12 / sheet.wide
        start = min(x + room, frame.right - wide)
        if x < ridge < start + wide + room / 2:  # it ends before the ridge's line, beneath the dot
            start, dy = max(frame.left + room / 2, ridge - room / 2 - wide), 24 if y + 24 < frame.bottom - 44 else dy
        sheet.write(start, y + dy, said.replace(p.name, f"<b>{p.name}</b>"), 16.5, color, "middle right")
        return
    wide = max(0.55 * NAME * len(p.name), LETTER * 16 * len(f"{amount(p.arithmetic_intensity)} FLOP a byte")) / WIDTH
    if not left_half and x + dx - wide < ridge < x and x - dx + wide < frame.right:
        left_half, dx = True, -dx  # to the right of the dot, because to its left the ridge's line would cross it
    anchor = "middle right" if left_half else "middle left"
    sheet.write(x + dx, y + dy, f"<b>{p.name}</b>", NAME, color, anchor)
    sheet.write(x + dx, y + dy + 22, f"{amount(p.arithmetic_intensity)} FLOP a byte", 16, color, anchor)
