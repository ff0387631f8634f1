"""The device's memory to scale, as one upright bar, and a log as it was printed, its numbers in bold: from a line that says the bytes of a
part a line leads to that part, and from one that counts what the cache holds a dashed one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cost import binary_bytes
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import Palette
from pages.parts.drawing.sheet import EMS, Sheet, SheetFigure, bold, plain, short
from pages.parts.text.format import plural

BAR, TEXT = (0.155, 0.33), 0.44  # where the memory lies across, and where a line of the log begins
BAR_ON_PHONE, TEXT_ON_PHONE = (0.0, 0.13), 0.24
ALONE, ALONE_ON_PHONE = 0.045, 0.085  # where a line of the log begins without any memory
ALL, REST, CACHE = "memory", "all else", "cache"
ON_PHONE, KEPT = 3, "\u00a0"  # lines on which one of the log stands on a phone at most; a space at which none is parted
TWO = 72.0  # pixels of a row in which a line of the log may stand on two


@dataclass(frozen=True)
class Printed:
    """One line of the log. n: its number; marked: what of it was understood, as it stands there; said: that, with its names; held: whether
    it counts what the cache holds."""

    n: int
    text: str
    marked: Sequence[str]
    said: str
    held: bool = False


def log_and_memory(
    sheet: Sheet, lines: Sequence[Printed], parts: Mapping[str, tuple[float, int]], tokens: float | None
) -> SheetFigure:
    """parts: of "parameters", "cache" and "memory" those that are printed: bytes, and the number of the line that says so. tokens: of the
    cache, None where that is not printed."""
    narrow, sized = sheet.on_phone(), bool({"parameters", CACHE} & set(parts))
    left = (TEXT_ON_PHONE if narrow else TEXT) if sized else ALONE_ON_PHONE if narrow else ALONE
    row, top = sheet.row(310 if sized else 366, max(1, len(lines)), 50, 104), 30.0 if sized else 4.0
    if tokens:
        top += headline(sheet, f"A cache of {tokens:,.0f} {plural(round(tokens), 'token')}")
    size = 15.0 if narrow or (row < TWO and sized) else 18.0
    most = ON_PHONE if narrow else 2 if row >= TWO else 1
    places, bottom = [], top
    for line in lines:
        text = marked(line, (0.99 - left) * sheet.wide, size, most)
        tall = 40 + 20 * len(text) if narrow else row
        _line(sheet, line, text, (bottom + bottom + tall) / 2, left, size)
        places.append((line, (bottom + bottom + tall) / 2, 10 + 11 * len(text)))
        bottom += tall
    if not sized:
        return sheet.figure(bottom + 4, min_width=560)
    _memory(sheet, _shown(parts), (top, bottom - 6), ALL in parts)
    _point(sheet, places, parts, (top, bottom - 6), left)
    return sheet.figure(bottom + (_named_beneath(sheet, _shown(parts), bottom) if narrow else 4), min_width=620)


def _line(sheet: Sheet, line: Printed, text: Sequence[str], middle: float, left: float, size: float) -> None:
    """A line of the log with its number, and beneath it what was understood."""
    first, step = middle - 10.5 * len(text), 1.2 * size
    sheet.write(left - 9 / sheet.wide, first, str(line.n), 13, sheet.colors.muted, "middle left")
    for down, part in enumerate(text):
        sheet.write(left, first + step * down, part, size, sheet.colors.ink, "middle right")
    said = short(line.said, (0.99 - left) * sheet.wide, 13)
    sheet.write(left, first + step * len(text) + 1, said, 13, sheet.colors.muted, "middle right")


def _shown(parts: Mapping[str, tuple[float, int]]) -> list[tuple[str, float]]:
    """What the memory holds from top to bottom, in the order of the log's lines, and its bytes; last what no line says."""
    shown = [(name, parts[name][0]) for name in sorted(parts, key=lambda name: parts[name][1]) if name != ALL]
    taken = sum(n for _, n in shown)
    whole = max(parts.get(ALL, (taken, 0))[0], taken)
    return [*shown, (REST, whole - taken)] if whole > taken * 1.002 else shown


def _ends_of_parts(shown: Sequence[tuple[str, float]], down: tuple[float, float]) -> dict[str, tuple[float, float]]:
    """Where each part begins and ends, in pixels."""
    (top, bottom), whole, ends = down, sum(n for _, n in shown), {}
    y = top
    for name, n in shown:
        ends[name] = (y, y + (bottom - top) * n / whole)
        y = ends[name][1]
    return ends


def _memory(sheet: Sheet, shown: Sequence[tuple[str, float]], down: tuple[float, float], printed: bool) -> None:
    """The bar, each part with its name and bytes at its left. printed: whether the device's memory is."""
    colors, narrow, (x0, x1) = sheet.colors, sheet.phone, BAR_ON_PHONE if sheet.phone else BAR
    ends = _ends_of_parts(shown, down)
    for name, (y0, y1) in ends.items():
        for color, (a, b) in _fills(colors, name, x0, x1):
            sheet.bar(a, y0, b, y1, color)
    sheet.frame(x0, down[0], x1, down[1], colors.ink, 1.6)
    whole = sum(n for _, n in shown)
    text = f"memory of the device: <b>{binary_bytes(whole)}</b>" if printed else "what is printed, to scale"
    sheet.write(0, down[0] - 16, text, 15, colors.ink, "middle right")
    if narrow:
        return
    right = x0 - 12 / sheet.wide
    middles = spread_out([sum(ends[name]) / 2 for name, _ in shown], 46, down[0] + 20, down[1] - 22)
    for (name, n), y in zip(shown, middles, strict=True):
        lines = [(bold(name), 15.0), (binary_bytes(n), 15.0)]
        for k, (text, size) in enumerate(lines):
            sheet.write(right, y + 21 * (k - (len(lines) - 1) / 2), text, size, anchor="middle left")


def _named_beneath(sheet: Sheet, shown: Sequence[tuple[str, float]], top: float) -> float:
    """On a phone the parts with their names and bytes, a line each; returns the pixels that they take."""
    for k, (name, n) in enumerate(shown):
        y = top + 14 + 22 * k
        for color, (a, b) in _fills(sheet.colors, name, 0, 24 / sheet.wide):
            sheet.bar(a, y - 8, b, y + 8, color)
        sheet.write(34 / sheet.wide, y, f"{bold(name)} {binary_bytes(n)}", 15, anchor="middle right")
    return 22.0 * len(shown) + 8


def _point(
    sheet: Sheet, places: Sequence[tuple[Printed, float, float]], parts: Mapping[str, tuple[float, int]],
    down: tuple[float, float], left: float,
) -> None:  # fmt: skip
    """From each line of the log to the part of the memory that it is about; where several lead to one, each to a place of its own.
    places: lines, with their middle and half of their height."""
    colors, right = sheet.colors, (BAR_ON_PHONE if sheet.phone else BAR)[1]
    ends, edge = _ends_of_parts(_shown(parts), down), left - 26 / sheet.wide
    ways = []
    for line, middle, half in places:
        names = [name for name in parts if parts[name][1] == line.n and name != ALL]
        counts = not names and line.held and CACHE in parts
        ways += [(name, middle, half, counts) for name in ([CACHE] if counts else names)]
    for name, middle, half, counts in ways:
        y0, y1 = ends[name]
        beside = [one for one in ways if one[0] == name]
        y = y0 + (y1 - y0) * (beside.index((name, middle, half, counts)) + 0.5) / len(beside)
        if len(beside) == 1:
            y = min(max(middle, y0 + min(6, (y1 - y0) / 2)), y1 - min(6, (y1 - y0) / 2))
        color, turn = colors.muted if counts else colors.ink, right + 0.55 * (edge - right)
        way = f"M{right:.4f},{y:.1f}L{turn:.4f},{middle:.1f}H{edge:.4f}"
        sheet.line(way, color, 1.3 if counts else 2, "dash" if counts else "")
        sheet.dots([right], [y], 9, color, (colors.surface, 1.5))
        sheet.line(f"M{edge:.4f},{middle - half:.1f}V{middle + half:.1f}", color, 2)


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


def _fills(colors: Palette, name: str, left: float, right: float) -> Sequence[tuple[str, tuple[float, float]]]:
    """The colours of a part, and how far across each: a cache is keys beside values."""
    if name == CACHE:
        middle = (left + right) / 2
        return (colors.key, (left, middle)), (colors.value, (middle, right))
    return ((colors.hole if name == REST else colors.bar, (left, right)),)
