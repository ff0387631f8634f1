"""Appending to a cache: the closed forms equal what is copied when numbered rows are really moved about."""

import numpy as np
import pytest
from appending import simulate
from hypothesis import given
from hypothesis import strategies as st

from engine import KVCache
from engine.work.append_strategies import STRATEGIES, growth

SIZES = st.tuples(st.integers(1, 20), st.integers(0, 60), st.integers(1, 9))


@given(SIZES, st.sampled_from(STRATEGIES))
def test_the_closed_form_is_what_is_copied_and_the_rows_keep_their_order(sizes, strategy):
    p, more, n_page = sizes
    n = p + more
    appends, rows = simulate(strategy, p, n, n + 3, n_page)
    result = growth(strategy, p, n, n + 3, n_page)
    assert rows.tolist() == list(range(n))
    assert (sum(a.copied for a in appends), appends[-1].reserved, result.used) == (result.copied, result.reserved, n)
    assert [(a.before, a.after) for a in appends] == [(0, p), *((k, k + 1) for k in range(p, n))]
    # While rows are copied, the old array and the new one exist together.
    held = [a.reserved + (b.reserved if a.copied else 0) for a, b in zip(appends, (appends[0], *appends), strict=False)]
    assert max(held) == result.peak


@pytest.mark.parametrize("n", [2, 11, 256, 1024, 2048])
def test_concatenating_copies_a_square_of_rows_and_the_others_at_most_a_few_a_token(n):
    copied = {s: growth(s, 1, n, n_ctx=4096, n_page=16).copied for s in STRATEGIES}
    assert copied["concatenate"] == n * (n - 1) // 2
    assert n - 1 <= copied["double"] < 2 * n and copied["preallocate"] == copied["pages"] == 0


@given(st.integers(1, 500), st.integers(0, 500), st.integers(1, 64))
def test_pages_waste_less_than_one_page_and_doubling_less_than_the_rows_in_use(p, more, n_page):
    n = p + more
    assert 0 <= growth("pages", p, n, n, n_page).waste <= n_page - 1
    assert 0 <= growth("double", p, n, n, n_page).waste < n
    assert growth("double", p, n, n, n_page).copied < 2 * n


def test_the_bytes_measured_for_gpt2_small_are_the_formulas():
    for n, gigabytes in ((256, 2.41), (1024, 38.6), (2048, 154.5)):  # copied while concatenating, fp32, rows of 73,728 bytes
        assert growth("concatenate", 1, n, n).copied * 73_728 / 1e9 == pytest.approx(gigabytes, rel=2e-3)


def test_our_own_cache_is_the_preallocated_one():
    cache = KVCache(1, 1, 8, 2)
    before = cache._k.ctypes.data
    for _ in range(8):
        cache.write(0, np.zeros((1, 1, 2)), np.zeros((1, 1, 2)))
        cache.advance(1)
    assert cache._k.ctypes.data == before and cache.k.base is not None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("list", 1, 2, 4), "strategy: expected one of concatenate"),
        (("double", 0, 2, 4), "expected 1 or more prompt tokens"),
        (("double", 3, 2, 4), "expected 1 or more prompt tokens"),
        (("pages", 1, 2, 4, 0), "n_page: expected at least 1"),
        (("preallocate", 1, 5, 4), "expected at most n_ctx = 4 tokens, got 5"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        growth(*arguments)
