"""Axes of our own: round steps, bytes beneath a bar, and a logarithmic frame on a sheet (x from 0 to 1, y in pixels)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from pages.parts.drawing.sheet import Sheet
from pages.parts.text.format import number, round_step

SIZES, SIZES_ON_PHONE = (15.0, 16.5), (13.0, 14.5)  # type sizes of a logarithmic frame's numbers, and of what they are of


def byte_ticks(sheet: Sheet, most: float, y: float) -> None:
    """Ticks and their labels beneath a bar that ends at y, over the whole width of the sheet. most: bytes at its right end."""
    unit, name = next((u, n) for u, n in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB")) if most >= 2 * u or n == "GB")
    step = round_step(most / unit / 7)
    for k in range(int(most / unit / step) + 1):
        at = k * step * unit / most
        sheet.bar(at - 0.0006, y, at + 0.0006, y + 6, sheet.colors.muted)
        label = f"{number(k * step, 4)}{f' {name}' if k == 0 else ''}"
        sheet.write(at, y + 17, label, 13, sheet.colors.muted, "middle center" if k else "middle right")


def time_ticks(sheet: Sheet, across: tuple[float, float], most: float, y: float) -> None:
    """Ticks and their labels beneath bars that end at y. across: where 0 and `most` seconds lie."""
    left, right = across
    step = round_step(most / (4 if sheet.phone else 8))
    unit, name = (1.0, "s") if most >= 1 else (1e-3, "ms")
    for k in range(int(most / step + 1e-9) + 1):
        at = left + (right - left) * k * step / most
        sheet.bar(at - 0.0006, y + 2, at + 0.0006, y + 9, sheet.colors.muted)
        label = f"{number(k * step / unit, 6)}" + (f" {name}" if k == 0 else "")
        sheet.write(at, y + 20, label, 13, sheet.colors.muted, "middle center" if k or not sheet.phone else "middle right")


@dataclass(frozen=True)
class LogFrame:
    """A log-log field: data from x0 to x1 and y0 to y1, drawn between left and right (0 to 1) and bottom and top (pixels)."""

    x0: float
    x1: float
    y0: float
    y1: float
    left: float
    right: float
    top: float
    bottom: float

    def x(self, value: float) -> float:
        """Where a value lies across; values beyond the field stay at its border."""
        share = (log10(max(value, 1e-300)) - log10(self.x0)) / (log10(self.x1) - log10(self.x0))
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value lies down the sheet."""
        share = (log10(max(value, 1e-300)) - log10(self.y0)) / (log10(self.y1) - log10(self.y0))
        return self.bottom - min(max(share, 0.0), 1.0) * (self.bottom - self.top)

    def line(
        self, sheet: Sheet, xs: Sequence[float], ys: Sequence[float], color: str, width: float = 2.5, dash: str = ""
    ) -> None:
        """A line through data points."""
        path = "M" + "L".join(f"{self.x(x):.5f},{self.y(y):.2f}" for x, y in zip(xs, ys, strict=True))
        sheet.line(path, color, width * sheet.zoom, dash)

    def columns(self, sheet: Sheet, words, every: int = 1) -> None:
        """Powers of ten across, as thin lines with labels beneath. words: what is written for a value; every: label each so many."""
        colors, size, lines = sheet.colors, (SIZES_ON_PHONE if sheet.phone else SIZES)[0], ""
        for k in powers(self.x0, self.x1):
            at = self.x(10.0**k)
            lines += f"M{at:.5f},{self.top:.2f}L{at:.5f},{self.bottom:.2f}"
            if k % every == 0:
                sheet.write(at, self.bottom + 14, words(10.0**k), size, colors.muted)
        sheet.line(lines, colors.hole)

    def grid(self, sheet: Sheet, x_words, y_words, x_title: str, y_title: str, every: int = 1) -> None:
        """Powers of ten as thin lines with labels. x_words, y_words: what is written for a value; every: label each so many."""
        colors, (size, title), lines = sheet.colors, SIZES_ON_PHONE if sheet.phone else SIZES, ""
        self.columns(sheet, x_words, every)
        for k in powers(self.y0, self.y1):
            at = self.y(10.0**k)
            lines += f"M{self.left:.5f},{at:.2f}L{self.right:.5f},{at:.2f}"
            if k % every == 0:
                sheet.write(self.left - 0.007, at, y_words(10.0**k), size, colors.muted, "middle left")
        sheet.line(lines, colors.hole)
        sheet.write((self.left + self.right) / 2, self.bottom + 34, x_title, title, colors.ink)
        sheet.write(self.left, self.top - 14, y_title, title, colors.ink, "middle right")


def powers(low: float, high: float) -> range:
    """Exponents of the powers of ten from low to high.

    >>> list(powers(0.5, 1000))
    [0, 1, 2, 3]
    """
    return range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)


def spread_out(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Label positions as near to the wanted ones as leaves `least` between neighbours, all from low to high where they fit.

    >>> spread_out([10, 12, 50], 10, 0, 100)
    [10, 20, 50]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    for k, i in enumerate(order):
        placed[i] = max(wanted[i], low if k == 0 else placed[order[k - 1]] + least)
    for k in range(len(order) - 1, -1, -1):
        limit = high if k == len(order) - 1 else placed[order[k + 1]] - least
        placed[order[k]] = min(placed[order[k]], limit)
    return placed


def field_range(values: Sequence[float], low: float, high: float) -> tuple[float, float]:
    """Powers of ten that hold all values and at least low to high."""
    least, most = min([*values, low]), max([*values, high])
    return 10.0 ** floor(log10(least)), 10.0 ** ceil(log10(most))
