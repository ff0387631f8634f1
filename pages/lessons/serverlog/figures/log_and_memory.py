"""A log as it was printed, its numbers in bold, and the device's memory to scale: a line that says the bytes of a part of it has that
part's colours at its edge."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cost import binary_bytes
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import EMS, Sheet, SheetFigure, bold, plain, rectangle, short

TEXT, BAR = 0.045, 52.0  # where a line begins, and the height of the memory
ALL, REST = "memory", "all else"
ON_PHONE, KEPT = 3, "\u00a0"  # lines on which one of the log stands on a phone at most; a space at which none is parted
EDGE = 9.0  # pixels at the left of a line that are in the colours of the part of memory of which it says the bytes


@dataclass(frozen=True)
class Printed:
    """One line of the log. n: its number; marked: what of it was understood, as it stands there; said: that, with its names."""

    n: int
    text: str
    marked: Sequence[str]
    said: str


def log_and_memory(
    sheet: Sheet, lines: Sequence[Printed], parts: Mapping[str, tuple[float, int]], tokens: float | None
) -> SheetFigure:
    """parts: of "parameters", "cache" and "memory" those that are printed: bytes, and the number of the line that says so. tokens: of the
    cache, None where that is not printed."""
    narrow, colors = sheet.on_phone(), sheet.colors
    row, left = sheet.row(236, max(1, len(lines)), 46, 62), 0.085 if narrow else TEXT
    size = 15.0 if narrow or row < 54 else 18.0
    room, bottom = (0.99 - left) * sheet.wide, 4.0
    for line in lines:
        text = marked(line, room, size, ON_PHONE if narrow else 1)
        top, bottom = bottom, bottom + (34 + 20 * len(text) if narrow else row)
        low = bottom - 6
        sheet.path(rectangle(0, top, 1, low), colors.hole + "66")
        for name in (name for name, (_, n) in parts.items() if n == line.n and name != ALL):
            for color, (y0, y1) in _fills(colors, name, top, low):
                sheet.bar(0, y0, EDGE / sheet.wide, y1, color)
        first = (top + low) / 2 - 10.5 * len(text) + 1.5
        sheet.write(left - 10 / sheet.wide, first, str(line.n), 13, colors.muted, "middle left")
        for down, part in enumerate(text):
            sheet.write(left, first + 20 * down, part, size, colors.ink, "middle right")
        sheet.write(left, first + 20 * len(text) + 1, short(line.said, room, 13), 13, colors.muted, "middle right")
    if not ({"parameters", "cache"} & set(parts)):
        return sheet.figure(bottom + 4, min_width=0 if narrow else 560)
    if tokens and "cache" in parts and not narrow:
        at = min(max(0.34, _start(parts)), 0.66)
        large_number(
            sheet, (at, 1.0), bottom + 26, f"{tokens:,.0f}", "token in the cache" if tokens == 1 else "tokens in the cache"
        )
    return sheet.figure(_memory(sheet, parts, bottom + (34 if narrow else 48)), min_width=0 if narrow else 560)


def marked(line: Printed, pixels: float, size: float, most: int = 1) -> list[str]:
    """The line, on as many lines as it takes and at most so many, cut where there is no more room, with what of it was understood in
    bold: none of that is parted."""
    whole = line.text
    for one in line.marked:
        whole = whole.replace(one, one.replace(" ", KEPT))
    text = _fitting(whole.split(" "), pixels / size, most) if most > 1 else [_cut(whole, pixels / size)]
    found, said = sorted({plain(m) for m in line.marked if m in line.text}, key=len, reverse=True), []
    for part in (plain(part.replace(KEPT, " ")) for part in text):
        for one in found:
            if f"<b>{one}" not in part:  # by itself: a 4 is none of 11-24, a 1 none of 10:01
                part = re.sub(rf"(?<!\d)(?<!\d[-:.,]){re.escape(one)}(?!\d|[-:.,]\d)", lambda hit: bold(hit[0]), part, count=1)
        said.append(part)
    return said


def _fitting(words: Sequence[str], room: float, most: int) -> list[str]:
    """Words on as many lines as they need, the last of at most so many cut."""
    lines = [words[0]]
    for k, word in enumerate(words[1:], 1):
        if _ems(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *words[k:]])
            break
    return [_cut(line, room) for line in lines]


def _cut(text: str, room: float) -> str:
    """As much of a text as there is room for, in units of its type size; an ellipsis says that something is missing."""
    fits = text
    while fits and _ems(fits) > room:
        fits = fits[:-1]
    return fits if fits == text else fits[:-1] + "…"


def _ems(text: str) -> float:
    return sum(EMS.get(" " if letter == KEPT else letter, 0.54) for letter in text) * 1.04


def _start(parts: Mapping[str, tuple[float, int]]) -> float:
    """Where the cache begins across the bar."""
    before, taken = parts.get("parameters", (0.0, 0))[0], sum(parts[name][0] for name in ("parameters", "cache") if name in parts)
    return before / max(parts.get(ALL, (taken, 0))[0], taken)


def _memory(sheet: Sheet, parts: Mapping[str, tuple[float, int]], top: float) -> float:
    """The bar of the memory, each part with its name and bytes. Returns where it ends."""
    colors = sheet.colors
    shown = [(name, parts[name][0]) for name in ("parameters", "cache") if name in parts]
    taken = sum(n for _, n in shown)
    whole = max(parts.get(ALL, (taken, 0))[0], taken)
    if whole > taken * 1.002:
        shown.append((REST, whole - taken))
    x, right, low = 0.0, 1.0, top + BAR
    ends = {}
    for name, n in shown:
        end = x + right * n / whole
        for color, (y0, y1) in _fills(colors, name, top, low):
            sheet.bar(x, y0, end, y1, color)
        ends[name] = (x, end)
        x = end
    sheet.frame(0, top, right, low, colors.ink, 1.6)
    _names(sheet, shown, ends, low)
    said = f"memory of the device: <b>{binary_bytes(whole)}</b>" if ALL in parts else "what is printed, to scale"
    sheet.write(0, top - 14, said, 15, colors.ink, "middle right")
    return low + 52


def _names(sheet: Sheet, shown: Sequence[tuple[str, float]], ends: Mapping[str, tuple[float, float]], low: float) -> None:
    """Beneath each part its name and bytes, moved apart where parts are narrow."""
    least = 0.0
    for k, (name, n) in enumerate(shown):
        last = k == len(shown) - 1 and len(shown) > 1
        start = ends[name][0]
        if last and start > 0.75:
            sheet.write(ends[name][1], low + 16, f"<b>{name}</b>", 15, anchor="middle left")
            sheet.write(ends[name][1], low + 36, binary_bytes(n), 15, anchor="middle left")
            continue
        start = max(start, least)
        sheet.write(start, low + 16, f"<b>{name}</b>", 15, anchor="middle right")
        sheet.write(start, low + 36, binary_bytes(n), 15, anchor="middle right")
        least = start + 90 / sheet.wide


def _fills(colors: Palette, name: str, top: float, low: float) -> Sequence[tuple[str, tuple[float, float]]]:
    """The colours of a part, and how far down each: a cache is keys above values."""
    if name == "cache":
        middle = (top + low) / 2
        return (colors.key, (top, middle)), (colors.value, (middle, low))
    return ((colors.hole if name == REST else colors.bar, (top, low)),)
