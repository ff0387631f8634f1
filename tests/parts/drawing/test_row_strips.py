"""Rows of the cache: a key beside a value wherever they are drawn, and what happened to one seen without colours as well."""

import pytest

from pages.parts.drawing.palette import DARK, LIGHT, contrast, faded, rgb
from pages.parts.drawing.row_strips import PALE, SIGNS, cache_rows, edge, grounds, legend, strips
from pages.parts.drawing.sheet import Sheet, ems

BOX = (0.25, 10.0, 0.5, 50.0)


def drawn(kind, look="upright", dark=False):
    """(colour, edges) of every filled area of one row of a kind, and the colours of its outlines."""
    sheet = Sheet(dark)
    cache_rows(sheet, {kind: [BOX]}, look)
    filled = [(shape["fillcolor"], corners(shape["path"])) for shape in sheet.shapes if "fillcolor" in shape]
    return filled, [shape["line"]["color"] for shape in sheet.shapes if "fillcolor" not in shape]


def corners(path):
    points = [tuple(map(float, point.split(","))) for point in path.strip("MZ").split("L")]
    return tuple(edge(p[k] for p in points) for edge in (min, max) for k in (0, 1))


@pytest.mark.parametrize("dark", [False, True])
def test_a_kept_row_is_a_key_and_a_value_and_no_slab(dark):
    """It was a grey slab in ten steps, and one that is computed again a brown one: neither was seen to be keys and values."""
    colors = DARK if dark else LIGHT
    (key, value), outlines = drawn("kept", dark=dark)
    assert (key[0], value[0], outlines) == (colors.key, colors.value, [])
    assert key[1][0] == 0.25 and key[1][2] < value[1][0] and value[1][2] == 0.5  # side by side, a little apart
    (key, value), outlines = drawn("again", dark=dark)
    assert [key[0], value[0]] == [faded(colors, c, PALE) for c in (colors.key, colors.value)] and outlines == [colors.wasted]
    assert colors.wasted not in (key[0], value[0])


def test_where_tokens_stand_side_by_side_the_key_is_above_its_value():
    (key, value), _ = drawn("kept", "lying")
    assert key[0] == LIGHT.key and key[1][1] == 10 and key[1][3] < value[1][1] and value[1][3] == 50


@pytest.mark.parametrize("kind", ["prefill", "new", "again", "kept"])
def test_a_row_with_a_word_in_it_has_its_key_and_value_at_its_foot(kind):
    ground, key, value = drawn(kind, "worded")[0]
    assert ground == (grounds(LIGHT)[kind], BOX)
    assert key[1][1] == pytest.approx(50 - edge(40)) and value[1][3] == 50 and edge(40) < 0.5 * 40


def test_no_key_is_seen_of_what_is_none():
    """Room that is only reserved, and rows of which it is not told yet what they hold."""
    for look in ("upright", "lying", "worded"):
        assert len(drawn("reserved", look)[0]) == 1
    filled, outlines = drawn("again", "plain")
    assert filled == [(grounds(LIGHT)["again"], BOX)] and outlines == [LIGHT.wasted]


def test_what_happened_to_a_row_is_seen_without_colours():
    """Kept: two parts without a sign. Computed again: an outline and a sign of its own. Computed: one part and a plus."""
    seen = {kind: (len(drawn(kind)[0]), len(drawn(kind)[1]), SIGNS[kind]) for kind in ("kept", "again", "new")}
    assert seen == {"kept": (2, 0, ""), "again": (2, 1, "↻"), "new": (1, 0, "+")}


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_a_sign_is_legible_on_both_halves_of_a_row_that_is_computed_again(colors):
    ink = rgb("#000000" if colors is LIGHT else "#FFFFFF")
    assert min(contrast(ink, rgb(faded(colors, c, PALE))) for c in (colors.key, colors.value)) >= 4.5


@pytest.mark.parametrize("pixels", [100, 10])
def test_the_legend_has_the_rows_looks_and_their_signs_where_they_have_any(pixels):
    """It had signs that no cell had where cells were too small for them, as on a phone."""
    sheet = Sheet()
    strips(sheet, (0, 40, pixels / sheet.wide, 60), [[(0, 2, "again"), (2, 3, "new")]] * 2, 3)
    began, large = len(sheet.words), pixels == 100
    end = legend(sheet, 20, {"kept": "kept, only read", "again": "computed again"}, 0.1)
    assert {LIGHT.key, LIGHT.value} <= {shape.get("fillcolor") for shape in sheet.shapes}
    drawn = sheet.words[began:]
    assert [text for _, _, text, *_ in drawn] == ["kept, only read", *["↻"] * large, "computed again"]
    assert drawn[0][0] + ems("kept, only read") * 13 / sheet.wide < drawn[1][0] < end


def test_lines_of_many_rows_stand_apart():
    """A key and a value of one pass touched those of the next: all of it was one striped area."""
    sheet = Sheet()
    strips(sheet, (0, 0, 0.2, 100), [[(0, 500, "kept")]] * 20, 500)
    value, key = (next(s["path"] for s in sheet.shapes if s["fillcolor"] == color) for color in (LIGHT.value, LIGHT.key))
    ends, starts = ([corners(part)[k] for part in path.split("Z")[:-1]] for path, k in ((value, 2), (key, 0)))
    assert all(after - end > 1 / sheet.wide for end, after in zip(ends, starts[1:], strict=False))
