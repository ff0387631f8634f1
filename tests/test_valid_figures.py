"""What Plotly refuses is refused, also of a figure that is like many before it but for that."""

from copy import deepcopy

import plotly.graph_objects as go
import pytest
from valid_figures import valid

from pages.parts.drawing.sheet import Sheet

SHAPE = {
    "type": "rect",
    "x0": 0,
    "x1": 1,
    "y0": 2,
    "y1": 3,
    "fillcolor": "#12AB9F",
    "opacity": 0.5,
    "line": {"width": 0, "color": "red"},
}
WORDS = {
    "type": "scatter", "mode": "text", "x": [1, 2], "y": [None, 3.5], "text": ["a", "b"], "textposition": ["middle left", "top right"],
    "textfont": {"size": [12, 13], "color": ["#123456", "rgb(1,2,3)"]},
}  # fmt: skip
FIGURE = {
    "data": [WORDS, {"type": "heatmap", "z": [[0, 1], [2, None]], "zmin": 0, "colorscale": [[0, "#ffffff"], [1, "#000"]]}],
    "layout": {
        "shapes": [SHAPE] * 3,
        "annotations": [{"text": "t", "x": 1}],
        "xaxis": {"range": [0, 1]},
        "meta": {"min_width": 0},
    },
    "frames": [{"name": "1", "layout": {"shapes": [SHAPE]}}, {"name": "2", "data": [WORDS], "traces": [0]}],
}
WRONG = [
    (("data", 0, "textposition", 1), "left middle"), (("data", 0, "textfont", "size", 0), -1), (("data", 0, "mode"), "texts"),
    (("data", 0, "textfont", "color", 0), "#12345"), (("data", 0, "txt"), "a"), (("data", 0, "type"), "scater"),
    (("data", 1, "zmin"), "low"), (("data", 1, "colorscale", 1, 0), 2), (("data", 0, "x"), 3),
    (("layout", "shapes", 2), SHAPE | {"opacity": 1.5}), (("layout", "shapes", 1), SHAPE | {"type": "square"}),
    (("layout", "shapes", 0), SHAPE | {"fillcolour": "red"}), (("layout", "shapes", 0), SHAPE | {"line": {"width": -2}}),
    (("layout", "annotations", 0, "ax0"), 1), (("layout", "xaxis", "range"), [0, 1, 2]), (("layout", "xaxes"), {}),
    (("frames", 0, "layout", "shapes", 0), SHAPE | {"layer": "over"}), (("frames", 0, "label"), "1"),
    (("frames", 1, "data", 0), WORDS | {"textposition": "up"}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "value"), WRONG, ids=str)
def test_what_plotly_refuses_is_refused_though_its_like_was_taken(where, value):
    wrong = deepcopy(FIGURE)
    part = wrong
    for name in where[:-1]:
        part = part[name]
    part[where[-1]] = value
    for read in (go.Figure, valid):
        read(FIGURE)
        with pytest.raises(ValueError):
            read(wrong)


def test_a_figure_that_nobody_changed_is_the_one_that_plotly_makes_of_it():
    """With arrays and words; what is changed is told."""
    sheet = Sheet()
    sheet.write(0.1, 20, "a", 14)
    sheet.bar(0, 0, 1, 30, "#123456")
    figure = sheet.figure(100)
    mine = figure.to_plotly_json()
    figure.layout.title = {"text": "new"}
    theirs = figure.to_plotly_json()
    assert theirs["layout"].pop("title") == {"text": "new"}
    assert mine["data"] == theirs["data"] and mine["layout"].keys() == theirs["layout"].keys()
    assert valid(mine).data[-1].text == ["a"] and valid(mine).data[-1].nothing is None


def test_what_is_like_a_figure_that_was_validated_is_not_validated_again(monkeypatch):
    """Plotly puts the type of a trace behind its other attributes, and so no trace was ever found to be like one before it."""
    asked, plotlys = [], go.Figure
    monkeypatch.setattr(go, "Figure", lambda *parts, **named: asked.append(parts) or plotlys(*parts, **named))
    for size in (14, 15):
        valid(FIGURE | {"data": [{"type": "scatter", "mode": "text", "x": [1], "textfont": {"size": size}, "legendrank": 7}]})
    assert len(asked) == 1
