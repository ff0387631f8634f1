"""Figures are true to the engine's arrays and free of markup that people typed. That they are valid and legible is tested with the
lessons that show them (tests/test_pages.py)."""

import re

import numpy as np
import pytest
from app_pages import LESSONS, SCENARIOS, alone, figures, of_visit, press, show, visited, visitor
from legible import illegible, pieces_of_text, states
from said import untagged
from valid_figures import valid

from engine import Scenario, prefill
from pages.lessons.attention.figures.attention_map import attention_map, cell_of_column
from pages.lessons.attention.figures.one_head import one_head
from pages.lessons.attention.maps import next_of
from pages.parts.drawing.palette import rgb
from pages.parts.drawing.sheet import Sheet
from pages.parts.question.question import Predictions
from pages.parts.text.toy_names import head_names


def test_the_check_of_legibility_sees_faint_text_on_every_kind_of_area():
    figure = next(states(figures(show(visitor("attention", False), {"cell": "1.2.1"}))))
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
MARKUP = "<(?!/?(b|br|i|s|sub|sup|extra|span)>|span style='color:#[0-9A-Fa-f]{6}'>)|<(a|i|sub)[ >]|&(?!amp;|lt;|gt;)"


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_people_typed_is_never_markup(lesson):
    words = ("<b>zq</b>", "<a href=//x>y</a>", "x<br>y", "&lt;", "<sub>", "%{z}")
    s = Scenario(words, range(6), words=("<i>vq</i>", "<b>wq</b>", "&amp;"))
    at, texts = show(alone(lesson), s), set()  # what stands in every cell and every frame is looked at once
    for figure, _ in figures(at):
        for trace in [t for state in (figure, *figure.get("frames", [])) for t in state.get("data", [])]:
            texts |= {*(trace.get("text") or []), *_flat(trace.get("customdata") or []), *_flat([trace.get("hovertemplate", "")])}
    for text in texts:
        assert not re.search(MARKUP, str(text)), text
        assert not re.search("<b>[zvw]q</b>|<br>y", str(text)), text


def _flat(items):
    for item in items:
        yield from _flat(item) if isinstance(item, list) else [item]


def drawn_map(s, **look):
    run = prefill(s.model(), s.prompt_ids)
    figure = attention_map(Sheet(**look), run, s.tokens, head_names(s), next_of(s, run), ((0, len(s.tokens) - 1, 0), True))
    return run.layers[0], valid(figure.to_plotly_json())


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_attention_map_is_the_engines_arrays_with_holes_where_the_mask_hides(name):
    s = SCENARIOS[name]
    layer, figure = drawn_map(s)
    weights = np.where(layer.mask | (layer.weights > 0), layer.weights, np.nan)  # what leaks to a hidden token is seen
    trace, n = figure.data[0], len(s.tokens)
    z = np.array(trace.z, dtype=float)
    columns = [cell_of_column(column, n) for column in range(z.shape[1])]
    assert columns.count(None) == len(s.rules) - 1  # the gaps between heads
    for column, where in enumerate(columns):
        meant = np.full(n, np.nan) if where is None else weights[where[0], :, where[1]]
        np.testing.assert_array_equal(z[:, column], meant)
    assert (trace.zmin, trace.zmax) == (0, 1) and sum(other.type == "heatmap" for other in figure.data) == 1


def test_a_weight_carries_its_number_an_empty_row_none_and_a_heads_context_stands_large_beneath_its_weights():
    _, figure = drawn_map(Scenario.article())
    drawn = figure.data[-1]
    words = [untagged(text) for text in drawn.text]
    assert words.count("none") == 1 and words.count("0.25") == 4 and {"15.3", "14.2", "8.15"} <= set(words)
    weights, largest = figure.data[0], max(drawn.textfont.size)
    contexts = [k for k, size in enumerate(drawn.textfont.size) if size == largest]
    assert [words[k] for k in contexts] == ["12.5", "5", "10", "9"]
    for head, k in enumerate(contexts):
        assert weights.x[head * 5] < drawn.x[k] < weights.x[head * 5 + 4] and drawn.y[k] > weights.y[-1]
    (winner,) = [k for k, word in enumerate(words) if word == "75.0%"]
    assert drawn.y[winner] > drawn.y[contexts[0]] and drawn.textfont.color[winner] == Sheet().colors.accent


@pytest.mark.parametrize("look", [{}, {"dark": True}, {"zoom": 1.15}])
def test_nothing_is_written_beyond_the_figure(look):
    for s in (*SCENARIOS.values(), Scenario(words=("W" * 24, "M" * 24, "m" * 24))):
        _, figure = drawn_map(s, **look)
        height = figure.layout.yaxis.range[0]
        for text, size, _, left, right, y in pieces_of_text(figure):
            assert left >= -0.002 and right <= 1.02, text
            assert y - 0.4 * size >= -4 and y + 0.4 * size <= height + 4, text


@pytest.mark.parametrize("name", SCENARIOS)
def test_one_head_in_stages_is_the_engines_arrays(name):
    s = SCENARIOS[name]
    run = prefill(s.model(), s.prompt_ids)
    layer, head = run.layers[0], len(s.rules) - 1
    cell = head, len(s.tokens) - 1, 0
    hidden = np.where(layer.mask[head], 1.0, np.nan)
    stages = layer.scores[head] * hidden, layer.weights[head] * hidden
    figure = valid(one_head(Sheet(), run, s.tokens, head_names(s), cell, None).to_plotly_json())
    for trace, stage in zip(figure.data[:2], stages, strict=True):
        np.testing.assert_array_equal(np.array(trace.z, dtype=float), stage)
    assert figure.layout.meta["grid"]["selected"] == [1, len(s.tokens) - 1, 0]
    assert len(figure.layout.meta["grid"]["columns"]) == len(s.tokens)


PRESSED = {  # (lesson, step): how many places of its figure can be pressed as the answer
    ("roofline", 2): 3, ("guess", 2): 3, ("generate", 2): 3,
}  # fmt: skip


@pytest.mark.parametrize(("lesson", "step"), PRESSED)
def test_an_open_figure_has_a_place_to_press_for_each_answer(lesson, step):
    """They had one question mark, or a field that told of nothing."""
    at = visited(lesson, slide=step)
    offered = next(figure["layout"]["meta"].get("answers", ()) for figure, _ in figures(at))
    assert [k for k, *_ in offered] == list(range(PRESSED[lesson, step])), offered
    assert all(0 <= x0 < x1 <= 1.01 and y0 < y1 for _, x0, y0, x1, y1, _ in offered)
    question = next(q for q in of_visit(at, Predictions).on_page)
    assert {name for *_, name in offered} == set(question.options)


def test_a_part_of_the_machine_of_six_sentences_can_be_pressed_until_it_is_told():
    at = visited("counting", slide=6)
    before = figures(at)[0][0]["layout"]["meta"]["answers"]
    press(at, f"counting_tell_{before[0][0]}")
    after = figures(at)[0][0]["layout"]["meta"]["answers"]
    assert len(before) == 6 and after == before[1:]
