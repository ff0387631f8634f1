"""W taken apart: the article's contributions and ablations, and what an average over the heads would lose."""

import numpy as np
import pytest
from hypothesis import assume, given
from scenarios import scenarios

from engine import Scenario, prefill
from engine.toy.projection import SAME_MEAN, averaged, contributions, same_mean, without_heads

TEXT = Scenario.article()
W = np.array(TEXT.w_vocab)


def last(s):
    run = prefill(s.model(), s.prompt_ids)
    return run.layers[-1].context[:, -1, 0], run


def test_the_articles_contributions():
    context, run = last(TEXT)
    added = contributions(context, W)
    np.testing.assert_allclose(added, [[10, 7.5, 1.25], [2.5, 2, 1], [1, 2, 5], [1.8, 2.7, 0.9]], atol=1e-5)
    np.testing.assert_allclose(added.sum(axis=0), run.logits[-1], atol=1e-12)
    np.testing.assert_allclose(added.sum(axis=0), [15.3, 14.2, 8.15], atol=1e-5)


@pytest.mark.parametrize(
    ("off", "expected"),
    [((0,), [5.3, 6.7, 6.9]), ((1,), [12.8, 12.2, 7.15]), ((2,), [14.3, 12.2, 3.15]), ((3,), [13.5, 11.5, 7.25]),
     ((0, 1, 2, 3), [0, 0, 0])],
)  # fmt: skip
def test_the_articles_ablations(off, expected):
    context, _ = last(TEXT)
    np.testing.assert_allclose(without_heads(context, W, off), expected, atol=1e-5)
    np.testing.assert_allclose(context, [12.5, 5, 10, 9], atol=1e-5)  # which were not changed on the way


def test_the_articles_average():
    context, _ = last(TEXT)
    mean = averaged(context)
    np.testing.assert_allclose(mean, [9.125] * 4, atol=1e-6)
    np.testing.assert_allclose(mean @ W, [14.6, 13.6875, 8.2125], atol=1e-5)
    np.testing.assert_allclose(mean @ W, mean[0] * W.sum(axis=0))  # nothing but W's column sums decides


def test_another_prompt_with_the_same_mean_and_another_winner():
    context, run = last(TEXT)
    twin = same_mean(TEXT, run.layers[-1])
    assert twin.values == (17, 20, 1, 0)
    other, new = last(twin)
    np.testing.assert_allclose(other, [10, 0, 17, 9.5], atol=1e-5)
    assert other.mean() == pytest.approx(context.mean(), abs=SAME_MEAN) == pytest.approx(9.125, abs=SAME_MEAN)
    assert (run.logits[-1].argmax(), new.logits[-1].argmax()) == (0, 1)


@given(scenarios())
def test_a_twin_has_the_mean_and_other_contexts(s):
    context, run = last(s)
    twin = same_mean(s, run.layers[-1])
    assume(twin is not None)
    other, _ = last(twin)
    assert other.mean() == pytest.approx(context.mean(), abs=2 * SAME_MEAN)
    assert np.abs(other - context).max() > SAME_MEAN


@pytest.mark.parametrize(
    "s",
    [
        Scenario(tokens=("one",), values=(3,)),
        Scenario(rules=("all",), w_vocab=W[:1]),
        Scenario(rules=("none",) * 4),
        Scenario(rules=("none",) * 4, empty_row="nan"),
    ],
    ids=["one token", "one head", "nothing seen", "NaN"],
)
def test_no_twin_where_there_is_none(s):
    assert same_mean(s, last(s)[1].layers[-1]) is None
