"""Whether what is written on a figure can be read: each word's contrast with what is painted beneath it."""

import re
from functools import cache
from html import unescape

import numpy as np

from pages.parts.drawing.palette import contrast, rgb
from pages.parts.drawing.sheet import WIDTH, ems

TAGS = re.compile(r"</?(b|br|i|s|sub|sup)>")


def states(found):
    """Every state of the figures of a page: each itself, and some frames of its animation."""
    for figure, _ in found:
        yield figure
        frames = figure.get("frames", [])
        for frame in frames[:: max(1, len(frames) // 4)]:
            data = list(figure["data"])
            for at, trace in zip(frame.get("traces", range(len(data))), frame.get("data", []), strict=False):
                data[at] = data[at] | trace
            yield {"data": data, "layout": figure["layout"] | frame.get("layout", {})}


def pieces_of_text(figure):
    """(text without tags, size, colour, x of its left end, x of its right end, y) of all that is written."""
    for trace in figure["data"]:
        if trace.get("mode") != "text":
            continue
        font, zoom = trace["textfont"], figure["layout"]["height"] / -np.diff(figure["layout"]["yaxis"]["range"])[0]
        columns = (trace["x"], trace["y"], trace["text"], font["size"], font["color"], trace["textposition"])
        for x, y, text, size, color, position in zip(*columns, strict=True):
            letters = unescape(TAGS.sub("", str(text)))
            width = ems(letters) * size / zoom / WIDTH
            left = x - {"left": 1, "center": 0.5, "right": 0}[position.split()[1]] * width
            yield letters, size, color, left, left + width, y


def inside(polygon, x, y):
    """Whether a point lies in a polygon, by the number of edges on its left."""
    crossings = 0
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        crossings += (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return crossings % 2 == 1


def polygons(path):
    """The corners of every piece of a path made of M, L, H, V and Z."""
    for part in re.split("[Mm]", path)[1:]:
        corners = []
        for command, numbers in re.findall(r"([LHV]?)\s*(-?[\d.]+(?:[, ]-?[\d.]+)?)", part):
            x, y = [*map(float, re.split("[, ]", numbers)), None][:2]
            corners.append((x, corners[-1][1]) if command == "H" else (corners[-1][0], x) if command == "V" else (x, y))
        yield corners


def painted(color, below):
    """A colour over another: #RRGGBB, #RRGGBBAA or rgba(r,g,b,alpha)."""
    if color.startswith("#"):
        channels, alpha = rgb(color), int(color[7:] or "ff", 16) / 255
    else:
        *channels, alpha = map(float, re.findall(r"[\d.]+", color))
        channels = np.array(channels) / 255
    return alpha * channels + (1 - alpha) * below


def colored(trace, z):
    """A heatmap's colours: (rows, columns, 3)."""
    stops = np.array([rgb(color) for _, color in trace["colorscale"]])
    at = np.array([position for position, _ in trace["colorscale"]])
    shares = np.clip((z - trace["zmin"]) / (trace["zmax"] - trace["zmin"]), 0, 1)
    return np.stack([np.interp(shares, at, stops[:, channel]) for channel in range(3)], axis=-1)


def areas(figure):
    """Everything that gives the surface a colour, from below: (the polygons, their colour)."""
    layout = figure["layout"]
    for shape in layout.get("shapes", []):
        if shape.get("fillcolor") and shape["type"] == "path":
            yield list(polygons(shape["path"])), shape["fillcolor"]
    for trace in figure["data"]:
        if trace["type"] == "heatmap" and trace.get("opacity", 1):
            z, veil = np.array(trace["z"], dtype=float), trace["colorscale"][0][1]
            colors = np.full(z.shape, veil) if veil.startswith("rgba") else colored(trace, z)
            for i, j in np.argwhere(np.isfinite(z)).tolist():
                (x0, x1), (y0, y1) = trace["x"][j : j + 2], trace["y"][i : i + 2]
                yield [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], colors[i, j] if colors.ndim == 3 else str(colors[i, j])


def background(surface, boxes, x, y):
    """The colour beneath a point, as three numbers; boxes: those around the point, from below, (polygon, colour) each."""
    color = surface
    for polygon, fill in boxes:
        if inside(polygon, x, y):
            color = tuple(fill) if isinstance(fill, np.ndarray) else tuple(painted(fill, np.array(color)))
    return color


@cache
def readable(color, below):
    """The contrast of a colour with three numbers beneath it: a figure has a few of these pairs, hundreds of times each."""
    return contrast(painted(color, np.array(below)), np.array(below))


def illegible(figure, surface):
    """What is written with a contrast below 4.5 : 1 anywhere along it, a line each."""
    boxes = [(polygon, fill) for drawn, fill in areas(figure) for polygon in drawn]
    corners = [list(zip(*polygon, strict=True)) for polygon, _ in boxes]
    x0, x1, y0, y1 = np.array([(min(xs), max(xs), min(ys), max(ys)) for xs, ys in corners]).reshape(-1, 4).T
    words = [piece for piece in pieces_of_text(figure) if piece[0].strip()]
    x = np.array([left + share * (right - left) for *_, left, right, _ in words for share in (0.2, 0.5, 0.8)])[:, None]
    y = np.array([word[-1] for word in words for _ in range(3)])[:, None]
    around = [[] for _ in range(len(x))]  # of each point, the boxes that it lies in
    for point, box in np.argwhere((x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)).tolist():
        around[point].append(boxes[box])
    for k, (text, _, color, left, _, height) in enumerate(words):
        for point in range(3 * k, 3 * k + 3):
            ratio = readable(color, background(tuple(surface), around[point], float(x[point, 0]), height))
            if ratio < 4.5:
                yield f"{text!r} in {color} at {left:.3f}, {height:.0f}: {ratio:.2f}"
                break
