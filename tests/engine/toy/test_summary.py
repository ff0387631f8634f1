"""The last row's contexts as a summary: four give four values back, five tokens leave a second prompt with the same contexts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT, scenarios

from engine import prefill
from engine.toy.edits import replace
from engine.toy.summary import summary


def last_row(scenario, ids):
    layer = prefill(scenario.model(), ids).layers[0]
    return layer.weights[:, -1], layer.v[0, :, 0], layer.context[:, -1, 0]


def test_from_the_articles_four_contexts_its_four_values_come_back():
    """12.5, 5, 10, 9 are 10, 20, 1, 5 and nothing else: NumPy's own solver says the same."""
    weights, values, contexts = last_row(TEXT, TEXT.prompt_ids)
    np.testing.assert_allclose(contexts, [12.5, 5, 10, 9], atol=1e-5)
    found = summary(weights, values)
    assert found.rank == 4 and found.twin is None
    np.testing.assert_allclose(found.recovered, [10, 20, 1, 5], atol=1e-8)
    np.testing.assert_allclose(np.linalg.solve(weights, contexts), found.recovered, atol=1e-8)


def test_with_a_fifth_token_another_prompt_has_the_same_contexts_when_the_model_runs_it():
    weights, values, contexts = last_row(TEXT, (*TEXT.prompt_ids, 0))
    found = summary(weights, values)
    assert found.rank == 4 and found.recovered is None
    np.testing.assert_allclose(found.twin, [10, 25, 1, 0, 7])
    other = replace(TEXT, values=tuple(found.twin[:4]))
    np.testing.assert_allclose(last_row(other, (*TEXT.prompt_ids, 0))[2], contexts, rtol=0, atol=1e-12)
    assert np.linalg.matrix_rank(weights) == 4


@given(scenarios(n_tokens=st.integers(1, 16)))
def test_what_is_recovered_is_right_and_a_twin_has_the_same_contexts(scenario):
    weights, values, _ = last_row(scenario, scenario.prompt_ids)
    found = summary(weights, values)
    assert (found.recovered is None) != (found.twin is None)
    assert found.rank <= min(weights.shape)
    if found.twin is None:
        np.testing.assert_allclose(weights @ found.recovered, weights @ values, rtol=0, atol=1e-8)
    else:
        np.testing.assert_allclose(weights @ found.twin, weights @ values, rtol=0, atol=1e-9)
        assert np.abs(found.twin - values).max() == pytest.approx(5)


def test_heads_that_see_nothing_say_nothing():
    found = summary(np.zeros((4, 3)), np.array([1.0, 2.0, 3.0]))
    assert found.rank == 0 and np.abs(found.twin - [1, 2, 3]).max() == 5
