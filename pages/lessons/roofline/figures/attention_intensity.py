"""FLOPs a byte of attention against the number of tokens: T/2 in prefill, decode's with and without sharing, and the ridge."""

from collections.abc import Sequence

from engine.cost import Device, attention_intensity
from pages.parts.drawing.axes import LogFrame, field_range
from pages.parts.drawing.sheet import Sheet, SheetFigure, short
from pages.parts.text.amounts import plain_number
from pages.parts.text.format import number

TICKS = tuple(2**k for k in range(18))


def intensity_lines(sheet: Sheet, device: Device, n_tokens: int, group: float, why: str = "", of: str = "") -> SheetFigure:
    """n_tokens: T, marked. group: FLOPs a byte that the model's own decode comes near, drawn where it is not 1; why: what makes
    it so. of: which ridge it is, where the device has more than one here."""
    colors = sheet.colors
    most = max(TICKS[-1], n_tokens)
    y0, y1 = field_range([device.ridge, attention_intensity(most), group], 0.1, 1e5)
    frame = LogFrame(1, most, y0, y1, *((0.155, 0.985) if sheet.on_phone() else (0.07, 0.77)), 28, 270)
    frame.grid(sheet, plain_number, plain_number, "tokens T", "FLOP a byte of attention", every=1 + sheet.phone)
    ticks = [*TICKS, most] if most > TICKS[-1] else TICKS
    prefill = [attention_intensity(t) for t in ticks]
    decode = [attention_intensity(1, t - 1) for t in ticks]
    frame.line(sheet, ticks, prefill, colors.prefill, 3.5)
    frame.line(sheet, ticks, decode, colors.decode, 3.5)
    own = [t * group / (t + group) for t in ticks]  # what each query head asks and answers is moved too
    if group > 1:
        frame.line(sheet, ticks, own, colors.decode, 2, "dash")
    frame.line(sheet, (1, most), (device.ridge, device.ridge), colors.ink, 2, "dot")
    at = frame.y(device.ridge)
    ridge = f"{short(device.name, 200, 15)}: ridge{of} {number(device.ridge, 1)}"
    sheet.write(frame.left + 0.008, at - 11, ridge, 14 if sheet.phone else 16, anchor="middle right")
    _names(sheet, frame, [frame.y(line[-1]) for line in (prefill, decode, own)], why if group > 1 else "")
    now = frame.x(n_tokens)
    sheet.frame(now, frame.top, now, frame.bottom, colors.muted, 1.2)
    said = f"T = {n_tokens:,}"
    if sheet.phone:
        sheet.write(max(now + 0.13, 0.86), frame.top - 14, said, 14, anchor="middle left")  # beside the axis's name
    else:
        sheet.write(now, frame.top - 14, said, 16)
    values = [attention_intensity(n_tokens), attention_intensity(1, n_tokens - 1)]
    said = [f"{name}: {number(v, 2)} FLOP a byte" for name, v in zip(("prefill", "decode"), values, strict=True)]
    sheet.dots([now] * 2, [*map(frame.y, values)], 14, [colors.prefill, colors.decode], hover=said)
    return sheet.figure(frame.bottom + 44, min_width=0 if sheet.phone else 800)


def _names(sheet: Sheet, frame: LogFrame, ends: Sequence[float], why: str) -> None:
    """The names of the lines at their ends; on a phone on the lines. ends: heights of prefill's, decode's, and decode's here."""
    (prefill, decode, own), colors = ends, sheet.colors
    names = "<b>prefill: T/2</b>", "<b>decode, no sharing: 1</b>"
    if sheet.phone:
        share = 0.4  # of the way down prefill's line, which is straight: its name ends there, above it
        x, y = frame.right - share * (frame.right - frame.left), prefill + share * (frame.bottom - prefill)
        sheet.write(x - 0.01, min(y, frame.bottom) - 34, names[0], 16, colors.prefill, "middle left")
        sheet.write(frame.right, decode + 18, names[1], 16, colors.decode, "middle left")
        sheet.write(frame.right, own - 22, why, 14, colors.decode, "middle left")
        return
    end = frame.right + 0.012
    sheet.write(end, own, why, 16, colors.decode, "middle right")
    sheet.write(end, prefill + 4, names[0], 19, colors.prefill, "middle right")
    least = max(decode, own + 42) if why else decode  # below the two lines that say why
    sheet.write(end, least, names[1], 19, colors.decode, "middle right")
