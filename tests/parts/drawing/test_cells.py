"""Cells with numbers, and where they lie: the verbs that figures are made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.drawing.cells import (
    LARGE,
    LEAST,
    UNIT,
    Texts,
    cells,
    column_names,
    holes,
    large_number,
    row_names,
    selectable,
    shares,
    texts,
)
from pages.parts.drawing.grid import Grid, Scale, diverging
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.palette import LIGHT
from pages.parts.drawing.sheet import WIDTH, Sheet, ems


def words_of(sheet):
    """(text, x, y, size, colour) of everything written."""
    data = sheet.figure(100).to_plotly_json()["data"][-1]
    font = data["textfont"]
    return list(zip(data["text"], data["x"], data["y"], font["size"], font["color"], strict=True))


def test_each_number_stands_in_the_middle_of_its_cell_in_the_ink_that_reads_there():
    z, sheet = np.array([[0.0, 1.0], [0.5, np.nan]]), Sheet()
    grid = Grid.of(0.2, 10, (0.1, 20), z.shape)
    cells(sheet, grid, z, Scale(LIGHT.weights), Texts(texts(z), 14))
    assert [word[:3] for word in words_of(sheet)] == [("0", 0.25, 20), ("1", pytest.approx(0.35), 20), ("0.5", 0.25, 40)]
    assert [word[4] for word in words_of(sheet)][:2] == ["#000000", "#FFFFFF"]


def test_what_stands_for_no_number_is_muted_and_none_is_small():
    z, sheet = np.zeros((1, 3)), Sheet()
    cells(sheet, Grid.of(0, 0, (0.1, 20), z.shape), z, Scale(LIGHT.weights), Texts(np.array([["8", "−∞", "none"]], object), 15))
    assert {word[0]: (word[3], word[4] == LIGHT.muted) for word in words_of(sheet)} == {
        "8": (15, False), "−∞": (15, True), "none": (13, True),
    }  # fmt: skip


@given(st.floats(0, 1), st.integers(0, 90), st.integers(1, 40))
def test_a_share_is_written_as_large_as_its_cell_allows_and_no_wider_or_not_at_all(share, pixels, height):
    written = shares(np.array([[share, np.nan]]), pixels, height)
    assert (written is None) == (min(0.66 * height, (pixels - 3) / 1.25) < 12)
    if written:
        assert written.words[0, 1] == "" and 12 <= written.size <= min(15, 0.66 * height)
        assert len(written.words[0, 0]) * 0.45 * written.size <= pixels


def test_holes_are_the_run_that_a_mask_hides_in_each_row():
    hidden = np.array([[False, True, True], [False, False, False]])
    grid = Grid.of(0, 0, (0.1, 10), hidden.shape)
    assert holes(grid, hidden) == "M0.10000,0.50L0.30000,0.50L0.30000,9.50L0.10000,9.50Z" and holes(grid, ~hidden[1:]) != ""


@given(st.integers(1, 4), st.integers(1, 4))
def test_a_grid_is_its_cells(rows, columns):
    grid = Grid.of(0.1, 5, (0.05, 10), (rows, columns))
    assert grid.box(0, 0)[:2] == grid.edges[:2] and grid.box(rows - 1, columns - 1)[2:] == grid.edges[2:]
    assert grid.rows(0, 1).edges == grid.row(0) and len(grid.columns(0, 1).across) == 1
    np.testing.assert_allclose(grid.down, 10 + 10 * np.arange(rows))


def test_a_diverging_scale_has_zero_in_its_middle_and_reaches_the_largest_number():
    assert diverging(LIGHT.scores, np.array([-3.0, 2, np.nan]))[1:] == (-3, 3)
    assert diverging(LIGHT.scores, np.zeros(2))[1:] == (-1, 1)


def test_narrow_columns_are_numbered_some_of_them_and_the_newest_always():
    words = [f"word {k}" for k in range(40)]
    wide, narrow = Sheet(), Sheet()
    column_names(wide, Grid.of(0, 0, (100 / WIDTH, 10), (1, 3)), 5, words[:3], 13, newest=True)
    column_names(narrow, Grid.of(0, 0, (10 / WIDTH, 10), (1, 40)), 5, words, 13, newest=True)
    assert [word[0] for word in words_of(wide)] == ["word 0", "word 1", "<b>word 2</b>"]
    numbers = [word[0] for word in words_of(narrow)]
    assert numbers[0] == "1" and numbers[-1] == "<b>40</b>" and len(numbers) < 20


def test_names_of_rows_end_where_they_are_told_and_one_stands_out():
    sheet = Sheet()
    row_names(sheet, 0.08, Grid.of(0.1, 0, (0.1, 20), (2, 1)), ["a" * 40, "b"], 14, strong=1)
    (cut, x, *_), (strong, *_, ink) = words_of(sheet)
    assert cut.endswith("…") and x == 0.08 and (strong, ink) == ("<b>b</b>", LIGHT.ink)


def test_a_selectable_grid_names_its_cells_and_the_one_that_is_selected():
    assert selectable(1, (0, 2), "weight", ["a"], "xyz")["selected"] == [1, 0, 2]
    assert selectable(1, None, "weight", ["a"], "xyz") | {"curves": 0} == {
        "curves": 0, "selected": None, "stages": ["weight"], "rows": ["a"], "columns": ["x", "y", "z"],
    }  # fmt: skip
    assert [selectable(2, None, stages, [], [])["curves"] for stages in ("one", ["a", "b", "c"])] == [[2], [0, 1, 2]]


def test_of_many_next_words_the_likeliest_are_named_in_their_order():
    few = NextWord("is", ["a", "b", "c"], np.array([1.0, 3, 2]), np.array([0.1, 0.6, 0.3]), 1)
    assert few.likeliest(2).words == ["b", "c"] and few.likeliest(2).strong == 0


def test_the_number_stands_out_and_its_words_follow_on_its_line():
    sheet = Sheet()
    end = large_number(sheet, (0.1, 0.9), 40, "10", "of 49 rows", LIGHT.decode)
    (number, x, y, size, color), (words, start, line, small, muted) = words_of(sheet)
    assert (number, x, size, color, words, small, muted) == (
        "<b>10</b>",
        0.1,
        LARGE,
        LIGHT.decode,
        "of 49 rows",
        UNIT,
        LIGHT.muted,
    )
    assert x + ems("10") * size / WIDTH < start < end < 0.9
    assert line + small / 4 == pytest.approx(y + size / 4)  # where letters stand


def test_presented_it_grows_and_on_a_phone_what_is_too_wide_becomes_smaller_and_its_words_are_cut():
    presented = Sheet(zoom=1.15)
    large_number(presented, (0, 1), 40, "10")
    assert words_of(presented)[0][3] == pytest.approx(LARGE * 1.15)
    phone = Sheet(phone=True)
    phone.on_phone()
    large_number(phone, (0, 0.2), 40, "12,345", "rows computed again", beneath=True)
    (_, _, y, size, _), (words, start, line, *_) = words_of(phone)
    assert LEAST <= size < LARGE and words.endswith("…") and start == 0 and line > y + size / 2


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("number", ["60", "1.42 times", "124.8%"])
def test_what_a_number_counts_stands_a_word_space_from_it(number, phone):
    """“60 ... K/V rows” stood as far apart as two columns."""
    sheet = Sheet(phone=phone)
    sheet.on_phone()
    large_number(sheet, (0, 1), 40, number, "as long")
    (_number, _, _, size, _), (_, start, *_) = words_of(sheet)
    apart, wide = start * sheet.wide - size * 1.07 * ems(number), size * ems(number)
    assert 0.03 * wide < apart < 8 + 0.04 * wide  # letters of the whole build are so much wider


@given(st.text("0123456789,.×", min_size=1, max_size=9), st.floats(0.2, 1), st.booleans())
def test_neither_passes_the_right_edge_where_the_least_type_fits(number, right, beneath):
    sheet = Sheet()
    end = large_number(sheet, (0, right), 40, number, "of all", beneath=beneath)
    if 1.2 * LEAST * len(number) + 100 < right * WIDTH:
        assert end <= right + 1e-9
