"""A figure's two forms are the same figure: what the page sends, put together again, is what a notebook shows."""

import copy
import json
import pickle

import numpy as np
import plotly.graph_objects as go
import pytest
from app_pages import LESSONS, ROOT, SCENARIOS, TOY_LESSONS, alone, show
from short_form import short, unfolded

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import LIGHT
from pages.parts.drawing.sheet import Sheet
from pages.parts.drawing.sheet_figure import MOST_PLAIN, SheetFigure

SENT = SheetFigure.sent


def whole(figure):
    """The complete figure as a browser would receive it from Plotly."""
    return json.loads(json.dumps(figure.to_plotly_json(), default=np.ndarray.tolist), parse_constant=lambda _: None)


def assert_same(sent, meant, place="figure"):
    """Equal part by part; positions of text are sent in single precision, thousandths of a pixel."""
    if isinstance(meant, dict):
        sent, meant = ({key: part for key, part in form.items() if part is not None} for form in (sent, meant))  # null: not set
        assert sent.keys() == meant.keys(), place
        for key in meant:
            assert_same(sent[key], meant[key], f"{place}.{key}")
    elif place.endswith(("].x", "].y")) and not isinstance(meant, float) and not isinstance(meant[0] if meant else None, str):
        np.testing.assert_allclose(np.array(sent, float), np.array(meant, float), rtol=1e-6, atol=1e-6, err_msg=place)
    elif isinstance(meant, list):
        assert len(sent) == len(meant), place
        for k, (a, b) in enumerate(zip(sent, meant, strict=True)):
            assert_same(a, b, f"{place}[{k}]")
    else:
        assert sent == meant, place


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_every_lesson_sends_is_its_complete_figures(lesson, monkeypatch):
    figures = []
    monkeypatch.setattr(SheetFigure, "sent", lambda figure: figures.append(figure) or SENT(figure))
    at = alone(lesson)
    for name in ("empty row nan", "sixteen tokens, eight heads")[: 2 if lesson in TOY_LESSONS else 1]:  # others show the same
        show(at, SCENARIOS[name])
    draws = (ROOT / "pages/lessons" / lesson / "figures").is_dir()
    assert figures or not draws or lesson in ("claims", "glossary")  # before an answer, and on a projector, they draw none
    for figure in figures:
        assert_same(unfolded(SENT(figure)), whole(figure))


def sheet_of(cells, hover=True):
    sheet = Sheet()
    sheet.heatmap(
        Grid(np.linspace(0, 1, cells.shape[1] + 1), np.arange(cells.shape[0] + 1.0)), cells, Scale(LIGHT.weights), hover
    )
    sheet.write_all(np.array([0.1, 0.2]), 5.0, ["<b>a</b>", "b"], 12, np.array(["#111111", "#222222"]))
    sheet.write(0.5, 6, "c", 14)
    return sheet


@pytest.mark.parametrize("hover", [True, False])
def test_pointing_at_a_cell_that_is_left_out_says_nothing(hover):
    """It said "NaN"."""
    assert sheet_of(np.array([[0.5, np.nan]]), hover).figure(10).data[0].hoverongaps is False


def test_a_figure_is_put_together_only_when_it_is_read_and_is_plotlys_own_then():
    figure = sheet_of(np.array([[0.5, np.nan]])).figure(10)
    figure.sent()
    assert "_data" not in vars(figure)
    assert isinstance(figure, go.Figure) and list(figure.data[-1].text) == ["<b>a</b>", "b", "c"]
    assert figure.to_plotly_json()["data"][0]["z"] == [[0.5, None]]
    assert list(figure.data[-1].textfont.color) == ["#111111", "#222222", LIGHT.ink]
    for copied in (copy.deepcopy(figure), pickle.loads(pickle.dumps(figure))):
        assert type(copied) is go.Figure and copied.data[-1].text == figure.data[-1].text
    with pytest.raises(AttributeError):
        figure.nothing_of_the_kind  # noqa: B018


def test_numbers_are_sent_bit_for_bit_in_as_few_bytes_as_hold_them():
    exact, third = np.array([[0.5, np.nan], [-8, 1]]), np.array([[1 / 3, 0]])
    large = np.random.default_rng(0).random((40, 40)).round(1)
    for cells, kind in ((exact, "f4"), (third, "f8"), (large, "f8")):
        sent = short(sheet_of(cells).figure(10).sent())["data"][0]["z"]
        assert sent["dtype"] == kind and ("deflated" in sent) == (cells.nbytes > MOST_PLAIN)
        z = unfolded(sheet_of(cells).figure(10).sent())["data"][0]["z"]
        np.testing.assert_array_equal(np.array(z, float), cells)


def test_frames_are_sent_as_what_differs():
    sheet = sheet_of(np.array([[1.0]]))
    sheet.bar(0, 0, 1, 5, "#123456")
    extra = {"type": "rect", "x0": 0, "y0": 0, "x1": 1, "y1": 2}
    frames = [{"name": str(k), "layout": {"shapes": [*sheet.shapes, *[extra] * k]}} for k in range(3)]
    figure = sheet.figure(10, frames=frames)
    sent = short(figure.sent())["frames"]
    assert [(frame["kept"], len(frame["layout"]["shapes"])) for frame in sent] == [(1, 0), (1, 1), (1, 2)]
    assert_same(unfolded(figure.sent()), whole(figure))
