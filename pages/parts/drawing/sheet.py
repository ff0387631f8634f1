"""A sheet to lay out one figure on: x from 0 to 1 across the width, y in pixels from the top, text collected into one trace.

Text is what a figure costs in the browser, then traces and axes, not cells; so a figure has one pair of invisible axes, one trace
for all of its words and numbers, which the page draws as a layer of its own, and a heatmap for each thing shown in colour.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from html import escape
from itertools import accumulate, repeat

import numpy as np

from pages.parts.drawing.grid import Box, Grid, Scale
from pages.parts.drawing.legible import ACROSS, BOLD, ON_PAPER, grown_words
from pages.parts.drawing.palette import colorscale, palette
from pages.parts.drawing.sheet_figure import FONT, SheetFigure, Word

WIDTH = 1040  # pixels that a figure gets on a projector; type is sized for it
PHONE = 340  # and on a phone
EDGE = 1.006  # where the picture ends, a little to the right of what is laid out: a letter that ends there is not cut
LETTER = 0.53  # mean width of a letter, in units of the type size
_ALIKE = {
    " ijl.,:;|!'": 0.26,
    "()[]ftr/-": 0.34,
    "0123456789saceyvkzJL": 0.5,
    "ABCDGHKNPRTUXZ&": 0.62,
    "OQ": 0.68,
    "wMW": 0.76,
    "m%@": 0.84,
    "…": 0.95,
}
EMS = {letter: width for letters, width in _ALIKE.items() for letter in letters}

LEAST_STRETCH, MOST_STRETCH = 0.9, 1.8  # times as high as it is laid out a figure is drawn at least, and at most
MOST_PARTS = 256  # parts of figures that are kept for all visitors, some kilobytes each
_PARTS: dict[Hashable, list[list]] = {}


class Sheet:
    """Collects text, heatmaps and outlines; `figure` puts them together. Everything is laid out for WIDTH pixels across, on a `phone`
    for PHONE by the builders that ask `on_phone`; `zoom` enlarges all of it evenly, type included, for a projector.
    spare: pixels, before zooming, that a screen has beyond a projector's 720: what can be higher takes them.
    high: pixels for the figure, which is stretched to them, from LEAST_STRETCH to MOST_STRETCH times as high as laid out; not its type.
    presented: whether the browser draws it out into all of its step's room. paper: it is made as narrow as a sheet, and nothing moves.
    """

    def __init__(self, dark: bool = False, zoom: float = 1.0, spare: float = 0.0, phone: bool = False, high: float = 0.0):
        self.colors, self.zoom, self.spare, self.phone, self.wide = palette(dark), zoom, spare, phone, WIDTH
        self.high, self.presented, self.paper = high, False, False
        self.headline: Callable[[], float] | None = None  # writes above all, and says how high that is: drawing/headline.py
        self.traces: list[dict] = []
        self.shapes: list[dict] = []
        self.annotations: list[dict] = []
        self.answers: list[list] = []  # drawing/answers.py
        self.words: list[Word] = []

    def on_phone(self) -> bool:
        """Whether it is for a phone, as wide as which everything is laid out from here on."""
        if self.phone:
            self.wide = PHONE
        return self.phone

    def draw_once(self, key: Hashable, draw: Callable[[], None]) -> None:
        """Put on the sheet what `draw` does; where the key, all that this depends on besides the sheet, is one of the last, as it was
        put there then: half of *One head*'s time. Arrays stand in a key as their bytes."""
        parts = self.traces, self.shapes, self.annotations, self.words
        key = key, self.colors, self.zoom, self.spare, self.wide
        known = _PARTS.get(key)
        if known is None:
            began = [len(part) for part in parts]
            draw()
            if len(_PARTS) >= MOST_PARTS:
                _PARTS.clear()
            _PARTS[key] = [part[n:] for part, n in zip(parts, began, strict=True)]
        else:
            for part, more in zip(parts, known, strict=True):
                part.extend(more)

    def row(self, room: float, n: float, least: float, most: float) -> float:
        """Pixels of one of n rows that share `room` on a projector, and on a higher screen what it has beyond that.

        >>> Sheet().row(200, 4, 12, 40), Sheet(spare=120).row(200, 4, 12, 60)
        (40.0, 80.0)
        """
        return float(np.clip((room + self.spare) / n, least, most * (1 + self.spare / 360)))

    def write(self, x, y, text: str, size: float = 13, color: str | None = None, anchor: str = "middle center") -> None:
        """One piece of text. `text` may carry Plotly's own tags: words that people typed go through `plain` first."""
        self.words.append((x, y, text, round(size * self.zoom, 2), color or self.colors.ink, anchor))

    def write_all(self, x, y, texts: Iterable[str], size: float = 13, color=None) -> None:
        """Many pieces of text of one size. x, y, color: an array with one for each of them, or one for all."""
        looks = (self.colors.ink if color is None else color, round(size * self.zoom, 2), "middle center")
        x, y, color, size, anchor = (c.tolist() if isinstance(c, np.ndarray) else repeat(c) for c in (x, y, *looks))
        self.words.extend(zip(x, y, texts, size, color, anchor))  # noqa: B905  all but the texts may be endless

    def slanted(self, x: float, y: float, text: str, size: float, color: str) -> None:
        """Text that begins at a point and rises, for words above narrow columns. Dearer than `write`: some dozens at most."""
        font = {"size": round(size * self.zoom, 2), "color": color, "family": FONT}
        place = {"x": x, "y": y, "xanchor": "left", "yanchor": "bottom", "showarrow": False, "borderpad": 0}
        self.annotations.append({**place, "text": text, "textangle": -50, "font": font})

    def heatmap(self, grid: Grid, z: np.ndarray, scale: Scale, hover: list | bool = True, lines: bool = True) -> None:
        """Cells in colour; NaN is left out.
        hover: what hovering says, sentences in the shape of z; the number where it is True, nothing where False.
        lines: whether a thin line parts the cells.
        """
        trace = {
            "type": "heatmap",
            "z": np.array(z, float),
            "x": np.array(grid.x, float),
            "y": np.array(grid.y, float),
            "colorscale": colorscale(scale.colors),
            "zmin": scale.low,
            "zmax": scale.high,
            "showscale": False,
            "xgap": int(lines),
            "ygap": int(lines),
        }
        if isinstance(hover, bool):
            # Of gaps, or a cell that is left out says "NaN".
            says = {"hovertemplate": "%{z:.4g}<extra></extra>"} if hover else {"hoverinfo": "skip", "hovertemplate": None}
            self.traces.append(trace | says | {"hoverongaps": False})
        else:
            self.traces.append(trace | {"customdata": hover, "hovertemplate": "%{customdata}<extra></extra>"})

    def path(self, commands: str, fill: str, line: str | None = None, width: float = 0) -> None:
        """A filled area, beneath the heatmaps."""
        border = {"width": width} | ({"color": line} if line else {})
        self.shapes.append({"type": "path", "path": commands, "fillcolor": fill, "layer": "below", "line": border})

    def frame(self, x0: float, y0: float, x1: float, y1: float, color: str, width: float = 2.5) -> None:
        """An outline around something selected."""
        line = {"width": width, "color": color}
        self.shapes.append({"type": "rect", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": line, "layer": "above"})

    def bar(self, x0: float, y0: float, x1: float, y1: float, color: str) -> None:
        """A filled rectangle."""
        self.path(rectangle(x0, y0, x1, y1), color)

    def bars(self, boxes: Iterable[Box], color: str) -> None:
        """Filled rectangles, as one shape; none where there are none."""
        if path := "".join(rectangle(*box) for box in boxes):
            self.path(path, color)

    def share_bar(self, box: Box, share: float, color: str) -> None:
        """A bar filled to a share of it, from the left; nothing is drawn of one that is empty."""
        x0, y0, x1, y1 = box
        self.bar(*box, self.colors.hole)
        if share > 0:
            self.bar(x0, y0, x0 + (x1 - x0) * float(share), y1, color)

    def swatch(self, x: float, y: float, fill: str, name: str) -> float:
        """A colour, "" where something else is drawn in its place, and what it means; returns where the next one begins."""
        self.bars([(x, y - 8, x + 16 / self.wide, y + 8)] if fill else [], fill)
        self.write(x + 22 / self.wide, y, name, 13, self.colors.muted, "middle right")
        return x + (22 + 6.5 * len(name) + 38) / self.wide

    def line(self, path: str, color: str, width: float = 1, dash: str = "", layer: str = "below") -> None:
        """Lines along a path; dash: "dash", "dot" or "dashdot"."""
        line = {"width": width, "color": color} | ({"dash": dash} if dash else {})
        self.shapes.append({"type": "path", "path": path, "layer": layer, "line": line})

    def dots(
        self, x: Sequence[float], y: Sequence[float], size: float, fill, edge: tuple[str, float] | None = None, hover=()
    ) -> None:
        """Dots of so many pixels across. fill: a colour, or one for each; edge: of the line around; hover: when pointed at."""
        color, width = edge or (self.colors.surface, 2)
        dots = {"type": "scatter", "mode": "markers", "x": list(x), "y": list(y)}
        dots["marker"] = {"size": round(size * self.zoom), "color": fill, "line": {"width": width, "color": color}}
        says = {"customdata": hover, "hovertemplate": "%{customdata}<extra></extra>"} if hover else {"hoverinfo": "skip"}
        self.traces.append(dots | says)

    def figure(self, height: float, min_width: int = 0, on_phone: int = 0, frames: Sequence[dict] = (), **meta) -> SheetFigure:
        """The figure, `height` pixels high before zooming and before it is drawn out.

        min_width, on_phone: pixels across that it gets at least. frames: name and what is different (data, traces, layout), played in the
        browser. meta: for plot.js, what can be selected and is said aloud; step_ms and start of the frames.
        """
        above = self.headline() if self.headline else 0.0
        words, whole = self.words, (above + height) * self.zoom
        drawn = min(max(self.high, LEAST_STRETCH * whole), MOST_STRETCH * whole) if self.high else whole
        if grows := self.paper or (self.zoom > 1 and not frames):  # presented, printed, or on a large screen
            around = height, drawn / (above + height), self.traces, [s["path"] for s in self.shapes if "path" in s]
            words, larger = grown_words(words, around, self.presented)
            meta |= {"larger": larger} if larger else {}
        meta |= {} if self.presented else {"wide": ACROSS if grows else round(self.wide * self.zoom)}
        hidden = {"visible": False, "fixedrange": True}
        layout = {
            "template": {},
            "height": round(drawn),
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "xaxis": {**hidden, "range": [0, EDGE]},
            "yaxis": {**hidden, "range": [height, 0 - above]},
            **dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)"),
            "font": {"family": FONT, "color": self.colors.ink},
            "hoverlabel": {"font": {"family": FONT, "size": round(14 * self.zoom)}},
            "hovermode": "closest",
            "dragmode": False,
            "showlegend": False,
            "shapes": self.shapes,
            "meta": {"min_width": round(min(ACROSS, max(1, self.zoom) * (on_phone if self.phone else min_width))), **meta},
        }
        layout["meta"] |= ({"answers": self.answers} if self.answers else {}) | ({"printed": ON_PAPER} if self.paper else {})
        if self.annotations:
            layout["annotations"] = self.annotations
        return SheetFigure(self.traces, words, layout, () if self.paper else frames)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> str:
    """A rectangle as a path."""
    return f"M{x0:.5f},{y0:.2f}L{x1:.5f},{y0:.2f}L{x1:.5f},{y1:.2f}L{x0:.5f},{y1:.2f}Z"


def bold(text: str, strong: bool = True) -> str:
    """A text in bold, where it is the strong one."""
    return f"<b>{text}</b>" if strong else text


def plain(word: str) -> str:
    """A word that people typed, so that Plotly shows its letters and never reads them as markup."""
    return escape(word, quote=False)


def ems(text: str) -> float:
    """How wide a text is, in units of the type size, as Source Sans draws it and a little more.

    >>> round(ems("Mississippi"), 2), round(ems("warm…"), 2)
    (4.88, 3.39)
    """
    return sum(EMS.get(letter, 0.54 if letter < "\u2e80" else 1.0) for letter in text)


def bold_ems(text: str) -> float:
    """How wide it is in bold."""
    return BOLD * ems(text)


def type_size(text: str, pixels: float, most: float, least: float = 0.0, strong: bool = True) -> float:
    """The type size, from `least` to `most`, in which a text, in bold where it is strong, is as wide as `pixels` or less."""
    return max(least, min(most, pixels / (bold_ems if strong else ems)(text or " ")))


def short(word: str, pixels: float, size: float, strong: bool = False) -> str:
    """As much of a word as fits into `pixels`, escaped, its first letter at least; an ellipsis says that something is missing."""
    room = pixels / size / (BOLD if strong else 1.0) + 0.1  # the last letter has some space of its own at its end
    if ems(word) <= room:
        return plain(word)
    fits = sum(width + EMS["…"] <= room for width in accumulate(map(ems, word[:-1])))
    return plain(word[: max(1, fits)] + "…")
