"""Presented type grows where there is room, never into anything else, and nothing ever shrinks."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.drawing import legible
from pages.parts.drawing.legible import ACROSS, IN_CELL, LEAST, LETTER, LINE, TALL, grown, grown_words

PARTS = Path(legible.__file__).parents[1]
ANCHORS = st.sampled_from(["middle left", "middle center", "middle right", "top center", "bottom right"])
SIZES = st.sampled_from([9.0, 12.0, 15.5, 22.0])
TEXTS = st.text("abc 0.5", min_size=1, max_size=9)
WORDS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 300), TEXTS, SIZES, st.just("#000"), ANCHORS), max_size=12)


def boxes(words, sizes, zoom):
    """(left, top, right, bottom) of each word with some space after it."""
    found = []
    for (x, y, text, _, _, anchor), size in zip(words, sizes, strict=True):
        wide, (up, side) = (len(text) + 0.5) * LETTER * size, anchor.split()
        left = x * ACROSS - wide * {"left": 1, "center": 0.5, "right": 0}[side]
        top = y * zoom - LINE * size * {"top": 1, "middle": 0.5, "bottom": 0}[up]
        found.append((left, top, left + wide, top + LINE * size))
    return found


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@given(WORDS)
def test_no_word_shrinks_and_none_that_was_apart_from_another_touches_it(words):
    sizes = grown(words, 300, 1.2, [], [])
    assert all(new >= old[3] - 0.01 for new, old in zip(sizes, words, strict=True))
    before, after = boxes(words, [word[3] for word in words], 1.2), boxes(words, [0.999 * size for size in sizes], 1.2)
    for i, j in zip(*np.triu_indices(len(words), 1), strict=True):
        assert overlap(before[i], before[j]) or not overlap(after[i], after[j]), (words[i], words[j])


@given(WORDS)
def test_words_of_one_size_and_alignment_stay_of_one_size(words):
    sizes = grown(words, 300, 1.2, [], [])
    looks = {(word[3], word[5]): size for word, size in zip(words, sizes, strict=True)}
    assert all(looks[word[3], word[5]] == size for word, size in zip(words, sizes, strict=True))


def test_a_word_alone_gets_the_size_that_a_projector_needs_and_a_larger_one_keeps_its_own():
    assert list(grown([(0.5, 100, "alone", 12.0, "", "middle center")], 300, 1.2, [], [])) == [LEAST]
    assert list(grown([(0.5, 100, "large", 25.0, "", "middle center")], 300, 1.2, [], [])) == [25.0]
    assert list(grown([], 300, 1.2, [], [])) == []


def test_a_number_stays_in_its_cell_and_off_a_bar():
    cell = {"x": [0.5, 0.5 + 40 / ACROSS], "y": [100, 112]}
    (size,) = grown([(0.5 + 20 / ACROSS, 106, "0.5", 9.0, "", "middle center")], 300, 1.0, [cell], [])
    assert size == pytest.approx(12 * IN_CELL)
    (size,) = grown([(0.5, 106, "above", 12.0, "", "middle right")], 300, 1.0, [], ["M0.5,113L0.6,113L0.6,120L0.5,120Z"])
    assert 12 <= size <= 2 * 7 / LINE


@given(WORDS)
def test_in_a_figure_that_is_drawn_tall_type_is_larger_and_what_was_apart_stays_so(words):
    words, larger = grown_words(words, (300, 1.2, [], []), presented=True)
    sizes = {(size, anchor): tall for size, anchor, tall in larger}
    assert all(tall > size for (size, _), tall in sizes.items())
    before = boxes(words, [word[3] for word in words], 1.2)
    after = boxes(words, [0.999 * sizes.get((word[3], word[5]), word[3]) for word in words], TALL * 1.2)
    tall = boxes(words, [word[3] for word in words], TALL * 1.2)
    for i, j in zip(*np.triu_indices(len(words), 1), strict=True):
        assert overlap(before[i], before[j]) or overlap(tall[i], tall[j]) or not overlap(after[i], after[j]), (words[i], words[j])


def test_the_browser_draws_a_presented_figure_as_tall_as_its_type_is_made_for():
    for file, bound in (
        ("drawing/browser/text_layer.js", r"TALL = ([\d.]+);"),
        ("../app/presented.css", r"max-height: calc\(([\d.]+) \* var\(--sent\)\)"),
    ):
        assert re.findall(bound, (PARTS / file).read_text("utf-8")) == [str(TALL)], file


def test_a_word_alone_grows_with_a_presented_figure_and_not_with_another():
    word = [(0.5, 100, "alone", 12.0, "", "middle center")]
    assert grown_words(word, (300, 1.2, [], []), presented=True)[1] == [[LEAST, "middle center", pytest.approx(26)]]
    assert grown_words(word, (300, 1.2, [], []), presented=False) == ([(*word[0][:3], LEAST, *word[0][4:])], [])
