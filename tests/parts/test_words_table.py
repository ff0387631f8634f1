"""The words' table: what it asks for is done, and what no table of ours would send is nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import scenarios

from engine import Scenario
from engine.toy import edits
from engine.toy.scenario import MAX_WORDS
from pages.parts.controls.words_table import change, free_name

S = Scenario.article()
ANY = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda x: st.lists(x, max_size=4))
FIELDS = st.sampled_from(["name", "value", "up", "down", "add", "remove", "w0", "w7", "w-1", "w²", "w99", "w", ""])
ASKED = st.tuples(st.sampled_from(["token", "word", "head"]), st.integers(-2, 20), FIELDS, st.text(max_size=9)).map(list)


def edited(*told, s=S):
    return change(s, list(told))[1](s)


@pytest.mark.parametrize(
    ("told", "after"),
    [
        (("token", 1, "name", "soup"), edits.rename_token(S, 1, "soup")),
        (("token", 1, "value", " 2,5"), edits.set_value(S, 1, 2.5)),
        (("token", 1, "value", "−3"), edits.set_value(S, 1, -3)),
        (("token", 1, "up", ""), edits.swap_tokens(S, 0, 1)),
        (("token", 3, "down", ""), S),
        (("token", 0, "up", ""), S),
        (("token", 3, "add", ""), edits.add_token(S, 3)),
        (("token", 0, "remove", ""), edits.remove_token(S, 0)),
        (("word", 2, "name", "cold"), edits.rename_word(S, 2, "cold")),
        (("word", 2, "value", "1e2"), edits.set_word_value(S, 2, 100)),
        (("word", 2, "w3", "0.7"), edits.set_w(S, 3, 2, 0.7)),
        (("word", 2, "add", ""), edits.add_word(S, "word1")),
        (("word", 0, "remove", ""), edits.remove_word(S, 0)),
    ],
)
def test_every_field_and_button_does_what_it_says(told, after):
    assert edited(*told) == after


REFUSED = [
    ("token", 0, "value", "x"),
    ("token", 0, "value", "1e999"),
    ("token", 0, "value", ""),
    ("word", 0, "w0", "1_0"),
    ("token", 0, "name", " "),
    ("token", 0, "name", "x" * 10**6),
]


@pytest.mark.parametrize("told", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_number_and_no_word_is_refused_in_words(told):
    with pytest.raises(ValueError, match="expected"):
        edited(*told)


@given(
    scenarios(),
    ANY | st.tuples(st.sampled_from(["token", "word", "head"]), st.integers(-2, 20), FIELDS, st.text(max_size=9)).map(list),
)
def test_whatever_a_browser_sends_gives_a_scenario_or_a_sentence_or_nothing(s, told):
    found = change(s, told)
    if found:
        try:
            assert isinstance(found[1](s), Scenario)
        except ValueError as problem:
            assert "expected" in str(problem)


def test_a_new_candidate_has_a_name_that_is_not_taken():
    s = S
    while len(s.words) < MAX_WORDS:
        s = edits.add_word(s, free_name(s))
    assert len(set(s.words)) == MAX_WORDS
