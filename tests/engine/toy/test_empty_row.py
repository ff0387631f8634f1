"""Softmax must hand out a weight of 1; at a position where the rule matches nothing there is nobody to give it to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import SOUND, contexts, scenarios

from engine import Rule, Scenario, prefill
from engine.toy.empty_row import EMPTY_ROW

FOUR, FIVE = Scenario.article().prompt_ids, (*Scenario.article().prompt_ids, 0)


@pytest.mark.parametrize(
    ("policy", "after_four", "after_five"),
    [("soft", 10, 10), ("nan", np.nan, np.nan), ("fill", 9, 8.6), ("none", 0, 0), ("softmax1", 0.00335, 0.00335)],
)
def test_the_even_head_at_the_first_position_has_five_published_answers(policy, after_four, after_five):
    for ids, expected in ((FOUR, after_four), (FIVE, after_five)):
        context = prefill(Scenario(empty_row=policy).model(), ids).layers[0].context[0, 0, 0]
        assert context == pytest.approx(expected, abs=1e-5, nan_ok=True)


def test_the_five_policies_are_all_there_are_and_two_keep_every_law():
    assert set(EMPTY_ROW) == {*SOUND, "nan", "fill"}


def test_the_choice_decides_the_word_after_today_alone():
    alone = Scenario(tokens=("Today",), values=(10,))
    for policy, logits in (("none", [8, 9, 8]), ("soft", [16, 15, 9])):
        run = prefill(replace(alone, empty_row=policy).model(), alone.prompt_ids)
        np.testing.assert_allclose(run.logits, [logits], atol=1e-12)


@given(scenarios(policies=("none", "soft")))
def test_rows_sum_to_one_or_to_zero_and_to_zero_only_where_the_rule_matches_nothing(scenario):
    layer = prefill(scenario.model(), scenario.prompt_ids).layers[0]
    matched = (layer.mask & (layer.scores > 0)).any(-1)
    np.testing.assert_allclose(layer.weights.sum(-1), matched | (scenario.empty_row == "soft"), atol=1e-12)
    np.testing.assert_array_equal(layer.empty, ~matched & (scenario.empty_row == "none"))
    assert not layer.context[layer.empty].any()


@given(scenarios(), st.sampled_from(["none", "nan", "fill"]))
def test_a_row_that_matches_something_is_the_same_under_every_hard_policy(scenario, policy):
    soft, hard = (prefill(replace(scenario, empty_row=p).model(), scenario.prompt_ids).layers[0] for p in ("soft", policy))
    matched = (soft.mask & (soft.scores > 0)).any(-1)
    np.testing.assert_array_equal(hard.weights[matched], soft.weights[matched])
    np.testing.assert_array_equal(np.isnan(hard.weights).any(-1), ~matched & (policy == "nan"))


@given(scenarios(policies=("softmax1",)))
def test_softmax_one_is_softmax_with_one_more_key_of_score_zero_and_value_zero(scenario):
    layer = prefill(scenario.model(), scenario.prompt_ids).layers[0]
    shares = np.where(layer.mask, np.exp(layer.scores), 0)
    np.testing.assert_allclose(layer.weights, shares / (1 + shares.sum(-1, keepdims=True)), rtol=1e-12, atol=1e-15)
    assert (layer.weights.sum(-1) < 1).all() or scenario.sharpness > 30  # e^-32 is lost beside 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_of_a_thousand_overflow_in_no_policy(dtype):
    scores = np.array([[1000, -1000, 500], [-1000, -1000, -999], [0, 0, 0]], dtype)
    for policy, normalise in EMPTY_ROW.items():
        weights = normalise(scores, np.tri(3, dtype=bool))
        assert weights.dtype == dtype
        assert np.isfinite(weights[0]).all() and weights[0, 0] == 1, policy
        assert np.isnan(weights[1:]).all() if policy == "nan" else np.isfinite(weights).all()


def test_filling_with_minus_a_billion_looks_into_the_future_and_the_guard_does_not():
    later = Scenario(values=(10, 20, 1, 500))
    for policy in EMPTY_ROW:
        before, after = (contexts(replace(s, empty_row=policy)) for s in (Scenario(), later))
        same = np.array_equal(before[:, :3], after[:, :3], equal_nan=True)
        assert same == (policy != "fill")
    assert contexts(replace(later, empty_row="fill"))[0, 0] == pytest.approx((10 + 20 + 1 + 500) / 4)


@given(scenarios())
def test_heads_that_see_nothing_give_logits_of_zero(scenario):
    blind = replace(scenario, rules=(Rule("none"),) * len(scenario.rules), empty_row="none")
    run = prefill(blind.model(), blind.prompt_ids)
    assert run.layers[0].empty.all() and not run.logits.any()
