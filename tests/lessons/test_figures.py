"""Every figure of every lesson: true to the engine's arrays, free of markup that people typed, and legible.

The figures are taken from the lessons themselves, so that a builder which is new is checked as soon as a lesson shows it.
"""

import re
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest
from app_pages import LESSONS, SCENARIOS, TOY_LESSONS, figures, show, visitor

from engine import Scenario, prefill
from pages.lessons.attention.figures.attention_map import attention_map, cell_of_column
from pages.lessons.attention.figures.one_head import one_head
from pages.lessons.attention.maps import next_of
from pages.parts.drawing.palette import contrast, palette, rgb
from pages.parts.drawing.sheet import WIDTH, Sheet, ems
from pages.parts.text.format import head_names

SHOWN = ("Article, text", "sixteen tokens, eight heads", "negative", "empty row nan", "long and strange words", "mask off")
# Every lesson by light and by dark; a lesson that is not about the scenario shows the same whatever that is.
CASES = [
    *((lesson, name, False) for lesson in LESSONS for name in (SHOWN if lesson in TOY_LESSONS else SHOWN[:1])),
    *((lesson, name, True) for lesson in LESSONS for name in (SHOWN[:3] if lesson in TOY_LESSONS else SHOWN[:1])),
]
TAGS = re.compile(r"</?(b|br|i|sub|sup)>")


def shown(lesson, name, dark):
    """Every state of every figure that the lesson shows: the figure itself, and some frames of its animation."""
    for figure, _ in figures(show(visitor(lesson, dark), SCENARIOS[name])):
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
        font, zoom = trace["textfont"], figure["layout"]["height"] / figure["layout"]["yaxis"]["range"][0]
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


def areas(figure):
    """Everything that gives the surface a colour, from below: (the polygons, their colour)."""
    layout = figure["layout"]
    for shape in layout.get("shapes", []):
        if shape.get("fillcolor") and shape["type"] == "path":
            yield list(polygons(shape["path"])), shape["fillcolor"]
    for trace in figure["data"]:
        if trace["type"] == "heatmap" and trace.get("opacity", 1):
            stops = np.array([rgb(color) for _, color in trace["colorscale"]])
            at = np.array([position for position, _ in trace["colorscale"]])
            z = np.array(trace["z"], dtype=float)
            shares = np.clip((z - trace["zmin"]) / (trace["zmax"] - trace["zmin"]), 0, 1)
            colors = np.stack([np.interp(shares, at, stops[:, channel]) for channel in range(3)], axis=-1)
            for i, j in np.argwhere(np.isfinite(z)):
                (x0, x1), (y0, y1) = trace["x"][j : j + 2], trace["y"][i : i + 2]
                yield [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], colors[i, j]


def background(figure, surface, boxes, x, y):
    """The colour beneath a point."""
    color = surface
    for (x0, x1, y0, y1), polygon, fill in boxes:
        if x0 <= x <= x1 and y0 <= y <= y1 and inside(polygon, x, y):
            color = fill if isinstance(fill, np.ndarray) else painted(fill, color)
    return color


def illegible(figure, surface):
    """What is written with a contrast below 4.5 : 1 anywhere along it, a line each."""
    boxes = [
        ((min(xs), max(xs), min(ys), max(ys)), polygon, fill)
        for drawn, fill in areas(figure)
        for polygon in drawn
        for xs, ys in [zip(*polygon, strict=True)]
    ]
    for text, _, color, left, right, y in pieces_of_text(figure):
        for share in (0.2, 0.5, 0.8) if text.strip() else ():
            below = background(figure, surface, boxes, left + share * (right - left), y)
            ratio = contrast(painted(color, below), below)
            if ratio < 4.5:
                yield f"{text!r} in {color} at {left:.3f}, {y:.0f}: {ratio:.2f}"
                break


@pytest.mark.parametrize(("lesson", "name", "dark"), CASES)
def test_every_word_on_a_figure_is_legible(lesson, name, dark):
    """That figures are valid for Plotly is tested with the lessons, in more scenarios."""
    surface = rgb(palette(dark).surface)
    for figure in shown(lesson, name, dark):
        assert list(illegible(figure, surface)) == []


def test_the_check_of_legibility_sees_faint_text_on_every_kind_of_area():
    figure = next(shown("attention", "Article, text", False))
    assert list(illegible(figure, rgb("#FFFFFF"))) == []
    font = figure["data"][-1]["textfont"]
    font["color"] = [
        "#777777" if text == "−∞" else color for text, color in zip(figure["data"][-1]["text"], font["color"], strict=True)
    ]
    hidden = font["color"].count("#777777")
    assert len(list(illegible(figure, rgb("#FFFFFF")))) == hidden > 0  # in the holes of the mask
    font["color"] = ["#8A8A8A"] * len(font["color"])
    assert len(list(illegible(figure, rgb("#FFFFFF")))) > len(font["color"]) / 2


# A tag that no builder of ours writes; a span's colour is one of the palette's.
MARKUP = "<(?!/?(b|br|i|sub|sup|extra|span)>|span style='color:#[0-9A-Fa-f]{6}'>)|<(a|i|sub)[ >]|&(?!amp;|lt;|gt;)"


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_people_typed_is_never_markup(lesson):
    words = ("<b>a</b>", "<a href=//x>y</a>", "x<br>y", "&lt;", "<sub>", "%{z}")
    s = Scenario(words, range(6), words=("<i>v</i>", "<b>w</b>", "&amp;"))
    at = show(visitor(lesson, False), s)
    for figure, _ in figures(at):
        for trace in [t for state in (figure, *figure.get("frames", [])) for t in state.get("data", [])]:
            texts = [*(trace.get("text") or []), *_flat(trace.get("customdata") or []), *_flat([trace.get("hovertemplate", "")])]
            for text in texts:
                assert not re.search(MARKUP, str(text)), text
                assert not re.search("<b>[avw]</b>|<br>y", str(text)), text


def _flat(items):
    for item in items:
        yield from _flat(item) if isinstance(item, list) else [item]


def drawn_map(s, **look):
    run = prefill(s.model(), s.prompt_ids)
    figure = attention_map(Sheet(**look), run, s.tokens, head_names(s), next_of(s, run), (0, len(s.tokens) - 1, 0))
    return run.layers[0], go.Figure(figure.to_plotly_json())


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_attention_map_is_the_engines_arrays_with_holes_where_the_mask_hides(name):
    s = SCENARIOS[name]
    layer, figure = drawn_map(s)
    hidden = np.where(layer.mask, 1.0, np.nan)
    weights = np.where(layer.mask | (layer.weights > 0), layer.weights, np.nan)  # what leaks to a hidden token is seen
    n = len(s.tokens)
    for trace, stage in zip(figure.data[:3], (layer.scores, layer.scores * hidden, weights), strict=True):
        z = np.array(trace.z, dtype=float)
        columns = [cell_of_column(column, n) for column in range(z.shape[1])]
        assert columns.count(None) == len(s.rules) - 1  # the gaps between heads
        for column, where in enumerate(columns):
            meant = np.full(n, np.nan) if where is None else stage[where[0], :, where[1]]
            np.testing.assert_array_equal(z[:, column], meant)
        assert trace.zmin <= np.nanmin(np.append(z, 0)) and trace.zmax >= np.nanmax(np.append(z, 0))
    assert figure.data[0].zmin == -figure.data[0].zmax  # zero is the neutral colour
    assert (figure.data[2].zmin, figure.data[2].zmax) == (0, 1)


def test_a_cell_carries_its_number_a_hidden_one_minus_infinity_and_an_empty_row_none():
    _, figure = drawn_map(Scenario.article())
    words = list(figure.data[-1].text)
    layer = prefill(Scenario.article().model(), Scenario.article().prompt_ids).layers[0]
    shown = np.concatenate([layer.scores.ravel(), layer.scores[layer.mask]])
    assert (words.count("+8"), words.count("−8"), words.count("−∞")) == (
        (shown > 0).sum(),
        (shown < 0).sum(),
        (~layer.mask).sum(),
    )
    assert words.count("none") == 2  # in the weights and in the contexts
    assert {"12.5", "<b>12.5</b>"} & set(words) and {"<b>15.3</b>", "14.2", "8.15"} <= set(words)
    assert words.count("0.25") == 4


@pytest.mark.parametrize("look", [{}, {"dark": True}, {"zoom": 1.15}])
def test_nothing_is_written_beyond_the_figure(look):
    for s in (*SCENARIOS.values(), Scenario(words=("W" * 24, "M" * 24, "m" * 24))):
        _, figure = drawn_map(s, **look)
        height = figure.layout.yaxis.range[0]
        for text, size, _, left, right, y in pieces_of_text(figure.to_plotly_json()):
            assert left >= -0.002 and right <= 1.02, text
            assert y - 0.4 * size >= -4 and y + 0.4 * size <= height + 4, text


@pytest.mark.parametrize("name", SCENARIOS)
def test_one_head_in_stages_is_the_engines_arrays(name):
    s = SCENARIOS[name]
    run = prefill(s.model(), s.prompt_ids)
    layer, head = run.layers[0], len(s.rules) - 1
    figure = go.Figure(one_head(Sheet(), run, s.tokens, head_names(s), (head, len(s.tokens) - 1, 0)).to_plotly_json())
    hidden = np.where(layer.mask[head], 1.0, np.nan)
    stages = (layer.scores[head], layer.scores[head] * hidden, layer.weights[head] * hidden)
    for trace, stage in zip(figure.data[:3], stages, strict=True):
        np.testing.assert_array_equal(np.array(trace.z, dtype=float), stage)
    assert figure.layout.meta["grid"]["selected"] == [2, len(s.tokens) - 1, 0]
    assert len(figure.layout.meta["grid"]["columns"]) == len(s.tokens)
