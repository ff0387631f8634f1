"""Colours: the same thing has the same colour on every page, in light and in dark.

Checked by computation in tests/parts/drawing/test_palette.py: three kinds of colour blindness, grey, and a contrast of at least
4.5 : 1 for the text on every cell. Text on a cell is black or white, whichever contrasts more: on any colour one of them reaches 4.58.
"""

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

SCALES = ("scores", "weights")
STEPS = 2048  # of a scale for which the colour of text is kept


@dataclass(frozen=True)
class Palette:
    """One theme's colours, as #RRGGBB. A scale is a tuple of colours at equal steps from its low end to its high end."""

    surface: str
    ink: str  # also of text that is pressed, and of what marks a place
    muted: str
    hole: str  # a cell that the mask takes away
    scores: tuple[str, ...]  # diverging around zero, pale: neither sign is the news, and orange is none of them
    weights: tuple[str, ...]  # sequential from the surface
    accent: str  # the one result; also "new"
    bar: str  # also the line beside what a step comes to
    cached: str
    prefill: str
    decode: str
    query: str
    key: str
    value: str
    wasted: str  # computed again although nothing about it has changed
    line: str  # around a part of the page
    warning: str  # a ground for black text


LIGHT = Palette(
    surface="#FFFFFF",
    ink="#14181F",
    muted="#4A5462",
    hole="#E3E8EF",
    scores=("#C6B077", "#D5C596", "#F7F7F7", "#8CC2E8", "#55ABE6"),
    weights=("#FFFFFF", "#B6CEE6", "#5E92C9", "#0B5CAD"),
    accent="#C24E00",
    bar="#9AA7B8",
    cached="#9AA7B8",
    prefill="#0B5CAD",
    decode="#C24E00",
    query="#0072B2",
    key="#B0578D",
    value="#00805C",
    wasted="#855747",
    line="#C4CBD5",
    warning="#FFD166",
)
DARK = Palette(
    surface="#0E1116",
    ink="#EEF2F7",
    muted="#B4BFCC",
    hole="#262E3A",
    scores=("#766948", "#5A5138", "#1A1E25", "#1C5C98", "#2F79B8"),
    weights=("#0E1116", "#1E3450", "#41699B", "#6FB1FF"),
    accent="#FF8A3D",
    bar="#5F6C7E",
    cached="#7D8A9C",
    prefill="#6FB1FF",
    decode="#FF8A3D",
    query="#4FB3E8",
    key="#E39AC6",
    value="#2CC295",
    wasted="#B06B48",
    line="#3A4453",
    warning="#FFD166",
)


def palette(dark: bool) -> Palette:
    """The colours of the theme that the page is shown in."""
    return DARK if dark else LIGHT


def css_variables() -> str:
    """The colours for style sheets, which name none themselves: var(--prefill) is the one of the scheme that an element is in."""
    names = [field.name for field in fields(Palette) if field.name not in SCALES]
    pairs = [(name, getattr(LIGHT, name), getattr(DARK, name)) for name in names]
    pairs += [(f"score-{name}", LIGHT.scores[k], DARK.scores[k]) for name, k in (("low", 0), ("zero", 2), ("high", 4))]
    return f":root {{ {' '.join(f'--{name}: light-dark({light}, {dark});' for name, light, dark in pairs)} }}\n"


def colorscale(colors: tuple[str, ...]) -> list[tuple[float, str]]:
    """A scale in Plotly's form: positions from 0 to 1."""
    return [(i / (len(colors) - 1), c) for i, c in enumerate(colors)]


def rgb(color: str) -> np.ndarray:
    """#RRGGBB as three numbers from 0 to 1."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def shade(colors: tuple[str, ...], position: np.ndarray) -> np.ndarray:
    """The colours of a scale at `position` from 0 to 1, mixed as the browser mixes them: (...,) -> (..., 3)."""
    stops = np.array([rgb(c) for c in colors])
    at = np.linspace(0, 1, len(colors))
    return np.stack([np.interp(position, at, stops[:, channel]) for channel in range(3)], axis=-1)


@lru_cache(maxsize=1024)
def faded(colors: Palette, color: str, share: float) -> str:
    """A colour of which so much is left on the surface, as #RRGGBB."""
    mixed = share * rgb(color) + (1 - share) * rgb(colors.surface)
    return "#" + "".join(f"{round(255 * part):02X}" for part in mixed)


def luminance(color: np.ndarray) -> np.ndarray:
    """Relative luminance of sRGB colours (WCAG 2.2): (..., 3) -> (...,)."""
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    la, lb = luminance(a), luminance(b)
    return (np.maximum(la, lb) + 0.05) / (np.minimum(la, lb) + 0.05)


def text_colors(colors: tuple[str, ...], position: np.ndarray) -> np.ndarray:
    """Black or white, whichever reads better on the scale's colour at each `position` from 0 to 1; NaN is taken for 0."""
    known = np.where(position == position, position, 0)
    return _inks(tuple(colors))[np.rint(known * STEPS).astype(int)]


def ink_on(color: str) -> str:
    """Black or white, whichever reads better on a colour."""
    return str(text_colors((color, color), np.array(0.0)))


@lru_cache(maxsize=64)
def _inks(colors: tuple[str, ...]) -> np.ndarray:
    """Black or white at STEPS + 1 positions: a position is off by half a step at most, contrast there by less than 0.02 of 4.58."""
    light = luminance(shade(colors, np.linspace(0, 1, STEPS + 1)))
    return np.where((light + 0.05) ** 2 > 0.05 * 1.05, "#000000", "#FFFFFF")
