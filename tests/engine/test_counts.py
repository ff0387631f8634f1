"""The closed forms of the work equal what is counted: pass by pass while the toy runs, and by plain addition for any length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT, scenarios

from engine import Counts, generate
from engine.counts import (
    cached_counts,
    last_query_counts,
    prefill_counts,
    recomputed_counts,
    sum_of_integers,
    sum_of_squares,
    tokens_processed,
)

LENGTHS = st.integers(1, 200)


@pytest.mark.parametrize(
    ("p", "g", "rows", "scores"),  # without and with cache; recomputing all, asking the last query only, with cache
    [
        (4, 2, (9, 5), (25, 15, 15)),
        (4, 4, (22, 7), (74, 28, 28)),
        (4, 8, (60, 11), (276, 66, 66)),
        (4, 16, (184, 19), (1320, 190, 190)),
        (4, 64, (2272, 67), (52384, 2278, 2278)),
        (10, 10, (145, 19), (1165, 190, 190)),
        (100, 100, (14_950, 199), (1_166_650, 19_900, 19_900)),
        (1000, 1000, (1_499_500, 1_999), (1_166_666_500, 1_999_000, 1_999_000)),
    ],
)
def test_the_articles_table_of_work(p, g, rows, scores):
    without, last, cached = recomputed_counts(p, g), last_query_counts(p, g), cached_counts(p, g)
    assert (without.kv_rows, cached.kv_rows) == rows and last.kv_rows == without.kv_rows == without.query_rows
    assert (without.scores, last.scores, cached.scores) == scores
    assert last.query_rows == cached.query_rows == p + g - 1


@given(st.integers(1, 12), st.integers(1, 12), scenarios(n_tokens=st.just(12)))
def test_counted_equals_the_closed_form_with_and_without_cache(p, g, scenario):
    for use_cache, closed_form in ((True, cached_counts), (False, recomputed_counts)):
        out = generate(scenario.model(), scenario.prompt_ids[:p], g, use_cache)
        assert out.counts == closed_form(p, g)
        assert out.passes[0].counts == prefill_counts(p)
        masks = [run.layers[0].mask[0] for run in out.passes]
        assert (out.counts.scores, out.counts.scores_dense) == (sum(m.sum() for m in masks), sum(m.size for m in masks))


def test_counted_equals_the_closed_form_up_to_the_longest_sequence():
    assert generate(TEXT.model(), TEXT.prompt_ids, 61).counts == cached_counts(4, 61)
    assert generate(TEXT.model(), TEXT.prompt_ids, 61, use_cache=False).counts == recomputed_counts(4, 61)


def added_up(p, g):
    """Counts by plain addition over passes and rows: with cache, recomputing everything, recomputing the keys only."""
    lengths = range(p, p + g)  # of the whole sequence, at each pass
    cached = Counts(p + g - 1, p + g - 1, sum(range(1, p + g)), p * p + sum(lengths[1:]))
    rows, squares = sum(lengths), sum(n * n for n in lengths)
    recomputed = Counts(rows, rows, sum(i + 1 for n in lengths for i in range(n)), squares)
    return cached, recomputed, Counts(rows, cached.query_rows, cached.scores, cached.scores_dense)


@given(LENGTHS, LENGTHS)
def test_the_closed_forms_equal_plain_addition(p, g):
    assert (cached_counts(p, g), recomputed_counts(p, g), last_query_counts(p, g)) == added_up(p, g)
    assert cached_counts(p, g).kv_rows == tokens_processed(p, g) == p + g - 1
    assert sum_of_integers(p) == sum(range(p + 1)) and sum_of_squares(p) == sum(i * i for i in range(p + 1))


def test_doubling_the_answer_doubles_cached_rows_but_not_cached_scores():
    factors = {
        form: [getattr(form(1, 2000), work) / getattr(form(1, 1000), work) for work in ("kv_rows", "scores")]
        for form in (recomputed_counts, cached_counts)
    }
    np.testing.assert_allclose(factors[recomputed_counts], [3.998, 7.988], atol=5.1e-4)
    np.testing.assert_allclose(factors[cached_counts], [2.000, 3.998], atol=5.1e-4)


def test_what_the_cache_saves_at_a_thousand_and_a_thousand():
    without, cached = recomputed_counts(1000, 1000), cached_counts(1000, 1000)
    assert (round(without.kv_rows / cached.kv_rows), round(without.scores / cached.scores)) == (750, 584)


@pytest.mark.parametrize(
    ("p", "visible", "dense"), [(4, 10, 16), (10, 55, 100), (100_000, 5_000_050_000, 10_000_000_000), (10**9, None, 10**18)]
)
def test_half_of_a_dense_prefill_is_thrown_away_and_a_large_one_is_counted_without_being_run(p, visible, dense):
    counts = prefill_counts(p)
    assert counts == Counts(p, p, visible or p * (p + 1) // 2, dense)


@given(LENGTHS)
def test_one_by_one_takes_the_visible_products_of_prefill_in_p_steps(p):
    assert sum((Counts(1, 1, n, n) for n in range(1, p + 1)), Counts()).scores == prefill_counts(p).scores
    assert prefill_counts(p) == cached_counts(p, 1) == recomputed_counts(p, 1)


@pytest.mark.parametrize(("p", "g"), [(0, 1), (1, 0), (-1, 4)])
@pytest.mark.parametrize("form", [tokens_processed, cached_counts, recomputed_counts, last_query_counts])
def test_there_is_always_a_prompt_and_an_answer(form, p, g):
    with pytest.raises(ValueError, match=f"at least 1 prompt token and 1 generated token, got {p} and {g}"):
        form(p, g)
