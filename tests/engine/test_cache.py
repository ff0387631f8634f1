"""The cache only grows: what it holds can be altered neither by later tokens, nor by a caller, nor by a pass that fails."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, TEXT, scenarios

from engine import KVCache, decode_step, prefill

CHUNKS = st.lists(st.integers(1, 5), min_size=1, max_size=8)


def rows(rng, n, d):
    return rng.normal(size=(2, n, d))


def fill(cache, n, rng):
    """One pass of n tokens over two layers; returns copies of what was written: a (k, v) pair for each layer."""
    written = [(rows(rng, n, 4), rows(rng, n, 3)) for _ in range(2)]
    for layer, (k, v) in enumerate(written):
        cache.write(layer, k, v)
    cache.advance(n)
    return written


@given(CHUNKS, st.integers(0, 99))
def test_what_was_appended_stays_and_nothing_else_appears(chunks, seed):
    cache, rng, history = KVCache(2, 2, sum(chunks), 4, 3), np.random.default_rng(seed), []
    for i, n in enumerate(chunks):
        history.append(fill(cache, n, rng))
        assert cache.n_tokens == sum(chunks[: i + 1])
        for layer in range(2):
            for held, which in ((cache.k, 0), (cache.v, 1)):
                np.testing.assert_array_equal(held[layer], np.concatenate([past[layer][which] for past in history], axis=1))


@given(CHUNKS)
def test_a_view_taken_earlier_never_changes_and_no_row_is_copied(chunks):
    cache, rng = KVCache(2, 2, sum(chunks) + 1, 4, 3), np.random.default_rng(0)
    fill(cache, 1, rng)
    old_k, old_v = cache.k, cache.v
    as_it_was = old_k.copy(), old_v.copy()
    for n in chunks:
        fill(cache, n, rng)
    np.testing.assert_array_equal(old_k, as_it_was[0])
    np.testing.assert_array_equal(old_v, as_it_was[1])
    assert np.shares_memory(old_k, cache.k) and np.shares_memory(old_v, cache.v)


def test_everything_handed_out_is_read_only():
    cache = KVCache(1, 2, 8, 4, 3)
    handed_out = cache.write(0, np.ones((2, 2, 4)), np.ones((2, 2, 3)))
    cache.advance(2)
    for view in (*handed_out, cache.k, cache.v):
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 0
    with pytest.raises(AttributeError):
        cache.n_tokens = 0
    assert (cache.k == 1).all() and cache.n_tokens == 2


def test_the_callers_arrays_are_copied_in():
    cache, k, v = KVCache(1, 1, 8, 2), np.ones((1, 3, 2)), np.ones((1, 3, 2))
    cache.write(0, k, v)
    cache.advance(3)
    k[...], v[...] = 9, 9
    assert (cache.k == 1).all() and (cache.v == 1).all()


def test_a_write_returns_old_and_new_rows_but_they_belong_to_the_cache_only_after_advance():
    cache, rng = KVCache(2, 2, 8, 4, 3), np.random.default_rng(0)
    (k, v), _ = fill(cache, 3, rng)
    new_k, new_v = rows(rng, 2, 4), rows(rng, 2, 3)
    for _attempt in range(2):
        got_k, got_v = cache.write(0, new_k, new_v)
        np.testing.assert_array_equal(got_k, np.concatenate([k, new_k], axis=1))
        np.testing.assert_array_equal(got_v, np.concatenate([v, new_v], axis=1))
        assert cache.n_tokens == 3 and cache.k.shape == (2, 2, 3, 4)
        np.testing.assert_array_equal(cache.k[0], k)
        assert np.shares_memory(got_k, cache.k) and np.shares_memory(got_v, cache.v)


def break_attention(monkeypatch):
    def fail(*_):
        raise FloatingPointError("in the middle of the pass")

    monkeypatch.setattr("engine.toy.scenario.attention", fail)
    return [0], FloatingPointError


@pytest.mark.parametrize(
    "bad", [lambda _: ([99], ValueError), lambda _: ([], ValueError), lambda _: ([0] * 3, ValueError), break_attention]
)
def test_a_pass_that_fails_leaves_the_cache_as_it_was_and_usable(bad, monkeypatch):
    model, untouched = TEXT.model(), KVCache.for_model(TEXT.model(), 6)
    cache = KVCache.for_model(model, 6)
    for each in (cache, untouched):
        prefill(model, TEXT.prompt_ids, each)
    with monkeypatch.context() as patch:
        token_ids, error = bad(patch)
        with pytest.raises(error):
            model.forward(token_ids, cache)
    assert cache.n_tokens == 4
    np.testing.assert_array_equal(cache.k, untouched.k)
    np.testing.assert_array_equal(decode_step(model, 1, cache).logits, decode_step(model, 1, untouched).logits)
    np.testing.assert_array_equal(cache.v, untouched.v)


@given(scenarios())
def test_rows_that_were_never_written_enter_no_computation(scenario):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "empty", lambda shape, dtype: np.full(shape, np.nan, dtype))
        cache = KVCache.for_model(scenario.model(), 64)
    prefill(scenario.model(), scenario.prompt_ids, cache)
    step = decode_step(scenario.model(), 0, cache)
    assert np.isfinite(step.logits).all() and np.isfinite(step.layers[0].scores).all()
    assert cache.k.shape[2] == cache.v.shape[2] == cache.n_tokens == len(scenario.tokens) + 1


def test_the_prompt_warms_the_cache_with_one_row_a_token():
    cache = KVCache.for_model(TEXT.model(), 64)
    prefill(TEXT.model(), TEXT.prompt_ids, cache)
    assert cache.n_tokens == 4
    np.testing.assert_array_equal(cache.v[0, 0, :, 0], TEXT.values)
    decode_step(TEXT.model(), 0, cache)
    np.testing.assert_array_equal(cache.v[0, 0, :, 0], [*TEXT.values, 7])


@pytest.mark.parametrize(("scenario", "numbers"), [(TEXT, 65), (CODE, 260)], ids=["one key shared", "a key a head"])
def test_a_token_takes_65_numbers_when_all_heads_share_one_key_and_260_when_each_of_four_has_its_own(scenario, numbers):
    for dtype, n_bytes in ((np.float32, 4), (np.float64, 8)):
        model = scenario.model(dtype)
        cache = KVCache.for_model(model, 64)
        assert cache.nbytes == 0
        prefill(model, scenario.prompt_ids, cache)
        assert cache.nbytes == 4 * numbers * n_bytes


def test_the_cache_says_what_does_not_fit():
    cache = KVCache(1, 2, 4, 3)
    with pytest.raises(ValueError, match=r"at most n_ctx = 4 tokens, got 0 and 5 more"):
        cache.write(0, np.ones((2, 5, 3)), np.ones((2, 5, 3)))
    with pytest.raises(ValueError, match=r"k of layer 0: expected shape \(2, 1, 3\), got \(1, 1, 3\)"):
        cache.write(0, np.ones((1, 1, 3)), np.ones((2, 1, 3)))
    with pytest.raises(ValueError, match=r"v of layer 0: expected shape \(2, 1, 3\), got \(2, 2, 3\)"):
        cache.write(0, np.ones((2, 1, 3)), np.ones((2, 2, 3)))
    with pytest.raises(ValueError, match=r"expected 4 new rows in every layer, got \[0\]"):
        cache.advance(4)
    cache.write(0, np.ones((2, 4, 3)), np.ones((2, 4, 3)))
    cache.advance(4)
    for refuse in (cache.advance, cache.require_room):
        with pytest.raises(ValueError, match=r"got 4 and 1 more"):
            refuse(1)
    with pytest.raises(ValueError, match="a cache only grows, got -1"):
        cache.advance(-1)
    assert cache.n_tokens == 4


@pytest.mark.parametrize("size", ["n_layer", "n_kv_head", "n_ctx", "d_head", "d_v"])
def test_every_size_of_a_cache_is_at_least_one(size):
    sizes = dict(n_layer=2, n_kv_head=2, n_ctx=2, d_head=2, d_v=2)
    with pytest.raises(ValueError, match=f"{size}: expected at least 1, got 0"):
        KVCache(**sizes | {size: 0})
    assert KVCache(**sizes).v.shape == (2, 2, 0, 2)
