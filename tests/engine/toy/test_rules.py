"""A head rule is a statement about positions; the engine turns it into a query and a key whose product says the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import PRINCIPLED, rules, wants

from engine import Rule, Scenario, prefill
from engine.toy.rules import KINDS, MAX_TOKENS, keys, queries, rule_signs


@given(
    st.lists(rules(PRINCIPLED, MAX_TOKENS), min_size=1, max_size=8).map(tuple), st.floats(0.01, 32), st.integers(1, MAX_TOKENS)
)
def test_a_match_scores_plus_sharpness_and_a_non_match_minus_for_every_pair_of_positions(heads, sharpness, n):
    positions = np.arange(n)
    scores = queries(heads, positions, sharpness) @ keys(heads, positions, n)[0].T / np.sqrt(MAX_TOKENS)
    meant = [[[sharpness if wants(r, i, j) else -sharpness for j in range(1, n + 1)] for i in range(1, n + 1)] for r in heads]
    np.testing.assert_allclose(scores, meant, rtol=1e-12)


def test_every_kind_has_a_meaning_here_and_a_default():
    assert {Rule.parse(kind).kind for kind in KINDS if kind != "at"} | {"at"} == set(KINDS)
    assert (Rule.parse("previous").number, Rule.parse("window").number) == (1, 2)
    with pytest.raises(KeyError):  # a kind added to the engine needs its sentence in `wants`
        wants(Rule("last"), 1, 1)


@given(st.lists(rules(PRINCIPLED), min_size=1, max_size=8).map(tuple), st.integers(1, 60))
def test_a_principled_key_is_one_for_all_heads_and_never_changes_when_tokens_follow(heads, n):
    now, later = keys(heads, np.arange(n), n), keys(heads, np.arange(n), n + 4)
    assert now.shape == (1, n, MAX_TOKENS)
    np.testing.assert_array_equal(now, later)


@given(st.lists(rules(), max_size=6), st.integers(0, 6), st.integers(1, 60))
def test_the_key_of_last_changes_with_the_next_token_and_gives_each_head_keys_of_its_own(others, at, n):
    heads = (*others[:at], Rule("last"), *others[at:])
    now, later = keys(heads, np.arange(n), n), keys(heads, np.arange(n), n + 1)
    assert now.shape == (len(heads), n, MAX_TOKENS)
    for h, rule in enumerate(heads):
        moved = np.flatnonzero((now[h] != later[h]).any(-1)).tolist()
        assert moved == ([n - 1] if rule.breaks_cache else [])
    breaking = now[len(others[:at])]
    np.testing.assert_array_equal(breaking, np.where(np.arange(n) == n - 1, 1, -1)[:, None].repeat(MAX_TOKENS, 1))


@given(rules())
def test_only_last_breaks_the_cache(rule):
    assert rule.breaks_cache == (rule.kind == "last")


@given(rules(largest=MAX_TOKENS))
def test_the_signs_are_shared_between_scenarios_so_nobody_may_write_to_them(rule):
    with pytest.raises(ValueError, match="read-only"):
        rule_signs(rule)[0, 0] = 0


X = -8
ARTICLE_SCORES = {  # a row for each query; where the mask hides a key, nothing
    "even": [[X], [X, 8], [X, 8, X], [X, 8, X, 8]],
    "last": [[X], [X, X], [X, X, X], [X, X, X, 8]],
    "self": [[8], [X, 8], [X, X, 8], [X, X, X, 8]],
    "first": [[8], [8, X], [8, X, X], [8, X, X, X]],
    "all": [[8], [8, 8], [8, 8, 8], [8, 8, 8, 8]],
}


@pytest.mark.parametrize("scenario", [Scenario.article(), Scenario.article_code()], ids=["text", "code"])
def test_the_articles_score_matrices_are_plus_and_minus_eight(scenario):
    layer = prefill(scenario.model(), scenario.prompt_ids).layers[0]
    for h, rule in enumerate(scenario.rules):
        for i, row in enumerate(ARTICLE_SCORES[rule.kind]):
            assert layer.scores[h, i, : i + 1].tolist() == row
            assert not layer.mask[h, i, i + 1 :].any() and layer.mask[h, i, : i + 1].all()


@given(rules(largest=MAX_TOKENS))
def test_the_short_form_of_a_rule_reads_back_as_the_same_rule(rule):
    assert Rule.parse(str(rule)) == rule
    assert Rule.parse(f" {rule} ") == rule


@given(st.one_of(st.text(), st.from_regex(r"(previous|window|at|even):[0-9.²٣-]*", fullmatch=True)))
def test_any_text_is_a_rule_or_a_short_error(text):
    try:
        rule = Rule.parse(text)
    except ValueError as error:
        assert ("rule" in str(error) and "expected" in str(error)) or "takes no" in str(error)
        assert len(str(error)) < 200
    else:
        assert rule.kind in KINDS and Rule.parse(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("evn", "expected one of even, odd, .* got 'evn'"),
        ("", "expected one of .* got ''"),
        ("previous:0", "rule previous: expected a number from 1 to 64, got 0"),
        ("window:65", "rule window: expected a number from 1 to 64, got 65"),
        ("window:1.2", "rule 'window': expected at most one number, got 'window:1.2'"),
        ("even:3", "rule even: takes no number, got 3"),
        ("at", "rule at: expected positions from 1 to 64, got none"),
        ("at:0.3", r"rule at: expected positions from 1 to 64, got \(0, 3\)"),
        ("at:65", r"rule at: expected positions from 1 to 64, got \(65,\)"),
        ("at:1..2", "expected whole numbers like .* got 'at:1..2'"),
        ("previous:-1", "expected whole numbers like .* got 'previous:-1'"),
        ("at:" + "1." * 10**6, "expected whole numbers"),
        ("x" * 10**6, "expected one of"),
        ("previous:" + "9" * 10**6, "expected whole numbers"),
    ],
    ids=lambda text: text[:12],
)
def test_a_wrong_rule_says_what_was_expected_and_what_was_got(text, message):
    with pytest.raises(ValueError, match=message) as error:
        Rule.parse(text)
    assert len(str(error.value)) < 200


def test_a_rule_takes_only_the_arguments_that_it_has():
    for kind in ("even", "last"):
        with pytest.raises(ValueError, match=f"rule {kind}: takes no positions, got"):
            Rule(kind, positions=(1,))
    with pytest.raises(ValueError, match="rule at: takes no number, got 2"):
        Rule("at", 2, (1,))
