"""Tiles: the running numbers are the engine's, the last block gives the whole, and the bytes are multiplied out."""

import re
from functools import partial

import numpy as np
import pytest
from app_pages import commit, figures, options_of, press, right, says, text, visited
from scenarios import BIG
from valid_figures import valid

from engine import attention, causal_mask
from engine.caches import tiled_attention, tiles
from pages.lessons.tiles.figures.held_bytes import Held, held_bytes
from pages.lessons.tiles.figures.running_row import PALE, running_row
from pages.lessons.tiles.figures.tile_map import tile_map
from pages.lessons.tiles.maps import map_bytes, rows_bytes, trained_head
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet

page = partial(visited, "tiles")


def written(at, nth):
    """What is written on the page's nth figure."""
    return figures(at)[nth][0]["data"][-1]["text"]


def test_the_running_context_of_the_articles_even_head():
    """Even, one key a block, 10 20 1 5: −8, +8, −8, +8. After each key: 10, then 20 twice, and 12.5 in the end."""
    said = []
    for tile in range(4):
        at = page(tile=str(tile), tile_score="8", slide=1, answers="shown")
        said.append(figures(at)[0][1].split()[-1])
    assert said == ["10.", "20.", "20.", "12.5."]
    assert says(text(at), "context", "12.5", "off by 0") and "<b>× 1</b>" in written(at, 0)
    at = page(tile_score="8", slide=1, answers="shown")
    assert "<b>× e⁻¹⁶</b>" in written(at, 0)
    at = page(tile_score="8", slide=1)
    assert "e⁻¹⁶" not in written(at, 0)
    assert right(commit(at, "correction", "by e⁻¹⁶"), "by e⁻¹⁶")


def test_what_was_summed_before_shrinks_so_that_it_is_seen():
    """Scores of −1 and +1: the first key's piece goes from 1 to e⁻² = 0.135, and with it the sum. Until then one factor is asked for,
    and what may be left is a bar each, which can be pressed and begins where that of the sum before does."""
    at = page(slide=1)
    heading, *may = [word for word in written(at, 0) if "?" in word]
    assert "A larger score comes" in heading and may == ["× e²?  →", "× 1?", "× e⁻²?"] and "<b>1.135</b>" not in written(at, 0)
    grows, stays, shrinks = figures(at)[0][0]["layout"]["meta"]["answers"]
    assert (stays[3] - stays[1]) * np.exp(-2) == pytest.approx(shrinks[3] - shrinks[1], rel=1e-3) and grows[3] == 1
    assert [part[-1] for part in (grows, stays, shrinks)] == ["by e²", "by 1: it stays", "by e⁻²"] and grows[1] == stays[1] == 0
    assert "waits for your answer" in figures(at)[0][1]
    commit(at, "correction", "by 1: it stays")
    assert not [w for w in written(at, 0) if "?" in w]
    assert {"<b>× e⁻²</b>", "<b>1.135</b>", "<b>What was summed before: × e⁻²</b>"} <= set(written(at, 0))


def test_the_sum_before_and_what_is_left_of_it_are_strips_of_one_scale():
    """They were numbers of a table beneath two bars, and half of the figure was empty."""
    drawn = figures(page(slide=1, answers="shown"))[0][0]["layout"]["shapes"]
    pale = faded(Sheet().colors, Sheet().colors.prefill, PALE)
    ends = [[float(x) for x in re.findall(r"[ML](\d\.\d+),", s["path"])] for s in drawn if s.get("fillcolor") == pale]
    before, kept = (max(x) - min(x) for x in ends)
    assert kept / before == pytest.approx(np.exp(-2), abs=1e-2)  # a thin line parts two pieces


@pytest.mark.parametrize("size", [1, 5, 17])
def test_a_row_of_any_blocks_is_drawn_on_a_phone(size):
    rng = np.random.default_rng(0)
    found = list(tiles(rng.random((1, 4)), rng.random((17, 4)), rng.random((17, 1)), size))
    words = [f"w{i}" for i in range(17)]
    for at in range(len(found)):
        asked = Asked(("by e²", "by 1", "by e⁻²"), open=True, known=at % 2 == 0)
        valid(running_row(Sheet(phone=True), found, at, words, 8.0, rng.random((17, 1)), (1, 2.0, asked)).to_plotly_json())


def test_what_is_to_come_has_no_empty_boxes_for_its_exponentials():
    """Dotted boxes of the same height stood for the exponentials of blocks that had not been read."""
    for tile in ("1", "3"):
        drawn = figures(page(tile=tile, slide=1, answers="shown"))[0][0]
        dotted = [s["path"].count("M") for s in drawn["layout"]["shapes"] if s["line"].get("dash") == "dot"]
        assert sum(dotted) == 3 - int(tile)  # of the scores alone


def test_the_figure_waits_at_the_block_that_is_asked_for():
    """A block further on drew two bars that were open, one of them beside a number that needs the answer."""
    at = page(slide=1, tile="3")
    assert "× e⁻²?" in written(at, 0) and "<b>1.271</b>" not in written(at, 0)
    commit(at, "correction", "by e⁻²")
    assert "<b>1.271</b>" in written(at, 0)


def test_next_goes_a_block_on():
    at = page(tile="0", slide=1)
    press(at, "tile_next")
    assert says(text(at), "Block 2", "4") and says(figures(at)[0][1], "1 to 2 of 4")


def test_one_key_is_still_to_come_and_one_block_has_nothing_to_correct():
    assert says(text(page(tile="2", slide=1)), "1", "to come")
    at = page(key_block="4", slide=1)
    assert says(text(at), "whole row", "one block")
    assert right(commit(at, "correction", "by 1: it stays"), "by 1: it stays")


def test_a_head_without_a_larger_score_is_never_corrected():
    at = page(head="4", slide=1)
    assert right(commit(at, "correction", "by 1: it stays"), "by 1: it stays")


def test_the_trained_heads_tiles_are_the_whole_map_to_twelve_digits():
    q, k, v = (rows[None] for rows in trained_head())
    whole = attention(q, k, v, causal_mask(q.shape[1])).context
    for side in (8, 13, 26):
        np.testing.assert_allclose(tiled_attention(q, k, v, side), whole, rtol=0, atol=1e-12)
    at = page(map_tile="10", slide=2)
    assert right(commit(at, "n_tiles", 10.0), "10")  # 45 tokens in tiles of 13: 4 + 3 + 2 + 1
    assert says(text(at), "169", "2,025 scores")


def test_a_hundred_thousand_tokens_are_multiplied_out():
    assert map_bytes(100_000) == 20_000_000_000 and rows_bytes(100_000) == 2 * 4 * 100_000 * 128
    at = page()
    assert "20 GB" not in text(at) + str(written(at, 2))
    assert right(commit(at, "map_bytes", 20.2), "20 GB")
    assert "<b>20 GB</b>" in str(written(at, 2)) and says(text(at), "20 GB", "102.4 MB")


@pytest.mark.parametrize("n", [64, 100_000, 2**20])
@pytest.mark.parametrize("phone", [False, True])
def test_areas_are_bytes_and_nothing_is_drawn_larger(n, phone):
    """Of 164 kB in 20 GB four pixels were drawn, where one is more than they have."""
    held = [Held("", "", n_bytes, [("context", 1.0)]) for n_bytes in (map_bytes(n), rows_bytes(n), 164_352)]
    sheet = Sheet(phone=phone)
    figure, (high, low) = held_bytes(sheet, held, True).to_plotly_json(), sorted(one.n_bytes for one in held)[:0:-1]
    shapes = [shape for shape in figure["layout"]["shapes"] if "path" in shape]
    paths = [shape["path"] for shape in shapes if shape["layer"] == "below"]
    lead, paths = paths[:2], paths[2:7]
    boxes = [[float(x) for x in re.findall(r"-?[\d.]+", path)] for path in paths]
    sides = [(x1 - x0, (bottom - top) / sheet.wide) for x0, top, x1, _, _, bottom, *_ in boxes]
    assert all(across == pytest.approx(down, abs=5e-5) for across, down in sides)  # written to hundredths of a pixel
    least = min(one.n_bytes for one in held)
    (whole, _), (middle, _), (again, _), (small, _), (last, _) = sides
    assert last == pytest.approx(whole, abs=2e-5)
    assert (middle / whole) ** 2 == pytest.approx(low / high, rel=0.02) and again == pytest.approx(whole, abs=2e-5)
    assert (small / again) ** 2 == pytest.approx(least / low, rel=0.05)
    for path, of, small in zip(lead, (0, 2), (1, 3), strict=True):  # each begins where the square ends: it crosses no name
        assert float(path[1:].split(",")[0]) == pytest.approx(boxes[of][2]) == pytest.approx(boxes[small][2], abs=1e-4)
    wide, tall, edge = figure["layout"]["meta"]["square"]
    assert (
        figure["layout"]["yaxis"]["range"] == [tall, 0] and figure["layout"]["xaxis"]["range"] == [0, edge] and wide == sheet.wide
    )


def test_a_tile_is_cut_into_what_it_holds_and_until_the_answer_no_tile_tells_whether_it_is_computed():
    """The map was one flat square and a tile a black speck; tiles to come were grey before anybody had said how many there are."""
    at = page()
    drawn = figures(at)[2][0]
    assert {"scores", "query", "key", "value", "context", "hidden by the mask"} <= {
        x for y in drawn["data"] for x in y.get("text", ())
    }
    said = [set(figures(at)[1][0]["data"][-1]["text"])]
    commit(at, "n_tiles", 10)
    said.append(set(figures(at)[1][0]["data"][-1]["text"]))
    assert "hidden by the mask" in said[0] and "never computed" in said[1]
    rows = {f"<b>{k}</b>" for k in (1, 2, 3, 4, 10)}
    assert not said[0] & rows and rows <= said[1] and "<b>?</b>" in said[0] - said[1]


def closed(figure):
    """Areas and lines of a figure, each as its points."""
    paths = [shape for shape in figure.layout.shapes if shape.path and shape.path.endswith("Z")]
    return [(shape, np.array(re.findall(r"([\d.]+),([\d.]+)", shape.path), float)) for shape in paths]


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize(("n", "size"), [(45, 13), (45, 22), (45, 8), (26, 26)])
def test_the_stairs_of_what_is_computed_contain_all_that_lies_left_of_the_diagonal_and_no_tile_more(n, size, phone):
    """The mask's diagonal, which the question is about, was not drawn."""
    corners = [(i, j) for i in range(0, n, size) for j in range(0, i + 1, size)]
    sheet = Sheet(phone=phone)
    figure = tile_map(sheet, corners, 0, np.zeros((size, size)), n, size, True)
    (hidden,) = (points for shape, points in closed(figure) if shape.fillcolor == sheet.colors.hole and len(points) == 3)
    (stairs,) = (points for shape, points in closed(figure) if shape.line.width == 3)
    (left, top), (right, bottom) = hidden[0], hidden[2]
    across, down = (right - left) / n, (bottom - top) / n
    assert across * sheet.wide == pytest.approx(down, rel=1e-3) if phone else across * sheet.wide > 2 * down  # it takes the width
    x, y = (stairs[:, 0] - left) / across, (stairs[:, 1] - top) / down
    area = abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    assert area == pytest.approx(sum(min(size, n - i) * min(size, n - j) for i, j in corners), rel=1e-3)


@pytest.mark.parametrize(
    "query",
    [
        {**BIG, "tile": "999", "key_block": "1", "head": "8", "p": "1", "tile_size": "7"},
        {"tokens": "a", "values": "0", "rules": "even", "empty": "nan", "key_block": "99", "tile_side": "1", "map_tile": "99"},
        {"p": "999999999", "sharpness": "32", "mask": "off", "tile_side": "26", "map_tile": "0"},
        {"rules": "last,none", "w_vocab": "x", "values": "-1000,1000,0,5", "sharpness": "0.01", "key_block": "3", "tile": "1"},
    ],
)
def test_extreme_links_show_a_lesson(query):
    at = page(query)
    assert len(figures(at)) == 3
    commit(at, "correction", options_of(at, "correction")[0].label)


def test_a_slider_whose_range_an_answer_changes_still_shows_where_it_stands():
    """It showed 1 beside “Tile 4 of 10”: with another range it is another slider, which has to be told."""
    at = page(slide=2)
    commit(at, "n_tiles", 10.0)
    (slider,) = (s for s in at.slider if s.label == "Tile")
    assert slider.max == 10 and slider.proto.set_value and slider.proto.value == [4]
