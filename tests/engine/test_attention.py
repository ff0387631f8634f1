"""One equation, softmax(q kᵀ / √d_head) v, against itself written out in loops, and the laws that follow from it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import attention, causal_mask, softmax
from engine.attention import masked_softmax

SIZES = st.integers(1, 6)
SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def problems(draw):
    """Random q, k, v with grouped heads, and a mask in which a row may be closed entirely."""
    n_kv_head, group, n_new, n, d_head, d_v = (draw(SIZES) for _ in range(6))
    rng = np.random.default_rng(draw(SEEDS))
    q = rng.normal(size=(n_kv_head * group, n_new, d_head)) * draw(st.sampled_from([0.1, 1, 100]))
    k, v = rng.normal(size=(n_kv_head, n, d_head)), rng.normal(size=(n_kv_head, n, d_v))
    shape = (n_new, n) if draw(st.booleans()) else (n_kv_head * group, n_new, n)
    return q, k, v, rng.random(shape) < draw(st.sampled_from([0.3, 0.8, 1]))


def written_out(q, k, v, mask):
    """Weights and context by plain loops over heads, queries and keys."""
    mask = np.broadcast_to(mask, (len(q), q.shape[1], k.shape[1]))
    weights, context = np.zeros(mask.shape), np.zeros((*q.shape[:2], v.shape[2]))
    for h, i in np.ndindex(q.shape[:2]):
        kv = h * len(k) // len(q)
        visible = [j for j in range(k.shape[1]) if mask[h, i, j]]
        scores = {j: sum(map(math.prod, zip(q[h, i], k[kv, j], strict=True))) / math.sqrt(q.shape[2]) for j in visible}
        shares = {j: math.exp(scores[j] - max(scores.values())) for j in visible}
        for j in visible:
            weights[h, i, j] = shares[j] / sum(shares.values())
            context[h, i] += weights[h, i, j] * v[kv, j]
    return weights, context


@given(problems())
def test_attention_equals_the_formula_written_out_in_loops(problem):
    layer = attention(*problem)
    weights, context = written_out(*problem)
    np.testing.assert_allclose(layer.weights, weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(layer.context, context, rtol=0, atol=1e-12)


@given(problems())
def test_a_query_head_reads_the_key_value_head_that_it_names(problem):
    """Two pages took head % n_kv_head, which is right with one key/value head or with as many as there are queries, and wrong
    for groups: of 4 query heads over 2, heads 0 and 1 read the first."""
    layer = attention(*problem)
    read = np.stack([layer.weights[h] @ layer.v[layer.kv_head(h)] for h in range(len(layer.q))])
    np.testing.assert_allclose(read, layer.context, rtol=0, atol=1e-12)


@given(problems())
def test_shared_key_value_heads_equal_the_same_heads_repeated(problem):
    q, k, v, mask = problem
    group = len(q) // len(k)
    shared, repeated = attention(q, k, v, mask), attention(q, k.repeat(group, 0), v.repeat(group, 0), mask)
    np.testing.assert_allclose(shared.scores, repeated.scores, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(shared.context, repeated.context, rtol=0, atol=1e-12)


@given(problems())
def test_a_row_of_weights_sums_to_one_or_is_empty_and_hidden_keys_get_nothing(problem):
    layer = attention(*problem)
    closed = ~layer.mask.any(-1)
    assert layer.mask.shape == layer.weights.shape
    np.testing.assert_allclose(layer.weights.sum(-1), ~closed, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(layer.empty, closed)
    assert (layer.weights >= 0).all() and not layer.weights[~layer.mask].any() and not layer.context[closed].any()
    np.testing.assert_array_equal(layer.masked, np.where(layer.mask, layer.scores, -np.inf))


@given(problems())
def test_a_context_lies_between_the_smallest_and_the_largest_visible_value(problem):
    q, k, v, mask = problem
    layer = attention(q, k, v[..., :1], mask)
    values = np.broadcast_to(v.repeat(len(q) // len(k), 0)[:, None, :, 0], layer.mask.shape)
    low, high = (np.where(layer.mask, values, np.inf).min(-1) - 1e-12, np.where(layer.mask, values, -np.inf).max(-1) + 1e-12)
    assert ((low <= layer.context[..., 0]) & (layer.context[..., 0] <= high) | layer.empty).all()


@given(problems(), SEEDS)
def test_the_order_of_keys_does_not_matter_as_long_as_their_values_move_with_them(problem, seed):
    q, k, v, mask = problem
    order = np.random.default_rng(seed).permutation(k.shape[1])
    moved = attention(q, k[:, order], v[:, order], mask[..., order])
    np.testing.assert_allclose(moved.context, attention(*problem).context, rtol=0, atol=1e-12)


@given(problems())
def test_attention_returns_its_inputs_unaltered_and_uncopied(problem):
    q, k, v, _ = problem
    before = [x.copy() for x in problem]
    layer = attention(*problem)
    assert layer.q is q and layer.k is k and layer.v is v
    for x, old in zip(problem, before, strict=True):
        np.testing.assert_array_equal(x, old)


@given(problems())
def test_float32_stays_float32(problem):
    q, k, v, mask = problem
    layer = attention(q.astype(np.float32), k.astype(np.float32), v.astype(np.float32), mask)
    assert {x.dtype for x in (layer.scores, layer.weights, layer.context, layer.masked)} == {np.dtype(np.float32)}
    scale = 1 + np.abs(layer.scores).max()  # an error in a score is a relative error in a weight
    np.testing.assert_allclose(layer.context, attention(*problem).context, rtol=0, atol=2e-5 * scale)


ROWS = st.lists(st.floats(-1000, 1000), min_size=1, max_size=16).map(np.array)


@given(ROWS, st.floats(-1000, 1000))
def test_a_constant_added_to_a_row_of_scores_changes_nothing(scores, constant):
    np.testing.assert_allclose(softmax(scores + constant), softmax(scores), rtol=1e-9, atol=1e-300)


@given(ROWS)
def test_scores_of_a_thousand_give_finite_weights_that_sum_to_one(scores):
    for row in (scores, np.append(scores, [1000, -1000]), scores.astype(np.float32)):
        weights = softmax(row)
        assert np.isfinite(weights).all() and weights[row.argmax()] == weights.max()
        np.testing.assert_allclose(weights.sum(), 1, atol=1e-6)


def test_softmax_gives_the_odds_of_the_exponentials_whatever_the_scores_level():
    odds = softmax(np.array([[1.1, 0.0], [1001.1, 1000.0], [-998.9, -1000.0]]))
    np.testing.assert_allclose(odds[:, 0] / odds[:, 1], math.e**1.1, rtol=1e-9)


def test_a_row_of_nothing_but_minus_infinity_gets_zeros_and_its_neighbour_does_not_mind():
    scores = np.array([[-np.inf, -np.inf], [-np.inf, 3.0]])
    np.testing.assert_array_equal(softmax(scores), [[0, 0], [0, 1]])
    np.testing.assert_array_equal(masked_softmax(np.ones((2, 2)), np.array([[False, False], [True, True]])), [[0, 0], [0.5, 0.5]])


@given(st.integers(1, 20), st.integers(0, 20))
def test_a_token_sees_itself_and_everything_before_it(n_new, n_past):
    mask = causal_mask(n_new, n_past)
    assert mask.dtype == bool
    assert mask.tolist() == [[j <= n_past + i for j in range(n_past + n_new)] for i in range(n_new)]
    np.testing.assert_array_equal(mask, causal_mask(n_past + n_new)[n_past:])


@pytest.mark.parametrize("d_head", [1, 4, 64, 1024])
def test_dividing_by_the_root_of_the_width_keeps_random_scores_at_a_spread_of_one(d_head):
    rng = np.random.default_rng(d_head)
    q, k = rng.normal(size=(1, 300, d_head)), rng.normal(size=(1, 300, d_head))
    assert attention(q, k, k, np.ones((300, 300), bool)).scores.std() == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(
    ("k", "v", "message"),
    [
        ((2, 5, 9), (2, 5, 3), r"k: expected .* = \(2, 5, 8\) .* got \(2, 5, 9\)"),
        ((2, 4, 8), (2, 5, 3), r"k: expected .* = \(2, 5, 8\) .* got \(2, 4, 8\)"),
        ((3, 5, 8), (3, 5, 3), "n_head must be a multiple of n_kv_head, got 4 query heads and 3 key/value heads"),
    ],
)
def test_shapes_that_do_not_fit_are_named(k, v, message):
    with pytest.raises(ValueError, match=message):
        attention(np.ones((4, 5, 8)), np.ones(k), np.ones(v), causal_mask(5))


def test_without_a_mask_the_queries_are_the_newest_tokens():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(4, 2, 8)), rng.normal(size=(2, 5, 8)), rng.normal(size=(2, 5, 3))
    assert np.array_equal(attention(q, k, v).weights, attention(q, k, v, causal_mask(2, 3)).weights)
    with pytest.raises(ValueError, match="k: expected at least the 5 keys"):
        attention(rng.normal(size=(4, 5, 8)), k[:, :3], v[:, :3])
