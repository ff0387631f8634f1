"""A scenario comes back from its file as it was; whatever else a file says is one sentence, and the scenario on screen stays."""

import json

import pytest
from app_pages import SCENARIOS
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Scenario
from pages.parts.visit.scenario_file import FIELDS, MOST_CHARS, from_json, to_json

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_was_saved_comes_back(name):
    assert from_json(to_json(SCENARIOS[name])) == SCENARIOS[name]
    assert len(to_json(SCENARIOS[name])) < MOST_CHARS


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, min_size=1, max_size=3) | ANYTHING)
def test_any_json_is_a_scenario_or_a_sentence(found):
    try:
        assert isinstance(from_json(json.dumps(found)), Scenario)
    except ValueError as problem:
        assert 10 < len(str(problem)) < 400


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected JSON"),
        ("{oops", "line 1"),
        ("[" * 19_000, "too deep"),  # Python 3.13 reads 9,000
        ('{"values": ' + "9" * 9000 + "}", "too long"),
        ("x" * (MOST_CHARS + 1), "at most 20,000 characters"),
        ('{"colour": 1}', "got 'colour' besides"),
        ('{"tokens": "abc"}', "tokens: expected a list, got str"),
        ('{"tokens": [1, 2, 3, 4]}', "expected words"),
        ('{"values": [1, 2, 3, NaN]}', "finite"),
        ('{"rules": ["sideways", "all", "all", "all"]}', "expected one of"),
        ('{"w_vocab": [1, 2, 3, 4]}', "w_vocab"),
        (None, "got NoneType"),
    ],
)
def test_a_file_that_is_none_is_told_in_a_sentence(text, told):
    with pytest.raises(ValueError, match=told):
        from_json(text)
